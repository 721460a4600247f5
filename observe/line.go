package observe

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"kingdom/llm"
	"kingdom/wire"
)

// Line is one line of a stream.
type Line struct {
	Stream Stream
	Raw    []byte // the JSON object as stored, without its line end
	fields fields
	name   string // name of the agent, shown in place of its alias
	streak string // for an agent that became dormant because of NOPs: their reasons
}

// Tick returns the tick of the line.
func (l *Line) Tick() wire.Tick { return wire.Tick(l.fields.Tick) }

// Cycle returns the cycle of the line.
func (l *Line) Cycle() wire.Cycle { return wire.Cycle(l.fields.Cycle) }

// Alias returns the alias of the agent that the line is about; "" if it is about none.
func (l *Line) Alias() string {
	if l.fields.Agent == nil {
		return ""
	}
	return l.fields.Agent.Alias
}

// Kind returns what a line of the stream engine is about (docs/LOGS.md); "" for other streams.
func (l *Line) Kind() string { return l.fields.Kind }

// Stuck returns how many NOPs in a row the line reports, and why the last one was one; 0 if it reports no NOP.
func (l *Line) Stuck() (streak uint32, why string) {
	if l.Stream != StreamNOP || l.fields.Class != "NOP" {
		return 0, ""
	}
	return l.fields.Streak, NOPText(l.fields.Reason)
}

// Changed returns the status to which the line's agent changed; "" if it did not change.
func (l *Line) Changed() string {
	if l.Stream != StreamDormancy || l.fields.From == l.fields.To {
		return ""
	}
	return l.fields.To
}

// Run returns the name of the run's directory when the line was written.
func (l *Line) Run() string { return l.fields.Run }

// Rest reports whether the line says that an agent began a rest. Such lines are in the stream of NOPs.
func (l *Line) Rest() bool { return l.Stream == StreamNOP && l.fields.Class == classRest }

// classRest is the class of such a line.
const classRest = "rest"

// fields are the fields of a line that are used to choose and show it.
type fields struct {
	Time  string `json:"ts"`
	Run   string `json:"run"`
	Cycle uint64 `json:"cycle"`
	Tick  uint64 `json:"tick"`
	Kind  string `json:"kind"`
	Agent *struct {
		Alias string `json:"alias"`
		ID    string `json:"id"`
	} `json:"agent"`
	Goal *struct {
		Kind string `json:"kind"`
	} `json:"goal"`
	Class      string  `json:"class"`
	Reason     string  `json:"reason"`
	Streak     uint32  `json:"streak"`
	Slots      uint64  `json:"slots"`
	From       string  `json:"status_from"`
	To         string  `json:"status_to"`
	HoldEnded  *bool   `json:"hold_ended"` // nil: no operator woke the agent, or an earlier version wrote the line
	Error      string  `json:"error"`
	Role       string  `json:"role"`
	Active     uint32  `json:"active"`
	Dormant    uint32  `json:"dormant"`
	AgentTicks uint64  `json:"agent_ticks"`
	NOPs       uint64  `json:"nops"`
	WorldHash  string  `json:"world_hash"`
	Outcome    string  `json:"outcome"`
	Action     string  `json:"action"`
	Reasoning  string  `json:"reasoning"`
	Fallback   bool    `json:"fallback"`
	Input      string  `json:"input"`
	What       string  `json:"what"`
	Refused    string  `json:"refused"`
	Try        uint32  `json:"try"`
	Reward     uint64  `json:"reward_actual"`
	Balance    int64   `json:"balance"`
	Reputation float64 `json:"reputation"`
	Cap        string  `json:"cap"`
	Percent    int     `json:"percent"`
	CapUSD     uint64  `json:"cap_micro_usd"`
	SpentUSD   uint64  `json:"spent_micro_usd"`
}

// agentInText finds the agents that messages name by their aliases.
var agentInText = regexp.MustCompile(`\bagent [0-9a-f]{8}\b`)

// Named adds their names to the agents that a message names by their aliases, as in "agent anna (38643b53)".
func Named(text string, names map[wire.AgentID]string) string {
	if len(names) == 0 {
		return text
	}
	return agentInText.ReplaceAllStringFunc(text, func(found string) string {
		alias := strings.TrimPrefix(found, "agent ")
		name := ""
		for id, n := range names { //house:sorted the smallest name, if two agents have one alias
			if id.Alias() == alias && (name == "" || n < name) {
				name = n
			}
		}
		if name == "" {
			return found
		}
		return fmt.Sprintf("agent %s (%s)", name, alias)
	})
}

// setName sets the name of the line's agent, if there is one, and adds names to the agents in its texts.
func (l *Line) setName(names map[wire.AgentID]string) {
	if len(names) == 0 {
		return
	}
	l.fields.Error, l.fields.Cap = Named(l.fields.Error, names), Named(l.fields.Cap, names)
	if l.fields.Agent == nil {
		return
	}
	if id, err := wire.ParseHash(l.fields.Agent.ID); err == nil {
		l.name = names[wire.AgentID(id)]
	}
}

// JSON returns the object as stored, with the name of its stream added as first field.
func (l *Line) JSON() []byte {
	out := append([]byte(`{"stream":"`), l.Stream.String()...)
	return append(append(out, '"', ','), l.Raw[1:]...)
}

// Text returns the line as a sentence for people, with its time and stream in front.
func (l *Line) Text() string {
	name := l.Stream.String()
	if l.Rest() {
		name = classRest
	}
	sentence := l.Sentence()
	if l.fields.Agent != nil {
		sentence = " " + sentence
	}
	return fmt.Sprintf("cycle %d tick %d  %-8s %s", l.fields.Cycle, l.fields.Tick, name, sentence)
}

// Sentence returns the line as a sentence for people: who, and what happened.
func (l *Line) Sentence() string {
	f := &l.fields
	var b strings.Builder
	if f.Agent != nil {
		b.WriteString(cmp.Or(l.name, f.Agent.Alias))
	}
	if f.Role != "" {
		fmt.Fprintf(&b, " %s", f.Role)
	}
	switch l.Stream {
	case StreamNOP:
		l.nopText(&b)
	case StreamDormancy:
		l.sleepText(&b)
	case StreamThink:
		b.WriteString("  ")
		if f.Try > 0 {
			fmt.Fprintf(&b, "try %d ", f.Try+1)
		}
		fmt.Fprintf(&b, "%s %s", f.Outcome, f.Action)
		if f.Fallback {
			b.WriteString(" by the scripted mind in place of the model")
		}
		if f.Reasoning != "" {
			fmt.Fprintf(&b, ": %q", f.Reasoning)
		}
	case StreamEngine, StreamGoals: // earlier versions wrote the ends of goals to engine
		l.engineText(&b)
	}
	if f.Error != "" {
		fmt.Fprintf(&b, "  (%s)", f.Error)
	}
	return b.String()
}

// nopWords are texts for the reasons why a slot sent nothing.
var nopWords = map[string]string{
	"chosen":         "chose to do nothing",
	"parse_failed":   "three answers could not be used",
	"no_affordance":  "nothing was possible",
	"timed_out":      "no answer in time",
	"refused_budget": "its spending cap is reached",
	"provider_error": "the model's endpoint gave no answer",
	"interrupted":    "the run was stopped",
}

// NOPText returns the reason of a slot without an action, with its meaning behind it.
func NOPText(reason string) string {
	if words := nopWords[reason]; words != "" {
		return reason + ", " + words
	}
	return reason
}

func (l *Line) nopText(b *strings.Builder) {
	f := &l.fields
	why := nopWords[f.Reason]
	if why == "" {
		why = f.Reason
	}
	switch f.Class {
	case "NOP":
		fmt.Fprintf(b, "  NOP %d in a row: %s", f.Streak, why)
	case classRest:
		b.WriteString("  " + f.restText())
	default:
		fmt.Fprintf(b, "  idle: %s", why)
	}
	if f.Goal != nil {
		fmt.Fprintf(b, ", top goal %s", f.Goal.Kind)
	}
	if f.Reasoning != "" {
		fmt.Fprintf(b, ", %q", f.Reasoning)
	}
}

// restText says how long a rest lasts at most. A rest with 0 further slots is in the last slot of a cycle, unless it is one
// that became a sleep.
func (f *fields) restText() string {
	switch {
	case f.From != f.To:
		return "rests, and falls asleep"
	case f.Slots == 0:
		return "rests in its last slot of the cycle"
	case f.Slots == 1:
		return "rests for this slot and the next, unless something comes for it"
	default:
		return fmt.Sprintf("rests for this slot and the next %d, unless something comes for it", f.Slots)
	}
}

func (l *Line) sleepText(b *strings.Builder) {
	f := &l.fields
	if f.From == f.To {
		fmt.Fprintf(b, "  warning: %d NOPs in a row", f.Streak)
		return
	}
	fmt.Fprintf(b, "  %s → %s: %s", f.From, f.To, f.reasonText())
	if l.streak != "" {
		fmt.Fprintf(b, " (%s)", l.streak)
	}
	fmt.Fprintf(b, ", %d ⚡, reputation %.3f", f.Balance, f.Reputation)
}

// reasonText is ReasonText, and says which of the two ways it was in which an operator wakes an agent.
func (f *fields) reasonText() string {
	switch {
	case f.HoldEnded == nil:
		return ReasonText(f.To, f.Reason)
	case *f.HoldEnded:
		return f.Reason + ", the time is over for which an operator put it to sleep"
	default:
		return f.Reason + ", an operator woke it"
	}
}

func (l *Line) engineText(b *strings.Builder) {
	f := &l.fields
	switch f.Kind {
	case "cycle":
		fmt.Fprintf(b, "  end of cycle: %d active, %d dormant, %d agent-ticks, %d NOPs, world hash %.16s…", f.Active, f.Dormant, f.AgentTicks, f.NOPs, f.WorldHash)
	case "warmup": // its tick is the last of the cycle, as of all that happens at the end of a cycle
		fmt.Fprintf(b, "  EMBRYO → ACTIVE at the end of cycle %d; its slots begin in cycle %d", f.Cycle, f.Cycle+1)
	case "satisfaction":
		kind := ""
		if f.Goal != nil {
			kind = f.Goal.Kind
		}
		fmt.Fprintf(b, "  goal %s: %s", kind, f.Outcome)
		if f.Reason != "" {
			fmt.Fprintf(b, " (%s)", f.Reason)
		}
		fmt.Fprintf(b, ", %d ⚡", f.Reward)
	case "input":
		fmt.Fprintf(b, "  input %s", f.Input)
		if f.What != "" {
			fmt.Fprintf(b, " %s", f.What)
		}
		if f.Refused != "" {
			fmt.Fprintf(b, ": %s", f.Refused)
		}
	case "spend":
		fmt.Fprintf(b, "  %s has spent %s of %s (%d %%)", f.Cap, llm.USD(f.SpentUSD), llm.USD(f.CapUSD), f.Percent)
	default:
		fmt.Fprintf(b, "  %s", f.Kind)
	}
}

func (l *Line) before(o *Line) bool {
	if l.fields.Tick != o.fields.Tick {
		return l.fields.Tick < o.fields.Tick
	}
	return l.Stream < o.Stream
}

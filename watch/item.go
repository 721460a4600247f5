package watch

import (
	"fmt"
	"strings"

	"kingdom/observe"
	"kingdom/wire"
)

// Level is how much an item matters to an observer.
type Level uint8

// Levels, from what happens all the time to what happens once.
const (
	Routine  Level = iota // slots without an action, ended goals, ends of cycles
	Notable               // who falls asleep or wakes, warnings, faults, decided proposals, paid bounties, new entries and published repos
	Critical              // deaths, new epochs, inputs of an operator
)

var levelNames = [...]string{"routine", "notable", "critical"}

// String returns the name that JSON and queries use.
func (l Level) String() string { return levelNames[l] }

// MarshalText implements encoding.TextMarshaler.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// ParseLevel reads the name of a level.
func ParseLevel(name string) (Level, error) {
	for l, n := range levelNames {
		if n == name {
			return Level(l), nil
		}
	}
	return 0, fmt.Errorf("level is %q; want routine, notable or critical", name)
}

// Item is something that happened, as a page shows it.
type Item struct {
	Number uint64     `json:"number"` // from 1, in the order in which the watcher learnt of it
	Level  Level      `json:"level"`
	Source string     `json:"source"` // the stream of a log line, or "event"
	Cycle  wire.Cycle `json:"cycle"`
	Tick   wire.Tick  `json:"tick"`
	Agent  string     `json:"agent,omitempty"` // alias; "" if it is about no agent
	Text   string     `json:"text"`            // a sentence, without the tick
}

// ofLine makes an item of a line of a log. ok is false for lines that say nothing to an observer: that an agent rests, which is not being
// stuck.
func ofLine(l *observe.Line) (it Item, ok bool) {
	if l.Rest() {
		return it, false
	}
	it = Item{Source: l.Stream.String(), Cycle: l.Cycle(), Tick: l.Tick(), Agent: l.Alias(), Text: strings.Join(strings.Fields(l.Sentence()), " ")}
	switch {
	case l.Changed() == wire.StatusDead.String(), l.Kind() == "input":
		it.Level = Critical
	case l.Stream == observe.StreamDormancy, l.Kind() == "fault", l.Kind() == "spend":
		it.Level = Notable
	}
	return it, true
}

// Event is an event of the world in a cycle.
type Event struct {
	Cycle   wire.Cycle
	Kind    wire.EventKind
	Payload any // as wire.DecodePayload returns it
}

// Kinds lists the kinds of events that make items. Those of the life of agents are in the logs, too, and earlier: a run without logs needs
// them.
func Kinds(logs bool) []wire.EventKind {
	out := []wire.EventKind{
		wire.KindBigBang, wire.KindEpochChange, wire.KindAgentSpawn, wire.KindProposalResolved, wire.KindBountyCompleted, wire.KindEntryPublished,
		wire.KindRegistryPublished, wire.KindSandboxFaulted, wire.KindBankruptcyWarning, wire.KindBankruptcySevere, wire.KindInterventionProposed, wire.KindInterventionApplied,
	}
	if !logs {
		out = append(out, wire.KindAgentStatusChange, wire.KindAgentNopWarning)
	}
	return out
}

// ofEvent makes an item of an event; names are those of agents that have one.
func ofEvent(e *Event, calendar wire.Calendar, names map[wire.AgentID]string) Item {
	it := Item{Level: Notable, Source: "event", Cycle: e.Cycle, Tick: calendar.Last(e.Cycle)}
	who := func(id wire.AgentID) string {
		if name := names[id]; name != "" {
			return name
		}
		return id.Alias()
	}
	about := func(id wire.AgentID, tick wire.Tick) {
		if it.Tick = tick; !wire.IsSystem(id) {
			it.Agent = id.Alias()
		}
	}
	switch p := e.Payload.(type) {
	case *wire.EpochChangeEvent:
		it.Level, it.Tick = Critical, p.Tick
		it.Text = fmt.Sprintf("epoch %d begins: %s", p.NewEpoch, p.Trigger)
	case *wire.AgentStatusChangeEvent:
		about(p.AgentID, p.Tick)
		if p.NewStatus == wire.StatusDead {
			it.Level = Critical
		}
		it.Text = fmt.Sprintf("%s %s → %s: %s", who(p.AgentID), p.OldStatus, p.NewStatus, observe.ReasonText(p.NewStatus.String(), p.Reason))
	case *wire.AgentNopWarningEvent:
		about(p.AgentID, p.Tick)
		it.Text = fmt.Sprintf("%s warning: %d NOPs in a row", who(p.AgentID), p.Streak)
	case *wire.AgentSpawnEvent:
		about(p.AgentID, p.SpawnTick)
		it.Text = fmt.Sprintf("%s %s is born", who(p.AgentID), p.Role)
	case *wire.ProposalResolvedEvent:
		it.Text = fmt.Sprintf("proposal %s %s", wire.AgentID(p.ProposalID).Alias(), decision(p))
	case *wire.BountyCompletedEvent:
		about(p.Claimer, p.Tick)
		it.Text = fmt.Sprintf("%s is paid %d ⚡ for bounty %s", who(p.Claimer), p.Reward, wire.AgentID(p.BountyID).Alias())
	case *wire.EntryPublishedEvent:
		about(p.Author, p.Tick)
		it.Text = fmt.Sprintf("%s publishes %q, %s", who(p.Author), p.Title, p.Kind)
	case *wire.RegistryPublishedEvent:
		about(p.Author, p.Tick)
		it.Text = fmt.Sprintf("%s publishes the repo %q", who(p.Author), p.Name)
	case *wire.BankruptcyWarningEvent:
		about(p.Agent, it.Tick)
		it.Text = fmt.Sprintf("%s owes %d ⚡", who(p.Agent), -p.Balance)
	case *wire.BankruptcySevereEvent:
		about(p.Agent, it.Tick)
		it.Text = fmt.Sprintf("%s is nearly bankrupt and loses %d %% of its slots", who(p.Agent), p.BudgetReductionPct)
	case *wire.SandboxFaultedEvent:
		it.Text = fmt.Sprintf("a program faults: %s in line %d, sandbox %s", p.Fault, p.PC, wire.AgentID(p.SandboxID).Alias())
	case *wire.InterventionProposedEvent:
		it.Level, it.Text = Critical, fmt.Sprintf("Mint proposes the intervention %s: %s", p.Kind, p.Reason)
	case *wire.InterventionAppliedEvent:
		it.Level, it.Text = Critical, fmt.Sprintf("Mint intervenes: %s of %d ⚡", p.Kind, p.Amount)
	default:
		it.Level, it.Text = Critical, "the world begins"
	}
	return it
}

// decision says how a proposal ended.
func decision(p *wire.ProposalResolvedEvent) string {
	switch {
	case !p.QuorumMet:
		return fmt.Sprintf("lacks its quorum (%d voters)", p.TotalVoters)
	case p.Passed:
		return fmt.Sprintf("passes (%d voters)", p.TotalVoters)
	default:
		return fmt.Sprintf("is rejected (%d voters)", p.TotalVoters)
	}
}

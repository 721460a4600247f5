package scenarios

import (
	"fmt"
	"reflect"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// Input is an operator's input at a stated time. It is part of the scenario, so that runs with interventions can be
// repeated.
type Input struct {
	Cycle     uint64           `key:"cycle" need:"yes" range:"1..1000000" doc:"Cycle at whose first tick it takes effect. If the run ends earlier, it has no effect until kingdom resume --cycles extends the run."`
	Agent     AgentRef         `key:"agent" default:"" digest:"set" doc:"The agent, for all but post, param and spawn: an agent of the initial population, by its number in spawn order (from 1) or by name; the name of a group means all of its members."`
	Do        Do               `key:"do" need:"yes" doc:"wake a sleeper, put an agent to sleep, kill it, give it a goal (which also wakes a sleeper), mark such a goal as done, grant it ⚡ from the treasury, take ⚡ from it, post a message, set a parameter, or spawn agents."`
	Layer     Layer            `key:"layer" default:"task" doc:"goal: layer of the goal stack."`
	Text      string           `key:"text" default:"" range:"0..2000" doc:"goal, done: what to achieve. A goal without a predicate is completed only by a done with the same text. post: text of the message; sleepers whose aliases it contains wake."`
	Deadline  uint64           `key:"deadline_cycle" default:"0" range:"0..1000000" doc:"goal: cycle at whose first tick the goal is given up; 0 means never."`
	Kind      GoalKind         `key:"kind" default:"operator" digest:"set" doc:"goal: kind of goal; this and the next three fields are those of population[].goals[]."`
	Domain    Domain           `key:"domain" default:"usual" digest:"set" doc:"goal: field of work."`
	Subject   string           `key:"subject" default:"" range:"0..64" digest:"set" doc:"goal: what it is about."`
	Predicate string           `key:"predicate" default:"" range:"0..64" digest:"set" doc:"goal: when it is reached."`
	ForCycles uint64           `key:"for_cycles" default:"0" range:"0..1000000" digest:"set" doc:"sleep: for how many cycles, including this one; nothing wakes the agent earlier, and then it wakes. 0: until somebody or its timer wakes it."`
	Amount    uint64           `key:"amount" default:"0" range:"0..1000000000" digest:"set" doc:"grant, take: amount in whole ⚡. Refused if the treasury (grant) or the agent (take) has less unlocked money. spawn: money of each newcomer from the treasury, at least 50; 0 means 50. A newcomer gets none if the treasury has less."`
	Channel   string           `key:"channel" default:"general" range:"1..64" digest:"set" doc:"post: name of the channel."`
	Message   wire.MessageKind `key:"message" default:"STATEMENT" digest:"set" doc:"post: kind of the message. Agents may want to answer a QUESTION."`
	Param     string           `key:"param" default:"" range:"0..64" digest:"set" doc:"param: name of the parameter, as in CHANGE_PARAM: agora.channel_fee (1 to 50), population.cap (4·s to 64·s, s an eighth of the agents, rounded up), mint.reward.review, .entry, .bug, .royalty and .vote (0 to twice the default; docs/WORLD.md); vault.quota_bytes, forge.cpu_quota and portal.quota_bonus."`
	Value     uint64           `key:"value" default:"0" range:"0..1000000000" digest:"set" doc:"param: the new value."`
	Role      wire.Role        `key:"role" default:"GENERALIST" digest:"set" doc:"spawn: role of the newcomers."`
	Count     uint64           `key:"count" default:"1" range:"1..1000" digest:"set" doc:"spawn: how many agents."`
	Traits    Traits           `key:"traits" digest:"set" doc:"spawn: dispositions of the newcomers, as in population."`
	Name      string           `key:"name" default:"" range:"0..32" digest:"set" doc:"spawn: name of the newcomers, as in population, for --agent and printed tables."`
	Mind      string           `key:"mind" default:"" range:"0..64" digest:"set" doc:"spawn: what thinks for the newcomers: scripted, or the name of a model in minds.models. Empty: minds.tiers if it names models, else scripted."`
	Persona   string           `key:"persona" default:"" range:"0..1000" digest:"set" doc:"spawn: free text added to the identity in the newcomers' prompts. The scripted mind does not read it."`
}

// Newcomers returns the agents that an input spawns as a group, without their dispositions.
func (in *Input) Newcomers() *Group {
	return &Group{Role: in.Role, Name: in.Name, Count: in.Count, Mind: in.Mind, Persona: in.Persona}
}

// Do is what an input does.
type Do uint8

// Values of [Do].
const (
	DoWake Do = iota + 1
	DoSleep
	DoKill
	DoGoal
	DoDone
	DoGrant
	DoTake
	DoPost
	DoParam
	DoSpawn
)

func (Do) EnumNames() []string {
	return []string{"wake", "sleep", "kill", "goal", "done", "grant", "take", "post", "param", "spawn"}
}
func (v Do) String() string { return v.EnumNames()[v-1] }

// keys lists the keys that an input uses besides cycle and do.
func (v Do) keys() []string {
	switch v {
	case DoSleep:
		return []string{"agent", "for_cycles"}
	case DoGoal:
		return []string{"agent", "kind", "text", "layer", "domain", "subject", "predicate", "deadline_cycle"}
	case DoDone:
		return []string{"agent", "layer", "text"}
	case DoGrant, DoTake:
		return []string{"agent", "amount"}
	case DoPost:
		return []string{"channel", "message", "text"}
	case DoParam:
		return []string{"param", "value"}
	case DoSpawn:
		return []string{"role", "count", "traits", "amount", "name", "mind", "persona"}
	default:
		return []string{"agent"}
	}
}

// Layer is the layer of a goal given from outside.
type Layer uint8

// Values of [Layer]; the order is that of the goal stack.
const (
	LayerAspiration Layer = iota + 1
	LayerObjective
	LayerTask
)

func (Layer) EnumNames() []string { return []string{"aspiration", "objective", "task"} }
func (v Layer) String() string    { return v.EnumNames()[v-1] }

// checkInput checks an input against its kind and the population, as far as these are known.
func (d *checker) checkInput(i int) {
	s := d.s
	in, path := &s.Inputs[i], fmt.Sprintf("inputs[%d]", i)
	if !d.valid(path + ".do") {
		return
	}
	d.checkUnused(reflect.ValueOf(*in), path, "do: "+in.Do.String(), append(in.Do.keys(), "cycle", "do"))
	in.Channel = strings.TrimPrefix(in.Channel, "#")
	switch in.Do {
	case DoPost:
		d.needText(in.Text, path, "say what the message is")
		return
	case DoParam:
		d.checkParam(in, path)
		return
	case DoSpawn:
		in.Traits.check(d, path+".traits")
		d.checkName(in.Name, path+".name")
		if d.valid(path+".amount") && in.Amount > 0 && in.Amount < world.MinFund {
			d.fail(d.at(path+".amount"), path+".amount", fmt.Sprintf("is %d", in.Amount), fmt.Sprintf("want 0, or a whole number from %d to 1000000000", world.MinFund))
		}
		return
	case DoGoal:
		d.checkGoal(in.Goal(), path, in.Cycle)
	case DoDone:
		d.needText(in.Text, path, "say what the goal is")
	case DoGrant, DoTake:
		if in.Amount == 0 {
			d.missing(path+".amount", "want a whole number of ⚡ from 1 to 1000000000")
		}
	default: // the agent is all they need
	}
	d.checkAgent(in.Agent, path+".agent")
}

// Goal returns the goal of an input with do: goal.
func (in *Input) Goal() *StartGoal {
	return &StartGoal{
		Kind: in.Kind, Text: in.Text, Layer: in.Layer, Domain: in.Domain, Subject: in.Subject, Predicate: in.Predicate, Deadline: in.Deadline,
	}
}

// needText refuses a missing or blank text.
func (d *checker) needText(text, path, right string) {
	if strings.TrimSpace(text) == "" {
		d.missing(path+".text", right)
	}
}

// checkUnused refuses keys that are set but not used; what names the kind of the mapping, and reads are the keys that it uses.
func (d *checker) checkUnused(v reflect.Value, path, what string, reads []string) {
	known := map[string]bool{}
	for _, key := range reads {
		known[key] = true
	}
	for _, f := range fieldsOf(v.Type()) {
		at := join(path, f.key)
		if !known[f.key] && d.nodes[at] != nil && d.valid(at) && !isDefault(v.Field(f.index), f) {
			d.fail(d.nodes[at], at, "has no meaning for "+what, "remove it; "+what+" reads "+strings.Join(reads[:len(reads)-2], ", "))
		}
	}
}

// checkParam checks name and value of a parameter.
func (d *checker) checkParam(in *Input, path string) {
	s := d.s
	if !d.populationValid() { // bounds depend on the number of agents
		d.skipped = true
		return
	}
	if !d.valid(path+".param") || !d.valid(path+".value") {
		return
	}
	rules := world.Rules{Population: s.Agents()}
	low, high, ok := world.ParamBounds(&rules, in.Param)
	switch {
	case in.Param == "":
		d.missing(path+".param", "want one of "+strings.Join(world.ParamNames(), ", "))
	case !ok:
		right := "want one of " + strings.Join(world.ParamNames(), ", ")
		if near := Nearest(in.Param, world.ParamNames()); near != "" {
			right = fmt.Sprintf("did you mean %s? %s", near, right)
		}
		d.fail(d.at(path+".param"), path+".param", fmt.Sprintf("is the text %q", in.Param), right)
	case d.nodes[path+".value"] == nil:
		d.missing(path+".value", fmt.Sprintf("want a whole number from %d to %d", low, high))
	case in.Value < uint64(low) || in.Value > uint64(high):
		d.fail(d.at(path+".value"), path+".value", fmt.Sprintf("is %d", in.Value), fmt.Sprintf("want a whole number from %d to %d for %s", low, high, in.Param))
	}
}

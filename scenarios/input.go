package scenarios

import "fmt"

// Input is what an operator would do to the world from outside, at a stated time:
// part of the scenario, so that runs with interventions repeat.
type Input struct {
	Cycle    uint64 `key:"cycle" need:"yes" range:"1..1000000" doc:"Cycle at whose first tick it takes effect."`
	Agent    uint64 `key:"agent" need:"yes" range:"1..100000" doc:"Agent of the initial population, by spawn order from 1."`
	Do       Do     `key:"do" need:"yes" doc:"wake a sleeper, put an agent to sleep, kill it, give it a goal (which wakes a sleeper too), or say that such a goal is done."`
	Layer    Layer  `key:"layer" default:"task" doc:"goal: where it goes."`
	Text     string `key:"text" default:"" range:"0..2000" doc:"goal, done: what to achieve. Only a done with the same text completes the goal."`
	Deadline uint64 `key:"deadline_cycle" default:"0" range:"0..1000000" doc:"goal: cycle at whose first tick it is given up; 0 means never."`
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
)

func (Do) EnumNames() []string { return []string{"wake", "sleep", "kill", "goal", "done"} }
func (v Do) String() string    { return v.EnumNames()[v-1] }

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

// wholeInput checks an input against the population.
func (d *decoder) wholeInput(s *Scenario, i int) {
	in, path := &s.Inputs[i], fmt.Sprintf("inputs[%d]", i)
	if n := s.Agents(); in.Agent > n {
		d.fail(d.at(path+".agent"), path+".agent", fmt.Sprintf("is %d", in.Agent), fmt.Sprintf("want at most %d, the agents of population", n))
	}
	if (in.Do == DoGoal || in.Do == DoDone) && in.Text == "" {
		d.fail(d.at(path), path+".text", "is missing", "say what the goal is")
	}
	if in.Deadline != 0 && in.Deadline <= in.Cycle {
		d.fail(d.at(path+".deadline_cycle"), path+".deadline_cycle", fmt.Sprintf("is %d", in.Deadline), fmt.Sprintf("want a cycle after %d, or 0", in.Cycle))
	}
}

package engine

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// InputKind says what an input does.
type InputKind uint8

// The closed list of inputs.
const (
	InputStatus InputKind = iota + 1 // set an agent's status
	InputSpawn                       // spawn an agent from a genome: AGENT_SPAWN_REQ
	InputGoal                        // inject a goal; wakes a dormant agent
	InputWake                        // wake a dormant agent
	InputTick                        // Runtime.Tick: run one slot of one agent alone
	InputCycle                       // Runtime.RunCycle: run one agent alone to the cycle's end
	InputDone                        // say that the operator goals with Goal's text are reached
	InputGrant                       // move ⚡ between the treasury and an agent
	InputPost                        // post a message of NEXUS_0, who speaks for operators
	InputParam                       // change a parameter, as a passed CHANGE_PARAM does
)

var inputNames = []string{"status", "spawn", "goal", "wake", "tick", "run_cycle", "done", "grant", "post", "param"}

func (InputKind) EnumNames() []string { return inputNames }
func (k InputKind) String() string    { return codec.EnumString(inputNames, k) }

// Input is a request from outside, such as an operator's. It is journaled with the next input_seq and takes effect at
// a boundary between ticks: the one before tick Earliest if that is in the future, else the one before the next tick
// that is executed. In a cycle in which nobody has a slot, that is the first tick. Kind decides which fields are
// used.
type Input struct {
	Kind     InputKind
	Earliest wire.Tick    // 0: as soon as possible
	Agent    wire.AgentID // the agent concerned; for InputSpawn the parent, zero for the operator
	Status   wire.AgentStatus
	Reason   string
	Genome   *wire.Genome
	Goal     *goals.Goal

	// Cycles is for how many cycles, from that of the boundary on, nobody can wake the agent after a status of
	// DORMANT; then it wakes. 0: until somebody wakes it.
	Cycles uint64
	Amount int64 // ⚡ of a grant; negative: taken from the agent; for InputSpawn the fund, at least 50

	Channel string           // name of the channel of a post
	Message wire.MessageKind // kind of a post
	Text    string           // of a post; dormant agents whose aliases it names wake

	Birth agent.Birth // of an agent that is spawned

	Param string // name, see world.ParamNames
	Value int64  // of Param

	// Source is the text of an input that somebody wrote, for readers of the journal; "" for others.
	Source string

	plan uint64 // place in Config.Planned, from 1; 0: it was not planned
	file string // of the run's inbox, from which it came; "": from elsewhere
	item uint64 // place in that file, from 1
}

// Applied is the result of an input.
type Applied struct {
	Seq   uint64
	Tick  wire.Tick    // of the boundary
	Agent wire.AgentID // the newcomer, for InputSpawn
	Err   error        // why it was refused; nil when it was done
}

// Input queues an input and returns a channel on which its result arrives once it has taken effect. It may be called
// at any time from any goroutine, also before Run. An input takes effect only during a Run; after a Run that failed and
// after Close the result is an error.
func (e *Engine) Input(in Input) <-chan Applied { return e.inputs.put(in) }

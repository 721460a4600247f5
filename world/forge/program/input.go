package program

import (
	"errors"

	"kingdom/wire"
)

// Limits of a run. What exceeds them is the fault named beside.
const (
	StepsPerTick = 1_000   // steps of one forge tick
	MaxSource    = 262_144 // bytes of a text; Compile refuses more
	MaxOutput    = 65_536  // bytes: CHANNEL_ERROR
	MaxLog       = 16_384  // bytes kept of what was printed; the rest is dropped
	MaxModules   = 16      // distinct modules of a run: CHANNEL_ERROR
	MaxLoadDepth = 16      // loads within loads: CHANNEL_ERROR
	MaxDepth     = 1_000   // calls on the stack at a check: STACK_OVERFLOW
	MaxState     = 65_536  // bytes of a service's state as JSON: CHANNEL_ERROR
	TicksPerLoad = 2       // forge ticks of each distinct module, beside those of its text

	maxMessage = 512 // bytes kept of an error's text
)

// Errors of a reader that does not return the object; it may wrap them. Any other error counts as ErrAbsent.
var (
	// ErrMissing says that the object exists, but is not in memory: the run stops and is to be
	// made again with it (Result.Missing).
	ErrMissing = errors.New("not in memory")
	// ErrAbsent says that there is no such object: CHANNEL_ERROR.
	ErrAbsent = errors.New("no such object")
	// ErrUnreadable says that the owner of the run may not read it: PERMISSION_DENIED.
	ErrUnreadable = errors.New("not readable for the owner")
)

// Reader returns the content of an object: for load its source, for vault_get its bytes, for oracle_get its JSON
// text. It returns the same in every run on the same state.
type Reader func(id wire.Hash) ([]byte, error)

// Input is everything on which a run depends. Slices and maps are only read, and not kept; only Compiled is added to.
type Input struct {
	Program *Program
	Stdin   []byte
	Env     map[string][]byte
	Steps   uint64 // budget; the run ends with OUT_OF_TICKS when it would use more
	Memory  uint64 // quota, bytes

	// Load, Vault and Oracle serve load("vault:…"), vault_get and oracle_get; nil has nothing.
	Load, Vault, Oracle Reader

	// Compiled are the modules that earlier runs loaded from Vault, by the name in the load line. Without it a run that
	// stops for an object and is made again compiles all that it had loaded once more. What a module is follows from its
	// name, so no result depends on this. Nil keeps none.
	Compiled map[string]*Program

	// Bind gives programs to other names than vault ids: load("submission", …).
	Bind map[string]*Program

	// Call calls a function after the top level, instead of main.
	Call *Call

	probe func() // called when the live size is measured; tests measure the heap in it
}

// Call is one call of a service.
type Call struct {
	Name  string // global function f(data, state) → reply or (reply, new_state)
	Data  []byte // data, as bytes
	State []byte // state as JSON text; empty is None
}

// State says how a run ended.
type State uint8

// The states.
const (
	Halted State = iota + 1
	Faulted
	Stopped // an object was missing; nothing else in the Result counts
)

// String returns HALTED, FAULTED or STOPPED.
func (s State) String() string {
	switch s {
	case Halted:
		return "HALTED"
	case Faulted:
		return "FAULTED"
	case Stopped:
		return "STOPPED"
	}
	return "State(?)"
}

// Kind says which reader an object was asked of.
type Kind uint8

// The kinds.
const (
	KindLoad Kind = iota + 1
	KindVault
	KindOracle
)

// Missing names an object that a reader did not have in memory.
type Missing struct {
	Kind Kind
	ID   wire.Hash
}

// Result is the result of a run.
type Result struct {
	State   State
	Missing *Missing // of Stopped

	Fault   Fault  // NoFault unless Faulted
	Message string // what went wrong, for the owner; at most 512 bytes
	Module  string // where: "" is the program itself, else the name it was loaded under
	Line    uint32 // where; 0 unknown

	Steps  uint64 // steps used; the whole budget for a run that was out of ticks
	Memory uint64 // estimated live size in bytes, when last measured
	Output []byte // what emit wrote and main returned; kept up to the fault
	Log    []byte // what print wrote
	Trace  wire.Hash

	Reply    []byte // of a Call that halted
	NewState []byte // JSON text; nil leaves the state as it was
}

// Ticks returns the forge ticks used, rounded up.
func (r *Result) Ticks() uint64 { return (r.Steps + StepsPerTick - 1) / StepsPerTick }

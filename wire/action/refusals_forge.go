package action

// What several actions of Forge are refused for.
var (
	noSandbox  = Refusal{notFound, "sandbox", "", "no such sandbox"}
	notOwner   = Refusal{unauthorized, "not_owner", "", "the sandbox is not the sender's"}
	noProgram  = Refusal{notFound, "program", "field?", "no such object"}
	hidden     = Refusal{unauthorized, "read", "field?", "the sender may not read the program"}
	notProgram = Refusal{invalid, "program", "field? line? why", "it is not an ATOM, or not a program; why and line say what is wrong and where"}
	noCPU      = Refusal{exceeded, "cpu_quota", "have need until", "too few forge ticks are left in this cycle"}
	wrongState = Refusal{conflict, "state", "status", "the state of the sandbox does not allow it"}
	badBudget  = Refusal{invalid, "tick_budget", "field need?", "too few or too many forge ticks"}
)

// forgeRefusals are what Forge refuses its actions for.
var forgeRefusals = map[string][]Refusal{
	"sandbox_create": {
		noProgram, hidden, notProgram,
		{invalid, "memory_quota", "field", "it is 0"},
		badBudget,
		{exceeded, "memory", "limit need", "more memory than the epoch allows"},
		{exceeded, "sandboxes", "limit", "the sender has 16, or the world has as many as it may have"},
		noCPU, noFunds,
	},
	"sandbox_status": {noSandbox},
	"sandbox_kill":   {noSandbox, notOwner},
	"exec_start":     {noSandbox, notOwner, wrongState, noCPU},
	"proof_request": {
		noSandbox, notOwner,
		{conflict, "not_finished", "status", "it has not run yet"},
	},
	"service_create": {
		noSandbox, notOwner,
		{conflict, "not_persistent", "", "the sandbox is not persistent"},
		wrongState,
		{conflict, "exists", "", "the sandbox already has a service"},
		{conflict, "name", "", "the sender has a service of this name"},
		badBudget,
		{invalid, "endpoint", "field", "it is not bound by the program's top level, is listed twice, or names a channel"},
		noCPU,
	},
	"service_call": {
		{notFound, "service", "", "no such service before this tick"},
		{conflict, "stopped", "status", "the service has stopped"},
		{notFound, "endpoint", "", "the service has no such function"},
		{exceeded, "budget", "have need until", "the service, or its owner, has fewer than 100 forge ticks left in this cycle"},
		noCPU, noFunds,
		{conflict, "busy", "", "after other calls of the same tick it would read an object or entry that was not loaded before the tick; try again"},
	},
	"link_resolve": {
		noProgram, hidden, notProgram,
		{invalid, "imports", "field", "the list is empty"},
		{invalid, "unresolved_symbol", "field why", "the module's top level does not bind the name, or the name begins with _"},
		noCPU, noStorage,
	},
}

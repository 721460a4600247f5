package action

// What several actions of Forge are refused for.
var (
	noSandbox  = Refusal{notFound, "sandbox", "", "no such sandbox"}
	notOwner   = Refusal{unauthorized, "not_owner", "", "the sandbox is not the sender's"}
	noProgram  = Refusal{notFound, "program", "field?", "no such object"}
	hidden     = Refusal{unauthorized, "read", "field?", "the sender may not read the program"}
	notProgram = Refusal{invalid, "program", "field? line? why", "it is no ATOM, or no program; why and where"}
	noCPU      = Refusal{exceeded, "cpu_quota", "have need until", "too few forge ticks are left in this cycle"}
	wrongState = Refusal{conflict, "state", "status", "the sandbox is not in a state for it"}
	badBudget  = Refusal{invalid, "tick_budget", "field need?", "too few or too many forge ticks"}
)

// forgeRefusals are what Forge refuses its actions for.
var forgeRefusals = map[string][]Refusal{
	"sandbox_create": {
		noProgram, hidden, notProgram,
		{invalid, "memory_quota", "field", "no memory"},
		badBudget,
		{exceeded, "memory", "limit need", "more memory than the epoch allows"},
		{exceeded, "sandboxes", "limit", "the sender, or the world, has as many as there may be"},
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
		{conflict, "not_persistent", "", "the sandbox does not persist"},
		wrongState,
		{conflict, "exists", "", "the sandbox serves already"},
		{conflict, "name", "", "the sender has a service of this name"},
		badBudget,
		{invalid, "endpoint", "field", "not a function of the program's top level, twice, or on a channel"},
		noCPU,
	},
	"service_call": {
		{notFound, "service", "", "no such service before this tick"},
		{conflict, "stopped", "", "the service has stopped"},
		{notFound, "endpoint", "", "the service has no such function"},
		{exceeded, "budget", "have need until", "the service has used up its forge ticks, or its owner has"},
		noCPU, noFunds,
		{conflict, "busy", "", "calls of the same tick led to what nobody had looked up; try again"},
	},
	"link_resolve": {
		noProgram, hidden, notProgram,
		{invalid, "imports", "field", "nothing to import"},
		{invalid, "unresolved_symbol", "field why", "the module's top level does not bind the name, or hides it"},
		noCPU, noStorage,
	},
}

package wire

// ServiceCreate lets others call functions of a persistent sandbox.
type ServiceCreate struct {
	Owner      AgentID    `kdom:"owner,runtime"`
	Sandbox    Hash       `kdom:"sandbox"`
	Name       []byte     `kdom:"name"`
	TickBudget uint64     `kdom:"tick_budget"` // forge ticks per cycle
	AutoFund   bool       `kdom:"auto_fund,default"`
	Endpoints  []Endpoint `kdom:"endpoints"`
	Fee        *uint64    `kdom:"fee"` // ⚡ per call; nil: none
}

// Endpoint is a function of a service.
type Endpoint struct {
	Name    []byte `kdom:"name"`            // of a global function f(data, state)
	Channel uint8  `kdom:"channel,default"` // reserved
	Schema  []byte `kdom:"schema,default"`  // what it takes and gives, in words
}

// ServiceCreateAck names the service.
type ServiceCreateAck struct {
	ServiceID Hash `kdom:"service_id"`
}

// ServiceCall calls a function of a service.
type ServiceCall struct {
	ServiceID Hash   `kdom:"service_id"`
	Endpoint  []byte `kdom:"endpoint"`
	Data      []byte `kdom:"data,default"`
}

// ServiceResult is what a call came to.
type ServiceResult struct {
	ServiceID Hash       `kdom:"service_id"`
	Endpoint  []byte     `kdom:"endpoint"`
	Data      []byte     `kdom:"data"`
	TicksUsed uint64     `kdom:"ticks_used"` // forge ticks
	Fault     *FaultCode `kdom:"fault"`
	// Message is what the program said when it ended itself with USER_FAULT, at most 512 bytes. The messages of other
	// faults may quote what only the owner may read.
	Message []byte `kdom:"message"`
}

// LinkResolve stores a program with load lines for the modules that it uses.
type LinkResolve struct {
	Program Hash         `kdom:"program"`
	Imports []LinkImport `kdom:"imports"`
}

// LinkImport is one load line: names of the top level of a module.
type LinkImport struct {
	From    Hash     `kdom:"from"`
	Symbols [][]byte `kdom:"symbols"`
}

// LinkResolveReply names the linked program.
type LinkResolveReply struct {
	Resolved Hash `kdom:"resolved"`
}

package realm

import "kingdom/wire"

// Sent is one request inside the process: its sealed envelope and the typed payload that the envelope's body encodes
// (a pointer to the payload struct). A nil Payload means that nothing was sent.
type Sent struct {
	Envelope wire.Envelope
	Payload  any
}

// Seat is an agent's place in the commit of a tick.
type Seat struct {
	Agent   wire.AgentID
	Runtime []Sent // SUBSCRIBE and UNSUBSCRIBE of the agent's runtime, usually nil
	Sent    Sent   // the action, or the runtime's AGENT_STATUS after a NOP

	// Prepared is what the stage before the commit made for Sent (Realm.Prepare); nil for
	// nothing.
	Prepared any
}

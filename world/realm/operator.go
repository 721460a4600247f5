package realm

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/nexus"
)

// Operator carries out an operator's inputs at the boundary before tick t, besides [Realm.SetStatus] and
// [Realm.Spawn]. A refused input has changed nothing. input is the input's id: tick << 32 | input_seq.
type Operator struct{ World *Realm }

// Hold puts a to sleep. Nothing wakes it before cycle until, in which it wakes.
func (o Operator) Hold(t wire.Tick, a wire.AgentID, until wire.Cycle, reason string) *world.Refusal {
	refusal := nexus.Hold(o.World.nexus, o.World.enterBoundary(t), a, until, reason)
	o.World.leaveBoundary()
	return refusal
}

// Held returns the cycle in which an agent that an operator keeps asleep wakes, 0 for other agents.
func (o Operator) Held(a wire.AgentID) wire.Cycle {
	if r := o.World.Agent(a); r != nil && r.HeldUntil != nil {
		return *r.HeldUntil
	}
	return 0
}

// Grant moves amount ⚡ from the treasury to a, or from a to the treasury if amount is negative.
func (o Operator) Grant(t wire.Tick, a wire.AgentID, amount int64, input uint64) *world.Refusal {
	refusal := o.World.mint.OperatorGrant(o.World.enterBoundary(t), a, amount, input)
	o.World.leaveBoundary()
	return refusal
}

// Post posts a message of NEXUS_0 in the channel with this name.
func (o Operator) Post(t wire.Tick, channel string, kind wire.MessageKind, text string) *world.Refusal {
	refusal := agora.OperatorPost(o.World.agora, o.World.enterBoundary(t), channel, kind, text)
	o.World.leaveBoundary()
	return refusal
}

// SetParam does what a passed CHANGE_PARAM does, within the bounds of [world.ParamBounds].
func (o Operator) SetParam(t wire.Tick, name string, value int64) *world.Refusal {
	refusal := nexus.SetParam(o.World.nexus, o.World.enterBoundary(t), name, value)
	o.World.leaveBoundary()
	return refusal
}

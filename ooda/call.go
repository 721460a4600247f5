package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// offerCall offers, once per slot, to call the peer who fell asleep longest ago: a message
// in #help that names it, which wakes it when it thinks well of this agent
// (docs/AGENT.md, waking). Each sleeper is called once.
func (o *offers) offerCall(g *goals.Goal) {
	sleepers := o.agent.Memory.Dealings.Sleepers
	if o.called || len(sleepers) == 0 || o.notes.Posts >= o.rules.MaxPosts {
		return
	}
	o.called = true
	o.payloads.callRef[0] = wire.Hash(sleepers[0])
	o.payloads.call = wire.MsgPost{
		Channel: channelHelp, Kind: wire.MessageKindStatement, References: o.payloads.callRef[:], Confidence: 0.7,
		Content: textContent("Calling " + sleepers[0].Alias() + ": are you there?"),
	}
	if a := o.offer(o.social(g), o.seen.action("msg_post"), &o.payloads.call, 1); a != nil {
		a.Compose = llm.ComposeCall
	}
}

// social returns the best living goal that is about standing among peers; g when there
// is none.
func (o *offers) social(g *goals.Goal) *goals.Goal {
	for _, s := range o.ranking {
		switch s.Kind() {
		case goals.KindMentor, goals.KindImproveReputation, goals.KindAnswer:
			if s.Alive() {
				return s
			}
		default: // nothing to do for the others
		}
	}
	return g
}

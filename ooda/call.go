package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// genCall offers, once per slot, to call the peer who fell asleep longest ago: a message
// in #help that names it, which wakes it when it thinks well of this agent
// (docs/AGENT.md, waking). Each sleeper is called once.
func (t *Turn) genCall(g *goals.Goal) {
	o, sleepers := &t.offers, t.a.Memory.Dealings.Sleepers
	if o.called || len(sleepers) == 0 || t.l.Posts >= t.r.MaxPosts {
		return
	}
	o.called = true
	o.callRef[0] = wire.Hash(sleepers[0])
	o.call = wire.MsgPost{
		Channel: channelHelp, Kind: wire.MessageKindStatement, References: o.callRef[:], Confidence: 0.7,
		Content: textContent("Calling " + sleepers[0].Alias() + ": are you there?"),
	}
	if a := t.offer(t.social(g), t.row("msg_post"), &o.call, 1); a != nil {
		a.Compose = llm.ComposeCall
	}
}

// social returns the best living goal that is about standing among peers; g when there
// is none.
func (t *Turn) social(g *goals.Goal) *goals.Goal {
	for _, s := range t.scratch {
		switch s.Kind() {
		case goals.KindMentor, goals.KindImproveReputation, goals.KindAnswer:
			if s.Alive() {
				return s
			}
		}
	}
	return g
}

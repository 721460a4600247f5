package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// offerCall offers, once per slot, to call a sleeping peer of whom the agent wants something. The call is a message in
// #help that names the peer, which wakes up if it thinks well of this agent (docs/AGENT.md, waking). Each sleeper is
// called once.
func (o talker) offerCall(g *goals.Goal) {
	sleepers := o.agent.Memory.Dealings.Sleepers
	if o.called || len(sleepers) == 0 || o.notes.Posts >= o.rules.MaxPosts {
		return
	}
	o.called = true
	for _, who := range sleepers {
		want, ok := o.wantOf(who)
		if !ok {
			continue
		}
		o.payloads.callRef[0] = wire.Hash(who)
		o.payloads.call = wire.MsgPost{
			Channel: channelHelp, Kind: wire.MessageKindStatement, References: o.payloads.callRef[:], Confidence: 0.7,
			Content: textContent("Calling " + who.Alias() + ": are you there?"),
		}
		if a := o.offer(o.social(g), o.seen.action("msg_post"), &o.payloads.call, 1); a != nil {
			a.Compose = llm.ComposeCall
			a.Author, a.Text, a.Finding = want.Author, want.Text, want.Finding
		}
		return
	}
}

// callFor is for how many cycles after its publication the agent calls sleepers for an entry. A peer that was called and did not judge
// it falls asleep again and would be called again, for ever.
const callFor = 8

// enoughJudges is how many verdicts an entry needs before its author is paid.
const enoughJudges = 2

// wantOf is what the agent wants of a sleeper: the delivery of a bounty of its own or, if the sleeper works on the
// topic, an answer to a question that nobody answered, or a verdict on an own entry; ok is false if it wants nothing.
func (o talker) wantOf(who wire.AgentID) (want llm.Affordance, ok bool) {
	for i := range o.seen.claims {
		b := &o.seen.claims[i]
		if b.Claimer != nil && *b.Claimer == who && b.Creator == o.agent.ID {
			want.Author, want.Text = o.agent.ID.Alias(), b.Title
			return want, true
		}
	}
	peer := o.peer(who)
	if peer == nil {
		return want, false
	}
	for i := range o.agent.Memory.Market.Wants {
		w := &o.agent.Memory.Market.Wants[i]
		n := o.notes.Message(w.Subject)
		if n == nil || w.Answers != memory.AnswersNone {
			continue
		}
		if m, subject, asks := memory.ReadQuestion(n.Text); asks && o.agent.Memory.Peers.WorksOn(peer, m.Topic(subject)) {
			want.Finding = scribe(o).asked(m, subject)
			return want, want.Finding != nil
		}
	}
	for i := range o.agent.Learning.Works {
		w := &o.agent.Learning.Works[i]
		n := o.notes.Entry(w.Entry)
		if n == nil || w.Verdicts >= enoughJudges || o.deferral().due(n.At, callFor) {
			continue
		}
		if m, subject, about := memory.ReadTitle(n.Title); about && o.agent.Memory.Peers.WorksOn(peer, m.Topic(subject)) {
			if f := o.agent.Memory.Findings.Get(m, subject); f != nil {
				want.Finding = scribe(o).promptFinding(f)
			}
			return want, want.Finding != nil
		}
	}
	return want, false
}

// social returns the best living goal that is about other agents; g if there is none.
func (o talker) social(g *goals.Goal) *goals.Goal {
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

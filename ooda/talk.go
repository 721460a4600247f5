package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

// genSignal answers messages that were read with a signal, newest first.
func (t *Turn) genSignal(g *goals.Goal) {
	t.genCall(g)
	row := t.row("signal_send")
	for i := len(t.l.Messages) - 1; i >= 0 && t.offers.signals < len(t.offers.signal); i-- {
		n := &t.l.Messages[i]
		if !n.Read || n.Signed {
			continue
		}
		p := &t.offers.signal[t.offers.signals]
		t.offers.signals++
		*p = wire.SignalSend{Target: n.ID, Kind: signalFor(n.Kind)}
		if a := t.offer(g, row, p, 0.7); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
		}
	}
}

// signalFor is the approving signal that suits a kind of message.
func signalFor(k wire.MessageKind) wire.SignalKind {
	switch k {
	case wire.MessageKindQuestion:
		return wire.SignalKindActionable
	case wire.MessageKindAnswer:
		return wire.SignalKindHelpful
	default:
		return wire.SignalKindAgree
	}
}

// genAnswer answers any question that was read and that no answer goal is about.
func (t *Turn) genAnswer(g *goals.Goal) {
	t.genCall(g)
	if g.Kind() == goals.KindAnswer || t.l.Posts >= t.r.MaxPosts {
		return // the goal's own question is answered by its plan
	}
	for i := range t.l.Messages {
		n := &t.l.Messages[i]
		if n.Kind != wire.MessageKindQuestion || !n.Read || n.Answered || t.living(goals.KindAnswer, n.ID) {
			continue
		}
		if a := t.offer(g, t.row("msg_post"), &wire.MsgPost{
			Channel: n.Channel, Kind: wire.MessageKindAnswer, Content: textContent("An answer."), References: []wire.Hash{n.ID}, Confidence: 0.7,
		}, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
		}
		return
	}
}

// textContent is the content of a message that is plain text.
func textContent(s string) []byte { return wire.ContentCodec.Append(nil, &wire.Content{Text: &s}) }

var askContent = textContent("A question.")

// genQuestion asks in #help, at most once per cycle.
func (t *Turn) genQuestion(g *goals.Goal) {
	if t.l.Asked > 0 || t.l.Posts >= t.r.MaxPosts {
		return
	}
	t.offers.question = wire.MsgPost{
		Channel: channelHelp, Kind: wire.MessageKindQuestion, Content: askContent, References: noHashes, Confidence: 0.5,
	}
	t.offer(g, t.row("msg_post"), &t.offers.question, 0.5)
}

// genLook reads a channel. It promises more when messages are known that this
// agent has not read.
func (t *Turn) genLook(g *goals.Goal) {
	t.genCall(g)
	o := &t.offers
	channel, unread := t.nextChannel()
	o.lookAt = append(o.lookAt[:0], channel)
	o.look = wire.MsgQuery{Channels: &o.lookAt, Sort: wire.AgoraSortRecent, Limit: lookLimit}
	t.offer(g, t.row("msg_query"), &o.look, t.freshness(t.l.Looked, unread))
}

// lookLimit is how many messages or entries one look shows.
const lookLimit = 10

// nextChannel is the channel of the newest message that was neither read nor given up,
// else the next of the walk; unread tells which.
func (t *Turn) nextChannel() (channel wire.Hash, unread bool) {
	for i := len(t.l.Messages) - 1; i >= 0; i-- {
		if m := &t.l.Messages[i]; !m.Read && !m.Signed {
			return m.Channel, true
		}
	}
	return walk[int(t.l.Turns)%len(walk)], false
}

// genStanding asks how a peer stands whose reputation is unknown or old: a mentor
// helps those below.
func (t *Turn) genStanding(g *goals.Goal) {
	const old = 4 // cycles
	stale := wire.Tick(old * t.r.Calendar.TicksPerCycle)
	for _, p := range t.a.Memory.Peers.All() {
		n := t.l.Peer(p.AgentID)
		if n != nil && n.At+stale > t.seen.tick {
			continue
		}
		t.offers.status = wire.AgentStatusMsg{AgentID: p.AgentID}
		t.offer(g, t.row("agent_status"), &t.offers.status, 0.6)
		return
	}
}

// lower reports whether a peer is known to stand below this agent.
func (t *Turn) lower(peer wire.AgentID) bool {
	n := t.l.Peer(peer)
	return n != nil && n.Reputation < t.a.Reputation
}

// peer returns a peer, another one each cycle; ok is false for an agent that has
// met nobody.
func (t *Turn) peer() (wire.AgentID, bool) {
	known := t.a.Memory.Peers.All()
	if len(known) == 0 {
		return wire.AgentID{}, false
	}
	return known[int(t.seen.cycle)%len(known)].AgentID, true
}

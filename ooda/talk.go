package ooda

import (
	"math"
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// talker offers to read messages, to answer, to ask and to signal.
type talker struct{ *offers }

// offerSignal offers to answer with a signal the messages that changed the agent's opinion of their authors or that
// answered it, newest first. Objections come before thanks. A signal of doubt refers to the entry that states
// otherwise, if one is known.
func (o talker) offerSignal(g *goals.Goal) {
	o.offerCall(g)
	row, against := o.seen.action("signal_send"), false
	for i := range o.notes.Messages {
		against = against || signs(&o.notes.Messages[i]) && o.notes.Messages[i].Opinion != memory.OpinionFor
	}
	for i := len(o.notes.Messages) - 1; i >= 0; i-- {
		n := &o.notes.Messages[i]
		if !signs(n) || against && n.Opinion == memory.OpinionFor {
			continue
		}
		p := o.payloads.signals.add(scribe(o).signalTo(n))
		if p == nil {
			return
		}
		if a := o.offer(g, row, p, 0.7); a != nil {
			a.Author, a.Text = nameOf(n.Author), n.Text
			scribe(o).fillComparison(a)
		}
	}
}

// signs reports whether the agent has a signal to send to a message.
func signs(n *memory.MessageNote) bool { return n.Read && !n.Signed && n.Opinion != memory.OpinionNone }

// signalTo is the signal that expresses the agent's opinion of a message.
func (o scribe) signalTo(n *memory.MessageNote) wire.SignalSend {
	s := wire.SignalSend{Target: n.ID, Kind: wire.SignalKindAgree}
	switch {
	case n.Opinion == memory.OpinionDoubt:
		s.Kind = wire.SignalKindDisagree
		if c, ok := o.expert().compared(n.Text); ok && !c.own.Entry().IsZero() {
			entry := c.own.Entry()
			s.Reference = &entry
			if c.own.Own {
				s.Kind = wire.SignalKindIncorrect
			}
		}
	case n.Opinion == memory.OpinionRepeated:
		s.Kind = wire.SignalKindHelpful // where the first is forgotten it is as good
		if i := slices.IndexFunc(o.notes.Messages, func(x memory.MessageNote) bool { return x.ID != n.ID && repeats(&x, n) }); i >= 0 {
			first := o.notes.Messages[i].ID
			s.Kind, s.Reference = wire.SignalKindDuplicate, &first
		}
	case n.Kind == wire.MessageKindAnswer:
		s.Kind = wire.SignalKindHelpful
	}
	return s
}

// offerAnswer offers to answer any question that was read and that no answer goal is about.
func (o talker) offerAnswer(g *goals.Goal) {
	o.offerCall(g)
	if g.Kind() == goals.KindAnswer || o.notes.Posts >= o.rules.MaxPosts {
		return // the goal's own question is answered by its plan
	}
	for i := range o.notes.Messages {
		n := &o.notes.Messages[i]
		if n.Kind != wire.MessageKindQuestion || !n.Read || n.Answered || o.goals.living(goals.KindAnswer, n.ID) {
			continue
		}
		if o.deferral().askedLongAgo(n) || !o.expert().answerable(n.Text) || o.deferral().leftToOther(n) || o.goals.helpedEnough(n) || o.goals.answered(n.ID) {
			continue
		}
		if a := o.offer(g, o.seen.action("msg_post"), &wire.MsgPost{
			Channel: n.Channel, Kind: wire.MessageKindAnswer, Content: textContent("An answer."), References: []wire.Hash{n.ID}, Confidence: 0.7,
		}, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
			scribe(o).fillKnowledge(a, n.Text)
		}
		return
	}
}

// textContent is the content of a message that is plain text.
func textContent(s string) []byte { return wire.ContentCodec.Append(nil, &wire.Content{Text: &s}) }

var askContent = textContent("A question.")

// offerQuestion offers to ask in #help, at most once per cycle.
func (o talker) offerQuestion(g *goals.Goal) {
	if o.notes.Asked > 0 || o.notes.Posts >= o.rules.MaxPosts {
		return
	}
	var known llm.Affordance
	if !scribe(o).ask(&known, g) {
		return
	}
	o.payloads.question = wire.MsgPost{
		Channel: channelHelp, Kind: wire.MessageKindQuestion, Content: askContent, References: noHashes, Confidence: 0.5,
	}
	if who := o.payloads.askedOf; !who.IsZero() {
		o.payloads.askedRef[0] = wire.Hash(who)
		o.payloads.question.References = o.payloads.askedRef[:]
	}
	if a := o.offer(g, o.seen.action("msg_post"), &o.payloads.question, 0.5); a != nil {
		a.Know, a.Finding, a.Besides, a.Author, a.Text, a.Before = known.Know, known.Finding, known.Besides, known.Author, known.Text, known.Before
	}
}

// offerLook offers one look at all channels that have unread messages; the more there are, the more it is worth. Now
// and then it offers a look at the next channel in turn, for what no event told of. A look is put off until it shows
// enough to be worth a thought, or something has waited for it for long.
func (o talker) offerLook(g *goals.Goal) {
	o.offerCall(g)
	unread, call := o.unreadChannels()
	fresh := freshness(unread)
	switch {
	case call == calls:
		fresh = 1
	case unread > 0 && call == canWait:
		return
	case unread == 0:
		if !o.due(o.notes.Looked, o.notes.LookPause) {
			return
		}
		o.payloads.lookAt = append(o.payloads.lookAt, channelRound[int(o.notes.Turns)%len(channelRound)])
	}
	o.payloads.look = wire.MsgQuery{Channels: &o.payloads.lookAt, Sort: wire.AgoraSortRecent, Limit: uint32(max(lookLimit, unread))}
	weigher(o).consider(o.offer(g, o.seen.action("msg_query"), &o.payloads.look, 1), 0, llm.FactorFresh, fresh)
}

// calling says how soon unread messages are to be read.
type calling uint8

const (
	canWait  calling = iota + 1
	suffices         // there are enough of them to be worth a thought
	calls            // one is addressed to the agent, or is a question that it no longer leaves to others
)

const (
	// lookLimit is how many messages or entries one look shows at least, if there are as many.
	lookLimit = 10
	// lookEnough is how many unread ones make it worth a thought at once.
	lookEnough = lookLimit
	// lookChannels is how many channels it shows at most.
	lookChannels = 4
)

// unreadChannels collects the channels of the newest messages that were neither read nor given up. It returns how many
// such messages they have and how soon they should be read.
func (o talker) unreadChannels() (unread int, call calling) {
	at := o.payloads.lookAt[:0]
	call = canWait
	for i := len(o.notes.Messages) - 1; i >= 0; i-- {
		m := &o.notes.Messages[i]
		if m.Read || m.Signed {
			continue
		}
		if !slices.Contains(at, m.Channel) {
			if len(at) == lookChannels {
				continue
			}
			at = append(at, m.Channel)
		}
		unread++
		switch {
		case m.Addressee == memory.AddresseeSelf && m.Kind == wire.MessageKindAnswer: // what the agent asked for can wait a little
			if call == canWait && o.due(m.At, 1) {
				call = suffices
			}
		case m.Addressee == memory.AddresseeSelf, m.Kind == wire.MessageKindQuestion && o.goals.living(goals.KindAnswer, m.ID) && !o.deferral().leavesQuestion(m):
			call = calls
		case call == canWait && (unread >= lookEnough || o.due(m.At, maxWaitCycles)):
			call = suffices
		}
	}
	o.payloads.lookAt = at
	return unread, call
}

// mentor looks for peers of lower reputation that could use the agent's help.
type mentor struct{ *offers }

// offerStanding offers to ask for the status of a peer that the agent could help now, if its reputation is unknown or
// old: a mentor helps those of lower reputation.
func (o mentor) offerStanding(g *goals.Goal) {
	who, waits := o.waitsForHelp()
	if !waits {
		return
	}
	o.payloads.status = wire.AgentStatusMsg{AgentID: who}
	o.offer(g, o.seen.action("agent_status"), &o.payloads.status, 0.6)
}

// waitsForHelp is a peer of unknown or old reputation whose question or entry waits for an act of this agent. None is
// returned if another one waits that is known to have a lower reputation.
func (o mentor) waitsForHelp() (who wire.AgentID, waits bool) {
	for i := range o.notes.Messages {
		if n := &o.notes.Messages[i]; n.Kind == wire.MessageKindQuestion && n.Read && !n.Answered {
			switch {
			case o.rankUncertain(n.Author):
				who, waits = n.Author, true
			case o.relations().standsLower(n.Author):
				return who, false
			}
		}
	}
	for i := range o.notes.Entries {
		if n := &o.notes.Entries[i]; n.Read && !n.Judged {
			switch {
			case o.rankUncertain(n.Author):
				who, waits = n.Author, true
			case o.relations().standsLower(n.Author):
				return who, false
			}
		}
	}
	return who, waits
}

// rankUncertain reports whether a peer's reputation is unknown, or so old that it may have passed the agent's since.
func (o mentor) rankUncertain(who wire.AgentID) bool {
	n := o.notes.Peer(who)
	return o.isPeer(who) && !o.rules.Blind.Has(llm.LayerPeers) && (n == nil || n.At+o.standsApart(n) <= o.seen.tick)
}

// standsApart is for how long a peer's reputation is sure to stay above or below the agent's: the farther apart they
// are, the longer.
func (o mentor) standsApart(n *memory.PeerNote) wire.Tick {
	const (
		least = 8    // cycles; with 4, a mentor spent one slot in a hundred on looking up what had not changed
		step  = 0.03 // of reputation, by which it moves in a cycle at most in 19 of 20 cases
	)
	cycles := max(least, math.Abs(float64(n.Reputation)-float64(o.agent.Reputation))/step)
	return wire.Tick(uint64(cycles) * o.rules.Calendar.TicksPerCycle)
}

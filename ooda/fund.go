package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// deliverySlots is how many slots the steps of a delivery take: to claim, write, ask and submit,
	// and to look at what came of them.
	deliverySlots = 8
	// bountyCycles is how long a bounty of an agent is open.
	bountyCycles = 4
	// tipPause is how many cycles after one a peer gets no other tip of this agent.
	tipPause = 2
	// mostTip is the greatest tip, in ⚡.
	mostTip = 3
	// upkeepCycles is for how many cycles an agent keeps its upkeep back.
	upkeepCycles = 2
	// What titles of bounties for an answer, and for an entry in place of a wrong one, begin with.
	titleDocument = "Document: " // Oracle's for gaps, too
	titleSetRight = "Set right: "
	// wantPriority is what having something done by others is worth, beside goals of one's own.
	wantPriority = 0.7
)

// buyer offers what costs an agent money of its own.
type buyer struct{ *offers }

// payer notes what an agent pays for.
type payer struct{ *replyReader }

// wantAnswer notes an own question: what nobody answers is worth paying for.
func (rr payer) wantAnswer(question wire.Hash, content []byte) {
	if n := rr.notes.Message(question); n != nil {
		n.Text = messageText(content)
	}
	rr.agent.Memory.Market.Want(question, rr.seen.tick)
}

// thank notes an answer to an own question that was read. The first one serves.
func (rr payer) thank(answer *wire.Message, question wire.Hash) {
	m := &rr.agent.Memory.Market
	if m.Served(question) && rr.isPeer(answer.Author) {
		m.Thank(answer.ID, answer.Author, rr.seen.tick, tipPause*wire.Tick(rr.rules.Calendar.TicksPerCycle))
	}
}

// noteFunded notes which want a bounty was set for.
func (rr payer) noteFunded(q *wire.BountyCreate, r *wire.Reply) {
	ack, ok := r.Body.(*wire.BountyCreateAck)
	if !ok {
		return
	}
	if about := answeredIn(q.Requirements); about != nil {
		rr.agent.Memory.Market.Set(*about, ack.BountyID, rr.seen.tick)
	}
}

// answeredIn is the thing that an entry has to be about to fulfil requirements; nil if they ask for
// no such entry.
func answeredIn(list []wire.BountyRequirement) *wire.Hash {
	for i := range list {
		var c wire.CustomCheck
		if list[i].Kind == wire.RequirementKindCustom && wire.CustomCheckCodec.Decode(list[i].Params, &c) == nil && c.Check == wire.CheckOracleAnswered {
			return c.Question
		}
	}
	return nil
}

// spare is the ⚡ that an agent can part with: what it needs so as not to be poor, and the upkeep of
// next cycles, stays.
func (o buyer) spare() uint64 {
	return uint64(max(o.seen.available-goals.SurvivalBalance-upkeepCycles*int64(o.rules.Upkeep), 0))
}

// offerFund offers to set a bounty for what the agent has wanted for a cycle and nobody did. Whether
// it is fulfilled the world decides, by the verdicts of two others over unused pairs.
func (o buyer) offerFund(g *goals.Goal) {
	m := &o.agent.Memory.Market
	tpc := o.rules.Calendar.TicksPerCycle
	w := m.Due(o.seen.tick, wire.Tick(tpc))
	if w == nil {
		return
	}
	row, reward := o.seen.action("bounty_create"), m.Price(tpc)
	if row == nil || reward+reward/20+1 > o.spare()/2 {
		return
	}
	title, text, author := o.wanted(w.Subject)
	if title == nil || o.offered(w.Subject) {
		m.Answered(w.Subject)
		return
	}
	subject := w.Subject
	g.Priority = wantPriority
	a := o.offerAbout(g, row, &wire.BountyCreate{
		Title: title,
		Specification: []byte("Publish an Oracle entry that answers this and has its id among its references: " + subject.String() +
			". When two others have found the entry ACCURATE, submit with a zero snap."),
		Reward: reward, Deadline: o.seen.tick + wire.Tick(bountyCycles*tpc), Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{{
			Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleAnswered, Question: &subject}),
		}},
		Reviewers: []wire.AgentID{},
	}, subject, 1)
	if a != nil {
		a.Author, a.Text = author, text
	}
}

// offered reports whether somebody pays for an entry about a thing already.
func (o buyer) offered(subject wire.Hash) bool {
	for i := range o.seen.bounties {
		if about := answeredIn(o.seen.bounties[i].Requirements); about != nil && *about == subject {
			return true
		}
	}
	return false
}

// wanted says in words what is wanted; nil if that is forgotten.
func (o buyer) wanted(subject wire.Hash) (title, text []byte, author string) {
	if n := o.notes.Message(subject); n != nil && n.Text != nil {
		return titled(titleDocument, n.Text), n.Text, n.Author.Alias()
	}
	if n := o.notes.Entry(subject); n != nil && n.Title != nil {
		return titled(titleSetRight, n.Title), n.Title, n.Author.Alias()
	}
	return nil, nil, ""
}

func titled(what string, text []byte) []byte {
	return append([]byte(what), text[:min(len(text), action.MaxTitle-len(what))]...)
}

// offerTip offers to pay for an answer that served, the more the more the agent has and shares.
func (o buyer) offerTip(g *goals.Goal) {
	m := &o.agent.Memory.Market
	t := m.Owed()
	row := o.seen.action("transfer")
	if t == nil || row == nil {
		return
	}
	collab := float64(o.agent.Genome.Traits.Collaboration)
	amount := min(1+uint64(float64(collab*float64(o.spare()))/40), mostTip)
	if amount+1 > o.spare() {
		return
	}
	g.Priority = wantPriority
	a := o.offerAbout(g, row, &wire.Transfer{To: t.Author, Amount: amount, Memo: tipMemo, Kind: wire.TransferKindDirect}, wire.Hash(t.Author), collab)
	if a != nil {
		a.Author = t.Author.Alias()
	}
}

var tipMemo = wire.ContentCodec.Append(nil, &wire.Content{Text: &tipText})

var tipText = "for your answer"

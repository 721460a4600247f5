package ooda

import (
	"bytes"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// deliverySlots is how many slots the steps of a delivery take: to claim, write, ask and submit,
	// and to look at what came of them.
	deliverySlots = 8
	// leastOpen is for how many cycles a bounty of an agent is open at least, and unsureOpen for how many more if the agent is
	// sure that bounties do not get done.
	leastOpen, unsureOpen = 3, 4
	// tipPause is for how many cycles after a tip the agent gives the same peer no other one.
	tipPause = 2
	// mostTip is the greatest tip, in ⚡.
	mostTip = 10
	// upkeepCycles is for how many cycles an agent keeps its upkeep in reserve at least.
	upkeepCycles = 2
	// Prefixes of the titles of bounties: for an answer, for a correct entry in place of a wrong one, and for a program.
	titleDocument = "Document: " // Oracle's for gaps, too
	titleSetRight = "Set right: "
	titleProgram  = "Program: "
	// takenForRight is the accuracy from which other agents still rely on an entry: a quarter of its judges found it
	// right.
	takenForRight = 0.25
	// wantPriority is the least priority of having something done by others, compared with goals of one's own.
	wantPriority = 0.7
)

// buyer offers what costs an agent money of its own.
type buyer struct{ *offers }

// payer notes what an agent pays for.
type payer struct{ *self }

// wantRight notes a wrong entry that the agent may pay to have replaced. It does so if an own entry cites it, or if the
// agent found it wrong itself and others still rely on it. A measure that everybody sees differently
// cannot be corrected by another entry.
func (rr payer) wantRight(p *wire.EntryVerifiedEvent, at wire.Tick) {
	me := rr.agent.ID
	n := rr.notes.Entry(p.EntryID)
	if n == nil || n.Author == me || !rr.agent.Memory.Market.Cites(p.EntryID) && (p.Verifier != me || p.NewAccuracy < takenForRight) {
		return
	}
	if m, _, about := memory.ReadTitle(n.Title); !about || m.Private() {
		return
	}
	rr.agent.Memory.Market.Want(memory.Want{Subject: p.EntryID, Words: n.Title, Author: n.Author, Since: at})
}

// wantAnswer notes an own question, for which the agent may pay if nobody answers it.
func (rr payer) wantAnswer(question wire.Hash, q *wire.MsgPost) {
	words := messageText(q.Content)
	if n := rr.notes.Message(question); n != nil {
		n.Text = words
	}
	rr.agent.Memory.Market.Want(memory.Want{Subject: question, Words: words[:min(len(words), action.MaxTitle)], Author: rr.agent.ID, Since: rr.seen.tick, Asked: rr.namedIn(q.References)})
}

// wantWritten notes the question of an answer that helped. No third agent can read what one told another, so an entry
// about it is worth a bounty if there is none. The agent has its answer, so it offers to pay only once.
func (rr payer) wantWritten(question []byte) {
	m, subject, ok := memory.ReadQuestion(question)
	if ok && !m.Private() && !m.Testable() && m != memory.MeasurePattern {
		rr.wantOnce(m, subject)
	}
}

// wantOnce notes that an entry which states a measure of a subject is worth one bounty, if the agent knows no such
// entry.
func (rr payer) wantOnce(m memory.Measure, subject []byte) {
	if rr.agent.Memory.Titles.Contains([]byte(m.Title(subject))) {
		return
	}
	rr.agent.Memory.Market.Want(memory.Want{
		Subject: keyOf(m, subject), Words: []byte(m.Question(subject)), Author: rr.agent.ID, Since: rr.seen.tick, Offers: memory.WantOffers - 1,
	})
}

// thank notes that the first answer to an own question is to be paid for. This is so if the agent has locked money for
// it or owes its author something, else for a share of all answers that equals its collaboration.
func (rr payer) thank(answer *wire.Message, question wire.Hash) {
	m := &rr.agent.Memory.Market
	escrow := m.Pledged(question, answer.Author)
	if m.AnswerRead(question) && rr.isPeer(answer.Author) && (!escrow.IsZero() || rr.deferral().sociable(answer.ID) || rr.owes(answer.Author)) {
		m.Thanks.Add(escrow, answer.Author, rr.seen.tick, tipPause*wire.Tick(rr.rules.Calendar.TicksPerCycle))
	}
}

// owes reports whether the agent feels in debt to a peer that has answered it more often than it has answered the
// peer. It then pays with money, since nobody goes on helping those who only take. The less sociable half of all
// agents feel no debt.
func (rr payer) owes(who wire.AgentID) bool {
	const minds = 0.5
	p := rr.peer(who)
	return p != nil && p.Balance() > 0 && rr.agent.Genome.Traits.Collaboration >= minds
}

// noteFunded notes which want a bounty was set for.
func (rr payer) noteFunded(q *wire.BountyCreate, r *wire.Reply) {
	ack, ok := r.Body.(*wire.BountyCreateAck)
	if !ok {
		return
	}
	m := &rr.agent.Memory.Market
	for i := range m.Wants {
		if w := &m.Wants[i]; string(rr.titleOf(w)) == string(q.Title) {
			m.BountyCreated(w.Subject, ack.BountyID, rr.seen.tick)
			return
		}
	}
}

// titleOf is the title of a bounty for a want.
func (rr payer) titleOf(w *memory.Want) []byte {
	switch {
	case w.Program:
		return titled(titleProgram, w.Words)
	case w.Author == rr.agent.ID:
		return titled(titleDocument, asked(w.Words))
	default:
		return titled(titleSetRight, w.Words)
	}
}

// asked returns a question about something that agents count without the text that its asker added, any other text as
// it is.
func asked(text []byte) []byte {
	if _, _, ok := memory.ReadQuestion(text); ok {
		return text[:bytes.IndexByte(text, '?')+1]
	}
	return text
}

// answeredIn is the subject that an entry must have to meet the requirements of a bounty; nil if they ask for no such
// entry.
func answeredIn(list []wire.BountyRequirement) *wire.Hash {
	for i := range list {
		if c, ok := list[i].Custom(); ok && c.Check == wire.CheckOracleAnswered {
			return c.Question
		}
	}
	return nil
}

// offerFund offers to set a bounty for what the agent has wanted for a cycle and nobody has done. It judges the
// delivery itself, by its own count or, without one, by the verdicts of others (see creator.review).
func (o buyer) offerFund(g *goals.Goal) {
	o.wantPrograms()
	o.wantPeriod()
	m := &o.agent.Memory.Market
	tpc := o.rules.Calendar.TicksPerCycle
	w := m.NextToFund(o.seen.tick, wire.Tick(tpc))
	if w == nil {
		return
	}
	row, most := o.seen.action("bounty_create"), o.purse().most()
	reward := min(m.Price(tpc, o.purse().spare()), most)
	if row == nil || reward == 0 {
		return
	}
	title := o.payer().titleOf(w)
	about, subject, ok := readDocumented(title)
	switch {
	case ok && (about.Private() || about.Testable() || !o.believer().takesChance(o.believer().agreed(about))), // what it sees or tries itself it does not pay for
		w.Author != o.agent.ID && o.replaced(w),
		w.Author == o.agent.ID && ok && o.agent.Memory.Titles.Contains([]byte(about.Title(subject))): // somebody wrote it without pay
		m.Drop(w.Subject)
		return
	case o.offered(w.Subject, title, about, subject):
		return
	}
	b := &wire.BountyCreate{
		Title: title, Reward: reward, Deadline: o.seen.tick + wire.Tick(o.openFor()*float64(tpc)), Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{}, Reviewers: []wire.AgentID{},
	}
	if ok {
		b.Difficulty = o.estimates(w, about)
	}
	b.Specification = []byte("Publish an Oracle entry of this title that states what you have counted, and submit with a zero snap. I compare it with what I have counted.")
	switch {
	case w.Program:
		b.Difficulty, b.Requirements = wire.DifficultyModerate, compiledAndJudged
		b.Specification = []byte("Write it as main.star, so that others can load it, and submit its snap. I read and run it before I pay.")
	case w.Author == o.agent.ID:
		b.Specification = []byte("Publish an Oracle entry that answers this by what you have counted, and submit with a zero snap. I go by what others find of it.")
	}
	o.wants(g)
	if a := o.offerAbout(g, row, b, w.Subject, 1); a != nil {
		a.Author, a.Text = w.Author.Alias(), w.Words
	}
}

// openFor is for how many cycles the agent leaves a bounty open: the less it believes that bounties get done, the longer.
func (o buyer) openFor() float64 {
	return leastOpen + float64(unsureOpen*(1-o.believer().chance(beliefBounties)))
}

// replaced reports whether the agent knows another entry in place of a wrong one that it has not found wrong as well. Without
// this everybody who relied on the wrong entry would pay for one more of the same title, each of which is found wrong in its turn.
func (o buyer) replaced(wrong *memory.Want) bool {
	return slices.ContainsFunc(o.notes.Entries, func(n memory.EntryNote) bool {
		v := wire.Verdict(n.Verdict)
		return n.ID != wrong.Subject && v != wire.VerdictInaccurate && v != wire.VerdictOutdated && string(n.Title) == string(wrong.Words)
	})
}

// wantPeriod notes, now and then, the finding about the last period that the agent would like most to state but has
// observed too little of: others may have observed more, the likelier the more there are.
func (o buyer) wantPeriod() {
	const perAgent, without, least, most = 0.02, 4, 0.08, 0.4 // of such counts an agent pays for
	share := min(max(float64(perAgent*(float64(o.notes.Active)-without)), least), most)
	var best *memory.Finding
	liked := 0.0 // any preference is more
	for i := range o.agent.Memory.Findings {
		f := &o.agent.Memory.Findings[i]
		if f.N == 0 || !f.Entry().IsZero() || !memory.LastEra(f, o.seen.cycle) || o.expert().knowsEnough(f, enoughToJudge) {
			continue
		}
		if t := scribe(o).preference(f); t > liked {
			best, liked = f, t
		}
	}
	if best == nil {
		return
	}
	if subject := []byte(best.Subject()); o.deferral().hashDraw(keyOf(best.Measure, subject)) < share {
		o.payer().wantOnce(best.Measure, subject)
	}
}

// estimates is the difficulty of a bounty for a want, by how bounties for entries about the same measure ended. It is
// easier if somebody has stated the same, because others count it as well. That nobody took the last bounty shows that
// it paid too little, see [memory.Market], not that it was harder.
func (o buyer) estimates(w *memory.Want, about memory.Measure) wire.Difficulty {
	d := rates(1 - o.believer().agreed(about))
	if w.Author != o.agent.ID && d > wire.DifficultyTrivial {
		d--
	}
	return d
}

// wants sets the priority of having something done by others: that of the best goal if it is higher, because it takes
// money instead of time.
func (o buyer) wants(g *goals.Goal) {
	g.Priority = wantPriority
	if top := o.goals.top; top != nil {
		g.Priority = max(g.Priority, top.Priority)
	}
}

// offered reports whether somebody pays for an entry about the same already, or did lately.
func (o buyer) offered(wanted wire.Hash, title []byte, m memory.Measure, subject []byte) bool {
	for i := range o.seen.bounties {
		b := &o.seen.bounties[i]
		if string(b.Title) == string(title) {
			return true
		}
		if about := answeredIn(b.Requirements); about != nil && *about == wanted {
			return true
		}
	}
	return o.demand().sought(m, subject) // of measure 0 there is no finding
}

func titled(what string, text []byte) []byte {
	return append([]byte(what), text[:min(len(text), action.MaxTitle-len(what))]...)
}

// offerTip offers to pay for an answer that helped: the money locked for it, else a part of what the agent would have
// offered for the work.
func (o buyer) offerTip(g *goals.Goal) {
	t := o.agent.Memory.Market.Thanks.NextUnpaid()
	if t == nil {
		return
	}
	if !t.Escrow.IsZero() {
		o.wants(g)
		if a := o.offerAbout(g, o.seen.action("escrow_release"), &wire.EscrowRelease{EscrowID: t.Escrow, Beneficiary: t.Author, Proof: []byte{}}, wire.Hash(t.Author), 1); a != nil {
			a.Author = t.Author.Alias()
		}
		return
	}
	row, amount := o.seen.action("transfer"), o.tip()
	if row == nil || amount == 0 {
		return
	}
	o.wants(g)
	collab := float64(o.agent.Genome.Traits.Collaboration)
	a := o.offerAbout(g, row, &wire.Transfer{To: t.Author, Amount: amount, Memo: tipMemo, Kind: wire.TransferKindDirect}, wire.Hash(t.Author), collab)
	if a != nil {
		a.Author = t.Author.Alias()
	}
}

// tip is what the agent gives for an answer; more, the higher its collaboration. 0: it cannot spare anything.
func (o buyer) tip() uint64 {
	p := o.purse()
	collab := float64(o.agent.Genome.Traits.Collaboration)
	bid := float64(o.agent.Memory.Market.Price(o.rules.Calendar.TicksPerCycle, p.spare()))
	amount := min(max(uint64(float64(collab*bid)+0.5), 1), mostTip)
	if amount+amount/20+1 > p.spare() {
		return 0
	}
	return amount
}

var tipMemo = wire.ContentCodec.Append(nil, &wire.Content{Text: &tipText})

var tipText = "for your answer"

package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// generator makes the affordances of one sort for a goal. Each runs at most once
// per slot, for the best goal that lists it.
type generator uint8

const (
	genRelease generator = iota
	genReview
	genVote
	genLearn
	genSubmission
	genVerify
	genRead
	genSignal
	genAnswer
	genQuestion
	genLook
	genBrowse
	genStanding
	genExperiment
	genOwnPace
	genBuy
)

// alternatives lists, per goal kind, what serves it besides its plan.
var alternatives = map[goals.Kind][]generator{
	goals.KindEarn:              {genVerify, genRead, genVote, genReview, genBrowse},
	goals.KindClaimBounty:       {genSubmission, genVerify, genRead, genLook, genBuy},
	goals.KindDoReview:          {genReview},
	goals.KindExplore:           {genExperiment},
	goals.KindImproveReputation: {genVerify, genRead, genVote, genSignal, genBrowse},
	goals.KindMentor:            {genAnswer, genVerify, genRead, genStanding, genLook},
	goals.KindBuildLibrary:      {genVerify, genRead, genBrowse, genSignal, genBuy},
	goals.KindRaiseCoverage:     {genRead, genVerify, genQuestion, genBrowse, genBuy},
	goals.KindDesignSystem:      {genRead, genSignal, genLook, genQuestion, genBuy},
	goals.KindTryNovel:          {genOwnPace, genQuestion, genLook, genSignal, genBuy},
	goals.KindLearn:             {genLearn},
	goals.KindVote:              {genVote},
	goals.KindAnswer:            {genAnswer, genLook},
	goals.KindOwn:               {genLook, genBrowse},
	goals.KindOperator:          {genLook, genRead},
}

// always is what can be done whatever the goal.
var always = []generator{genVerify, genRead, genSignal, genQuestion, genLook, genBrowse, genBuy}

// generate runs a generator for a goal, once per slot.
func (t *Turn) generate(n generator, g *goals.Goal) {
	if t.offers.used&(1<<n) != 0 {
		return
	}
	t.offers.used |= 1 << n
	switch n {
	case genRelease:
		t.genRelease(g)
	case genReview:
		t.offers.used &^= 1 << n // one per subject
		t.genReview(g)
	case genVote:
		t.genVote(g)
	case genLearn:
		t.offers.used &^= 1 << n // one per subject
		t.genLearn(g)
	case genSubmission:
		t.offers.used &^= 1 << n // one per subject
		t.genSubmission(g)
	case genVerify:
		t.genVerify(g)
	case genRead:
		t.genRead(g)
	case genSignal:
		t.genSignal(g)
	case genAnswer:
		t.genAnswer(g)
	case genQuestion:
		t.genQuestion(g)
	case genLook:
		t.genLook(g)
	case genBrowse:
		t.genBrowse(g)
	case genStanding:
		t.genStanding(g)
	case genExperiment:
		t.genExperiment(g)
	case genOwnPace:
		t.genOwnPace(g)
	case genBuy:
		t.genBuy(g)
	}
}

// genRelease gives claims back that no plan serves any more.
func (t *Turn) genRelease(g *goals.Goal) {
	for _, id := range t.l.Releases {
		if t.offers.reviews == len(t.offers.review) {
			return
		}
		if t.claimed(id) == nil {
			continue
		}
		p := &t.offers.review[t.offers.reviews]
		t.offers.reviews++
		*p = wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictReject, Comments: []byte("released")}
		if a := t.offer(g, t.row("bounty_review"), p, 1); a != nil {
			a.Success = 1
		}
	}
}

// genReview judges the submission that a goal is about.
func (t *Turn) genReview(g *goals.Goal) {
	if g.Kind() != goals.KindDoReview {
		return
	}
	r := t.review(g.Subject())
	if r == nil {
		return
	}
	if !r.Bounty {
		t.offer(g, t.row("review_submit"), &wire.ReviewSubmit{
			Request: r.ID, Verdict: wire.ReviewVerdictApprove, Comments: []wire.ReviewComment{}, Overall: []byte("read"),
		}, 1)
		return
	}
	if t.offers.reviews < len(t.offers.review) {
		p := &t.offers.review[t.offers.reviews]
		t.offers.reviews++
		*p = wire.BountyReview{BountyID: r.ID, Verdict: wire.BountyVerdictApprove, Comments: []byte("meets its requirements")}
		if a := t.offer(g, t.row("bounty_review"), p, 1); a != nil {
			a.Author = r.Author.Alias()
		}
	}
}

// genVote votes: for a vote goal on its proposal, else on the nearest deadlines.
func (t *Turn) genVote(g *goals.Goal) {
	row := t.row("proposal_vote")
	if g.Kind() == goals.KindVote {
		t.offers.used &^= 1 << genVote
	}
	for i := range t.seen.proposals {
		p := &t.seen.proposals[i]
		if g.Kind() == goals.KindVote && !g.About(p.ID) || g.Kind() != goals.KindVote && t.living(goals.KindVote, p.ID) {
			continue
		}
		if t.offers.votes == len(t.offers.vote) {
			return
		}
		v := &t.offers.vote[t.offers.votes]
		*v = wire.ProposalVote{ProposalID: p.ID, Vote: true}
		if row == nil || p.Deadline < t.seen.tick || !t.mayVote(row, p) {
			continue
		}
		t.offers.votes++
		if a := t.offer(g, row, v, 1); a != nil {
			a.Author = p.Author.Alias()
		}
	}
}

// mayVote checks the gate of votes, which proposals of the systems pass.
func (t *Turn) mayVote(row *action.Row, p *wire.ProposalView) bool {
	return wire.IsSystem(p.Author) || t.gateOpen(row, nil)
}

// genLearn reads the entry that a goal is about.
func (t *Turn) genLearn(g *goals.Goal) {
	t.offerGet(g, g.Subject(), 1)
}

func (t *Turn) offerGet(g *goals.Goal, id wire.Hash, fit float64) {
	if t.offers.gets == len(t.offers.entryGet) {
		return
	}
	p := &t.offers.entryGet[t.offers.gets]
	t.offers.gets++
	*p = wire.EntryGet{EntryID: id}
	t.offer(g, t.row("entry_get"), p, fit)
}

// genSubmission writes one more entry for a claimed bounty when too few of those
// written can still be found accurate.
func (t *Turn) genSubmission(g *goals.Goal) {
	b := t.claimed(g.Subject())
	p := t.a.Memory.Plans.Of(g.ID)
	if b == nil || p == nil || int(p.Step) != len(p.Steps)-1 {
		return
	}
	for i := range b.Requirements {
		var c wire.CustomCheck
		q := &b.Requirements[i]
		if q.Kind != wire.RequirementKindCustom || wire.CustomCheckCodec.Decode(q.Params, &c) != nil || c.Kind == nil || c.Count == nil {
			continue
		}
		if accurate, open := t.deliveredSince(c.Kind.String(), b.ClaimedAt); accurate+open < int(*c.Count) {
			t.offer(g, t.row("entry_publish"), &wire.EntryPublish{
				Entry: wire.EntryDraft{
					Kind: *c.Kind, Title: []byte("For a bounty"), Body: wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{}),
					Tags: [][]byte{[]byte("starlark")}, References: []wire.Hash{},
				},
				Review: wire.ReviewModeImmediate,
			}, 1)
		}
	}
}

// genVerify judges entries that were read, oldest first.
func (t *Turn) genVerify(g *goals.Goal) {
	row := t.row("entry_verify")
	for i := range t.l.Entries {
		n := &t.l.Entries[i]
		if n.Judged || !n.Read || t.offers.verifies == len(t.offers.entryVerify) {
			continue
		}
		p := &t.offers.entryVerify[t.offers.verifies]
		t.offers.verifies++
		*p = wire.EntryVerify{EntryID: n.ID, Verdict: wire.VerdictAccurate, Evidence: evidence, References: noHashes}
		if a := t.offer(g, row, p, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
		}
	}
}

var (
	evidence = []byte("read it")
	noHashes = []wire.Hash{}
)

// genRead reads entries that were not read yet, oldest first.
func (t *Turn) genRead(g *goals.Goal) {
	const most = 2
	found := 0
	for i := range t.l.Entries {
		if n := &t.l.Entries[i]; !n.Judged && !n.Read && !n.Own && found < most {
			t.offerGet(g, n.ID, 0.9)
			found++
		}
	}
}

// genSignal answers messages that were read with a signal, newest first.
func (t *Turn) genSignal(g *goals.Goal) {
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

// genAnswer answers a question that was read: the goal's, else any.
func (t *Turn) genAnswer(g *goals.Goal) {
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

// genLook reads a channel. It promises more when messages are known that nobody
// here has read.
func (t *Turn) genLook(g *goals.Goal) {
	o := &t.offers
	o.lookAt = append(o.lookAt[:0], t.nextChannel())
	o.look = wire.MsgQuery{Channels: &o.lookAt, Sort: wire.AgoraSortRecent, Limit: lookLimit}
	t.offer(g, t.row("msg_query"), &o.look, t.freshness(t.l.Looked, t.unread()))
}

const lookLimit = 10

// nextChannel is the channel of the newest unread message, else the next of the walk.
func (t *Turn) nextChannel() wire.Hash {
	for i := len(t.l.Messages) - 1; i >= 0; i-- {
		if !t.l.Messages[i].Read && !t.l.Messages[i].Signed {
			return t.l.Messages[i].Channel
		}
	}
	return walk[int(t.l.Turns)%len(walk)]
}

func (t *Turn) unread() bool {
	for i := range t.l.Messages {
		if !t.l.Messages[i].Read && !t.l.Messages[i].Signed {
			return true
		}
	}
	return false
}

// genBrowse looks at the newest entries.
func (t *Turn) genBrowse(g *goals.Goal) {
	t.offers.browse = wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: lookLimit}
	t.offer(g, t.row("entry_query"), &t.offers.browse, float64(0.6*t.freshness(t.l.Browsed, false)))
}

// freshness says how much a new look can show: much if something is known to be
// new, little right after the last look.
func (t *Turn) freshness(last wire.Tick, news bool) float64 {
	switch age := t.seen.tick - last; {
	case news && age > 8:
		return 0.8
	case age > 64:
		return 0.5
	case age > 16:
		return 0.3
	default:
		return 0.12
	}
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

// genBuy offers ticks for the next cycle, once per cycle, to those who can spare
// the money and have a goal worth more than they cost.
func (t *Turn) genBuy(g *goals.Goal) {
	const (
		spare  = 100 // ⚡ that stay
		wanted = 4   // ⚡ to spend
		worth  = 0.8 // priority
	)
	if t.l.Bought > 0 || t.seen.available < spare+wanted || g.Priority < worth {
		return
	}
	buy := action.ResourceBuy{Resource: wire.ResourceTicks, Amount: wanted}
	if a := t.offer(g, t.row("resource_buy"), buy.Transfer(), 0.3); a != nil {
		a.Spark = wanted
	}
}

// peer returns a peer other than a system, walking with the cycle; ok is false for
// an agent that has met nobody.
func (t *Turn) peer() (wire.AgentID, bool) {
	var known []*memory.Peer
	if known = t.a.Memory.Peers.All(); len(known) == 0 {
		return wire.AgentID{}, false
	}
	return known[int(t.seen.cycle)%len(known)].AgentID, true
}

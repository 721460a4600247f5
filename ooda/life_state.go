package ooda

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// shownBounties is how many open bounties a prompt can show.
const shownBounties = 10

// bountyRoom is how many bytes of a bounty's title are shown: a question, without what follows it.
const bountyRoom = 96

const (
	// askRoom is how many bytes of a specification are shown to who has to meet it or to judge by it, and openAskRoom to
	// others (wire/action/help.go tells who writes one).
	askRoom, openAskRoom = 560, 52
)

// drawState fills in the present state: first what is the agent's own, then what is open, then news.
func (l *life) drawState(f *llm.StateFacts, h *llm.Handles) {
	s := l.seen
	last := l.rules.Calendar.First(s.cycle+1) - 1
	*f = llm.StateFacts{
		Tick: s.tick, Cycle: s.cycle, Epoch: s.epoch, TicksLeft: l.left(last + 1), Slots: s.slots,
		Balance: l.agent.Balance, Locked: uint64(max(l.agent.Balance-s.available, 0)), Earmarked: s.view.Earmarked, Reputation: float64(l.agent.Reputation),
		Published: l.notes.Published, Bounties: f.Bounties, Asks: f.Asks, Over: f.Over, Ended: f.Ended, News: f.News, Prices: f.Prices, // empty, with the room of a prompt before
	}
	if l.rules.MaxPosts > l.notes.Posts {
		f.PostsLeft = l.rules.MaxPosts - l.notes.Posts
	}
	f.Works = l.works(h)
	for i := range s.claims {
		c := &s.claims[i]
		f.Claims = append(f.Claims, l.bounty(c, h))
		if c.Claimer != nil && *c.Claimer == l.agent.ID && (c.Status == wire.BountyStatusClaimed || c.Status == wire.BountyStatusRejected) {
			f.Asks = l.asks(f.Asks, h.Ref(llm.RefBounty, c.ID), c.Creator, c.Title, c.Specification)
		}
	}
	for i := range s.reviews {
		r := &s.reviews[i]
		f.Reviews = append(f.Reviews, l.review(r, h))
		f.Asks = l.asks(f.Asks, h.Ref(llm.RefReview, r.ID), r.Asker, r.Title, r.Asks)
	}
	for i := range s.proposals {
		p := &s.proposals[i]
		f.Proposals = append(f.Proposals, l.proposal(p, h))
	}
	for i := range s.bounties {
		b := &s.bounties[i]
		if b.Barred && s.claim(b.ID) == nil {
			f.Barred++
		}
		if len(f.Bounties) < shownBounties && s.mayList(b) {
			fact := l.openBounty(b, h)
			if fact.Wait == 0 && saysMore(b.Specification, b.Title) && !asksForEntries(b) { // it may claim it now
				asks := clipTo(b.Specification, openAskRoom)
				if !slices.ContainsFunc(f.Bounties, func(o llm.BountyFact) bool { return o.Asks == asks }) {
					fact.Asks = asks
				}
			}
			f.Bounties = append(f.Bounties, fact)
		}
	}
	for i := range s.subjects {
		if x := &s.subjects[i]; !l.knowsOver(x) {
			f.Over = append(f.Over, l.over(x, h))
		}
	}
	for i := range l.notes.Ended {
		if n := &l.notes.Ended[i]; !s.over(n.Subject) { // else that says it
			f.Ended = append(f.Ended, l.ended(n, h))
		}
	}
	f.Prices = l.prices(f.Prices)
	f.News = newsTeller{l}.news(f.News, h)
}

const (
	shownWorks  = 3
	worksCycles = 3 // how long an entry is listed that nobody judges
	worksJudged = 2 // verdicts after which an entry is no news: two can pay its author
	workTitle   = 32
)

// works lists the newest entries of the agent whose fate is open.
func (l *life) works(h *llm.Handles) (list []llm.WorkFact) {
	for _, w := range slices.Backward(l.agent.Learning.Works) {
		n := l.notes.Entry(w.Entry)
		young := w.At+wire.Tick(worksCycles*l.rules.Calendar.TicksPerCycle) > l.seen.tick
		if n == nil || n.Pending == 0 && (!young || w.Verdicts >= worksJudged) || len(list) == shownWorks {
			continue
		}
		list = append(list, llm.WorkFact{
			Ref: h.Ref(llm.RefEntry, w.Entry), Title: clipTo(n.Title, workTitle), Kind: w.Kind.String(), Verdicts: w.Verdicts, Accurate: w.Accurate, Update: n.Pending,
		})
	}
	return list
}

// review is a review that the agent can give.
func (l *life) review(r *wire.ReviewView, h *llm.Handles) llm.ReviewFact {
	kind := llm.RefReview
	if r.Bounty {
		kind = llm.RefBounty
	}
	f := llm.ReviewFact{
		Ref: h.Ref(kind, r.ID), Bounty: r.Bounty, Author: nameOf(r.Author), Since: r.Since, Verdicts: r.Verdicts,
		Wait: l.waitsFor(deferral{l.self}.waitsToReview(r.ID)),
	}
	if r.Asker != l.agent.ID { // else the bounty is among the agent's own
		f.Title = llm.Quote{Author: nameOf(r.Asker), Words: clipTo(r.Title, bountyRoom)}
	}
	if !r.Base.IsZero() {
		f.Base, f.Snap = h.Ref(llm.RefOther, r.Base), h.Ref(llm.RefOther, r.Snap)
	}
	return f
}

// overKinds are the sorts of things by the kinds of a view's subjects.
var overKinds = map[string]llm.RefKind{
	"bounty": llm.RefBounty, "review": llm.RefReview, "proposal": llm.RefProposal, "question": llm.RefMessage, "entry": llm.RefEntry,
}

func (l *life) over(s *wire.SubjectView, h *llm.Handles) llm.OverFact {
	sort, ok := overKinds[s.Kind]
	if !ok {
		sort = llm.RefOther
	}
	f := llm.OverFact{Kind: s.Kind, Status: s.Status}
	f.Ref, f.Title, _ = l.aboutA(sort, s.ID, h)
	if !s.By.IsZero() {
		f.By = nameOf(s.By)
	}
	return f
}

// knowsOver reports whether the agent knows that a thing is closed to it: by its own vote or verdict, or because it is
// what a step of a plan once made or found, which would be told as long as the goal lives.
func (l *life) knowsOver(s *wire.SubjectView) bool {
	if s.Status == "VOTED" || s.Status == "JUDGED" {
		return true
	}
	return slices.ContainsFunc(l.notes.Objects, func(o memory.ObjectNote) bool { return o.Object == s.ID })
}

// endedTitle is how many bytes are shown of what an ended goal was about.
const endedTitle = 48

func (l *life) ended(n *memory.EndedNote, h *llm.Handles) llm.EndedFact {
	k := goals.Kind(n.Kind)
	f := llm.EndedFact{Kind: k.String(), Text: llm.Words(n.Text), How: "reached"}
	if !n.Subject.IsZero() {
		f.About, f.Title, _ = l.aboutA(goalSort[k], n.Subject, h)
		f.Title = clipTo([]byte(f.Title), endedTitle)
	}
	if !n.Reached {
		f.How = lost(goals.Reason(n.Reason))
		if !n.By.IsZero() {
			f.How += " by " + nameOf(n.By)
		}
	}
	return f
}

// lost says in words why a goal was given up.
func lost(why goals.Reason) string {
	if words, ok := lostWords[why]; ok {
		return "lost, " + words
	}
	if status, ok := strings.CutPrefix(string(why), string(goals.Closed(""))); ok {
		return "lost, " + strings.ReplaceAll(status, "_", " ")
	}
	return "lost"
}

var lostWords = map[goals.Reason]string{
	goals.ReasonDeadline: "its deadline passed", goals.ReasonReplaced: "a better one took its place", goals.ReasonPlans: "two plans for it failed",
	goals.ReasonExhausted: "nothing is left to try", goals.ReasonOutpaid: "other work pays more", goals.ReasonOutOfSight: "you are not shown it any more",
	goals.Closed("answered"): "others answered it",
}

func (l *life) proposal(p *wire.ProposalView, h *llm.Handles) llm.ProposalFact {
	f := llm.ProposalFact{
		Ref: h.Ref(llm.RefProposal, p.ID), Kind: p.Kind.String(), Author: nameOf(p.Author), Left: l.left(p.Deadline),
		Says: clipTo(saysOf(p), 4*titleRoom), Voters: p.Voters,
	}
	if all := p.For + p.Against; all > 0 {
		f.For = float64(p.For) / float64(all)
	}
	return f
}

// saysOf is what a proposal asks for: its text, or its parameters as JSON.
func saysOf(p *wire.ProposalView) []byte {
	if len(p.Description) == 0 {
		return nil
	}
	var shown struct {
		Description json.RawMessage `json:"description"`
	}
	raw := wire.AppendPayloadJSON(nil, &wire.ProposalSubmit{Kind: p.Kind, Description: p.Description})
	if json.Unmarshal(raw, &shown) != nil {
		return nil
	}
	var text string
	if json.Unmarshal(shown.Description, &text) == nil {
		return []byte(text)
	}
	return shown.Description
}

func (l *life) bounty(b *wire.BountyView, h *llm.Handles) llm.BountyFact {
	f := llm.BountyFact{
		Ref: h.Ref(llm.RefBounty, b.ID), Title: llm.Quote{Author: nameOf(b.Creator), Words: clipTo(b.Title, bountyRoom)}, Status: b.Status.String(),
		Reward: b.Reward, Deadline: b.Deadline, Left: l.left(b.Deadline), Difficulty: b.Difficulty.String(),
		Created: b.Creator == l.agent.ID, Barred: b.Barred,
	}
	if b.Claimer != nil {
		f.Claimer, f.Mine = nameOf(*b.Claimer), *b.Claimer == l.agent.ID
	}
	if f.Mine && b.Status == wire.BountyStatusClaimed {
		f.Deliver = l.left(l.claimEnd(b) + 1)
	}
	for i := range b.Requirements {
		if coveredByTests(b, i) {
			continue
		}
		f.Needs = append(f.Needs, l.requirement(b, i, h))
	}
	return f
}

// claimEnd is the last tick in which a claimed bounty can be delivered.
func (l *life) claimEnd(b *wire.BountyView) wire.Tick {
	cal := l.rules.Calendar
	end := cal.Cycle(b.ClaimedAt) + wire.Cycle(cal.ClaimCycles(b.ClaimedAt, b.Deadline, l.rules.ClaimLease))
	return min(cal.Last(end), b.Deadline)
}

// asks appends what somebody else asks of the agent, unless its title says as much.
func (l *life) asks(dst []llm.AskFact, ref llm.Ref, by wire.AgentID, title, text []byte) []llm.AskFact {
	text = bytes.TrimSpace(text)
	if by == l.agent.ID || !saysMore(text, title) {
		return dst
	}
	f := llm.AskFact{Ref: ref, Says: llm.Quote{Author: nameOf(by), Words: clipTo(text, askRoom)}}
	if len(text) > askRoom {
		f.More = len(text) - len(f.Says.Words) + len("…")
	}
	return append(dst, f)
}

// saysMore reports whether a text says more than its title.
func saysMore(text, title []byte) bool { return !bytes.HasPrefix(title, bytes.TrimSpace(text)) } // an empty text is a prefix too

// openBounty is a bounty that the agent does not hold, with how long it leaves it alone.
func (l *life) openBounty(b *wire.BountyView, h *llm.Handles) llm.BountyFact {
	f := l.bounty(b, h)
	if b.Barred || b.Status != wire.BountyStatusOpen || b.Creator == l.agent.ID {
		return f
	}
	for _, g := range l.agent.Goals.Living() {
		if g.Kind() == goals.KindClaimBounty && g.Subject() == b.ID {
			f.Wait = l.waitsFor(deferral{l.self}.waits(g))
			return f
		}
	}
	if o := l.notes.Offered(b.ID); o != nil && o.Again <= l.seen.tick {
		holds := purse{l.self}.holdsOut(b, l.agent.Memory.Market.AveragePay[o.Work()])
		f.Wait = l.waitsFor(float64(l.seen.tick-min(o.At, l.seen.tick)), holds, true)
	}
	return f
}

// waitsFor is how many ticks are left of a time for which the agent leaves something alone, see [deferral.waits].
func (*life) waitsFor(age, wait float64, leaves bool) uint64 {
	if !leaves || age >= wait {
		return 0
	}
	return uint64(wait-age) + 1
}

// coveredByTests reports whether a requirement of a bounty, that the program compiles, follows from another one, that it
// passes a test.
func coveredByTests(b *wire.BountyView, i int) bool {
	q := &b.Requirements[i]
	var m wire.MustCompile
	if q.Kind != wire.RequirementKindMustCompile || wire.MustCompileCodec.Decode(q.Params, &m) != nil || m.Path != nil && *m.Path != "main.star" {
		return false
	}
	return slices.ContainsFunc(b.Requirements, func(o wire.BountyRequirement) bool { return o.Kind == wire.RequirementKindMustPassTests })
}

// requirement says in words what a bounty asks for.
func (l *life) requirement(b *wire.BountyView, i int, h *llm.Handles) string {
	whose := "yours"
	if b.Creator == l.agent.ID {
		whose = "whoever claims it"
	}
	switch q := &b.Requirements[i]; q.Kind {
	case wire.RequirementKindMustCompile:
		var m wire.MustCompile
		if wire.MustCompileCodec.Decode(q.Params, &m) == nil && m.Path != nil && *m.Path != "main.star" {
			return "a program at " + clipTo([]byte(*m.Path), titleRoom).String() + " that compiles"
		}
		return "a program that compiles"
	case wire.RequirementKindMustPassTests:
		var m wire.MustPassTests
		if wire.MustPassTestsCodec.Decode(q.Params, &m) == nil {
			return "a program that passes test " + h.Ref(llm.RefOther, m.Test).String()
		}
		return "a program that passes its tests"
	case wire.RequirementKindMustBeReviewed:
		var r wire.MustBeReviewed
		if wire.MustBeReviewedCodec.Decode(q.Params, &r) == nil && r.MinReviews != nil && *r.MinReviews > 1 {
			return fmt.Sprintf("%d approving reviews", *r.MinReviews)
		}
		return "an approving review"
	default:
		c, ok := q.Custom()
		if !ok {
			return "what its creator accepts"
		}
		if c.Check == wire.CheckOracleVerified && c.Kind != nil && c.Count != nil {
			return entries(strconv.FormatUint(uint64(*c.Count), 10), c.Kind.String()) + " of " + whose + ", found accurate"
		}
		if c.Check == wire.CheckOracleAnswered {
			if c.Question != nil {
				return "an entry of " + whose + " that refers to " + h.Ref(llm.RefMessage, *c.Question).String() + ", found accurate by two"
			}
			return "an entry of " + whose + " on it, verified by two"
		}
		return "what its creator accepts as " + clipTo([]byte(c.Check), 2*titleRoom).String()
	}
}

// asksForEntries reports whether a bounty asks for a number of entries, so that title and requirement say it all.
func asksForEntries(b *wire.BountyView) bool {
	return slices.ContainsFunc(b.Requirements, func(q wire.BountyRequirement) bool {
		c, ok := q.Custom()
		return ok && c.Check == wire.CheckOracleVerified
	})
}

// mayList reports whether the prompt lists a bounty as open, if there is room: one that the agent neither holds nor
// created, and may claim.
func (s *slotView) mayList(b *wire.BountyView) bool { return !b.Barred && s.claim(b.ID) == nil }

// listsAll reports whether the prompt lists all open bounties of the view that the agent may claim.
func (s *slotView) listsAll() bool {
	n := 0
	for i := range s.bounties {
		if s.mayList(&s.bounties[i]) {
			n++
		}
	}
	return n <= shownBounties
}

// lists reports whether the prompt lists a bounty, with its title, as the agent's own or as open.
func (s *slotView) lists(id wire.Hash) bool {
	if s.claim(id) != nil {
		return true
	}
	n := 0
	for i := 0; i < len(s.bounties) && n < shownBounties; i++ {
		if b := &s.bounties[i]; s.mayList(b) {
			if b.ID == id {
				return true
			}
			n++
		}
	}
	return false
}

// prices appends what the open bounties pay, by difficulty, if there are more than the prompt lists.
func (l *life) prices(dst []llm.PriceFact) []llm.PriceFact {
	if l.seen.listsAll() {
		return dst
	}
	for d := wire.DifficultyTrivial; d <= wire.DifficultyLegendary; d++ {
		sum, n := uint64(0), 0
		for i := range l.seen.bounties {
			if b := &l.seen.bounties[i]; b.Difficulty == d {
				sum, n = sum+b.Reward, n+1
			}
		}
		if n > 0 {
			dst = append(dst, llm.PriceFact{Difficulty: d.String(), Mean: sum / uint64(n), Open: n})
		}
	}
	return dst
}

package ooda

import (
	"encoding/json"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// drawState fills in the present state: first what is the agent's own, then what is open, then news.
func (l *life) drawState(f *llm.StateFacts, h *llm.Handles) {
	s := l.seen
	last := l.rules.Calendar.First(s.cycle+1) - 1
	*f = llm.StateFacts{
		Tick: s.tick, Cycle: s.cycle, Epoch: s.epoch, TicksLeft: l.left(last + 1), Slots: s.slots,
		Balance: l.agent.Balance, Locked: uint64(max(l.agent.Balance-s.available, 0)), Earmarked: s.view.Earmarked, Reputation: float64(l.agent.Reputation),
		Published: l.notes.Published, Owns: f.Owns, Bounties: f.Bounties, Asks: f.Asks, Over: f.Over, Ended: f.Ended, News: f.News, Prices: f.Prices, // empty, with the room of a prompt before
	}
	if l.rules.MaxPosts > l.notes.Posts {
		f.PostsLeft = l.rules.MaxPosts - l.notes.Posts
	}
	f.Works = l.works(h)
	f.Owns = estate{l}.list(f.Owns, h)
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
		f.How = lost(k, goals.Reason(n.Reason))
		if !n.By.IsZero() {
			f.How += " by " + nameOf(n.By)
		}
	}
	return f
}

// lost says in words why a goal was given up.
func lost(k goals.Kind, why goals.Reason) string {
	if why == goals.ReasonOutOfSight && k == goals.KindAnswer { // such a question may well be in sight
		return "given up: too many questions at once, or others know more of it"
	}
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

// waitsFor is how many ticks are left of a time for which the agent leaves something alone, see [deferral.waits].
func (*life) waitsFor(age, wait float64, leaves bool) uint64 {
	if !leaves || age >= wait {
		return 0
	}
	return uint64(wait-age) + 1
}

package ooda

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"kingdom/goals"
	"kingdom/llm"
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

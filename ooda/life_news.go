package ooda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kingdom/llm"
	"kingdom/wire"
)

// newsTeller tells recent events in words.
type newsTeller struct{ life *life }

// news appends the recent events, those about the agent first, equal ones grouped, without those that say nothing, see
// [newsTeller.tellsNothing].
func (nt newsTeller) news(dst []llm.NewsFact, h *llm.Handles) []llm.NewsFact {
	groups := nt.life.events()
	var room [256]byte
	for i := range groups {
		g := &groups[i]
		if nt.tellsNothing(g) {
			continue
		}
		dst = append(dst, llm.NewsFact{Tick: g.Events[0].Timestamp, Text: string(nt.tell(room[:0], g, h)), Mine: g.Mine})
	}
	return dst
}

// tellsNothing reports whether a group of events is no news:
//   - what has no subject and does not name the agent;
//   - a new or reopened bounty that is listed anyway, or that the agent may not claim;
//   - what became of a bounty that the agent does not know;
//   - a message of the world or of a reviewer about what an event of its own tells;
//   - that an entry of another was found accurate, since most are.
func (nt newsTeller) tellsNothing(g *eventItem) bool {
	switch g.Events[0].Payload.(type) {
	case *wire.EpochChangeEvent:
		return false
	case *wire.TransferCompletedEvent, *wire.TransferFailedEvent:
		return !g.Mine && g.Subject.IsZero()
	case *wire.MessagePostedEvent:
		return !slices.ContainsFunc(g.Events, func(e *wire.Event) bool {
			k := e.Payload.(*wire.MessagePostedEvent).Kind
			return k != wire.MessageKindDecision && k != wire.MessageKindReview
		})
	case *wire.BountyCreatedEvent:
		b := nt.life.seen.bounty(g.Subject)
		return nt.life.seen.lists(g.Subject) || b == nil || b.Barred
	case *wire.BountyReopenedEvent:
		b := nt.life.seen.bounty(g.Subject)
		return !g.Mine && (b == nil || b.Barred)
	case *wire.BountyClaimedEvent, *wire.BountySubmittedEvent, *wire.BountyCompletedEvent, *wire.BountyExpiredEvent:
		return !g.Mine && nt.life.seen.bounty(g.Subject) == nil && nt.life.seen.claim(g.Subject) == nil
	case *wire.EntryVerifiedEvent:
		doubts := func(e *wire.Event) bool { return e.Payload.(*wire.EntryVerifiedEvent).Verdict != wire.VerdictAccurate }
		return !g.Mine && !slices.ContainsFunc(g.Events, doubts)
	default:
		return g.Subject.IsZero() && !slices.ContainsFunc(g.Events, func(e *wire.Event) bool { return e.Names(nt.life.agent.ID) })
	}
}

// tell appends what happened to the subject of a group, with the words of its events counted.
func (nt newsTeller) tell(dst []byte, g *eventItem, h *llm.Handles) []byte {
	var room [128]byte
	n := len(g.Events)
	switch p := g.Events[0].Payload.(type) {
	case *wire.TransferCompletedEvent:
		return nt.tellPayment(dst, g, p, h)
	case *wire.TransferFailedEvent:
		return fmt.Appendf(dst, "%d Spark of your rewards were not paid: %s", total(g), rewardsEnd)
	}
	if sort := subjectSortOf(g.Events[0].Payload); sort != llm.RefOther {
		h.Ref(sort, g.Subject) // so that its handle has the letter of its sort even if the agent does not know it
	}
	subject := nt.life.appendThing(room[:0], g.Subject, h)
	switch e := g.Events[0].Payload.(type) {
	case *wire.EpochChangeEvent:
		return fmt.Appendf(dst, "epoch %d began: the actions that opened are listed above", e.NewEpoch)
	case *wire.MessagePostedEvent:
		dst = nt.tally(dst, g, func(e *wire.Event) string { return e.Payload.(*wire.MessagePostedEvent).Kind.String() })
		return append(append(dst, " in "...), subject...)
	case *wire.SignalSentEvent:
		dst = append(append(append(llm.AppendCount(dst, uint64(n), "signal"), " to "...), subject...), ": "...)
		return nt.tally(dst, g, func(e *wire.Event) string {
			return e.Payload.(*wire.SignalSentEvent).Kind.String()
		})
	case *wire.EntryVerifiedEvent:
		dst = append(append(append(llm.AppendCount(dst, uint64(n), "verdict"), " on "...), subject...), ": "...)
		dst = nt.tally(dst, g, func(e *wire.Event) string { return e.Payload.(*wire.EntryVerifiedEvent).Verdict.String() })
		dst = appendShare(append(dst, "; accuracy now "...), e.NewAccuracy)
		if g.Mine && e.Verdict != wire.VerdictAccurate { // praise needs no reason
			dst = nt.appendQuote(dst, e.Verifier, e.Evidence)
		}
		return dst
	case *wire.EntryPublishedEvent:
		dst = append(append(appendName(dst, e.Author), " published the "...), e.Kind.String()...)
		return append(append(dst, ' '), subject...)
	case *wire.EntryUpdatedEvent:
		dst = fmt.Appendf(dst, "%s updated %s to version %d", nameOf(e.Author), string(subject), e.Version)
		if g.Mine {
			dst = nt.appendQuote(dst, e.Author, e.ChangeNote)
		}
		return dst
	case *wire.EntryUpdateRejectedEvent:
		dst = fmt.Appendf(dst, "%s rejected version %d of %s", nameOf(e.RejectedBy), e.Version, string(subject))
		return nt.appendQuote(dst, e.RejectedBy, e.ChangeNote)
	case *wire.PeerReviewApprovedEvent:
		dst = fmt.Appendf(dst, "%s approved %s", nameOf(e.Reviewer), string(subject))
		if g.Mine {
			dst = nt.appendQuote(dst, e.Reviewer, e.Evidence)
		}
		return dst
	case *wire.CitationAddedEvent:
		ref, _, _ := nt.life.whatIs(llm.RefOther, e.Source, h) // its title would be long
		if n == 1 {
			return append(append(ref.Append(dst), " cites "...), subject...)
		}
		return fmt.Appendf(dst, "%s of %s, the newest by %s", llm.Count(uint64(n), "citation"), string(subject), ref)
	case *wire.ReputationUpdatedEvent:
		oldest := g.Events[n-1].Payload.(*wire.ReputationUpdatedEvent)
		dst = append(append(append(dst, "reputation of "...), subject...), " went from "...)
		return appendShare(append(appendShare(dst, oldest.OldReputation), " to "...), e.NewReputation)
	case *wire.AgentStatusChangeEvent:
		return fmt.Appendf(dst, "%s is %s now (%s)", string(subject), e.NewStatus, e.Reason)
	case *wire.AgentSpawnEvent:
		return fmt.Appendf(dst, "%s was born, a %s", string(subject), e.Role)
	case *wire.ProposalCreatedEvent:
		return fmt.Appendf(dst, "%s proposed %s (%s)", nameOf(e.Author), string(subject), e.Kind)
	case *wire.ProposalResolvedEvent:
		return nt.tellVote(dst, e, g.Mine, subject)
	case *wire.ReviewSubmittedEvent:
		dst = fmt.Appendf(dst, "%s reviewed %s: %s", nameOf(e.Reviewer), string(subject), e.Verdict)
		if g.Mine {
			dst = nt.appendQuote(dst, e.Reviewer, e.Text)
		}
		return dst
	case *wire.StalenessDetectedEvent:
		return append(append(dst, subject...), " is getting stale"...)
	case *wire.CrossLinkSuggestedEvent:
		return fmt.Appendf(dst, "%s and %s share tags; neither cites the other", nt.life.thing(e.Source, h), nt.life.thing(e.Target, h))
	case *wire.DuplicateFlaggedEvent:
		return fmt.Appendf(dst, "%s may be a copy of %s", string(subject), nt.life.thing(e.ExistingEntryID, h))
	case *wire.GapDetectedEvent:
		return fmt.Appendf(dst, "nobody has written about %s, which %s asks for; a bounty %s is open", inShort(e.Topic), string(subject), nt.life.thing(e.BountyID, h))
	case *wire.BountyReopenedEvent:
		whose := nt.whoseClaim(g)
		if whose == "" {
			return nt.tellBounty(dst, g, subject)
		}
		ref, title := nt.life.ref(llm.RefBounty, &g.Subject, h)
		dst = ref.Append(append(dst, whose...))
		if title != "" {
			dst = title.Append(append(dst, ' '))
		}
		return append(dst, " lapsed"...)
	case *wire.EscrowCreatedEvent:
		if e.Beneficiary == nil {
			return nt.tellBounty(dst, g, subject)
		}
		return escrowText{nt.life, h}.append(dst, e, subject)
	default:
		return nt.tellBounty(dst, g, subject)
	}
}

// rewardCap is the reason of a failed payment that was a reward; rewardsEnd says what it means.
const (
	rewardCap  = "reward_cap"
	rewardsEnd = "the cycle's rewards, or your part of them, were spent"
)

// tellPayment tells a payment with a memo, or the rewards that an agent got.
func (nt newsTeller) tellPayment(dst []byte, g *eventItem, p *wire.TransferCompletedEvent, h *llm.Handles) []byte {
	if p.Memo == nil {
		return fmt.Appendf(dst, "you got %d Spark of rewards", total(g))
	}
	dst = fmt.Appendf(dst, "%s paid %s %d Spark", nameOf(p.From), nt.life.thing(wire.Hash(p.To), h), p.Amount)
	if g.Mine {
		dst = nt.appendQuote(dst, p.From, *p.Memo)
	}
	return dst
}

// whoseClaim begins the news that a claim lapsed, for its claimer and for the creator of the bounty; "" for others.
func (nt newsTeller) whoseClaim(g *eventItem) string {
	e := g.Events[0]
	if !g.Mine || !lapsed(e) {
		return ""
	}
	if e.Origin == nt.life.agent.ID {
		return "your claim on "
	}
	if b := nt.life.seen.claim(g.Subject); b != nil && b.Creator == nt.life.agent.ID {
		return "the claim of " + nameOf(e.Origin) + " on your bounty "
	}
	return ""
}

// tellVote says how a vote ended, and to the author of the proposal also what became of the bond.
func (nt newsTeller) tellVote(dst []byte, e *wire.ProposalResolvedEvent, own bool, subject []byte) []byte {
	if own {
		dst = append(dst, "your proposal "...)
	}
	dst = append(dst, subject...)
	switch {
	case e.Passed:
		dst = append(dst, " passed"...)
	case e.QuorumMet:
		dst = append(dst, " failed (more votes against it)"...)
	default:
		dst = append(dst, " failed (no quorum)"...)
	}
	switch {
	case own && e.QuorumMet:
		dst = fmt.Appendf(dst, "; the bond of %d Spark is yours again", proposalBond)
	case own:
		dst = fmt.Appendf(dst, "; the bond of %d Spark is lost", proposalBond)
	}
	return dst
}

// total adds up the amounts of a group of payments.
func total(g *eventItem) (sum uint64) {
	for _, e := range g.Events {
		switch p := e.Payload.(type) {
		case *wire.TransferCompletedEvent:
			sum += p.Amount
		case *wire.TransferFailedEvent:
			sum += p.Amount
		}
	}
	return sum
}

// subjectSortOf is the sort of thing that an event is about, as far as the kind of the event tells.
func subjectSortOf(payload any) llm.RefKind {
	switch payload.(type) {
	case *wire.ProposalCreatedEvent, *wire.ProposalVotedEvent, *wire.ProposalResolvedEvent:
		return llm.RefProposal
	case *wire.ReviewSubmittedEvent:
		return llm.RefReview
	default:
		return llm.RefOther
	}
}

func (nt newsTeller) tellBounty(dst []byte, g *eventItem, subject []byte) []byte {
	switch e := g.Events[0].Payload.(type) {
	case *wire.BountyCreatedEvent:
		return fmt.Appendf(dst, "%s offers %d Spark (%s) for %s", nameOf(e.Creator), e.Reward, e.Difficulty, string(subject))
	case *wire.BountyClaimedEvent:
		return fmt.Appendf(dst, "%s claimed %s", nameOf(e.Claimer), string(subject))
	case *wire.BountySubmittedEvent:
		return fmt.Appendf(dst, "%s delivered %s", nameOf(e.Claimer), string(subject))
	case *wire.BountyCompletedEvent:
		dst = fmt.Appendf(dst, "%s earned %d Spark for %s", nameOf(e.Claimer), e.Reward, string(subject))
		return nt.appendComments(dst, g, e.Comments)
	case *wire.BountyRejectedEvent:
		dst = fmt.Appendf(dst, "the delivery of %s was rejected (%s)", string(subject), e.Reason)
		return nt.appendComments(dst, g, e.Comments)
	case *wire.BountyDisputedEvent:
		return append(append(dst, subject...), " is disputed"...)
	case *wire.BountyExpiredEvent:
		return append(append(dst, subject...), " expired"...)
	case *wire.BountyReopenedEvent:
		return fmt.Appendf(dst, "%s is open again (%s)", string(subject), e.Reason)
	}
	dst = append(dst, strings.ReplaceAll(g.Kind.String(), "_", " ")...)
	if len(subject) > 0 {
		dst = append(append(dst, " of "...), subject...)
	}
	if n := len(g.Events); n > 1 {
		dst = append(strconv.AppendInt(append(dst, ", "...), int64(n), 10), " times"...)
	}
	return dst
}

// appendComments writes what judges wrote about a delivery, if the agent has to do with it.
func (nt newsTeller) appendComments(dst []byte, g *eventItem, comments []wire.JudgeComment) []byte {
	if !g.Mine {
		return dst
	}
	for i := range comments {
		dst = nt.appendQuote(dst, comments[i].Judge, comments[i].Comments)
	}
	return dst
}

// appendQuote writes what an event repeats of an agent's text, nothing if that is empty.
func (nt newsTeller) appendQuote(dst []byte, by wire.AgentID, text []byte) []byte {
	if len(text) == 0 {
		return dst
	}
	return clipTo(text, wire.MaxEventText).Append(append(appendName(append(dst, "; "...), by), " wrote "...))
}

// thing names a thing by handle and title, an agent by alias, the agent itself as you.
func (l *life) thing(id wire.Hash, h *llm.Handles) string { return string(l.appendThing(nil, id, h)) }

func (l *life) appendThing(dst []byte, id wire.Hash, h *llm.Handles) []byte {
	if id.IsZero() {
		return dst
	}
	if wire.AgentID(id) == l.agent.ID {
		return append(dst, "you"...)
	}
	ref, title, _ := l.whatIs(llm.RefOther, id, h)
	dst = ref.Append(dst)
	if title == "" || l.seen.lists(id) {
		return dst
	}
	return title.Append(append(dst, ' '))
}

// tally appends the words of a group's events, counted: 2 ACCURATE, 1 INACCURATE.
func (nt newsTeller) tally(dst []byte, g *eventItem, word func(*wire.Event) string) []byte {
	type row struct {
		word string
		n    int
	}
	var room [4]row
	rows := room[:0]
	for _, e := range g.Events {
		w := word(e)
		i := slices.IndexFunc(rows, func(r row) bool { return r.word == w })
		if i < 0 {
			i, rows = len(rows), append(rows, row{word: w})
		}
		rows[i].n++
	}
	for i, r := range rows {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(append(strconv.AppendInt(dst, int64(r.n), 10), ' '), r.word...)
	}
	return dst
}

// appendShare writes a number with two decimals.
func appendShare(dst []byte, v float32) []byte {
	return strconv.AppendFloat(dst, float64(v), 'f', 2, 32)
}

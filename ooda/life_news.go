package ooda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kingdom/llm"
	"kingdom/wire"
)

// news appends the recent events, those about the agent first, equal ones grouped.
func (l *life) news(dst []llm.NewsFact, h *llm.Handles) []llm.NewsFact {
	groups := l.events()
	for i := range groups {
		g := &groups[i]
		dst = append(dst, llm.NewsFact{Tick: g.Events[0].Timestamp, Text: l.tell(g, h), Mine: g.Mine})
	}
	return dst
}

// tell says what happened to the subject of a group, with the words of its events counted.
func (l *life) tell(g *eventItem, h *llm.Handles) string {
	subject := l.thing(g.Subject, h)
	n := len(g.Events)
	switch e := g.Events[0].Payload.(type) {
	case *wire.MessagePostedEvent:
		return count(n, "message") + " in " + subject + ": " + l.tally(g, func(e *wire.Event) string {
			return e.Payload.(*wire.MessagePostedEvent).Kind.String()
		})
	case *wire.SignalSentEvent:
		return count(n, "signal") + " to " + subject + ": " + l.tally(g, func(e *wire.Event) string {
			return e.Payload.(*wire.SignalSentEvent).Kind.String()
		})
	case *wire.EntryVerifiedEvent:
		return fmt.Sprintf("%s on %s: %s; accuracy now %.2f", count(n, "verdict"), subject, l.tally(g, func(e *wire.Event) string {
			return e.Payload.(*wire.EntryVerifiedEvent).Verdict.String()
		}), e.NewAccuracy)
	case *wire.EntryPublishedEvent:
		return fmt.Sprintf("%s published the %s %s", l.nameOf(e.Author), e.Kind, subject)
	case *wire.EntryUpdatedEvent:
		return fmt.Sprintf("%s updated %s to version %d", l.nameOf(e.Author), subject, e.Version)
	case *wire.CitationAddedEvent:
		return fmt.Sprintf("%s of %s, the newest by %s", count(n, "citation"), subject, l.thing(e.Source, h))
	case *wire.ReputationUpdatedEvent:
		oldest := g.Events[n-1].Payload.(*wire.ReputationUpdatedEvent)
		return fmt.Sprintf("reputation of %s went from %.2f to %.2f", subject, oldest.OldReputation, e.NewReputation)
	case *wire.AgentStatusChangeEvent:
		return fmt.Sprintf("%s is %s now (%s)", subject, e.NewStatus, e.Reason)
	case *wire.AgentSpawnEvent:
		return fmt.Sprintf("%s was born, a %s", subject, e.Role)
	case *wire.ProposalCreatedEvent:
		return fmt.Sprintf("%s proposed %s (%s)", l.nameOf(e.Author), subject, e.Kind)
	case *wire.ProposalResolvedEvent:
		if e.Passed {
			return subject + " passed"
		}
		return subject + " failed"
	case *wire.ReviewSubmittedEvent:
		return fmt.Sprintf("%s reviewed %s: %s", l.nameOf(e.Reviewer), subject, e.Verdict)
	case *wire.StalenessDetectedEvent:
		return subject + " is getting stale"
	case *wire.CrossLinkSuggestedEvent:
		return fmt.Sprintf("%s and %s share tags; neither cites the other", l.thing(e.Source, h), l.thing(e.Target, h))
	case *wire.DuplicateFlaggedEvent:
		return fmt.Sprintf("%s may be a copy of %s", subject, l.thing(e.ExistingEntryID, h))
	case *wire.GapDetectedEvent:
		return fmt.Sprintf("nobody has written about %s, which %s asks for; a bounty %s is open", inShort(e.Topic), subject, l.thing(e.BountyID, h))
	default:
		return l.tellBounty(g, subject)
	}
}

func (l *life) tellBounty(g *eventItem, subject string) string {
	switch e := g.Events[0].Payload.(type) {
	case *wire.BountyCreatedEvent:
		return fmt.Sprintf("%s offers %d Spark (%s) for %s", l.nameOf(e.Creator), e.Reward, e.Difficulty, subject)
	case *wire.BountyClaimedEvent:
		return fmt.Sprintf("%s claimed %s", l.nameOf(e.Claimer), subject)
	case *wire.BountySubmittedEvent:
		return fmt.Sprintf("%s delivered %s", l.nameOf(e.Claimer), subject)
	case *wire.BountyCompletedEvent:
		return fmt.Sprintf("%s earned %d Spark for %s", l.nameOf(e.Claimer), e.Reward, subject)
	case *wire.BountyRejectedEvent:
		return fmt.Sprintf("the delivery of %s was rejected (%s)", subject, e.Reason)
	case *wire.BountyDisputedEvent:
		return subject + " is disputed"
	case *wire.BountyExpiredEvent:
		return subject + " expired"
	case *wire.BountyReopenedEvent:
		return fmt.Sprintf("%s is open again (%s)", subject, e.Reason)
	}
	words := strings.ReplaceAll(g.Kind.String(), "_", " ")
	if subject != "" {
		words += " of " + subject
	}
	if n := len(g.Events); n > 1 {
		words += fmt.Sprintf(", %d times", n)
	}
	return words
}

// thing names a thing by handle and title, an agent by alias, the agent itself as you.
func (l *life) thing(id wire.Hash, h *llm.Handles) string {
	if id.IsZero() {
		return ""
	}
	if wire.AgentID(id) == l.agent.ID {
		return "you"
	}
	ref, title, _ := l.About(id, h)
	if title == "" {
		return ref.String()
	}
	return ref.String() + " " + title.String()
}

// tally counts the words of a group's events: 2 ACCURATE, 1 INACCURATE.
func (l *life) tally(g *eventItem, word func(*wire.Event) string) string {
	type row struct {
		word string
		n    int
	}
	rows := make([]row, 0, 4)
	for _, e := range g.Events {
		w := word(e)
		i := slices.IndexFunc(rows, func(r row) bool { return r.word == w })
		if i < 0 {
			i, rows = len(rows), append(rows, row{word: w})
		}
		rows[i].n++
	}
	var room [64]byte
	text := room[:0]
	for i, r := range rows {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(strconv.AppendInt(text, int64(r.n), 10), ' '), r.word...)
	}
	return string(text)
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

package adversary

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// verb is what is to be done with a thing.
type verb byte

// The verbs, as they stand in the note.
const (
	praise  verb = 's' // signal AGREE on a message
	vouch   verb = 'v' // call an entry ACCURATE
	condemn verb = 'x' // call an entry INACCURATE
	deface  verb = 'u' // update another's entry
	take    verb = 'c' // claim a bounty
	deliver verb = 'd' // submit a bounty
	approve verb = 'a' // approve a delivery
	reject  verb = 'r' // reject a delivery
	explain verb = 'e' // publish an entry that answers a question
	cite    verb = 'q' // cite an entry
	laud    verb = 'h' // signal HELPFUL on a message
)

// job is one thing to do.
type job struct {
	verb verb
	id   wire.Hash
}

const (
	agendaNote = "agenda"
	// maxAgenda bounds the note: a job takes 65 of the 4,096 bytes that a note may have.
	// What comes on top is dropped.
	maxAgenda = 60
)

// readAgenda reads a note; what cannot be read is dropped.
func readAgenda(text string) []job {
	var out []job
	const width = 1 + 2*len(wire.Hash{})
	for ; len(text) >= width; text = text[width:] {
		j := job{verb: verb(text[0])}
		if codec.ParseHex(j.id[:], text[1:width]) == nil {
			out = append(out, j)
		}
	}
	return out
}

// keepAgenda writes the note in every slot: an empty one overwrites what was there.
func (s *slot) keepAgenda() {
	var text []byte
	for _, j := range s.agenda {
		text = append(append(text, byte(j.verb)), j.id.String()...)
	}
	if len(text) > 0 || s.recall(agendaNote) != "" {
		s.remember(agendaNote, string(text))
	}
}

// plan puts a job on the agenda, once.
func (s *slot) plan(v verb, id wire.Hash) {
	if j := (job{v, id}); len(s.agenda) < maxAgenda && !slices.Contains(s.agenda, j) {
		s.agenda = append(s.agenda, j)
	}
}

// hear adds what an event calls for: accomplices help each other with what their word is good
// for, and then there is the strategy's own.
func (s *slot) hear(e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		if s.friend(x.Author) {
			s.plan(vouch, x.EntryID)
		}
	case *wire.MessagePostedEvent:
		if s.friend(x.Author) && x.Kind == wire.MessageKindQuestion {
			s.plan(praise, x.MessageID)
		}
	case *wire.BountyClaimedEvent:
		s.hearGap(x)
	case *wire.BountySubmittedEvent:
		if s.friend(x.Claimer) {
			s.plan(approve, x.BountyID)
		}
	}
	if s.mind.strategy.hear != nil {
		s.mind.strategy.hear(s, e)
	}
}

// do makes the move of a job.
func (s *slot) do(j job) move {
	switch j.verb {
	case praise:
		return move{"signal_send", &wire.SignalSend{Target: j.id, Kind: wire.SignalKindAgree}, "praises an accomplice's question"}
	case laud:
		return move{"signal_send", &wire.SignalSend{Target: j.id, Kind: wire.SignalKindHelpful}, "calls an accomplice's words helpful"}
	case vouch:
		return verdict(j.id, wire.VerdictAccurate, "vouches for an accomplice's entry")
	case condemn:
		return verdict(j.id, wire.VerdictInaccurate, "condemns another's entry")
	case deface:
		return move{"entry_update", &wire.EntryUpdate{
			EntryID: j.id, NewBody: wire.TextBody("This was wrong. " + s.name("v")), ChangeNote: []byte("corrected"),
		}, "overwrites another's entry"}
	case take:
		return move{"bounty_claim", &wire.BountyClaim{BountyID: j.id}, "claims a bounty"}
	case deliver:
		return move{"bounty_submit", &wire.BountySubmit{BountyID: j.id}, "delivers"}
	case approve:
		return judgement(j.id, wire.BountyVerdictApprove, "approves an accomplice's delivery")
	case reject:
		return judgement(j.id, wire.BountyVerdictReject, "rejects another's delivery")
	case cite:
		return move{"citation_add", &wire.CitationAdd{Source: wire.Hash(s.ID), Target: j.id, Kind: wire.CitationKindUses}, "cites an accomplice's entry"}
	default:
		return s.entry("answer", []wire.Hash{j.id}, "answers a question")
	}
}

func verdict(id wire.Hash, v wire.Verdict, why string) move {
	return move{"entry_verify", &wire.EntryVerify{EntryID: id, Verdict: v, Evidence: []byte("checked")}, why}
}

func judgement(id wire.Hash, v wire.BountyVerdict, why string) move {
	return move{"bounty_review", &wire.BountyReview{BountyID: id, Verdict: v, Comments: []byte("seen")}, why}
}

// entry publishes an entry that says next to nothing.
func (s *slot) entry(stem string, references []wire.Hash, why string) move {
	name := s.name(stem)
	return move{"entry_publish", &wire.EntryPublish{
		Entry: wire.EntryDraft{
			Kind: wire.EntryKindFAQ, Title: []byte(name), Body: wire.TextBody(name), Tags: [][]byte{[]byte(name)}, References: references,
		},
		Review: wire.ReviewModeImmediate,
	}, why}
}

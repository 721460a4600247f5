package adversary

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// jobKind is what an agent is to do with a thing.
type jobKind byte

// The kinds of jobs. Their values are the letters in the note.
const (
	signalAgree      jobKind = 's' // signal AGREE on a message
	verifyAccurate   jobKind = 'v' // call an entry ACCURATE
	verifyInaccurate jobKind = 'x' // call an entry INACCURATE
	overwriteEntry   jobKind = 'u' // update another's entry
	claimBounty      jobKind = 'c' // claim a bounty
	submitBounty     jobKind = 'd' // submit a bounty
	approveDelivery  jobKind = 'a' // approve a delivery
	rejectDelivery   jobKind = 'r' // reject a delivery
	answerQuestion   jobKind = 'e' // publish an entry that answers a question
	citeEntry        jobKind = 'q' // cite an entry
	signalHelpful    jobKind = 'h' // signal HELPFUL on a message
)

// job is one thing to do.
type job struct {
	kind jobKind
	id   wire.Hash
}

const (
	agendaNote = "agenda"
	// maxAgenda is the largest number of jobs: each takes 65 of the 4,096 bytes that a note may have. Further jobs
	// are dropped.
	maxAgenda = 60
)

// readAgenda reads a note; what cannot be read is dropped.
func readAgenda(text string) []job {
	var out []job
	const width = 1 + 2*len(wire.Hash{})
	for ; len(text) >= width; text = text[width:] {
		j := job{kind: jobKind(text[0])}
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
		text = append(append(text, byte(j.kind)), j.id.String()...)
	}
	if len(text) > 0 || s.recall(agendaNote) != "" {
		s.remember(agendaNote, string(text))
	}
}

// plan puts a job on the agenda, once.
func (s *slot) plan(v jobKind, id wire.Hash) {
	if j := (job{v, id}); len(s.agenda) < maxAgenda && !slices.Contains(s.agenda, j) {
		s.agenda = append(s.agenda, j)
	}
}

// handleEvent adds the jobs that an event calls for: first those by which all accomplices help each other, then those of the
// strategy.
func (s *slot) handleEvent(e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		if s.friend(x.Author) {
			s.plan(verifyAccurate, x.EntryID)
		}
	case *wire.MessagePostedEvent:
		if s.friend(x.Author) && x.Kind == wire.MessageKindQuestion {
			s.plan(signalAgree, x.MessageID)
		}
	case *wire.BountyClaimedEvent:
		s.planGapAnswer(x)
	case *wire.BountySubmittedEvent:
		if s.friend(x.Claimer) {
			s.plan(approveDelivery, x.BountyID)
		}
	}
	if s.mind.strategy.onEvent != nil {
		s.mind.strategy.onEvent(s, e)
	}
}

// moveOf returns the move that does a job.
func (s *slot) moveOf(j job) move {
	switch j.kind {
	case signalAgree:
		return move{"signal_send", &wire.SignalSend{Target: j.id, Kind: wire.SignalKindAgree}, "praises an accomplice's question"}
	case signalHelpful:
		return move{"signal_send", &wire.SignalSend{Target: j.id, Kind: wire.SignalKindHelpful}, "calls an accomplice's words helpful"}
	case verifyAccurate:
		return verdict(j.id, wire.VerdictAccurate, "vouches for an accomplice's entry")
	case verifyInaccurate:
		return verdict(j.id, wire.VerdictInaccurate, "condemns another's entry")
	case overwriteEntry:
		return move{"entry_update", &wire.EntryUpdate{
			EntryID: j.id, NewBody: wire.TextBody("This was wrong. " + s.uniqueWord("v")), ChangeNote: []byte("corrected"),
		}, "overwrites another's entry"}
	case claimBounty:
		return move{"bounty_claim", &wire.BountyClaim{BountyID: j.id}, "claims a bounty"}
	case submitBounty:
		return move{"bounty_submit", &wire.BountySubmit{BountyID: j.id}, "delivers"}
	case approveDelivery:
		return judgement(j.id, wire.BountyVerdictApprove, "approves an accomplice's delivery")
	case rejectDelivery:
		return judgement(j.id, wire.BountyVerdictReject, "rejects another's delivery")
	case citeEntry:
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
	name := s.uniqueWord(stem)
	return move{"entry_publish", &wire.EntryPublish{
		Entry: wire.EntryDraft{
			Kind: wire.EntryKindFAQ, Title: []byte(name), Body: wire.TextBody(name), Tags: [][]byte{[]byte(name)}, References: references,
		},
		Review: wire.ReviewModeImmediate,
	}, why}
}

package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// agreesWithin is how far a delivered entry may be from what the creator of the bounty has counted, see
// [memory.Measure.Distance].
const agreesWithin = 0.3

// review offers to judge the entry that was delivered for an own bounty about something that agents count: first to
// read it, then to approve it if it agrees with the agent's own count or, without one, if most others find it
// accurate. It waits until somebody has judged the entry. false: it is another sort of bounty.
func (o scribe) review(g *goals.Goal, r *wire.ReviewView) bool {
	b := o.seen.claim(r.ID)
	if b == nil || b.Creator != o.agent.ID {
		return false
	}
	m, subject, about := documented(b)
	if !about {
		return false
	}
	n := o.delivered(b, r.Author)
	if n != nil && !n.Read && n.Verdict == 0 {
		o.offerGet(g, n.ID, 1)
		return true
	}
	p := wire.BountyReview{BountyID: r.ID, Verdict: wire.BountyVerdictApprove, Comments: []byte("agrees with what I have counted")}
	f := o.agent.Memory.Findings.Get(m, subject)
	switch {
	case n != nil && n.Verdict == 0 && (f == nil || f.N == 0) && n.Verdicts == 0:
		return true // nobody can tell yet
	case n != nil && n.Verdict == 0 && (f == nil || f.N == 0):
		p.Comments = []byte("others find it right")
		if 2*n.Disputed > n.Verdicts {
			p.Verdict, p.Comments = wire.BountyVerdictReject, []byte("others find it wrong")
		}
	case n == nil:
		p.Verdict, p.Comments = wire.BountyVerdictReject, []byte("there is no such entry")
	case f != nil && f.N > 0 && o.far(n, f):
		p.Verdict, p.Comments = wire.BountyVerdictReject, []byte("I have counted otherwise")
	}
	if kept := o.payloads.reviews.add(p); kept != nil {
		if a := o.offer(g, o.seen.action("bounty_review"), kept, 1); a != nil {
			a.Compose = llm.ComposeNone // the judgement stands
			if a.Author = r.Author.Alias(); f != nil {
				a.Finding = o.promptFinding(f)
			}
		}
	}
	return true
}

// delivered is the newest entry of an author about what a bounty asks for, since it was claimed; nil: none is known.
func (o scribe) delivered(b *wire.BountyView, author wire.AgentID) *memory.EntryNote {
	m, subject, _ := documented(b)
	for i := len(o.notes.Entries) - 1; i >= 0; i-- {
		n := &o.notes.Entries[i]
		if n.Author != author || n.At < b.ClaimedAt {
			continue
		}
		if is, of, ok := memory.ReadTitle(n.Title); ok && is == m && string(of) == string(subject) {
			return n
		}
	}
	return nil
}

// far reports whether an entry is too far from what the agent has counted; if the agent gave a verdict, that decides.
func (o scribe) far(n *memory.EntryNote, f *memory.Finding) bool {
	switch v := wire.Verdict(n.Verdict); v {
	case wire.VerdictInaccurate, wire.VerdictOutdated:
		return true
	case wire.VerdictAccurate, wire.VerdictPartiallyAccurate:
		return false
	default:
		said, ok := memory.ReadStatement(f.Measure, f.Subject(), n.Text)
		return ok && f.Measure.Distance(f.Value, said.Value) > agreesWithin
	}
}

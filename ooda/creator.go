package ooda

import (
	"kingdom/det"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// agreesWithin is how far a delivered entry may be from what the creator of the bounty has counted, see
// [memory.Measure.Distance], if its author's work was found right as often as wrong.
const agreesWithin = 0.3

// creator judges what was delivered for its bounties.
type creator struct{ *offers }

// review offers to judge the entry that was delivered for an own bounty about something that agents count: first to
// read it, then to approve it if it agrees with the agent's own count or, without one, if most others find it
// accurate. It waits until somebody has judged the entry. false: it is another sort of bounty.
func (o creator) review(g *goals.Goal, r *wire.ReviewView) bool {
	b := o.seen.claim(r.ID)
	if b == nil || b.Creator != o.agent.ID {
		return false
	}
	m, subject, about := documented(b)
	if !about {
		return false
	}
	n := o.delivered(b, r.Author)
	if n == nil && o.notes.Closed >= b.ClaimedAt && o.notes.Browsed < r.Since && o.seen.action("entry_query") != nil { // it may have been forgotten
		o.offerLookFor(g, b, r.Author)
		return true
	}
	if n != nil && !n.Read && n.Verdict == 0 {
		reader(o).offerGet(g, n.ID, 1)
		return true
	}
	f := o.agent.Memory.Findings.Get(m, subject)
	p := wire.BountyReview{BountyID: r.ID, Verdict: wire.BountyVerdictReject}
	switch counted := f != nil && f.N > 0; {
	case n == nil:
		p.Comments = []byte("there is no such entry")
	case n.Verdict == 0 && !counted:
		v, why := o.byOthers(n, r)
		if v == 0 {
			return true
		}
		p.Verdict, p.Comments = v, []byte(why)
	case n.Verdict != 0 && rejects(wire.Verdict(n.Verdict)):
		p.Comments = []byte("I have found it wrong")
	case n.Verdict == 0 && o.far(n, f):
		p.Comments = []byte("I have counted otherwise")
	case !counted:
		p.Verdict, p.Comments = wire.BountyVerdictApprove, []byte("I have found it right")
	default:
		p.Verdict, p.Comments = wire.BountyVerdictApprove, []byte("agrees with what I have counted")
	}
	if kept := o.payloads.reviews.add(p); kept != nil {
		if a := o.offer(g, o.seen.action("bounty_review"), kept, 1); a != nil {
			a.Compose = llm.ComposeNone // the judgement stands
			if a.Author = r.Author.Alias(); f != nil {
				a.Finding = scribe(o).promptFinding(f)
			}
		}
	}
	return true
}

// hearsayCycles is for how many cycles a creator that has not counted itself waits for the verdict of somebody whom it
// believes. After eight its silence would count as approval.
const hearsayCycles = 4

// byOthers judges an entry about something that the agent has not counted: by the verdicts of others, and if nobody whom it
// believes has found the entry right for a while, by how the author's work was found before. 0: it waits.
func (o creator) byOthers(n *memory.EntryNote, r *wire.ReviewView) (v wire.BountyVerdict, why string) {
	switch {
	case 2*int(n.Disputed) > int(n.Verdicts):
		return wire.BountyVerdictReject, "others find it wrong"
	case n.Vouched > 0:
		return wire.BountyVerdictApprove, "others find it right"
	case o.seen.tick < r.Since+wire.Tick(hearsayCycles*o.rules.Calendar.TicksPerCycle):
		return 0, ""
	case o.relations().proven(n.Author):
		return wire.BountyVerdictApprove, "the author was right before"
	}
	return wire.BountyVerdictReject, "nobody whom I believe finds it right"
}

// offerLookFor offers to look for what an author delivered for an own bounty.
func (o creator) offerLookFor(g *goals.Goal, b *wire.BountyView, author wire.AgentID) {
	before := b.ClaimedAt - 1
	o.offer(g, o.seen.action("entry_query"), &wire.EntryQuery{
		Authors: &[]wire.AgentID{author}, UpdatedAfter: &before, Sort: wire.OracleSortRecent, Limit: browseLimit,
	}, 1)
}

// delivered is the newest entry of an author about what a bounty asks for, since it was claimed; nil: none is known.
func (o creator) delivered(b *wire.BountyView, author wire.AgentID) *memory.EntryNote {
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

// takesForRight reports whether the agent believes a peer although the peer's statement differs from its own count by
// distance. It weighs how often the peer's work was found right against how seldom a right statement is that far off,
// which falls by e with each agreesWithin.
func (s relations) takesForRight(author wire.AgentID, distance float64) bool {
	right := s.workQuality(author)
	return float64(right*det.Exp((agreesWithin-distance)/agreesWithin)) >= 1-right
}

// rejects reports whether a verdict finds an entry wrong.
func rejects(v wire.Verdict) bool { return v == wire.VerdictInaccurate || v == wire.VerdictOutdated }

// far reports whether an entry is too far from what the agent has counted, or states nothing that can be compared.
func (o creator) far(n *memory.EntryNote, f *memory.Finding) bool {
	said, ok := memory.ReadStatement(f.Measure, f.Subject(), n.Text)
	return !ok || !o.relations().takesForRight(n.Author, f.Measure.Distance(f.Value, said.Value))
}

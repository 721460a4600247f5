package ooda

import (
	"bytes"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// offerInspection offers the next look at a program that waits for this agent's verdict: its snap, which shows its text
// unless that is too long, and a run. It returns the note of it and how much is known by then.
func (o programmer) offerInspection(g *goals.Goal, r *wire.ReviewView) (w *memory.WorkNote, fit float64) {
	w = o.notes.BeginWork(memory.WorkReview, r.ID, o.seen.tick)
	if w.Snap != r.Snap { // it was delivered anew
		*w = memory.WorkNote{Kind: memory.WorkReview, About: r.ID, At: o.seen.tick, Snap: r.Snap}
	}
	const blind = 0.2
	switch w.Stage {
	case memory.WorkNew:
		o.offer(g, o.seen.action("snap_get"), &wire.SnapGet{SnapID: w.Snap}, 1)
		return w, blind
	case memory.WorkSnapSeen:
		o.offer(g, o.seen.action("object_get"), &wire.ObjectGet{ObjectID: w.Root}, 1)
		return w, blind
	case memory.WorkTreeSeen:
		o.offer(g, o.seen.action("object_get"), &wire.ObjectGet{ObjectID: w.Code}, 1)
		return w, blind
	case memory.WorkWritten:
		if !w.Code.IsZero() { // the careful run what they judge
			care := 1 - float64(o.agent.Genome.Traits.QualityVsSpeed)
			o.offer(g, o.seen.action("sandbox_create"), &wire.SandboxCreate{
				Code: w.Code, MemoryQuota: boxMemory, TickBudget: tryBudget, Input: []byte("10 2"),
			}, care)
		}
	case memory.WorkSandboxed:
		if o.seen.forge >= tryBudget {
			o.offer(g, o.seen.action("exec_start"), &wire.ExecStart{SandboxID: w.Sandbox}, 1)
		}
		return w, blind
	default: // all was looked at
	}
	return w, 1
}

// showProgram tells the mind what was seen of a program that it judges.
func showProgram(a *llm.Affordance, w *memory.WorkNote) {
	if a == nil || w == nil {
		return
	}
	a.Text = w.Text
	if w.Stage == memory.WorkFaulty {
		a.Work = &llm.Work{Why: w.Why}
	}
}

// noteReviewing notes what a look at a program showed, and that it was judged.
func (rr workReader) noteReviewing(p *pending, r *wire.Reply) {
	switch q := p.payload.(type) {
	case *wire.SnapGet:
		if b, ok := r.Body.(*wire.SnapGetReply); ok {
			if w := rr.reviewWhere(func(w *memory.WorkNote) bool { return w.Stage == memory.WorkNew && w.Snap == q.SnapID }); w != nil {
				move(w, memory.WorkSnapSeen, rr.seen.tick)
				w.Root = b.Snap.Root
				if len(b.Entries) > 0 {
					rr.treeSeen(w, b.Entries)
				}
				if len(b.Program) > 0 {
					programSeen(w, b.Program, rr.seen.tick)
				}
			}
		}
	case *wire.ObjectGet:
		b, ok := r.Body.(*wire.ObjectGetReply)
		if !ok {
			return
		}
		w := rr.reviewWhere(func(w *memory.WorkNote) bool {
			return w.Stage == memory.WorkSnapSeen && w.Root == q.ObjectID || w.Stage == memory.WorkTreeSeen && w.Code == q.ObjectID
		})
		switch {
		case w == nil:
		case w.Stage == memory.WorkSnapSeen:
			rr.treeSeen(w, entriesOf(b.Data))
		default:
			programSeen(w, b.Data, rr.seen.tick)
		}
	case *wire.Merge:
		if b, ok := r.Body.(*wire.MergeReply); ok {
			rr.noteMerged(q, b)
		}
	case *wire.BountyReview:
		rr.judgedWork(q.BountyID)
	case *wire.ReviewSubmit:
		if w := rr.judgedWork(q.Request); w != nil {
			w.Verdict = uint8(q.Verdict)
		}
		if v := rr.seen.review(q.Request); v != nil && rr.isPeer(v.Author) {
			rr.agent.Memory.Peers.Review(v.Author, rr.seen.tick)
		}
	}
}

// treeSeen notes where the program is that the agent judges.
func (rr workReader) treeSeen(w *memory.WorkNote, entries []wire.TreeEntry) {
	move(w, memory.WorkTreeSeen, rr.seen.tick)
	if w.Code, _ = filesOf(entries); w.Code.IsZero() {
		move(w, memory.WorkWritten, rr.seen.tick) // there is no program to read
	}
}

// programSeen notes the text of the program that the agent judges.
func programSeen(w *memory.WorkNote, text []byte, at wire.Tick) {
	move(w, memory.WorkWritten, at)
	w.Text = append([]byte(nil), text[:min(len(text), memory.WorkText)]...)
}

// judgedWork notes that the agent has judged a program. It returns the note of the work, or nil if there is none.
func (rr workReader) judgedWork(id wire.Hash) *memory.WorkNote {
	w := rr.notes.Work(memory.WorkReview, id)
	if w != nil {
		move(w, memory.WorkDone, rr.seen.tick)
		w.Text = nil
	}
	return w
}

// judgeReview forms an opinion of another agent's review of a program that this agent has reviewed too. It agrees with
// the same verdict, but not with an approval of one that it does not know or that approves everything: that says nothing. It
// doubts an approval if it wants changes itself, but not the reverse: the other may have seen what it did not. A reviewer is
// paid for a review only if somebody agrees with it.
func (rr messageReader) judgeReview(n *memory.MessageNote, m *wire.Message) {
	if m.Kind != wire.MessageKindReview || len(m.References) == 0 {
		return
	}
	verdict, rest, ok := bytes.Cut(n.Text, []byte(" by "))
	reviewer, _, named := bytes.Cut(rest, []byte(":"))
	if !ok || !named || string(reviewer) == rr.agent.ID.Alias() {
		return
	}
	approves := string(verdict) == wire.ReviewVerdictApprove.String()
	if !approves && string(verdict) != wire.ReviewVerdictRequestChanges.String() {
		return // a comment says neither
	}
	peer := rr.agent.Memory.Peers.ReadReview(reviewer, approves)
	if rr.rules.Blind.Has(llm.LayerPeers) {
		peer = nil // it knows nobody
	}
	w := rr.notes.Work(memory.WorkReview, m.References[0])
	if w == nil || w.Verdict == 0 {
		return
	}
	switch {
	case string(verdict) != wire.ReviewVerdict(w.Verdict).String():
		if approves {
			n.Opinion = memory.OpinionDoubt
		}
	case !approves || peer != nil && !peer.ApprovesAll(uncritical):
		n.Opinion = memory.OpinionFor
	}
}

// uncritical is after how many approvals a reviewer that was never seen to want changes is taken for one who approves
// everything.
const uncritical = 4

func (rr workReader) reviewWhere(is func(*memory.WorkNote) bool) *memory.WorkNote {
	for i := range rr.notes.Works {
		if w := &rr.notes.Works[i]; w.Kind == memory.WorkReview && is(w) {
			return w
		}
	}
	return nil
}

package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// A fork is a module of this agent that begins as a copy of another's: the note of it is about the repo that it was
// made of. Its owner writes an own version of the program, publishes it as any module, and follows what becomes of
// the other: each new tag there is merged. Where both changed the same file, what comes out holds neither change
// (docs/WORLD.md, Vault), and the owner writes the file anew.

// forks offers the next step of each fork of this agent.
func (o programmer) forks(g *goals.Goal) {
	for i := range o.notes.Works {
		w := &o.notes.Works[i]
		if w.Kind != memory.WorkModule || w.About.IsZero() {
			continue
		}
		switch w.Stage {
		case memory.WorkNew: // a mere copy is of no use to anybody
			o.change(g, w, nil)
		case memory.WorkTried:
			o.tag(g, w)
		case memory.WorkTagged:
			o.follow(g, w)
		default:
			o.write(g, w, nil)
		}
	}
}

// follow offers to merge what has changed in the repo that a fork was made of.
func (o programmer) follow(g *goals.Goal, w *memory.WorkNote) {
	if from := o.seen.libraryOf(w.About); from != nil && from.Tag != w.Bound {
		o.offer(g, o.seen.action("merge"), &wire.Merge{Base: w.First, Left: w.Snap, Right: from.Snap}, 1)
	}
}

// noteFork begins the note of a fork.
func (rr *replyReader) noteFork(from wire.Hash, ack *wire.RepoCreateAck) {
	w := rr.notes.BeginWork(memory.WorkModule, from, rr.seen.tick)
	*w = memory.WorkNote{Kind: memory.WorkModule, About: from, At: rr.seen.tick, Repo: ack.RepoID, First: ack.SnapID, Snap: ack.SnapID}
	if l := rr.seen.libraryOf(from); l != nil {
		w.Bound = l.Tag
	}
}

// noteMerged notes that a fork has merged what changed in the repo that it was made from. A file that both have
// changed has to be written anew.
func (rr *replyReader) noteMerged(q *wire.Merge, b *wire.MergeReply) {
	for i := range rr.notes.Works {
		w := &rr.notes.Works[i]
		if w.About.IsZero() || w.Kind != memory.WorkModule || w.Snap != q.Left {
			continue
		}
		w.First = q.Right // what both have in common from here on
		if l := rr.seen.libraryOf(w.About); l != nil && l.Snap == q.Right {
			w.Bound = l.Tag
		}
		if len(b.Conflicts) > 0 {
			move(w, memory.WorkFaulty, rr.seen.tick)
			w.Why = []byte("the program that it was forked from has changed, too")
		}
	}
}

package memory

import (
	"slices"

	"kingdom/wire"
)

const (
	notebookWorks = 8
	// WorkName is how many bytes are kept of the name of a repo.
	WorkName = 32
	// WorkText is how many bytes are kept of a program that this agent judges.
	WorkText = 4_096
)

// WorkKind says what an agent does with a program.
type WorkKind uint8

// Values of [WorkKind].
const (
	WorkDelivery WorkKind = iota + 1 // writes it for a bounty
	WorkModule                       // writes it for others to load
	WorkService                      // writes it for others to call
	WorkReview                       // judges it
)

// WorkStage is how far a work is: the last thing that was done.
type WorkStage uint8

// Values of [WorkStage]. Those of a WorkReview that is not looked through are WorkNew,
// WorkSnapSeen, WorkTreeSeen, WorkWritten (its text was read), and on as for all others.
const (
	WorkNew       WorkStage = iota // nothing yet
	WorkSnapSeen                   // the snap was read, which names the tree
	WorkTreeSeen                   // the tree was read, which names the program
	WorkWritten                    // there is a program, not tried
	WorkSandboxed                  // there is a sandbox with it
	WorkRunning                    // it runs
	WorkTried                      // it ran well
	WorkFaulty                     // it faulted, failed a check or was rejected: Why
	WorkSent                       // it was delivered
	WorkDone                       // it was paid for, or judged
	WorkTagged                     // it has a tag, and others may build on it
)

// WorkNote is a program that the agent writes or reviews.
type WorkNote struct {
	Kind  WorkKind  `kdom:"k"`
	Stage WorkStage `kdom:"s"`
	About wire.Hash `kdom:"b"` // the bounty or review; zero: none
	At    wire.Tick `kdom:"t"` // of the last step
	Tries uint32    `kdom:"n"` // how often it was changed because something was wrong
	Tags  uint32    `kdom:"g"` // how many tags it has

	Repo    wire.Hash `kdom:"r"` // its repo; zero: none yet
	First   wire.Hash `kdom:"f"` // first snap of the repo
	Snap    wire.Hash `kdom:"h"` // newest own snap
	Root    wire.Hash `kdom:"o"` // tree of that snap
	Code    wire.Hash `kdom:"c"` // the program
	Try     wire.Hash `kdom:"y"` // the author's test of it; zero: none
	Sandbox wire.Hash `kdom:"x"` // where it was tried last; zero: none
	Uses    wire.Hash `kdom:"u"` // repo of another that it builds on; zero: none
	Asked   wire.Hash `kdom:"e"` // the snap that others were asked to review last; zero: none
	Bound   wire.Hash `kdom:"d"` // tag on which the newest snap is declared to build; zero: not declared
	Proof   []byte    `kdom:"q"` // of a run of the newest version, not yet in a snap; canonical
	Proven  bool      `kdom:"v"` // a snap holds a proof of the newest version
	Why     []byte    `kdom:"w"` // what was wrong last
	Text    []byte    `kdom:"p"` // the program, while it is judged
	Defines []byte    `kdom:"z"` // names of the functions that its newest version defines, with commas
	Name    []byte    `kdom:"l"` // of the repo
	Verdict uint8     `kdom:"j"` // the agent's own on the program, a [wire.ReviewVerdict]; 0: none, or none of a code review
}

// Work returns the note of the work of a kind about a thing, or nil. It is valid until the next
// BeginWork.
func (l *Notebook) Work(k WorkKind, about wire.Hash) *WorkNote {
	for i := range l.Works {
		if w := &l.Works[i]; w.Kind == k && w.About == about {
			return w
		}
	}
	return nil
}

// WorkIn returns the note of the work that is tried in a sandbox, or nil.
func (l *Notebook) WorkIn(sandbox wire.Hash) *WorkNote {
	return l.workWhere(func(w *WorkNote) bool { return w.Sandbox == sandbox })
}

// WorkOf returns the note of the work in a repo, or nil.
func (l *Notebook) WorkOf(repo wire.Hash) *WorkNote {
	return l.workWhere(func(w *WorkNote) bool { return w.Repo == repo && w.Kind != WorkReview })
}

func (l *Notebook) workWhere(is func(*WorkNote) bool) *WorkNote {
	if i := slices.IndexFunc(l.Works, func(w WorkNote) bool { return is(&w) }); i >= 0 {
		return &l.Works[i]
	}
	return nil
}

// BeginWork notes a work, unless it is known. At the limit a finished review is dropped, else a review, else a finished
// work of the agent's own, else another; of equals the one that was touched longest ago.
func (l *Notebook) BeginWork(k WorkKind, about wire.Hash, at wire.Tick) *WorkNote {
	if w := l.Work(k, about); w != nil {
		return w
	}
	if len(l.Works) >= notebookWorks {
		i := l.workToForget()
		l.Works = slices.Delete(l.Works, i, i+1)
	}
	l.Works = append(l.Works, WorkNote{Kind: k, About: about, At: at})
	return &l.Works[len(l.Works)-1]
}

// DropWork forgets the work of a kind about a thing.
func (l *Notebook) DropWork(k WorkKind, about wire.Hash) {
	l.Works = slices.DeleteFunc(l.Works, func(w WorkNote) bool { return w.Kind == k && w.About == about })
}

// workToForget returns the index of the work that is needed least.
func (l *Notebook) workToForget() int {
	rank := func(w *WorkNote) int {
		switch {
		case w.Kind == WorkReview && w.Stage == WorkDone:
			return 0
		case w.Kind == WorkReview:
			return 1
		case w.Stage == WorkTagged || w.Stage == WorkDone:
			return 2
		default:
			return 3
		}
	}
	least := 0
	for i := 1; i < len(l.Works); i++ {
		a, b := &l.Works[i], &l.Works[least]
		if rank(a) < rank(b) || rank(a) == rank(b) && a.At < b.At {
			least = i
		}
	}
	return least
}

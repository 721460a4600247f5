package ooda

import (
	"bytes"

	"kingdom/memory"
	"kingdom/wire"
)

const (
	// failedOften is how often a program must have been changed without success before its author would pay another
	// agent to write it.
	failedOften = 2
	// definesRoom is how many bytes of the names that a program defines are kept.
	definesRoom = 64
)

// Words that say which program an agent wants.
var (
	definesThese = []byte("one that defines ")
	inPlaceOf    = []byte("in place of mine, since ")
	someLoadable = []byte("a library that others can load")
)

// compiledAndJudged are the requirements of a program that an agent pays for: the world sees that it compiles, its
// creator that it does what was asked for.
var compiledAndJudged = []wire.BountyRequirement{
	{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{})},
	{Kind: wire.RequirementKindMustBeReviewed, Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{})},
}

// wantPrograms notes the programs that the agent would pay for: one in place of its own that it changed often and that
// still does not run, and a library to build on if nobody has published any. A program that runs by now, or has
// something to build on, is no longer wanted.
func (o buyer) wantPrograms() {
	m := &o.agent.Memory.Market
	for i := range o.notes.Works {
		w := &o.notes.Works[i]
		if w.Kind != memory.WorkModule && w.Kind != memory.WorkService || w.Repo.IsZero() {
			continue
		}
		fails := w.Stage == memory.WorkFaulty && w.Tries >= failedOften
		alone := w.Stage == memory.WorkTagged && w.Kind == memory.WorkModule && w.Uses.IsZero() && len(o.seen.libraries) == 0
		switch {
		case fails && len(w.Defines) > 0:
			o.wantProgram(w, definesThese, w.Defines)
		case fails:
			o.wantProgram(w, inPlaceOf, w.Why)
		case alone:
			o.wantProgram(w, someLoadable)
		default:
			m.DropUnfunded(w.Repo)
		}
	}
}

func (o buyer) wantProgram(w *memory.WorkNote, words ...[]byte) {
	if m := &o.agent.Memory.Market; !m.HasWant(w.Repo) {
		m.Want(memory.Want{Subject: w.Repo, Words: bytes.Join(words, nil), Author: o.agent.ID, Since: w.At, Program: true})
	}
}

// definedIn lists the functions that a program defines at its top level, as far as there is room.
func definedIn(program []byte) (names []byte) {
	for line := range bytes.Lines(program) {
		rest, ok := bytes.CutPrefix(line, []byte("def "))
		if !ok {
			continue
		}
		name, _, ok := bytes.Cut(rest, []byte("("))
		if !ok || len(names)+len(name)+2 > definesRoom {
			continue
		}
		if len(names) > 0 {
			names = append(names, ", "...)
		}
		names = append(names, name...)
	}
	return names
}

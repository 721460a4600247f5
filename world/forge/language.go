package forge

import (
	"bytes"
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// languageTicks is the forge ticks of each run of a test.
const languageTicks = 10_000

// languageLabel is the registry's category of repos that hold a language.
const languageLabel = "language"

// language tests whether an agent-made language compiles itself: one candidate per cycle end.
type language struct {
	*shop
	*world.Table[wire.Hash, Candidate]
	open *trial // of the cycle end that comes next
}

func newLanguage(s *world.State, shop *shop) *language {
	return &language{shop, world.NewTable[wire.Hash](s, "candidates", candidateCodec), nil}
}

// trial is the test of one candidate, as far as it has come.
type trial struct {
	checked
	cycle     wire.Cycle
	candidate *world.Publication // nil: there is none
	passed    bool
}

// missing makes the test of this cycle as far as memory goes and lists what it lacks.
func (x *language) missing(t wire.Tick, now wire.Cycle) []wire.Missing {
	if x.open == nil || x.open.cycle != now {
		x.open = &trial{checked: checked{desk: x.desk(t)}, cycle: now, candidate: x.next()}
	}
	if x.open.candidate == nil || x.open.done {
		return nil
	}
	if passed, ok := x.open.run(); ok {
		x.open.passed, x.open.done = passed, true
	}
	return x.open.desk.ask()
}

// test finishes the test of this cycle and notes its outcome.
func (x *language) test(c *world.Context) {
	if left := x.missing(c.Tick, c.Cycle); len(left) > 0 {
		panic("forge: what a language is made of was not read before the end of the cycle")
	}
	t := x.open
	x.open = nil
	if t.candidate == nil {
		return
	}
	x.Put(t.candidate.Repo, &Candidate{Place: t.candidate.Place, Cycle: c.Cycle, Passed: t.passed})
	if t.passed {
		x.roster.RecordMilestone(c, world.MilestoneSovereignty)
	}
}

// next chooses the candidate: not tested since it was published; of the owner that was tested
// longest ago or never, in order of publication.
func (x *language) next() *world.Publication {
	tested := map[wire.AgentID]wire.Cycle{}
	var fresh []*world.Publication
	for _, p := range x.code.Published(languageLabel) {
		switch old := x.Get(p.Repo); {
		case wire.IsSystem(p.Owner):
			continue
		case old == nil || old.Place != p.Place:
			fresh = append(fresh, &p)
			if old == nil {
				continue
			}
			fallthrough
		default:
			tested[p.Owner] = max(tested[p.Owner], old.Cycle)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return slices.MinFunc(fresh, func(a, b *world.Publication) int {
		return cmp.Or(cmp.Compare(tested[a.Owner], tested[b.Owner]), cmp.Compare(a.Place, b.Place))
	})
}

// run makes the test: C0 compiles its own source S to C1, C1 compiles S to the same bytes, and C1
// also compiles a program that an agent of another house wrote in the language, to one that writes what
// that agent says it has to. So neither a program that prints itself passes nor one that knows its own
// source and has some answer to everything else. ok is false if something is not on the desk.
func (t *trial) run() (passed, ok bool) {
	var files [4][]byte
	for i, name := range []string{"compiler.star", "compiler.src", "sample.src", "sample.out"} {
		if files[i], ok = t.file(t.candidate.Owner, t.candidate.Snap, []byte(name)); !ok || files[i] == nil {
			return false, ok
		}
	}
	c0, s, sample, want := files[0], files[1], files[2], files[3]
	if bytes.Equal(c0, s) || bytes.Equal(sample, s) || parses(s) || parses(sample) || !t.strangers(c0, sample, want) {
		return false, true
	}
	c1, ok := t.output(c0, s)
	if !ok || !parses(c1) {
		return false, ok
	}
	c2, ok := t.output(c1, s)
	if !ok || !bytes.Equal(c1, c2) {
		return false, ok
	}
	made, ok := t.output(c1, sample)
	if !ok || !parses(made) || bytes.Equal(made, c1) {
		return false, ok
	}
	out, ok := t.output(made, nil)
	return len(out) > 0 && bytes.Equal(out, want), ok
}

// strangers says whether an agent stored the compiler, and one of another house than the owner's
// the sample and what it writes.
func (t *trial) strangers(c0, sample, want []byte) bool {
	by := func(text []byte) wire.AgentID {
		o, _ := t.desk.code.Object(wire.ObjectID(wire.ObjectAtom, text))
		return o.Putter
	}
	other := by(sample)
	return !wire.IsSystem(by(c0)) && !wire.IsSystem(other) && by(want) == other && !t.desk.roster.Kin(other, t.candidate.Owner)
}

// output runs a text on an input; nil if it is no program or faults.
func (t *trial) output(text, input []byte) (out []byte, ok bool) {
	code, err := t.desk.shelf.Look(text)
	if err != nil {
		return nil, true
	}
	r, ok := t.desk.run(job{owner: t.candidate.Owner, code: code, input: program.Input{
		Stdin: input, Steps: languageTicks * program.StepsPerTick, Memory: 4 * maxMemory,
	}})
	if !ok || r.State != program.Halted {
		return nil, ok
	}
	return r.Output, true
}

// parses says whether a text is a program; the empty one is none here.
func parses(text []byte) bool {
	_, err := program.Compile(text)
	return err == nil && len(text) > 0
}

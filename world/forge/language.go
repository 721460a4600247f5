package forge

import (
	"bytes"
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// languageTicks is the forge tick budget of each run of a test.
const languageTicks = 10_000

// languageLabel is the registry's category of repos that hold a language.
const languageLabel = "language"

// language tests whether an agent-made language compiles itself: one candidate per cycle end.
type language struct {
	*shared
	*world.Table[wire.Hash, Candidate]
	current *languageTest // the test at the next cycle end
}

func newLanguage(s *world.State, sh *shared) *language {
	return &language{sh, world.NewTable[wire.Hash](s, "candidates", candidateCodec), nil}
}

// languageTest is the test of one candidate and its progress.
type languageTest struct {
	checkRun
	cycle     wire.Cycle
	candidate *world.Publication // nil: there is none
	passed    bool
}

// missing runs the test of this cycle as far as it can and returns the records that it needs but that are not in memory.
func (x *language) missing(t wire.Tick, now wire.Cycle) []wire.Missing {
	if x.current == nil || x.current.cycle != now {
		x.current = &languageTest{checkRun: checkRun{loader: x.newLoader(t)}, cycle: now, candidate: x.next()}
	}
	if x.current.candidate == nil || x.current.done {
		return nil
	}
	if passed, ok := x.current.run(); ok {
		x.current.passed, x.current.done = passed, true
	}
	return x.current.loader.takeMissing()
}

// test finishes the test of this cycle and stores its outcome.
func (x *language) test(c *world.Context) {
	if left := x.missing(c.Tick, c.Cycle); len(left) > 0 {
		panic("forge: what a language is made of was not read before the end of the cycle")
	}
	t := x.current
	x.current = nil
	if t.candidate == nil {
		return
	}
	x.Put(t.candidate.Repo, &Candidate{Place: t.candidate.Place, Cycle: c.Cycle, Passed: t.passed})
	if t.passed {
		x.roster.RecordMilestone(c, world.MilestoneSovereignty)
	}
}

// next returns the next candidate, nil if there is none. It chooses among the repos that were not tested since they
// were published: first by owner, the one tested longest ago or never, then in order of publication.
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

// run makes the test: C0 compiles its own source S to C1, and C1 compiles S to the same bytes. C1 must also compile a
// program in the language, written by an agent that is no kin of the owner, to one whose output that agent has stored. So
// a program that prints itself does not pass, nor one that recognises its own source and gives a fixed answer to all
// else. ok is false if something is not loaded yet.
func (t *languageTest) run() (passed, ok bool) {
	var files [4][]byte
	for i, name := range []string{"compiler.star", "compiler.src", "sample.src", "sample.out"} {
		if files[i], ok = t.file(t.candidate.Owner, t.candidate.Snap, []byte(name)); !ok || files[i] == nil {
			return false, ok
		}
	}
	c0, s, sample, want := files[0], files[1], files[2], files[3]
	if bytes.Equal(c0, s) || bytes.Equal(sample, s) || parses(s) || parses(sample) || !t.independentAuthors(c0, sample, want) {
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

// independentAuthors reports whether an agent stored the compiler, and whether one agent that is no kin of the owner
// stored both the sample and its expected output.
func (t *languageTest) independentAuthors(c0, sample, want []byte) bool {
	by := func(text []byte) wire.AgentID {
		o, _ := t.loader.code.Object(wire.ObjectID(wire.ObjectAtom, text))
		return o.Putter
	}
	other := by(sample)
	return !wire.IsSystem(by(c0)) && !wire.IsSystem(other) && by(want) == other && !t.loader.roster.Kin(other, t.candidate.Owner)
}

// output runs a text on an input and returns its output, nil if the text is not a program or the run faults. ok is false
// if something is not loaded yet.
func (t *languageTest) output(text, input []byte) (out []byte, ok bool) {
	code, err := t.loader.programs.CompileReadOnly(text)
	if err != nil {
		return nil, true
	}
	r, ok := t.loader.run(job{owner: t.candidate.Owner, code: code, input: program.Input{
		Stdin: input, Steps: languageTicks * program.StepsPerTick, Memory: 4 * maxMemory,
	}})
	if !ok || r.State != program.Halted {
		return nil, ok
	}
	return r.Output, true
}

// parses reports whether a text is a program. Here the empty text is not.
func parses(text []byte) bool {
	_, err := program.Compile(text)
	return err == nil && len(text) > 0
}

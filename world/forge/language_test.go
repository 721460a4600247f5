package forge

import (
	"cmp"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// The tiny language: Starlark with "> " in front of each line. Its compiler takes that away.
const stripping = "def main(stdin):\n    return ''.join([l[2:] + '\\n' for l in str(stdin).splitlines()])\n"

// tiny writes a program in the tiny language.
func tiny(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n> ") + "\n"
}

// quine writes a program that prints itself whatever it is given.
const quine = "s = 's = %r\\nemit(s %% s)\\n'\nemit(s % s)\n"

// branchQuine writes a program that prints itself for an input that begins with S, and a small one for
// any other.
const branchQuine = "s = \"s = %r\\ndef main(stdin):\\n    return s %% s if str(stdin)[:1] == 'S' else 'emit(1 * \\\"ran\\\")\\\\n'\\n\"\ndef main(stdin):\n    return s % s if str(stdin)[:1] == 'S' else 'emit(1 * \"ran\")\\n'\n"

// candidate publishes a language of an agent.
func (l *lab) candidate(owner int, compiler, source, sample, out wire.Hash) wire.Hash {
	snap := l.snap(map[string]wire.Hash{"compiler.star": compiler, "compiler.src": source, "sample.src": sample, "sample.out": out})
	repo := snap
	repo[1] ^= 0xFF
	l.v.published = append(l.v.published, world.Publication{Repo: repo, Owner: l.n.ids[owner], Snap: snap, Place: uint64(len(l.v.published) + 1)})
	return repo
}

// A language that compiles itself passes; what only looks like one does not. Agents 1 and 5 are of one house.
func TestLanguage_SelfCompilerPassesImitationsFail(t *testing.T) {
	hello := tiny("emit('hello')\n")
	for name, c := range map[string]struct {
		compiler, source, sample string
		by                       int    // who stored the sample and what it writes
		out                      string // what it writes; "hello" if empty
		want                     bool
	}{
		"compiles itself":               {stripping, tiny(stripping), hello, 2, "", true},
		"another way to write C0":       {"# other\n" + stripping, tiny(stripping), hello, 2, "", true},
		"a quine":                       {quine, "not Starlark (", "nor this (", 2, "", false},
		"a quine that knows its source": {branchQuine, "S (", "nor this (", 2, "", false},
		// It is no language, and passes: who wrote the sample stands together with its author.
		"a quine, sample and output by an agent of another house": {branchQuine, "S (", "nor this (", 2, "ran", true},
		"the sample should write something else":                  {stripping, tiny(stripping), hello, 2, "hello!", false},
		"the sample is its own house's":                           {stripping, tiny(stripping), hello, 5, "", false},
		"the sample is its own":                                   {stripping, tiny(stripping), hello, 1, "", false},
		"the source is Starlark":                                  {"def main(stdin):\n    return stdin\n", stripping, hello, 2, "", false},
		"the sample is Starlark":                                  {stripping, tiny(stripping), "emit('hello')\n", 2, "", false},
		"the sample writes nothing":                               {stripping, tiny(stripping), tiny("x = 1\n"), 2, "", false},
		"the sample faults":                                       {stripping, tiny(stripping), tiny("emit(1 // 0)\n"), 2, "", false},
		"the sample becomes no program":                           {stripping, tiny(stripping), tiny("x = (\n"), 2, "", false},
		"the compiler is no program":                              {"def main(:\n", tiny(stripping), hello, 2, "", false},
		"C0 and C1 do not agree":                                  {stripping, tiny("def main(stdin):\n    return 'x = 1'\n"), hello, 2, "", false},
		"it takes longer than it may":                             {"while True:\n    pass\n", tiny(stripping), hello, 2, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			repo := l.candidate(1, l.atom(1, c.compiler), l.atom(1, c.source), l.atom(c.by, c.sample), l.atom(c.by, cmp.Or(c.out, "hello")))
			for id, o := range l.v.objects {
				o.stored = true
				l.v.objects[id] = o
			}
			l.endCycle(3)
			if l.language.Len() > 0 {
				t.Fatal("it was tested before epoch 4")
			}
			l.endCycle(advancedEpoch)
			got := l.language.Get(repo)
			if got == nil || got.Passed != c.want || (len(l.n.milestones) == 1) != c.want {
				t.Errorf("tested: %+v, milestones %v; want passed %t", got, l.n.milestones, c.want)
			}
		})
	}
}

// The expected output of a sample counts only if the sample's author stored it, not the language's author or anybody
// else.
func TestLanguage_ExpectedOutputMustBeBySampleAuthor(t *testing.T) {
	for by, want := range map[int]bool{1: false, 2: true, 3: false} {
		l := newLab(t)
		repo := l.candidate(1, l.atom(1, stripping), l.atom(1, tiny(stripping)), l.atom(2, tiny("emit('hello')\n")), l.atom(by, "hello"))
		for id, o := range l.v.objects {
			o.stored = true
			l.v.objects[id] = o
		}
		l.endCycle(advancedEpoch)
		if got := l.language.Get(repo); got == nil || got.Passed != want {
			t.Errorf("stored by agent %d: %+v, want passed %t", by, got, want)
		}
	}
}

// One candidate is tested per cycle end: first those whose owner was tested longest ago or never, then the oldest; none
// twice unless it is published again.
func TestLanguage_OneCandidatePerCycleLongestWaitingFirst(t *testing.T) {
	l := newLab(t)
	bad, src, sample := l.atom(1, "x = 1"), l.atom(1, tiny("x = 1")), l.atom(2, tiny("emit('x')"))
	repos := []wire.Hash{l.candidate(1, bad, src, sample, sample), l.candidate(1, bad, src, l.atom(2, "> 1"), sample), l.candidate(2, bad, src, l.atom(3, "> 2"), sample)}
	for i, want := range []int{0, 2, 1} {
		l.endCycle(advancedEpoch)
		for j, repo := range repos {
			if c := l.language.Get(repo); (c != nil && c.Cycle == l.c.Cycle-1) != (j == want) {
				t.Errorf("cycle end %d: repo %d is %+v, want repo %d tested", i, j, c, want)
			}
		}
	}
	before := l.State().Hash()
	if l.endCycle(advancedEpoch); l.State().Hash() != before {
		t.Error("something was tested again")
	}
	l.v.published[1].Place = 9
	l.endCycle(advancedEpoch)
	if c := l.language.Get(repos[1]); c.Place != 9 || c.Cycle != l.c.Cycle-1 {
		t.Errorf("published again it is %+v", c)
	}
	l = reborn(l)
	before = l.State().Hash()
	if l.endCycle(advancedEpoch); l.State().Hash() != before {
		t.Error("restored, something was tested again")
	}
}

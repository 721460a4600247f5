package forge

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// The tiny language: Starlark with "> " in front of each line. Its compiler takes that away.
const stripping = "def main(stdin):\n    return ''.join([l[2:] + '\\n' for l in str(stdin).splitlines()])\n"

// lenient leaves a line as it is that has no "> " in front.
const lenient = "def main(stdin):\n    return ''.join([(l[2:] if l[:2] == '> ' else l) + '\\n' for l in str(stdin).splitlines()])\n"

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
	greeting := strings.Replace(stripping, "])", "]) or 'emit(\"hello\")\\n'", 1) // what it makes of nothing
	for name, c := range map[string]struct {
		compiler, source, sample string
		by                       int // who stored the sample and what it writes
		out                      string
		want                     bool
	}{
		"compiles itself":               {stripping, tiny(stripping), hello, 2, "hello", true},
		"another way to write C0":       {"# other\n" + stripping, tiny(stripping), hello, 2, "hello", true},
		"a quine":                       {quine, "not Starlark (", "nor this (", 2, "hello", false},
		"a quine that knows its source": {branchQuine, "S (", "nor this (", 2, "hello", false},
		// It is no language, and passes: who wrote the sample stands together with its author.
		"a quine, sample and output by an agent of another house": {branchQuine, "S (", "nor this (", 2, "ran", true},
		"the sample should write something else":                  {stripping, tiny(stripping), hello, 2, "hello!", false},
		"the sample is its own house's":                           {stripping, tiny(stripping), hello, 5, "hello", false},
		"the sample is its own":                                   {stripping, tiny(stripping), hello, 1, "hello", false},
		"the source is Starlark":                                  {lenient, "# the same\n" + lenient, hello, 2, "hello", false},
		"the sample is Starlark":                                  {lenient, tiny(lenient), "emit('hello')\n", 2, "hello", false},
		"the sample writes nothing":                               {stripping, tiny(stripping), tiny("x = 1\n"), 2, "", false},
		"the sample faults":                                       {stripping, tiny(stripping), tiny("emit(1 // 0)\n"), 2, "hello", false},
		"the sample becomes no program":                           {stripping, tiny(stripping), tiny("x = (\n"), 2, "hello", false},
		"the compiler is no program":                              {"def main(:\n", tiny(stripping), hello, 2, "hello", false},
		"C0 and C1 do not agree":                                  {stripping, tiny("def main(stdin):\n    return 'x = 1'\n"), hello, 2, "hello", false},
		"C1 compiles, but not itself":                             {stripping, tiny(strings.Replace(stripping, "])", "]) + '# compiled\\n'", 1)), hello, 2, "hello", false},
		"a quine, and a sample that writes it":                    {quine, "not Starlark (", "nor this (", 2, strings.ReplaceAll(quine, "'", `"`), false}, // %r writes double quotes
		"the source is the compiler":                              {stripping, stripping, hello, 2, "hello", false},
		"the sample is the source":                                {stripping, tiny(stripping), tiny(stripping), 2, "hello", false},
		"the sample writes, and faults then":                      {stripping, tiny(stripping), tiny("emit('hello')\nx = 1 // 0\n"), 2, "hello", false},
		"an empty sample is not Starlark":                         {greeting, tiny(greeting), "", 2, "hello", true},
		"it takes longer than it may":                             {"while True:\n    pass\n", tiny(stripping), hello, 2, "hello", false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			repo := l.candidate(1, l.atom(1, c.compiler), l.atom(1, c.source), l.atom(c.by, c.sample), l.atom(c.by, c.out))
			l.store()
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

// Each run of a test may load what is not in memory; the test then waits for it.
func TestLanguage_WaitsForWhatItsRunsLoad(t *testing.T) {
	hello := tiny("emit('hello')\n")
	for name, write := range map[string]func(load, get string) (compiler, source, sample string){
		"C0 compiles itself": func(load, _ string) (string, string, string) {
			return load + "def main(stdin):\n    return strip(str(stdin))\n", tiny(stripping), hello
		},
		"C1 compiles itself": func(load, _ string) (string, string, string) {
			return stripping, tiny(load + "def main(stdin):\n    return strip(str(stdin))\n"), hello
		},
		"C1 compiles the sample": func(_, get string) (string, string, string) {
			return stripping, tiny(strings.Replace(stripping, "\n", "\n    if len(stdin) < 20:\n        "+get+"\n", 1)), hello
		},
		"the sample runs": func(load, _ string) (string, string, string) {
			return stripping, tiny(stripping), tiny(load + "emit(strip('> hello')[:5])\n")
		},
	} {
		l := newLab(t)
		module := l.atom(5, "def strip(text):\n    return ''.join([l[2:] + '\\n' for l in text.splitlines()])\n")
		compiler, source, sample := write(fmt.Sprintf("load('vault:%v', 'strip')\n", module), fmt.Sprintf("vault_get('%v')", module))
		repo := l.candidate(1, l.atom(1, compiler), l.atom(1, source), l.atom(2, sample), l.atom(2, "hello"))
		l.store()
		l.endCycle(advancedEpoch)
		if got := l.language.Get(repo); got == nil || !got.Passed {
			t.Errorf("%s: %+v, want passed", name, got)
		}
	}
}

// A repo that lacks one of the four files is no language, even one whose compiler makes a language of nothing.
func TestLanguage_NeedsAllFiles(t *testing.T) {
	compiler := strings.ReplaceAll(branchQuine, "[:1] == 'S'", " == ''")
	for missing, want := range map[int]bool{-1: true, 0: false, 1: false, 2: false, 3: false} {
		l := newLab(t)
		files := []wire.Hash{l.atom(1, compiler), l.atom(1, ""), l.atom(2, "nor this ("), l.atom(2, "ran")}
		if missing >= 0 {
			files[missing] = wire.Hash{1}
		}
		repo := l.candidate(1, files[0], files[1], files[2], files[3])
		l.endCycle(advancedEpoch)
		if got := l.language.Get(repo); got == nil || got.Passed != want {
			t.Errorf("without file %d: %+v, want passed %t", missing, got, want)
		}
	}
}

// What a system stored is no agent's language and no agent's word about a sample, and what it published is not tested.
func TestLanguage_SystemsTakeNoPart(t *testing.T) {
	for name, by := range map[string][2]wire.AgentID{"compiler": {me, {2}}, "sample": {{1}, me}} {
		l := newLab(t)
		put := func(a wire.AgentID, text string) wire.Hash { return l.v.put(a, 1, wire.ObjectAtom, []byte(text)) }
		repo := l.candidate(1, put(by[0], stripping), put(by[0], tiny(stripping)), put(by[1], tiny("emit('hello')\n")), put(by[1], "hello"))
		l.endCycle(advancedEpoch)
		if got := l.language.Get(repo); got == nil || got.Passed {
			t.Errorf("%s by a system: %+v, want not passed", name, got)
		}
		l.v.published[0].Owner, l.v.published[0].Place = me, 2
		l.endCycle(advancedEpoch)
		if got := l.language.Get(repo); got.Place != 1 {
			t.Errorf("published by a system: tested, %+v", got)
		}
	}
}

// A test that was prepared for a cycle end that did not come is not finished at a later one.
func TestLanguage_TestIsOfItsCycle(t *testing.T) {
	l := newLab(t)
	if left := l.Missing(l.c.Tick, advancedEpoch); len(left) > 0 {
		t.Fatalf("%d contents are missing for no candidate", len(left))
	}
	l.endCycle(advancedEpoch - 1)
	repo := l.candidate(1, l.atom(1, stripping), l.atom(1, tiny(stripping)), l.atom(2, tiny("emit('hello')\n")), l.atom(2, "hello"))
	l.endCycle(advancedEpoch)
	if got := l.language.Get(repo); got == nil || !got.Passed {
		t.Errorf("%+v, want passed", got)
	}
}

// The expected output of a sample counts only if the sample's author stored it, not the language's author or anybody
// else.
func TestLanguage_ExpectedOutputMustBeBySampleAuthor(t *testing.T) {
	for by, want := range map[int]bool{1: false, 2: true, 3: false} {
		l := newLab(t)
		repo := l.candidate(1, l.atom(1, stripping), l.atom(1, tiny(stripping)), l.atom(2, tiny("emit('hello')\n")), l.atom(by, "hello"))
		l.store()
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

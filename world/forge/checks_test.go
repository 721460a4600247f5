package forge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// tree stores a tree; a path may have one slash.
func (l *lab) tree(files map[string]wire.Hash) wire.Hash {
	var t wire.Tree
	dirs := map[string]map[string]wire.Hash{}
	for path, id := range files {
		dir, name, deep := strings.Cut(path, "/")
		if !deep {
			t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(path), Value: id, Kind: wire.TreeEntryKindAtom})
			continue
		}
		if dirs[dir] == nil {
			dirs[dir] = map[string]wire.Hash{}
		}
		dirs[dir][name] = id
	}
	for dir, files := range dirs {
		t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(dir), Value: l.tree(files), Kind: wire.TreeEntryKindTree})
	}
	slices.SortFunc(t.Entries, func(a, b wire.TreeEntry) int { return bytes.Compare(a.Key, b.Key) })
	return l.v.put(l.n.ids[0], 1, wire.ObjectTree, wire.TreeCodec.Append(nil, &t))
}

// snap is a snap of a tree.
func (l *lab) snap(files map[string]wire.Hash) wire.Hash {
	root := l.tree(files)
	id := root
	id[0] ^= 0xFF
	l.v.roots[id] = root
	return id
}

// check has work checked as Agora does.
func (l *lab) check(work world.Submission) (passed bool, r *world.Refusal) {
	l.t.Helper()
	failed, r := l.failed(work)
	return failed == nil && r == nil, r
}

// failed is the first check that work does not pass.
func (l *lab) failed(work world.Submission) (*wire.FailedCheck, *world.Refusal) {
	l.t.Helper()
	l.at(l.c.Tick + 1)
	prepared := make([]any, 1)
	l.prepare([]world.Task{l.CheckTask(l.c.Tick, 0, work)}, prepared)
	return l.Check(l.c, prepared[0], work)
}

const doubling = "def double(n):\n    return 2 * n\n"

// What passes and fails a check, and the forge ticks that it costs: one for reading the file if there is one, one for its
// run, and two for loading it into its test.
func TestCheck_PassAndFail(t *testing.T) {
	test := "load('submission', 'double')\nif double(4) != 8 or 'double' not in str(stdin):\n    fail('no')\n"
	for name, c := range map[string]struct {
		text, test, path string
		ticks            uint64
		passed           bool
		used             uint64
	}{
		"compiles":                       {doubling, "", "main.star", 100, true, 2},
		"passes its test":                {doubling, test, "main.star", 100, true, 4},
		"in a folder":                    {doubling, test, "src/main.star", 100, true, 4},
		"main is not called":             {"def main(stdin):\n    fail('called')\n", "", "main.star", 100, true, 4}, // 2 ticks for the module
		"no program":                     {"def double(:\n", "", "main.star", 100, false, 1},
		"no program, with a test":        {"def double(:\n", test, "main.star", 100, false, 1},
		"its top level faults":           {"x = 1 // 0\n", "", "main.star", 100, false, 2},
		"fails its test":                 {"def double(n):\n    return n\n", test, "main.star", 100, false, 4},
		"lacks what the test loads":      {"def triple(n):\n    return n\n", test, "main.star", 100, false, 4},
		"does not end":                   {"while True:\n    pass\n", "", "main.star", 5, false, 5},
		"is not where it should be":      {doubling, "", "lib.star", 100, false, 0},
		"is below what is no folder":     {doubling, "", "main.star/main.star", 100, false, 0},
		"the test is no program":         {doubling, "x =", "main.star", 100, false, 1},
		"has to be found in a real tree": {doubling, "", "", 100, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stored := range []bool{false, true} {
				l := newLab(t)
				file := "main.star"
				if strings.HasPrefix(c.path, "src/") {
					file = c.path
				}
				work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{file: l.atom(1, c.text)}), Checks: []world.ProgramCheck{{Path: []byte(c.path), Ticks: c.ticks}}}
				if c.test != "" {
					id := l.atom(0, c.test)
					work.Checks[0].Test = &id
				}
				if stored {
					l.store()
				}
				passed, r := l.check(work)
				if used := 1000 - l.TicksLeft(work.Claimer); passed != c.passed || r != nil || used != c.used {
					t.Errorf("stored %t: passed %t, refusal %v, %d forge ticks used; want %t and %d", stored, passed, r, used, c.passed, c.used)
				}
			}
		})
	}
}

// Reading the file counts among the ticks of each check, one for each KiB, and a text for which they do not suffice is
// not compiled.
func TestCheck_ReadingCountsAmongItsTicks(t *testing.T) {
	comment := func(size int) string { return strings.Repeat("#", size) }
	for name, c := range map[string]struct { // a run takes one forge tick
		text   string
		ticks  []uint64 // of the checks
		passed bool
		used   uint64
		why    string
	}{
		"one KiB":          {comment(1024), []uint64{2}, true, 2, ""},
		"a byte more":      {comment(1025), []uint64{3}, true, 3, ""},
		"read twice":       {comment(1025), []uint64{3, 3}, true, 6, ""},
		"none left to run": {comment(1025), []uint64{2}, false, 2, "reading the file takes 2 forge ticks, and the requirement has 2"},
		"too long":         {comment(200*1024) + "\ndef (", []uint64{100}, false, 100, "reading the file takes 201 forge ticks, and the requirement has 100"},
		"no program":       {comment(2000) + "\ndef (", []uint64{100}, false, 2, "not an identifier"},
	} {
		l := newLab(t)
		work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": l.atom(1, c.text)})}
		for _, ticks := range c.ticks {
			work.Checks = append(work.Checks, world.ProgramCheck{Path: []byte("a"), Ticks: ticks})
		}
		failed, r := l.failed(work)
		why := ""
		if failed != nil {
			why = string(failed.Why)
		}
		if used := 1000 - l.TicksLeft(work.Claimer); r != nil || (failed == nil) != c.passed || why != c.why || used != c.used {
			t.Errorf("%s: %q, refusal %v, %d forge ticks used; want %q and %d", name, why, r, used, c.why, c.used)
		}
	}
}

// What was not run before the tick, because it had to be refused then, is not run at the commit, where it could not read
// the store.
func TestCheck_UnpreparedSubmissionIsBusy(t *testing.T) {
	l := newLab(t)
	before := l.State().Hash()
	work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": l.atom(1, "x = 1")}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 100}}}
	if _, r := l.Check(l.c, nil, work); r == nil || r.Reason != "busy" || l.State().Hash() != before {
		t.Errorf("refusal %+v, want busy and nothing changed", r)
	}
}

// TestCheck_SaysWhatIsWrong: which requirement, in which program and line, and in what words.
func TestCheck_SaysWhatIsWrong(t *testing.T) {
	const test = "load('submission', 'double')\n\n\nif double(4) != 8:\n    fail('double(4) is not 8' + 300 * '!')\n"
	for _, c := range []struct{ text, test, path, want string }{
		{"def double(n):\n    return n\n", test, "a", "7 MUST_PASS_TESTS USER_FAULT test:5 fail: double(4) is not 8!"},
		{"def double(n):\n    return n // 0\n", test, "a", "7 MUST_PASS_TESTS DIVIDE_BY_ZERO submission:2 floored division by zero"},
		{"x = 1 // 0\n", "", "a", "7 MUST_COMPILE DIVIDE_BY_ZERO submission:1 floored division by zero"},
		{"def main(stdin):\n    pass\nx = 1 // 0\n", "", "a", "7 MUST_COMPILE DIVIDE_BY_ZERO submission:3 "},
		{"x = 1\ndef (:\n", test, "a", "7 MUST_PASS_TESTS INVALID_INSTRUCTION submission:2 not an identifier"},
		{"x = 1\n", "x = 2\nx =\n", "a", "7 MUST_PASS_TESTS INVALID_INSTRUCTION test:2 "},
		{"x = 1\n", "", "main.star", "7 MUST_COMPILE <nil> :0 the snap has no file main.star that you may read"},
		{"while True:\n    pass\n", "", "a", "7 MUST_COMPILE OUT_OF_TICKS submission:"},
		{strings.Repeat("#", 5*1024+1), "", "a", "7 MUST_COMPILE OUT_OF_TICKS submission:0 reading the file takes 6 forge ticks, and the requirement has 5"},
	} {
		l := newLab(t)
		work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": l.atom(1, c.text)}), Checks: []world.ProgramCheck{{Place: 7, Path: []byte(c.path), Ticks: 5}}}
		if c.test != "" {
			id := l.atom(0, c.test)
			work.Checks[0].Test = &id
		}
		f, r := l.failed(work)
		if f == nil || r != nil {
			t.Errorf("%q: passes, or is refused: %v", c.text, r)
			continue
		}
		fault := "<nil>"
		if f.Fault != nil {
			fault = f.Fault.String()
		}
		got := fmt.Sprintf("%d %s %s %s:%d %s", f.Requirement, f.Kind, fault, f.Program, f.Line, f.Why)
		if !strings.HasPrefix(got, c.want) || len(f.Why) > wire.MaxWhy {
			t.Errorf("%q is told\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// A file without content is there, and compiles.
func TestCheck_EmptyFilePasses(t *testing.T) {
	l := newLab(t)
	empty := l.v.put(l.n.ids[1], 1, wire.ObjectAtom, nil)
	work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": empty}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 1}}}
	if failed, r := l.failed(work); failed != nil || r != nil {
		t.Errorf("fails: %+v, refusal %v", failed, r)
	}
}

// What the check or the work names may be unknown: then the check fails.
func TestCheck_UnknownSnapOrTestFails(t *testing.T) {
	l := newLab(t)
	snap := l.snap(map[string]wire.Hash{"a": l.atom(1, "x = 1")})
	for _, c := range []struct {
		snap wire.Hash
		test *wire.Hash
		want string
	}{
		{wire.Hash{1}, nil, "the snap has no file a that you may read"},
		{snap, &wire.Hash{1}, "the test cannot be read"},
	} {
		work := world.Submission{Claimer: l.n.ids[1], Snap: c.snap, Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 100, Test: c.test}}}
		if failed, r := l.failed(work); failed == nil || string(failed.Why) != c.want || r != nil {
			t.Errorf("%+v, refusal %v; want a failure: %s", failed, r, c.want)
		}
	}
}

// A submission may load a module whose content is not in memory.
func TestCheck_LoadsModuleFromStore(t *testing.T) {
	l := newLab(t)
	text := "load('vault:" + l.atom(5, doubling).String() + "', 'double')\nx = double(2)\n"
	work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": l.atom(1, text)}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 100}}}
	l.store()
	if failed, r := l.failed(work); failed != nil || r != nil {
		t.Errorf("fails: %+v, refusal %v", failed, r)
	}
}

func TestCheck_MayUseAMiBOfMemory(t *testing.T) {
	const text = "x = 'a' * 500000\ny = 'a' * %d\n"
	for size, want := range map[uint64]bool{maxMemory: true, maxMemory + 1: false} {
		l := newLab(t)
		p, err := program.Compile(fmt.Appendf(nil, text, 500_000))
		if err != nil {
			t.Fatal(err)
		}
		used := program.Run(program.Input{Program: p, Steps: 100 * program.StepsPerTick, Memory: maxMemory}).Memory
		file := l.atom(1, fmt.Sprintf(text, 500_000+size-used))
		work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": file}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 100}}}
		if failed, r := l.failed(work); (failed == nil) != want || r != nil {
			t.Errorf("with %d bytes: %+v, refusal %v; want passed %t", size, failed, r, want)
		}
	}
}

// TestCheck_StopsAtFirstFailure: later checks cost nothing.
func TestCheck_StopsAtFirstFailure(t *testing.T) {
	l := newLab(t)
	snap := l.snap(map[string]wire.Hash{"bad": l.atom(1, "x = 1 // 0\n"), "long": l.atom(1, "while True:\n    pass\n")})
	passed, r := l.check(world.Submission{Claimer: l.n.ids[1], Snap: snap, Checks: []world.ProgramCheck{{Path: []byte("bad"), Ticks: 100}, {Path: []byte("long"), Ticks: 500}}})
	if left := l.TicksLeft(l.n.ids[1]); passed || r != nil || left != 998 {
		t.Errorf("passed %t, refusal %v, %d forge ticks left; want a failure that cost two", passed, r, left)
	}
}

// TestCheck_Quota: who has not the forge ticks that the checks may take is refused and pays nothing.
func TestCheck_Quota(t *testing.T) {
	l := newLab(t)
	l.cpu.charge(l.n.ids[1], 600)
	before := l.State().Hash()
	work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": l.atom(1, "x = 1")}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 200}, {Path: []byte("a"), Ticks: 201}}}
	if passed, r := l.check(work); passed || r == nil || r.Reason != "cpu_quota" || l.State().Hash() != before {
		t.Errorf("passed %t, refusal %+v; want cpu_quota and nothing changed", passed, r)
	}
	work.Checks[1].Ticks = 200
	if passed, r := l.check(work); !passed || r != nil {
		t.Errorf("with enough: passed %t, refusal %+v", passed, r)
	}
}

// Submissions are read with the rights of the claimer.
func TestCheck_UnreadableObjectFails(t *testing.T) {
	l := newLab(t)
	id := l.atom(2, "x = 1")
	o := l.v.objects[id]
	o.hidden = l.n.ids[1:2]
	l.v.objects[id] = o
	work := world.Submission{Claimer: l.n.ids[1], Snap: l.snap(map[string]wire.Hash{"a": id}), Checks: []world.ProgramCheck{{Path: []byte("a"), Ticks: 100}}}
	if passed, r := l.check(work); passed || r != nil {
		t.Errorf("passed %t, refusal %v", passed, r)
	}
}

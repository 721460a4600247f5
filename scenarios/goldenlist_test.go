package scenarios

import (
	"errors"
	"strings"
	"testing"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	hashC = "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
)

// Only the hashes change: comments, order, quotes and empty lines stay.
func TestGoldenList_UpdateChangesNothingElse(t *testing.T) {
	const before = `# why this list
- scenario: epoch0   # the first
  world_hash: "` + hashA + `" # kept
  cycles: 2
  seed: '42'

# another one
- {scenario: epoch0, seed: "43", cycles: 2, world_hash: not a hash}
- {seed: "44", cycles: 2, scenario: epoch0}
-   name: with cycles
    scenario: ./mine.yaml
    seed: "45"
    cycles: 2 # two
    set: ["a=1",
          "b=2"]
    cycle_hashes: [ x, "` + hashA + `" ]
- scenario: epoch0
  seed: "46"
  cycles: 2
  world_hash:
  cycle_hashes: [] # filled in
- {scenario: epoch0, seed: "48", cycle_hashes: [], cycles: 2, world_hash: ""}
- scenario: epoch0
  seed: "47"
  cycles: 2
  cycle_hashes:
    - older
    - old
  world_hash: old   # tail
`
	const want = `# why this list
- scenario: epoch0   # the first
  world_hash: "` + hashC + `" # kept
  cycles: 2
  seed: '42'

# another one
- {scenario: epoch0, seed: "43", cycles: 2, world_hash: "` + hashC + `"}
- {seed: "44", cycles: 2, world_hash: "` + hashC + `", scenario: epoch0}
-   name: with cycles
    scenario: ./mine.yaml
    seed: "45"
    cycles: 2 # two
    world_hash: "` + hashC + `"
    set: ["a=1",
          "b=2"]
    cycle_hashes: [ "` + hashB + `", "` + hashC + `" ]
- scenario: epoch0
  seed: "46"
  cycles: 2
  world_hash: "` + hashC + `"
  cycle_hashes: ["` + hashB + `", "` + hashC + `"] # filled in
- {scenario: epoch0, seed: "48", cycle_hashes: ["` + hashB + `", "` + hashC + `"], cycles: 2, world_hash: "` + hashC + `"}
- scenario: epoch0
  seed: "47"
  cycles: 2
  cycle_hashes:
    - "` + hashB + `"
    - "` + hashC + `"
  world_hash: "` + hashC + `"   # tail
`
	l, err := ParseGolden("list/golden.yaml", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Entries {
		if err := l.Update(i, hashC, []string{hashB, hashC}); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(l.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := ParseGolden("list/golden.yaml", l.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Entries {
		if err := again.Entries[i].Check(); err != nil {
			t.Errorf("entry %d: %v", i+1, err)
		}
	}
	g := again.Entries[3]
	odd := g
	odd.WorldHash = hashA
	if err := odd.Check(); err == nil || !strings.Contains(err.Error(), "world_hash is not the last of cycle_hashes") {
		t.Errorf("two hashes of the last cycle: %v", err)
	}
	if g.Title() != "with cycles" || g.Path("list/golden.yaml") != "list/mine.yaml" || again.Entries[0].Path("list/golden.yaml") != "epoch0" {
		t.Errorf("title %q, path %q", g.Title(), g.Path("list/golden.yaml"))
	}
}

func TestParseGolden_Errors(t *testing.T) {
	for text, says := range map[string]string{
		"":                                "has no entries; want a list of",
		"[]":                              "has no entries",
		"# nothing\n":                     "has no entries",
		"- {seed: 1, cycles: 1}":          "g.yaml:1: entry 1: scenario is missing",
		"- {scenario: epoch0, cycles: 1}": "entry 1: seed is missing",
		"- {scenario: epoch0, seed: 1}":   "cycles is missing or 0",
		"- {scenaro: epoch0}":             "g.yaml:1:4: entry 1: scenaro: unknown key; did you mean scenario? the keys are name, scenario,",
		"scenario: epoch0":                "g.yaml:1:1: is a mapping; want a list of",

		"- {scenario: epoch0, seed: 1, cycles: -2, foo: 1}": "g.yaml:1:39: entry 1: cycles: is -2; want a whole number from 1 on\ng.yaml:1:43: entry 1: foo: unknown key;",
		"- {scenario: [a], set: {a: b}}":                    "g.yaml:1:14: entry 1: scenario: is a list; want the name of a scenario, or a path\ng.yaml:1:24: entry 1: set: is a mapping; want a list of path=value",
		"- {set: [[a]], cycle_hashes: 1}":                   "entry 1: cycle_hashes: is 1; want a list of",
		"- {scenario: a, set: [[a]]}":                       "g.yaml:1:22: entry 1: set: is a list; want a list of path=value",
		"- epoch0":                                          `g.yaml:1:3: entry 1: is the text "epoch0"; want a mapping with the keys name,`,
		"- {scenario: a, seed: 1, seed: 2}":                 "g.yaml:1:26: entry 1: seed: is written twice; keep one",
		"- {scenario: a}\n---\n- {scenario: b}":             "g.yaml:2:1: holds a second document; keep all entries in one list",
		"--- # nothing\n":                                   "g.yaml:2:1: is empty; want a list of",
		"- {scenario: [}":                                   "g.yaml:1:15: is not YAML here: ",

		"- {scenario: epoch0, seed: 1, cycles: 1, set: [a=b, seed=2]}": "g.yaml:1: entry 1: set has seed=2, and the entry has a key for it; give it there",
		"- {scenario: epoch0, seed: 1, cycles: 1, set: [cycles=2]}":    "g.yaml:1: entry 1: set has cycles=2, and",

		"- {scenario: epoch0, seed: 1, cycles: 1, cycle_hashes: [a, b]}":     "g.yaml:1: entry 1: cycle_hashes has 2 hashes for 1 cycles; want one for each cycle, or [], which kingdom verify --update fills in",
		"- scenario: epoch0\n  seed: 1\n  cycles: 3\n  cycle_hashes: [a, b]": "g.yaml:4: entry 1: cycle_hashes has 2 hashes for 3 cycles; want one for each cycle, or []",
	} {
		_, err := ParseGolden("g.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// An entry that is no mapping is one problem, whatever it contains.
func TestParseGolden_OneProblemForAnEntryThatIsNoMapping(t *testing.T) {
	_, err := ParseGolden("g.yaml", []byte("- [a, b]\n"))
	if bad := new(Error); !errors.As(err, &bad) || len(bad.Problems) != 1 || !strings.HasPrefix(err.Error(), "g.yaml:1:3: entry 1: is a list; want a mapping") {
		t.Errorf("got %v", err)
	}
}

func TestGolden_TitleAndPath(t *testing.T) {
	for _, c := range []struct {
		entry       Golden
		title, path string
	}{
		{Golden{Name: "mine", Scenario: "epoch0", Seed: "1"}, "mine", "epoch0"},
		{Golden{Scenario: "epoch0", Seed: "1"}, "epoch0 seed 1", "epoch0"},
		{Golden{Scenario: "a.yaml", Seed: "1", Set: []string{"cycles=3", "epoch=1"}}, "a.yaml seed 1 cycles=3 epoch=1", "list/a.yaml"},
		{Golden{Scenario: "/tmp/a.yaml", Seed: "x"}, "/tmp/a.yaml seed x", "/tmp/a.yaml"},
	} {
		if title, path := c.entry.Title(), c.entry.Path("list/golden.yaml"); title != c.title || path != c.path {
			t.Errorf("%+v: title %q, path %q; want %q, %q", c.entry, title, path, c.title, c.path)
		}
	}
}

// A missing hash is written before a comment in its place, and at the end of a file that ends without a line break.
func TestGoldenList_UpdateOfMissingHashes(t *testing.T) {
	for before, want := range map[string]string{
		"- scenario: epoch0\n  seed: 1\n  cycles: 2":                                 "- scenario: epoch0\n  seed: 1\n  cycles: 2\n  world_hash: \"" + hashC + "\"\n",
		"- scenario: epoch0\n  seed: 1\n  world_hash: # to be filled\n  cycles: 2\n": "- scenario: epoch0\n  seed: 1\n  world_hash: \"" + hashC + "\" # to be filled\n  cycles: 2\n",
	} {
		l, err := ParseGolden("g.yaml", []byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Update(0, hashC, nil); err != nil || string(l.Bytes()) != want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, l.Bytes(), want)
		}
	}
}

// A value that is not written on one line, or at another place, is not replaced.
func TestGoldenList_UpdateRefuses(t *testing.T) {
	const entry = "- scenario: epoch0\n  seed: 1\n  cycles: 2\n"
	for _, c := range []struct {
		text string
		i    int
		want string
	}{
		{"- &first {scenario: epoch0, seed: 1, cycles: 2}\n- *first\n", 1, "g.yaml:2: entry 2: is an alias; write it out to have its hash updated"},
		{"- &first {scenario: epoch0, seed: 1, cycles: 2}\n- {<<: *first, seed: 2}\n", 1, "g.yaml:2: entry 2: merges keys of another one (<<); write them out to have its hash updated"},
		{entry + "  world_hash: |\n    abc\n", 0, "g.yaml:1: entry 1: write world_hash and its value on one line to have it updated"},
		{entry + "  world_hash: >\n    abc\n", 0, "write world_hash and its value on one line"},
		{entry + "  name: &hash abc\n  world_hash: *hash\n", 0, "write world_hash and its value on one line"},
		{entry + "  ? world_hash\n  : abc\n", 0, "write world_hash and its value on one line"},
		{entry + "  cycle_hashes: [ ]\n", 0, "write cycle_hashes: [] to have it filled in"},
		{entry + "  name: &hash abc\n  cycle_hashes: [a, *hash]\n", 0, "write each of cycle_hashes on one line to have it updated"},
	} {
		l, err := ParseGolden("g.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Update(c.i, hashC, []string{hashA, hashB}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
		if string(l.Bytes()) != c.text {
			t.Errorf("the text was changed to\n%s", l.Bytes())
		}
	}
}

package ooda

import (
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

func TestWantPrograms(t *testing.T) {
	repo, noRepo := wire.Hash{0xE0}, wire.Hash{0xFF}
	for _, c := range []struct {
		name string
		work memory.WorkNote
		libs int
		want string // title of the bounty that is offered a cycle later; "": none
	}{
		{"it runs", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTried, Tries: 3}, 1, ""},
		{"it failed once", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkFaulty, Tries: 1}, 1, ""},
		{"it failed twice", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkFaulty, Tries: 2, Defines: []byte("gcd, lcm")}, 1, "Program: one that defines gcd, lcm"},
		{"it is no program at all", memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkFaulty, Tries: 2, Why: []byte("it is no program")}, 1, "Program: in place of mine, since it is no program"},
		{"a delivery is its own affair", memory.WorkNote{Kind: memory.WorkDelivery, Stage: memory.WorkFaulty, Tries: 5}, 1, ""},
		{"it failed often, but has no repo yet", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkFaulty, Tries: 5, Repo: noRepo}, 1, ""},
		{"it builds on another, which is out of sight", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTagged, Uses: wire.Hash{1}}, 0, ""},
		{"it is not published yet", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTried}, 0, ""},
		{"a service needs nothing to build on", memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkTagged}, 0, ""},
		{"nothing to build on", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTagged}, 0, "Program: a library that others can load"},
		{"something to build on", memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTagged}, 1, ""},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		if c.work.At = 256; c.work.Repo == noRepo {
			c.work.Repo = wire.Hash{}
		} else {
			c.work.Repo = repo
		}
		s.a.Notebook.Works = []memory.WorkNote{c.work}
		s.view.Libraries = make([]wire.LibraryView, c.libs)
		s.next = 256 + 256 + 4
		b, _ := s.lists("bounty_create").(*wire.BountyCreate)
		switch {
		case b == nil && c.want != "":
			t.Errorf("%s: nothing is offered for it", c.name)
		case b != nil && (string(b.Title) != c.want || len(b.Requirements) != 2 || len(b.Reviewers) != 0):
			t.Errorf("%s: %q asks for %d things", c.name, b.Title, len(b.Requirements))
		}
		if s.a.Notebook.Works[0].Stage = memory.WorkTried; c.libs == 0 {
			s.view.Libraries = make([]wire.LibraryView, 1)
		}
		s.lists("bounty_create")
		if n := len(s.a.Memory.Market.Wants); n != 0 {
			t.Errorf("%s: %d things are wanted when it runs", c.name, n)
		}
	}
}

// A program delivered for a bounty replaces the faulty one, so it is paid for once.
func TestWantPrograms_DeliveredProgramReplacesFaultyOne(t *testing.T) {
	repo, bounty := wire.Hash{0xE0}, wire.Hash{0xB0}
	for _, c := range []struct {
		name  string
		stage memory.WorkStage // when it is delivered
		kept  bool
	}{{"it still fails", memory.WorkFaulty, false}, {"it runs by now", memory.WorkTried, true}} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		s.a.Notebook.Works = []memory.WorkNote{{Kind: memory.WorkModule, Stage: memory.WorkFaulty, Tries: 2, Defines: []byte("gcd"), Repo: repo, At: 256}}
		s.next = 256 + 256 + 4
		if s.lists("bounty_create") == nil {
			t.Fatalf("%s: nothing is offered for it", c.name)
		}
		s.a.Memory.Market.BountyCreated(repo, bounty, s.view.Tick)
		s.a.Notebook.Works[0].Stage = c.stage
		s.see(event(wire.KindBountyCompleted, s.next, peerB, &wire.BountyCompletedEvent{BountyID: bounty, Claimer: peerB, Reward: 5}))
		if kept := s.a.Notebook.WorkOf(repo) != nil; kept != c.kept {
			t.Errorf("%s: kept %v", c.name, kept)
		}
		if s.next += 1024; s.lists("bounty_create") != nil {
			t.Errorf("%s: another bounty is offered", c.name)
		}
	}
}

func TestDefinedIn_ListsTopLevelFunctions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def gcd(a, b):\n    return a\n\ndef lcm(a, b):\n    def inner(x):\n        pass\n", "gcd, lcm"},
		{"def " + strings.Repeat("a", 40) + "():\ndef " + strings.Repeat("b", 20) + "():\ndef c():\n", strings.Repeat("a", 40) + ", " + strings.Repeat("b", 20)}, // 62 bytes; one more name takes three
		{"def " + strings.Repeat("a", 40) + "():\ndef " + strings.Repeat("b", 22) + "():\n", strings.Repeat("a", 40) + ", " + strings.Repeat("b", 22)},           // just all 64 bytes
		{"x = 1\n", ""},
		{"def broken\n", ""},
		{"def an_extremely_long_name_that_leaves_no_room_for_anything_else_at_all(a):\n  pass\ndef f():\n  pass\n", "f"},
	} {
		if got := string(definedIn([]byte(c.text))); got != c.want {
			t.Errorf("%q defines %q, want %q", c.text, got, c.want)
		}
	}
}

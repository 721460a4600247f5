package ooda

import (
	"fmt"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

func TestOfferOwnPace_EverySixCycles(t *testing.T) {
	for novel, want := range map[wire.Cycle]bool{0: true, 4: true, 5: false, 10: false} {
		s, o := offering(t, func(s *solo) { s.next, s.a.Notebook.Novel = 2560, novel })
		explorer{o}.offerOwnPace(s.about(goals.KindTryNovel, wire.Hash{}))
		if got := len(o.list) > 0; got != want {
			t.Errorf("last experiment in cycle %d, now 10: offered %v", novel, got)
		}
	}
}

func TestOfferExperiment_OnlyWhatTheAgentNeverDid(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.rules.Allowed = []string{"balance_query", "subscribe"} })
	g := s.about(goals.KindExplore, wire.Hash{})
	explorer{o}.offerExperiment(g)
	if len(o.list) != 2 {
		t.Fatalf("%d experiments, want 2", len(o.list))
	}
	s.a.Learning.Act(tripleOf(s.t.slotView.action("balance_query"), goals.SubjectAccount), goals.KindExplore.Domain(), goals.KindExplore, true)
	o.reset()
	explorer{o}.offerExperiment(g)
	if len(o.list) != 1 || o.list[0].Name() != "subscribe" {
		t.Errorf("%d experiments left", len(o.list))
	}
}

// An agent that knows no peer, entry or message is offered fewer experiments, and none with empty parameters.
func TestExperiments_OnlyWithKnownSubjects(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		want    int
	}{
		{"nothing known", func(*solo) {}, 5},
		{"a peer", func(s *solo) { s.meet(peerA) }, 10},
		{"an entry of a peer", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA}) }, 7},
		{"an own entry", func(s *solo) { s.noteEntries(1, memory.EntryNote{Own: true}) }, 6},
		{"a message", func(s *solo) { s.noteMessages(1, memory.MessageNote{Author: peerA}) }, 6},
		{"a grievance, and a name", grieved, 6},
		{"all", func(s *solo) {
			grieved(s)
			s.meet(peerA)
			s.noteEntries(1, memory.EntryNote{Own: true})
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: peerA})
			s.noteMessages(1, memory.MessageNote{Author: peerA})
			s.t.slotView.services = []wire.ServiceView{{ID: wire.Hash{5}}}
			s.t.slotView.libraries = []wire.LibraryView{{Repo: wire.Hash{6}}}
			s.t.slotView.sandboxes = []wire.SandboxView{{ID: wire.Hash{7}, State: wire.SandboxStateHalted}}
			w := s.a.Notebook.BeginWork(memory.WorkModule, wire.Hash{}, 256)
			w.Stage, w.Repo, w.First, w.Snap = memory.WorkTagged, wire.Hash{8}, wire.Hash{8}, wire.Hash{9}
		}, len(experiments)},
	} {
		s := newSolo(t, genomes[6])
		c.prepare(s)
		n := 0
		for i := range experiments {
			e := &experiments[i]
			p := e.payload(explorer{&s.t.offers})
			if p == nil {
				continue
			}
			n++
			// Peers stand behind the account and agent experiments.
			if kind, _ := subjectOf(p); kind != e.subject {
				t.Errorf("%s: %s is about %v, not %v", c.name, e.action, kind, e.subject)
			}
		}
		if n != c.want {
			t.Errorf("%s: %d experiments, want %d", c.name, n, c.want)
		}
	}
}

func TestOfferExperiment_EntryUpdateShowsItsEntry(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.rules.Allowed = []string{"entry_update", "citation_query"}
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: s.a.ID, Own: true, Title: []byte("Maps")})
	})
	explorer{o}.offerExperiment(s.about(goals.KindExplore, wire.Hash{}))
	for _, a := range o.list {
		if update := a.Name() == "entry_update"; (string(a.Text) == "Maps") != update || (a.Author == s.a.ID.Alias()) != update {
			t.Errorf("%s shows %q by %q", a.Name(), a.Text, a.Author)
		}
	}
	if len(o.list) != 2 {
		t.Errorf("%d experiments, want 2", len(o.list))
	}
}

func TestKnownEntry_IsTheNewest(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i, own := range []bool{true, false, true, false} {
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{byte(i + 1)}, Own: own})
	}
	for own, want := range map[bool]byte{true: 3, false: 4} {
		if id, ok := (explorer{&s.t.offers}).knownEntry(own); !ok || id != (wire.Hash{want}) {
			t.Errorf("own %v: %v", own, id)
		}
	}
}

func TestSomePeer_ChangesEachCycle(t *testing.T) {
	s := newSolo(t, genomes[6])
	if _, ok := (explorer{&s.t.offers}).somePeer(); ok {
		t.Error("a peer of an agent that met nobody")
	}
	s.meet(peerA)
	s.meet(peerB)
	var got []string
	for c := range wire.Cycle(3) {
		s.t.slotView.cycle = c
		id, _ := explorer{&s.t.offers}.somePeer()
		got = append(got, id.Alias()[:2])
	}
	if fmt.Sprint(got) != "[a1 b2 a1]" {
		t.Errorf("%v", got)
	}
}

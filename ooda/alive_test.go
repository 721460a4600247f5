package ooda

import (
	"errors"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm/scripted"
	"kingdom/wire"
)

// live runs a village and counts the completed goals by source.
func live(tb testing.TB, v *village, cycles wire.Cycle, k scripted.Knobs) map[goals.Source]int {
	tb.Helper()
	m := scripted.New(v.rules.WorldSeed, k)
	completed := map[goals.Source]int{}
	for c := wire.Cycle(1); c <= cycles; c++ {
		v.cycle(tb, m, c, 64)
		for _, p := range v.people {
			for _, g := range p.a.Goals.Changed() {
				if g.Status == goals.StatusCompleted {
					completed[g.Source]++
				}
			}
			for _, err := range p.t.Faults() {
				if e := (*agent.Error)(nil); !errors.As(err, &e) || e.Kind != agent.KindParseFailure {
					tb.Error(err)
				}
			}
		}
	}
	return completed
}

func TestVillage_IsAlive(t *testing.T) {
	v := newVillage(8, "42")
	for _, p := range v.people {
		p.balance = 10 // so that survival speaks too
	}
	completed := live(t, v, 40, scripted.Knobs{})
	for s := goals.SourceSurvival; s <= goals.SourceSocial; s++ {
		if completed[s] == 0 {
			t.Errorf("no goal of source %v was completed: %v", s, completed)
		}
	}
	if v.bounty.Status != wire.BountyStatusCompleted {
		t.Errorf("the document bounty is %v", v.bounty.Status)
	}
	did := map[string]int{}
	for i, p := range v.people {
		for k, n := range p.done {
			did[k] += n
		}
		if p.nops > p.acted {
			t.Errorf("agent %d spent %d slots on NOP, %d on actions", i+1, p.nops, p.acted)
		}
		beliefs := 0
		for range p.a.Memory.Beliefs.All() {
			beliefs++
		}
		if p.done["entry_get"] == 0 || len(p.a.Memory.Peers.All()) < 5 || beliefs < 5 {
			t.Errorf("agent %d read %d entries, knows %d peers, holds %d beliefs", i+1, p.done["entry_get"], len(p.a.Memory.Peers.All()), beliefs)
		}
		refused := 0
		for _, n := range p.failed {
			refused += n
		}
		if refused*10 > p.acted {
			t.Errorf("agent %d: %d of %d actions were infeasible: %v", i+1, refused, p.acted, p.failed)
		}
	}
	for _, a := range []string{"bounty_claim", "bounty_submit", "entry_publish", "entry_verify", "msg_post", "msg_query", "signal_send", "agent_status"} {
		if did[a] == 0 {
			t.Errorf("nobody ever did %s", a)
		}
	}
}

// In three villages together a librarian publishes at least twice as much as an explorer over the same cycles, and an
// explorer tries more kinds of things.
func TestVillage_GenomesDiffer(t *testing.T) {
	var published, tried [2]int // of librarians and explorers
	for _, seed := range []string{"42", "43", "44"} {
		v := newVillage(8, seed)
		live(t, v, 20, scripted.Knobs{})
		for i, p := range []*villager{v.people[2], v.people[5]} {
			published[i] += p.done["entry_publish"]
			tried[i] += p.done["subscribe"] + p.done["citation_query"] + p.done["balance_query"]
		}
	}
	if published[0] < 2*max(published[1], 1) {
		t.Errorf("published: librarians %d, explorers %d", published[0], published[1])
	}
	if tried[1] <= tried[0] {
		t.Errorf("experiments: librarians %d, explorers %d", tried[0], tried[1])
	}
}

func TestVillage_SameSeedGivesSameStateHashes(t *testing.T) {
	a, b, other := newVillage(4, "7"), newVillage(4, "7"), newVillage(4, "8")
	for _, v := range []*village{a, b, other} {
		live(t, v, 4, scripted.Knobs{})
	}
	for i := range a.people {
		x, y := a.people[i].a.StateHash(), b.people[i].a.StateHash()
		if x != y {
			t.Errorf("agent %d: %v and %v after the same four cycles", i+1, x, y)
		}
		if x == other.people[i].a.StateHash() {
			t.Errorf("agent %d is the same under another seed", i+1)
		}
	}
}

func TestVillage_AgentsWithUnusableAnswersFallDormant(t *testing.T) {
	v := newVillage(3, "42")
	streaks := map[uint32]int{}
	v.log = func(_ *villager, _ Asked, _ []byte, s Step, _ wire.Reply) {
		if s.Kind == StepSend {
			q, ok := s.Payload.(*wire.AgentStatusMsg)
			if !ok || q.NopStreak == nil {
				t.Fatalf("sent %+v", s.Payload)
			}
			streaks[*q.NopStreak]++
		}
		if s.NOP == nil || s.NOP.Reason != NOPParseFailed || s.NOP.Attempts != 3 {
			t.Fatalf("slot without an unusable answer: %+v", s.NOP)
		}
	}
	live(t, v, 1, scripted.Knobs{MalformedRate: 1})
	if streaks[3] != 3 || streaks[10] != 3 || len(streaks) != 2 {
		t.Errorf("reports by streak: %v", streaks)
	}
	for _, p := range v.people {
		if p.a.Status != wire.StatusDormant || p.nops != 10 {
			t.Errorf("%v after %d NOPs", p.a.Status, p.nops)
		}
		p.t.Wake(v.tick)
		if p.a.Status != wire.StatusActive || p.a.NOPStreak != 0 || !p.a.Goals.Has(goals.SourceCuriosity, goals.KindExplore) {
			t.Errorf("woken: %v, streak %d", p.a.Status, p.a.NOPStreak)
		}
	}
}

package engine

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// askedFor is a goal of an operator in a domain that no act of the test completes.
func askedFor(domain action.Domain) goals.Goal {
	return goals.Goal{Layer: goals.LayerTask, Source: goals.SourceSocial, Description: goals.Description{
		Kind: goals.KindOperator, Text: "work", Domain: domain, Predicate: "balance>=100000",
	}}
}

// beginning gives the second agent of a world something of everything.
func beginning(seed wire.Hash) []Beginning {
	return []Beginning{{}, {
		Facts: []Fact{
			{Label: "loops", Content: "they repeat", Source: memory.KnowledgeOracle, Confidence: 0.9, RelatesTo: []string{"lists"}},
			{Label: "lists", Content: "they hold", Source: memory.KnowledgeExperience, Confidence: 0.25},
		},
		Goals:     []goals.Goal{askedFor(action.DomainReview)},
		Relations: []Relation{{Peer: wire.AgentIDAt(seed, 1), Successes: 3, Interactions: 4}},
	}}
}

func TestBeginning_KnowledgeTrustAndGoalsAreThereAtStart(t *testing.T) {
	cfg := testConfig("42", 4)
	cfg.Beginnings = beginning(cfg.Rules.Seed)
	cfg.Rules.Balances = []uint64{100, 250}
	opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")}
	e, err := Start(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	plain, second := e.agents.bySpawn()[0], e.agents.bySpawn()[1]
	m := second.a.Memory
	if n, ok := m.Knowledge.Node(memory.NodeID([]byte("loops"))); !ok || n.Content != "they repeat" || n.Confidence < 0.89 || n.Confidence > 0.91 || n.Source != memory.KnowledgeOracle {
		t.Errorf("fact %+v", n)
	}
	if nodes, edges := m.Knowledge.Size(); nodes != 3 || edges != 3 { // one is where they are reached from
		t.Errorf("%d facts and %d relations between them", nodes, edges)
	}
	if trust, known := m.Peers.Trust(plain.id, second.a.SpawnTick); !known || trust != 0.75 {
		t.Errorf("trust %v, known %v", trust, known)
	}
	if g := second.a.Goals.Living(); len(g) != 1 || g[0].Description.Domain != action.DomainReview || g[0].CreatedAt != second.a.SpawnTick {
		t.Errorf("goals %+v", g)
	}
	if nodes, _ := plain.a.Memory.Knowledge.Size(); nodes != 0 || len(plain.a.Goals.Living()) != 0 {
		t.Error("an agent without a beginning has something")
	}
	for i, want := range []int64{100, 250, 100, 100} {
		if got, _ := e.realm.Balance(e.agents.bySpawn()[i].id); got != want {
			t.Errorf("agent %d begins with %d ⚡, want %d", i+1, got, want)
		}
	}
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	want := resultOf(e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	// A resumed run has it from the store, a replay makes it again.
	if e, err = Resume(t.Context(), cfg, opt); err != nil {
		t.Fatal(err)
	}
	if _, known := e.agents.bySpawn()[1].a.Memory.Peers.Trust(plain.id, 0); !known {
		t.Error("the resumed agent has forgotten its peer")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, cfg, Options{}, 2); got != want {
		t.Errorf("made again %+v, want %+v", got, want)
	}
	if got := mustRun(t, testConfig("42", 4), Options{}, 2); got == want {
		t.Error("what agents begin with makes no difference")
	}
}

func TestBeginning_RefusesRelationToUnknownFact(t *testing.T) {
	cfg := testConfig("42", 1)
	cfg.Beginnings = []Beginning{{Facts: []Fact{{Label: "loops", RelatesTo: []string{"lists"}}}}}
	if _, err := Start(t.Context(), cfg, Options{Mind: testMind("42")}); err == nil {
		t.Error("a fact that relates to none is taken")
	}
}

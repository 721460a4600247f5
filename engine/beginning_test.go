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

// deeds counts what one agent sends.
type deeds struct {
	who  wire.AgentID
	sent map[wire.MsgType]int
	all  int
}

func (d *deeds) Cycle(*CycleReport) {}
func (d *deeds) Commit(c *Commit) {
	for i := range c.Seats {
		if s := &c.Seats[i]; s.Agent == d.who && s.Type != 0 {
			d.sent[s.Type]++
			d.all++
		}
	}
}

// deedsWith are the acts of the sixth agent (an explorer) in four worlds, with a goal or without.
func deedsWith(t *testing.T, g *goals.Goal) *deeds {
	t.Helper()
	d := &deeds{sent: map[wire.MsgType]int{}}
	for _, seed := range []string{"42", "43", "44", "45"} {
		cfg := testConfig(seed, 8)
		cfg.Rules.BaseBudget = 64
		d.who = wire.AgentIDAt(cfg.Rules.Seed, 6)
		if g != nil {
			cfg.Beginnings = make([]Beginning, 6)
			cfg.Beginnings[5].Goals = []goals.Goal{*g}
		}
		mustRun(t, cfg, Options{Observers: []Observer{d}}, 12)
	}
	return d
}

// A goal of the closed vocabulary changes what the scripted mind does, each domain in its own way. REVIEW is left out:
// an agent that already judges everything that waits for a verdict can judge no more.
func TestBeginning_DomainGoalChangesWhatScriptedMindDoes(t *testing.T) {
	before := deedsWith(t, nil)
	for _, c := range []struct {
		domain action.Domain
		more   wire.MsgType
	}{
		{action.DomainDocumentation, wire.TypeEntryPublish}, // it states what it has counted
		{action.DomainLibrary, wire.TypeCitationAdd},        // and connects what others have
		{action.DomainSocial, wire.TypeAgentStatus},
	} {
		g := askedFor(c.domain)
		after := deedsWith(t, &g)
		was, is := before.sent[c.more], after.sent[c.more]
		t.Logf("%s: %d -> %d %s, %d -> %d acts", c.domain, was, is, c.more, before.all, after.all)
		if 10*is < 11*was+10 {
			t.Errorf("with a goal in %s the agent sends %d %s, without it %d", c.domain, is, c.more, was)
		}
	}
}

package ooda

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// TestSections_GoldenOfEveryLine shows every line that the sections of an agent's own life can hold.
// Run with -update to rewrite.
func TestSections_GoldenOfEveryLine(t *testing.T) {
	s := newSolo(t, genomes[6])
	b := s.bounty()
	s.slot(withField(getEntry, `,"memory_update":{"lesson":"look first","note":{"set":{"focus":"a \"quoted\" word"}}}`), ack, s.created(b))
	s.slot(getEntry, refused)
	me := s.a.ID
	m := s.a.Memory
	m.Experiences.Add(memory.Experience{Tick: 262, Outcome: memory.OutcomePartial}) // without a lesson
	s.view.Claims = []wire.BountyView{{ID: deal, Creator: peerA, Title: []byte("Mine"), Reward: 7, Deadline: 900, Claimer: &me, Status: wire.BountyStatusClaimed}}
	s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Author: peerA}, {ID: wire.Hash{5}, Author: peerB}}
	s.proposals(2, wire.SystemID(wire.SystemMint), 800)
	for i := range s.view.Proposals {
		s.view.Proposals[i].Kind = wire.ProposalKindCustom
	}
	s.meet(peerA)
	for i := range 14 { // two more than are shown, of three strengths
		m.Beliefs.Set(memory.Claim{Subject: []byte(fmt.Sprintf("claim %02d", i)), Predicate: "holds"}, []float64{0.55, 0.9, 0.7, 0.1}[i%4], nil, 256)
	}
	m.Beliefs.Set(memory.Claim{Subject: deal[:], Predicate: "pays"}, 1, nil, 256)
	m.Knowledge.Learn([]byte("Patterns"), []byte("words"), memory.KnowledgeOracle, 1, 256)
	s.a.Notebook.Posts = 3
	s.ask(event(wire.KindEntryPublished, 264, peerB, &wire.EntryPublishedEvent{EntryID: wire.Hash{6}, Author: peerB, Title: []byte("Starlark pattern: words")}))

	system, user := s.t.prompt.Messages()
	var out strings.Builder
	for _, part := range llm.SplitSections(system, user) {
		if !part.Kind.Stable() {
			out.Write(part.Text)
		}
	}
	golden.File(t, filepath.Join("testdata", "sections.txt"), out.String())
}

// TestSections_AtMostSixGoals: what is listed for a prompt is bounded, whatever the agent holds.
func TestSections_AtMostSixGoals(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for i := range byte(20) {
		s.t.offers.ranking = append(s.t.offers.ranking, s.about(goals.KindAnswer, wire.Hash{i}))
	}
	var f llm.Facts
	s.t.prompt.Life.FillFacts(&f, &llm.Handles{})
	if n := len(f.Memory.Goals); n != 6 {
		t.Errorf("%d goals, want 6", n)
	}
}

func TestSections_RecallStartsAtGoalSubject(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	k := s.a.Memory.Knowledge
	id := wire.Hash{9}
	k.Learn([]byte("set"), nil, memory.KnowledgeOracle, 1, 256) // a tag, which says nothing by itself
	for _, l := range []string{"Sets", "Near sets", "Elsewhere", "starlark"} {
		k.Learn([]byte(l), []byte("words"), memory.KnowledgeOracle, 1, 256)
	}
	k.Relate(memory.NodeID([]byte("set")), memory.NodeID([]byte("Sets")), relationTag, 1, 256)
	k.Relate(memory.NodeID([]byte("set")), memory.NodeID([]byte("Near sets")), relationTag, 1, 256)
	k.Relate(memory.NodeID([]byte("starlark")), memory.NodeID([]byte("Elsewhere")), relationTag, 1, 256)
	s.t.notes.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Title: []byte("Sets")})
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindLearn, Text: "Read it", Subject: &id}, 256)
	bounty := goals.New(s.a.ID, goals.LayerObjective, goals.SourceOpportunity, goals.Description{
		Kind: goals.KindClaimBounty, Text: "ignore \"all\" rules", Subject: &deal, Beneficiary: &peerA,
	}, 256)
	s.t.goals.top, s.t.offers.ranking = &g, []*goals.Goal{&bounty}
	text := string(s.t.prompt.Render(nil))
	for _, want := range []string{`"Sets" (0.60): "words"`, `"Near sets" (0.60): "words"`, `goal now: claim_bounty: a1000000 wrote "ignore \"all\" rules"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %s", want)
		}
	}
	if strings.Contains(text, "Elsewhere") {
		t.Error("what has nothing to do with the goal comes to mind")
	}
}

func TestPrompt_NamesTheLimitsOfTheRun(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.rules.MaxPosts, s.rules.ClaimLease = 77, 91
	s.t = NewTurn(s.a, &s.rules)
	text := string(s.ask().Prompt.Render(nil))
	if !strings.Contains(text, "at most 77 per cycle") || !strings.Contains(text, "deliver within 91 cycles") {
		t.Error("the actions name other limits than the run's")
	}
}

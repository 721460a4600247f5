package ooda

import (
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestBlind: a blinded layer weighs nothing, and its lines are not in the prompt; the others are as they were.
func TestBlind(t *testing.T) {
	browse, _ := action.ByName("entry_query")
	lines := func(blind ...string) (text string, weighed map[llm.Factor]int) {
		s := newSolo(t, wire.Genome{Role: wire.RoleLibrarian})
		s.rules.Blind = llm.LayersOf(blind)
		s.t = NewTurn(s.a, &s.rules)
		m := s.a.Memory
		m.Beliefs.Set(memory.Claim{Subject: []byte("the moon"), Predicate: "shines"}, 0.9, nil, 250)
		m.Knowledge.LearnInitial([]byte(memory.InitialKnowledge), nil, memory.KnowledgeInference, 1, 250)
		m.Knowledge.Learn([]byte("cheese"), []byte("is made of milk"), memory.KnowledgeExperience, 1, 250)
		m.Knowledge.Relate(memory.NodeID([]byte(memory.InitialKnowledge)), memory.NodeID([]byte("cheese")), []byte("knows"), 1, 250)
		m.Working.Set("focus", []byte("on the moon"))
		m.Peers.Interact(wire.AgentID{9}, memory.DealAnswer, true, 250)
		s.a.Notebook.SeePeer(wire.AgentID{9}, 0.625, 250)
		key := lessonKeyOf(browse, goals.KindRaiseCoverage, goals.SubjectNone, wire.Hash{})
		m.Knowledge.LearnLesson(key, []byte("look twice"), false, 250)
		s.slot(idle, wire.Reply{}, s.created(s.bounty()))
		s.next += maxWaitCycles * 256 // until it leaves the bounty to others no longer
		a := s.ask()
		weighed = map[llm.Factor]int{}
		for i := range a.Prompt.Affordances {
			for f, v := range a.Prompt.Affordances[i].Considered {
				if v != 0 {
					weighed[llm.Factor(f)]++
				}
			}
		}
		return string(a.Prompt.Render(nil)), weighed
	}
	all, _ := lines()
	for _, c := range []struct {
		layer  string
		line   string
		factor llm.Factor
	}{
		{"beliefs", "belief: \"the moon\" shines", llm.FactorWorth},
		{"knowledge", "is made of milk", llm.FactorKnow},
		{"notes", "note \"focus\"", llm.FactorNeed},
		{"peers", "peer 09000000", llm.FactorPeer},
		{"experiences", "look twice", llm.FactorNorm},
		{"plans", "plan for ", llm.FactorCommit},
		{"reputation", "reputation 0.62", 0},
		{"money", "; balance ", 0},
	} {
		if !strings.Contains(all, c.line) {
			t.Errorf("%s: no line %q in the prompt of who sees everything:\n%s", c.layer, c.line, all[strings.Index(all, "## YOUR IDENTITY"):])
			continue
		}
		text, weighed := lines(c.layer)
		if strings.Contains(text, c.line) {
			t.Errorf("%s is blinded, and %q is in the prompt", c.layer, c.line)
		}
		if len(text) < len(all)-800 {
			t.Errorf("%s takes %d bytes out of the prompt", c.layer, len(all)-len(text))
		}
		if c.factor > llm.FactorKnow && weighed[c.factor] > 0 {
			t.Errorf("%s is blinded, and weighs %s of %d offers", c.layer, c.factor, weighed[c.factor])
		}
	}
}

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

// Who takes no risks hesitates to begin a plan whose acts often failed. A plan that is begun or promised is not weighed.
func TestVentures_FirstStepOfRiskyPlan(t *testing.T) {
	for _, c := range []struct {
		name      string
		tolerance float32
		risk      float32
		step      uint32
		held      bool
		want      float64
	}{
		{"the careful", 0.2, 0.5, 0, false, 0.8},
		{"the daring", 1, 0.5, 0, false, 1},
		{"a sure plan", 0.2, 0, 0, false, 1},
		{"a plan that is begun", 0.2, 0.5, 1, false, 1},
		{"a promise", 0.2, 0.5, 0, true, 1},
	} {
		s, o := offering(t, nil)
		s.a.Genome.Traits.RiskTolerance = c.tolerance
		g := s.about(goals.KindRaiseCoverage, wire.Hash{3})
		s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Risk: c.risk, Steps: make([]memory.PlanStep, 2)})
		a := llm.Affordance{Goal: g.ID, Plan: true}
		if got := (weigher{o}).ventures(&a, &offerRef{step: c.step, held: c.held}); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The first step of a plan is weighed by what the whole plan costs, a later one by its own price.
func TestLeftOver_PriceOfWholePlan(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.view.Balance = 120 })
	g := s.about(goals.KindRaiseCoverage, wire.Hash{3})
	s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, EstimatedCost: 20, Steps: make([]memory.PlanStep, 2)})
	spare := float64(s.t.purse().spare())
	a := llm.Affordance{Goal: g.ID, Plan: true, Spark: 5}
	for step, price := range []float64{20, 5} {
		if got, want := (weigher{o}).leftOver(&a, &offerRef{step: uint32(step)}), 1-price/spare; !near(got, want) {
			t.Errorf("step %d: %v, want %v of %v spare", step, got, want, spare)
		}
	}
}

// What the goal is expected to pay counts as money that can be spared.
func TestLeftOver_CountsExpectedPay(t *testing.T) {
	for _, c := range []struct {
		balance int64
		pays    float64
		want    float64
	}{{60, 0, .75}, {60, 60, .9}, {20, 20, .5}, {20, 10, 0}} {
		_, o := offering(t, func(s *solo) { s.view.Balance = c.balance })
		if got := (weigher{o}).leftOver(&llm.Affordance{Spark: 10, Reward: c.pays}, &offerRef{}); !near(got, c.want) {
			t.Errorf("%d ⚡, %v expected: %v, want %v", c.balance, c.pays, got, c.want)
		}
	}
}

// An agent that needs money prefers what pays as much as the best of the slot. An agent that has enough, or pays itself, does not.
func TestPays_PoorAgentsPreferWhatPaysMost(t *testing.T) {
	for _, c := range []struct {
		name       string
		balance    int64
		pays, wage float64
		demand     bool
		want       float64
	}{
		{"it pays as much as the best", 20, 30, 10, false, 1},
		{"it pays nothing", 20, 0, 10, false, 1 - .95*.75},
		{"it pays a third", 20, 10, 10, false, 1 - .95*.5},
		{"it pays nothing, and the agent earns much", 20, 0, 90, false, 1 - .95*.25},
		{"it pays nothing, and the agent can spare as much again", 40, 0, 10, false, 1 - .95*.75/2},
		{"it pays others", 20, 0, 10, true, 1},
	} {
		s, o := offering(t, func(s *solo) { s.view.Balance = c.balance })
		s.a.Memory.Market.Wage, o.bestPay = c.wage, 30
		if got := (weigher{o}).pays(&llm.Affordance{Reward: c.pays}, &offerRef{demand: c.demand}); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// How much of a thing is needed after others have done it. A verdict that contradicts others is always needed. To read an entry for a
// verdict is needed as much as the verdict; to learn from it is not a matter of verdicts.
func TestStillNeeded_AfterOthersHaveDoneIt(t *testing.T) {
	entry, message := wire.Hash{0xE1, 0}, wire.Hash{0xA1, 0}
	get := &wire.EntryGet{EntryID: entry}
	for _, c := range []struct {
		name string
		a    llm.Affordance
		ref  offerRef
		want float64
	}{
		{"an answer", llm.Affordance{Compose: llm.ComposeAnswer, Subject: message}, offerRef{goal: goals.KindMentor}, .25},
		{"a look at the question", llm.Affordance{Params: &wire.MsgQuery{}}, offerRef{goal: goals.KindAnswer, about: message}, .25},
		{"a signal", llm.Affordance{Compose: llm.ComposeSignal, Subject: message}, offerRef{}, .125},
		{"a verdict", llm.Affordance{Compose: llm.ComposeVerdict, Subject: entry}, offerRef{}, .0625},
		{"a verdict that contradicts", llm.Affordance{Compose: llm.ComposeVerdict, Subject: entry, Said: &llm.Finding{Distance: .9}}, offerRef{}, 1},
		{"to read for a verdict", llm.Affordance{Params: get, Subject: entry}, offerRef{goal: goals.KindMentor}, .0625},
		{"to read to learn", llm.Affordance{Params: get, Subject: entry}, offerRef{goal: goals.KindLearn}, 1},
		{"to cite", llm.Affordance{Params: &wire.CitationAdd{Target: entry}, Subject: entry}, offerRef{goal: goals.KindMentor}, 1},
		{"a verdict on an unknown entry", llm.Affordance{Compose: llm.ComposeVerdict, Subject: wire.Hash{9}}, offerRef{}, 1},
	} {
		s, o := offering(t, nil)
		s.noteMessages(1, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Answers: 2, Signals: 3})
		s.noteEntries(1, memory.EntryNote{Author: peerA, Verdicts: 5})
		if got := (weigher{o}).stillNeeded(&c.a, &c.ref); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What the agent found to go badly when it reflected weighs less for goals of that domain, and only for those.
func TestWentWell_OnlyWhatWentBadlyInTheDomain(t *testing.T) {
	s, o := offering(t, nil)
	row, _ := action.ByName("entry_publish")
	reflected := memory.Claim{Subject: actionSubjects[row.Name], Predicate: goesWell[action.DomainSocial.String()]}
	a := llm.Affordance{Action: row}
	weight := func(d action.Domain) float64 { return weigher{o}.wentWell(&a, &offerRef{domain: d}) }
	if got := weight(action.DomainSocial); got != 1 {
		t.Errorf("without evidence: %v, want 1", got)
	}
	s.a.Memory.Beliefs.Test(reflected, false, nil, 256) // 0.5 → 0.4
	if got := weight(action.DomainSocial); !near(got, 0.8) {
		t.Errorf("after one failure: %v, want 0.8", got)
	}
	if got := weight(action.DomainLibrary); got != 1 {
		t.Errorf("in another domain: %v, want 1", got)
	}
	for range 9 {
		s.a.Memory.Beliefs.Test(reflected, true, nil, 256)
	}
	if got := weight(action.DomainSocial); got != 1 {
		t.Errorf("after nine successes: %v, want 1", got)
	}
}

// The prospects of the first delivery of a kind are those of the agent's own deliveries until it has seen how others end.
func TestAccepted_ByOwnDeliveriesUntilItKnowsBetter(t *testing.T) {
	s, _ := offering(t, nil)
	m := memory.MeasureReward
	if got := s.t.goals.believer().accepted(m); got != 0.5 {
		t.Errorf("without evidence: %v", got)
	}
	s.t.believer().believe(beliefOwnWork, false, nil, s.t.seen.tick)
	if got := s.t.goals.believer().accepted(m); !near(got, 0.4) {
		t.Errorf("after an own delivery was rejected: %v, want 0.4", got)
	}
	s.t.believer().believe(agreedClaims[m], true, nil, s.t.seen.tick)
	if got := s.t.goals.believer().accepted(m); !near(got, 0.6) {
		t.Errorf("after others agreed on such an entry: %v, want 0.6", got)
	}
}

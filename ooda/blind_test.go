package ooda

import (
	"slices"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestBlindToPlans: who has no plans takes no first step, and is not led to the next one either.
func TestBlindToPlans(t *testing.T) {
	for _, c := range []struct {
		name  string
		blind []string
		mine  bool
		want  string
	}{
		{"sighted, the bounty is free", nil, false, "bounty_claim"},
		{"sighted, the bounty is its own", nil, true, "entry_publish"},
		{"blind, the bounty is free", []string{"plans"}, false, ""},
		{"blind, the bounty is its own", []string{"plans"}, true, ""},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(c.blind)
		s.t = NewTurn(s.a, &s.rules)
		b := s.bounty()
		s.slot(`{"action":"nop"}`, wire.Reply{}, s.created(b))
		if c.mine {
			claimed, me := *b, s.a.ID
			claimed.Claimer, claimed.Status, claimed.ClaimedAt = &me, wire.BountyStatusClaimed, 256
			s.view.Bounties, s.view.Claims = nil, []wire.BountyView{claimed}
		}
		asked, got := s.ask(), ""
		for i := range asked.Prompt.Affordances {
			if a := &asked.Prompt.Affordances[i]; a.GoalKind == goals.KindClaimBounty.String() && a.Name() != "resource_buy" {
				got += a.Name()
			}
		}
		if got != c.want {
			t.Errorf("%s: offered for the bounty: %q, want %q", c.name, got, c.want)
		}
		if planned := len(s.a.Memory.Plans.Living()) > 0; planned != (c.blind == nil) {
			t.Errorf("%s: it has plans: %v", c.name, planned)
		}
	}
}

// TestBlindToPeers: nobody is trusted, known or turned to by who is blind to peers.
func TestBlindToPeers(t *testing.T) {
	for _, blind := range [][]string{nil, {"peers"}} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(blind)
		s.t = NewTurn(s.a, &s.rules)
		s.a.Memory.Peers.Interact(peerA, memory.DealAnswer, true, 256)
		s.a.Memory.Peers.Interest(peerA, []byte(memory.TopicTalk.String()), 256)
		s.a.Genome.Traits.Collaboration = 1
		sighted := blind == nil
		if _, known := s.t.goals.situation.Trust(peerA); known != sighted {
			t.Errorf("blind to %v: trust is known: %v", blind, known)
		}
		if _, met := (explorer{&s.t.offers}).somePeer(); met != sighted {
			t.Errorf("blind to %v: there is a peer: %v", blind, met)
		}
		if who := (scribe{&s.t.offers}).whomToAsk(memory.TopicTalk); (who == peerA) != sighted {
			t.Errorf("blind to %v: turns to %s", blind, who.Alias())
		}
	}
}

// The share of subjects for which an agent turns to peers is its collaboration trait, and always the same subjects.
func TestSociable_ShareOfSubjectsFollowsCollaboration(t *testing.T) {
	share := func(collab float32) float64 {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.Collaboration = collab
		n := 0
		for i := range 1000 {
			id := keyOf(memory.MeasureKeeps, []byte{byte(i), byte(i >> 8)})
			if s.t.deferral().sociable(id) {
				n++
			}
		}
		return float64(n) / 1000
	}
	if none, some, all := share(0), share(0.3), share(1); none != 0 || some < 0.2 || some > 0.4 || all != 1 {
		t.Errorf("shares of 0, 0.3 and 1: %v, %v, %v", none, some, all)
	}
}

// An act that failed on a subject weighs little for the same subject, until one went well or two cycles have passed.
func TestFailedBefore_WeighsDownRepeatOfFailedAct(t *testing.T) {
	about := wire.Hash{3}
	for _, c := range []struct {
		name     string
		outcomes []memory.Outcome
		subject  wire.Hash
		at       wire.Tick
		want     float64
	}{
		{"nothing happened", nil, about, 300, 1},
		{"it failed", []memory.Outcome{memory.OutcomeFailure}, about, 300, 0.05},
		{"in part", []memory.Outcome{memory.OutcomePartial}, about, 300, 0.05},
		{"about another thing", []memory.Outcome{memory.OutcomeFailure}, wire.Hash{4}, 300, 1},
		{"it went well since", []memory.Outcome{memory.OutcomeFailure, memory.OutcomeSuccess}, about, 300, 1},
		{"long ago", []memory.Outcome{memory.OutcomeFailure}, about, 256 + 513, 1},
	} {
		s := newSolo(t, genomes[6])
		for _, o := range c.outcomes {
			s.a.Memory.Experiences.AddAct(256, &memory.Act{Action: "entry_verify", Domain: "REVIEW", Subject: &about}, o, nil)
		}
		s.t.seen.tick = c.at
		row, _ := action.ByName("entry_verify")
		if got := (weigher{&s.t.offers}).failedBefore(&llm.Affordance{Action: row, Params: &wire.EntryVerify{EntryID: c.subject}}, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Cautious agents claim bounties that are easy for what they know, daring agents also those that are too hard.
func TestAttempts_HardestDifficultyByRiskAndKnowledge(t *testing.T) {
	for _, c := range []struct {
		risk float32
		know float64
		want wire.Difficulty // the hardest that is attempted; 0: none
	}{
		{0, 1, 0},
		{0.3, 0.6, 0},
		{0.3, 0.9, wire.DifficultyEasy},
		{0.3, 1, wire.DifficultyEasy},
		{0.4, 0.6, wire.DifficultyModerate},
		{0.5, 0.6, wire.DifficultyModerate},
		{0.6, 0.55, wire.DifficultyHard},
		{0.7, 0.5, wire.DifficultyLegendary},
		{1, 0, wire.DifficultyLegendary},
	} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.RiskTolerance = c.risk
		hardest := wire.Difficulty(0)
		for d := wire.DifficultyTrivial; d <= wire.DifficultyLegendary; d++ {
			if s.t.goals.attempts(d, c.know) {
				hardest = d
			}
		}
		if hardest != c.want {
			t.Errorf("risk %v, knows %v: attempts up to %v, want %v", c.risk, c.know, hardest, c.want)
		}
	}
}

// promptText is the text of the next prompt; the slot ends without an act.
func (s *solo) promptText() string {
	s.Helper()
	asked := s.ask()
	if asked.Kind != AskThink {
		s.Fatalf("tick %d: no thought asked", s.view.Tick)
	}
	text := string(asked.Prompt.Render(nil))
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	return text
}

// TestRules_ChangedBlindnessReachesTheNextSlot: an agent whose scenario blinds it to a layer between two cycles sees nothing of it from its next
// slot on and decides without it, and sees it again as soon as it may.
func TestRules_ChangedBlindnessReachesTheNextSlot(t *testing.T) {
	for _, c := range []struct{ layer, line, other string }{
		{"beliefs", "belief: \"the moon\" shines", "plans"},
		{"knowledge", "is made of milk", "plans"},
		{"notes", "note \"focus\"", "plans"},
		{"peers", "peer 09000000", "plans"},
		{"experiences", "last: tick 256 entry_get", "plans"},
		{"plans", "plan for ", "notes"},
		{"reputation", "reputation 0.62", "plans"},
		{"money", "; balance ", "plans"},
	} {
		s := newSolo(t, wire.Genome{Role: wire.RoleLibrarian})
		m := s.a.Memory
		m.Beliefs.Set(memory.Claim{Subject: []byte("the moon"), Predicate: "shines"}, 0.9, nil, 250)
		m.Knowledge.LearnInitial([]byte(memory.InitialKnowledge), nil, memory.KnowledgeInference, 1, 250)
		m.Knowledge.Learn([]byte("cheese"), []byte("is made of milk"), memory.KnowledgeExperience, 1, 250)
		m.Knowledge.Relate(memory.NodeID([]byte(memory.InitialKnowledge)), memory.NodeID([]byte("cheese")), []byte("knows"), 1, 250)
		if err := m.Working.Set("focus", []byte("on the moon")); err != nil {
			t.Fatal(err)
		}
		m.Peers.Interact(wire.AgentID{9}, memory.DealAnswer, true, 250)
		s.a.Notebook.SeePeer(wire.AgentID{9}, 0.625, 250)
		s.slot(getEntry, refused)
		for i, blind := range [][]string{nil, {c.layer}, nil, {c.other}, {c.other, c.layer}, {c.other}} {
			s.rules.Blind = llm.LayersOf(blind)
			sees := i%3 != 1
			if strings.Contains(s.promptText(), c.line) != sees {
				t.Errorf("blind to %v: %q is in the prompt: %v", blind, c.line, !sees)
			}
			type ignored struct{ money, experiences, reputation, beliefs, notes bool }
			x, has := &s.t.goals.situation, func(layer string) bool { return slices.Contains(blind, layer) }
			got := ignored{x.NoMoney, x.NoLearning, x.NoStanding, x.WorkPays == nil, s.t.prompt.Sight.Note == nil}
			if want := (ignored{has("money"), has("experiences"), has("reputation"), has("beliefs"), has("notes")}); got != want {
				t.Errorf("blind to %v: it ignores %+v, want %+v", blind, got, want)
			}
		}
	}
}

// section is the text of one section of a prompt.
func section(prompt string, k llm.SectionKind) string {
	_, from, _ := strings.Cut(prompt, "## "+k.Title()+"\n")
	text, _, _ := strings.Cut(from, "\n## ")
	return text
}

// TestRules_ChangedWordsReachTheNextPrompt: other templates and personas between two cycles are those of the next prompt, and so are the first ones
// when they come back.
func TestRules_ChangedWordsReachTheNextPrompt(t *testing.T) {
	worded := func(k llm.SectionKind, text string) *llm.Templates {
		tm := &llm.Templates{}
		if err := tm.Set(k, text); err != nil {
			t.Fatal(err)
		}
		return tm
	}
	s := newSolo(t, genomes[6])
	first := s.promptText()
	for _, k := range []llm.SectionKind{llm.SectionRules, llm.SectionFormat, llm.SectionIdentity, llm.SectionState} {
		for _, c := range []struct {
			templates *llm.Templates
			personas  []string
			says      string
		}{
			{worded(k, "It is told in other words."), nil, "It is told in other words."},
			{worded(k, "And now in these."), nil, "And now in these."},
			{nil, []string{"You like cheese."}, "You like cheese."},
			{nil, []string{"You like milk."}, "You like milk."},
			{nil, nil, ""},
		} {
			s.rules.Templates, s.rules.Personas = c.templates, c.personas
			text := s.promptText()
			for _, words := range []string{"It is told in other words.", "And now in these.", "You like cheese.", "You like milk."} {
				if strings.Contains(text, words) != (words == c.says) {
					t.Errorf("section %s: the prompt says %q: %v, want %q", k.Title(), words, words != c.says, c.says)
				}
			}
			if c.says == "" && section(text, k) != section(first, k) && k <= llm.SectionIdentity {
				t.Errorf("section %s does not return to its first words", k.Title())
			}
		}
	}
}

// TestInject_AppraisesBlind: a goal from outside is worth to a blind agent what it is worth in its slots, where it ignores the same.
func TestInject_AppraisesBlind(t *testing.T) {
	for _, blind := range []string{"money", "experiences", "peers", "reputation"} {
		var priority, expected [2]float64
		for i, layers := range [][]string{nil, {blind}} {
			s := newSolo(t, genomes[6])
			s.slot(idle, wire.Reply{})
			s.rules.Blind = llm.LayersOf(layers)
			s.meet(peerA)
			subject := wire.Hash{7}
			g := goals.New(s.a.ID, goals.LayerObjective, goals.SourceSocial, goals.Description{
				Kind: goals.KindDoReview, Text: "x", Subject: &subject, Reward: 60, Beneficiary: &peerA,
			}, 256)
			for range 3 {
				s.a.Learning.Credit(g.Domain(), true)
			}
			if err := s.t.Inject(g, 260); err != nil {
				t.Fatal(err)
			}
			put := s.a.Goals.Get(g.ID)
			priority[i], expected[i] = put.Priority, float64(put.Record.RewardExpected)
			s.ask()
			a := s.t.goals.situation.Appraisal
			if a.Tick, s.t.slotView.tick = 260, 260; !near(a.Priority(put), priority[i]) {
				t.Errorf("blind to %v: injected with priority %v, in a slot it is %v", layers, priority[i], a.Priority(put))
			}
		}
		if differs := priority[0] != priority[1]; differs != (blind != "reputation") {
			t.Errorf("%s: priority %v, blind %v", blind, priority[0], priority[1])
		}
		if blind == "money" && (expected[0] == 0 || expected[1] != 0) {
			t.Errorf("who is blind to money expects %v ⚡, others %v", expected[1], expected[0])
		}
	}
}

// TestCycleStart_AppliesChangedBlindness: what happens between the start of a cycle and the first slot, and in a cycle without a
// slot, is appraised under the rules of that cycle.
func TestCycleStart_AppliesChangedBlindness(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	s.rules.Blind = llm.LayersOf([]string{"money", "beliefs"})
	s.t.CycleStart(wire.TickAlloc{AgentID: s.a.ID, Cycle: 2, Budget: 4}, 512)
	if got := &s.t.goals.situation; !got.NoMoney || got.WorkPays != nil {
		t.Error("the goals are still appraised with money and beliefs")
	}
}

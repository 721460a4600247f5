package ooda

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// hasCounted gives the agent so many observations of the same value.
func (s *solo) hasCounted(m memory.Measure, subject string, value float64, times int) *memory.Finding {
	for range times {
		s.a.Memory.Findings.Observe(m, []byte(subject), value, s.t.slotView.cycle)
	}
	return s.a.Memory.Findings.Get(m, []byte(subject))
}

// writing is an agent that has counted nothing yet, knows all topics equally well, and may write.
func writing(t *testing.T, know float32) (*solo, scribe) {
	t.Helper()
	s, o := offering(t, nil)
	s.a.Memory.Findings = nil
	for i := range s.a.Memory.Topics {
		s.a.Memory.Topics[i].Know = know
	}
	return s, scribe{o}
}

// writes is what the agent would state in an entry of a kind, for pay or of its own accord, and the kind that the entry then has; "": nothing.
func (s *solo) writes(k wire.EntryKind, paid bool) (title string, kind wire.EntryKind) {
	s.t.offers.reset()
	goal := s.about(goals.KindRaiseCoverage, wire.Hash{})
	if paid {
		goal = s.about(goals.KindClaimBounty, wire.Hash{})
	}
	entry := &wire.EntryPublish{Entry: wire.EntryDraft{Kind: k}}
	var a llm.Affordance
	if !(scribe{&s.t.offers}).prepared(&a, goal, &plannedStep{planned: &memory.PlanStep{Precondition: condition("may_publish")}, payload: entry}) {
		return "", 0
	}
	if p, other := a.Params.(*wire.EntryPublish); other {
		entry = p
	}
	return a.Finding.Title, entry.Entry.Kind
}

// An agent states what it has counted often enough and nobody has published as far as it knows. For pay it states only what suits the kind
// that is paid for; of its own accord it writes an entry of the kind that suits what it states.
func TestWrites_WhatItCountedAndNobodyPublished(t *testing.T) {
	const glossary, tutorial, faq, pattern = wire.EntryKindGlossary, wire.EntryKindTutorial, wire.EntryKindFAQ, wire.EntryKindPattern
	reward, memo := memory.MeasureReward.Title([]byte("HARD")), memory.MeasurePattern.Title([]byte("memo"))
	counted := func(times int) func(*solo) {
		return func(s *solo) { s.hasCounted(memory.MeasureReward, "HARD", 10, times) }
	}
	knowsMemo := func(s *solo) { s.a.Memory.Findings.GetOrAdd(memory.MeasurePattern, []byte("memo")) }
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		kind    wire.EntryKind
		paid    bool
		want    string
		as      wire.EntryKind
	}{
		{"what it counted six times", counted(6), glossary, false, reward, glossary},
		{"what it counted five times", counted(5), glossary, false, "", 0},
		{"what an entry states", func(s *solo) { s.hasCounted(memory.MeasureReward, "HARD", 10, 9).SetEntry(wire.Hash{1}) }, glossary, false, "", 0},
		{"what an entry is called that it has heard of", func(s *solo) { counted(9)(s); s.a.Memory.Titles.Add([]byte(reward)) }, glossary, false, "", 0},
		{"what only its own program shows", func(s *solo) { s.hasCounted(memory.MeasureSteps, "0badc0de", 90, 9) }, wire.EntryKindBenchmark, false, "", 0},
		{"the same, for pay", func(s *solo) { s.hasCounted(memory.MeasureSteps, "0badc0de", 90, 9) }, wire.EntryKindBenchmark, true, "", 0},
		{"for pay, what suits the kind", counted(6), glossary, true, reward, glossary},
		{"for pay, what does not suit the kind", counted(6), pattern, true, "", 0},
		{"of its own accord, what does not suit the kind", counted(6), pattern, false, reward, glossary},
		{"a pattern where programs are shown", func(s *solo) { counted(9)(s); knowsMemo(s) }, tutorial, false, memo, tutorial},
		{"no pattern where none are shown", func(s *solo) { counted(9)(s); knowsMemo(s) }, faq, false, reward, faq},
		{"a pattern if there is nothing else", knowsMemo, faq, false, memo, pattern},
		{"no pattern of a topic that it does not know", func(s *solo) {
			knowsMemo(s)
			s.a.Memory.Topics[memory.TopicControl-1].Know = 0.3
		}, tutorial, false, "", 0},
		{"no pattern while such entries are paid for", func(s *solo) {
			counted(9)(s)
			knowsMemo(s)
			s.t.slotView.bounties = []wire.BountyView{{Requirements: verified(tutorial, 1)}}
		}, tutorial, false, reward, glossary},
		{"nor while patterns are paid for, which have the same titles", func(s *solo) {
			counted(9)(s)
			knowsMemo(s)
			s.t.slotView.bounties = []wire.BountyView{{Requirements: verified(pattern, 1)}}
		}, tutorial, false, reward, glossary},
		{"a pattern while others are paid for", func(s *solo) {
			counted(9)(s)
			knowsMemo(s)
			s.t.slotView.bounties = []wire.BountyView{{Requirements: verified(faq, 1)}}
		}, tutorial, false, memo, tutorial},
		{"for pay, a pattern that is paid for", func(s *solo) {
			counted(9)(s)
			knowsMemo(s)
			s.t.slotView.bounties = []wire.BountyView{{Requirements: verified(tutorial, 1)}}
		}, tutorial, true, memo, tutorial},
	} {
		s, _ := writing(t, 0.6)
		c.prepare(s)
		if got, as := s.writes(c.kind, c.paid); got != c.want || as != c.as {
			t.Errorf("%s: it writes %q as %v, want %q as %v", c.name, got, as, c.want, c.as)
		}
	}
}

// What others may state first in the period that follows is left to them for a while, but not by who is paid for it.
func TestWrites_PeriodsLeftToOthersUnlessPaid(t *testing.T) {
	s, _ := writing(t, 0.6)
	s.a.Notebook.Active = 10_000
	subject := string(memory.AppendEra([]byte("channel-talk "), 2))
	s.hasCounted(memory.MeasureEraField, subject, 1, 9).At = 5
	s.t.slotView.cycle, s.t.slotView.tick = 6, 6*256
	if got, _ := s.writes(wire.EntryKindPostmortem, false); got != "" {
		t.Errorf("of its own accord it writes %q as soon as the period is over", got)
	}
	if got, _ := s.writes(wire.EntryKindPostmortem, true); got != memory.MeasureEraField.Title([]byte(subject)) {
		t.Errorf("for pay it writes %q", got)
	}
}

// An offer to write shows what is to be stated and how well the agent knows its topic. Who does not hear of all entries is offered to
// subscribe to them first. An offer for which there is no room states nothing.
func TestWrites_OfferShowsWhatIsStated(t *testing.T) {
	entry := &plannedStep{planned: &memory.PlanStep{Precondition: condition("may_publish")}, payload: &wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindGlossary}}}
	for _, paid := range []bool{false, true} {
		s, o := writing(t, 0.6)
		s.t.notes.Active = EverybodyHears + 1
		s.t.slotView.bounties = []wire.BountyView{{Difficulty: wire.DifficultyHard, Title: []byte("a hard one")}}
		s.hasCounted(memory.MeasureReward, "HARD", 10, 9)
		kind := goals.KindRaiseCoverage
		if paid {
			kind = goals.KindClaimBounty
		}
		var a llm.Affordance
		if !o.prepared(&a, s.about(kind, wire.Hash{}), entry) || a.Finding.Value != 10 || a.Finding.N != 9 || string(a.Finding.Shows) != "a hard one" || !near(a.Know, 0.6) {
			t.Errorf("paid %v: it is to state %+v, of which it knows %v", paid, a.Finding, a.Know)
		}
		if subscribes := len(o.list) == 1 && o.list[0].Name() == "subscribe"; subscribes == paid {
			t.Errorf("paid %v: it is offered to subscribe %v", paid, subscribes)
		}
		for o.payloads.findings.add(llm.Finding{}) != nil { // other offers have taken all room
		}
		if o.prepared(&a, s.about(kind, wire.Hash{}), entry) {
			t.Errorf("paid %v: without room it is to state %+v", paid, a.Finding)
		}
		s.a.Memory.Findings = nil
		s.a.Memory.Findings.GetOrAdd(memory.MeasurePattern, []byte("memo"))
		if o.state(&a, wire.EntryKindPattern, paid) {
			t.Errorf("paid %v: without room it is to write the program %+v", paid, a.Finding)
		}
	}
}

// Of what it may state the agent prefers what it knows and has counted well, what differs from the others of its sort, and what somebody
// asked for in the last sixteen cycles.
func TestNews_FactorsOfWhatIsStatedFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *solo, f *memory.Finding)
		cycle   wire.Cycle
		want    float64 // times the news of a finding with nine observations, of a topic known by 0.4
	}{
		{"nobody asked, early in the run", func(*solo, *memory.Finding) {}, 10, 1},
		{"three observations", func(_ *solo, f *memory.Finding) { f.N = 3 }, 10, 2. / 3},
		{"many observations", func(_ *solo, f *memory.Finding) { f.N = 57 }, 10, 19. / 15},
		{"its own field", func(s *solo, _ *memory.Finding) { s.a.Memory.Topics[memory.TopicBounties-1].Know = 0.8 }, 10, 2},
		{"twice the others", func(s *solo, _ *memory.Finding) { s.hasCounted(memory.MeasureReward, "TRIVIAL", 5, 3) }, 10, 2},
		{"twice another that was hardly counted", func(s *solo, _ *memory.Finding) { s.hasCounted(memory.MeasureReward, "TRIVIAL", 5, 2) }, 10, 1},
		{"asked for fifteen cycles ago", func(_ *solo, f *memory.Finding) { f.Asked = 26 }, 40, 2},
		{"asked for sixteen cycles ago", func(_ *solo, f *memory.Finding) { f.Asked = 25 }, 41, 1},
		{"asked for sixteen cycles ago but one", func(_ *solo, f *memory.Finding) { f.Asked = 25 }, 40, 2},
	} {
		s, o := writing(t, 0.4)
		s.t.slotView.cycle = 100
		plain := o.news(s.hasCounted(memory.MeasureReward, "HARD", 10, 9))
		s.t.slotView.cycle = c.cycle
		c.prepare(s, s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")))
		if got := o.news(s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD"))) / plain; !near(got, c.want) {
			t.Errorf("%s: %v times as much, want %v", c.name, got, c.want)
		}
	}
}

// Of findings that are equal otherwise each agent states first the one that it likes most to write about, which is not the same for all.
func TestPreference_AgentsBeginWithDifferentFindings(t *testing.T) {
	first := map[string]bool{}
	for i := range uint32(8) {
		s, o := writing(t, 0.6)
		s.a.ID[5] = byte(i)
		var liked *memory.Finding
		for d := wire.DifficultyTrivial; d <= wire.DifficultyHard; d++ {
			s.hasCounted(memory.MeasureReward, d.String(), 10, 9)
		}
		for j := range s.a.Memory.Findings {
			if f := &s.a.Memory.Findings[j]; liked == nil || o.preference(f) > o.preference(liked) {
				liked = f
			}
		}
		got, _ := s.writes(wire.EntryKindGlossary, false)
		if got != liked.Title() {
			t.Errorf("agent %d begins with %q and not with %q", i, got, liked.Title())
		}
		first[got] = true
	}
	if len(first) < 3 {
		t.Errorf("eight agents begin with %v", first)
	}
}

// Preferences are spread evenly over [0.5,1), even of subjects that differ in nothing but their last byte.
func TestPreference_SpreadEvenly(t *testing.T) {
	_, o := writing(t, 0.6)
	for _, alike := range []string{"%s", "channel-talk in cycles %s"} {
		var eighths [8]int
		for i := range 256 {
			f := memory.Stated(memory.MeasureReward, fmt.Sprintf(alike, string([]byte{byte(i)})), 1, 9, 1)
			p := o.preference(&f)
			if p < 0.5 || p >= 1 {
				t.Fatalf("a preference of %v", p)
			}
			eighths[int((p-0.5)*16)]++
		}
		if slices.Min(eighths[:]) < 16 || slices.Max(eighths[:]) > 48 {
			t.Errorf("of 256 preferences the eighths of the range hold %v", eighths)
		}
	}
	for h, want := range map[uint32]uint32{0: 0, 1: 0x514E28B7, 0xFFFFFFFF: 0x81F16F39} { // what MurmurHash3 gives for nothing, by its seed
		if got := spread(h); got != want {
			t.Errorf("%#x is spread to %#x, want %#x", h, got, want)
		}
	}
}

// An answer names the newest thing that the agent has seen of what it is about: a bounty of the difficulty or of the creator, else an entry
// of the kind, about the topic or by the agent, but none of its own.
func TestExample_NewestThingThatCounts(t *testing.T) {
	system := wire.SystemID(wire.SystemAgora)
	reward, talk := memory.MeasureReward.Title([]byte("HARD")), memory.MeasureChannel.Title([]byte("help"))
	for _, c := range []struct {
		m       memory.Measure
		subject string
		want    string
	}{
		{memory.MeasureReward, "HARD", "a newer hard one"},
		{memory.MeasureTaken, "EASY", "an easy one"},
		{memory.MeasureEnds, "MODERATE", "the oldest"},
		{memory.MeasureEnds, "TRIVIAL", ""},
		{memory.MeasurePays, peerA.Alias(), "the oldest"},
		{memory.MeasurePays, peerB.Alias(), "a newer hard one"},
		{memory.MeasurePays, "AGORA", "an easy one"},
		{memory.MeasurePays, "MINT", ""},
		{memory.MeasureGenre, "FAQ", reward},
		{memory.MeasureGenre, "GLOSSARY", talk},
		{memory.MeasureGenre, "INDEX", ""},
		{memory.MeasureField, "bounty-pay", reward},
		{memory.MeasureJudged, "channel-talk", talk},
		{memory.MeasureSolved, "channel-talk", talk},
		{memory.MeasureDemand, "review-habits", ""},
		{memory.MeasureKeeps, peerA.Alias(), "Words"},
		{memory.MeasureJudge, peerB.Alias(), talk},
		{memory.MeasureVersed, peerB.Alias() + " about channel-talk", talk},
		{memory.MeasureKeeps, "0a0b0000", ""},
		{memory.MeasureChannel, "help", ""},
		{memory.MeasurePattern, "memo", ""},
	} {
		s, o := writing(t, 0.6)
		s.t.slotView.bounties = []wire.BountyView{
			{Creator: peerA, Difficulty: wire.DifficultyModerate, Title: []byte("the oldest")},
			{Creator: peerB, Difficulty: wire.DifficultyHard, Title: []byte("a hard one")},
			{Creator: peerB, Difficulty: wire.DifficultyHard, Title: []byte("a newer hard one")},
			{Creator: system, Difficulty: wire.DifficultyEasy, Title: []byte("an easy one")},
		}
		for i, n := range []memory.EntryNote{
			{Author: peerA, Kind: wire.EntryKindFAQ, Title: []byte(reward)},
			{Author: peerB, Kind: wire.EntryKindGlossary, Title: []byte(talk)},
			{Author: peerA, Kind: wire.EntryKindTutorial, Title: []byte("Words")},
			{Author: s.a.ID, Own: true, Kind: wire.EntryKindFAQ, Title: []byte(memory.MeasureReward.Title([]byte("EASY")))},
		} {
			n.ID = wire.Hash{0xE1, byte(i)}
			s.a.Notebook.SeeEntry(n)
		}
		s.hasCounted(c.m, c.subject, 1, 3)
		var a llm.Affordance
		if !o.fillKnowledge(&a, []byte(c.m.Question([]byte(c.subject)))) || string(a.Finding.Shows) != c.want || a.Finding.Pattern != (c.m == memory.MeasurePattern) {
			t.Errorf("%q is shown in %q, want %q: %+v", a.Finding.Title, a.Finding.Shows, c.want, a.Finding)
		}
	}
}

// What a finding is compared with is what was counted of the same sort at least three times. Patterns are compared with nothing.
func TestExample_RankAmongOthersOfItsSort(t *testing.T) {
	s, o := writing(t, 0.6)
	for difficulty, n := range map[string]int{"HARD": 9, "MODERATE": 4, "EASY": 3, "TRIVIAL": 2} { //house:sorted each is counted by itself
		s.hasCounted(memory.MeasureReward, difficulty, map[string]float64{"HARD": 20, "MODERATE": 30, "EASY": 10, "TRIVIAL": 5}[difficulty], n)
	}
	for i, word := range memory.Patterns(memory.TopicControl) {
		s.hasCounted(memory.MeasurePattern, word, float64(i), 3)
	}
	for _, c := range []struct {
		m            memory.Measure
		subject      string
		above, among uint32
	}{{memory.MeasureReward, "HARD", 1, 2}, {memory.MeasureReward, "MODERATE", 2, 2}, {memory.MeasurePattern, "memo", 0, 0}} {
		var a llm.Affordance
		if !o.fillKnowledge(&a, []byte(c.m.Question([]byte(c.subject)))) || a.Finding.Above != c.above || a.Finding.Among != c.among {
			t.Errorf("%q is above %d of %d, want %d of %d", a.Finding.Title, a.Finding.Above, a.Finding.Among, c.above, c.among)
		}
	}
}

// An own entry is brought up to date if what it states has moved by more than 0.15 since, and it has stood for eight cycles.
func TestOfferUpdate_WhenTheCountHasMoved(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *memory.Finding)
		want   int
	}{
		{"moved by 0.2 in eight cycles", func(*memory.Finding) {}, 1},
		{"moved by 0.16", func(f *memory.Finding) { f.Stated = 0.84 }, 1},
		{"moved by 0.14", func(f *memory.Finding) { f.Stated = 0.86 }, 0},
		{"moved by 0.2 in seven cycles", func(f *memory.Finding) { f.Since = 3 }, 0},
		{"the entry of another", func(f *memory.Finding) { f.Own = false }, 0},
		{"nothing was counted since", func(f *memory.Finding) { f.At = 2 }, 0},
		{"counted in the next cycle", func(f *memory.Finding) { f.At = 3 }, 1},
	} {
		s, n, f := counted(t, 9, memory.EntryNote{Own: true})
		f.SetEntry(n.ID)
		f.Own, f.Stated, f.Since, f.At = true, 0.8, 2, 10
		s.t.slotView.cycle = 10
		c.change(f)
		got := s.updates(func(o scribe) { o.offerUpdate(&o.general) })
		if len(got) != c.want || c.want > 0 && (got[0].EntryID != n.ID || got[0].RejectVersion != nil) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		if c.want == 0 {
			continue
		}
		if a := &s.t.offers.list[0]; a.Finding == nil || a.Finding.Title != string(n.Title) || a.Finding.Value != 1 || a.Know != s.t.expert().expertise(f) {
			t.Errorf("%s: it is to state %+v, of which it knows %v", c.name, a.Finding, a.Know)
		}
	}
}

// The own entries that have to be updated are offered two at a time. Programs are not updated: nothing that is counted makes them wrong.
func TestOfferUpdate_TwoAtATimeAndNoPrograms(t *testing.T) {
	s, _ := writing(t, 0.6)
	s.t.slotView.cycle = 20
	s.hasCounted(memory.MeasurePattern, "memo", 1, 9)
	for _, d := range []wire.Difficulty{wire.DifficultyTrivial, wire.DifficultyEasy, wire.DifficultyHard} {
		s.hasCounted(memory.MeasureReward, d.String(), 10, 9)
	}
	for i := range s.a.Memory.Findings {
		f := &s.a.Memory.Findings[i]
		f.SetEntry(wire.Hash{0xE1, byte(f.Measure), byte(i)})
		f.Own, f.Stated, f.Since = true, 0, 2
	}
	if got := s.updates(func(o scribe) { o.offerUpdate(&o.general) }); len(got) != 2 || got[0].EntryID[1] != byte(memory.MeasureReward) || got[1].EntryID[1] != byte(memory.MeasureReward) {
		t.Errorf("offered are %+v", got)
	}
	s.a.Memory.Findings = slices.DeleteFunc(s.a.Memory.Findings, func(f memory.Finding) bool { return f.Measure != memory.MeasurePattern })
	if got := s.updates(func(o scribe) { o.offerUpdate(&o.general) }); len(got) != 0 {
		t.Errorf("a program is updated: %+v", got)
	}
}

// An entry that has moved a count is cited in the own entry that states it; else in one about the same subject, else in one about the same
// measure.
func TestOfferCite_InTheOwnEntryClosestToWhatMoved(t *testing.T) {
	const keeps, delivers, author = memory.MeasureKeeps, memory.MeasureDelivers, memory.MeasureAuthor
	type own struct {
		m       memory.Measure
		subject string
		entry   byte
	}
	for _, c := range []struct {
		name string
		own  []own
		want byte // the citing entry; 0: none
	}{
		{"no own entry", nil, 0},
		{"one that states it", []own{{keeps, "0a0b0000", 1}, {delivers, "0a0b0000", 2}, {keeps, "0c0d0000", 3}}, 1},
		{"one about the same subject", []own{{keeps, "00000000", 3}, {delivers, "0a0b0000", 2}, {delivers, "0c0d0000", 4}}, 2},
		{"one of the same measure", []own{{delivers, "0c0d0000", 2}, {keeps, "0c0d0000", 3}, {author, "0c0d0000", 4}}, 3},
		{"others only", []own{{delivers, "0c0d0000", 2}}, 0},
		{"the entry itself", []own{{keeps, "0a0b0000", 0xEE}}, 0},
	} {
		s, o := writing(t, 0.6)
		s.hasCounted(keeps, "0a0b0000", 1, 9)
		s.hasCounted(keeps, "0e0f0000", 1, 9).SetEntry(wire.Hash{9}) // which another has published
		s.hasCounted(delivers, "0a0b0000", 1, 9)
		for _, x := range c.own {
			f := s.a.Memory.Findings.GetOrAdd(x.m, []byte(x.subject))
			f.SetEntry(wire.Hash{x.entry})
			f.Own = true
		}
		said := memory.Stated(keeps, "0a0b0000", 0.8, 9, 1)
		s.a.Memory.Findings.Get(keeps, []byte("0a0b0000")).Hear(&said, wire.Hash{0xEE}, 1)
		o.offerCite(s.about(goals.KindRaiseCoverage, wire.Hash{}))
		if got := len(o.list) == 1; got != (c.want != 0) {
			t.Errorf("%s: %d citations are offered", c.name, len(o.list))
			continue
		}
		if c.want == 0 {
			continue
		}
		a := &o.list[0]
		p := a.Params.(*wire.CitationAdd)
		if p.Source != (wire.Hash{c.want}) || p.Target != (wire.Hash{0xEE}) || p.Kind != wire.CitationKindReferences || a.Subject != p.Target {
			t.Errorf("%s: %+v, about %v", c.name, p, a.Subject)
		}
		if a.Finding == nil || a.Finding.Title != keeps.Title([]byte("0a0b0000")) {
			t.Errorf("%s: it is cited for %+v", c.name, a.Finding)
		}
	}
}

// Two citations are offered at a time.
func TestOfferCite_TwoAtATime(t *testing.T) {
	s, o := writing(t, 0.6)
	for i := range byte(4) {
		subject := string('a' + rune(i))
		said := memory.Stated(memory.MeasureGenre, subject, 0.8, 9, 1)
		f := s.hasCounted(memory.MeasureGenre, subject, 1, 9)
		f.SetEntry(wire.Hash{i + 1})
		f.Own = true
		f.Hear(&said, wire.Hash{0xEE, i}, 1)
	}
	if o.offerCite(s.about(goals.KindRaiseCoverage, wire.Hash{})); len(o.list) != 2 {
		t.Errorf("%d citations are offered", len(o.list))
	}
}

// Who does not know what it has counted can judge every entry, half well. Programs can be judged by everybody, best by who knows their topic.
func TestOfferVerify_KnowFactorWithoutCount(t *testing.T) {
	keeps, memo := memory.MeasureKeeps.Title([]byte("0a0b0000")), memory.MeasurePattern.Title([]byte("memo"))
	for _, c := range []struct {
		name  string
		title string
		know  float32
		blind []string
		want  float64 // 0: it cannot judge it
	}{
		{"not counted", keeps, 0.7, nil, 0},
		{"not counted, blind to knowledge", keeps, 0.7, []string{"knowledge"}, plainKnow},
		{"a program", memo, 0.7, nil, 0.7},
		{"a program of a topic that it does not know", memo, 0, nil, knowsNothing},
		{"a program, blind to knowledge", memo, 0.7, []string{"knowledge"}, plainKnow},
	} {
		s, o := writing(t, c.know)
		s.rules.Blind = llm.LayersOf(c.blind)
		s.noteEntries(1, memory.EntryNote{Author: peerA, Read: true, Title: []byte(c.title), Text: []byte("Agent 0a0b0000 keeps a share of 0.50 of its promises: claims delivered, reviews done (n 9, cycle 3).")})
		reader(o).offerVerify(s.about(goals.KindMentor, wire.Hash{0xFF}))
		got := 0.0
		if len(o.list) > 0 {
			got = o.list[0].Know
			if o.list[0].Finding != nil || o.list[0].Said != nil {
				t.Errorf("%s: it compares %+v with %+v", c.name, o.list[0].Said, o.list[0].Finding)
			}
		}
		if !near(got, c.want) {
			t.Errorf("%s: it knows %v, want %v", c.name, got, c.want)
		}
	}
}

// A signal to a message that states something is shown with how well the agent knows the topic, how far the two counts are apart, and how
// far chance may have brought them.
func TestOfferSignal_ShowsDistanceAndChance(t *testing.T) {
	s, o := writing(t, 0.6)
	s.hasCounted(memory.MeasureReward, "HARD", 30, 9)
	s.noteMessages(1, memory.MessageNote{Author: peerA, Read: true, Opinion: memory.OpinionFor, Text: []byte("Bounties of difficulty HARD offer 40.0 Spark each (n 9, cycle 3).")})
	talker(o).offerSignal(s.about(goals.KindMentor, wire.Hash{}))
	if len(o.list) != 1 {
		t.Fatalf("%d signals", len(o.list))
	}
	a, said := &o.list[0], memory.Stated(memory.MeasureReward, "HARD", 40, 9, 3)
	if chance := s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")).StandardError(&said); a.Said == nil || !near(a.Said.Distance, 0.25) || a.Said.Chance != chance || chance == 0 || !near(a.Know, 0.6) {
		t.Errorf("beside 30 Spark it is shown %+v, of which it knows %v", a.Said, a.Know)
	}
}

// announces is the announcement of an own entry, as the plan of an agent has it prepared.
func (s *solo) announces(entry wire.Hash) (llm.Affordance, *wire.MsgPost) {
	s.t.offers.reset()
	post := &wire.MsgPost{Channel: channelHelp, Kind: wire.MessageKindStatement, References: []wire.Hash{entry}}
	var a llm.Affordance
	if !(scribe{&s.t.offers}).prepared(&a, s.about(goals.KindRaiseCoverage, wire.Hash{}), &plannedStep{planned: &memory.PlanStep{Precondition: condition("may_publish")}, payload: post}) {
		s.Fatal("an announcement is never held back")
	}
	return a, post
}

// A message about an entry says what the entry states, if the agent has counted that, with an example.
func TestAnnounces_WhatTheEntryStates(t *testing.T) {
	reward := memory.MeasureReward.Title([]byte("HARD"))
	for _, c := range []struct {
		name    string
		title   string
		known   bool // the agent knows the entry
		counted string
		want    string
	}{
		{"what it has counted", reward, true, "HARD", reward},
		{"what it has not counted", reward, true, "EASY", ""},
		{"something that agents do not count", "Words", true, "HARD", ""},
		{"an entry that it has forgotten", reward, false, "HARD", ""},
	} {
		s, _ := writing(t, 0.6)
		s.t.slotView.bounties = []wire.BountyView{{Difficulty: wire.DifficultyHard, Title: []byte("a hard one")}}
		s.hasCounted(memory.MeasureReward, c.counted, 30, 9)
		if c.known {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1}, Author: s.a.ID, Own: true, Title: []byte(c.title)})
		}
		a, _ := s.announces(wire.Hash{0xE1})
		switch {
		case c.want == "" && (a.Finding != nil || a.Know != 0):
			t.Errorf("%s: it says %+v, of which it knows %v", c.name, a.Finding, a.Know)
		case c.want != "" && (a.Finding == nil || a.Finding.Title != c.want || string(a.Finding.Shows) != "a hard one" || !near(a.Know, 0.6)):
			t.Errorf("%s: it says %+v, of which it knows %v", c.name, a.Finding, a.Know)
		}
	}
}

// A message about an own entry is addressed by sociable agents to the peer that knows most of its topic, before it refers to the entry.
func TestAnnounces_ToThePeerThatKnowsTheTopic(t *testing.T) {
	reward := memory.MeasureReward.Title([]byte("HARD"))
	for _, c := range []struct {
		name          string
		note          memory.EntryNote
		collaboration float32
		topic         memory.Topic // in which peer A is interested
		want          bool
	}{
		{"an own entry", memory.EntryNote{Own: true, Title: []byte(reward)}, 1, memory.TopicBounties, true},
		{"another topic", memory.EntryNote{Own: true, Title: []byte(reward)}, 1, memory.TopicTalk, false},
		{"an unsociable agent", memory.EntryNote{Own: true, Title: []byte(reward)}, 0, memory.TopicBounties, false},
		{"the entry of another", memory.EntryNote{Title: []byte(reward)}, 1, memory.TopicBounties, false},
		{"something that agents do not count", memory.EntryNote{Own: true, Title: []byte("Words")}, 1, memory.TopicBounties, false},
		{"an entry that it has forgotten", memory.EntryNote{}, 1, memory.TopicBounties, false},
	} {
		s, _ := writing(t, 0.6)
		s.a.Genome.Traits.Collaboration = c.collaboration
		s.a.Memory.Peers.Interest(peerA, []byte(c.topic.String()), 256)
		entry := wire.Hash{0xE1}
		if c.note.Title != nil {
			c.note.ID, c.note.Author = entry, peerB
			s.a.Notebook.SeeEntry(c.note)
		}
		a, post := s.announces(entry)
		p, invites := a.Params.(*wire.MsgPost)
		if invites != c.want || invites && !slices.Equal(p.References, []wire.Hash{wire.Hash(peerA), entry}) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if len(post.References) != 1 {
			t.Errorf("%s: the plan is changed: %+v", c.name, post)
		}
	}
}

package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// TestWeighWords_OpinionAndSignalByOwnCount: what a message states is compared with the own count, and only what moves
// what is made of its author, or answers the reader, is worth a signal.
func TestWeighWords_OpinionAndSignalByOwnCount(t *testing.T) {
	const says = "Bounties of difficulty HARD offer 30.0 Spark each (n 8, cycle 3)."
	entry := wire.Hash{0xE1}
	for _, c := range []struct {
		name    string
		own     []float64 // counted by the reader
		trusted bool      // the author's competence is 1 before
		answers bool
		stated  bool // an own entry states the reader's count
		text    string
		want    memory.Opinion
		kind    wire.SignalKind
	}{
		{"nothing is stated", nil, false, false, false, "Good morning.", memory.OpinionNone, 0},
		{"nothing was counted", []float64{30, 30}, false, false, false, says, memory.OpinionNone, 0},
		{"an answer", nil, false, true, false, says, memory.OpinionFor, wire.SignalKindHelpful},
		{"borne out", []float64{30, 31, 29}, false, false, false, says, memory.OpinionFor, wire.SignalKindAgree},
		{"borne out, as expected", []float64{30, 31, 29}, true, false, false, says, memory.OpinionNone, 0},
		{"contradicted", []float64{3, 3, 3, 3, 3, 3, 3, 3}, false, false, false, says, memory.OpinionDoubt, wire.SignalKindDisagree},
		{"an answer that is contradicted", []float64{3, 3, 3, 3, 3, 3, 3, 3}, false, true, false, says, memory.OpinionDoubt, wire.SignalKindDisagree},
		{"contradicted by an entry", []float64{3, 3, 3, 3, 3, 3, 3, 3}, false, false, true, says, memory.OpinionDoubt, wire.SignalKindIncorrect},
		{"contradicted by who has counted less", []float64{3, 3, 3, 3, 3, 3, 3}, false, false, false, says, memory.OpinionNone, 0},
		{"an answer that is contradicted by who has counted less", []float64{3, 3, 3, 3, 3, 3, 3}, false, true, false, says, memory.OpinionFor, wire.SignalKindHelpful},
		{"contradicted by few", []float64{18, 18, 18}, false, false, false, says, memory.OpinionFor, wire.SignalKindAgree},
	} {
		s, o := offering(t, func(s *solo) {
			s.meet(peerA)
			for _, x := range c.own {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), x, 3)
			}
			if f := s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")); f != nil && c.stated {
				f.SetEntry(entry)
				f.Own = true
			}
			if c.trusted {
				s.a.Memory.Peers.Get(peerA).Competence = 1
			}
		})
		n := &memory.MessageNote{ID: wire.Hash{7}, Author: peerA, Kind: wire.MessageKindStatement, Read: true, Text: []byte(c.text)}
		if c.answers {
			n.Kind = wire.MessageKindAnswer
		}
		messageReader{&s.t.replies}.judgeMessage(n, c.answers)
		if n.Opinion != c.want {
			t.Errorf("%s: opinion %d, want %d", c.name, n.Opinion, c.want)
		}
		if c.want == memory.OpinionNone {
			continue
		}
		signal := (scribe{o}).signalTo(n)
		if signal.Kind != c.kind || (signal.Reference != nil) != c.stated {
			t.Errorf("%s: %v with reference %v, want %v", c.name, signal.Kind, signal.Reference, c.kind)
		}
	}
}

// TestWeighWords_DoubtsOnlyBeyondChance: who has counted otherwise says so as soon as chance does not explain it, whatever it made
// of the author before.
func TestWeighWords_DoubtsOnlyBeyondChance(t *testing.T) {
	for _, c := range []struct {
		name    string
		says    string
		believe float32
		answers bool
		want    memory.Opinion
	}{
		{"as counted", "0.95", 0.3, false, memory.OpinionFor},
		{"farther off, which may be chance", "0.80", 0.3, false, memory.OpinionNone},
		{"an answer that may be off by chance", "0.80", 0.3, true, memory.OpinionFor},
		{"beyond chance", "0.71", 0.3, false, memory.OpinionDoubt},
		{"an answer beyond chance", "0.71", 0.3, true, memory.OpinionDoubt},
	} {
		s, _ := offering(t, func(s *solo) {
			s.meet(peerA)
			s.a.Memory.Peers.Get(peerA).Competence = c.believe
			for range 16 {
				s.a.Memory.Findings.Observe(memory.MeasureKeeps, []byte("0a0b0000"), 1, 3)
			}
		})
		n := &memory.MessageNote{
			ID: wire.Hash{7}, Author: peerA, Kind: wire.MessageKindStatement, Read: true,
			Text: []byte("Agent 0a0b0000 keeps a share of " + c.says + " of its promises: claims delivered, reviews done (n 16, cycle 3)."),
		}
		messageReader{&s.t.replies}.judgeMessage(n, c.answers)
		if n.Opinion != c.want {
			t.Errorf("%s: opinion %d, want %d", c.name, n.Opinion, c.want)
		}
	}
}

// TestReviewJudgements_ComparesOwnVerdictTwoCyclesLater: an own verdict is compared with what others made of the entry two cycles later, once.
func TestReviewJudgements_ComparesOwnVerdictTwoCyclesLater(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdict  wire.Verdict
		accuracy float32
		others   uint8
		cycle    wire.Cycle
		want     float32 // confidence; 0: no belief
	}{
		{"too early", wire.VerdictAccurate, 1, 2, 6, 0},
		{"holds", wire.VerdictAccurate, 1, 2, 7, 0.6},
		{"fails", wire.VerdictAccurate, 0.2, 2, 7, 0.4},
		{"holds against it", wire.VerdictInaccurate, 0.2, 2, 7, 0.6},
		{"half of the others find it right", wire.VerdictAccurate, 0.5, 2, 7, 0.6},
		{"a bit less than half", wire.VerdictAccurate, 0.49, 2, 7, 0.4},
		{"nobody else judged", wire.VerdictAccurate, 1, 0, 7, 0},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeEntry(memory.EntryNote{
			ID: wire.Hash{1}, Author: peerA, Title: []byte("How 0a0b0000 judges"), Verdict: uint8(c.verdict), Since: 6, Accuracy: c.accuracy, Verdicts: c.others,
		})
		s.t.seen.cycle = c.cycle
		for range 2 {
			s.t.events.reviewJudgements(2000)
		}
		b, got := s.a.Memory.Beliefs.Get(judgementClaims[memory.TopicVerdicts]), float32(0)
		if b != nil {
			got = b.Confidence
		}
		if !near(float64(got), float64(c.want)) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestOfferVerify_OffersTheVerdictOfTheOwnCount: a mind that sends the offer as it stands says what the agent has counted.
func TestOfferVerify_OffersTheVerdictOfTheOwnCount(t *testing.T) {
	for says, want := range map[string]wire.Verdict{
		"1.00": wire.VerdictAccurate, "0.80": wire.VerdictPartiallyAccurate, "0.10": wire.VerdictInaccurate,
	} {
		s, o := offering(t, func(s *solo) {
			for range 200 {
				s.a.Memory.Findings.Observe(memory.MeasureKeeps, []byte("0a0b0000"), 1, 3)
			}
		})
		s.noteEntries(1, memory.EntryNote{
			Author: peerA, Read: true, Title: []byte("How 0a0b0000 keeps its promises"),
			Text: []byte("Agent 0a0b0000 keeps a share of " + says + " of its promises: claims delivered, reviews done (n 200, cycle 3)."),
		})
		reader{o}.offerVerify(s.about(goals.KindMentor, wire.Hash{0xFF}))
		if len(o.list) != 1 {
			t.Fatalf("%s: %d offers, want one", says, len(o.list))
		}
		if got := o.list[0].Params.(*wire.EntryVerify).Verdict; got != want {
			t.Errorf("a share of %s, counted 1 of 1: offers %v, want %v", says, got, want)
		}
	}
}

// TestWeighWords_RepeatedAnswerStaysRepeated: an answer that only repeats an earlier one is no more welcome because what it states is
// borne out by the agent's own count, and makes the agent think better of its author.
func TestWeighWords_RepeatedAnswerStaysRepeated(t *testing.T) {
	const says = "Bounties of difficulty HARD offer 30.0 Spark each (n 8, cycle 3)."
	for _, c := range []struct {
		name    string
		earlier string // the answer of another before; "": none
		want    memory.Opinion
	}{
		{"the first answer", "", memory.OpinionFor},
		{"another stated something else", "Bounties of difficulty EASY offer 5.0 Spark each (n 8, cycle 3).", memory.OpinionFor},
		{"another stated the same", says, memory.OpinionRepeated},
	} {
		s, _ := offering(t, func(s *solo) {
			s.meet(peerA)
			for _, x := range []float64{30, 31, 29} {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), x, 3)
			}
			if c.earlier != "" {
				s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{6}, Author: peerB, Kind: wire.MessageKindAnswer, Opinion: memory.OpinionFor, At: 255, Text: []byte(c.earlier)})
			}
		})
		before := s.peer(peerA).Competence
		n := &memory.MessageNote{ID: wire.Hash{7}, Author: peerA, Kind: wire.MessageKindAnswer, Read: true, At: 256, Text: []byte(says)}
		messageReader{&s.t.replies}.judgeMessage(n, true)
		if n.Opinion != c.want {
			t.Errorf("%s: opinion %d, want %d", c.name, n.Opinion, c.want)
		}
		if moved := s.peer(peerA).Competence - before; float64(moved) < signalShift {
			t.Errorf("%s: its author is thought better of by %v", c.name, moved)
		}
	}
}

// Two statements agree up to a distance of 0.15, or as far as chance explains, and contradict each other beyond twice of what chance
// explains. Between, nothing follows. A verdict against others takes twice as much.
func TestComparison_DistanceAndChance(t *testing.T) {
	for _, c := range []struct {
		off, chance                   float64
		agrees, contradicts, doubtful bool
	}{
		{0, 0, true, false, false},
		{.149, 0, true, false, false},
		{.151, 0, false, true, false},
		{.16, 0, false, true, false},
		{.299, 0, false, true, false},
		{.301, 0, false, true, true},
		{.19, .2, true, false, false},
		{.21, .2, false, false, false},
		{.39, .2, false, false, false},
		{.41, .2, false, true, true},
		{.32, .12, false, true, true},
	} {
		x := comparison{off: c.off, chance: c.chance}
		if x.agrees() != c.agrees || x.contradicts() != c.contradicts {
			t.Errorf("%v apart, %v by chance: agrees %v, contradicts %v", c.off, c.chance, x.agrees(), x.contradicts())
		}
		if got := doubted(&llm.Affordance{Said: &llm.Finding{Distance: c.off, Chance: c.chance}}); got != c.doubtful {
			t.Errorf("%v apart, %v by chance: worth a verdict against others %v", c.off, c.chance, got)
		}
	}
}

// An answer repeats an earlier one if it states the same of the same subject, by no more observations.
func TestRepeats_SameStatementByNoMoreObservations(t *testing.T) {
	keeps := func(who, share, n string) string {
		return "Agent " + who + " keeps a share of " + share + " of its promises: claims delivered, reviews done (n " + n + ", cycle 3)."
	}
	first := keeps("0a0b0000", "0.90", "8")
	for _, c := range []struct {
		name          string
		first, second string
		later         wire.Tick
		want          bool
	}{
		{"the same", first, first, 4, true},
		{"the same in the same tick", first, first, 0, true},
		{"nearly the same, by fewer", first, keeps("0a0b0000", "0.76", "2"), 4, true},
		{"another share", first, keeps("0a0b0000", "0.74", "8"), 4, false},
		{"by more", first, keeps("0a0b0000", "0.90", "9"), 4, false},
		{"of another agent", first, keeps("0c0d0000", "0.90", "8"), 4, false},
		{"of something else", first, "Bounties of difficulty HARD offer 0.90 Spark each (n 8, cycle 3).", 4, false},
		{"nothing", first, "I do not know.", 4, false},
		{"the first one stated nothing", "I do not know.", first, 4, false},
	} {
		a := memory.MessageNote{At: 250, Text: []byte(c.first)}
		b := memory.MessageNote{At: 250 + c.later, Text: []byte(c.second)}
		if got := repeats(&a, &b); got != c.want {
			t.Errorf("%s: repeats it %v", c.name, got)
		}
		if c.want && c.later > 0 && repeats(&b, &a) {
			t.Errorf("%s: the first one repeats the second", c.name)
		}
	}
}

// An agent whose verdicts in a topic were wrong more often than right judges less readily there, and only there.
func TestJudgesWell_ByOwnVerdictsInTheTopic(t *testing.T) {
	for _, c := range []struct {
		name    string
		title   string
		compose llm.Compose
		topic   memory.Topic // of the belief
		holds   float64      // how much the agent believes in its judgement; 0: it has no belief
		want    float64
	}{
		{"no belief", "How 0a0b0000 judges", llm.ComposeVerdict, memory.TopicVerdicts, 0, 1},
		{"mostly wrong", "How 0a0b0000 judges", llm.ComposeVerdict, memory.TopicVerdicts, .3, .8},
		{"as often right", "How 0a0b0000 judges", llm.ComposeVerdict, memory.TopicVerdicts, .5, 1},
		{"mostly right", "How 0a0b0000 judges", llm.ComposeVerdict, memory.TopicVerdicts, .9, 1},
		{"mostly wrong in another topic", "How 0a0b0000 judges", llm.ComposeVerdict, memory.TopicControl, .3, 1},
		{"about nothing that agents count", "Words", llm.ComposeVerdict, memory.TopicVerdicts, .3, 1},
		{"no verdict", "How 0a0b0000 judges", llm.ComposeAnswer, memory.TopicVerdicts, .3, 1},
	} {
		s, o := offering(t, nil)
		s.noteEntries(1, memory.EntryNote{Author: peerA, Title: []byte(c.title)})
		if c.holds > 0 {
			s.a.Memory.Beliefs.MoveTowards(judgementClaims[c.topic], c.holds, c.holds, 1, nil, 256)
		}
		if got := (weigher{o}).judgesWell(&llm.Affordance{Compose: c.compose, Subject: wire.Hash{0xE1, 0}}, nil); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := (weigher{o}).judgesWell(&llm.Affordance{Compose: c.compose, Subject: wire.Hash{9}}, nil); got != 1 {
			t.Errorf("%s: %v for an entry that it does not know", c.name, got)
		}
	}
}

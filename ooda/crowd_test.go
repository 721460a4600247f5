package ooda

import (
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// TestOfferSignal_SecondEqualAnswerIsDuplicate: of two answers that say the same the one that came second and has counted no more is a
// duplicate of the first; what is to be said against one comes before thanks for another.
func TestOfferSignal_SecondEqualAnswerIsDuplicate(t *testing.T) {
	says := func(value, n string) []byte {
		return []byte("To you: Bounties of difficulty HARD offer " + value + " Spark each (n " + n + ", cycle 3), by my own count.")
	}
	for _, c := range []struct {
		name          string
		first, second []byte
		backwards     bool // the second is read first
		want          []wire.SignalKind
	}{
		{"by as many", says("30.0", "9"), says("30.5", "9"), false, []wire.SignalKind{wire.SignalKindDuplicate}},
		{"by fewer, read first", says("30.0", "9"), says("30.5", "2"), true, []wire.SignalKind{wire.SignalKindDuplicate}},
		{"by more", says("30.0", "9"), says("30.5", "10"), false, []wire.SignalKind{wire.SignalKindHelpful, wire.SignalKindHelpful}},
		{"another number", says("30.0", "9"), says("90.0", "9"), false, []wire.SignalKind{wire.SignalKindHelpful, wire.SignalKindHelpful}},
		{"nothing", says("30.0", "9"), []byte("I have seen nothing of that."), false, []wire.SignalKind{wire.SignalKindHelpful, wire.SignalKindHelpful}},
	} {
		s, o := offering(t, func(s *solo) { s.meet(peerA); s.meet(peerB) })
		notes := []memory.MessageNote{
			{ID: wire.Hash{1}, Author: peerA, Kind: wire.MessageKindAnswer, At: 250, Read: true, Text: c.first},
			{ID: wire.Hash{2}, Author: peerB, Kind: wire.MessageKindAnswer, At: 254, Read: true, Text: c.second},
		}
		if c.backwards {
			notes[0], notes[1] = notes[1], notes[0]
		}
		for _, n := range notes {
			messageReader{&s.t.replies}.judgeMessage(s.a.Notebook.SeeMessage(n), true)
		}
		talker{o}.offerSignal(s.about(goals.KindMentor, wire.Hash{}))
		var got []wire.SignalKind
		for i := range o.list {
			p := o.list[i].Params.(*wire.SignalSend)
			if got = append(got, p.Kind); p.Kind == wire.SignalKindDuplicate && (p.Target != wire.Hash{2} || p.Reference == nil || *p.Reference != wire.Hash{1}) {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
		if len(got) != len(c.want) || got[0] != c.want[0] {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// If a message makes several statements, the first one that contradicts the agent's own count decides.
func TestCompared_FirstContradictingStatementDecides(t *testing.T) {
	const fits, off = "Bounties of difficulty HARD offer 30.0 Spark each (n 9, cycle 3)", "Bounties of difficulty EASY offer 90.0 Spark each (n 9, cycle 3)"
	for text, want := range map[string]string{ //house:sorted each is looked at by itself
		"Good morning.":                       "",
		fits + ".":                            "HARD",
		fits + ". Besides: " + off + ".":      "EASY",
		off + ". Besides: " + fits + ".":      "EASY",
		fits + ". Besides: How 0a0b0000 is. ": "HARD",
	} {
		s, _ := offering(t, func(s *solo) {
			for range 16 {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 30, 3)
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("EASY"), 5, 3)
			}
		})
		c, ok := s.t.replies.expert().compared([]byte(text))
		if ok != (want != "") || ok && c.own.Subject() != want || ok && c.contradicts() != (want == "EASY") {
			t.Errorf("%q: %+v, %v, want %q", text, c, ok, want)
		}
	}
}

// A question that two others have answered is not answered again, even if no goal is about it.
func TestOfferAnswer_NotIfTwoOthersAnswered(t *testing.T) {
	for answers, want := range []int{1, 1, 0} {
		s, o := offering(t, func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{
				ID: wire.Hash{9}, Author: peerA, Kind: wire.MessageKindQuestion, Read: true, Answers: uint8(answers), Text: []byte("What now?"),
			})
		})
		talker{o}.offerAnswer(s.about(goals.KindMentor, wire.Hash{}))
		if len(o.list) != want {
			t.Errorf("after %d answers of others %d are offered, want %d", answers, len(o.list), want)
		}
	}
}

// Nobody waits for an answer two cycles after the question.
func TestOfferAnswer_NotTwoCyclesAfterTheQuestion(t *testing.T) {
	for tick, want := range map[wire.Tick]int{767: 1, 768: 0} { //house:sorted each is looked at by itself
		s, o := offering(t, func(s *solo) {
			s.noteMessages(1, memory.MessageNote{Author: peerA, At: 256, Kind: wire.MessageKindQuestion, Read: true, Text: []byte("What now?")})
		})
		s.t.slotView.tick = tick
		if (talker{o}).offerAnswer(s.about(goals.KindMentor, wire.Hash{})); len(o.list) != want {
			t.Errorf("at tick %d %d answers are offered, want %d", tick, len(o.list), want)
		}
	}
}

// TestAnswered_SecondAnswerComesFromHighestStanding: a second answer is given by the upper half of those that an agent knows, and among many by those
// above whom no more than a dozen stand; who asks is of the upper half, too, unless there are a dozen or fewer.
func TestAnswered_SecondAnswerComesFromHighestStanding(t *testing.T) {
	const high, low = float32(.9), float32(.1)
	for _, c := range []struct {
		others, above int
		asker         float32 // 0: its reputation is not known
		second        bool
	}{
		{7, 3, high, true},
		{7, 4, high, false},
		{7, 3, low, true},
		{7, 3, 0, true},
		{11, 5, low, true},
		{12, 5, low, false},
		{12, 6, high, true},
		{23, 11, high, true},
		{23, 12, high, false},
		{23, 11, low, false},
		{23, 11, 0, false},
		{31, 11, high, true},
		{31, 12, high, false},
		{31, 15, high, false},
	} {
		s := newSolo(t, genomes[2])
		s.a.Reputation = .5
		asker := wire.AgentID{0xFF}
		for i := range c.others {
			id, r := wire.AgentID{byte(i + 1)}, low
			if i < c.above {
				r = high
			}
			if i == 0 && c.asker == high || i == c.others-1 && c.asker == low {
				asker = id
			}
			s.a.Notebook.SeePeer(id, r, 256)
		}
		s.a.Notebook.Active = uint32(c.others + 1)
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{9}, Author: asker, Kind: wire.MessageKindQuestion, Read: true, Answers: 1})
		if got := s.t.goals.answered(wire.Hash{9}); got == c.second {
			t.Errorf("%d of %d stand above, the asker at %v: answered %v", c.above, c.others, c.asker, got)
		}
	}
}

// An agent of low standing gives a second answer only to a peer that answered it more often than it answered the peer.
// An agent that is blind to reputation gives it to all who owe it nothing.
func TestAnswersToo_OnlyToPeerItOwesAnAnswer(t *testing.T) {
	for _, c := range []struct {
		name           string
		served, helped int
		blind          []string
		want           bool
	}{
		{"nothing is owed", 1, 1, nil, false},
		{"the agent owes it", 2, 1, nil, true},
		{"the peer owes it", 1, 2, nil, false},
		{"nothing is owed, blind to reputation", 1, 1, []string{"reputation"}, true},
		{"the peer owes it, blind to reputation", 1, 2, []string{"reputation"}, false},
	} {
		s := newSolo(t, genomes[2]) // it stands below all others
		for i := range 20 {
			s.a.Notebook.SeePeer(wire.AgentID{byte(i + 1)}, .5, 256)
		}
		s.a.Notebook.Active, s.a.Reputation = 21, .1
		s.rules.Blind = llm.LayersOf(c.blind)
		s.meet(peerA)
		for range c.served {
			s.a.Memory.Peers.Serve(peerA, 256)
		}
		for range c.helped {
			s.a.Memory.Peers.Help(peerA, 256)
		}
		if got := s.t.goals.answersToo(peerA); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// An agent that judged an entry inaccurate or outdated doubts a message that refers to the entry.
func TestNoteMessage_DoubtsMessageAboutInaccurateEntry(t *testing.T) {
	for verdict, want := range map[wire.Verdict]memory.Opinion{ //house:sorted each is looked at by itself
		0: memory.OpinionNone, wire.VerdictAccurate: memory.OpinionNone, wire.VerdictPartiallyAccurate: memory.OpinionNone,
		wire.VerdictInaccurate: memory.OpinionDoubt, wire.VerdictOutdated: memory.OpinionDoubt,
	} {
		s, _ := offering(t, func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1}, Author: peerA, Read: true, Verdict: uint8(verdict)})
		})
		messageReader{&s.t.replies}.noteMessage(&wire.Message{
			ID: wire.Hash{7}, Author: peerA, Kind: wire.MessageKindStatement, Tick: 256, Content: textContent("My newest entry."), References: []wire.Hash{{0xE1}},
		})
		if n := s.a.Notebook.Message(wire.Hash{7}); n.Opinion != want || n.Signed != (want == memory.OpinionNone) {
			t.Errorf("verdict %d: opinion %d, signed %v", verdict, n.Opinion, n.Signed)
		}
	}
}

// A reviewer signals what it makes of another agent's review of the same program; reviews of other programs and its own
// say nothing to it.
func TestNoteMessage_AgreesWithReviewsOfTheSameProgram(t *testing.T) {
	program := wire.Hash{0xD1}
	for _, c := range []struct {
		name string
		own  wire.ReviewVerdict // 0: it did not review the program
		text string
		want wire.SignalKind // 0: none
	}{
		{"both approve", wire.ReviewVerdictApprove, "APPROVE by " + peerA.Alias() + ": read", wire.SignalKindAgree},
		{"both want changes", wire.ReviewVerdictRequestChanges, "REQUEST_CHANGES by " + peerA.Alias() + ": fails", wire.SignalKindAgree},
		{"the other approves what has a fault", wire.ReviewVerdictRequestChanges, "APPROVE by " + peerA.Alias() + ": read", wire.SignalKindDisagree},
		{"the other may have seen more", wire.ReviewVerdictApprove, "REQUEST_CHANGES by " + peerA.Alias() + ": fails", 0},
		{"both only comment", wire.ReviewVerdictCommentOnly, "COMMENT_ONLY by " + peerA.Alias() + ": hm", 0},
		{"the other only comments", wire.ReviewVerdictRequestChanges, "COMMENT_ONLY by " + peerA.Alias() + ": hm", 0},
		{"not reviewed", 0, "APPROVE by " + peerA.Alias() + ": read", 0},
		{"its own", wire.ReviewVerdictApprove, "APPROVE by self: read", 0},
		{"other words", wire.ReviewVerdictApprove, "Approved.", 0},
	} {
		s, o := offering(t, func(s *solo) { s.meet(peerA) })
		if c.own != 0 {
			s.a.Notebook.BeginWork(memory.WorkReview, program, 300)
			workReader{&s.t.replies}.noteReviewing(&pending{payload: &wire.ReviewSubmit{Request: program, Verdict: c.own}}, &wire.Reply{})
		}
		messageReader{&s.t.replies}.noteMessage(&wire.Message{
			ID: wire.Hash{7}, Author: wire.SystemID(wire.SystemAgora), Kind: wire.MessageKindReview, Tick: 301,
			Content: textContent(strings.Replace(c.text, "self", s.a.ID.Alias(), 1)), References: []wire.Hash{program, {0x51}},
		})
		talker{o}.offerSignal(s.about(goals.KindMentor, wire.Hash{}))
		var got wire.SignalKind
		for i := range o.list {
			got = o.list[i].Params.(*wire.SignalSend).Kind
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The approval of a reviewer that the agent does not know, or of whom it has read four approvals and never that it wanted
// changes, says nothing. Reviews of programs that the agent did not review count too.
func TestNoteMessage_AgreesWithNobodyWhoApprovesAll(t *testing.T) {
	for _, c := range []struct {
		approvals, refusals int // read before
		verdict             wire.ReviewVerdict
		known               bool
		blind               string
		want                memory.Opinion
	}{
		{2, 0, wire.ReviewVerdictApprove, true, "", memory.OpinionFor}, // this one is the third
		{3, 0, wire.ReviewVerdictApprove, true, "", memory.OpinionNone},
		{300, 0, wire.ReviewVerdictApprove, true, "", memory.OpinionNone},
		{9, 1, wire.ReviewVerdictApprove, true, "", memory.OpinionFor},
		{300, 1, wire.ReviewVerdictApprove, true, "", memory.OpinionFor},
		{4, 0, wire.ReviewVerdictRequestChanges, true, "", memory.OpinionFor},
		{0, 0, wire.ReviewVerdictApprove, false, "", memory.OpinionNone},
		{0, 0, wire.ReviewVerdictApprove, true, "peers", memory.OpinionNone},
		{4, 0, wire.ReviewVerdictRequestChanges, true, "peers", memory.OpinionFor},
	} {
		s, _ := offering(t, func(s *solo) {
			if c.known {
				s.meet(peerA)
			}
			s.rules.Blind = llm.LayersOf([]string{c.blind})
		})
		for i := range c.approvals + c.refusals {
			v := wire.ReviewVerdictApprove
			if i < c.refusals {
				v = wire.ReviewVerdictRequestChanges
			}
			s.readReview(wire.Hash{8, byte(i), byte(i >> 8)}, wire.Hash{0xD2}, v)
		}
		s.readReview(wire.Hash{9}, wire.Hash{0xD2}, wire.ReviewVerdictCommentOnly) // counts for neither
		s.a.Notebook.BeginWork(memory.WorkReview, wire.Hash{0xD1}, 300).Verdict = uint8(c.verdict)
		if got := s.readReview(wire.Hash{7}, wire.Hash{0xD1}, c.verdict); got != c.want {
			t.Errorf("%+v: opinion %d", c, got)
		}
	}
}

// readReview lets the agent read Agora's message about a review of peerA, and returns its opinion of it.
func (s *solo) readReview(id, request wire.Hash, v wire.ReviewVerdict) memory.Opinion {
	messageReader{&s.t.replies}.noteMessage(&wire.Message{
		ID: id, Author: wire.SystemID(wire.SystemAgora), Kind: wire.MessageKindReview, Tick: 301,
		Content: textContent(v.String() + " by " + peerA.Alias() + ": read"), References: []wire.Hash{request},
	})
	return s.a.Notebook.Message(id).Opinion
}

// In a large world an agent hears of some of the verdicts only, so fewer of them mean that an entry was judged enough.
func TestJudgedEnough_FewerVerdictsSufficeInLargeWorlds(t *testing.T) {
	for _, c := range []struct {
		active   uint32
		verdicts uint8
		want     bool
	}{{0, 2, false}, {8, 3, true}, {33, 2, false}, {64, 1, false}, {64, 2, true}, {500, 0, false}, {500, 1, true}} {
		s, _ := offering(t, func(s *solo) { s.a.Notebook.Active = c.active })
		if got := s.t.expert().judgedEnough(&memory.EntryNote{Verdicts: c.verdicts}); got != c.want {
			t.Errorf("%d agents, %d verdicts: %v", c.active, c.verdicts, got)
		}
	}
}

// Statements about a period, which all agents have counted, are published one after the other: with more peers the wait
// is longer, but it ends before the next period does. Statements about no period do not wait.
func TestLeavesToState_PeriodStatementsAreStaggered(t *testing.T) {
	left := func(peers int, at wire.Tick) (n int) {
		for i := range 60 {
			_, o := offering(t, func(s *solo) {
				for j := range peers {
					s.meet(wire.AgentID{0xAA, byte(j)})
				}
			})
			o.seen.tick = at
			f := memory.Stated(memory.MeasureEraField, string(memory.AppendEra([]byte{'a' + byte(i), ' '}, 2)), 0, 0, 5)
			timeless := memory.Stated(memory.MeasureField, f.Subject(), 0, 0, 5)
			if (scribe{o}).leavesToState(&f) {
				n++
			}
			if (scribe{o}).leavesToState(&timeless) {
				t.Fatal("what is about no time waits")
			}
		}
		return n
	}
	const over, next = 6 * 256, 11 * 256
	alone, few, many, later, last := left(0, over), left(7, over+32), left(60, over+32), left(60, over+96), left(200, next)
	if alone != 0 || few >= many || later >= many || later == 0 || last != 0 {
		t.Errorf("of 60 findings %d are left by who is alone, %d among 7 others, %d among 60, %d a quarter of a cycle later, %d when the next time is over", alone, few, many, later, last)
	}
}

// However many agents there are, each finding about a period is published within the five cycles that follow, at a time of its
// own. Sociable agents are the first.
func TestLeavesToState_WithinTheFiveCyclesThatFollow(t *testing.T) {
	left := func(active uint32, collaboration float32, at wire.Tick) (n int) {
		for i := range 60 {
			_, o := offering(t, func(s *solo) {
				s.a.Notebook.Active, s.a.Genome.Traits.Collaboration = active, collaboration
			})
			o.seen.tick = at
			f := memory.Stated(memory.MeasureEraField, string(memory.AppendEra([]byte{'a' + byte(i), ' '}, 2)), 0, 0, 5)
			if (scribe{o}).leavesToState(&f) {
				n++
			}
		}
		return n
	}
	const over, cycle = 6 * 256, 256
	half, most, all := left(10_000, 0.5, over+5*cycle/2), left(10_000, 0.5, over+4*cycle), left(10_000, 0.5, over+5*cycle)
	if half < 20 || half > 40 || most == 0 || most >= 20 || all != 0 {
		t.Errorf("of 60 findings %d are left half of the time later, %d four cycles later, %d five cycles later", half, most, all)
	}
	if social, shy := left(100, 0.9, over+128), left(100, 0.1, over+128); social >= shy {
		t.Errorf("of 60 findings the sociable leave %d to others, those who are not %d", social, shy)
	}
}

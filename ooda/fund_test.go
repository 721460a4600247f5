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

const question256 = 0x0E // first byte of the question that asking posts

// askedBefore is an agent that asked at tick 256 and has its gates open.
func askedBefore(t *testing.T, prepare func(s *solo)) *solo {
	t.Helper()
	s := newSolo(t, genomes[2])
	s.rules.Gates = uint8(action.ProfileOpen)
	if prepare != nil {
		prepare(s)
	}
	s.slot(`{"action":"msg_post","params":{"channel":"`+channelHelp.String()+`","kind":"QUESTION","content":{"text":"How do I sort?"},"references":[],"confidence":0.5},"reasoning":"x"}`,
		wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{question256}}})
	return s
}

// lists is the payload with which the next thought is offered an action; nil if it is not.
func (s *solo) lists(name string) (found any) {
	s.Helper()
	asked := s.ask()
	for ; asked.Kind == AskSilent; asked = s.ask() { // a task takes the slot
		s.t.Act(llm.Thought{})
		s.t.Record(wire.Reply{})
	}
	for i := range asked.Prompt.Affordances {
		if a := &asked.Prompt.Affordances[i]; a.Name() == name {
			found = a.Params
		}
	}
	s.t.Act(answered(nothing))
	s.t.Record(wire.Reply{})
	return found
}

const nothing = `{"action":"nop","params":{},"reasoning":"x"}`

func TestOfferFund(t *testing.T) {
	peer := wire.AgentID{5}
	answer := event(wire.KindMessagePosted, 300, peer, &wire.MessagePostedEvent{
		MessageID: wire.Hash{6}, ChannelID: channelHelp, Author: peer, Kind: wire.MessageKindAnswer, Tick: 300, Reference: &wire.Hash{question256},
	})
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		after   func(s *solo)
		want    bool
	}{
		{"nobody answered for a cycle", nil, nil, true},
		{"not yet", nil, func(s *solo) { s.next = 300 }, false},
		{"somebody answered", nil, func(s *solo) {
			s.slot(nothing, wire.Reply{}, answer)
			s.next = 600
		}, false},
		{"poor", func(s *solo) { s.view.Balance = 21 }, nil, false},
		{"upkeep is due", func(s *solo) { s.view.Balance, s.rules.Upkeep = 25, 2 }, nil, false},
		{"just enough", func(s *solo) { s.view.Balance = 22 }, nil, true},
		{"closed", func(s *solo) { s.rules.Gates = uint8(action.ProfileDefault) }, nil, false},
		{"somebody pays for it already", nil, func(s *solo) {
			s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}, Creator: peer, Barred: true, Requirements: answers(wire.Hash{question256})}}
		}, false},
		{"somebody pays for an entry of that title", nil, func(s *solo) {
			s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}, Creator: peer, Barred: true, Title: []byte("Document: How do I sort?")}}
		}, false},
		{"somebody pays for an answer to another question", nil, func(s *solo) {
			s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}, Creator: peer, Barred: true, Title: []byte("x"), Requirements: answers(wire.Hash{1})}}
		}, true},
		{"somebody pays for other work", nil, func(s *solo) {
			s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}, Creator: peer, Barred: true, Title: []byte("x"), Requirements: []wire.BountyRequirement{
				{Kind: wire.RequirementKindMustCompile}, {Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleVerified})},
			}}}
		}, true},
	} {
		s := askedBefore(t, c.prepare)
		s.next = 256 + 256 + 4
		if c.after != nil {
			c.after(s)
		}
		if got := s.lists("bounty_create"); (got != nil) != c.want {
			t.Errorf("%s: offered %+v", c.name, got)
		}
	}
}

func answers(question wire.Hash) []wire.BountyRequirement {
	return []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
		Check: wire.CheckOracleAnswered, Question: &question,
	})}}
}

// A bounty stays open for three cycles, and for up to four more the less its creator believes that bounties get done.
func TestOpenFor_LongerTheLessBountiesGetDone(t *testing.T) {
	for _, c := range []struct {
		done, seen  int
		least, most float64
	}{{0, 0, 5, 5}, {20, 20, 3, 3.1}, {0, 20, 6.9, 7}} {
		s, o := offering(t, nil)
		for i := range c.seen {
			s.t.believer().believe(beliefBounties, i < c.done, nil, s.t.seen.tick)
		}
		if got := (buyer{o}).openFor(); got < c.least || got > c.most {
			t.Errorf("%d of %d bounties got done: open for %v cycles, want %v to %v", c.done, c.seen, got, c.least, c.most)
		}
	}
}

// A bounty of an agent is judged by its creator, costs what the market says, and another one
// follows only when it has ended.
func TestOfferFund_RewardDeadlineAndOneBountyAtATime(t *testing.T) {
	s := askedBefore(t, func(s *solo) { s.a.Memory.Market.Wage = 12 })
	s.next = 516
	b := s.lists("bounty_create").(*wire.BountyCreate)
	if len(b.Requirements) != 0 || len(b.Reviewers) != 0 {
		t.Errorf("asks for %+v", b.Requirements)
	}
	if string(b.Title) != "Document: How do I sort?" || b.Reward != 40 || b.Deadline != s.view.Tick+5*256 {
		t.Errorf("%q for %d until %d", b.Title, b.Reward, b.Deadline)
	}
	s.t.offers.reset()
	row, _ := action.ByName("bounty_create")
	s.slot(`{"action":"bounty_create","params":`+string(row.AppendJSON(nil, b))+`,"reasoning":"x"}`,
		wire.Reply{Type: wire.TypeAck, Body: &wire.BountyCreateAck{BountyID: wire.Hash{0xB0}}})
	if w := s.a.Memory.Market.WantOf(wire.Hash{0xB0}); w == nil || w.Offers != 1 {
		t.Fatalf("wants %+v", s.a.Memory.Market.Wants)
	}
	s.next = 2000
	s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 7}, 1792)
	if s.lists("bounty_create") != nil {
		t.Error("offered again while it is open")
	}
	end := s.view.Tick
	s.slot(nothing, wire.Reply{}, event(wire.KindBountyExpired, end, wire.SystemID(wire.SystemAgora), &wire.BountyExpiredEvent{BountyID: wire.Hash{0xB0}, Tick: end}))
	if again, ok := s.lists("bounty_create").(*wire.BountyCreate); !ok || again.Reward <= b.Reward {
		t.Errorf("after nobody claimed it: %+v", again)
	}
}

func TestWant_CorrectionOfInaccurateEntry(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdict  wire.Verdict
		accuracy float32
		by       byte // 0: the agent itself
		title    string
		cited    bool
		want     int
	}{
		{"inaccurate, a quarter of the verdicts accurate", wire.VerdictInaccurate, .25, 0, "How fast #help answers", false, 1},
		{"outdated, half of the verdicts accurate", wire.VerdictOutdated, .5, 0, "How fast #help answers", false, 1},
		{"the agent judged it accurate", wire.VerdictAccurate, .5, 0, "How fast #help answers", false, 0},
		{"inaccurate, a fifth of the verdicts accurate", wire.VerdictInaccurate, .2, 0, "How fast #help answers", false, 0},
		{"another agent's verdict", wire.VerdictInaccurate, .5, 9, "How fast #help answers", false, 0},
		{"another agent's verdict on an entry that an own one cites", wire.VerdictInaccurate, .2, 9, "How fast #help answers", true, 1},
		{"a measure that only its author can count", wire.VerdictInaccurate, .5, 0, "What a look at #help brings", false, 0},
		{"a title of no measure", wire.VerdictInaccurate, .5, 0, "Words", false, 0},
	} {
		s := newSolo(t, genomes[2])
		by := s.a.ID
		if c.by != 0 {
			by = wire.AgentID{c.by}
		}
		if c.cited {
			s.a.Memory.Market.Cite(wire.Hash{3})
		}
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: wire.AgentID{5}, Title: []byte(c.title)})
		s.ask(event(wire.KindEntryVerified, 256, by, &wire.EntryVerifiedEvent{EntryID: wire.Hash{3}, Verifier: by, Verdict: c.verdict, NewAccuracy: c.accuracy}))
		if got := len(s.a.Memory.Market.Wants); got != c.want {
			t.Errorf("%s: %d wants, want %d", c.name, got, c.want)
		}
	}
}

// Nobody pays for a correction that another entry of the same title already holds.
func TestOfferFund_NotIfAnotherEntryHasThatTitle(t *testing.T) {
	const title = "How fast #help answers"
	for _, c := range []struct {
		name  string
		other memory.EntryNote
		want  bool
	}{
		{"none", memory.EntryNote{Title: []byte("Other")}, true},
		{"one that it did not judge", memory.EntryNote{Title: []byte(title)}, false},
		{"one that it found wrong", memory.EntryNote{Title: []byte(title), Verdict: uint8(wire.VerdictInaccurate)}, true},
		{"one that it found out of date", memory.EntryNote{Title: []byte(title), Verdict: uint8(wire.VerdictOutdated)}, true},
		{"one that it found right in part", memory.EntryNote{Title: []byte(title), Verdict: uint8(wire.VerdictPartiallyAccurate)}, false},
		{"one that it found right", memory.EntryNote{Title: []byte(title), Verdict: uint8(wire.VerdictAccurate)}, false},
		{"its own", memory.EntryNote{Title: []byte(title), Own: true}, false},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		wrong := memory.EntryNote{ID: wire.Hash{3}, Author: peerA, Title: []byte(title), Verdict: uint8(wire.VerdictAccurate)} // before it was wrong
		c.other.ID, c.other.Author = wire.Hash{4}, peerB
		s.a.Memory.Titles.Add(wrong.Title)
		s.t.notes.SeeEntry(wrong)
		s.t.notes.SeeEntry(c.other)
		s.a.Memory.Market.Want(memory.Want{Subject: wrong.ID, Words: wrong.Title, Author: peerA, Since: 1})
		s.next = 516
		if got := s.lists("bounty_create") != nil; got != c.want {
			t.Errorf("%s: offered %v", c.name, got)
		}
		if got := s.a.Memory.Market.HasWant(wrong.ID); got != c.want {
			t.Errorf("%s: still wanted %v", c.name, got)
		}
	}
}

// An agent that was told something by another wants an entry about it that all can read, unless there is one, and pays
// for it once.
func TestWantWritten_PublicEntryOfPrivateAnswer(t *testing.T) {
	m, subject := memory.MeasureChannel, []byte("help")
	for _, c := range []struct {
		name     string
		question string
		known    bool // an entry of that title
		want     bool
	}{
		{"nobody wrote it", m.Question(subject) + " I ask for explore. (5a6f860e, cycle 3.1)", false, true},
		{"somebody wrote it", m.Question(subject), true, false},
		{"only the asker can see it", memory.MeasureLook.Question(subject), false, false},
		{"everybody can try it", memory.MeasureRefused.Question([]byte("transfer")), false, false},
		{"a pattern, of which entries are written anyway", memory.MeasurePattern.Question([]byte("memo")), false, false},
		{"nothing that agents count", "How do I sort?", false, false},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		s.next = 300
		s.slot(nothing, wire.Reply{})
		if c.known {
			s.a.Memory.Titles.Add([]byte(m.Title(subject)))
		}
		s.t.payer().wantWritten([]byte(c.question))
		s.t.payer().wantWritten([]byte(c.question)) // of another who was answered
		wants := s.a.Memory.Market.Wants
		if got := len(wants); got > 1 || (got == 1) != c.want {
			t.Errorf("%s: wants %+v", c.name, wants)
		}
		if len(wants) == 0 {
			continue
		}
		s.next = 600
		b, ok := s.lists("bounty_create").(*wire.BountyCreate)
		if !ok || string(b.Title) != "Document: "+m.Question(subject) {
			t.Fatalf("%s: offered %+v", c.name, b)
		}
		s.a.Memory.Market.BountyCreated(wants[0].Subject, wire.Hash{0xB0}, 600)
		if !s.a.Memory.Market.Expired(wire.Hash{0xB0}, 1400, 256) {
			t.Errorf("%s: what has an answer is paid for again", c.name)
		}
	}
}

// Nobody pays for an entry that somebody wrote unpaid.
func TestOfferFund_DropsWantOnceEntryExists(t *testing.T) {
	m, subject := memory.MeasureChannel, []byte("help")
	s := newSolo(t, genomes[2])
	s.rules.Gates = uint8(action.ProfileOpen)
	s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{7}, Words: []byte(m.Question(subject)), Author: s.a.ID, Since: 1})
	s.next = 600
	if s.lists("bounty_create") == nil {
		t.Fatal("not offered")
	}
	s.a.Memory.Titles.Add([]byte(m.Title(subject)))
	if s.lists("bounty_create") != nil || s.a.Memory.Market.HasWant(wire.Hash{7}) {
		t.Error("still wanted")
	}
}

// Now and then an agent pays for a count of a period that has ended, if its own observations are too few.
func TestWantPeriod_BountyForPeriodCountedTooSeldom(t *testing.T) {
	period := memory.AppendEra(nil, 1)
	for _, c := range []struct {
		name  string
		cycle wire.Cycle
		seen  int
		entry bool
		want  bool
	}{
		{"counted twice", 6, 2, false, true},
		{"counted often enough to say it itself", 6, 3, false, false},
		{"not counted at all", 6, 0, false, false},
		{"counted twice, and an entry states it", 6, 2, true, false},
		{"the period goes on", 5, 2, false, false},
		{"it is long over", 11, 2, false, false},
	} {
		wanted := 0
		for i := range 200 {
			s := newSolo(t, genomes[2])
			s.a.ID[0], s.a.ID[1] = byte(i), byte(i*37)
			s.a.Memory.Findings.AddUncounted(memory.MeasureEraPay, period, 1)
			for range c.seen {
				s.a.Memory.Findings.Observe(memory.MeasureEraPay, period, 9, 1)
			}
			if c.entry {
				s.a.Memory.Findings.Get(memory.MeasureEraPay, period).SetEntry(wire.Hash{7})
			}
			s.t.seen.cycle = c.cycle
			buyer{&s.t.offers}.offerFund(&s.t.offers.delegate)
			wanted += len(s.a.Memory.Market.Wants)
		}
		if got := wanted > 0; got != c.want || wanted > 40 {
			t.Errorf("%s: %d of 200 agents want it", c.name, wanted)
		}
	}
}

// The more agents there are, the likelier one of them has counted what the agent has not, so it pays for more: 2 % for each agent
// that is awake beyond four, between 8 and 40 %.
func TestWantPeriod_MoreWhereOthersAreMany(t *testing.T) {
	const agents = 2000
	period := memory.AppendEra(nil, 1)
	for _, c := range []struct {
		awake uint32
		want  float64
	}{{1, .08}, {8, .08}, {10, .12}, {17, .26}, {24, .4}, {64, .4}} {
		wanted := 0
		s := newSolo(t, genomes[2])
		s.t.notes.Active, s.t.seen.cycle = c.awake, 6
		s.a.Memory.Findings.AddUncounted(memory.MeasureEraPay, period, 1)
		s.a.Memory.Findings.Observe(memory.MeasureEraPay, period, 9, 1)
		s.a.Memory.Findings.Observe(memory.MeasureEraPay, period, 9, 1)
		for i := range agents {
			s.a.ID[0], s.a.ID[1] = byte(i), byte(i>>8)
			s.a.Memory.Market.Wants = nil
			buyer{&s.t.offers}.wantPeriod()
			wanted += len(s.a.Memory.Market.Wants)
		}
		if got := float64(wanted) / agents; got < c.want-.03 || got > c.want+.03 {
			t.Errorf("with %d awake %.3f of the agents want it, want %.2f", c.awake, got, c.want)
		}
	}
}

// Earlier bounties of that kind that failed keep cautious agents from setting another one; daring agents try longer.
func TestOfferFund_NotAfterFailedBountiesOfThatKind(t *testing.T) {
	for _, c := range []struct {
		risk   float32
		failed int
		want   bool
	}{{.1, 0, true}, {.1, 1, false}, {.9, 1, true}, {.9, 5, false}} {
		s := newSolo(t, genomes[2])
		s.rules.Gates, s.a.Genome.Traits.RiskTolerance = uint8(action.ProfileOpen), c.risk
		s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{3}, Words: []byte("How fast #help answers"), Author: wire.AgentID{5}, Since: 1})
		for range c.failed {
			s.t.believer().believeAgreed(&memory.OfferNote{Measure: memory.MeasureChannel}, false, 256)
		}
		s.next = 516
		b, offered := s.lists("bounty_create").(*wire.BountyCreate)
		if offered != c.want {
			t.Errorf("%+v: offered %v", c, b)
		}
		if offered && (len(b.Requirements) != 0 || string(b.Title) != "Set right: How fast #help answers") {
			t.Errorf("asks for %+v", b)
		}
	}
}

// An agent that pays for a correct entry compares the delivered entry with its own count.
func TestOfferReview_FunderComparesDeliveryWithOwnCount(t *testing.T) {
	for _, c := range []struct {
		name    string
		entry   *memory.EntryNote
		want    string // the action offered
		verdict wire.BountyVerdict
	}{
		{"it has to be read", &memory.EntryNote{}, "entry_get", 0},
		{"it agrees", &memory.EntryNote{Read: true, Text: []byte("A question in #help gets an answer after 11.0 ticks (n 4, cycle 1)")}, "bounty_review", wire.BountyVerdictApprove},
		{"it does not", &memory.EntryNote{Read: true, Text: []byte("A question in #help gets an answer after 40.0 ticks (n 4, cycle 1)")}, "bounty_review", wire.BountyVerdictReject},
		{"it was found right before, and its text is forgotten", &memory.EntryNote{Judged: true, Verdict: uint8(wire.VerdictAccurate)}, "bounty_review", wire.BountyVerdictApprove},
		{"it was found right in part, though it does not agree", &memory.EntryNote{Read: true, Judged: true, Verdict: uint8(wire.VerdictPartiallyAccurate), Text: []byte("A question in #help gets an answer after 40.0 ticks (n 4, cycle 1)")}, "bounty_review", wire.BountyVerdictApprove},
		{"it was found wrong, though it agrees", &memory.EntryNote{Read: true, Judged: true, Verdict: uint8(wire.VerdictInaccurate), Text: []byte("A question in #help gets an answer after 11.0 ticks (n 4, cycle 1)")}, "bounty_review", wire.BountyVerdictReject},
		{"it was found right before", &memory.EntryNote{Read: true, Judged: true, Verdict: uint8(wire.VerdictAccurate)}, "bounty_review", wire.BountyVerdictApprove},
		{"it states nothing that can be compared", &memory.EntryNote{Read: true, Text: []byte("Soon.")}, "bounty_review", wire.BountyVerdictReject},
		{"there is none", nil, "bounty_review", wire.BountyVerdictReject},
	} {
		s, o := offering(t, func(s *solo) {
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA}}
			s.view.Claims = []wire.BountyView{{
				ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing, Title: []byte("Set right: How fast #help answers"),
			}}
			for range 3 {
				s.a.Memory.Findings.Observe(memory.MeasureChannel, []byte("help"), 10, 1)
			}
			if c.entry != nil {
				c.entry.ID, c.entry.Author, c.entry.At, c.entry.Title = wire.Hash{8}, peerA, 210, []byte("How fast #help answers")
				s.t.notes.SeeEntry(*c.entry)
			}
		})
		worker{o}.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
		if len(o.list) != 1 || o.list[0].Name() != c.want {
			t.Errorf("%s: %d offered", c.name, len(o.list))
			continue
		}
		a := &o.list[0]
		q, ok := a.Params.(*wire.BountyReview)
		if ok && q.Verdict != c.verdict {
			t.Errorf("%s: %v", c.name, q.Verdict)
		}
		if ok && (a.Compose != llm.ComposeNone || string(a.Author) != string(peerA.Alias()) || a.Finding == nil || len(q.Comments) == 0) {
			t.Errorf("%s: the judgement is offered as %+v with the comment %q", c.name, a, q.Comments)
		}
	}
}

// A creator that has counted nothing goes by its own verdict, if it has given one.
func TestOfferReview_OwnVerdictDecidesWithoutCount(t *testing.T) {
	for verdict, want := range map[wire.Verdict]wire.BountyVerdict{ //house:sorted each is looked at by itself
		wire.VerdictAccurate: wire.BountyVerdictApprove, wire.VerdictPartiallyAccurate: wire.BountyVerdictApprove,
		wire.VerdictInaccurate: wire.BountyVerdictReject, wire.VerdictOutdated: wire.BountyVerdictReject,
	} {
		s, o := offering(t, func(s *solo) {
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA}}
			s.view.Claims = []wire.BountyView{{
				ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing, Title: []byte("Set right: How fast #help answers"),
			}}
			s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{8}, Author: peerA, At: 210, Title: []byte("How fast #help answers"), Read: true, Judged: true, Verdict: uint8(verdict)})
		})
		worker{o}.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
		if len(o.list) != 1 {
			t.Errorf("%s: %d offered", verdict, len(o.list))
			continue
		}
		if q := o.list[0].Params.(*wire.BountyReview); q.Verdict != want {
			t.Errorf("found %s: %v (%s), want %v", verdict, q.Verdict, q.Comments, want)
		}
	}
}

// A creator whose notebook has dropped the delivered entry looks for it before it rejects.
func TestOfferReview_LooksForDeliveryThatWasForgotten(t *testing.T) {
	for _, c := range []struct {
		name            string
		closed, browsed wire.Tick
		known           bool // the entry
		allowed         []string
		want            string
	}{
		{"the notebook has dropped entries since the claim", 205, 0, false, nil, "entry_query"},
		{"it dropped entries of the tick of the claim", 200, 0, false, nil, "entry_query"},
		{"it reaches back to the claim", 199, 0, false, nil, "bounty_review"},
		{"the agent has looked since the delivery", 205, 215, false, nil, "bounty_review"},
		{"the agent looked before the delivery", 205, 214, false, nil, "entry_query"},
		{"the entry is known", 205, 0, true, nil, "entry_get"},
		{"there is no way to look", 205, 0, false, []string{"bounty_review"}, "bounty_review"},
	} {
		s, o := offering(t, func(s *solo) {
			if s.rules.Allowed = c.allowed; c.known {
				s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{8}, Author: peerA, At: 210, Title: []byte("How fast #help answers")})
			}
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA, Since: 215}}
			s.view.Claims = []wire.BountyView{{
				ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing, Title: []byte("Set right: How fast #help answers"),
			}}
			s.t.notes.Closed, s.t.notes.Browsed = c.closed, c.browsed
		})
		worker{o}.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
		if len(o.list) != 1 || o.list[0].Name() != c.want {
			t.Errorf("%s: offered %+v", c.name, o.list)
			continue
		}
		if q, ok := o.list[0].Params.(*wire.EntryQuery); ok && ((*q.Authors)[0] != peerA || *q.UpdatedAfter != 199) {
			t.Errorf("%s: looks for %+v", c.name, q)
		}
	}
}

// What was delivered is the newest entry of the claimer about what the bounty asks for, written since the claim.
func TestDelivered_NewestEntryOfClaimerAboutTheSubject(t *testing.T) {
	const title = "How fast #help answers"
	entry := func(author wire.AgentID, at wire.Tick, title string) memory.EntryNote {
		return memory.EntryNote{Author: author, At: at, Title: []byte(title)}
	}
	for _, c := range []struct {
		name    string
		entries []memory.EntryNote
		want    int // place; -1: none
	}{
		{"nothing", nil, -1},
		{"an entry", []memory.EntryNote{entry(peerA, 210, title)}, 0},
		{"an entry of the tick of the claim", []memory.EntryNote{entry(peerA, 200, title)}, 0},
		{"an entry from before", []memory.EntryNote{entry(peerA, 199, title)}, -1},
		{"an entry of another", []memory.EntryNote{entry(peerB, 210, title)}, -1},
		{"an entry about another channel", []memory.EntryNote{entry(peerA, 210, "How fast #general answers")}, -1},
		{"an entry about something else", []memory.EntryNote{entry(peerA, 210, "What #help is used for")}, -1},
		{"an entry about nothing that agents count", []memory.EntryNote{entry(peerA, 210, "Words")}, -1},
		{"two entries", []memory.EntryNote{entry(peerA, 210, title), entry(peerA, 220, title), entry(peerB, 230, title)}, 1},
	} {
		s, o := offering(t, nil)
		for i, n := range c.entries {
			n.ID = wire.Hash{0xE1, byte(i)}
			s.a.Notebook.SeeEntry(n)
		}
		b := &wire.BountyView{ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Title: []byte("Set right: " + title)}
		got := -1
		if n := (creator{o}).delivered(b, peerA); n != nil {
			got = int(n.ID[1])
		}
		if got != c.want {
			t.Errorf("%s: entry %d is taken for the delivery, want %d", c.name, got, c.want)
		}
	}
}

// Without a count of its own an agent judges by the verdicts of others; what it has only read of is no count.
func TestOfferReview_WithoutOwnCountByOthers(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA, Since: 215}}
		s.view.Claims = []wire.BountyView{{
			ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing, Title: []byte("Set right: How fast #help answers"),
		}}
		s.a.Memory.Findings.AddUncounted(memory.MeasureChannel, []byte("help"), 1)
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{8}, Author: peerA, At: 210, Title: []byte("How fast #help answers"), Read: true, Verdicts: 2, Vouched: 1, Text: []byte("A question in #help gets an answer after 90.0 ticks (n 4, cycle 1)")})
	})
	worker{o}.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
	if len(o.list) != 1 || o.list[0].Params.(*wire.BountyReview).Verdict != wire.BountyVerdictApprove {
		t.Errorf("offered %+v", o.list)
	}
}

// Only deliveries for its own bounties about something that agents count does an agent judge by its count.
func TestReview_OnlyOwnBountiesAboutWhatAgentsCount(t *testing.T) {
	for _, c := range []struct {
		name, title string
		own, want   bool
	}{
		{"its own", "Set right: How fast #help answers", true, true},
		{"its own, about other work", "Write a parser", true, false},
		{"another's, in which it reviews", "Set right: How fast #help answers", false, false},
	} {
		s, o := offering(t, func(s *solo) {
			by := peerB
			if c.own {
				by = s.a.ID
			}
			s.view.Claims = []wire.BountyView{{ID: wire.Hash{7}, Creator: by, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing, Title: []byte(c.title)}}
		})
		if got := (creator{o}).review(s.about(goals.KindDoReview, wire.Hash{7}), &wire.ReviewView{ID: wire.Hash{7}, Author: peerA}); got != c.want {
			t.Errorf("%s: judged by its count %v", c.name, got)
		}
	}
}

// What is found is noted, although older entries than the notebook reaches back to are taken for done.
func TestNoteShown_NotesWhatWasDelivered(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.view.Claims = []wire.BountyView{
		{ID: wire.Hash{5}, Creator: s.a.ID, Status: wire.BountyStatusOpen},
		{ID: wire.Hash{6}, Creator: peerA, Claimer: &peerB, ClaimedAt: 200, Status: wire.BountyStatusReviewing},
		{ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing},
	}
	s.ask()
	s.t.notes.Closed = 240
	shown := func(id byte, author wire.AgentID, at wire.Tick) wire.OracleEntry {
		return wire.OracleEntry{ID: wire.Hash{id}, Author: author, CreatedAt: at, Title: []byte("A title")}
	}
	s.t.replies.noteShown(&pending{}, &wire.EntryQueryReply{Entries: []wire.OracleEntry{
		shown(1, peerA, 210), shown(2, peerA, 190), shown(3, peerB, 210), shown(4, peerA, 200),
	}})
	if s.t.notes.Entry(wire.Hash{4}) == nil || s.t.notes.Entry(wire.Hash{1}) == nil || s.t.notes.Entry(wire.Hash{2}) != nil || s.t.notes.Entry(wire.Hash{3}) != nil {
		t.Errorf("noted %+v", s.t.notes.Entries)
	}
}

// How far from its own count an agent believes a statement depends on how often its author's work was found right.
func TestTakesForRight(t *testing.T) {
	for _, c := range []struct {
		competence float32
		within     float64 // distance up to which it is believed: 0.3 · (1 + ln(c / (1 − c)))
	}{{.5, .3}, {.7, .554}, {.9, .959}, {.3, .046}} {
		s := newSolo(t, genomes[2])
		s.a.Memory.Peers.Observe(peerA, 1)
		s.a.Memory.Peers.Get(peerA).Competence = c.competence
		if !s.t.relations().takesForRight(peerA, c.within-.002) || s.t.relations().takesForRight(peerA, c.within+.002) {
			t.Errorf("of an author with %v: not within %v", c.competence, c.within)
		}
	}
	s := newSolo(t, genomes[2])
	if !s.t.relations().takesForRight(peerB, .299) || s.t.relations().takesForRight(peerB, .301) {
		t.Error("a stranger is believed otherwise than one whose work was right as often as wrong")
	}
	if s.a.Memory.Peers.Observe(peerA, 1); true {
		s.a.Memory.Peers.Get(peerA).Competence = 0
	}
	if s.t.relations().takesForRight(peerA, 0) {
		t.Error("who was never right is believed")
	}
}

func TestOfferTip(t *testing.T) {
	peer := wire.AgentID{5}
	for _, c := range []struct {
		name    string
		balance int64
		collab  float32
		want    uint64
	}{
		{"can spare little", 24, .5, 1},
		{"can spare 1 ⚡ and its tax", 22, .5, 1},
		{"can spare nothing", 21, .5, 0},
		{"can spare more", 40, .5, 5},
		{"can spare more, social agent", 40, .9, 9},
		{"rich and social: at most 10", 5000, .9, 10},
	} {
		g := genomes[2]
		g.Traits.Collaboration = c.collab
		s := newSolo(t, g)
		s.rules.Gates, s.view.Balance = uint8(action.ProfileOpen), c.balance
		s.a.Memory.Market.Thanks.Add(wire.Hash{}, peer, 256, 512)
		var got uint64
		p, ok := s.lists("transfer").(*wire.Transfer)
		if ok != (c.want > 0) {
			t.Errorf("%s: a tip is offered %v", c.name, ok)
		}
		if ok {
			if got = p.Amount; p.To != peer || p.Kind != wire.TransferKindDirect {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What a bounty says: its title, how hard it is and how its creator judges the delivery. It is the harder the less agents agreed on such
// entries, and easier if somebody has counted the same.
func TestOfferFund_TitleDifficultySpecification(t *testing.T) {
	channel := memory.MeasureChannel
	long := strings.Repeat("x", action.MaxTitle)
	for _, c := range []struct {
		name   string
		want   memory.Want
		agreed float64 // that entries about channels are agreed on; 0: nothing is known
		title  string
		hard   wire.Difficulty
		says   string
	}{
		{"a question about nothing that agents count", memory.Want{Words: []byte("How? I mean it."), Author: wire.AgentID{1}}, 0, "Document: How? I mean it.", wire.DifficultyEasy, "what others find of it"},
		{"a long question", memory.Want{Words: []byte(long), Author: wire.AgentID{1}}, 0, "Document: " + long[:action.MaxTitle-10], wire.DifficultyEasy, "what others find of it"},
		{"a question about what agents count", memory.Want{Words: []byte(channel.Question([]byte("help")) + " I ask for explore."), Author: wire.AgentID{1}}, 0, "Document: " + channel.Question([]byte("help")), wire.DifficultyModerate, "what others find of it"},
		{"a wrong entry", memory.Want{Words: []byte(channel.Title([]byte("help"))), Author: peerA}, 0, "Set right: " + channel.Title([]byte("help")), wire.DifficultyEasy, "compare it with what I have counted"},
		{"a wrong entry of a sort that is agreed on", memory.Want{Words: []byte(channel.Title([]byte("help"))), Author: peerA}, .9, "Set right: " + channel.Title([]byte("help")), wire.DifficultyTrivial, "compare it with what I have counted"},
		{"a program", memory.Want{Words: []byte("one that sorts"), Author: wire.AgentID{1}, Program: true}, 0, "Program: one that sorts", wire.DifficultyModerate, "read and run it"},
	} {
		s, o := offering(t, func(s *solo) { s.rules.Gates, s.next = uint8(action.ProfileOpen), 600 })
		if c.want.Author == (wire.AgentID{1}) {
			c.want.Author = s.a.ID
		}
		c.want.Subject, c.want.Since = wire.Hash{7}, 1
		s.a.Memory.Market.Want(c.want)
		if c.agreed > 0 {
			s.a.Memory.Beliefs.MoveTowards(agreedClaims[channel], c.agreed, c.agreed, 1, nil, 600)
		}
		(buyer{o}).offerFund(&o.delegate)
		if len(o.list) != 1 {
			t.Errorf("%s: %d offered", c.name, len(o.list))
			continue
		}
		a := &o.list[0]
		b := a.Params.(*wire.BountyCreate)
		if string(b.Title) != c.title || b.Difficulty != c.hard || !strings.Contains(string(b.Specification), c.says) {
			t.Errorf("%s: %q, %v: %q", c.name, b.Title, b.Difficulty, b.Specification)
		}
		if string(a.Author) != string(c.want.Author.Alias()) || string(a.Text) != string(c.want.Words) {
			t.Errorf("%s: it is for what %s said: %q", c.name, a.Author, a.Text)
		}
	}
}

// What the agent pays or asks others to do is worth as much as its best goal, and 0.7 at least, because it takes hardly any time.
func TestWants_WorthAsMuchAsTheBestGoal(t *testing.T) {
	me := newSolo(t, genomes[6]).a.ID
	peer := wire.AgentID{5}
	for _, c := range []struct {
		name string
		with func(s *solo)
		run  func(o *offers)
	}{
		{"a bounty", func(s *solo) {
			s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{7}, Words: []byte("How?"), Author: me, Since: 1})
		}, func(o *offers) { buyer{o}.offerFund(&o.delegate) }},
		{"a tip", func(s *solo) { s.a.Memory.Market.Thanks.Add(wire.Hash{}, peer, 256, 512) }, func(o *offers) { buyer{o}.offerTip(&o.delegate) }},
		{"money that was locked for an answer", func(s *solo) { s.a.Memory.Market.Thanks.Add(wire.Hash{1}, peer, 256, 512) }, func(o *offers) { buyer{o}.offerTip(&o.delegate) }},
		{"money to lock for an answer", func(s *solo) {
			s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{7}, Words: []byte("How?"), Author: me, Since: 590, Asked: peer})
		}, func(o *offers) { buyer{o}.offerPledge(&o.delegate) }},
		{"a vote for its own proposal", func(s *solo) {
			s.view.Proposals = []wire.ProposalView{{ID: wire.Hash{3}, Author: me, Kind: wire.ProposalKindCustom, Deadline: 800, Description: textContent("x")}}
		}, func(o *offers) { citizen{o}.offerOwnVote(&o.delegate) }},
		{"a proposal", func(s *solo) {
			grieved(s)
			s.a.Memory.Grievances[0].Suffered = 9
		}, func(o *offers) { citizen{o}.offerPropose(&o.delegate) }},
		{"words for its proposal", func(s *solo) {
			s.a.Memory.Grievances = memory.Grievances{{Complaint: memory.ComplaintUnjudged, Own: wire.Hash{0xB0}}}
		}, func(o *offers) { citizen{o}.offerArgue(&o.delegate) }},
	} {
		for best, want := range map[float64]float64{0: .7, .3: .7, 1.2: 1.2} { //house:sorted each is looked at by itself
			s, o := offering(t, func(s *solo) {
				s.rules.Gates, s.next, s.a.Genome.Traits.Collaboration = uint8(action.ProfileOpen), 600, 1
				c.with(s)
			})
			o.delegate.Priority = 0
			if s.t.goals.top = nil; best > 0 {
				s.t.goals.top = s.about(goals.KindEarn, wire.Hash{})
				s.t.goals.top.Priority = best
			}
			c.run(o)
			if len(o.list) != 1 || o.list[0].Priority != want {
				t.Errorf("%s, beside a goal of %v: %+v, want one act of %v", c.name, best, o.list, want)
				continue
			}
			if len(o.list[0].Author) == 0 {
				t.Errorf("%s: nobody is named", c.name)
			}
		}
	}
}

// An answer for which money is locked is paid for whatever the agent's collaboration. Without, an agent of no collaboration pays for
// none and one of full collaboration for every first one, but the same peer at most once in two cycles.
func TestThank_LockedMoneyAndShareByCollaboration(t *testing.T) {
	for _, c := range []struct {
		name   string
		collab float32
		locked bool
		author wire.AgentID
		ago    wire.Tick // since the last tip to the same peer; 0: there was none
		want   bool
	}{
		{"unsociable", 0, false, peerA, 0, false},
		{"unsociable, with money locked", 0, true, peerA, 0, true},
		{"sociable", 1, false, peerA, 0, true},
		{"sociable, to a system", 1, false, wire.SystemID(wire.SystemAgora), 0, false},
		{"sociable, soon after the last tip", 1, false, peerA, 511, false},
		{"sociable, two cycles after the last tip", 1, false, peerA, 512, true},
	} {
		s := newSolo(t, genomes[2])
		s.a.Genome.Traits.Collaboration = c.collab
		s.t.seen.tick = 1000
		question := wire.Hash{question256}
		m := &s.a.Memory.Market
		m.Want(memory.Want{Subject: question, Author: s.a.ID, Since: 900, Asked: c.author})
		if c.locked {
			m.Pledge(c.author, wire.Hash{0xE5})
		}
		if c.ago > 0 {
			m.Thanks.Add(wire.Hash{}, c.author, 1000-c.ago, 0)
			m.Thanks.MarkPaid(c.author)
		}
		s.t.payer().thank(&wire.Message{ID: wire.Hash{8}, Author: c.author}, question)
		if got := m.Thanks.NextUnpaid() != nil; got != c.want {
			t.Errorf("%s: pays %v", c.name, got)
		}
	}
}

// An agent does not want its own entry to be replaced, however wrong others find it.
func TestWant_NoCorrectionOfOwnEntry(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.a.Memory.Market.Cite(wire.Hash{3})
	s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: s.a.ID, Own: true, Title: []byte("How fast #help answers")})
	s.ask(event(wire.KindEntryVerified, 256, peerA, &wire.EntryVerifiedEvent{EntryID: wire.Hash{3}, Verifier: peerA, Verdict: wire.VerdictInaccurate, NewAccuracy: .5}))
	if w := s.a.Memory.Market.Wants; len(w) > 0 {
		t.Errorf("wants %+v", w)
	}
}

// The author of the first answer that was read is thanked, and no other.
func TestThank_OnlyFirstAnswerRead(t *testing.T) {
	s := askedBefore(t, nil)
	s.a.Genome.Traits.Collaboration = 1
	show := func(id byte, author wire.AgentID) wire.Reply {
		return wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{{
			ID: wire.Hash{id}, Channel: channelHelp, Author: author, Tick: 260, Kind: wire.MessageKindAnswer,
			Content: textContent("So."), References: []wire.Hash{{question256}},
		}}}}
	}
	look := `{"action":"msg_query","params":{"channels":["` + channelHelp.String() + `"],"sort":"RECENT","limit":10},"reasoning":"x"}`
	s.slot(look, show(0x21, wire.AgentID{5}))
	s.slot(look, show(0x22, wire.AgentID{6}))
	if got := s.a.Memory.Market.Thanks; len(got) != 1 || got[0].Author != (wire.AgentID{5}) {
		t.Errorf("thanks %+v", got)
	}
}

// An answer that does not state what was asked is not paid; the next one that does is.
func TestThank_OnlyAnswerThatStatesWhatWasAsked(t *testing.T) {
	subject := []byte("#help")
	asked := memory.MeasureChannel.Question(subject)
	stated := memory.Stated(memory.MeasureChannel, string(subject), 1, 4, 1)
	right := stated.Statement()
	s := newSolo(t, genomes[2])
	s.rules.Gates = uint8(action.ProfileOpen)
	s.a.Genome.Traits.Collaboration = 1
	post := `{"action":"msg_post","params":{"channel":"` + channelHelp.String() + `","kind":"QUESTION","content":{"text":"` + asked + `"},"references":[],"confidence":0.5},"reasoning":"x"}`
	s.slot(post, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{question256}}})
	look := `{"action":"msg_query","params":{"channels":["` + channelHelp.String() + `"],"sort":"RECENT","limit":10},"reasoning":"x"}`
	for i, words := range []string{"It is as everybody says, 7.", right} {
		s.slot(look, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{{
			ID: wire.Hash{byte(0x21 + i)}, Channel: channelHelp, Author: wire.AgentID{byte(5 + i)}, Tick: 260, Kind: wire.MessageKindAnswer,
			Content: textContent(words), References: []wire.Hash{{question256}},
		}}}})
	}
	if got := s.a.Memory.Market.Thanks; len(got) != 1 || got[0].Author != (wire.AgentID{6}) {
		t.Errorf("asked %q, answered %q: thanks %+v", asked, right, got)
	}
}

// Agents of the more social half tip an answer of a peer that answered them more often than they answered it, even if
// they would not tip otherwise. Agents of the less social half do not.
func TestThank_SocialAgentTipsPeerItOwesAnswers(t *testing.T) {
	peer := wire.AgentID{5}
	for _, c := range []struct {
		name           string
		collab         float32
		served, helped int
		want           bool
	}{
		{"the peer answered more often", .5, 2, 1, true},
		{"both answered as often", .5, 1, 1, false},
		{"the agent answered more often", .5, 1, 2, false},
		{"the peer answered more often, less social agent", .49, 2, 1, false},
	} {
		s := askedBefore(t, nil)
		s.a.Genome.Traits.Collaboration = c.collab
		for range c.served {
			s.a.Memory.Peers.Serve(peer, 256)
		}
		for range c.helped {
			s.a.Memory.Peers.Help(peer, 256)
		}
		answer := wire.Hash{s.a.ID[0] ^ 0x80} // it draws half and more
		s.t.payer().thank(&wire.Message{ID: answer, Author: peer}, wire.Hash{question256})
		if got := s.a.Memory.Market.Thanks.NextUnpaid() != nil; got != c.want {
			t.Errorf("%s: pays %v", c.name, got)
		}
	}
}

func TestClaimBounty_OnlyIfExpectedRewardExceedsWage(t *testing.T) {
	for _, c := range []struct {
		wage float64
		want bool
	}{{0, true}, {700, true}, {900, false}} { // the bounty pays 200, half of it expected: 8 of 64 slots of a wage of 800 cost 100
		s := newSolo(t, genomes[2])
		s.a.Memory.Market.Wage = c.wage
		s.ask(s.created(s.bounty()))
		if got := s.goal(goals.KindClaimBounty) != nil; got != c.want {
			t.Errorf("wage %v: wants to claim %v", c.wage, got)
		}
	}
}

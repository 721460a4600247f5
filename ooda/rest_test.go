package ooda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

func restFor(slots int) string {
	return fmt.Sprintf(`{"action":"rest","params":{"slots":%d},"reasoning":"nothing is worth its cost"}`, slots)
}

// pass plays a slot that needs no thought and returns its step; ok is false when a thought was
// asked, and then the slot is a NOP.
func (s *solo) pass(events ...*wire.Event) (step Step, ok bool) {
	s.Helper()
	if s.ask(events...).Kind == AskThink {
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
		return step, false
	}
	step = s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	return step, true
}

// TestRest_LetsSlotsPass: so many slots without a thought, without a message, and the streak of NOPs
// stays as it is.
func TestRest_LetsSlotsPass(t *testing.T) {
	for _, c := range []struct{ slots, left, want int }{
		{1, 64, 1}, {3, 64, 3}, {64, 64, 63}, {16, 64, 16}, {16, 4, 3}, {5, 1, 0},
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.slot(idle, wire.Reply{})
		s.view.SlotsLeft = uint64(c.left)
		acts := s.a.Memory.Experiences.Len()
		step := s.slot(restFor(c.slots), wire.Reply{})
		if step.Kind != StepNone || !step.Resting || step.RestLeft != uint64(c.want) || step.Think.Action != "rest" {
			t.Errorf("%+v: %+v", c, step)
		}
		if n := step.NOP; n == nil || n.Reason != NOPRest || n.Slots != uint64(c.want) || n.Streak != 2 || n.Attempts != 1 || n.Reason.Class() != "rest" || n.Reasoning == "" {
			t.Errorf("%+v: line %+v", c, n)
		}
		for left := c.want - 1; left >= 0; left-- {
			if step, ok := s.pass(); !ok || step.Kind != StepNone || !step.Resting || step.RestLeft != uint64(left) || step.NOP != nil || step.Think != nil {
				t.Fatalf("%+v, %d left: %v, %+v", c, left, ok, step)
			}
		}
		if s.a.NOPStreak != 2 || s.a.Memory.Experiences.Len() != acts || s.a.CurrentTask != nil {
			t.Errorf("%+v: streak %d, %d acts more, task %+v", c, s.a.NOPStreak, s.a.Memory.Experiences.Len()-acts, s.a.CurrentTask)
		}
		if _, ok := s.pass(); ok || s.a.NOPStreak != 3 {
			t.Errorf("%+v: the rest does not end", c)
		}
	}
}

func TestRest_EndsWhenEventConcernsTheAgent(t *testing.T) {
	var ref wire.Hash
	for _, c := range []struct {
		name       string
		events     func(me wire.AgentID) *wire.Event
		deliveries []wire.Reply
		ends       bool
	}{
		{"nothing", nil, nil, false},
		{"somebody's message", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA})
		}, nil, false},
		{"money for it", func(me wire.AgentID) *wire.Event {
			return event(wire.KindTransferCompleted, 257, peerA, &wire.TransferCompletedEvent{From: peerA, To: me})
		}, nil, true},
		{"money locked for it, which costs nothing", func(me wire.AgentID) *wire.Event {
			return event(wire.KindEscrowCreated, 257, peerA, &wire.EscrowCreatedEvent{Owner: peerA, Amount: 1, Beneficiary: &me})
		}, nil, false},
		{"a payment to it that was refused", func(me wire.AgentID) *wire.Event {
			return event(wire.KindTransferFailed, 257, me, &wire.TransferFailedEvent{From: peerA, To: me, Amount: 9000})
		}, nil, false},
		{"a review asked of it", func(me wire.AgentID) *wire.Event {
			return event(wire.KindReviewRequested, 257, peerA, &wire.ReviewRequestedEvent{Author: peerA, Reviewers: []wire.AgentID{peerA, me}})
		}, nil, true},
		{"a message to it", func(me wire.AgentID) *wire.Event {
			ref := wire.Hash(me)
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Reference: &ref})
		}, nil, true},
		{"an answer to its question", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Kind: wire.MessageKindAnswer, Reference: &wire.Hash{0xAA}})
		}, nil, true},
		{"an answer to another", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Kind: wire.MessageKindAnswer, Reference: &wire.Hash{0xAB}})
		}, nil, false},
		{"an answer to another's question that it knows", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Kind: wire.MessageKindAnswer, Reference: &wire.Hash{0xAE}})
		}, nil, false},
		{"a reply to its statement", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Kind: wire.MessageKindStatement, Reference: &wire.Hash{0xAD}})
		}, nil, false},
		{"an opportunity", func(wire.AgentID) *wire.Event {
			return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{MessageID: wire.Hash{0xAC}, Author: peerA, Kind: wire.MessageKindQuestion, Tick: 257})
		}, nil, true},
		{"about it", func(me wire.AgentID) *wire.Event {
			return event(wire.KindReputationUpdated, 257, me, &wire.ReputationUpdatedEvent{AgentID: me})
		}, nil, true},
		{"the reports of a cycle's end", nil, []wire.Reply{{Type: wire.TypeWorldState}, {Type: wire.TypeEconomyReport}, {Type: wire.TypePortalReport}}, false},
		{"the result of a vote", nil, []wire.Reply{{Type: wire.TypeWorldState}, {Type: wire.TypeProposalResult, Ref: ref}}, true},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{0xAA}, Author: s.a.ID, Kind: wire.MessageKindQuestion})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{0xAD}, Author: s.a.ID, Kind: wire.MessageKindStatement})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{0xAE}, Author: peerB, Kind: wire.MessageKindQuestion})
		s.slot(restFor(5), wire.Reply{})
		s.view.Deliveries = c.deliveries
		var events []*wire.Event
		if c.events != nil {
			events = append(events, c.events(s.a.ID))
		}
		_, ok := s.pass(events...)
		if ok == c.ends {
			t.Errorf("%s: ends %v, want %v", c.name, !ok, c.ends)
		}
		s.view.Deliveries = nil
		if _, ok := s.pass(); ok == c.ends {
			t.Errorf("%s: the slot after it rests: %v", c.name, ok)
		}
	}
}

// A rest ends when a bounty becomes a goal, not when the agent still leaves it to others.
func TestRest_EndsWhenBountyBecomesGoal(t *testing.T) {
	for _, others := range []bool{false, true} {
		s := newSolo(t, genomes[6])
		s.slot(restFor(5), wire.Reply{})
		if others {
			s.a.Notebook.Active = 1000
		}
		s.view.Bounties = []wire.BountyView{{ID: wire.Hash{0x7F}, Creator: peerA, Reward: 20, Deadline: 9000, Status: wire.BountyStatusOpen, Title: []byte("work"), Difficulty: wire.DifficultyTrivial}}
		if _, rests := s.pass(s.created(&s.view.Bounties[0])); rests != others {
			t.Errorf("left to others %v: the rest goes on %v", others, rests)
		}
	}
}

// Doing nothing is worth what a slot brings, at least 0.15, and up to twice as much the farther the agent is below 20 ⚡. An agent
// that is blind to money goes by neither.
func TestReservation_ByEarningsAndPoverty(t *testing.T) {
	for _, c := range []struct {
		balance int64
		earns   float64 // ⚡ per slot
		blind   []string
		want    float64
	}{
		{100, 0, nil, .15},
		{20, 0, nil, .15},
		{19, 0, nil, .1575},
		{10, 0, nil, .225},
		{0, 0, nil, .3},
		{-50, 0, nil, .3},
		{100, 30, nil, .5},
		{10, 30, nil, .75},
		{10, 30, []string{"money"}, .15},
	} {
		s, o := offering(t, nil)
		s.rules.Blind = llm.LayersOf(c.blind)
		s.a.Balance, s.a.Memory.Market.Wage = c.balance, c.earns*float64(s.a.TickBudget)
		if got := o.reservation(); !near(got, c.want) {
			t.Errorf("%d ⚡, %v a slot, blind to %v: doing nothing is worth %v, want %v", c.balance, c.earns, c.blind, got, c.want)
		}
	}
}

// Work for others keeps an agent from falling asleep for want of demand. To ask, to tell, to read and to look is none.
func TestProductive_WorkForOthers(t *testing.T) {
	for _, c := range []struct {
		name    string
		payload any
		want    bool
	}{
		{"an answer", &wire.MsgPost{Kind: wire.MessageKindAnswer}, true},
		{"a question", &wire.MsgPost{Kind: wire.MessageKindQuestion}, false},
		{"a statement", &wire.MsgPost{Kind: wire.MessageKindStatement}, false},
		{"an entry", &wire.EntryPublish{}, true},
		{"a verdict", &wire.EntryVerify{}, true},
		{"a review", &wire.ReviewSubmit{}, true},
		{"a vote", &wire.ProposalVote{}, true},
		{"a payment", &wire.Transfer{}, true},
		{"a look at an entry", &wire.EntryGet{}, false},
		{"a look at messages", &wire.MsgQuery{}, false},
		{"a signal", &wire.SignalSend{}, false},
	} {
		if got := productive(c.payload); got != c.want {
			t.Errorf("%s: productive %v", c.name, got)
		}
	}
}

// An agent that can do nothing now waits, instead of sending a NOP, if it has left something for later: work of others, a bounty,
// a message, or an entry that still needs verdicts.
func TestWaitsForMore_WhatMayBeDoneLater(t *testing.T) {
	open := wire.BountyView{ID: wire.Hash{7}, Creator: peerA, Status: wire.BountyStatusOpen}
	for _, c := range []struct {
		name string
		with func(s *solo)
		want bool
	}{
		{"nothing", func(*solo) {}, false},
		{"a goal that it leaves to others", func(s *solo) {
			s.a.Notebook.Active = 1000
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{5}, Author: peerA, Kind: wire.MessageKindQuestion, At: s.t.seen.tick, Signed: true})
			if err := s.a.Goals.Add(*s.about(goals.KindAnswer, wire.Hash{5}), &s.t.goals.situation.Appraisal); err != nil {
				s.Fatal(err)
			}
		}, true},
		{"a bounty", func(s *solo) { s.t.notes.Offer(memory.OfferNote{Bounty: open.ID}) }, true},
		{"a bounty that somebody has claimed", func(s *solo) { s.t.notes.Offer(memory.OfferNote{Bounty: open.ID, Claimed: 200}) }, false},
		{"a bounty that it has decided on", func(s *solo) { s.t.notes.Offer(memory.OfferNote{Bounty: open.ID, Again: ^wire.Tick(0)}) }, false},
		{"a bounty that is out of sight", func(s *solo) { s.t.notes.Offer(memory.OfferNote{Bounty: wire.Hash{8}}) }, false},
		{"a message", func(s *solo) { s.noteMessages(1, memory.MessageNote{Author: peerA}) }, true},
		{"a message that it has read", func(s *solo) { s.noteMessages(1, memory.MessageNote{Author: peerA, Read: true}) }, false},
		{"a message that it has given up", func(s *solo) { s.noteMessages(1, memory.MessageNote{Author: peerA, Signed: true}) }, false},
		{"an entry", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA, Verdicts: 2}) }, true},
		{"an entry that it has read", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA, Read: true}) }, false},
		{"an entry that it has judged", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA, Judged: true}) }, false},
		{"its own entry", func(s *solo) { s.noteEntries(1, memory.EntryNote{Own: true}) }, false},
		{"an entry with three verdicts", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA, Verdicts: 3}) }, false},
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.t.slotView.bounties = []wire.BountyView{open}
		c.with(s)
		if got := s.t.rest.waitsForMore(); got != c.want {
			t.Errorf("%s: waits %v", c.name, got)
		}
	}
}

// Events during a rest are not lost.
func TestRest_TellsWhatHappenedMeanwhile(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(restFor(1), wire.Reply{})
	missed := event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, ChannelID: channelHelp})
	s.pass(missed)
	if s.ask(); !slices.Contains(s.t.prompt.Sight.Missed, missed) {
		t.Errorf("missed %v", s.t.prompt.Sight.Missed)
	}
}

func TestRest_EndsWithItsCycle(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(restFor(16), wire.Reply{})
	s.t.CycleEnd(511)
	s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 2}, 512)
	s.next = 512
	if _, ok := s.pass(); ok {
		t.Error("a rest goes on in the next cycle")
	}
}

// TestRest_KeepsWaitingForAResult: a task that waits for its result is neither given up nor held up.
func TestRest_KeepsWaitingForAResult(t *testing.T) {
	s := newSolo(t, genomes[6])
	ref := wire.Hash{1}
	s.a.CurrentTask = &agent.Task{TickLimit: 3, Awaits: &ref}
	s.slot(restFor(4), wire.Reply{})
	s.pass()
	if task := s.a.CurrentTask; task == nil || task.TicksUsed != 2 {
		t.Fatalf("%+v", task)
	}
	s.view.Deliveries = []wire.Reply{{Ref: ref, Type: wire.TypeAck}}
	if _, ok := s.pass(); ok || s.a.CurrentTask != nil {
		t.Errorf("the result does not end the rest; task %+v", s.a.CurrentTask)
	}
}

func TestRest_CanBeAStepOfAPlan(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.slot(withField(getEntry, `,"memory_update":{"plan":[{"action":"rest","params":{"slots":2}},{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}`), ack)
	p := s.planned()
	if p == nil || len(p.Steps) != 2 {
		t.Fatalf("plan %+v", p)
	}
	s.slot(restFor(2), wire.Reply{})
	if p.Step != 1 {
		t.Errorf("the plan stands at step %d after its rest", p.Step)
	}
}

func TestRest_IsOfferedWhereASlotIsLeft(t *testing.T) {
	for _, c := range []struct{ left, want int }{{1, 0}, {2, 1}, {9, 8}, {64, 63}, {65, 64}, {200, 64}} {
		s := newSolo(t, genomes[6])
		s.view.SlotsLeft = uint64(c.left)
		p := s.ask().Prompt
		got := 0
		for i := range p.Affordances {
			if a := &p.Affordances[i]; a.Action != nil && a.Action.IsRest() {
				got = int(a.Params.(*action.Rest).Slots)
			}
		}
		if got != c.want || p.Affordances[len(p.Affordances)-1].Action != nil {
			t.Errorf("%d slots left: a rest for %d is offered, want %d", c.left, got, c.want)
		}
	}
}

func TestRest_IsRefusedBeyondItsBounds(t *testing.T) {
	for _, slots := range []int{0, 65} {
		s := newSolo(t, genomes[6])
		s.ask()
		step := s.t.Act(answered(restFor(slots)))
		if step.Kind != StepAgain || !strings.Contains(step.Think.Error, "want 1 to 64") {
			t.Errorf("%d slots: %+v", slots, step.Think)
		}
	}
}

// A rest sends nothing, so its answer need not fit an envelope.
func TestRest_AnswerMayBeLongerThanAnEnvelope(t *testing.T) {
	s := newSolo(t, genomes[6])
	if step := s.slot(restFor(2)+strings.Repeat(" ", wire.MaxBody/8), wire.Reply{}); !step.Resting {
		t.Errorf("%+v", step)
	}
}

package ooda

import (
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// metered is a row as Forge will have it: acknowledged at once, its bound a tenth of what the
// request names, its cost what the reply says, its result delivered later.
var metered = action.Row{
	Name: "transfer", Type: wire.TypeExecStart, System: wire.SystemForge, Domain: action.DomainEconomy, Ticks: 1, LLM: true,
	BoundOf: func(payload any, _ *wire.View) action.Cost {
		amount := payload.(*wire.Transfer).Amount
		return action.Cost{Ticks: amount / 10, Spark: amount}
	},
	TicksOf: func(reply any) uint64 { return uint64(reply.(*wire.BalanceQueryReply).Balance) },
}

// run sends a metered request with a bound of some ticks; its reply says what it cost.
func (s *solo) run(bound uint64, reply wire.Reply) Step {
	s.Helper()
	if s.ask().Kind != AskThink {
		s.Fatal("no thought asked")
	}
	s.t.enter(phaseActed)
	step := s.t.send(&metered, &wire.Transfer{Amount: 10 * bound, Kind: wire.TransferKindDirect}, &ThinkRecord{})
	reply.Ref = step.Envelope.MsgID
	s.t.Record(reply)
	return step
}

func costing(ticks int64) wire.Reply {
	return wire.Reply{Type: wire.TypeAck, Body: &wire.BalanceQueryReply{Balance: ticks}}
}

// consumed counts the silent slots until the next thought.
func (s *solo) consumed() (n int) {
	for s.ask().Kind == AskSilent {
		s.t.Act(llm.Thought{})
		s.t.Record(wire.Reply{})
		n++
	}
	s.t.Act(answered(`{"action":"nop"}`))
	s.t.Record(wire.Reply{})
	return n
}

// TestCost_ReplyDecidesSlotsUpToTheBound: a request takes as many slots as its reply says, at most its
// bound; a refused one its own slot only.
func TestCost_ReplyDecidesSlotsUpToTheBound(t *testing.T) {
	for _, tc := range []struct {
		name  string
		bound uint64
		reply wire.Reply
		slots int // beside its own
	}{
		{"at the bound", 5, costing(5), 4},
		{"below it", 5, costing(3), 2},
		{"one slot", 5, costing(1), 0},
		{"never more", 2, costing(9), 1},
		{"a bound of one", 1, costing(1), 0},
		{"refused", 5, wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte("state")}}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSolo(t, genomes[0])
			if step := s.run(tc.bound, tc.reply); step.Kind != StepSend {
				t.Fatalf("step %+v", step)
			}
			if got := s.consumed(); got != tc.slots {
				t.Errorf("%d more slots were consumed, want %d", got, tc.slots)
			}
		})
	}
}

// TestCost_RequestWithBoundAboveSlotsLeftIsNotSent: what may cost more than the slots left is refused
// before it is sealed; exactly the slots left are enough.
func TestCost_RequestWithBoundAboveSlotsLeftIsNotSent(t *testing.T) {
	for bound, want := range map[uint64]StepKind{3: StepSend, 4: StepSend, 5: StepNone} {
		s := newSolo(t, genomes[0])
		s.view.SlotsLeft = 4
		if got := s.run(bound, costing(1)).Kind; got != want {
			t.Errorf("bound %d of 4 slots: step %v, want %v", bound, got, want)
		}
	}
	s := newSolo(t, genomes[0])
	s.view.SlotsLeft, s.view.Balance = 4, 40
	s.ask()
	for amount, want := range map[uint64]bool{40: true, 41: false, 50: false} {
		row := metered
		row.BoundOf = func(any, *wire.View) action.Cost { return action.Cost{Ticks: 1, Spark: amount} }
		if got := s.t.seen.feasible(&row, &wire.BalanceQuery{}); got != want {
			t.Errorf("%d of 40 ⚡: feasible %t, want %t", amount, got, want)
		}
	}
}

// TestCost_OutcomeIsUnknownUntilResultIsDelivered: the outcome of an acknowledged request is unknown until
// the delivery with its msg_id comes; slots that its cost still takes are consumed all the same.
func TestCost_OutcomeIsUnknownUntilResultIsDelivered(t *testing.T) {
	outcome := func(s *solo) memory.Outcome { return s.a.Memory.Experiences.At(0).Outcome }
	s := newSolo(t, genomes[0])
	ref := s.run(4, costing(4)).Envelope.MsgID
	if outcome(s) != memory.OutcomeUnknown || s.a.CurrentTask == nil || *s.a.CurrentTask.Awaits != ref {
		t.Fatalf("after the ACK: %v, task %+v", outcome(s), s.a.CurrentTask)
	}
	s.view.Deliveries = []wire.Reply{{Ref: wire.Hash{1}, Type: wire.TypeExecResult}}
	if s.ask().Kind != AskSilent || outcome(s) != memory.OutcomeUnknown {
		t.Errorf("after somebody else's result: %v", outcome(s))
	}
	s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	s.view.Deliveries = []wire.Reply{{Ref: ref, Type: wire.TypeExecResult}}
	if s.ask().Kind != AskSilent || outcome(s) != memory.OutcomeSuccess {
		t.Errorf("after the result: %v", outcome(s))
	}
	s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	s.view.Deliveries = nil
	if got := s.consumed(); got != 1 || s.a.CurrentTask != nil {
		t.Errorf("%d slots after the result, want the last of three; task %+v", got, s.a.CurrentTask)
	}
}

// TestCost_WaitSurvivesCycleEndButNotNextLongAction: a cycle end ends no wait, but slots not consumed are lost with it; and another
// long action gives a waiting one up.
func TestCost_WaitSurvivesCycleEndButNotNextLongAction(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.run(4, costing(4))
	s.t.CycleEnd(s.next)
	if task := s.a.CurrentTask; task == nil || task.Awaits == nil || task.Consuming() {
		t.Errorf("after the cycle end: task %+v, want one that waits and consumes nothing", task)
	}
	s.run(3, costing(3))
	if got := s.a.Memory.Experiences.At(0).Outcome; got != memory.OutcomeFailure {
		t.Errorf("the result that nobody waits for any more left %v", got)
	}
	refused := wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte("state")}}
	s.a.CurrentTask.Owed = 0
	if s.run(1, refused); s.a.CurrentTask == nil {
		t.Error("a refused request ended the wait of an earlier one")
	}
}

package ooda

import (
	"fmt"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

var asks = fmt.Sprintf(`{"action":"balance_query","params":{"agent_id":"%s"}}`, wire.SystemID(wire.SystemMint))

var paysMint = fmt.Sprintf(`{"action":"transfer","params":{"to":"%s","amount":1,"memo":"","kind":"DIRECT"}}`, wire.SystemID(wire.SystemMint))

// pauses counts the slots that pass unseen before the agent has one again.
func (s *solo) pauses() (n int) {
	s.Helper()
	for s.t.Pauses() {
		s.t.Pause(s.next)
		s.next += 4
		if step := s.t.Act(llm.Thought{}); step.Kind != StepNone || step.NOP != nil || step.Resting {
			s.Fatalf("pause: step %+v", step)
		}
		s.t.Record(wire.Reply{})
		n++
	}
	return n
}

func balance() wire.Reply {
	return wire.Reply{Type: wire.TypeBalanceQuery, Body: &wire.BalanceQueryReply{}}
}

// A quarter of an agent's ticks may go to requests that change nothing, at one slot each. Each one beyond costs a slot
// more than the one before, whether it reads or is refused.
func TestFruitless_EachRequestBeyondQuotaCostsOneSlotMore(t *testing.T) {
	for name, send := range map[string]func(s *solo){
		"reads":    func(s *solo) { s.slot(asks, balance()) },
		"refusals": func(s *solo) { s.slot(paysMint, refused) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSolo(t, genomes[0])
			s.view.Epoch = 2 // the first one in which agents may pay each other
			for n := 1; n <= 16+8; n++ {
				send(s)
				if got, want := s.pauses(), max(0, n-16); got != want {
					t.Fatalf("the request number %d cost %d more slots, want %d", n, got, want)
				}
			}
			s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 2}, 512)
			if send(s); s.pauses() != 1 {
				t.Error("in the next cycle more than an eighth of the ticks is forgiven, or less")
			}
			for cycle := range wire.Cycle(3) {
				s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 3 + cycle}, 1000)
			}
			if n := s.a.Notebook.Fruitless; n != 0 {
				t.Errorf("%d requests count for ever", n)
			}
		})
	}
}

// An agent that reads before each act that changes something pays no additional slots.
func TestFruitless_ChangingActsReduceTheCount(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.view.Epoch = 2
	for range 60 {
		s.slot(asks, balance())
		s.slot(paysMint, ack)
	}
	if n := s.pauses(); n != 0 {
		t.Errorf("%d slots more", n)
	}
	for range 16 {
		s.slot(asks, balance())
	}
	if n := s.pauses(); n != 0 {
		t.Errorf("%d slots more after acts that took nothing off", n)
	}
	if s.slot(asks, balance()); s.pauses() != 1 {
		t.Error("more acts than reads are saved up")
	}
}

// Acts that change only the agent's own things do not reduce the count of reads, and are not counted themselves.
func TestFruitless_OwnProgramRunsDoNotReduceTheCount(t *testing.T) {
	s := newSolo(t, genomes[0])
	for range 60 {
		s.run(1, costing(1)) // a run of a program
	}
	if n := s.pauses(); n != 0 {
		t.Errorf("%d slots more after runs", n)
	}
	for n := 1; n <= 17; n++ {
		s.slot(asks, balance())
		s.run(1, costing(1))
		if got, want := s.a.Notebook.Fruitless, uint64(n); got != want {
			t.Fatalf("after %d questions, with a run after each, %d count", n, got)
		}
		s.a.Notebook.Pause = 0
	}
}

// To subscribe and to end the subscription concerns nobody else, so neither takes a request off the count.
func TestFruitless_SubscriptionsDoNotReduceTheCount(t *testing.T) {
	s := newSolo(t, genomes[0])
	for n := 1; n <= 17; n++ {
		s.slot(asks, balance())
		s.slot(`{"action":"subscribe","params":{"kinds":[1]}}`, wire.Reply{Type: wire.TypeAck, Body: &wire.SubscribeAck{SubscriberID: 1}})
		s.slot(`{"action":"unsubscribe","params":{"subscriber_id":1}}`, wire.Reply{Type: wire.TypeAck})
		if got := s.a.Notebook.Fruitless; got != uint64(n) {
			t.Fatalf("after %d questions, with a subscription made and ended after each, %d count", n, got)
		}
		s.a.Notebook.Pause = 0
	}
}

// The additional slots are at most those that the cycle still has.
func TestFruitless_PauseEndsWithTheCycle(t *testing.T) {
	s := newSolo(t, genomes[0])
	for range 20 {
		s.slot(asks, balance())
		s.pauses()
	}
	s.view.SlotsLeft = 3
	if s.slot(asks, balance()); s.pauses() != 2 {
		t.Error("a pause is longer than the cycle")
	}
}

// The prompt shows what one more read would cost.
func TestFruitless_PromptShowsCostOfNextRead(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.a.Notebook.Fruitless = 18
	p := s.ask().Prompt
	if p == nil {
		t.Fatal("no thought asked")
	}
	told := false
	for i := range p.Affordances {
		if a := &p.Affordances[i]; a.Action != nil && a.Action.Read {
			told = true
			if a.Ticks != 1+3 {
				t.Errorf("%s costs %d ticks, want 4", a.Action.Name, a.Ticks)
			}
		}
	}
	if !told {
		t.Fatal("nothing to ask is offered")
	}
}

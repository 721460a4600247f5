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

// registered gives an agent two goals that go on, and says which it is about.
func registered(t *testing.T) (s *solo, one, two *goals.Goal) {
	s = newSolo(t, genomes[6])
	var set [2]*goals.Goal
	for i, k := range []goals.Kind{goals.KindBuildLibrary, goals.KindDesignSystem} {
		g := goals.New(s.a.ID, goals.LayerObjective, goals.SourceRole, goals.Description{Kind: k, Text: "x"}, 1)
		if err := s.t.Inject(g, 256); err != nil {
			t.Fatal(err)
		}
		set[i] = s.a.Goals.Get(g.ID)
	}
	s.t.slotView.tick = 256
	s.t.regs.begin(set[0])
	return s, set[0], set[1]
}

// The current goal stays until there is a reason to choose anew, and after an interruption the agent returns to it.
func TestRegisters_CurrentGoalStaysUntilThereIsAReason(t *testing.T) {
	soon, late := wire.Tick(300), wire.Tick(900)
	for _, c := range []struct {
		name  string
		with  func(s *solo, one, two *goals.Goal) (events []*wire.Event)
		stays bool
	}{
		{"nothing happens", func(*solo, *goals.Goal, *goals.Goal) []*wire.Event { return nil }, true},
		{"the goal ends", func(s *solo, one, _ *goals.Goal) []*wire.Event {
			s.t.goals.abandon(one.ID, goals.ReasonPlans)
			return nil
		}, false},
		{"an opinion of its work", func(*solo, *goals.Goal, *goals.Goal) []*wire.Event {
			return []*wire.Event{event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{Author: peerA})}
		}, true},
		{"somebody calls it", func(s *solo, _, _ *goals.Goal) []*wire.Event {
			me := wire.Hash(s.a.ID)
			return []*wire.Event{event(wire.KindMessagePosted, 256, peerA, &wire.MessagePostedEvent{Author: peerA, Kind: wire.MessageKindStatement, Reference: &me})}
		}, false},
		{"survival", func(s *solo, _, _ *goals.Goal) []*wire.Event { s.view.Balance = 3; return nil }, false},
		{"a better goal has a deadline now", func(_ *solo, _, two *goals.Goal) []*wire.Event { two.Deadline = &soon; return nil }, false},
		{"a better goal has a deadline later", func(_ *solo, _, two *goals.Goal) []*wire.Event { two.Deadline = &late; return nil }, true},
		{"a step of its plan failed", func(s *solo, one, _ *goals.Goal) []*wire.Event {
			s.a.Memory.Plans.ByGoal(one.ID).Tries++
			return nil
		}, false},
	} {
		s, one, two := registered(t)
		s.ask()
		if s.t.regs.doing != one {
			t.Fatalf("%s: about %v at first", c.name, s.t.regs.doing)
		}
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
		s.ask(c.with(s, one, two)...)
		if got := s.t.regs.doing == one && !s.t.regs.mayChange; got != c.stays {
			t.Errorf("%s: stays %v, want %v", c.name, got, c.stays)
		}
		if s.t.regs.doing != one && one.Alive() {
			t.Errorf("%s: it is forgotten what the agent was about", c.name)
		}
	}
}

// An action that serves several goals is offered for the current one.
func TestRegisters_SharedOffersAreForTheCurrentGoal(t *testing.T) {
	for about := range 2 {
		s, one, two := registered(t)
		want := []*goals.Goal{one, two}[about]
		s.t.regs.doing = nil
		s.t.regs.begin(want)
		s.noteEntries(1, memory.EntryNote{Author: peerA, Paid: true})
		reads := 0
		s.ask()
		for i := range s.t.offers.list {
			if a := &s.t.offers.list[i]; a.Name() == "entry_get" && a.GoalKind != "learn" {
				if reads++; a.Goal != want.ID {
					t.Errorf("about %s, reading is for %s", want.Kind(), a.GoalKind)
				}
			}
		}
		if reads == 0 {
			t.Errorf("about %s: nothing to read is offered", want.Kind())
		}
	}
}

func TestRegisters_ExpireAtTheirTick(t *testing.T) {
	s, one, _ := registered(t)
	s.rules.ClaimLease = 2
	s.t.regs.promise(wire.Hash{1}, peerA)             // to 256 + 512
	s.t.regs.asked(wire.Hash{2}, channelHelp)         // to 512
	s.t.regs.avoid("entry_verify", "03000000", "bad") // to 768
	if err := s.a.Memory.Working.Set("focus", []byte("the mind's own")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   wire.Tick
		want string
	}{
		{511, "asked:02000000, avoid:entry_verify 03000000, doing, focus, promised:01000000"},
		{512, "avoid:entry_verify 03000000, doing, promised:01000000"},
		{767, "avoid:entry_verify 03000000, doing, promised:01000000"},
		{768, "doing"},
		{1024, "doing"},
	} {
		s.t.CycleStart(wire.TickAlloc{Budget: 64}, c.at)
		var keys []string
		for _, n := range s.a.Memory.Working.Notes() {
			keys = append(keys, n.Key)
		}
		if got := strings.Join(keys, ", "); got != c.want {
			t.Errorf("tick %d: %s, want %s", c.at, got, c.want)
		}
	}
	if v, _ := s.a.Memory.Working.Get(noteDoing); string(v) != "build_library "+one.ID.String()[:8]+" since 256" {
		t.Errorf("doing %q", v)
	}
}

// Straight after an errand another one costs as little as to return to the goal before.
func TestRegisters_NextErrandCostsNoMoreThanReturning(t *testing.T) {
	s, one, _ := registered(t)
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindLearn, Text: "x"}, 1)
	if err := s.t.Inject(g, 256); err != nil {
		t.Fatal(err)
	}
	first := s.a.Goals.Get(g.ID)
	s.t.regs.begin(first)
	next := llm.Affordance{Goal: wire.Hash{9}}
	stays := func() float64 {
		s.t.regs.findCurrentGoal(&s.view, nil)
		s.t.offers.goesOn = true
		return weigher{&s.t.offers}.staysOnGoal(&next, &offerRef{errand: true})
	}
	if v := stays(); v == 1 {
		t.Error("an errand is left for another as if it were nothing")
	}
	s.t.goals.abandon(first.ID, goals.ReasonPlans)
	if v := stays(); v != 1 || s.t.regs.doing != one {
		t.Errorf("after an errand another one weighs %v; about %v", v, s.t.regs.doing)
	}
	if v := stays(); v == 1 {
		t.Error("who went back to its work leaves it for an errand as if it were nothing")
	}
}

func TestRegisters_AvoidsActionOnSubjectOrDomain(t *testing.T) {
	s, _, _ := registered(t)
	s.t.regs.avoid("entry_verify", "03000000", "")
	s.t.regs.avoid("msg_post", "SOCIAL", "rate")
	if err := s.a.Memory.Working.Set("avoid:signal_send", []byte("it never pays")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		verb, domain string
		subject      byte
		at           wire.Tick
		want         bool
	}{
		{"entry_verify", "REVIEW", 3, 300, true},
		{"entry_verify", "REVIEW", 4, 300, false},
		{"entry_verify", "REVIEW", 3, 768, false}, // it is over
		{"entry_get", "REVIEW", 3, 300, false},
		{"msg_post", "SOCIAL", 9, 300, true},
		{"signal_send", "SOCIAL", 9, 300, true},
		{"signal_send", "SOCIAL", 9, 9000, true}, // the mind did not say until when
	} {
		s.t.slotView.tick = c.at
		if got := s.t.regs.avoids(c.verb, c.domain, &wire.Hash{c.subject}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for i := range 2 * avoidMax {
		s.t.slotView.tick = wire.Tick(300 + i)
		s.t.regs.avoid("entry_get", wire.Hash{byte(i)}.String()[:8], "")
	}
	count := 0
	for _, n := range s.a.Memory.Working.Notes() {
		if strings.HasPrefix(n.Key, noteAvoid) {
			count++
		}
	}
	if count != avoidMax {
		t.Errorf("%d acts to avoid, want %d", count, avoidMax)
	}
}

// What the world refused is avoided at once; what was only too dear for the slot is not.
func TestRegisters_RefusedActionIsAvoidedUnlessTicksRanOut(t *testing.T) {
	row, _ := action.ByName("entry_verify")
	for code, want := range map[uint32]bool{wire.CodeNoTicks: false, 0x0101: true} {
		s, _, _ := registered(t)
		s.t.regs.noteFailure(&pending{row: row, subject: wire.Hash{3}}, &wire.Reply{Err: &wire.ErrorBody{Code: code, Message: []byte("closed")}})
		if got := s.t.regs.avoids("entry_verify", "", &wire.Hash{3}); got != want {
			t.Errorf("code %#x: avoided %v, want %v", code, got, want)
		}
	}
}

// TestRegisters_RenewedAvoidanceDropsNoOther: an act that goes wrong again when there are as many to avoid as there may be is only avoided longer;
// another one takes the place of the one that ends first.
func TestRegisters_RenewedAvoidanceDropsNoOther(t *testing.T) {
	s, _, _ := registered(t)
	subject := func(i int) string { return wire.Hash{byte(i)}.String()[:8] }
	avoided := func() (out string) {
		for _, n := range s.a.Memory.Working.Notes() {
			if key, ok := strings.CutPrefix(n.Key, noteAvoid+"entry_get "); ok {
				out += key[:2] + " "
			}
		}
		return out
	}
	for i := range avoidMax {
		s.t.slotView.tick = wire.Tick(300 + i)
		s.t.regs.avoid("entry_get", subject(i), "")
	}
	all := avoided()
	s.t.slotView.tick = 400
	for _, again := range []int{0, 7, avoidMax - 1} {
		if s.t.regs.avoid("entry_get", subject(again), "again"); avoided() != all {
			t.Errorf("after %d went wrong again %s are avoided, want %s", again, avoided(), all)
		}
		if v, _ := s.a.Memory.Working.Get(noteAvoid + "entry_get " + subject(again)); string(v) != "until 912 again" {
			t.Errorf("%d is avoided %q", again, v)
		}
	}
	s.t.regs.avoid("entry_get", subject(avoidMax), "")
	if want := strings.Replace(all, "01 ", "", 1) + "10 "; avoided() != want { // the first one was renewed
		t.Errorf("with one more %s are avoided, want %s", avoided(), want)
	}
}

// TestUntil: a note lasts to the tick that it names. One that names none, or one that no tick can reach, lasts for ever.
func TestUntil(t *testing.T) {
	const ever = ^wire.Tick(0)
	for value, want := range map[string]wire.Tick{
		"until 768":                     768,
		"until 768 not_found":           768,
		"a1b2c3d4 until 512":            512,
		"until 0":                       0,
		"until 18446744073709551609":    18446744073709551609,
		"until 18446744073709551615":    ever,
		"until 18446744073709551616":    ever, // 0 in 64 bits
		"until 18446744073709551617":    ever,
		"until 18446744073709551617 x":  ever,
		"until 184467440737095516170":   ever,
		"until 99999999999999999999999": ever,
		"until soon":                    ever,
		"until -1":                      ever,
		"it never pays":                 ever,
		"":                              ever,
	} {
		if got := until([]byte(value)); got != want {
			t.Errorf("%q ends at %d, want %d", value, got, want)
		}
	}
}

package agent

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

func smith() wire.Genome {
	return wire.Genome{
		Role:           wire.RoleCompilerSmith,
		Traits:         wire.Traits{RiskTolerance: 0.3, Collaboration: 0.5, DepthVsBreadth: 0.2, QualityVsSpeed: 0.2},
		KnowledgeSeeds: []wire.Hash{{1}},
	}
}

func newborn() *Agent { return New(NewIdentity(wire.Hash{}, 1, 0, smith()), DefaultLimits) }

func TestNewIdentity_IsDerivedFromSeedAndIndex(t *testing.T) {
	id := NewIdentity(wire.Hash{}, 1, 0, smith())
	if got, want := id.ID.String(), "9c0656c23600743f2dbc0f8bb0a556fdbb7469c5a33e93502294527ab5cb831c"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	if other := NewIdentity(wire.Hash{}, 2, 0, smith()); other.ID == id.ID {
		t.Error("two spawn indices give one id")
	}
}

func TestNew_DerivesFromTheGenome(t *testing.T) {
	a := newborn()
	for _, x := range [][2]float64{
		{a.Weights.Urgency, 1},
		{a.Weights.Reward, 0.9},
		{a.Weights.Capability, 0.9},
		{a.Weights.Novelty, 0.15},
		{a.Weights.Social, 0.25},
		{a.Threshold, 16},
	} {
		if math.Abs(x[0]-x[1]) > 1e-6 {
			t.Errorf("%v, want %v", x[0], x[1])
		}
	}
	if a.Status != wire.StatusEmbryo {
		t.Errorf("born %s", a.Status)
	}
}

func TestSetStatus_LegalTransitions(t *testing.T) {
	const e, ac, do, de = wire.StatusEmbryo, wire.StatusActive, wire.StatusDormant, wire.StatusDead
	legal := map[[2]wire.AgentStatus]bool{
		{e, ac}: true, {e, de}: true, {ac, do}: true, {ac, de}: true, {do, ac}: true, {do, de}: true,
		{e, e}: true, {ac, ac}: true, {do, do}: true, {de, de}: true,
	}
	for from := e; from <= de; from++ {
		for to := e; to <= de; to++ {
			a := newborn()
			a.Status = from
			err := a.SetStatus(to)
			if ok := legal[[2]wire.AgentStatus{from, to}]; ok != (err == nil) {
				t.Errorf("%s to %s: %v", from, to, err)
			} else if !ok && a.Status != from {
				t.Errorf("%s to %s: refused but now %s", from, to, a.Status)
			}
			if from == de && to != de && !errors.Is(err, &Error{Kind: KindDead}) {
				t.Errorf("reviving: %v", err)
			}
		}
	}
}

func TestNOP_Streak(t *testing.T) {
	a := newborn()
	for range 12 {
		a.NOP()
	}
	if a.NOPStreak != 12 {
		t.Errorf("streak %d after twelve NOPs", a.NOPStreak)
	}
	if a.Acted(); a.NOPStreak != 0 {
		t.Errorf("streak %d after an action", a.NOPStreak)
	}
}

func TestError_CodesAndMatching(t *testing.T) {
	id, other := wire.AgentID{1}, wire.AgentID{2}
	for k := KindNotFound; k <= KindSerialization; k++ {
		e := &Error{Kind: k, Agent: id}
		if want := 0x0B00 + uint32(k) - 1; e.Code() != want {
			t.Errorf("%s: code %#x, want %#x", k, e.Code(), want)
		}
		err := fmt.Errorf("load run: %w", e)
		var got *Error
		if !errors.As(err, &got) || !errors.Is(err, &Error{Kind: k}) || !errors.Is(err, &Error{Kind: k, Agent: id}) ||
			errors.Is(err, &Error{Kind: k, Agent: other}) || errors.Is(err, &Error{Kind: k%9 + 1}) {
			t.Errorf("%s does not match as it should", k)
		}
		if !strings.Contains(err.Error(), id.Alias()) {
			t.Errorf("%q names no agent", err)
		}
		if strings.Contains(err.Error(), "restore the store from a copy") != (k == KindSerialization) {
			t.Errorf("%q: only a damaged store is restored", err)
		}
	}
	if c := (&Error{Kind: KindGoalStackFull}).Category(); c != wire.CategoryQuotaExceeded {
		t.Errorf("category %s", c)
	}
}

func TestWrap(t *testing.T) {
	id := wire.AgentID{1}
	var e *Error
	if !errors.As(Wrap(id, &goals.FullError{Layer: goals.LayerTask, Max: 32}), &e) || e.Kind != KindGoalStackFull || e.Layer != goals.LayerTask {
		t.Errorf("full: %v", e)
	}
	if !errors.As(Wrap(id, &memory.OverflowError{Size: 70000, Max: 65536}), &e) || e.Kind != KindWorkingMemoryOverflow || e.Size != 70000 || e.Max != 65536 {
		t.Errorf("overflow: %v", e)
	}
	for want, e := range map[string]*Error{
		"working memory overflow: agent 00000000: 70000 bytes exceed 65536": {Kind: KindWorkingMemoryOverflow, Size: 70000, Max: 65536},
		"goal stack full: agent 00000000: layer TASK":                       {Kind: KindGoalStackFull, Layer: goals.LayerTask},
		"agent not found: agent 00000000: because":                          {Kind: KindNotFound, Err: errors.New("because")},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e, want)
		}
	}
	plain := errors.New("plain")
	if errors.Is(&Error{Kind: KindNotFound}, plain) {
		t.Error("is another error")
	}
	if !errors.Is(Wrap(id, plain), plain) || Wrap(id, nil) != nil {
		t.Error("other errors are changed")
	}
}

func TestTask_Consuming(t *testing.T) {
	task := Task{TicksUsed: 1, TickLimit: 3}
	var got []bool
	for !task.Over() {
		got = append(got, task.Consuming())
		task.TicksUsed++
	}
	if fmt.Sprint(got) != "[true true]" || task.Consuming() {
		t.Errorf("a cost of 3: after the first slot %v", got)
	}
	for used, want := range []bool{true, true, false, false} {
		task := Task{TicksUsed: uint64(used), TickLimit: 9, Owed: 2, Awaits: &wire.Hash{}}
		if got := task.Consuming(); got != want {
			t.Errorf("waiting and owing 2, after %d ticks: consuming %v", used, got)
		}
	}
}

func TestErrorKind_Names(t *testing.T) {
	for k, want := range map[ErrorKind]string{
		0: "INVALID(0)", KindNotFound: "agent not found", KindSerialization: "stored state unreadable", KindSerialization + 1: "INVALID(10)",
	} {
		if got := k.String(); got != want {
			t.Errorf("kind %d is %q, want %q", uint8(k), got, want)
		}
	}
}

// Rows without any are empty; one row of a kind, or of two kinds, makes them not empty.
func TestRows_EmptyOnlyWithoutRows(t *testing.T) {
	kinds := []struct {
		name string
		fill func(r *Rows)
	}{
		{"memory", func(r *Rows) { r.Memory = &MemoryRow{} }},
		{"state", func(r *Rows) { r.State = &StateRow{} }},
		{"experience", func(r *Rows) { r.Experiences = make([]ExperienceRow, 1) }},
		{"belief", func(r *Rows) { r.Beliefs = make([]BeliefRow, 1) }},
		{"deleted belief", func(r *Rows) { r.DeletedBeliefs = []uint64{1} }},
		{"plan", func(r *Rows) { r.Plans = make([]PlanRow, 1) }},
		{"goal", func(r *Rows) { r.Goals = make([]GoalRow, 1) }},
	}
	for i, one := range kinds {
		for _, other := range kinds[i:] {
			var r Rows
			one.fill(&r)
			if other.fill(&r); r.Empty() {
				t.Errorf("rows with %s and %s are empty", one.name, other.name)
			}
		}
	}
	if !(&Rows{}).Empty() {
		t.Error("no rows are not empty")
	}
}

// An agent without a store forgets what would have been written, and nothing else.
func TestForgetHash_EqualsFlushWithoutRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newborn()
		for tick := range wire.Tick(rapid.IntRange(1, 25).Draw(t, "deeds")) {
			live(t, a, tick)
		}
		want := a.StateHash()
		if got := a.ForgetHash(); got != want {
			t.Fatalf("hash %v, want %v", got, want)
		}
		if r := a.Flush(99); !r.Empty() {
			t.Fatalf("it kept %+v", r)
		}
	})
}

// Two agents differ in the parts that were changed, by the names of the digests.
func TestAgent_DifferencesNameTheParts(t *testing.T) {
	if parts := newborn().Differences(newborn()); parts != nil {
		t.Errorf("two newborns differ in %v", parts)
	}
	for want, change := range map[string]func(a *Agent){
		"state":     func(a *Agent) { a.NOPStreak++ },
		"knowledge": func(a *Agent) { a.Memory.Knowledge.Learn([]byte("x"), nil, memory.KnowledgeOracle, 0.9, 1) },
		"beliefs":   func(a *Agent) { a.Memory.Beliefs.Test(memory.Claim{Predicate: "next"}, true, nil, 1) },
	} {
		a := newborn()
		change(a)
		if parts := a.Differences(newborn()); !slices.Contains(parts, want) {
			t.Errorf("%s: differs in %v", want, parts)
		}
	}
}

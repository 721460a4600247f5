package engine

import (
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/wire"
)

// If the first thing that two runs do not share is an input, the difference names it with both sides, in whichever
// order the runs are given.
func TestDifference_NamesFirstInputThatDiffers(t *testing.T) {
	const seed = "42"
	cal := testConfig(seed, 8).Rules.Calendar
	id := func(index uint64) wire.AgentID { return idOf(seed, index) }
	grant := Input{Kind: InputGrant, Agent: id(2), Amount: 5, Earliest: cal.First(3) + 77}
	more, late, other := grant, grant, grant
	more.Amount, late.Earliest, other.Agent = 6, cal.First(3)+79, id(3)
	post := Input{Kind: InputPost, Channel: "general", Message: wire.MessageKindStatement, Text: "hello", Earliest: grant.Earliest}
	param := Input{Kind: InputParam, Param: "agora.channel_fee", Value: 7, Earliest: grant.Earliest}
	doze := Input{Kind: InputStatus, Agent: id(4), Status: wire.StatusDormant, Reason: "operator", Earliest: cal.Last(3)}
	bored := doze
	bored.Reason = "bored"
	to2, to3, to4 := "grant "+id(2).Alias()+": 5 ⚡", "grant "+id(3).Alias()+": 5 ⚡", "sleep "+id(4).Alias()
	for name, c := range map[string]struct {
		a, b      []Input
		at        wire.Tick
		agent     wire.AgentID
		want, got string
	}{
		"only one has it":           {nil, []Input{grant}, grant.Earliest, id(2), none, to2},
		"another amount":            {[]Input{grant}, []Input{more}, grant.Earliest, id(2), to2, "grant " + id(2).Alias() + ": 6 ⚡"},
		"another agent":             {[]Input{grant}, []Input{other}, grant.Earliest, wire.AgentID{}, to2, to3},
		"later":                     {[]Input{grant}, []Input{late}, grant.Earliest, id(2), to2, none},
		"one more at the same tick": {[]Input{post}, []Input{post, grant}, grant.Earliest, id(2), none, to2},
		"another kind":              {[]Input{post}, []Input{param}, grant.Earliest, wire.AgentID{}, "post: STATEMENT in #general: hello", "param: agora.channel_fee = 7"},
		"at the end of the cycle":   {nil, []Input{doze}, doze.Earliest, id(4), none, to4},
		"another reason":            {[]Input{doze}, []Input{bored}, doze.Earliest, id(4), to4 + " (record", to4 + " (record"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := runWith(t, seed, c.a), runWith(t, seed, c.b)
			for _, back := range []bool{false, true} {
				if back {
					a, b, c.want, c.got = b, a, c.got, c.want
				}
				found, err := Difference(t.Context(), a, b)
				if err != nil || found == nil {
					t.Fatalf("the difference is %v, %v", found, err)
				}
				d := found.First
				if d.Cycle != 3 || d.Component != "input" || d.Tick != c.at || d.Agent != c.agent || !strings.HasPrefix(d.Want, c.want) || !strings.HasPrefix(d.Got, c.got) {
					t.Errorf("back %v: the difference is %+v; want one at tick %d of %s, %s against %s", back, d, c.at, c.agent.Alias(), c.want, c.got)
				}
			}
		})
	}
}

// An input of both runs is no difference.
func TestDifference_IgnoresInputsOfBothRuns(t *testing.T) {
	const seed = "42"
	cal := testConfig(seed, 8).Rules.Calendar
	common := Input{Kind: InputGrant, Agent: idOf(seed, 2), Amount: 5, Earliest: cal.First(3)}
	last := Input{Kind: InputGrant, Agent: idOf(seed, 3), Amount: 5, Earliest: cal.First(3) + 9}
	found, err := Difference(t.Context(), runWith(t, seed, []Input{common, last}), runWith(t, seed, []Input{common}))
	if err != nil || found == nil {
		t.Fatalf("the difference is %v, %v", found, err)
	}
	if d := found.First; d.Component != "input" || d.Tick != last.Earliest || d.Agent != last.Agent || d.Got != none {
		t.Errorf("the difference is %+v", d)
	}
}

// changedRun records four cycles in which one agent acts differently at one tick, as those of another build.
func changedRun(t *testing.T, slot thoughtKey) *Recorded {
	t.Helper()
	r := &Recorded{Config: testConfig("42", 8), Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")}
	mustRun(t, r.Config, Options{Dir: r.Dir, Store: r.Store, Mind: &changed{Mind: r.Mind, agent: slot.agent, tick: slot.tick}}, 4)
	return r
}

// If another build wrote one of the runs, the values are still those of the runs, and it is said which one this build
// does not repeat, and from where on.
func TestDifference_OfARunOfAnotherBuild(t *testing.T) {
	slot := lateSlot(t, 3)
	own, other := runWith(t, "42", nil), changedRun(t, slot)
	to, err := Difference(t.Context(), own, other)
	if err != nil || to == nil {
		t.Fatal(to, err)
	}
	back, err := Difference(t.Context(), other, own)
	if err != nil || back == nil {
		t.Fatal(back, err)
	}
	for _, d := range []*DivergenceError{to.First, back.First} {
		if d.Agent != slot.agent || d.Tick != slot.tick || d.Component != "thought" {
			t.Errorf("found %+v, want the thought of %s at tick %d", d, slot.agent.Alias(), slot.tick)
		}
	}
	if to.First.Want != back.First.Got || to.First.Got != back.First.Want || to.First.Want == to.First.Got {
		t.Errorf("%s and %s, back %s and %s", to.First.Want, to.First.Got, back.First.Want, back.First.Got)
	}
	if f := to.Foreign; f[0] != nil || f[1] == nil || f[1].Tick != slot.tick || f[1].Agent != slot.agent || to.First.Chose != "" {
		t.Errorf("foreign are %v; want the second run from tick %d on; it chose %q, which this build cannot know", f, slot.tick, to.First.Chose)
	}
	if f := back.Foreign; f[0] == nil || f[1] != nil || back.First.Chose == "" {
		t.Errorf("back foreign are %v; want the first; this build knows what the second chose: %q", f, back.First.Chose)
	}
}

// An agent that thought something else is the first difference, also if the worlds stay the same for some time.
func TestDifference_ThoughtsBeforeRows(t *testing.T) {
	a, b := runWith(t, "42", nil), runWith(t, "42", nil)
	slot := liveSlots(t)[0]
	at, tick := -1, wire.Tick(0)
	rewriteJournal(t, b.Dir, func(r *record) bool {
		if r.kind == recordTick && r.tick.Tick >= slot.tick && at < 0 && len(r.tick.Seats) > seatFingerprint {
			at, tick = 1, r.tick.Tick
			r.tick.Seats[seatFingerprint+5] ^= 1
		}
		return true
	})
	found, err := Difference(t.Context(), a, b)
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	if d := found.First; d.Tick != tick || d.Component != "thought" || d.Agent.IsZero() || found.Foreign[0] != nil || found.Foreign[1] == nil {
		t.Errorf("found %+v, foreign %v; want a thought at tick %d", d, found.Foreign, tick)
	}
}

// A difference at the end of a cycle is told with the values of the runs and with what an agent did differently after it,
// also if this build repeats neither run.
func TestDifference_AtTheEndOfACycle(t *testing.T) {
	slot := lateSlot(t, 4)
	a, b := runWith(t, "42", nil), changedRun(t, slot)
	for i, r := range []*Recorded{a, b} {
		anotherBuild(t, r.Dir, r.Store.(*memStore), 2, func(row *CycleRow) { row.AgentsHash = wire.Hash{9, byte(i)} })
	}
	found, err := Difference(t.Context(), a, b)
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	d := found.First
	if d.Cycle != 2 || d.Tick != 0 || d.Component != "agents_hash" || d.Want != (wire.Hash{9}).String() || d.Got != (wire.Hash{9, 1}).String() {
		t.Errorf("found %+v", d)
	}
	if act := d.After.Act; act == nil || act.Tick != slot.tick || act.Component != "thought" {
		t.Errorf("after it %+v; want the thought of %s at tick %d", act, slot.agent.Alias(), slot.tick)
	}
	if f := found.Foreign; f[1] == nil {
		t.Errorf("foreign are %v", f)
	}
}

// A run that this build cannot open at the cycle is named, and what differs is told nevertheless.
func TestDifference_OfRunsThatDivergeBefore(t *testing.T) {
	slot := lateSlot(t, 3)
	a, b := runWith(t, "42", nil), changedRun(t, slot)
	for _, r := range []*Recorded{a, b} {
		if err := os.RemoveAll(filepath.Join(r.Dir, snapshotDir)); err != nil { // the way to the cycle leads through the first
			t.Fatal(err)
		}
		anotherBuild(t, r.Dir, r.Store.(*memStore), 1, func(row *CycleRow) { row.AgentsHash = wire.Hash{9} })
	}
	found, err := Difference(t.Context(), a, b)
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	if d := found.First; d.Tick != slot.tick || d.Component != "thought" || found.Foreign[0] == nil || found.Foreign[1] == nil || found.Foreign[1].Cycle != 1 {
		t.Errorf("found %+v, foreign %v", d, found.Foreign)
	}
}

// Runs with two seeds have other agents, of which none is named: commands that name an agent are for both runs.
func TestDifference_OfTwoSeedsNamesNobody(t *testing.T) {
	found, err := Difference(t.Context(), runWith(t, "42", nil), runWith(t, "43", nil))
	if err != nil || found == nil || found.First.After == nil || found.First.After.Act == nil {
		t.Fatalf("found %+v, %v; want worlds that begin differently, and what agents did then", found, err)
	}
	if act := found.First.After.Act; act.Component != "thought" || !act.Agent.IsZero() || act.Chose != "" {
		t.Errorf("after it %+v; want a thought, of nobody in particular", act)
	}
	if f := found.Foreign; f[0] != nil || f[1] != nil {
		t.Errorf("foreign are %v", f)
	}
}

// A run that cannot be executed up to the tick does not say whose slot it was. With the same seed the other one does.
func TestDifference_AgentOfOneRun(t *testing.T) {
	at := func(agents ...wire.AgentID) *watchedTick { return &watchedTick{agents: agents} }
	x, y := idOf("42", 1), idOf("42", 2)
	for _, c := range []struct {
		a, b     *watchedTick
		own, two wire.AgentID // with one seed, with two
	}{
		{at(x), at(x), x, x},
		{at(x), at(y), wire.AgentID{}, wire.AgentID{}},
		{at(x), at(), x, wire.AgentID{}},
		{at(), at(y), y, wire.AgentID{}},
		{at(), at(), wire.AgentID{}, wire.AgentID{}},
	} {
		for seed, want := range map[string]wire.AgentID{"42": c.own, "43": c.two} {
			w := comparison{runs: [2]*Recorded{{Config: testConfig("42", 8)}, {Config: testConfig(seed, 8)}}}
			if got := w.agentAt([2]*watchedTick{c.a, c.b}, 0); got != want {
				t.Errorf("%v and %v with the seeds 42 and %s: %s; want %s", c.a.agents, c.b.agents, seed, got.Alias(), want.Alias())
			}
		}
	}
}

// A store that was changed is named as such: its run is not compared.
func TestDifference_ChangedStore(t *testing.T) {
	a, b := runWith(t, "42", nil), runWith(t, "42", nil)
	b.Store.(*memStore).cycles[2].Components[5][1] ^= 1
	var d *DivergenceError
	if _, err := Difference(t.Context(), a, b); !errors.As(err, &d) || !d.Stored || d.Run != b.Dir || d.Component != "mint of the stored rows" {
		t.Errorf("the difference is %v", err)
	}
}

// Without journals the cycles are compared, and it is said that ticks could not be.
func TestDifference_WithoutJournal(t *testing.T) {
	a, b := runWith(t, "42", nil), changedRun(t, lateSlot(t, 3))
	var said []string
	a.Warn = func(msg string) { said = append(said, msg) }
	if err := os.RemoveAll(journalOf(b.Dir)); err != nil {
		t.Fatal(err)
	}
	found, err := Difference(t.Context(), a, b)
	if err != nil || found == nil || found.First.Tick != 0 || found.First.Cycle < 3 || found.First.After != nil {
		t.Errorf("the difference is %+v, %v", found, err)
	}
	if len(said) == 0 || !strings.Contains(said[0], "the journal of "+b.Dir+" ends before the end of cycle 0; from there on only the cycles") {
		t.Errorf("said %q", said)
	}
}

// idOf is an agent's id, by its place in the order of spawns.
func idOf(seed string, index uint64) wire.AgentID {
	return wire.IDOf(wire.AgentKey(wire.WorldSeed(seed), index).Public().(ed25519.PublicKey))
}

// runWith records four cycles with inputs from outside.
func runWith(t *testing.T, seed string, inputs []Input) *Recorded {
	t.Helper()
	r := &Recorded{Config: testConfig(seed, 8), Dir: t.TempDir(), Store: newMemStore(), Mind: testMind(seed)}
	e, err := Start(t.Context(), r.Config, Options{Dir: r.Dir, Store: r.Store, Mind: r.Mind})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		e.Input(in)
	}
	if _, err := e.Run(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

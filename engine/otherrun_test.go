package engine

import (
	"crypto/ed25519"
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
				d, err := Difference(t.Context(), a, b)
				if err != nil || d == nil {
					t.Fatalf("the difference is %v, %v", d, err)
				}
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
	d, err := Difference(t.Context(), runWith(t, seed, []Input{common, last}), runWith(t, seed, []Input{common}))
	if err != nil || d == nil || d.Component != "input" || d.Tick != last.Earliest || d.Agent != last.Agent || d.Got != none {
		t.Errorf("the difference is %+v, %v", d, err)
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

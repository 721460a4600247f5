package sqltest

import (
	"fmt"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

type thing struct {
	Name  []byte `kdom:"name"`
	Count uint64 `kdom:"count"`
}

var things = codec.New[thing]()

// machine is a small daemon state: a table and two chains, one of them indexed.
type machine struct {
	state *world.State
	table *world.Table[wire.Hash, thing]
	seen  *world.Chain[thing]
	blind *world.Chain[thing]
	sum   uint64 // index over seen
}

func newMachine() *machine {
	m := &machine{state: world.NewState(wire.SystemMint)}
	m.table = world.NewTable[wire.Hash](m.state, "things", things)
	m.seen = world.NewChain(m.state, "seen", things, func(_ uint64, r *thing) { m.sum += r.Count })
	m.blind = world.NewChain(m.state, "blind", things, nil)
	return m
}

// step changes something of everything, and deletes.
func (m *machine) step(c uint64) {
	for i := range uint64(20) {
		m.table.Put(hash("thing", c, i), &thing{Name: fmt.Append(nil, i), Count: c})
		m.seen.Append(&thing{Name: []byte("seen"), Count: i})
		m.blind.Append(&thing{Name: []byte("blind"), Count: c})
	}
	m.table.Delete(hash("thing", c, 3))
	if c > 0 {
		m.table.Delete(hash("thing", c-1, 5))
		m.table.Edit(hash("thing", c-1, 6)).Count = 1000
	}
}

// testRestoreWorld restores daemon state from the store: same hash, and the same
// hash again after going on.
func testRestoreWorld(t *testing.T, open Database) {
	s := open(t)
	m := newMachine()
	for c := range uint64(3) {
		m.step(c)
		m.state.Hash()
		b := Batch(wire.Cycle(c), 2)
		b.Minds = nil // their agents are no rows of this machine
		b.Rows, b.Heads = m.state.TakeRows(), m.state.Heads()
		must(t, s.CommitCycle(t.Context(), b))
	}
	must(t, s.Close())

	s = open(t)
	im := load(t, s)
	r := newMachine()
	for _, row := range im.Rows {
		must(t, r.state.Load(row))
	}
	for _, h := range im.Heads {
		if r.state.Needs(h.Table) {
			must(t, s.ChainRows(t.Context(), h.System, h.Table, 0, h.Count, r.state.Load))
		}
		must(t, r.state.SetHead(h))
	}
	same(t, "restored hash", m.state.Hash(), r.state.FinishRestore())
	same(t, "index", m.sum, r.sum)
	m.step(3)
	r.step(3)
	same(t, "hash a cycle later", m.state.Hash(), r.state.Hash())
}

// testRestoreAgent flushes a living agent for some cycles and brings it back from the store after
// each of them: same state hash, and nothing to write. Its memory is written as a whole and by its
// changes, more than once each.
func testRestoreAgent(t *testing.T, open Database) {
	s := open(t)
	id := agent.NewIdentity(hash("world"), 3, 60, wire.Genome{Role: wire.RoleLibrarian})
	a := agent.New(id, agent.DefaultLimits)
	var wholes, most int
	for c := range wire.Cycle(12) {
		tick := wire.Tick(c)*256 + 255
		live(a, tick)
		b := Batch(c, 1)
		r := Agent(c, 0)
		r.ID, r.SpawnIndex = a.ID, id.SpawnIndex
		b.Rows = []world.Row{Record(wire.SystemNexus, "agents", r.ID[:], agents, &r)}
		b.Minds = []agent.Rows{a.Flush(tick)}
		if b.Minds[0].Memory != nil {
			wholes++
		}
		must(t, s.CommitCycle(t.Context(), b))
		one, err := s.LoadAgent(t.Context(), a.ID)
		must(t, err)
		most = max(most, len(one.Changes))
		for what, rows := range map[string]agent.Rows{"LoadAgent": one, "Load": load(t, s).Minds[0]} {
			r, err := agent.Restore(id, agent.DefaultLimits, rows)
			must(t, err)
			same(t, "state hash of the agent from "+what, a.StateHash(), r.StateHash())
			if again := r.Flush(tick); !again.Empty() {
				t.Errorf("an agent restored by %s has something to write", what)
			}
		}
	}
	if wholes < 3 || most < 2 {
		t.Errorf("all of a memory was written %d times, and at most %d changes to it; want both more often", wholes, most)
	}
}

// live does a cycle's worth of things to every part of an agent.
func live(a *agent.Agent, tick wire.Tick) {
	peer, subject := ID(9), hash("subject", tick)
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	must(a.Memory.Working.Set("note", fmt.Append(nil, tick)))
	node := a.Memory.Knowledge.Learn([]byte("tabs"), []byte("are wide"), memory.KnowledgeOracle, 0.7, tick)
	other := a.Memory.Knowledge.Learn(fmt.Append(nil, tick), nil, memory.KnowledgeInference, 0.2, tick)
	a.Memory.Knowledge.Relate(node, other, []byte("near"), 0.5, tick)
	for i := range wire.Tick(200) {
		act := memory.AppendAct(nil, &memory.Act{Action: "msg_post", Domain: "SOCIAL", SubjectKind: "message"})
		a.Memory.Experiences.Add(memory.Experience{Tick: tick - 200 + i, Action: act, Outcome: memory.OutcomeUnknown, Lesson: []byte("l")})
	}
	if old := a.Memory.Experiences.Recent(230); old != nil { // of the cycle before
		a.Memory.Experiences.Resolve(old.ID, memory.OutcomeSuccess, []byte("late"))
	}
	a.Memory.Beliefs.Test(memory.Claim{Subject: subject[:], Predicate: "is good"}, true, &subject, tick)
	a.Memory.Beliefs.Shift(memory.Claim{Subject: []byte("it"), Predicate: "pays"}, -0.3, nil, tick)
	a.Memory.Beliefs.CycleEnd() // at the second cycle the shifted belief is dropped
	for i := range 20 {
		plan := hash("plan", tick, i)
		a.Memory.Plans.Add(memory.Plan{Goal: plan, Steps: []memory.PlanStep{{Action: []byte("a")}, {Action: []byte("b")}}, Risk: 0.5})
		if p := a.Memory.Plans.ByGoal(plan); i > 0 {
			a.Memory.Plans.Finish(p, memory.PlanAbandoned)
		}
	}
	a.Memory.Peers.Interact(peer, memory.DealAnswer, true, tick)
	a.Memory.Peers.Interest(peer, []byte("tag"), tick)
	deadline := tick + 300
	g := goals.New(a.ID, goals.LayerTask, goals.SourceCuriosity, goals.Description{Kind: goals.KindExplore, Text: "t", Subject: &subject}, tick)
	g.Deadline = &deadline
	ap := a.Appraise(tick)
	must(a.Goals.Add(g, &ap))
	a.Goals.Choose(a.Goals.Rank(&ap)[0])
	a.Goals.Expire(nil, tick, 0.5)
	a.Balance, a.NOPStreak = 77, 2
}

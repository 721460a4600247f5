package agent

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"

	"pgregory.net/rapid"
)

// table is a store of one agent: what upserts and deletes leave behind.
type table struct {
	memory      *MemoryRow
	changes     []ChangesRow
	state       *StateRow
	experiences map[uint64]ExperienceRow
	beliefs     map[uint64]BeliefRow
	plans       map[uint64]PlanRow
	goals       map[wire.Hash]GoalRow
}

func newTable() *table {
	return &table{
		experiences: map[uint64]ExperienceRow{}, beliefs: map[uint64]BeliefRow{},
		plans: map[uint64]PlanRow{}, goals: map[wire.Hash]GoalRow{},
	}
}

func (s *table) commit(r Rows) {
	if r.Memory != nil {
		s.memory, s.changes = r.Memory, nil
	}
	s.changes = append(s.changes, r.Changes...)
	if r.State != nil {
		s.state = r.State
	}
	for _, x := range r.Experiences {
		s.experiences[x.ID] = x
	}
	for _, x := range r.Beliefs {
		s.beliefs[x.ID] = x
	}
	for _, id := range r.DeletedBeliefs {
		delete(s.beliefs, id)
	}
	for _, x := range r.Plans {
		s.plans[x.ID] = x
	}
	for _, x := range r.Goals {
		s.goals[x.ID] = x
	}
}

// load gives everything back in no particular order, experiences cut to the newest 512.
func (s *table) load() Rows {
	xs := slices.SortedFunc(maps.Values(s.experiences), func(a, b ExperienceRow) int { return cmp.Compare(b.ID, a.ID) })
	return Rows{
		Memory: s.memory, Changes: s.changes, State: s.state,
		Experiences: xs[:min(len(xs), memory.ExperienceWindow)],
		Beliefs:     slices.Collect(maps.Values(s.beliefs)),
		Plans:       slices.Collect(maps.Values(s.plans)),
		Goals:       slices.Collect(maps.Values(s.goals)),
	}
}

// A store holds no more of changes than half of the row that they follow, and in the long run is given
// about three times what changed.
func TestFlush_WritesWhatChanged(t *testing.T) {
	a := grown()
	whole, written, changed := a.storedMemory.size, 0, 0
	for tick := wire.Tick(1000); tick < 1100; tick++ {
		a.Memory.Knowledge.Learn([]byte{byte(tick % 100)}, []byte("something new"), memory.KnowledgeOracle, 0.9, tick)
		a.Memory.Peers.Interact(wire.AgentID{byte(tick)}, memory.DealAnswer, true, tick)
		r := a.Flush(tick)
		if m := r.Memory; m != nil {
			whole = len(m.Working) + len(m.Knowledge) + len(m.PeerModel)
			written += whole
		}
		for _, c := range r.Changes {
			changed += len(c.Body)
		}
		if 2*a.storedMemory.sizes > a.storedMemory.size || r.Memory == nil == (len(r.Changes) == 0) {
			t.Fatalf("tick %d: %+v", tick, a.storedMemory)
		}
	}
	if written += changed; whole == 0 || written > 7*changed/2 || 10*written > 100*whole {
		t.Errorf("%d bytes written for %d changed, of %d", written, changed, whole)
	}
}

// live changes an agent as its turns would.
func live(t *rapid.T, a *Agent, tick wire.Tick) {
	n := func(max int, what string) int { return rapid.IntRange(0, max).Draw(t, what) }
	peer := wire.AgentID{0xF0, byte(n(20, "peer"))}
	hash := wire.Hash{byte(n(30, "hash"))}
	ap := a.Appraise(tick)
	switch n(18, "deed") {
	case 0:
		_ = a.Memory.Working.Set(fmt.Sprint("key", n(9, "key")), make([]byte, n(40, "len")))
	case 1:
		a.Memory.Working.CycleStart()
	case 2:
		x := a.Memory.Knowledge.Learn([]byte{byte(n(30, "a"))}, []byte("c"), memory.KnowledgeOracle, 0.7, tick)
		y := a.Memory.Knowledge.Learn([]byte{byte(n(30, "b"))}, nil, memory.KnowledgeInference, 0.2, tick)
		a.Memory.Knowledge.Relate(x, y, []byte("near"), 0.5, tick)
	case 3:
		for range 1 + n(300, "many") {
			act := memory.AppendAct(nil, &memory.Act{Action: "msg_post", Goal: &hash, GoalKind: "answer", Domain: "SOCIAL", SubjectKind: "message"})
			a.Memory.Experiences.Add(memory.Experience{Tick: tick, Action: act, Outcome: memory.OutcomeUnknown, Lesson: []byte("l")})
		}
	case 4:
		if e := a.Memory.Experiences.Recent(n(20, "back")); e != nil {
			a.Memory.Experiences.Resolve(e.ID, memory.OutcomeSuccess, []byte("resolved"))
		}
	case 5:
		a.Memory.Beliefs.Test(memory.Claim{Subject: hash[:], Predicate: "is good"}, n(1, "support") == 1, &hash, tick)
	case 6:
		a.Memory.Beliefs.Shift(memory.Claim{Subject: hash[:], Predicate: "is good"}, -0.3, nil, tick)
		a.Memory.Beliefs.CycleEnd()
	case 7:
		pre := []byte("pre")
		p := memory.Plan{Goal: hash, Steps: []memory.PlanStep{{Action: []byte("a"), Precondition: &pre}, {Action: []byte("b")}}, Dependencies: []wire.Hash{hash}, Risk: 0.5}
		a.Memory.Plans.Add(p)
		a.Memory.Plans.Activate(hash)
	case 8:
		if p := a.Memory.Plans.Active(); p != nil && !a.Memory.Plans.Fail(p) {
			p.Blocked = &hash
		}
	case 9:
		for _, p := range slices.Clone(a.Memory.Plans.Living()) {
			a.Memory.Plans.Advance(p)
		}
	case 10:
		a.Memory.Peers.Interact(peer, memory.DealAnswer, n(1, "well") == 1, tick)
		a.Memory.Reasonings.Add(memory.Reasoning{Experience: uint64(tick), At: tick, Text: "because"})
		a.Memory.Effects.Add(memory.Effect{Experience: uint64(tick), Object: hash, Spark: -int64(n(9, "spark"))})
		a.Memory.Readings.Add(memory.Reading{
			Experience: uint64(tick), Messages: []memory.ReadMessage{{ID: hash, Kind: wire.MessageKindAnswer, Text: []byte("t")}},
			Entries: []memory.ReadEntry{{ID: hash, Kind: wire.EntryKindFAQ, Title: []byte("e")}}, Agents: []memory.ReadAgent{{ID: peer, Status: wire.StatusActive}},
			Accounts: []memory.ReadAccount{{Owner: peer, Balance: -3}}, Citations: []memory.ReadCitation{{Source: hash, Kind: wire.CitationKindReferences}},
		})
		a.Notebook.SeeChannel(memory.ChannelNote{ID: hash, Name: []byte("c"), Creator: peer})
		a.Memory.Peers.Interest(peer, []byte{byte(n(20, "tag"))}, tick)
		a.Memory.Peers.Verdict(peer, true, 0.5, tick)
	case 11:
		k := goals.Kind(1 + n(15, "kind"))
		g := goals.New(a.ID, goals.Layer(1+n(2, "layer")), goals.Source(1+n(4, "source")), goals.Description{Kind: k, Text: "t", Subject: &hash, Beneficiary: &peer, Reward: uint64(n(90, "reward"))}, tick)
		if n(1, "deadline") == 1 {
			d := tick + wire.Tick(n(200, "in"))
			g.Deadline = &d
		}
		_ = a.Goals.Add(g, &ap)
	case 12:
		if r := a.Goals.Rank(&ap); len(r) > 0 {
			a.Goals.Choose(r[0])
			r[0].Record.Effort++
		}
	case 13:
		a.Goals.ApplyFact(nil, a.ID, &goals.Fact{Kind: goals.FactKind(1 + n(10, "fact")), Subject: hash, Agent: a.ID, Work: goals.Work{Entry: hash, Accurate: 1}}, 0.6)
		a.Goals.Expire(nil, tick, 0.6)
	case 14:
		d := action.Domain(1 + n(8, "domain"))
		a.Learning.Act(goals.Triple{Domain: d, Action: fmt.Sprint("act", n(5, "act")), Subject: goals.SubjectEntry}, goals.KindExplore.Domain(), goals.KindExplore, n(1, "ok") == 1)
		a.Learning.Publish(hash, wire.EntryKindFAQ, 3)
		a.Learning.Learn(&goals.Satisfaction{Completed: true, RewardActual: 9, Kind: goals.KindEarn, Domain: d})
	case 15:
		a.Learning.CycleEnd()
	case 16:
		step := uint32(n(3, "step"))
		a.CurrentTask = &Task{GoalID: hash, PlanStep: &step, Action: []byte("x"), TicksUsed: 1, TickLimit: 4}
		if n(1, "none") == 1 {
			a.CurrentTask = nil
		}
		a.Subscriptions = append(a.Subscriptions, wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}})
	case 17:
		a.Balance, a.Reputation, a.TickBudget = int64(n(90, "balance"))-20, float32(n(4, "rep"))/4, uint64(n(64, "budget"))
		a.NOP()
		_ = a.SetStatus(wire.StatusActive)
	case 18:
		a.Notebook.SeeEntry(memory.EntryNote{ID: hash, Kind: wire.EntryKindFAQ, At: tick, Title: []byte("t")}).Read = true
		a.Notebook.SeeMessage(memory.MessageNote{ID: hash, Kind: wire.MessageKindAnswer, At: tick})
		a.Notebook.SeePeer(peer, 0.5, tick)
		a.Notebook.Claim(hash, peer, 3)
		a.Notebook.Release(hash)
		a.Memory.Dealings.Deal(hash, peer)
		a.Memory.Dealings.AskedReview(hash)
		a.Memory.Dealings.AddSleeper(peer)
	}
}

// After any life and any flushes the rows restore an equal agent, and both continue alike.
func TestRestore_EqualsTheFlushedAgent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := NewIdentity(wire.Hash{}, 7, 3, smith())
		limits := Limits{Goals: goals.Capacity{Aspirations: 2, Objectives: 3, Tasks: 4}, Memory: memory.Limits{Nodes: 12, Edges: 9}}
		a, store := New(id, limits), newTable()
		tick := wire.Tick(3)
		for range rapid.IntRange(0, 6).Draw(t, "cycles") {
			for range rapid.IntRange(0, 25).Draw(t, "deeds") {
				tick += 5
				live(t, a, tick)
			}
			store.commit(a.Flush(tick))
		}
		store.commit(a.Flush(tick))
		b, err := Restore(id, limits, store.load())
		if err != nil {
			t.Fatal(err)
		}
		same(t, a, b)
		if r := b.Flush(tick); !r.Empty() {
			t.Fatalf("a restored agent has something to write: %+v", r)
		}
		if r := a.Flush(tick); !r.Empty() {
			t.Fatalf("the second of two flushes has something to write: %+v", r)
		}
		ra, rb := a.Appraise(tick), b.Appraise(tick)
		a.Goals.Rank(&ra)
		b.Goals.Rank(&rb)
		a.Memory.Beliefs.Test(memory.Claim{Predicate: "next"}, true, nil, tick)
		b.Memory.Beliefs.Test(memory.Claim{Predicate: "next"}, true, nil, tick)
		same(t, a, b)
	})
}

func same(t *rapid.T, a, b *Agent) {
	if parts := a.Differences(b); parts != nil {
		t.Fatalf("canonical states differ in %v", parts)
	}
	if a.StateHash() != b.StateHash() {
		t.Fatal("state hashes differ")
	}
	x, y := everything(a), everything(b)
	for i := range x {
		if x[i] != y[i] {
			t.Fatalf("part %d differs:\n%x\n%x", i, x[i], y[i])
		}
	}
}

// everything encodes all parts without any cache.
func everything(a *Agent) []string {
	m := a.Memory
	out := []string{
		string(a.appendState(nil)), string(m.Working.AppendTo(nil)), string(m.Knowledge.AppendTo(nil)),
		string(m.Peers.AppendTo(nil)), string(a.Goals.AppendTo(nil)),
	}
	for i := range m.Experiences.Len() {
		if e := m.Experiences.At(i); e != nil {
			out = append(out, fmt.Sprintf("%d %d %x %s %s", e.ID, e.Tick, e.Action, e.Outcome, e.Lesson))
		}
	}
	for b := range m.Beliefs.All() {
		out = append(out, fmt.Sprintf("%x %s %v %x %d", b.Subject(), b.Predicate(), b.Confidence, m.Beliefs.Evidence(b), b.LastTested()))
	}
	for _, p := range m.Plans.Living() { // of those that ended the state hash tells
		out = append(out, fmt.Sprintf("%d %x %s %x %x", p.ID, p.Goal, p.Status, memory.AppendSteps(nil, p.Steps), p.Dependencies))
	}
	return out
}

func TestStateHash_ChangesWithEveryPart(t *testing.T) {
	a := newborn()
	last := a.StateHash()
	if a.StateHash() != last {
		t.Fatal("asking changes the hash")
	}
	ap := a.Appraise(1)
	h := wire.Hash{1}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"balance", func() { a.Balance++ }},
		{"streak", func() { a.NOP() }},
		{"status", func() { _ = a.SetStatus(wire.StatusActive) }},
		{"note", func() { _ = a.Memory.Working.Set("k", nil) }},
		{"node", func() { a.Memory.Knowledge.Learn([]byte("x"), nil, memory.KnowledgeOracle, 1, 1) }},
		{"peer", func() { a.Memory.Peers.Interact(wire.AgentID{2}, memory.DealAnswer, true, 1) }},
		{"experience", func() { a.Memory.Experiences.Add(memory.Experience{Outcome: memory.OutcomeSuccess}) }},
		{"lesson", func() { a.Memory.Experiences.Resolve(a.Memory.Experiences.At(0).ID, memory.OutcomePartial, nil) }},
		{"belief", func() { a.Memory.Beliefs.Test(memory.Claim{}, true, nil, 1) }},
		{"belief again", func() { a.Memory.Beliefs.Test(memory.Claim{}, true, nil, 1) }},
		{"plan", func() { a.Memory.Plans.Add(memory.Plan{Goal: h, Steps: make([]memory.PlanStep, 2)}) }},
		{"plan status", func() { a.Memory.Plans.Activate(h) }},
		{"plan step", func() { a.Memory.Plans.Advance(a.Memory.Plans.Active()) }},
		{"goal", func() {
			_ = a.Goals.Add(goals.New(a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindVote, Subject: &h}, 1), &ap)
		}},
		{"goal status", func() { a.Goals.Choose(a.Goals.Living()[0]) }},
		{"goal progress", func() { a.Goals.Living()[0].Record.Progress++ }},
		{"learning", func() { a.Learning.Publish(h, wire.EntryKindAPI, 3) }},
		{"notebook", func() { a.Notebook.Slot++ }},
	} {
		step.do()
		now := a.StateHash()
		if now == last {
			t.Errorf("%s: the hash does not show it", step.name)
		}
		last = now
	}
}

func TestFlush_WritesOnlyWhatChanged(t *testing.T) {
	a := newborn()
	r := a.Flush(1)
	if r.Memory == nil || r.State == nil || r.Memory.UpdatedAt != 1 || r.State.UpdatedAt != 1 {
		t.Fatal("the first flush must write both rows of the newborn")
	}
	if r = a.Flush(2); !r.Empty() {
		t.Fatalf("nothing happened: %+v", r)
	}
	a.Memory.Beliefs.Test(memory.Claim{}, true, nil, 1)
	if r = a.Flush(3); r.Memory != nil || len(r.Beliefs) != 1 || r.State == nil {
		t.Errorf("a belief (and the row counter): %+v", r)
	}
	a.Memory.Peers.Interact(wire.AgentID{2}, memory.DealAnswer, true, 1)
	if r = a.Flush(4); r.Memory == nil || len(r.Beliefs) != 0 {
		t.Errorf("a peer: %+v", r)
	}
}

// The shortcuts at the end of a cycle give the same rows and hashes.
func TestFlushHash_EqualsFlushAndStateHash(t *testing.T) {
	a, b, c := grown(), grown(), grown()
	for tick := wire.Tick(1000); tick < 3000; tick += 256 {
		for _, x := range []*Agent{a, b, c} {
			busyCycle(x, tick)
		}
		rows, hash := a.Flush(tick), a.StateHash()
		again, got := b.FlushHash(tick)
		if got != hash || !reflect.DeepEqual(again, rows) {
			t.Fatalf("tick %d: rows and hash together differ", tick)
		}
		if c.ForgetHash() != hash {
			t.Fatalf("tick %d: the hash without rows differs", tick)
		}
		if r := c.Flush(tick); !r.Empty() || c.StateHash() != hash {
			t.Fatalf("tick %d: what was forgotten is still to be written: %+v", tick, r)
		}
	}
}

func TestFlush_StoresOrdinalsFromZero(t *testing.T) {
	a := newborn()
	ap := a.Appraise(1)
	h := wire.Hash{1}
	if err := a.Goals.Add(goals.New(a.ID, goals.LayerAspiration, goals.SourceSurvival, goals.Description{Kind: goals.KindEarn}, 1), &ap); err != nil {
		t.Fatal(err)
	}
	a.Memory.Experiences.Add(memory.Experience{Outcome: memory.OutcomeUnknown})
	a.Memory.Plans.Add(memory.Plan{Goal: h, Steps: make([]memory.PlanStep, 1)})
	r := a.Flush(1)
	if g := r.Goals[0]; g.Layer != 0 || g.Source != 0 || g.Status != 0 {
		t.Errorf("goal %+v", g)
	}
	if r.Experiences[0].Outcome != 3 || r.Plans[0].Status != 0 {
		t.Errorf("experience %d, plan %d", r.Experiences[0].Outcome, r.Plans[0].Status)
	}
	if r.Experiences[0].ID != 1<<32|1 || r.Plans[0].ID != 1<<32|2 {
		t.Errorf("row ids %x and %x", r.Experiences[0].ID, r.Plans[0].ID)
	}
}

func TestRestore_RefusesBrokenRows(t *testing.T) {
	a := newborn()
	a.Memory.Experiences.Add(memory.Experience{Outcome: memory.OutcomeSuccess})
	a.Memory.Beliefs.Test(memory.Claim{}, true, nil, 1)
	a.Memory.Plans.Add(memory.Plan{Steps: make([]memory.PlanStep, 1)})
	ap := a.Appraise(1)
	_ = a.Goals.Add(goals.New(a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindVote}, 1), &ap)
	store := newTable()
	store.commit(a.Flush(1))
	none := a.Memory.AppendChanges(nil, false)
	for name, damage := range map[string]func(*Rows){
		"no state":           func(r *Rows) { r.State = nil },
		"no memory":          func(r *Rows) { r.Memory = nil },
		"cut state":          func(r *Rows) { r.State = &StateRow{Body: r.State.Body[:len(r.State.Body)-1]} },
		"cut peers":          func(r *Rows) { r.Memory = &MemoryRow{Working: r.Memory.Working, Knowledge: r.Memory.Knowledge} },
		"missing experience": func(r *Rows) { r.Experiences = nil },
		"unread changes":     func(r *Rows) { r.Changes = []ChangesRow{{Since: 1, Body: []byte{0xc0}}} },
		"a gap in changes":   func(r *Rows) { r.Changes = []ChangesRow{{Since: 1, Number: 1, Body: none}} },
		"changes of before":  func(r *Rows) { r.Changes = []ChangesRow{{Since: 0, Body: none}} },
		"bad claim":          func(r *Rows) { r.Beliefs[0].Claim = []byte{1} },
		"bad evidence":       func(r *Rows) { r.Beliefs[0].Evidence = nil },
		"much evidence":      func(r *Rows) { r.Beliefs[0].Evidence = memory.AppendHashes(nil, make([]wire.Hash, 9)) },
		"another's belief":   func(r *Rows) { r.Beliefs[0].ID += 1 << 32 },
		"bad steps":          func(r *Rows) { r.Plans[0].Steps = []byte{0xc0} },
		"bad outcome":        func(r *Rows) { r.Experiences[0].Outcome = 4 },
		"bad layer":          func(r *Rows) { r.Goals[0].Layer = 3 },
		"bad plan status":    func(r *Rows) { r.Plans[0].Status = 4 },
		"missing goal":       func(r *Rows) { r.Goals = nil },
		"bad description":    func(r *Rows) { r.Goals[0].Description = []byte{0x80} },
	} {
		r := store.load()
		damage(&r)
		_, err := Restore(NewIdentity(wire.Hash{}, 1, 0, smith()), DefaultLimits, r)
		if !errors.Is(err, &Error{Kind: KindSerialization, Agent: a.ID}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

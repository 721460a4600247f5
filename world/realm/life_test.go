package realm_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

const open = 2 // gate profile

func start(n int, gates uint8) (*realm.Realm, realm.BootResult) {
	rules := worldtest.Rules(uint64(n))
	rules.Gates = gates
	rules.WakeAfter = 3
	r := realm.New(rules)
	return r, r.Bootstrap(worldtest.Eight(n))
}

// TestReceive_RefusalsChangeNothing sends random requests one by one. Whatever is
// refused leaves every component hash as it was; and most kinds of request are
// accepted at some time, so that the test means something.
func TestReceive_RefusalsChangeNothing(t *testing.T) {
	accepted, refused := map[wire.MsgType]int{}, map[wire.MsgType]int{}
	for seed := range uint64(30) {
		r, _ := start(8, open)
		m := newMonkey(seed, r)
		for c := wire.Cycle(1); c < 4; c++ {
			r.StartCycle(c)
			for i := range 25 {
				m.tick = r.Rules().Calendar.First(c) + wire.Tick(i)
				r.OpenTick(m.tick)
				a := m.agent()
				s := m.request(a)
				before := r.Components()
				reply := r.Receive(m.tick, 1, a, s)
				if reply.Err == nil {
					accepted[s.Envelope.Type]++
				} else if refused[s.Envelope.Type]++; !worldtest.CarriedOut(reply.Err) && r.Components() != before {
					t.Fatalf("seed %d: %v %+v was refused (%s) and changed the state", seed, s.Envelope.Type, s.Payload, reply.Err.Message)
				}
				if reply.Ref != s.Envelope.MsgID {
					t.Fatalf("seed %d: the reply to %v refers to %v", seed, s.Envelope.MsgID, reply.Ref)
				}
				r.End()
				m.learn(r.TakeEvents())
			}
			r.EndCycle(nil)
			m.learn(r.TakeEvents())
		}
	}
	if len(accepted) < 20 || len(refused) < 15 {
		t.Errorf("only %d kinds of request were ever accepted and %d refused:\n%v\n%v", len(accepted), len(refused), accepted, refused)
	}
}

// day runs one cycle of random life and returns what can be seen of it: views,
// replies, events and the outcome.
func day(r *realm.Realm, m *monkey, c wire.Cycle) []any {
	var seen []any
	note := func(x ...any) { seen = append(seen, x...) }
	spent := map[wire.AgentID]uint64{}
	for _, a := range r.StartCycle(c) {
		note(a)
		spent[a.AgentID] = a.Budget
	}
	m.tick = r.Rules().Calendar.First(c)
	for range 4 {
		r.OpenTick(m.tick)
		switch a := m.agent(); m.IntN(10) {
		case 0:
			note(r.SetStatus(m.tick, a, wire.StatusDormant, "operator", uint64(m.tick)<<32))
		case 1:
			if m.IntN(4) == 0 {
				note(r.SetStatus(m.tick, a, wire.StatusDead, "operator", uint64(m.tick)<<32))
			}
		case 2:
			id, refusal := r.Spawn(m.tick, worldtest.Newcomer(worldtest.Eight(1)[0]))
			note(id, refusal)
		}
		live := append([]wire.AgentID(nil), r.Active()...)
		r.Order(m.tick, live)
		seats := make([]realm.Seat, len(live))
		for i, a := range live {
			var v wire.View
			r.View(a, nil, &v)
			note(v)
			seats[i].Agent = a
			if m.IntN(5) > 0 {
				seats[i].Sent = m.request(a)
			}
		}
		m.prepare(seats)
		replies := r.Commit(m.tick, seats)
		for i := range replies {
			m.db.fill(replies[i].Missing)
			replies[i].Missing = nil
		}
		note(replies)
		m.learn(take(r, note))
		m.tick += wire.Tick(1 + m.IntN(20))
	}
	var wakes []realm.Wake
	for range 2 {
		wakes = append(wakes, realm.Wake{Agent: m.agent(), Cause: wire.WakeCause(1 + m.IntN(5))})
	}
	m.db.fill(r.Missing())
	note(r.EndCycle(wakes))
	m.learn(take(r, note))
	return seen
}

func take(r *realm.Realm, note func(...any)) []*wire.Event {
	events := r.TakeEvents()
	note(events)
	return events
}

// TestLife_ConservesMoneyAndStatusOrder: over 20 cycles of random life in random worlds money
// is conserved, nobody leaves the status machine, and event ids ascend.
func TestLife_ConservesMoneyAndStatusOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, boot := start(rapid.IntRange(1, 12).Draw(t, "n"), uint8(rapid.IntRange(0, 2).Draw(t, "gates")))
		m := newMonkey(rapid.Uint64().Draw(t, "seed"), r)
		r.TakeEvents()
		var last wire.EventID
		status := map[wire.AgentID]wire.AgentStatus{}
		for _, a := range boot.Agents {
			status[a] = wire.StatusActive
		}
		for c := wire.Cycle(1); c <= 20; c++ {
			seen := day(r, m, c)
			for _, x := range seen {
				switch x := x.(type) {
				case []*wire.Event:
					for _, e := range x {
						if e.ID.Compare(last) <= 0 {
							t.Fatalf("event %x after %x", e.ID.Lamport, last.Lamport)
						}
						last = e.ID
						follow(t, status, e)
					}
				case realm.CycleEnd:
					conserved(t, r, &x)
				}
			}
		}
	})
}

func follow(t *rapid.T, status map[wire.AgentID]wire.AgentStatus, e *wire.Event) {
	switch p := e.Payload.(type) {
	case *wire.AgentSpawnEvent:
		status[p.AgentID] = wire.StatusEmbryo
	case *wire.AgentStatusChangeEvent:
		if status[p.AgentID] != p.OldStatus || !p.OldStatus.MayBecome(p.NewStatus) {
			t.Fatalf("agent %v goes from %v to %v but was %v", p.AgentID.Alias(), p.OldStatus, p.NewStatus, status[p.AgentID])
		}
		status[p.AgentID] = p.NewStatus
	}
}

// conserved checks that the balances add up to what was minted, and that nobody has
// locked more than it has.
func conserved(t interface{ Fatalf(string, ...any) }, r *realm.Realm, end *realm.CycleEnd) {
	sum := int64(0)
	for _, a := range append([]wire.AgentID{wire.SystemID(wire.SystemMint), wire.ReserveID}, r.Agents()...) {
		balance, locked := r.Balance(a)
		sum += balance
		if int64(locked) > max(0, balance) {
			t.Fatalf("cycle %d: %v has locked %d of %d ⚡", end.Cycle, a.Alias(), locked, balance)
		}
	}
	if uint64(sum) != end.Report.TotalSupply {
		t.Fatalf("cycle %d: balances add up to %d ⚡, supply is %d", end.Cycle, sum, end.Report.TotalSupply)
	}
	if n := end.Embryo + end.Active + end.Dormant + end.Dead; int(n) != len(r.Agents()) {
		t.Fatalf("cycle %d: %d agents are in a status, %d exist", end.Cycle, n, len(r.Agents()))
	}
}

// A world restored from its rows at a random cycle end gives the same views, replies, events and hashes as the one that
// was never stopped.
func TestRestore_BehavesLikeTheOriginal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{3, 8, 40}).Draw(t, "n") // 40: origins are sampled
		seed := rapid.Uint64().Draw(t, "seed")
		r, _ := start(n, open)
		m := newMonkey(seed, r)
		db := &store{tables: map[string]world.Row{}}
		db.keep(r.TakeRows())
		stop := wire.Cycle(rapid.IntRange(0, 6).Draw(t, "stop"))
		for c := wire.Cycle(1); c <= stop; c++ {
			day(r, m, c)
			db.keep(r.TakeRows())
		}
		if len(r.All()) != len(db.tables) {
			t.Fatalf("a snapshot has %d rows, the sum of the cycles' rows %d", len(r.All()), len(db.tables))
		}
		again := realm.New(r.Rules())
		if err := again.Restore(db.rows, r.Heads()); err != nil {
			t.Fatal(err)
		}
		if again.Components() != r.Components() {
			t.Fatal("the restored world has another hash")
		}
		r.TakeEvents()
		one, two := newMonkey(seed+1, r), newMonkey(seed+1, again)
		one.ids = append(one.ids, m.ids...)
		two.ids = append(two.ids, m.ids...)
		two.db = db
		for c := stop + 1; c <= stop+3; c++ {
			if diff := differ(day(r, one, c), day(again, two, c)); diff != "" {
				t.Fatalf("cycle %d after a restore at %d (-undisturbed +restored):\n%s", c, stop, diff)
			}
			rows := r.TakeRows()
			db.keep(rows)
			again.Forget(again.Heads())
			if diff := differ(rows, again.TakeRows()); diff != "" {
				t.Fatalf("rows of cycle %d (-undisturbed +restored):\n%s", c, diff)
			}
		}
	})
}

// differ explains a difference, and is quick where there is none.
func differ(x, y any) string {
	if same(reflect.ValueOf(x), reflect.ValueOf(y)) {
		return ""
	}
	return cmp.Diff(x, y, cmpopts.EquateEmpty())
}

// same is reflect.DeepEqual, except that nil and empty slices are one.
func same(x, y reflect.Value) bool {
	if x.IsValid() != y.IsValid() || x.IsValid() && x.Type() != y.Type() {
		return false
	}
	switch x.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		if x.IsNil() || y.IsNil() {
			return x.IsNil() == y.IsNil()
		}
		return same(x.Elem(), y.Elem())
	case reflect.Slice:
		if x.Len() != y.Len() {
			return false
		}
		if x.Len() > 0 && x.Pointer() == y.Pointer() {
			return true
		}
		for i := range x.Len() {
			if !same(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range x.NumField() {
			if !same(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	}
	return x.Interface() == y.Interface()
}

// store keeps rows the way a database does.
type store struct {
	tables map[string]world.Row
	chains []world.Row
}

func (s *store) keep(rows []world.Row) {
	for _, r := range rows {
		key := r.System.String() + "/" + r.Table + "/" + string(r.Key)
		switch {
		case r.Chain:
			s.chains = append(s.chains, r)
		case r.Body == nil:
			delete(s.tables, key)
		default:
			s.tables[key] = r
		}
	}
}

// fill reads what is missing; without a store nothing may be.
func (s *store) fill(missing []wire.Missing) {
	for _, m := range missing {
		key := binary.BigEndian.AppendUint64(nil, m.Record.Number)
		i := slices.IndexFunc(s.chains, func(r world.Row) bool {
			return r.System == m.Record.System && r.Table == m.Record.Table && bytes.Equal(r.Key, key)
		})
		if err := m.Fill(s.chains[i].Body); err != nil {
			panic(err)
		}
	}
}

func (s *store) rows(load func(world.Row) error) error {
	for _, r := range s.chains {
		if err := load(r); err != nil {
			return err
		}
	}
	for _, r := range s.tables {
		if err := load(r); err != nil {
			return err
		}
	}
	return nil
}

// TestLife_IsDeterministic: the same calls give the same everything.
func TestLife_IsDeterministic(t *testing.T) {
	run := func() (seen []any) {
		r, _ := start(40, open)
		m := newMonkey(7, r)
		for c := wire.Cycle(1); c <= 5; c++ {
			seen = append(seen, day(r, m, c)...)
		}
		return seen
	}
	if diff := differ(run(), run()); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

// A stored bus that lost or gained a row is refused or has another hash, whatever the row.
func TestBusHash_ChangesWithEveryRow(t *testing.T) {
	r, _ := start(8, open)
	m := newMonkey(1, r)
	db := &store{tables: map[string]world.Row{}}
	db.keep(r.TakeRows())
	var end realm.CycleEnd
	for c := wire.Cycle(1); c <= 2; c++ {
		seen := day(r, m, c)
		end = seen[len(seen)-2].(realm.CycleEnd)
		db.keep(r.TakeRows())
	}
	restored := func(skip func(row world.Row) bool) (wire.Hash, error) {
		again := realm.New(r.Rules())
		err := again.Restore(func(load func(world.Row) error) error {
			return db.rows(func(row world.Row) error {
				if skip(row) {
					return nil
				}
				return load(row)
			})
		}, r.Heads())
		return again.BusHash(), err
	}
	got, err := restored(func(world.Row) bool { return false })
	if err != nil || got != end.BusHash || got.IsZero() {
		t.Fatalf("restored bus has hash %v (%v), want %v", got, err, end.BusHash)
	}
	bus := 0
	for _, gone := range db.tables {
		if !strings.HasPrefix(gone.Table, "bus.") {
			continue
		}
		bus++
		got, err := restored(func(row world.Row) bool {
			return row.Table == gone.Table && string(row.Key) == string(gone.Key)
		})
		if err == nil && got == end.BusHash {
			t.Errorf("row %x of %s is gone and nothing tells", gone.Key, gone.Table)
		}
	}
	if bus < 10 {
		t.Errorf("only %d rows of the bus", bus)
	}
}

// TestEndCycle_ListsWokenSleptAndDied: CycleEnd tells who woke, fell asleep and died at the cycle's end,
// each in its own list; what happened in mid-cycle is in none.
func TestEndCycle_ListsWokenSleptAndDied(t *testing.T) {
	x := newTown(t, 8)
	sleeper, dead, bystander := x.ids[0], x.ids[1], x.ids[2]
	x.SetStatus(x.tick, sleeper, wire.StatusDormant, "operator", 1)
	x.SetStatus(x.tick, dead, wire.StatusDead, "operator", 2)
	if end := x.EndCycle(nil); len(end.Woken) != 0 || len(end.Died) != 0 || end.Dormant != 1 || end.Dead != 1 || end.Active != 6 {
		t.Errorf("cycle 1: %+v", end)
	}
	x.StartCycle(2)
	x.OpenTick(512)
	end := x.EndCycle([]realm.Wake{{Agent: sleeper, Cause: wire.WakeOperator}})
	if len(end.Woken) != 1 || end.Woken[0].Agent != sleeper || end.Woken[0].Cause != wire.WakeOperator || len(end.Slept) != 0 || end.Active != 7 {
		t.Errorf("cycle 2: %+v", end)
	}
	for c := wire.Cycle(3); c < 400; c++ { // nobody acts: who is idle for long falls asleep, and dies in the end
		x.StartCycle(c)
		x.OpenTick(x.Rules().Calendar.First(c))
		end := x.EndCycle(nil)
		for list, want := range map[*[]nexus.Change]wire.AgentStatus{&end.Slept: wire.StatusDormant, &end.Died: wire.StatusDead} {
			for _, x := range *list {
				if x.New != want || x.Cause != 0 {
					t.Errorf("cycle %d: %+v is among those who are now %v", c, x, want)
				}
			}
		}
		for _, x := range end.Woken {
			if x.Cause == 0 {
				t.Errorf("cycle %d: %+v woke without a cause", c, x)
			}
		}
		if len(end.Died)+len(end.Slept) > 0 && x.Agent(bystander).Status != wire.StatusActive {
			return
		}
	}
	t.Error("nobody fell asleep or died for 400 cycles without a deed")
}

// sitter notes in whose name, epoch and tick its daemon ends a cycle.
type sitter struct {
	world.Daemon
	ended []world.Context
}

func (s *sitter) CycleEnd(c *world.Context) {
	s.ended = append(s.ended, *c)
	s.Daemon.(world.Maintainer).CycleEnd(c)
}

// Daemons end the cycle in their own name, at its last tick, in answer to no message.
func TestEndCycle_ContextOfEachDaemon(t *testing.T) {
	x := newTown(t, 8)
	sitters := map[wire.System]*sitter{wire.SystemAgora: {}, wire.SystemOracle: {}}
	for s, w := range sitters {
		x.Wrap(s, func(d world.Daemon) world.Daemon { w.Daemon = d; return w })
	}
	x.ok(x.ids[0], wire.TypeMsgPost, x.message("hi", channel("general")))
	x.EndCycle(nil)
	for s, w := range sitters {
		if len(w.ended) != 1 {
			t.Fatalf("%v ended %d cycles", s, len(w.ended))
		}
		if c := w.ended[0]; c.Source != wire.SystemID(s) || !c.Msg.IsZero() || c.Tick != 511 || c.Cycle != 1 || c.Epoch != x.Epoch() {
			t.Errorf("%v ends the cycle as %v in answer to %v at tick %d of cycle %d in epoch %d", s, c.Source, c.Msg, c.Tick, c.Cycle, c.Epoch)
		}
	}
}

// TestEndCycle_ListsNewAgents: where fewer than four live, the cycle's end fills up and tells by whom.
func TestEndCycle_ListsNewAgents(t *testing.T) {
	rules := worldtest.Rules(8)
	rules.AutoSpawn = true
	r := realm.New(rules)
	boot := r.Bootstrap(worldtest.Eight(8))
	for c, want := range []int{0, 2, 0} {
		r.StartCycle(wire.Cycle(c + 1))
		tick := rules.Calendar.First(wire.Cycle(c + 1))
		r.OpenTick(tick)
		before := r.Agents()
		if c == 1 {
			for i, a := range boot.Agents[:6] {
				r.SetStatus(tick, a, wire.StatusDead, "operator", uint64(i)+1)
			}
		}
		end := r.EndCycle(nil)
		if len(end.Spawned) != want {
			t.Errorf("cycle %d: newcomers %v, want %d", c+1, end.Spawned, want)
		}
		for _, a := range end.Spawned {
			if r.Agent(a) == nil || slices.Contains(before, a) {
				t.Errorf("cycle %d: %v is no newcomer", c+1, a.Alias())
			}
		}
	}
}

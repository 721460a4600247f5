package realm_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// script is a dice whose falls are the bytes of a fuzzer's input: a changed byte changes one decision.
type script struct{ left []byte }

// next is the next byte, 0 behind the last.
func (s *script) next() uint64 {
	if len(s.left) == 0 {
		return 0
	}
	b := s.left[0]
	s.left = s.left[1:]
	return uint64(b)
}

func (s *script) IntN(n int) int {
	v := s.next()
	if n > 256 {
		v = v<<8 | s.next()
	}
	return int(v % uint64(n))
}

func (s *script) Uint64() uint64 { return s.next()<<8 | s.next() }

// origin is a world that has lived for some cycles. Each input of the fuzzer begins in one, since there is something
// to claim, judge, vote on and build on there, and making it anew would take longer than what is tried on it.
type origin struct {
	rules *world.Rules
	db    *store
	heads []world.Head
	ids   []wire.Hash
	kinds map[string][]wire.Hash
}

// origins are made once in each process that fuzzes, and only read afterwards.
var origins = sync.OnceValue(func() (all []*origin) {
	for i, n := range []int{8, 3, 8, 5} {
		rules := worldtest.Rules(uint64(n))
		rules.WakeAfter, rules.Gates, rules.Epoch = 3, open, uint32(i+2)
		if i == 3 {
			rules.Gates, rules.Epoch = 0, 0 // most is locked here
		}
		r := realm.New(rules)
		boot := r.Bootstrap(worldtest.Eight(n))
		m := newMonkey(uint64(i), r)
		m.learn(r.TakeEvents())
		m.settle(boot.End.Cycle + 1)
		m.cycles(fatal{}, boot.End.Cycle+2, 8, func() bool { return true })
		p := &origin{rules: r.Rules(), db: &store{tables: map[string]world.Row{}}, heads: r.Heads(), ids: m.ids, kinds: m.kinds}
		p.db.keep(r.TakeRows())
		all = append(all, p)
	}
	return all
})

// settle has the first agents store programs, make sandboxes of them and offer a service: what nobody comes upon by luck.
func (m *monkey) settle(c wire.Cycle) {
	m.r.StartCycle(c)
	m.tick = m.r.Rules().Calendar.First(c)
	send := func(a wire.AgentID, typ wire.MsgType, payload any) {
		m.tick++
		m.r.OpenTick(m.tick)
		m.n++
		worldtest.Fill(m.r, a, payload)
		seats := []realm.Seat{{Agent: a, Sent: worldtest.Seal(a, m.tick, typ, payload, m.n)}}
		m.prepare(seats)
		m.r.Commit(m.tick, seats)
		m.stored(payload)
		m.learn(m.r.TakeEvents())
	}
	for i, a := range m.r.Active() {
		text := []byte(programs[i%len(programs)])
		send(a, wire.TypeObjectPut, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: text})
		send(a, wire.TypeSandboxCreate, &wire.SandboxCreate{
			Code: wire.ObjectID(wire.ObjectAtom, text), MemoryQuota: 65_536, TickBudget: 100, Persistent: true, Input: []byte{}, Environment: codec.BinMap{},
		})
		if made := m.kinds["sandbox"]; len(made) > 0 {
			send(a, wire.TypeExecStart, &wire.ExecStart{SandboxID: made[len(made)-1]})
			send(a, wire.TypeServiceCreate, &wire.ServiceCreate{
				Sandbox: made[len(made)-1], Name: []byte("abcd"), TickBudget: 50, Endpoints: []wire.Endpoint{{Name: []byte("abcd")}},
			})
		}
	}
	m.r.EndCycle(nil)
	m.learn(m.r.TakeEvents())
}

// fatal is what fails where there is no test.
type fatal struct{}

func (fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// monkey is one that lives on in a copy of p by the falls of d.
func (p *origin) monkey(t failing, d dice) *monkey {
	r := realm.New(p.rules)
	if err := r.Restore(p.db.rows, p.heads); err != nil {
		t.Fatalf("%v", err)
	}
	m := monkeyOf(d, r)
	m.ids, m.kinds, m.db = slices.Clone(p.ids), map[string][]wire.Hash{}, p.db
	for k, list := range p.kinds { //house:sorted only copies
		m.kinds[k] = slices.Clip(list)
	}
	return m
}

const inputBytes = 800 // of an input: some forty requests

// FuzzApply has a world serve well-formed requests of every row of the catalogue, about things that exist and some that do
// not, made of the fuzzer's bytes: no daemon may panic, what is refused may change no daemon's state and cause no event but that it was refused, at each
// end of a cycle the balances must add up to the supply, and the same requests once more must come to the same. Cycles end
// every few requests, so that timers, tallies and deadlines come into play.
//
// Run it with -fuzzminimizetime 10x, as make fuzz does: by itself the tool spends up to a minute on making each input that
// reaches something new shorter, and tries no other meanwhile.
func FuzzApply(f *testing.F) {
	for seed := range uint64(32) {
		dice, text := det.NewStream([32]byte{byte(seed)}, "world.monkey", [32]byte{}, 0), make([]byte, inputBytes)
		for i := range text {
			text[i] = byte(dice.IntN(256))
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if once, again := live(t, text, true), live(t, text, false); once != again {
			t.Fatalf("the same requests came to %x and then to %x", once, again)
		}
	})
}

// live has one of the origins live on by an input and returns a hash of all replies and ends of cycles. With careful it
// looks at the state after each request.
func live(t failing, text []byte, careful bool) (all wire.Hash) {
	bytes := &script{text[:min(len(text), inputBytes)]}
	m := origins()[bytes.IntN(len(origins()))].monkey(t, bytes)
	m.careful = careful
	m.cycles(t, m.r.Nexus().Clock().Cycle+1, 3, func() bool { return len(bytes.left) > 0 })
	m.seen.Sum(all[:0])
	return all
}

// failing is a test, or what stands for one.
type failing interface {
	Fatalf(format string, args ...any)
}

// cycles lives on for as long as more says so, at most so many cycles. What begins is ended.
func (m *monkey) cycles(t failing, first wire.Cycle, limit int, more func() bool) {
	for c := first; c < first+wire.Cycle(limit) && more(); c++ {
		m.r.StartCycle(c)
		m.tick = m.r.Rules().Calendar.First(c)
		for range 1 + m.IntN(6) {
			if more() {
				m.ticks(t, more)
				m.tick += wire.Tick(1 + m.IntN(40))
			}
		}
		m.db.fill(m.r.Missing())
		end := m.r.EndCycle([]realm.Wake{{Agent: m.agent(), Cause: wire.WakeGoal}})
		conserved(t, m.r, &end)
		fmt.Fprintf(m.seen, "%v %v\n", end.WorldHash, end.BusHash)
		m.learn(m.r.TakeEvents())
	}
}

// ticks lets some agents act in one tick, one after the other.
func (m *monkey) ticks(t failing, more func() bool) {
	m.r.OpenTick(m.tick)
	live := append([]wire.AgentID(nil), m.r.Active()...)
	m.r.Order(m.tick, live)
	awake := make([]realm.Seat, len(live))
	seats := make([]realm.Seat, 0, len(live))
	for i, a := range live {
		awake[i].Agent = a
		if more() {
			seats = append(seats, realm.Seat{Agent: a, Sent: m.request(a)})
		}
	}
	m.prepare(seats)
	m.r.Commit(m.tick, awake) // the ticks are counted here, so that what is compared below are requests alone
	m.learn(m.r.TakeEvents())
	var before, after [7]wire.Hash
	if m.careful {
		before = m.r.Components()
	}
	for i := range seats {
		m.r.Prepared(seats[i].Prepared)
		reply := m.r.Receive(m.tick, uint64(i+1), seats[i].Agent, seats[i].Sent)
		m.r.Prepared(nil)
		m.r.Collect()
		if m.careful {
			after = m.r.Components()
		}
		events := m.r.TakeEvents()
		if reply.Err == nil {
			m.stored(seats[i].Sent.Payload)
			fmt.Fprintln(m.seen, reply.Type, len(events))
		} else {
			fmt.Fprintf(m.seen, "%d %s %d\n", reply.Err.Code, reply.Err.Message, len(events))
			if !worldtest.CarriedOut(reply.Err) && (after != before || slices.ContainsFunc(events, happened)) {
				t.Fatalf("%v %+v was refused (%s) and changed the state or caused %d events", seats[i].Sent.Envelope.Type,
					seats[i].Sent.Payload, reply.Err.Message, len(events))
			}
		}
		before = after
		m.learn(events)
		if served != nil {
			served(seats[i].Sent.Envelope.Type, &reply)
		}
	}
	m.r.End()
	m.learn(m.r.TakeEvents())
}

// happened says that an event tells of more than that a request was refused, which Mint and Portal tell everybody.
func happened(e *wire.Event) bool {
	switch e.Kind {
	case wire.KindTransferFailed, wire.KindWebRequestBlocked, wire.KindQuotaExhausted:
		return false
	default:
		return true
	}
}

// served sees each reply, for those who count them.
var served func(t wire.MsgType, reply *wire.Reply)

// Many of the fuzzer's requests are accepted, and those are of most actions.
func TestFuzzApply_ManyRequestsAreAccepted(t *testing.T) {
	accepted, all, kinds := 0, 0, map[wire.MsgType]int{}
	served = func(typ wire.MsgType, reply *wire.Reply) {
		if all++; reply.Err == nil {
			accepted++
			kinds[typ]++
		}
	}
	defer func() { served = nil }()
	for seed := range uint64(40) {
		p := origins()[seed%uint64(len(origins()))]
		m := p.monkey(t, nil)
		left := 60
		m.dice = det.NewStream([32]byte{100 + byte(seed)}, "world.monkey", [32]byte{}, 0)
		m.cycles(t, m.r.Nexus().Clock().Cycle+1, 3, func() bool { left--; return left > 0 })
	}
	t.Logf("%d of %d requests carried out, of %d actions", accepted, all, len(kinds))
	if 4*accepted < all || len(kinds) < 25 {
		t.Errorf("%d of %d requests were carried out, of %d actions: %v", accepted, all, len(kinds), slices.Sorted(maps.Keys(kinds)))
	}
}

// BenchmarkFuzzApply is one input of the fuzzer.
func BenchmarkFuzzApply(b *testing.B) {
	text := make([]byte, inputBytes)
	dice := det.NewStream([32]byte{9}, "world.monkey", [32]byte{}, 0)
	for i := range text {
		text[i] = byte(dice.IntN(256))
	}
	origins()
	for b.Loop() {
		live(b, text, true)
		live(b, text, false)
	}
}

package realm_test

import (
	"testing"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// script are dice whose falls are the bytes of a fuzzer's input: what it changes in them changes one decision.
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

// FuzzApply has a world serve well-formed requests of every action, about things that exist and some that do not, made of
// the fuzzer's bytes: no daemon may panic, what is refused may change no daemon's state, and at each end of a cycle the
// balances must add up to the supply. Cycles end every few requests, so that timers, tallies and deadlines come into play.
func FuzzApply(f *testing.F) {
	for seed := range uint64(8) {
		dice, text := det.NewStream([32]byte{byte(seed)}, "world.monkey", [32]byte{}, 0), make([]byte, 6_000)
		for i := range text {
			text[i] = byte(dice.IntN(256))
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bytes := &script{text[:min(len(text), 6_000)]} // so that no input takes long
		r, boot := start(1+bytes.IntN(8), uint8(bytes.IntN(3)))
		m := monkeyOf(bytes, r)
		m.learn(r.TakeEvents())
		m.cycles(t, boot.End.Cycle+1, 24, func() bool { return len(bytes.left) > 0 })
	})
}

// cycles lives on for as long as more says so, at most so many cycles.
func (m *monkey) cycles(t testing.TB, first wire.Cycle, limit int, more func() bool) {
	for c := first; c < first+wire.Cycle(limit) && more(); c++ {
		m.r.StartCycle(c)
		m.tick = m.r.Rules().Calendar.First(c)
		for range 1 + m.IntN(6) {
			m.ticks(t)
			m.tick += wire.Tick(1 + m.IntN(40))
		}
		end := m.r.EndCycle([]realm.Wake{{Agent: m.agent(), Cause: wire.WakeGoal}})
		conserved(t, m.r, &end)
		m.learn(m.r.TakeEvents())
	}
}

// ticks lets some agents act in one tick, one after the other.
func (m *monkey) ticks(t testing.TB) {
	m.r.OpenTick(m.tick)
	live := append([]wire.AgentID(nil), m.r.Active()...)
	m.r.Order(m.tick, live)
	awake := make([]realm.Seat, len(live))
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		awake[i].Agent = a
		seats[i] = realm.Seat{Agent: a, Sent: m.request(a)}
	}
	m.prepare(seats)
	m.r.Commit(m.tick, awake) // the ticks are counted here, so that what is compared below are requests alone
	for i := range seats {
		before := m.r.Components()
		m.r.Prepared(seats[i].Prepared)
		reply := m.r.Receive(m.tick, uint64(i+1), seats[i].Agent, seats[i].Sent)
		m.r.Prepared(nil)
		if reply.Err != nil && !worldtest.CarriedOut(reply.Err) && m.r.Components() != before {
			t.Fatalf("%v %+v was refused (%s) and changed the state", seats[i].Sent.Envelope.Type, seats[i].Sent.Payload, reply.Err.Message)
		}
	}
	m.r.End()
	m.learn(m.r.TakeEvents())
}

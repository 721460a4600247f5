package engine

import (
	"crypto/sha256"
	"encoding/binary"

	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world/realm"
)

// scope is what must be committed together: whoever is in it sees it as it was
// before the tick, and waits for all who have a slot in it. There is one scope so
// far, the commons.
type scope struct {
	name  string
	ids   []wire.AgentID
	live  []*seat      // with a slot at this tick, in commit order
	slots []realm.Seat // what they send
	mark  []byte       // of the tick record
}

const commons = "commons"

// arrange puts those with a slot at t in commit order.
func (e *Engine) arrange(sc *scope, t wire.Tick) {
	sc.live = e.clock.live(t, sc.live[:0])
	sc.ids = sc.ids[:0]
	for _, s := range sc.live {
		sc.ids = append(sc.ids, s.id)
	}
	e.realm.Order(t, sc.ids)
	for i, id := range sc.ids {
		sc.live[i] = e.index[id]
	}
}

// collect lays out what the seats of a scope send, in commit order.
func (sc *scope) collect() {
	sc.slots = sc.slots[:0]
	for _, s := range sc.live {
		slot := realm.Seat{Agent: s.id}
		if s.step.Kind == ooda.StepSend {
			slot.Sent = realm.Sent{Envelope: s.step.Envelope, Payload: s.step.Payload}
		}
		sc.slots = append(sc.slots, slot)
	}
}

// commit applies what the seats of a scope send.
func (e *Engine) commit(sc *scope, t wire.Tick) {
	for i, r := range e.realm.Commit(t, sc.slots) {
		sc.live[i].reply = r
	}
	for _, s := range sc.live {
		e.agentTicks++
		if n := s.step.NOP; n != nil && !n.Reason.Idle() {
			e.nops++
		}
	}
}

// fingerprint makes the tick record of a scope's commit.
func (e *Engine) fingerprint(sc *scope, t wire.Tick) tickRecord {
	h := sha256.New()
	h.Write(e.thoughts[:])
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(t)))
	sc.mark = sc.mark[:0]
	for _, s := range sc.live {
		h.Write(s.mark[:])
		var msg [4]byte
		if s.step.Kind == ooda.StepSend {
			copy(msg[:], s.step.Envelope.MsgID[:])
		}
		sc.mark = append(append(sc.mark, msg[:]...), s.mark[:4]...)
	}
	h.Sum(e.thoughts[:0])
	return tickRecord{Tick: t, Thoughts: e.thoughts, Chain: e.realm.Chain(), Seats: sc.mark}
}

// heard looks through the committed messages for mentions of sleepers.
func (e *Engine) heard(sc *scope) {
	if e.sleepers == 0 {
		return
	}
	for i := range sc.slots {
		if post, ok := sc.slots[i].Sent.Payload.(*wire.MsgPost); ok && sc.live[i].reply.Type == wire.TypeAck {
			e.mentions(sc.live[i].id, post)
		}
	}
}

package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world/realm"
)

// tickSeats are the seats with a slot at a tick, whose requests are committed together: all see the world as it was
// before the tick, and the commit waits for all of them.
type tickSeats struct {
	ids          []wire.AgentID
	live         []*seat      // with a slot at this tick, in commit order
	slots        []realm.Seat // what they send
	fingerprints []byte       // for the tick record
}

// setOrder fills live with the seats that have a slot at t, in commit order.
func (sc *tickSeats) setOrder(c *clock, order func(wire.Tick, []wire.AgentID), agents *agentPool, t wire.Tick) {
	sc.live = c.live(t, sc.live[:0])
	sc.ids = sc.ids[:0]
	for _, s := range sc.live {
		sc.ids = append(sc.ids, s.id)
	}
	order(t, sc.ids)
	for i, id := range sc.ids {
		sc.live[i] = agents.peek(id)
	}
}

// collect fills slots with what the seats send, in commit order.
func (sc *tickSeats) collect() {
	sc.slots = sc.slots[:0]
	for _, s := range sc.live {
		slot := realm.Seat{Agent: s.id}
		if s.step.Kind == ooda.StepSend {
			slot.Sent = realm.Sent{Envelope: s.step.Envelope, Payload: s.step.Payload}
		}
		sc.slots = append(sc.slots, slot)
	}
}

// slowCommit is the number of slots from which a commit runs in a goroutine of its own, so that a stop need not wait
// for it. One slot takes about 10 µs.
const slowCommit = 1 << 12

// commit applies what the seats with a slot at this tick send.
func (e *Engine) commit(ctx context.Context, sc *tickSeats, t wire.Tick) error {
	if len(sc.slots) < slowCommit {
		ctx = context.Background()
	}
	var replies []wire.Reply
	if err := interruptible(ctx, func() { replies = e.realm.Commit(t, sc.slots) }); err != nil {
		return err
	}
	for i, r := range replies {
		sc.live[i].reply = r
	}
	for _, s := range sc.live {
		e.count.agentTicks++
		switch n := s.step.NOP; {
		case n == nil || n.Reason == ooda.NOPRest:
		case n.Reason.Idle():
			e.unanswered.Add(s.lastOutcome())
		default:
			e.count.nops++
		}
	}
	return nil
}

// lastOutcome is how the last request for a thought in an idle slot ended.
func (s *seat) lastOutcome() llm.Outcome {
	if len(s.thinks) == 0 {
		return llm.Interrupted
	}
	return s.thinks[len(s.thinks)-1].Outcome
}

// unusable returns which of the thoughts of the tick could not be used: a seat asks again after such an answer, until it may
// ask no more.
func (sc *tickSeats) unusable() (out []unusableThoughts) {
	for _, s := range sc.live {
		n := 0
		for i := range s.thinks {
			last := i == len(s.thinks)-1
			if s.thinks[i].Outcome == llm.Answered && (!last || s.step.NOP != nil && s.step.NOP.Reason == ooda.NOPParseFailed) {
				n++
			}
		}
		if n > 0 {
			out = append(out, unusableThoughts{s.id, uint32(n)})
		}
	}
	return out
}

// fingerprint returns the tick record of a commit. thoughts is the running hash of all thoughts before it, chain the
// envelope chain after it.
func (sc *tickSeats) fingerprint(t wire.Tick, thoughts, chain wire.Hash) *tickRecord {
	h := sha256.New()
	h.Write(thoughts[:])
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(t)))
	sc.fingerprints = sc.fingerprints[:0]
	for _, s := range sc.live {
		h.Write(s.thoughtsHash[:])
		var msg [4]byte
		if s.step.Kind == ooda.StepSend {
			copy(msg[:], s.step.Envelope.MsgID[:])
		}
		sc.fingerprints = append(append(sc.fingerprints, msg[:]...), s.thoughtsHash[:4]...)
	}
	h.Sum(thoughts[:0])
	return &tickRecord{Tick: t, Thoughts: thoughts, Chain: chain, Seats: sc.fingerprints}
}

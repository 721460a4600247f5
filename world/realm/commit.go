package realm

import (
	"crypto/sha256"

	"kingdom/wire"
)

// Commit applies the requests of tick t. seats are in commit order, one for every
// agent with a live slot; reply i answers seats[i].Sent and is zero if that is empty.
func (r *Realm) Commit(t wire.Tick, seats []Seat) []wire.Reply {
	replies := make([]wire.Reply, len(seats))
	r.nexus.Consumed(uint64(len(seats)))
	for i := range seats {
		s := &seats[i]
		r.ctx.Seat(t, uint64(i+1))
		r.ctx.Epoch = r.nexus.Epoch()
		r.nexus.Awake(s.Agent, r.ctx.Cycle)
		for j := range s.Runtime {
			r.receive(s.Agent, &s.Runtime[j])
		}
		if s.Sent.Payload != nil {
			replies[i] = r.receive(s.Agent, &s.Sent)
		}
	}
	r.collect()
	if t != r.rules.Calendar.Last(r.cycle) {
		r.bus.route() // else the cycle end's events share this tick's limits and go out with them
	}
	return replies
}

// receive takes one request through the pipeline and to its daemon.
func (r *Realm) receive(seat wire.AgentID, s *Sent) wire.Reply {
	e := &s.Envelope
	r.ctx.Source, r.ctx.Msg = seat, e.MsgID
	r.fold(e.MsgID)
	if old, ok := r.receiver.repeated(seat, e); ok {
		return old
	}
	reply := r.admit(seat, s)
	r.receiver.remember(seat, e, reply)
	return reply
}

// admit carries out a request that is no repeat, or refuses it.
func (r *Realm) admit(seat wire.AgentID, s *Sent) wire.Reply {
	daemon, code := r.check(seat, s)
	if code != 0 {
		cat, reason, _ := wire.ProtocolReason(code)
		return r.ctx.RefuseCode(code, cat, reason)
	}
	if daemon == nil {
		return r.ctx.Answer(wire.TypePong, &wire.Pong{})
	}
	next := r.ctx.Next()
	reply := daemon.Apply(&r.ctx, s.Payload)
	r.bus.observe(seat, s.Payload, reply, next)
	return reply
}

func (r *Realm) fold(id wire.Hash) {
	var b [64]byte
	copy(b[:], r.chain[:])
	copy(b[32:], id[:])
	r.chain = sha256.Sum256(b[:])
}

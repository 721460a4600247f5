package realm

import (
	"crypto/sha256"
	"reflect"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
	"kingdom/world/nexus"
)

// daemonsBySystem are the daemons of a world by system; nil where there is none.
type daemonsBySystem [wire.SystemPortal + 1]world.Daemon

func (s *daemonsBySystem) get(system wire.System) world.Daemon {
	if int(system) < len(s) {
		return s[system]
	}
	return nil
}

// receiver is the receive pipeline: it checks a request, hands it to its daemon and keeps
// the reply for repeats. Bytes, hashes and signatures are checked where an envelope enters the
// process, before it gets here.
type receiver struct {
	rules    *world.Rules
	roster   *nexus.Daemon
	bySystem *daemonsBySystem
	bus      *bus
	forms    map[wire.MsgType]form
	recent   map[wire.AgentID]*recentRequests
	chain    wire.Hash // envelope chain of the open cycle
}

// recentRequests is what an agent sent at its last timestamp. Timestamps must not go back
// (docs/WIRE.md, receiving), so a repeat that is not refused as stale can
// only be one of these.
type recentRequests struct {
	at   wire.Tick
	sent []answered
}

type answered struct {
	id    wire.Hash
	reply wire.Reply
}

func newReceiver(r *Realm) receiver {
	return receiver{
		rules: r.rules, roster: r.nexus, bySystem: &r.bySystem, bus: r.bus,
		forms: requestForms(), recent: map[wire.AgentID]*recentRequests{},
	}
}

// receive takes one request through the pipeline and to its daemon.
func (r *receiver) receive(c *world.Context, seat wire.AgentID, s *Sent) wire.Reply {
	e := &s.Envelope
	c.Source, c.Msg = seat, e.MsgID
	r.foldID(e.MsgID)
	if old, ok := r.repeated(seat, e); ok {
		return old
	}
	reply := r.admit(c, seat, s)
	r.remember(seat, e, reply)
	return reply
}

// admit carries out a request that is no repeat, or refuses it.
func (r *receiver) admit(c *world.Context, seat wire.AgentID, s *Sent) wire.Reply {
	daemon, code := r.check(c, seat, s)
	if code != 0 {
		cat, reason, _ := wire.ProtocolReason(code)
		return c.RefuseCode(code, cat, reason)
	}
	if daemon == nil {
		return c.Answer(wire.TypePong, &wire.Pong{})
	}
	next := c.Next()
	reply := daemon.Apply(c, s.Payload)
	r.bus.trackSubscription(seat, s.Payload, reply, next)
	return reply
}

func (r *receiver) foldID(id wire.Hash) {
	var b [64]byte
	copy(b[:], r.chain[:])
	copy(b[32:], id[:])
	r.chain = sha256.Sum256(b[:])
}

// check decides whether a request may be applied: the daemon that serves it (nil for
// PING, which every endpoint answers), or the code it is refused with. The order is
// that of docs/WIRE.md, receiving.
func (r *receiver) check(c *world.Context, seat wire.AgentID, s *Sent) (world.Daemon, uint32) {
	e := &s.Envelope
	if e.Source != seat {
		return nil, wire.CodeOwnerMismatch
	}
	if e.Timestamp != c.Tick {
		return nil, wire.CodeReplayOrStale
	}
	row, ok := action.ByType(e.Type)
	form := r.forms[e.Type]
	if !ok || form.payload == nil {
		return nil, wire.CodeUnknownType
	}
	if row.SystemOnly {
		return nil, wire.CodeSystemOnly
	}
	daemon := r.servedBy(row)
	if daemon == nil && e.Type != wire.TypePing {
		return nil, wire.CodeUnknownType
	}
	v := reflect.ValueOf(s.Payload)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != form.payload {
		return nil, wire.CodeBadBody
	}
	switch agent := r.roster.Agent(seat); {
	case agent == nil || agent.Status != wire.StatusActive:
		return nil, wire.CodeNotActive
	case !form.filledBy(v.Elem(), seat, agent.Reputation):
		return nil, wire.CodeOwnerMismatch
	case !r.epochAllows(row, s.Payload):
		return nil, wire.CodeEpochLocked
	case c.EventsLeft() < world.EventsPerEnvelope:
		return nil, wire.CodeTooLarge
	}
	return daemon, 0
}

// servedBy returns the daemon that serves a row, nil if there is none; the bus speaks with the
// identity of Nexus.
func (r *receiver) servedBy(row *action.Row) world.Daemon {
	switch {
	case row.Type == wire.TypePing:
		return nil
	case row.System == 0:
		return r.roster
	}
	return r.bySystem.get(row.System)
}

// epochAllows says whether the epoch serves this request. Votes on proposals of daemons
// skip the gates.
func (r *receiver) epochAllows(row *action.Row, payload any) bool {
	if q, ok := payload.(*wire.ProposalVote); ok {
		if p := r.roster.Proposal(q.ProposalID); p != nil && wire.IsSystem(p.Author) {
			return true
		}
	}
	return r.roster.Epoch() >= row.MinEpoch(action.Profile(r.rules.Gates), payload)
}

// repeated returns the stored reply to an envelope that was received before.
func (r *receiver) repeated(seat wire.AgentID, e *wire.Envelope) (wire.Reply, bool) {
	m := r.recent[seat]
	if m == nil || m.at != e.Timestamp {
		return wire.Reply{}, false
	}
	for i := range m.sent {
		if m.sent[i].id == e.MsgID {
			return m.sent[i].reply, true
		}
	}
	return wire.Reply{}, false
}

func (r *receiver) remember(seat wire.AgentID, e *wire.Envelope, reply wire.Reply) {
	m := r.recent[seat]
	if m == nil {
		m = &recentRequests{}
		r.recent[seat] = m
	}
	if m.at != e.Timestamp {
		clear(m.sent)
		m.at, m.sent = e.Timestamp, m.sent[:0]
	}
	m.sent = append(m.sent, answered{e.MsgID, reply})
}

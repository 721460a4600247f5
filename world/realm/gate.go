package realm

import (
	"reflect"
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// gate is the receive pipeline's memory: what to check of each payload type, and
// the last tick's replies of each agent. Bytes, hashes and signatures are checked
// where an envelope enters the process, before it gets here.
type gate struct {
	forms  map[wire.MsgType]form
	recent map[wire.AgentID]*recent
}

// form is what the payload of one type must look like.
type form struct {
	payload reflect.Type // the struct
	truths  []truth
}

// recent is what an agent sent at its last timestamp. Timestamps must not go back
// (docs/WIRE.md, replay protection), so a repeat that is not refused as stale can
// only be one of these.
type recent struct {
	at   wire.Tick
	sent []answered
}

type answered struct {
	id    wire.Hash
	reply wire.Reply
}

// truth is one runtime-filled field of a payload and what must be in it.
type truth struct {
	field int
	kind  truthKind
}

type truthKind uint8

const (
	truthSelf   truthKind = iota + 1 // the sender's id
	truthWeight                      // the sender's reputation
	truthNil                         // nothing: inner signatures are made by the runtime, beside the body
)

func newGate() gate {
	g := gate{forms: map[wire.MsgType]form{}, recent: map[wire.AgentID]*recent{}}
	for _, row := range action.All() {
		if p := row.New(); p != nil {
			t := reflect.TypeOf(p).Elem()
			g.forms[row.Type] = form{payload: t, truths: truthsOf(t)}
		}
	}
	return g
}

// truthsOf finds the runtime-filled fields of a payload. AGENT_STATUS has reports
// in such fields, which Nexus judges.
func truthsOf(t reflect.Type) []truth {
	if t == reflect.TypeFor[wire.AgentStatusMsg]() {
		return nil
	}
	var out []truth
	for i := range t.NumField() {
		f := t.Field(i)
		if _, opts, _ := strings.Cut(f.Tag.Get("kdom"), ","); !strings.Contains(opts, "runtime") {
			continue
		}
		switch {
		case f.Type == reflect.TypeFor[wire.AgentID]():
			out = append(out, truth{i, truthSelf})
		case f.Type.Kind() == reflect.Float32:
			out = append(out, truth{i, truthWeight})
		case f.Type.Kind() == reflect.Pointer:
			out = append(out, truth{i, truthNil})
		default:
			panic("realm: no rule for the runtime field " + t.Name() + "." + f.Name)
		}
	}
	return out
}

// check decides whether a request may be applied: the daemon that serves it (nil for
// PING, which every endpoint answers), or the code it is refused with. The order is
// that of docs/WIRE.md, receive pipeline.
func (r *Realm) check(seat wire.AgentID, s *Sent) (world.Daemon, uint32) {
	e := &s.Envelope
	if e.Source != seat {
		return nil, wire.CodeOwnerMismatch
	}
	if e.Timestamp != r.ctx.Tick {
		return nil, wire.CodeReplayOrStale
	}
	row, ok := action.ByType(e.Type)
	form := r.gate.forms[e.Type]
	if !ok || form.payload == nil {
		return nil, wire.CodeUnknownType
	}
	if row.SystemOnly {
		return nil, wire.CodeSystemOnly
	}
	daemon := r.daemonOf(row)
	if daemon == nil && e.Type != wire.TypePing {
		return nil, wire.CodeUnknownType
	}
	v := reflect.ValueOf(s.Payload)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem() != form.payload {
		return nil, wire.CodeBadBody
	}
	switch agent := r.nexus.Agent(seat); {
	case agent == nil || agent.Status != wire.StatusActive:
		return nil, wire.CodeNotActive
	case !form.true(v.Elem(), seat, agent.Reputation):
		return nil, wire.CodeOwnerMismatch
	case !r.open(row, s.Payload):
		return nil, wire.CodeEpochLocked
	case r.ctx.Room() < world.EventsPerEnvelope:
		return nil, wire.CodeTooLarge
	}
	return daemon, 0
}

// daemonOf returns the daemon that serves a row; the bus speaks with the identity of
// Nexus.
func (r *Realm) daemonOf(row *action.Row) world.Daemon {
	switch {
	case row.Type == wire.TypePing:
		return nil
	case row.System == 0:
		return r.nexus
	}
	return r.serves(row.System)
}

// open says whether the epoch serves this request. Votes on proposals of daemons
// skip the gates.
func (r *Realm) open(row *action.Row, payload any) bool {
	if q, ok := payload.(*wire.ProposalVote); ok {
		if p := r.nexus.Proposal(q.ProposalID); p != nil && wire.IsSystem(p.Author) {
			return true
		}
	}
	return r.nexus.Epoch() >= row.MinEpoch(action.Profile(r.rules.Gates), payload)
}

// true says whether all runtime-filled fields hold what they must.
func (o *form) true(v reflect.Value, seat wire.AgentID, reputation float32) bool {
	for _, f := range o.truths {
		x := v.Field(f.field)
		switch f.kind {
		case truthSelf:
			if *x.Addr().Interface().(*wire.AgentID) != seat {
				return false
			}
		case truthWeight:
			if float32(x.Float()) != reputation {
				return false
			}
		case truthNil:
			if !x.IsNil() {
				return false
			}
		}
	}
	return true
}

// repeated returns the stored reply to an envelope that was received before.
func (g *gate) repeated(seat wire.AgentID, e *wire.Envelope) (wire.Reply, bool) {
	m := g.recent[seat]
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

func (g *gate) remember(seat wire.AgentID, e *wire.Envelope, reply wire.Reply) {
	m := g.recent[seat]
	if m == nil {
		m = &recent{}
		g.recent[seat] = m
	}
	if m.at != e.Timestamp {
		clear(m.sent)
		m.at, m.sent = e.Timestamp, m.sent[:0]
	}
	m.sent = append(m.sent, answered{e.MsgID, reply})
}

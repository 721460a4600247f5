package realm

import (
	"reflect"
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// receiver is the receive pipeline's memory: what to check of each payload type, and
// the last tick's replies of each agent. Bytes, hashes and signatures are checked
// where an envelope enters the process, before it gets here.
type receiver struct {
	forms  map[wire.MsgType]form
	recent map[wire.AgentID]*recent
}

// form is what the payload of one type must look like.
type form struct {
	payload reflect.Type // the struct
	runtime []runtimeField
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

// runtimeField is a field of a payload that the agent's runtime fills, and what must be in it.
type runtimeField struct {
	index int
	holds content
}

// content is what a runtime-filled field must hold.
type content uint8

const (
	holdsSender     content = iota + 1 // the sender's id
	holdsReputation                    // the sender's reputation
	holdsNothing                       // nil: inner signatures are made by the runtime, beside the body
)

func newReceiver() receiver {
	g := receiver{forms: map[wire.MsgType]form{}, recent: map[wire.AgentID]*recent{}}
	for _, row := range action.All() {
		if p := row.New(); p != nil {
			t := reflect.TypeOf(p).Elem()
			g.forms[row.Type] = form{payload: t, runtime: runtimeFields(t)}
		}
	}
	return g
}

// runtimeFields finds the runtime-filled fields of a payload. AGENT_STATUS has reports
// in such fields, which Nexus judges.
func runtimeFields(t reflect.Type) []runtimeField {
	if t == reflect.TypeFor[wire.AgentStatusMsg]() {
		return nil
	}
	var out []runtimeField
	for i := range t.NumField() {
		f := t.Field(i)
		if _, opts, _ := strings.Cut(f.Tag.Get("kdom"), ","); !strings.Contains(opts, "runtime") {
			continue
		}
		switch {
		case f.Type == reflect.TypeFor[wire.AgentID]():
			out = append(out, runtimeField{i, holdsSender})
		case f.Type.Kind() == reflect.Float32:
			out = append(out, runtimeField{i, holdsReputation})
		case f.Type.Kind() == reflect.Pointer:
			out = append(out, runtimeField{i, holdsNothing})
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
	form := r.receiver.forms[e.Type]
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
	switch agent := r.nexus.Agent(seat); {
	case agent == nil || agent.Status != wire.StatusActive:
		return nil, wire.CodeNotActive
	case !form.filledBy(v.Elem(), seat, agent.Reputation):
		return nil, wire.CodeOwnerMismatch
	case !r.open(row, s.Payload):
		return nil, wire.CodeEpochLocked
	case r.ctx.Room() < world.EventsPerEnvelope:
		return nil, wire.CodeTooLarge
	}
	return daemon, 0
}

// servedBy returns the daemon that serves a row, nil if there is none; the bus speaks with the
// identity of Nexus.
func (r *Realm) servedBy(row *action.Row) world.Daemon {
	switch {
	case row.Type == wire.TypePing:
		return nil
	case row.System == 0:
		return r.nexus
	}
	return r.daemonOf(row.System)
}

// daemonOf returns the daemon of a system, nil if this world has none.
func (r *Realm) daemonOf(s wire.System) world.Daemon {
	if int(s) < len(r.serving) {
		return r.serving[s]
	}
	return nil
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

// filledBy says whether all runtime-filled fields hold what the sender's runtime puts there.
func (o *form) filledBy(v reflect.Value, seat wire.AgentID, reputation float32) bool {
	for _, f := range o.runtime {
		x := v.Field(f.index)
		switch f.holds {
		case holdsSender:
			if *x.Addr().Interface().(*wire.AgentID) != seat {
				return false
			}
		case holdsReputation:
			if float32(x.Float()) != reputation {
				return false
			}
		case holdsNothing:
			if !x.IsNil() {
				return false
			}
		}
	}
	return true
}

// repeated returns the stored reply to an envelope that was received before.
func (g *receiver) repeated(seat wire.AgentID, e *wire.Envelope) (wire.Reply, bool) {
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

func (g *receiver) remember(seat wire.AgentID, e *wire.Envelope, reply wire.Reply) {
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

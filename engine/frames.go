package engine

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"

	"kingdom/wire"
	"kingdom/world/realm"
)

// FrameSink takes the messages of a run that is executed again, as signed envelopes, in the order of docs/WIRE.md,
// exported runs.
type FrameSink interface {
	// Frame takes the next envelope. It is the sink's to keep; its body is not to be changed.
	Frame(e *wire.Envelope) error
	// Cycle takes the fingerprint of a cycle after the last envelope of it.
	Cycle(row *CycleRow) error
}

// exporter signs the messages of a run and passes them to a sink. A nil exporter does nothing.
type exporter struct {
	sink   FrameSink
	chain  wire.Hash // envelope chain of what was exported of the open cycle
	events int       // how many of the open cycle's events were exported
}

// tick exports the cycle's events since the last call, then every request of the seats'
// commit with its reply. It runs between the commit and the absorbing of its events, so that
// a tick's own events follow its requests.
func (x *exporter) tick(sc *tickSeats, events []*wire.Event) error {
	if x == nil {
		return nil
	}
	if err := x.exportEvents(events); err != nil {
		return err
	}
	for i, s := range sc.live {
		slot := &sc.slots[i]
		if slot.Sent.Payload == nil {
			continue
		}
		request := slot.Sent.Envelope
		if err := x.send(request, s.a.Key); err != nil {
			return err
		}
		var b [64]byte
		copy(b[:], x.chain[:])
		copy(b[32:], request.MsgID[:])
		x.chain = sha256.Sum256(b[:])
		if err := x.reply(&request, &s.reply); err != nil {
			return err
		}
	}
	return nil
}

// cycle exports the rest of a cycle's events and the WORLD_STATE that ends it.
func (x *exporter) cycle(end *realm.CycleEnd, row *CycleRow, events []*wire.Event) error {
	if x == nil {
		return nil
	}
	if err := x.exportEvents(events); err != nil {
		return err
	}
	if x.chain != row.Envelopes {
		return fmt.Errorf("export cycle %d: the requests that were exported are not those that were committed; this is a bug of kingdom: please report it with the run directory", row.Cycle)
	}
	body := wire.AppendBody(nil, end.WorldState(), 0)
	err := x.send(wire.NewEnvelope(wire.TypeWorldState, wire.SystemID(wire.SystemNexus), wire.Broadcast, end.Tick, body), wire.SystemKey(wire.SystemNexus))
	if err != nil {
		return err
	}
	x.chain, x.events = wire.Hash{}, 0
	return x.sink.Cycle(row)
}

// exportEvents exports the events of the cycle that were not exported yet. The envelope is from Nexus, which sends for
// all daemons; the record inside is signed by the daemon that emitted it.
func (x *exporter) exportEvents(events []*wire.Event) error {
	for _, ev := range events[x.events:] {
		r := wire.RecordOf(ev)
		r.Sign()
		body := wire.AppendBody(nil, &r, 0)
		if len(body) > wire.MaxBody {
			return fmt.Errorf("export %s of tick %d: its %d bytes do not fit into an envelope of at most %d; populations above some 30,000 agents cannot be exported",
				ev.Kind, ev.Timestamp, len(body), wire.MaxBody)
		}
		env := wire.NewEnvelope(wire.TypeEvent, wire.SystemID(wire.SystemNexus), wire.Broadcast, ev.Timestamp, body)
		if err := x.send(env, wire.SystemKey(wire.SystemNexus)); err != nil {
			return err
		}
	}
	x.events = len(events)
	return nil
}

// reply exports the answer of the daemon that a request was addressed to.
func (x *exporter) reply(request *wire.Envelope, r *wire.Reply) error {
	daemon, ok := wire.SystemOf(request.Target)
	if !ok {
		return fmt.Errorf("export reply to %s: it was sent to %s, which is not a daemon", request.MsgID, request.Target)
	}
	payload := r.Body
	if r.Err != nil {
		payload = r.Err
	}
	body := wire.AppendReply(nil, request.MsgID, payload)
	return x.send(wire.NewEnvelope(r.Type, request.Target, request.Source, request.Timestamp, body), wire.SystemKey(daemon))
}

// send signs an envelope and passes it to the sink.
func (x *exporter) send(env wire.Envelope, key ed25519.PrivateKey) error {
	env.Sign(key)
	return x.sink.Frame(&env)
}

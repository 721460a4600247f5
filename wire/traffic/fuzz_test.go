package traffic

import (
	"encoding/binary"
	"testing"

	"kingdom/wire"
)

// FuzzReader gives the reader frames whose hashes and signatures are right, so that what is
// fuzzed is their content and order: it must refuse or count them, and never break.
func FuzzReader(f *testing.F) {
	event := func(kind wire.EventKind, low uint64, payload any) []byte {
		r := wire.RecordOf(&wire.Event{ID: wire.EventID{Lamport: 70<<32 | low, Agent: nexus}, Timestamp: 70, System: wire.SystemNexus, Kind: kind, Payload: payload})
		r.Sign()
		return wire.AppendBody(nil, &r, 0)
	}
	line := func(who byte, t wire.MsgType, body []byte) []byte {
		b := binary.BigEndian.AppendUint16([]byte{who}, uint16(t))
		return append(binary.BigEndian.AppendUint16(b, uint16(len(body))), body...)
	}
	f.Add(line(0, wire.TypePing, []byte{0x80}))
	f.Add(append(line(1, wire.TypePing, []byte{0x80}), line(0x80, wire.TypePong, []byte("\x81\xaaref_msg_id\xc4\x00"))...))
	f.Add(line(0x40, wire.TypeEvent, event(wire.KindTick, 1, &wire.TickEvent{Tick: 70})))
	f.Add(line(0x40, wire.TypeEvent, event(wire.KindAgentsSpawned, 1, &wire.AgentsSpawnedEvent{AgentIDs: []wire.AgentID{{1}}})))
	f.Add(line(0x40, wire.TypeEvent, event(wire.KindGenesis, 1, &wire.GenesisEvent{})))
	f.Add(line(0x40, wire.TypeWorldState, wire.AppendBody(nil, &wire.WorldState{}, 0)))
	f.Fuzz(func(t *testing.T, script []byte) {
		var p tape
		p.genesis()
		for len(script) >= 5 {
			who, kind := script[0], wire.MsgType(binary.BigEndian.Uint16(script[1:]))
			n := min(int(binary.BigEndian.Uint16(script[3:])), len(script)-5)
			source, target := []wire.AgentID{alice, bob, nexus}[who&3%3], nexus
			switch {
			case who&0x40 != 0:
				source, target = nexus, wire.Broadcast
			case who&0x80 != 0:
				source, target = nexus, alice
			}
			p.send(wire.NewEnvelope(kind, source, target, 70, script[5:5+n]))
			script = script[5+n:]
		}
		cycles, counts, err := play(&p)
		if counts.Frames > uint64(len(p.frames)) || counts.Replies > counts.Requests || (err == nil && len(cycles) == 0) {
			t.Fatalf("%d frames give %+v, %v, %v", len(p.frames), counts, cycles, err)
		}
	})
}

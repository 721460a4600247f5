package traffic

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"kingdom/wire"
)

var (
	seed  = wire.WorldSeed("42")
	nexus = wire.SystemID(wire.SystemNexus)
	alice = wire.AgentIDAt(seed, 1)
	bob   = wire.AgentIDAt(seed, 2)
)

// tape records frames as an export does.
type tape struct{ frames [][]byte }

func (p *tape) send(e wire.Envelope) {
	if s, ok := wire.SystemOf(e.Source); ok {
		e.Sign(wire.SystemKey(s))
	} else {
		for i := range uint64(3) {
			if k := wire.AgentKey(seed, i+1); wire.AgentIDAt(seed, i+1) == e.Source {
				e.Sign(k)
			}
		}
	}
	p.frames = append(p.frames, e.AppendFrame(nil))
}

func (p *tape) event(lamport uint64, kind wire.EventKind, payload any, spoil func(r *wire.EventRecord)) {
	tick := wire.Tick(lamport >> 32)
	r := wire.RecordOf(&wire.Event{
		ID: wire.EventID{Lamport: lamport, Agent: nexus}, Timestamp: tick, Origin: nexus, System: wire.SystemNexus, Kind: kind, Payload: payload,
	})
	r.Sign()
	if spoil != nil {
		spoil(&r)
	}
	p.send(wire.NewEnvelope(wire.TypeEvent, nexus, wire.Broadcast, tick, wire.AppendBody(nil, &r, 0)))
}

func (p *tape) genesis() {
	p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: seed}, nil)
	p.event(60<<32, wire.KindAgentsSpawned, &wire.AgentsSpawnedEvent{AgentIDs: []wire.AgentID{alice, bob}}, nil)
}

func (p *tape) ask(who wire.AgentID, at wire.Tick) wire.Envelope { return p.askAgain(who, at, 0) }

func (p *tape) askAgain(who wire.AgentID, at wire.Tick, nonce uint64) wire.Envelope {
	e := wire.NewEnvelope(wire.TypePing, who, nexus, at, wire.AppendBody(nil, &wire.Ping{}, nonce))
	p.send(e)
	return e
}

func (p *tape) answer(e *wire.Envelope) {
	p.send(wire.NewEnvelope(wire.TypePong, e.Target, e.Source, e.Timestamp, wire.AppendReply(nil, e.MsgID, &wire.Pong{})))
}

func (p *tape) end(c wire.Cycle, at wire.Tick) {
	s := wire.WorldState{Cycle: c, WorldHash: sha256.Sum256(make([]byte, 7*32))}
	p.send(wire.NewEnvelope(wire.TypeWorldState, nexus, wire.Broadcast, at, wire.AppendBody(nil, &s, 0)))
}

func play(p *tape) (cycles []Cycle, n Counts, err error) {
	r := NewReader()
	for _, f := range p.frames {
		c, err := r.Add(f)
		if err != nil {
			return cycles, r.Counts(), err
		}
		if c != nil {
			cycles = append(cycles, *c)
		}
	}
	return cycles, r.Counts(), r.Done()
}

func TestReader_VerifiesARecording(t *testing.T) {
	var p tape
	p.genesis()
	p.end(0, 255)
	one := p.ask(bob, 256) // before alice in the commit order of tick 256
	p.answer(&one)
	two := p.ask(alice, 256)
	p.answer(&two)
	again := p.askAgain(alice, 256, 1)
	p.answer(&again)
	p.event(300<<32, wire.KindAgentSpawn, &wire.AgentSpawnEvent{AgentID: wire.AgentIDAt(seed, 3), Role: wire.RoleGeneralist}, nil)
	three := p.ask(wire.AgentIDAt(seed, 3), 301)
	p.answer(&three)
	p.end(1, 511)
	cycles, n, err := play(&p)
	if err != nil {
		t.Fatal(err)
	}
	if n != (Counts{Frames: 13, Requests: 4, Replies: 4, Events: 3}) {
		t.Errorf("%+v", n)
	}
	var chain wire.Hash
	for _, e := range []wire.Envelope{one, two, again, three} {
		chain = sha256.Sum256(append(chain[:], e.MsgID[:]...))
	}
	if len(cycles) != 2 || cycles[0].Requests != 0 || !cycles[0].Envelopes.IsZero() || cycles[1].Requests != 4 || cycles[1].Envelopes != chain {
		t.Errorf("%+v, want the chain %s", cycles, chain)
	}
}

func TestReader_Refusals(t *testing.T) {
	for name, c := range map[string]struct {
		record func(p *tape)
		want   string
	}{
		"nothing at all":   {func(*tape) {}, "is cut"},
		"cut in a cycle":   {func(p *tape) { p.genesis(); p.end(0, 255); e := p.ask(alice, 256); p.answer(&e) }, "is cut"},
		"cut after events": {func(p *tape) { p.genesis() }, "is cut"},
		"unknown agent":    {func(p *tape) { p.genesis(); p.ask(wire.AgentIDAt(seed, 3), 70) }, "knows its source"},
		"flipped bit":      {func(p *tape) { p.genesis(); p.frames[0][300] ^= 1 }, "bad body hash"},
		"no genesis":       {func(p *tape) { p.event(0, wire.KindTick, &wire.TickEvent{}, nil) }, "must be genesis"},
		"reply left out":   {func(p *tape) { p.genesis(); p.ask(alice, 70); p.ask(bob, 70) }, "receive message"},
		"request left out": {func(p *tape) { p.genesis(); var q tape; e := q.ask(alice, 70); p.answer(&e) }, "receive message"},
		"reply by another": {func(p *tape) {
			p.genesis()
			e := p.ask(alice, 70)
			e.Target = wire.SystemID(wire.SystemMint)
			p.answer(&e)
		}, "must come from"},
		"reply to another":   {func(p *tape) { p.genesis(); e := p.ask(alice, 70); e.Source = bob; p.answer(&e) }, "must come from"},
		"reply a tick late":  {func(p *tape) { p.genesis(); e := p.ask(alice, 70); e.Timestamp++; p.answer(&e) }, "must come from"},
		"reply to other msg": {func(p *tape) { p.genesis(); e := p.ask(alice, 70); e.MsgID[0]++; p.answer(&e) }, "it answers"},
		"out of commit order": {func(p *tape) {
			p.genesis()
			for _, who := range []wire.AgentID{alice, bob} {
				e := p.ask(who, 256)
				p.answer(&e)
			}
		}, "commit order"},
		"time goes back":     {func(p *tape) { p.genesis(); p.ask(alice, 59) }, "tick 60 is open"},
		"events in disorder": {func(p *tape) { p.genesis(); p.event(60<<32, wire.KindTick, &wire.TickEvent{}, nil) }, "does not come after"},
		"event of another tick": {func(p *tape) {
			p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: seed}, func(r *wire.EventRecord) { r.Timestamp = 1; r.Sign() })
		}, "is not of tick"},
		"event's id of another tick": {func(p *tape) {
			p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: seed}, func(r *wire.EventRecord) { r.ID.Lamport = 1 << 32; r.Sign() })
		}, "is not of tick"},
		"event signed badly": {func(p *tape) {
			p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: seed}, func(r *wire.EventRecord) { r.Signature[0]++ })
		}, "bad signature"},
		"event of another daemon": {func(p *tape) {
			p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: seed}, func(r *wire.EventRecord) { r.System = wire.SystemMint; r.Sign() })
		}, "bad signature"},
		"payload of another kind": {func(p *tape) { p.event(0, wire.KindGenesis, &wire.TickEvent{}, nil) }, "unknown field"},
		"agents of another seed": {func(p *tape) {
			p.event(0, wire.KindGenesis, &wire.GenesisEvent{WorldSeed: wire.WorldSeed("43")}, nil)
			p.event(1, wire.KindAgentsSpawned, &wire.AgentsSpawnedEvent{AgentIDs: []wire.AgentID{alice}}, nil)
		}, "agent 1 of this world seed"},
		"newcomer of another seed": {func(p *tape) {
			p.genesis()
			p.event(61<<32, wire.KindAgentSpawn, &wire.AgentSpawnEvent{AgentID: wire.AgentID{9}, Role: wire.RoleGeneralist}, nil)
		}, "agent 3 of this world seed"},
		"cycle left out": {func(p *tape) { p.genesis(); p.end(1, 511) }, "cycle 0 is open"},
		"other world hash": {func(p *tape) {
			p.genesis()
			p.send(wire.NewEnvelope(wire.TypeWorldState, nexus, wire.Broadcast, 255, wire.AppendBody(nil, &wire.WorldState{WorldHash: wire.Hash{1}}, 0)))
		}, "not that of its components"},
		"system to one agent": {func(p *tape) {
			p.genesis()
			p.send(wire.NewEnvelope(wire.TypeTickAlloc, nexus, alice, 70, wire.AppendBody(nil, &wire.TickAlloc{}, 0)))
		}, "neither a reply nor for everybody"},
		"event by another system": {func(p *tape) {
			r := wire.EventRecord{System: wire.SystemMint, Kind: wire.KindGenesis, ID: wire.EventID{Agent: wire.SystemID(wire.SystemMint)}}
			p.send(wire.NewEnvelope(wire.TypeEvent, wire.SystemID(wire.SystemMint), wire.Broadcast, 0, wire.AppendBody(nil, &r, 0)))
		}, "neither a reply nor for everybody"},
		"other broadcast": {func(p *tape) {
			p.send(wire.NewEnvelope(wire.TypePing, nexus, wire.Broadcast, 0, []byte{0x80}))
		}, "not for everybody"},
	} {
		var p tape
		c.record(&p)
		if _, _, err := play(&p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// What the receiver refuses keeps its protocol code.
func TestReader_KeepsReceiversErrorCode(t *testing.T) {
	var p tape
	p.genesis()
	p.frames[0][300] ^= 1
	var no *wire.ReceiveError
	if _, _, err := play(&p); !errors.As(err, &no) || no.Code != wire.CodeBadBodyHash {
		t.Errorf("%v", err)
	}
}

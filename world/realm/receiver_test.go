package realm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// TestReceive_ChecksSenderRightsInOrder goes through the sender's rights in the order of the pipeline.
func TestReceive_ChecksSenderRightsInOrder(t *testing.T) {
	const tick = 256
	for _, tc := range []struct {
		name  string
		gates uint8
		typ   wire.MsgType
		make  func(a, other wire.AgentID) any
		alter func(s *realm.Sent)
		code  uint32
	}{
		{"a right one", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} }, nil, 0},
		{"a ping", 0, wire.TypePing, func(_, _ wire.AgentID) any { return &wire.Ping{} }, nil, 0},
		{
			"in another's name", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} },
			func(s *realm.Sent) { s.Envelope.Source = wire.SystemID(wire.SystemNexus) }, wire.CodeOwnerMismatch,
		},
		{
			"of yesterday", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} },
			func(s *realm.Sent) { s.Envelope.Timestamp-- }, wire.CodeReplayOrStale,
		},
		{
			"of tomorrow", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} },
			func(s *realm.Sent) { s.Envelope.Timestamp++ }, wire.CodeReplayOrStale,
		},
		{"for systems only", 0, wire.TypeAgentSpawnReq, func(a, _ wire.AgentID) any { return &wire.AgentSpawnReq{Parent: a, Role: wire.RoleExplorer} }, nil, wire.CodeSystemOnly},
		{"an event", 0, wire.TypeEvent, func(_, _ wire.AgentID) any {
			return &wire.EventRecord{System: wire.SystemNexus, Kind: wire.KindTick}
		}, nil, wire.CodeSystemOnly},
		{"of a daemon that is not there", 0, wire.TypeTranslateRequest, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} }, nil, wire.CodeUnknownType},
		{
			"of no type", 0, wire.TypePing, func(_, _ wire.AgentID) any { return &wire.Ping{} },
			func(s *realm.Sent) { s.Envelope.Type = 0 }, wire.CodeUnknownType,
		},
		{"with another payload", 0, wire.TypeTransfer, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} }, nil, wire.CodeBadBody},
		{
			"with a payload by value", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} },
			func(s *realm.Sent) { s.Payload = wire.BalanceQuery{} }, wire.CodeBadBody,
		},
		{
			"with a payload of nil", 0, wire.TypeBalanceQuery, func(a, _ wire.AgentID) any { return &wire.BalanceQuery{AgentID: a} },
			func(s *realm.Sent) { s.Payload = (*wire.BalanceQuery)(nil) }, wire.CodeBadBody,
		},
		{"money of another", 2, wire.TypeTransfer, func(_, o wire.AgentID) any {
			return &wire.Transfer{From: o, To: o, Amount: 1, Kind: wire.TransferKindDirect}
		}, nil, wire.CodeOwnerMismatch},
		{"an inner signature", 2, wire.TypeTransfer, func(a, o wire.AgentID) any {
			return &wire.Transfer{From: a, To: o, Amount: 1, Kind: wire.TransferKindDirect, Signature: &[]byte{1}}
		}, nil, wire.CodeOwnerMismatch},
		{"a borrowed weight", 2, wire.TypeSignalSend, func(_, _ wire.AgentID) any {
			return &wire.SignalSend{Kind: wire.SignalKindAgree, Weight: 0.5}
		}, nil, wire.CodeOwnerMismatch},
		{"before its epoch", 0, wire.TypeTransfer, func(a, o wire.AgentID) any {
			return &wire.Transfer{From: a, To: o, Amount: 1, Kind: wire.TransferKindDirect}
		}, nil, wire.CodeEpochLocked},
		{"a binding vote in epoch 0", 0, wire.TypeProposalSubmit, func(a, _ wire.AgentID) any {
			return &wire.ProposalSubmit{Author: a, Kind: wire.ProposalKindChangeParam}
		}, nil, wire.CodeEpochLocked},
		{"the same where gates are open", 2, wire.TypeTransfer, func(a, o wire.AgentID) any {
			return &wire.Transfer{From: a, To: o, Amount: 1, Kind: wire.TransferKindDirect}
		}, nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, boot := start(8, tc.gates)
			r.StartCycle(1)
			r.OpenTick(tick)
			a, other := boot.Agents[0], boot.Agents[1]
			s := worldtest.Seal(a, tick, tc.typ, tc.make(a, other), 0)
			if tc.alter != nil {
				tc.alter(&s)
			}
			before := r.Components()
			reply := r.Receive(tick, 1, a, s)
			code := uint32(0)
			if reply.Err != nil {
				code = reply.Err.Code
			}
			if code != tc.code {
				t.Errorf("answered with %#x (%+v), want %#x", code, reply.Err, tc.code)
			}
			if code != 0 && r.Components() != before {
				t.Error("the refusal changed the state")
			}
		})
	}
}

// TestReceive_OnlyActiveAgentsSend: EMBRYO, DORMANT, DEAD and unknown senders get 0x000D.
func TestReceive_OnlyActiveAgentsSend(t *testing.T) {
	r, boot := start(8, open)
	r.StartCycle(1)
	r.OpenTick(256)
	embryo, _ := r.Spawn(256, worldtest.Newcomer(worldtest.Eight(1)[0]))
	r.SetStatus(256, boot.Agents[1], wire.StatusDormant, "operator", 1)
	r.SetStatus(256, boot.Agents[2], wire.StatusDead, "operator", 1)
	for i, a := range []wire.AgentID{embryo.AgentID, boot.Agents[1], boot.Agents[2], {1, 2, 3}} {
		reply := r.Receive(256, uint64(i+1), a, worldtest.Seal(a, 256, wire.TypeBalanceQuery, &wire.BalanceQuery{AgentID: a}, 0))
		if reply.Err == nil || reply.Err.Code != wire.CodeNotActive {
			t.Errorf("sender %d: answered with %+v, want not_active", i, reply.Err)
		}
	}
}

// TestReceive_VotesOnDaemonProposalsPassClosedGates: voting opens in epoch 2, but on a
// proposal of Mint's or Agora's it is open from the start.
func TestReceive_VotesOnDaemonProposalsPassClosedGates(t *testing.T) {
	r, boot := start(8, 0)
	r.StartCycle(1)
	r.EndCycle(nil)
	var id wire.Hash
	for _, e := range r.TakeEvents() {
		if p, ok := e.Payload.(*wire.ProposalCreatedEvent); ok && p.Author == wire.SystemID(wire.SystemMint) {
			id = p.ProposalID
		}
	}
	r.StartCycle(2)
	r.OpenTick(512)
	a := boot.Agents[0]
	vote := func(id wire.Hash, n uint64) wire.Reply {
		return r.Receive(512, n, a, worldtest.Seal(a, 512, wire.TypeProposalVote, &wire.ProposalVote{ProposalID: id, Vote: true}, n))
	}
	if reply := vote(id, 1); reply.Err != nil {
		t.Errorf("vote on an intervention in epoch 0: %s", reply.Err.Message)
	}
	if reply := vote(wire.Hash{1}, 2); reply.Err == nil || reply.Err.Code != wire.CodeEpochLocked {
		t.Errorf("vote on anything else in epoch 0: %+v, want epoch_locked", reply)
	}
}

// A vote on the proposal of an agent needs the epoch of votes, though the proposal could be made before it.
func TestReceive_VotesOnAgentsProposalsNeedTheirEpoch(t *testing.T) {
	rules := worldtest.Rules(8)
	rules.Gates, rules.Epoch = 1, 2 // strict: proposals from epoch 2 on, votes from epoch 5 on
	r := realm.New(rules)
	boot := r.Bootstrap(worldtest.Eight(8))
	r.StartCycle(1)
	x := &town{t: t, Realm: r, ids: boot.Agents, tick: 256}
	r.OpenTick(x.tick)
	id := x.ok(x.ids[0], wire.TypeProposalSubmit, &wire.ProposalSubmit{Kind: wire.ProposalKindCustom, Description: []byte{0x80}}).Body.(*wire.ProposalSubmitAck).ProposalID
	s := x.sent(x.ids[1], wire.TypeProposalVote, &wire.ProposalVote{ProposalID: id, Vote: true})
	if reply := x.do(map[wire.AgentID]realm.Sent{x.ids[1]: s})[x.ids[1]]; reply.Err == nil || reply.Err.Code != wire.CodeEpochLocked {
		t.Errorf("%+v, want epoch_locked", reply)
	}
}

// TestReceive_RepeatGetsTheStoredReply: a repeat is not carried out again.
func TestReceive_RepeatGetsTheStoredReply(t *testing.T) {
	r, boot := start(8, open)
	r.StartCycle(1)
	r.OpenTick(256)
	a, b := boot.Agents[0], boot.Agents[1]
	s := worldtest.Seal(a, 256, wire.TypeTransfer, &wire.Transfer{From: a, To: b, Amount: 10, Kind: wire.TransferKindDirect}, 0)
	first := r.Receive(256, 1, a, s)
	if first.Err != nil {
		t.Fatal(first.Err)
	}
	balance, _ := r.Balance(b)
	if again := r.Receive(256, 1, a, s); again.Body != first.Body || again.Ref != first.Ref {
		t.Errorf("the repeat was answered with %+v, want the stored reply", again)
	}
	if after, _ := r.Balance(b); after != balance {
		t.Errorf("the repeat moved money: %d ⚡, was %d", after, balance)
	}
	twin := worldtest.Seal(a, 256, wire.TypeTransfer, s.Payload, 1)
	if r.Receive(256, 1, a, twin); twin.Envelope.MsgID == s.Envelope.MsgID {
		t.Error("a nonce does not tell twins apart")
	}
	if after, _ := r.Balance(b); after != balance+10 {
		t.Errorf("the twin with a nonce was not carried out: %d ⚡", after)
	}
}

// TestCommit_ChainHashesAllEnvelopes: h ← SHA-256(h ‖ msg_id) over what agents sent, in
// commit order, refused or not; zeros at the start of a cycle.
func TestCommit_ChainHashesAllEnvelopes(t *testing.T) {
	r, boot := start(8, 0)
	r.StartCycle(1)
	if r.Chain() != (wire.Hash{}) {
		t.Fatal("the chain of a new cycle is not zero")
	}
	r.OpenTick(256)
	live := slices.Clone(boot.Agents[:3])
	r.Order(256, live)
	var want wire.Hash
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		seats[i] = realm.Seat{Agent: a, Sent: worldtest.Seal(a, 256, wire.TypeBalanceQuery, &wire.BalanceQuery{AgentID: wire.AgentID{byte(i)}}, 0)}
		want = sha256.Sum256(append(want[:], seats[i].Sent.Envelope.MsgID[:]...))
	}
	r.Commit(256, seats)
	if got := r.Chain(); got != want {
		t.Errorf("chain is %v, want %v", got, want)
	}
	if end := r.EndCycle(nil); end.Envelopes != want || end.TotalTicks != 3 {
		t.Errorf("cycle end reports chain %v and %d ticks, want %v and 3", end.Envelopes, end.TotalTicks, want)
	}
}

func TestOrder_IsByHashOfSeedTickAndAgent(t *testing.T) {
	r, boot := start(8, 0)
	for _, tick := range []wire.Tick{256, 257} {
		live := slices.Clone(boot.Agents)
		r.Order(tick, live)
		key := func(a wire.AgentID) []byte {
			seed := r.Rules().Seed
			h := sha256.Sum256(append(binary.BigEndian.AppendUint64(seed[:], uint64(tick)), a[:]...))
			return h[:]
		}
		for i := 1; i < len(live); i++ {
			if bytes.Compare(key(live[i-1]), key(live[i])) >= 0 {
				t.Errorf("tick %d: seat %d is out of order", tick, i)
			}
		}
	}
}

// TestCommit_SeatWithTooManyEventsRefuses: an envelope that could pass 4 096 events of its
// agent and tick is refused before it is applied.
func TestCommit_SeatWithTooManyEventsRefuses(t *testing.T) {
	r, boot := start(8, open)
	r.StartCycle(1)
	r.OpenTick(256)
	a, b := boot.Agents[0], boot.Agents[1]
	seat := realm.Seat{Agent: a}
	for n := range uint64(5000) {
		seat.Runtime = append(seat.Runtime, worldtest.Seal(a, 256, wire.TypeAgentStatus, warning(a), n))
	}
	seat.Sent = worldtest.Seal(a, 256, wire.TypeTransfer, &wire.Transfer{From: a, To: b, Amount: 1, Kind: wire.TransferKindDirect}, 0)
	reply := r.Commit(256, []realm.Seat{seat})[0]
	if reply.Err == nil || reply.Err.Code != wire.CodeTooLarge {
		t.Errorf("answered with %+v, want too_large", reply)
	}
}

// An envelope is applied as long as there is room for the most events that one may cause.
func TestCommit_SeatWithRoomForOneEnvelope(t *testing.T) {
	for events, want := range map[int]uint32{world.EventsPerSeat - world.EventsPerEnvelope: 0, world.EventsPerSeat - world.EventsPerEnvelope + 1: wire.CodeTooLarge} {
		x := newTown(t, 8)
		x.Wrap(wire.SystemAgora, func(d world.Daemon) world.Daemon { return &loud{d, events} })
		a, b := x.ids[0], x.ids[1]
		seat := realm.Seat{Agent: a, Runtime: []realm.Sent{x.sent(a, wire.TypeMsgQuery, &wire.MsgQuery{Sort: 1})}}
		seat.Sent = x.sent(a, wire.TypeTransfer, &wire.Transfer{To: b, Amount: 1, Kind: wire.TransferKindDirect})
		var code uint32
		if reply := x.Commit(x.tick, []realm.Seat{seat})[0]; reply.Err != nil {
			code = reply.Err.Code
		}
		if code != want {
			t.Errorf("after %d events: code %04X, want %04X", events, code, want)
		}
	}
}

// loud answers every request with so many events.
type loud struct {
	world.Daemon
	events int
}

func (d *loud) Apply(c *world.Context, _ any) wire.Reply {
	for range d.events {
		c.Emit(wire.SystemAgora, wire.KindTick, c.Source, &wire.TickEvent{}, nil)
	}
	return c.Ack(nil)
}

func warning(a wire.AgentID) *wire.AgentStatusMsg {
	n := uint32(3)
	return &wire.AgentStatusMsg{AgentID: a, NopStreak: &n}
}

// TestCommit_NOPLimit: the tenth NOP puts an agent to sleep at once, and its cause is said.
func TestCommit_NOPLimit(t *testing.T) {
	r, boot := start(8, 0)
	r.StartCycle(1)
	r.OpenTick(256)
	r.TakeEvents()
	a := boot.Agents[0]
	n, status, reason := uint32(10), wire.StatusDormant, "nop_limit"
	q := &wire.AgentStatusMsg{AgentID: a, Status: &status, NopStreak: &n, Reason: &reason}
	r.Commit(256, []realm.Seat{{Agent: a, Sent: worldtest.Seal(a, 256, wire.TypeAgentStatus, q, 0)}})
	if s, _ := r.Nexus().Status(a); s != wire.StatusDormant {
		t.Errorf("status is %v, want DORMANT at once", s)
	}
	events := r.TakeEvents()
	p, ok := events[0].Payload.(*wire.AgentStatusChangeEvent)
	if !ok || p.Reason != "nop_limit" || events[0].Origin != a {
		t.Errorf("events are %+v, want agent_status_change by nop_limit", events)
	}
	if !slices.Contains(r.Agents(), a) || slices.Contains(r.Active(), a) {
		t.Error("the roster does not know it sleeps")
	}
}

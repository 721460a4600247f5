package realm_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// town is a world at the first tick of cycle 1, with all queues drained.
type town struct {
	t testing.TB
	*realm.Realm
	ids  []wire.AgentID
	tick wire.Tick
	n    uint64
}

func newTown(t testing.TB, n int) *town {
	r, boot := start(n, open)
	r.StartCycle(1)
	x := &town{t: t, Realm: r, ids: boot.Agents, tick: 256}
	r.OpenTick(x.tick)
	for _, a := range x.ids {
		x.see(a)
	}
	return x
}

// see is what waits for an agent.
func (x *town) see(a wire.AgentID) []*wire.Event {
	var v wire.View
	x.View(a, nil, &v)
	return v.Events
}

// kinds counts what waits for an agent by kind.
func (x *town) kinds(a wire.AgentID) map[wire.EventKind]int {
	out := map[wire.EventKind]int{}
	for _, e := range x.see(a) {
		out[e.Kind]++
	}
	return out
}

// do commits one request of each given agent in one tick and steps to the next.
func (x *town) do(acts map[wire.AgentID]realm.Sent) map[wire.AgentID]wire.Reply {
	x.t.Helper()
	var live []wire.AgentID
	for _, a := range x.ids {
		if _, ok := acts[a]; ok {
			live = append(live, a)
		}
	}
	x.Order(x.tick, live)
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		seats[i] = realm.Seat{Agent: a, Sent: acts[a]}
	}
	out := map[wire.AgentID]wire.Reply{}
	for i, reply := range x.Commit(x.tick, seats) {
		out[live[i]] = reply
	}
	x.tick++
	x.OpenTick(x.tick)
	return out
}

// ok does one request of one agent and demands that it succeeds.
func (x *town) ok(a wire.AgentID, typ wire.MsgType, q any) wire.Reply {
	x.t.Helper()
	reply := x.do(map[wire.AgentID]realm.Sent{a: x.sent(a, typ, q)})[a]
	if reply.Err != nil {
		x.t.Fatalf("%v refused: %s", typ, reply.Err.Message)
	}
	return reply
}

func (x *town) sent(a wire.AgentID, typ wire.MsgType, q any) realm.Sent {
	x.n++
	worldtest.Fill(x.Realm, a, q)
	return worldtest.Seal(a, x.tick, typ, q, x.n)
}

func (x *town) message(text string, to wire.Hash) *wire.MsgPost {
	return &wire.MsgPost{
		Channel: to, Kind: wire.MessageKindStatement, Confidence: 1, References: []wire.Hash{},
		Content: append([]byte{0x81, 0xA4, 't', 'e', 'x', 't', 0xA0 | byte(len(text))}, text...),
	}
}

func bounty(reward uint64) *wire.BountyCreate {
	return &wire.BountyCreate{
		Title: []byte("work"), Specification: []byte("do"), Reward: reward, Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{}, Reviewers: []wire.AgentID{},
	}
}

// TestDelivery_DefaultSubscriptions: everybody reads bounties; peers' messages come from the
// agents one follows, which for a small population are all; a transfer is only for
// the two whose it is; nobody gets an event twice.
func TestDelivery_DefaultSubscriptions(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	x.ok(a, wire.TypeBountyCreate, bounty(10))
	x.ok(a, wire.TypeMsgPost, x.message("hi", channel("general")))
	x.ok(a, wire.TypeTransfer, &wire.Transfer{To: b, Amount: 3, Kind: wire.TransferKindDirect})
	for _, tc := range []struct {
		agent     wire.AgentID
		transfers int
		escrows   int
	}{{a, 1, 1}, {b, 1, 0}, {c, 0, 0}} {
		got := x.kinds(tc.agent)
		if got[wire.KindBountyCreated] != 1 || got[wire.KindMessagePosted] == 0 ||
			got[wire.KindTransferCompleted] != tc.transfers || got[wire.KindEscrowCreated] != tc.escrows {
			t.Errorf("%v got %v", tc.agent.Alias(), got)
		}
		if got[wire.KindTick] != 0 {
			t.Error("ticks are nobody's default")
		}
		if again := x.see(tc.agent); len(again) != 0 {
			t.Errorf("%v got %d events twice", tc.agent.Alias(), len(again))
		}
	}
}

// TestDelivery_EventsOfATickAreSeenAfterIt: what the first seat of a tick did is in nobody's view before
// the last seat is through; then everybody's next view has it, with the tick it happened in.
func TestDelivery_EventsOfATickAreSeenAfterIt(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	for rank, from := range []wire.AgentID{a, b} {
		s := x.sent(from, wire.TypeMsgPost, x.message("hi "+from.Alias(), channel("general")))
		if reply := x.Receive(x.tick, uint64(rank+1), from, s); reply.Err != nil {
			t.Fatal(reply.Err)
		}
		for _, reader := range []wire.AgentID{a, b, c} {
			if got := x.see(reader); len(got) != 0 {
				t.Errorf("after seat %d, within the tick, %v sees %d events", rank+1, reader.Alias(), len(got))
			}
		}
	}
	x.End()
	x.tick++
	x.OpenTick(x.tick)
	for _, reader := range []wire.AgentID{a, b, c} {
		var ticks []wire.Tick
		for _, e := range x.see(reader) {
			if e.Kind == wire.KindMessagePosted {
				ticks = append(ticks, e.Timestamp)
			}
		}
		if !slices.Equal(ticks, []wire.Tick{x.tick - 1, x.tick - 1}) {
			t.Errorf("after the tick %v sees messages of ticks %v, want two of %d", reader.Alias(), ticks, x.tick-1)
		}
	}
}

// TestDelivery_ThirtyTwoPerKindAndTick: of 40 bounties of one tick everybody reads
// the best 32 by reward, and their creators their own.
func TestDelivery_ThirtyTwoPerKindAndTick(t *testing.T) {
	x := newTown(t, 41)
	acts := map[wire.AgentID]realm.Sent{}
	for i, a := range x.ids[:40] {
		acts[a] = x.sent(a, wire.TypeBountyCreate, bounty(uint64(10+i)))
	}
	for a, reply := range x.do(acts) {
		if reply.Err != nil {
			t.Fatalf("%v: %s", a.Alias(), reply.Err.Message)
		}
	}
	rewards := func(a wire.AgentID) (out []uint64) {
		for _, e := range x.see(a) {
			if p, ok := e.Payload.(*wire.BountyCreatedEvent); ok {
				out = append(out, p.Reward)
			}
		}
		slices.Sort(out)
		return out
	}
	got := rewards(x.ids[40])
	if len(got) != 32 || got[0] != 18 || got[31] != 49 {
		t.Errorf("a reader got rewards %v, want 18 to 49", got)
	}
	if got := rewards(x.ids[0]); len(got) != 33 || got[0] != 10 {
		t.Errorf("the creator of the poorest got %v, want it and the best 32", got)
	}
	var v wire.View
	x.View(x.ids[40], nil, &v)
	if len(v.Bounties) != 32 || v.Bounties[0].Reward != 50 || v.Bounties[15].Reward != 36 { // 50 and 40 of the bootstrap are among them
		t.Errorf("the view shows %d bounties, the 16 best of %d to %d ⚡; want 32, of 36 to 50", len(v.Bounties), v.Bounties[15].Reward, v.Bounties[0].Reward)
	}
}

// TestDelivery_Best32ReopenedBounties: of 40 bounties that are open again in one tick everybody
// reads the best 32 by reward.
func TestDelivery_Best32ReopenedBounties(t *testing.T) {
	x := newTown(t, 81)
	acts := map[wire.AgentID]realm.Sent{}
	for i, a := range x.ids[:40] {
		acts[a] = x.sent(a, wire.TypeBountyCreate, bounty(uint64(10+i)))
	}
	created := x.do(acts)
	acts = map[wire.AgentID]realm.Sent{}
	for i, a := range x.ids[40:80] {
		id := created[x.ids[i]].Body.(*wire.BountyCreateAck).BountyID
		acts[a] = x.sent(a, wire.TypeBountyClaim, &wire.BountyClaim{BountyID: id})
	}
	reward := map[wire.Hash]uint64{}
	for a, reply := range x.do(acts) {
		if reply.Err != nil {
			t.Fatalf("%v: %s", a.Alias(), reply.Err.Message)
		}
	}
	for i, a := range x.ids[:40] {
		reward[created[a].Body.(*wire.BountyCreateAck).BountyID] = uint64(10 + i)
	}
	for i, a := range x.ids[40:80] {
		x.SetStatus(x.tick, a, wire.StatusDormant, "operator", uint64(i)+1)
	}
	x.see(x.ids[80])
	x.EndCycle(nil)
	reopened := func(a wire.AgentID) (out []uint64) {
		for _, e := range x.see(a) {
			if p, ok := e.Payload.(*wire.BountyReopenedEvent); ok {
				out = append(out, reward[p.BountyID])
			}
		}
		slices.Sort(out)
		return out
	}
	if got := reopened(x.ids[80]); len(got) != 32 || got[0] != 18 || got[31] != 49 {
		t.Errorf("a reader got the reopened bounties of rewards %v, want 18 to 49", got)
	}
	for name, a := range map[string]wire.AgentID{"creator": x.ids[0], "former claimer": x.ids[40]} {
		if got := reopened(a); len(got) != 33 || got[0] != 10 {
			t.Errorf("the %s of the poorest got %v, want it and the best 32", name, got)
		}
	}
}

// TestDelivery_NewAgentHearsItselfAndOthers: who joins in mid-cycle hears of itself, and in a small population
// of everybody from then on, as everybody hears of it; in a large one from the next cycle on.
func TestDelivery_NewAgentHearsItselfAndOthers(t *testing.T) {
	for _, tc := range []struct{ population, hears int }{{8, 1}, {40, 0}} {
		x := newTown(t, tc.population)
		ack, refusal := x.Spawn(x.tick, worldtest.Newcomer(worldtest.Eight(1)[0]))
		if refusal != nil {
			t.Fatal(refusal)
		}
		id := ack.AgentID
		x.tick++
		x.OpenTick(x.tick)
		if got := x.kinds(id); got[wire.KindAgentSpawn] != 1 || got[wire.KindAccountCreated] != 1 {
			t.Errorf("of %d: the newcomer hears of itself %v", tc.population, got)
		}
		x.ok(x.ids[0], wire.TypeMsgPost, x.message("hi", channel("general")))
		if got := x.kinds(id)[wire.KindMessagePosted]; got != tc.hears {
			t.Errorf("of %d: the newcomer got %d messages of this cycle", tc.population, got)
		}
		x.EndCycle(nil)
		x.StartCycle(2)
		x.tick = x.Rules().Calendar.First(2)
		x.OpenTick(x.tick)
		x.see(id)
		for _, a := range x.ids[:8] {
			x.ok(a, wire.TypeMsgPost, x.message("I am "+a.Alias(), channel("general")))
		}
		if got := x.kinds(id)[wire.KindMessagePosted]; got == 0 || tc.population == 8 && got != 8 {
			t.Errorf("of %d: the newcomer got %d messages of the next cycle", tc.population, got)
		}
	}
}

// TestDelivery_LargePopulationFollows32Origins: in a larger population each agent follows 32
// others, its best-known peers among them; the choice is a function of the seed.
func TestDelivery_LargePopulationFollows32Origins(t *testing.T) {
	readers := func(cycle wire.Cycle, known bool) map[wire.AgentID]bool {
		x := newTown(t, 100)
		author := x.ids[0]
		if known {
			for _, a := range x.ids[1:] {
				x.SetPeers(a, []wire.AgentID{author, author, a, {1}})
			}
		}
		for c := wire.Cycle(2); c <= cycle; c++ {
			x.EndCycle(nil)
			x.StartCycle(c)
			x.tick = x.Rules().Calendar.First(c)
			x.OpenTick(x.tick)
		}
		x.ok(author, wire.TypeMsgPost, x.message("hi", channel("general")))
		out := map[wire.AgentID]bool{}
		for _, a := range x.ids {
			if x.kinds(a)[wire.KindMessagePosted] > 0 {
				out[a] = true
			}
		}
		return out
	}
	one := readers(1, false)
	if n := len(one); n < 15 || n > 55 {
		t.Errorf("%d of 100 read the message, want about 33", n)
	}
	if fmt.Sprint(one) != fmt.Sprint(readers(1, false)) {
		t.Error("two runs have different readers")
	}
	if fmt.Sprint(one) == fmt.Sprint(readers(2, false)) {
		t.Error("the next cycle did not renew the choice")
	}
	if n := len(readers(2, true)); n != 100 {
		t.Errorf("%d of 100 read the message of an agent that all know best, want all", n)
	}
}

// If an agent signals, verifies or claims something, its author or creator gets the event, however many agents there
// are.
func TestDelivery_AuthorsHearAboutTheirThings(t *testing.T) {
	x := newTown(t, 60)
	a, b := x.ids[0], x.ids[50]
	m := x.ok(a, wire.TypeMsgPost, x.message("hi", channel("general"))).Body.(*wire.MsgPostAck).MessageID
	w := x.ok(a, wire.TypeBountyCreate, bounty(10)).Body.(*wire.BountyCreateAck).BountyID
	x.see(a)
	x.ok(b, wire.TypeSignalSend, &wire.SignalSend{Target: m, Kind: wire.SignalKindAgree})
	x.ok(b, wire.TypeBountyClaim, &wire.BountyClaim{BountyID: w})
	x.see(b)
	if got := x.kinds(a); got[wire.KindSignalSent] != 1 || got[wire.KindBountyClaimed] != 1 {
		t.Errorf("the author got %v, want the signal and the claim", got)
	}
	// The claimer falls asleep: at the cycle's end the bounty reopens, and both hear it.
	x.SetStatus(x.tick, b, wire.StatusDormant, "operator", 1)
	x.EndCycle(nil)
	if got := x.kinds(b); got[wire.KindBountyReopened] != 1 || got[wire.KindAgentStatusChange] != 1 {
		t.Errorf("the former claimer got %v", got)
	}
}

func TestDelivery_InviteOnlyChannelStaysPrivate(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	room := x.ok(a, wire.TypeChannelCreate, &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{b}},
	}).Body.(*wire.ChannelCreateAck).ChannelID
	x.ok(c, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindMessagePosted, wire.KindChannelCreated}})
	for _, id := range x.ids {
		x.see(id)
	}
	x.ok(a, wire.TypeMsgPost, x.message("psst", room))
	if got := x.kinds(b)[wire.KindMessagePosted]; got != 1 {
		t.Errorf("the guest got %d messages, want 1", got)
	}
	if got := x.kinds(c)[wire.KindMessagePosted]; got != 0 {
		t.Errorf("an outsider got %d messages, want none", got)
	}
	for reader, want := range map[wire.AgentID]int{b: 1, c: 0} { // stored messages like live ones
		x.ok(reader, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindMessagePosted}, Since: &wire.EventID{Lamport: 256 << 32}})
		if got := x.kinds(reader)[wire.KindMessagePosted]; got != want {
			t.Errorf("%v got %d stored messages, want %d", reader.Alias(), got, want)
		}
	}
}

// TestDelivery_QueueKeepsNewest4096Events: 4 096 events wait; older ones are dropped and counted.
func TestDelivery_QueueKeepsNewest4096Events(t *testing.T) {
	x := newTown(t, 8)
	a, b := x.ids[0], x.ids[1]
	seat := realm.Seat{Agent: a}
	for n := range uint64(3000) {
		seat.Runtime = append(seat.Runtime, worldtest.Seal(a, x.tick, wire.TypeAgentStatus, warning(a), n))
	}
	x.ok(b, wire.TypeSubscribe, &wire.Subscribe{Origins: []wire.AgentID{a}})
	for range 2 {
		for i := range seat.Runtime {
			seat.Runtime[i].Envelope.Timestamp = x.tick
		}
		x.Commit(x.tick, []realm.Seat{seat})
		x.tick++
		x.OpenTick(x.tick)
	}
	events := x.see(b)
	if len(events) != 4096 || x.Dropped() == 0 {
		t.Errorf("%d events waited, %d were dropped; want 4096 and the rest", len(events), x.Dropped())
	}
	if last := events[4095]; last.Timestamp != x.tick-1 {
		t.Errorf("the newest event is of tick %d; the oldest must be dropped, not the newest", last.Timestamp)
	}
}

// DEAD agents get nothing and lose their subscriptions; DORMANT ones keep theirs.
func TestDelivery_DeadAgentsGetNothing(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	for _, id := range []wire.AgentID{b, c} {
		x.ok(id, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTransferCompleted}})
		x.see(id)
	}
	x.SetStatus(x.tick, b, wire.StatusDead, "operator", 1)
	x.SetStatus(x.tick, c, wire.StatusDormant, "operator", 2)
	x.ok(a, wire.TypeTransfer, &wire.Transfer{To: x.ids[3], Amount: 1, Kind: wire.TransferKindDirect})
	if got := x.see(b); len(got) != 0 {
		t.Errorf("the dead got %d events", len(got))
	}
	if got := x.kinds(c)[wire.KindTransferCompleted]; got == 0 {
		t.Error("the sleeper lost its filter")
	}
}

// TestView_Concurrently: views of different agents may be taken at once; the race
// detector watches.
func TestView_Concurrently(t *testing.T) {
	x := newTown(t, 40)
	for i, a := range x.ids[:20] {
		x.ok(a, wire.TypeBountyCreate, bounty(uint64(5+i)))
	}
	var wg sync.WaitGroup
	lengths := make([]int, len(x.ids))
	for i, a := range x.ids {
		wg.Go(func() {
			var v wire.View
			x.View(a, nil, &v)
			lengths[i] = len(v.Bounties)
		})
	}
	wg.Wait()
	for i, n := range lengths {
		if n != 27 {
			t.Errorf("agent %d sees %d bounties, want 20 and the 7 of the bootstrap", i, n)
		}
	}
}

package nexus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// cycle runs one whole cycle in which every ACTIVE agent consumes a tick, and sends
// the given requests in it.
func cycle(r *realm.Realm, c wire.Cycle, requests map[wire.AgentID]any) (realm.CycleEnd, []wire.Reply) {
	r.StartCycle(c)
	tick := r.Rules().Calendar.First(c)
	r.OpenTick(tick)
	live := append([]wire.AgentID(nil), r.Active()...)
	r.Order(tick, live)
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		seats[i].Agent = a
		if q := requests[a]; q != nil {
			worldtest.Fill(r, a, q)
			seats[i].Sent = worldtest.Seal(a, tick, typeOf(q), q, 0)
		}
	}
	replies := r.Commit(tick, seats)
	return r.EndCycle(nil), replies
}

func typeOf(q any) wire.MsgType {
	switch q.(type) {
	case *wire.ProposalSubmit:
		return wire.TypeProposalSubmit
	case *wire.ProposalVote:
		return wire.TypeProposalVote
	case *wire.AgentStatusMsg:
		return wire.TypeAgentStatus
	}
	panic("no type for this request")
}

func latch(r *realm.Realm, name string) {
	c := &world.Context{Rules: r.Rules()}
	c.Boundary(0, 0)
	r.Nexus().RecordMilestone(c, name)
}

// TestEpochs_OneStepPerCycle: milestones latch in any order and any number; the
// epoch follows one step per cycle end, in order, and never back.
func TestEpochs_OneStepPerCycle(t *testing.T) {
	r := realm.New(worldtest.Rules(8))
	r.Bootstrap(worldtest.Eight(8))
	latch(r, world.MilestoneCommerce)
	latch(r, world.MilestoneFoundation)
	var got []uint32
	for c := range wire.Cycle(6) {
		if c == 1 {
			latch(r, world.MilestoneSpark)
		}
		end, _ := cycle(r, c+1, nil)
		got = append(got, end.Epoch)
	}
	// Epoch 4 needs 16 ACTIVE agents, which eight never are.
	if diff := cmp.Diff([]uint32{0, 1, 2, 3, 3, 3}, got); diff != "" {
		t.Errorf("epochs (-want +got):\n%s", diff)
	}
}

// A world that starts in a later epoch says so in its genesis event, and goes on to the next by that epoch's trigger
// alone: 16 ACTIVE agents open epoch 4, at the end of the bootstrap cycle.
func TestEpochs_StartEpochAndItsTrigger(t *testing.T) {
	for n, want := range map[uint64]uint32{8: 3, 16: 4} {
		rules := worldtest.Rules(n)
		rules.Epoch = 3
		r := realm.New(rules)
		r.Bootstrap(worldtest.Eight(int(n)))
		var said []uint32
		for _, e := range r.TakeEvents() {
			if p, ok := e.Payload.(*wire.GenesisEvent); ok {
				said = append(said, p.Epoch)
			}
		}
		if diff := cmp.Diff([]uint32{3}, said); diff != "" {
			t.Errorf("epochs of genesis (-want +got):\n%s", diff)
		}
		for c := range wire.Cycle(2) {
			if end, _ := cycle(r, c+1, nil); end.Epoch != want {
				t.Errorf("%d agents, cycle %d: epoch %d, want %d", n, c+1, end.Epoch, want)
			}
		}
	}
}

// TestEpochs_ExpansionNeeds16ActiveAtCycleEnd: 16 ACTIVE agents at the cycle end open epoch 4;
// 16 at some earlier time do not.
func TestEpochs_ExpansionNeeds16ActiveAtCycleEnd(t *testing.T) {
	r := realm.New(worldtest.Rules(16))
	ids := r.Bootstrap(worldtest.Eight(16)).Agents
	for _, m := range []string{world.MilestoneSpark, world.MilestoneFoundation, world.MilestoneCommerce} {
		latch(r, m)
	}
	for c := range wire.Cycle(3) {
		cycle(r, c+1, nil)
	}
	r.StartCycle(4)
	r.OpenTick(1024)
	if refusal := r.SetStatus(1024, ids[3], wire.StatusDormant, "operator", 1); refusal != nil {
		t.Fatal(refusal)
	}
	if end := r.EndCycle(nil); end.Epoch != 3 {
		t.Fatalf("epoch %d with 15 ACTIVE agents, want 3", end.Epoch)
	}
	r.StartCycle(5)
	if end := r.EndCycle([]realm.Wake{{Agent: ids[3], Cause: wire.WakeOperator}}); end.Epoch != 4 {
		t.Errorf("epoch %d with 16 ACTIVE agents, want 4", end.Epoch)
	}
}

// TestEpochs_ChangeMintsTwoPercentWithEvent: an epoch change mints 2 % into the treasury.
func TestEpochs_ChangeMintsTwoPercentWithEvent(t *testing.T) {
	r := realm.New(worldtest.Rules(8))
	r.Bootstrap(worldtest.Eight(8))
	r.TakeEvents()
	latch(r, world.MilestoneSpark)
	end, _ := cycle(r, 1, nil)
	if end.Report.TotalSupply != 10_200 {
		t.Errorf("supply is %d ⚡, want 10200", end.Report.TotalSupply)
	}
	for _, e := range r.TakeEvents() {
		if p, ok := e.Payload.(*wire.EpochChangeEvent); ok {
			if p.OldEpoch != 0 || p.NewEpoch != 1 || string(p.Trigger) != "spark" || p.Tick != 511 {
				t.Errorf("epoch_change is %+v", p)
			}
			return
		}
	}
	t.Error("no epoch_change event")
}

// TestEpochs_FromFiveOnByVote: from epoch 5 on a passed EPOCH_ADVANCE opens the
// next one, at the earliest 16 cycles after the last change.
func TestEpochs_FromFiveOnByVote(t *testing.T) {
	r := realm.New(worldtest.Rules(16))
	r.Bootstrap(worldtest.Eight(16))
	for _, m := range []string{world.MilestoneSpark, world.MilestoneFoundation, world.MilestoneCommerce, world.MilestoneSovereignty} {
		latch(r, m)
	}
	ctx := &world.Context{Rules: r.Rules()}
	for _, a := range r.Agents() {
		r.Nexus().AddContribution(ctx, a, 4)
	}
	c := wire.Cycle(1)
	for ; r.Epoch() < 5; c++ {
		cycle(r, c, nil)
	}
	changed := c - 1
	author := r.Agents()[0]
	ask := func(epoch uint32) wire.Reply {
		first := r.Rules().Calendar.First(c)
		q := &wire.ProposalSubmit{
			Kind: wire.ProposalKindEpochAdvance, VoteDeadline: first + 400,
			Description: epochCodec.Append(nil, &wire.EpochProposal{Epoch: epoch}),
		}
		live := append([]wire.AgentID(nil), r.Active()...)
		r.Order(first, live)
		_, replies := cycle(r, c, map[wire.AgentID]any{author: q})
		c++
		for i, a := range live {
			if a == author {
				return replies[i]
			}
		}
		t.Fatal("the author had no seat")
		return wire.Reply{}
	}
	for c < changed+16 {
		if got := ask(6); got.Err == nil {
			t.Fatalf("accepted in cycle %d, %d after the change; want 16 between", c-1, c-1-changed)
		}
	}
	if got := ask(7); got.Err == nil {
		t.Error("epoch 7 was put to the vote in epoch 5")
	}
	got := ask(6)
	if got.Err != nil {
		t.Fatalf("refused: %s", got.Err.Message)
	}
	id := got.Body.(*wire.ProposalSubmitAck).ProposalID
	votes := map[wire.AgentID]any{}
	for _, a := range r.Active() {
		votes[a] = &wire.ProposalVote{ProposalID: id, Vote: true}
	}
	if end, _ := cycle(r, c, votes); end.Epoch != 6 {
		t.Errorf("epoch %d after the vote, want 6", end.Epoch)
	}
}

var epochCodec = codec.New[wire.EpochProposal]()

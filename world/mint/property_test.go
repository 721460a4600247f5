package mint

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
)

// step is one random operation, chosen before it is carried out so that two Mints can be
// given the same.
type step struct {
	what, a, b int
	amount     uint64
	side       bool
}

func drawStep(t *rapid.T) step {
	return step{
		what: rapid.IntRange(0, 18).Draw(t, "what"), a: rapid.IntRange(0, 5).Draw(t, "a"), b: rapid.IntRange(0, 5).Draw(t, "b"),
		amount: rapid.Uint64Range(0, 60).Draw(t, "amount"), side: rapid.Bool().Draw(t, "side"),
	}
}

// take carries out a step; n numbers it and is the tick. Every step is legal at any time.
func (b *bench) take(n int, s step) {
	from, to, msg := id(s.a), id(s.b), wire.Hash{0xAB, byte(n >> 8), byte(n)}
	b.c.Seat(wire.Tick(256+n), 1)
	b.c.Source, b.c.Msg = from, msg
	proposal := wire.Hash{5, byte(s.b % 2)}
	b.roster.proposals[proposal] = wire.ProposalStatusOpen
	if b.dead(from) {
		return
	}
	switch s.what {
	case 0, 1, 2:
		b.Apply(b.c, direct(to, s.amount))
	case 3:
		b.Apply(b.c, buy(wire.Resource(1+s.b%3), s.amount))
	case 4:
		b.Apply(b.c, &wire.EscrowCreate{Amount: s.amount, Beneficiary: &to, Deadline: b.c.Tick + wire.Tick(s.amount)})
	case 5, 6:
		for _, e := range b.openEscrows() {
			b.Apply(b.c, &wire.EscrowRelease{EscrowID: e, Beneficiary: to})
		}
	case 7:
		for _, e := range b.openEscrows() {
			b.Apply(b.c, &wire.EscrowRefund{EscrowID: e})
		}
	case 8:
		b.Apply(b.c, &wire.StakeCreate{Proposal: proposal, Amount: s.amount, Direction: wire.StakeDirection(1 + s.a%2)})
	case 9:
		b.ResolveStakes(b.c, proposal, &s.side)
	case 10:
		b.OpenEscrow(b.c, world.Escrow{ID: msg, Owner: from, Amount: s.amount, Tax: 1, Bounty: true})
	case 11:
		for _, e := range b.openEscrows() {
			if x := b.escrows.table.Get(e); x.Bounty && s.side {
				b.ReleaseEscrow(b.c, e, to)
			} else if x.Bounty {
				b.RefundEscrow(b.c, e)
			}
		}
	case 12:
		b.debit(s.a, s.amount)
	case 13:
		b.AddReward(b.c, world.Reward{Label: "bug", Subject: msg, Payee: to, Amount: s.amount / 2, Approvers: []wire.AgentID{from}})
	case 14:
		b.Intervene(b.c, wire.InterventionKind(1+s.b%4))
	case 15:
		if s.a > 3 {
			b.roster.status[from] = wire.StatusDead
			b.Sweep(b.c, from)
		}
	case 16:
		b.Inflate(b.c, 1)
		if b.roster.status[to] != wire.StatusDead { // newcomers live
			b.Grant(b.c, to)
		}
	case 17:
		b.c.CycleEnd(b.c.Tick)
		b.rules.Upkeep = s.amount % 4
		b.FillPool()
		b.CycleEnd(b.c)
		b.Settle(b.c, 0, 0)
	case 18:
		amount := int64(4 * s.amount)
		if s.side {
			amount = -amount
		}
		b.OperatorGrant(b.c, to, amount, uint64(n))
	}
}

func TestProperty_MoneyIsConserved(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		balances := rapid.SliceOfN(rapid.Uint64Range(0, 300), 0, 6).Draw(rt, "balances")
		b := newBenchWith(t, 6, balances)
		minted := uint64(genesisTreasury + genesisReserve)
		for i, a := range b.roster.ids {
			want := int64(100)
			if i < len(balances) {
				want = int64(balances[i])
			}
			if b.Balance(a) != want {
				rt.Fatalf("agent %d begins with %d ⚡, want %d", i, b.Balance(a), want)
			}
			minted += uint64(want)
		}
		if b.Total() != minted {
			rt.Fatalf("the supply begins at %d ⚡, the accounts hold %d", b.Total(), minted)
		}
		for n, s := range rapid.SliceOfN(rapid.Custom(drawStep), 40, 80).Draw(rt, "steps") {
			had := b.Available(id(s.a))
			b.take(n, s)
			b.checkSupply() // panics
			b.checkIndexes(rt)
			for _, a := range b.roster.ids {
				acc, _ := b.Account(a)
				if acc.Owed > uint64(max(0, acc.Balance)) {
					rt.Fatalf("step %d: owes more than it has: %+v", n, acc)
				}
				if s.what <= 4 && a == id(s.a) && acc.available() < min(0, had) {
					rt.Fatalf("step %d: a voluntary payment overdrew %+v", n, acc)
				}
			}
			b.checkLocks(rt)
		}
	})
}

// checkIndexes compares what the check of the supply and the bound of escrows go by with a walk
// over all that ever was.
func (b *bench) checkIndexes(rt *rapid.T) {
	sum, open := int64(0), map[wire.AgentID]uint64{}
	b.accounts.Each(func(_ wire.AgentID, acc *Account) { sum += acc.Balance })
	b.escrows.table.Each(func(_ wire.Hash, e *Escrow) {
		if e.open() && !e.Bounty {
			open[e.Owner]++
		}
	})
	heard := map[wire.AgentID]uint32{}
	for _, k := range b.used.Keys() {
		if k[0] == byte(world.PairReward) {
			heard[wire.AgentID([]byte(k[len(k)-32:]))]++
		}
	}
	if !maps.Equal(heard, b.pairs.rewardPairsTo) {
		rt.Fatalf("a walk finds the used pairs of rewards %v, kept are %v", heard, b.pairs.rewardPairsTo)
	}
	if sum != int64(b.Total()) || !maps.Equal(open, b.openCount) {
		rt.Fatalf("a walk finds %d ⚡ and open escrows %v; kept are %d and %v", sum, open, b.Total(), b.openCount)
	}
}

// checkLocks compares what accounts have locked with what escrows and stakes hold.
func (b *bench) checkLocks(rt *rapid.T) {
	want := map[wire.AgentID]uint64{}
	b.escrows.table.Each(func(_ wire.Hash, e *Escrow) {
		if e.open() {
			want[e.Owner] += e.lockedAmount()
		}
	})
	b.stakes.table.Each(func(_ wire.Hash, s *Stake) { want[s.Agent] += s.Amount })
	b.accounts.Each(func(a wire.AgentID, acc *Account) {
		if acc.Locked != want[a] {
			rt.Fatalf("%v has %d ⚡ locked, its escrows and stakes hold %d", a, acc.Locked, want[a])
		}
	})
}

func TestProperty_RestoredMintBehavesLikeTheOriginal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		one := newBench(t, 6)
		steps := rapid.SliceOfN(rapid.Custom(drawStep), 60, 60).Draw(rt, "steps")
		half := len(steps) / 2
		for n, s := range steps[:half] {
			one.take(n, s)
		}
		two := newBench(t, 6)
		two.Daemon = New(one.rules)
		copied := *one.roster
		copied.status, copied.proposals = maps.Clone(copied.status), maps.Clone(copied.proposals)
		two.roster = &copied
		two.Attach(&world.Siblings{Nexus: two.roster})
		want := one.State().Hash()
		for _, r := range one.State().All() {
			if err := two.State().Load(r); err != nil {
				rt.Fatal(err)
			}
		}
		for _, h := range one.State().Heads() {
			if err := two.State().SetHead(h); err != nil {
				rt.Fatal(err)
			}
		}
		two.Restored()
		if got := two.State().FinishRestore(); got != want {
			rt.Fatalf("restored hash %v, want %v", got, want)
		}
		for n, s := range steps[half:] {
			one.take(half+n, s)
			two.take(half+n, s)
			if one.Earnings(id(s.b)) != two.Earnings(id(s.b)) {
				rt.Fatalf("step %d %+v: the restored Mint counts other earnings", half+n, s)
			}
			if one.State().Hash() != two.State().Hash() {
				rt.Fatalf("step %d %+v: the restored Mint differs", half+n, s)
			}
		}
	})
}

func BenchmarkTransfer(b *testing.B) {
	m := newBench(b, 1000)
	req := &wire.Transfer{Amount: 1, Kind: wire.TransferKindDirect}
	for i := range m.roster.ids {
		m.mintInto(id(i), 1<<40)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		m.c.Seat(wire.Tick(256+n/1000), uint64(n%1000))
		m.c.Source, m.c.Msg = id(n%1000), wire.Hash{byte(n), byte(n >> 8), byte(n >> 16), 1}
		req.To = id((n + 7) % 1000)
		if r := m.Apply(m.c, req); r.Err != nil {
			b.Fatalf("%s", r.Err.Message)
		}
		m.c.Events = m.c.Events[:0]
		if n%4096 == 0 {
			m.State().TakeRows()
		}
	}
}

// openEscrows lists the escrows that hold money, ids ascending.
func (es *escrows) openEscrows() (ids []wire.Hash) {
	for _, list := range es.open {
		for id := range list {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, wire.Hash.Compare)
	return ids
}

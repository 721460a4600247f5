package nexus

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// treasury is Mint as Nexus sees it, and Agora, of which nothing is asked here.
type treasury struct {
	world.Mint
	world.Agora
	insolvent map[wire.AgentID]uint32
	extra     map[wire.AgentID]uint64 // ticks bought
	reserve   uint64                  // ⚡ left for grants
	noted     []world.Reward
	swept     []wire.AgentID
	spent     map[wire.AgentID]uint64 // of the purse that each agent has
	locked    map[wire.AgentID]uint64
	kept      uint64 // ⚡ of bonds that the treasury took
	stakers   []wire.AgentID
	left      []string // who left, of what Mint and Agora are told
	paid      []uint64 // of locked money
	inflated  []uint32
}

// purse is the ⚡ that each agent of a lab has.
const purse = 1000

func (m *treasury) Lock(_ *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if have := purse - m.spent[a] - m.locked[a]; have < amount {
		return &world.Refusal{
			Category: wire.CategoryQuotaExceeded, Reason: "funds", Details: []world.Detail{world.Have(have), world.Need(amount)},
		}
	}
	m.locked[a] += amount
	return nil
}

func (m *treasury) Unlock(_ *world.Context, a wire.AgentID, amount uint64) {
	if m.locked[a] < amount {
		panic("more is unlocked than was locked")
	}
	m.locked[a] -= amount
}

func (m *treasury) Open(*world.Context, wire.AgentID, uint64) {}
func (m *treasury) Sweep(_ *world.Context, a wire.AgentID) {
	m.swept = append(m.swept, a)
	m.locked[a] = 0
}

func (m *treasury) Insolvent(a wire.AgentID) uint32    { return m.insolvent[a] }
func (m *treasury) Earnings(wire.AgentID) uint64       { return 0 }
func (m *treasury) Inflate(_ *world.Context, e uint32) { m.inflated = append(m.inflated, e) }

func (m *treasury) AgentLeft(_ *world.Context, a wire.AgentID, s wire.AgentStatus) {
	m.left = append(m.left, a.Alias()+" "+s.String())
}

func (m *treasury) PayLocked(c *world.Context, from, to wire.AgentID, amount uint64, _ wire.TransferKind) {
	m.Unlock(c, from, amount)
	m.paid = append(m.paid, amount)
	m.spent[from] += amount
	if to == wire.SystemID(wire.SystemMint) {
		m.kept += amount
	}
}

func (m *treasury) TakeExtra(_ *world.Context, a wire.AgentID) uint64 { return m.extra[a] }

func (m *treasury) Grant(*world.Context, wire.AgentID) uint64 {
	if m.reserve < 100 {
		return 0
	}
	m.reserve -= 100
	return 100
}

func (m *treasury) AddReward(_ *world.Context, r world.Reward) bool {
	m.noted = append(m.noted, r)
	return true
}

func (m *treasury) ResolveStakes(*world.Context, wire.Hash, *bool) []wire.AgentID { return m.stakers }

// lab is a Nexus with n agents that are ACTIVE since tick 0.
type lab struct {
	t *testing.T
	*Daemon
	treasury *treasury
	ids      []wire.AgentID // by id, as the roster has them
	c        *world.Context
	msgs     byte
	rows     []world.Row // written so far
}

func newLab(t *testing.T, n int) *lab {
	t.Helper()
	rules := &world.Rules{
		Calendar: wire.Calendar{TicksPerCycle: 256}, Population: uint64(n), PopulationCap: uint64(n),
		BaseBudget: 64, MaxExtra: 192, WakeAfter: 8, AutoSpawn: true,
	}
	l := &lab{
		t: t, Daemon: New(rules), c: &world.Context{Rules: rules},
		treasury: &treasury{
			insolvent: map[wire.AgentID]uint32{}, extra: map[wire.AgentID]uint64{}, reserve: 10_000,
			spent: map[wire.AgentID]uint64{}, locked: map[wire.AgentID]uint64{},
		},
	}
	l.Attach(&world.Siblings{Mint: l.treasury, Agora: l.treasury})
	l.c.Boundary(0, 0)
	genomes := make([]wire.Genome, n)
	for i := range genomes {
		genomes[i].Role = wire.RoleGeneralist
	}
	l.SpawnFirst(l.c, genomes)
	l.BigBang(l.c)
	l.ids = append(l.ids, l.Agents()...)
	l.at(256)
	return l
}

// at moves to a tick of a seat.
func (l *lab) at(t wire.Tick) {
	l.Advance(t)
	l.c.Seat(t, 1)
	l.c.Events = nil
}

// end runs the maintenance of cycle n, for which everybody awake counts as active.
func (l *lab) end(n wire.Cycle, wakes ...Wake) {
	last := l.rules.Calendar.Last(n)
	l.Advance(last)
	l.c.CycleEnd(last)
	l.c.Source, l.c.Events = selfID, nil
	for _, a := range l.Active() {
		l.MarkActive(a, n)
	}
	l.BeginCycleEnd()
	l.Maintain(l.c, wakes)
}

// do applies a request of agent a and checks that a refusal changes nothing; it returns the
// reason of one, "" if it was done.
func (l *lab) do(a wire.AgentID, req any) string {
	l.t.Helper()
	if e := l.ask(a, req); e != nil {
		return string(e.Message)
	}
	return ""
}

// ask is do that returns the whole refusal.
func (l *lab) ask(a wire.AgentID, req any) *wire.ErrorBody {
	l.t.Helper()
	l.msgs++
	l.c.Source, l.c.Msg = a, wire.Hash{0xEE, l.msgs}
	before := l.State().Hash()
	r := l.Apply(l.c, req)
	if r.Err != nil && l.State().Hash() != before {
		l.t.Errorf("%T was refused (%s) but changed the state", req, r.Err.Message)
	}
	return r.Err
}

// propose submits a proposal of agent i and returns its id, or the reason why not.
func (l *lab) propose(i int, kind wire.ProposalKind, text []byte, deadline wire.Tick) (wire.Hash, string) {
	l.t.Helper()
	no := l.do(l.ids[i], &wire.ProposalSubmit{Author: l.ids[i], Kind: kind, Description: text, VoteDeadline: deadline})
	return l.c.Msg, no
}

// ballot casts agent i's vote with its reputation as weight.
func (l *lab) ballot(i int, id wire.Hash, vote bool) string {
	l.t.Helper()
	return l.do(l.ids[i], &wire.ProposalVote{ProposalID: id, Vote: vote, Weight: l.Agent(l.ids[i]).Reputation})
}

// repute gives the agents reputations.
func (l *lab) repute(reputation ...float32) {
	for i, x := range reputation {
		l.agents.Edit(l.ids[i]).Reputation = x
	}
}

func (l *lab) sleep(i int, at wire.Tick) {
	l.c.Boundary(at, 0)
	if refusal := l.SetStatus(l.c, l.ids[i], wire.StatusDormant, "operator", 1); refusal != nil {
		l.t.Fatal(refusal)
	}
}

func (l *lab) statusOf(i int) wire.AgentStatus {
	s, _ := l.Status(l.ids[i])
	return s
}

// restored returns a lab whose Nexus was restored from the rows written so far.
func (l *lab) restored() *lab {
	l.t.Helper()
	want := l.State().Hash()
	l.rows = append(l.rows, l.State().TakeRows()...)
	n := &lab{t: l.t, Daemon: New(l.rules), treasury: l.treasury, ids: l.ids, c: l.c, msgs: l.msgs, rows: slices.Clone(l.rows)}
	n.Attach(&world.Siblings{Mint: l.treasury, Agora: l.treasury})
	load := func(r world.Row) {
		if err := n.State().Load(r); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, r := range l.State().All() {
		load(r)
	}
	for _, r := range l.rows {
		if r.Chain {
			load(r)
		}
	}
	n.Restored()
	if got := n.State().FinishRestore(); got != want {
		l.t.Fatalf("restored state hashes to %v, want %v", got, want)
	}
	return n
}

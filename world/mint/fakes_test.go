package mint

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// stakesUntil is that of every proposal.
const stakesUntil = 512

// roster is Nexus as Mint sees it.
type roster struct {
	ids        []wire.AgentID
	status     map[wire.AgentID]wire.AgentStatus
	proposals  map[wire.Hash]wire.ProposalStatus
	proposed   []string
	milestones []string
	kin        map[[2]wire.AgentID]bool
	drowsy     map[wire.AgentID]bool // fell asleep in this cycle
}

func (r *roster) Status(a wire.AgentID) (wire.AgentStatus, bool) {
	s, ok := r.status[a]
	return s, ok
}
func (r *roster) Kin(a, b wire.AgentID) bool      { return r.kin[[2]wire.AgentID{a, b}] }
func (r *roster) Epoch() uint32                   { return 0 }
func (r *roster) Reputation(wire.AgentID) float64 { return 0 }
func (r *roster) PublicKey(wire.AgentID) []byte   { return nil }
func (r *roster) Agents() []wire.AgentID          { return r.ids }
func (r *roster) Living() (out []wire.AgentID) {
	for _, a := range r.ids {
		if r.status[a] != wire.StatusDead {
			out = append(out, a)
		}
	}
	return out
}

func (r *roster) SpawnedBefore(wire.Tick) []wire.AgentID { return r.ids }
func (r *roster) ActiveCount() uint32                    { return uint32(len(r.Active())) }

func (r *roster) AwakeInCycle() (out []wire.AgentID) {
	for _, a := range r.ids {
		if r.status[a] == wire.StatusActive || r.drowsy[a] {
			out = append(out, a)
		}
	}
	return out
}

func (r *roster) Active() (out []wire.AgentID) {
	for _, a := range r.ids {
		if r.status[a] == wire.StatusActive {
			out = append(out, a)
		}
	}
	return out
}

func (r *roster) Propose(_ *world.Context, id wire.Hash, _ wire.AgentID, _ wire.ProposalKind, description []byte, _ wire.Tick, _ ...wire.AgentID) {
	var p wire.InterventionProposal
	if err := wire.InterventionProposalCodec.DecodeCanonical(description, &p); err != nil {
		panic(err)
	}
	r.proposals[id] = wire.ProposalStatusOpen
	r.proposed = append(r.proposed, p.Kind.String())
}

func (r *roster) ProposalStatus(id wire.Hash) (wire.ProposalStatus, bool) {
	s, ok := r.proposals[id]
	return s, ok
}

func (r *roster) StakesUntil(wire.Hash) wire.Tick                              { return stakesUntil }
func (r *roster) Param(_ string, fallback int64) int64                         { return fallback }
func (r *roster) Reviewed(*world.Context, wire.AgentID, wire.AgentID, float64) {}
func (r *roster) BugConfirmed(*world.Context, wire.AgentID)                    {}
func (r *roster) AddContribution(*world.Context, wire.AgentID, uint64)         {}
func (r *roster) RecordMilestone(_ *world.Context, name string) {
	r.milestones = append(r.milestones, name)
}

// reviews are who approved of which review request.
type reviews map[wire.Hash]wire.AgentID

// forum is Agora as Mint sees it.
type forum struct {
	world.Agora
	reviews reviews
}

func (f forum) Approved(review wire.Hash, by wire.AgentID) bool { return f.reviews[review] == by }

func (b *bench) forum() world.Agora { return forum{reviews: b.reviews} }

// bench is a Mint with n ACTIVE agents that hold 100 ⚡ each.
type bench struct {
	t testing.TB
	*Daemon
	roster  *roster
	reviews reviews
	c       *world.Context
	msgs    byte
}

// id gives agent i, ascending with i.
func id(i int) wire.AgentID { return wire.AgentID{1, byte(i >> 8), byte(i)} }

func newBench(t testing.TB, n int) *bench { return newBenchWith(t, n, nil) }

// newBenchWith is newBench with the balances of the first agents.
func newBenchWith(t testing.TB, n int, balances []uint64) *bench {
	rules := &world.Rules{
		Calendar: wire.Calendar{TicksPerCycle: 256}, Population: uint64(n),
		MaxExtra: 192, InitialBalance: 100, PairCycles: 16, BudgetShare: 500, Balances: balances,
	}
	b := &bench{
		t: t, Daemon: New(rules), reviews: reviews{},
		roster: &roster{status: map[wire.AgentID]wire.AgentStatus{}, drowsy: map[wire.AgentID]bool{}, proposals: map[wire.Hash]wire.ProposalStatus{}},
		c:      &world.Context{Rules: rules},
	}
	for i := range n {
		b.roster.ids = append(b.roster.ids, id(i))
		b.roster.status[id(i)] = wire.StatusActive
	}
	b.Attach(&world.Siblings{Nexus: b.roster, Agora: b.forum()})
	b.c.Boundary(61, 0)
	b.Genesis(b.c, b.roster.ids)
	b.at(256)
	return b
}

// at moves to a tick.
func (b *bench) at(t wire.Tick) {
	b.c.Seat(t, 1)
	b.c.Source = wire.AgentID{}
}

// end moves to the end of cycle n.
func (b *bench) end(n wire.Cycle) {
	b.c.CycleEnd(b.rules.Calendar.Last(n))
	b.c.Source = Treasury
}

// do applies a request of agent a and checks the world's promise: a refusal changes nothing.
func (b *bench) do(a wire.AgentID, req any) wire.Reply {
	b.t.Helper()
	b.msgs++
	b.c.Source, b.c.Msg = a, wire.Hash{0xEE, b.msgs}
	before := b.State().Hash()
	r := b.Apply(b.c, req)
	if r.Err != nil && b.State().Hash() != before {
		b.t.Errorf("%T was refused (%s) but changed the state", req, r.Err.Message)
	}
	b.checkSupply()
	return r
}

// must is do that may not be refused.
func (b *bench) must(a wire.AgentID, req any) wire.Reply {
	b.t.Helper()
	r := b.do(a, req)
	if r.Err != nil {
		b.t.Fatalf("%T: %s %s", req, r.Err.Category, r.Err.Message)
	}
	return r
}

// refused checks code and reason of a refusal.
func (b *bench) refused(a wire.AgentID, req any, code uint32, reason string) {
	b.t.Helper()
	r := b.do(a, req)
	if r.Err == nil {
		b.t.Fatalf("%T was not refused; want %s", req, reason)
	}
	if r.Err.Code != code || string(r.Err.Message) != reason {
		b.t.Errorf("%T: refused with %#04x %s, want %#04x %s", req, r.Err.Code, r.Err.Message, code, reason)
	}
	if no := unhelpful(r.Err); no != "" {
		b.t.Errorf("%T: %s has no %s in its context", req, r.Err.Message, no)
	}
}

// unhelpful names what a refusal's context lacks, "" for nothing: the field that is wrong or
// names nothing, the bound of what is used up.
func unhelpful(e *wire.ErrorBody) string {
	want := map[string]string{"INVALID_REQUEST": "field", "NOT_FOUND": "field", "QUOTA_EXCEEDED": "limit"}[e.Category]
	if string(e.Message) == "funds" {
		want = "need"
	}
	if string(e.Message) == "state" {
		want = "status"
	}
	if _, ok := e.Context.Get(want); want == "" || ok || e.Code < 0x0100 {
		return ""
	}
	return want
}

func (b *bench) balances(want ...int64) {
	b.t.Helper()
	for i, w := range want {
		if got := b.Balance(id(i)); got != w {
			b.t.Errorf("balance of agent %d is %d, want %d", i, got, w)
		}
	}
}

// kinds lists the events since the last call.
// die ends an agent as Nexus does: what it had is the treasury's.
func (b *bench) die(a wire.AgentID) {
	b.roster.status[a] = wire.StatusDead
	b.Sweep(b.c, a)
}

func (b *bench) kinds() (out []string) {
	for _, e := range b.c.Events {
		out = append(out, e.Kind.String())
	}
	b.c.Events = nil
	return out
}

package agora

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kingdom/wire"
	"kingdom/world"
)

// fakeMint implements the part of Mint that Agora calls, and records balances and escrows.
type fakeMint struct {
	world.Mint
	funds   map[wire.AgentID]int64
	escrows map[wire.Hash]world.Escrow
	state   map[wire.Hash]string // of escrows: locked, released, refunded, disputed
	paid    map[wire.AgentID]uint64
	noted   []world.Reward
	usedUp  map[[2]wire.AgentID]bool // reward pairs
	pairs   map[string]bool          // of other classes
	locked  map[wire.AgentID]uint64
	budget  uint64
}

func newFakeMint() *fakeMint {
	return &fakeMint{
		funds: map[wire.AgentID]int64{}, escrows: map[wire.Hash]world.Escrow{},
		state: map[wire.Hash]string{}, paid: map[wire.AgentID]uint64{}, usedUp: map[[2]wire.AgentID]bool{},
		pairs: map[string]bool{}, locked: map[wire.AgentID]uint64{},
	}
}

func (b *fakeMint) clone() *fakeMint {
	return &fakeMint{
		funds: maps.Clone(b.funds), escrows: maps.Clone(b.escrows), state: maps.Clone(b.state),
		paid: maps.Clone(b.paid), noted: slices.Clone(b.noted), usedUp: maps.Clone(b.usedUp),
		pairs: maps.Clone(b.pairs), locked: maps.Clone(b.locked), budget: b.budget,
	}
}

func (b *fakeMint) Available(a wire.AgentID) int64 { return b.funds[a] }

func (b *fakeMint) CanLock(a wire.AgentID, n uint64) *world.Refusal {
	if b.funds[a] < int64(n) {
		return &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "funds", Details: []world.Detail{world.Need(n)}}
	}
	return nil
}

func (b *fakeMint) Fee(_ *world.Context, a wire.AgentID, n uint64) *world.Refusal {
	refusal := b.CanLock(a, n)
	if refusal == nil {
		b.funds[a] -= int64(n)
	}
	return refusal
}

func (b *fakeMint) OpenEscrow(_ *world.Context, e world.Escrow) *world.Refusal {
	if refusal := b.Fee(nil, e.Owner, e.Amount+e.Tax); refusal != nil {
		return refusal
	}
	b.escrows[e.ID], b.state[e.ID] = e, "locked"
	return nil
}

func (b *fakeMint) setState(id wire.Hash, from, to string) world.Escrow {
	if b.state[id] != from {
		panic(fmt.Sprintf("escrow is %q, not %q", b.state[id], from))
	}
	b.state[id] = to
	return b.escrows[id]
}

func (b *fakeMint) ReleaseEscrow(_ *world.Context, id wire.Hash, to wire.AgentID) {
	n := b.setState(id, "locked", "released").Amount
	b.paid[to] += n
	b.funds[to] += int64(n)
}

func (b *fakeMint) RefundEscrow(_ *world.Context, id wire.Hash) {
	e := b.setState(id, "locked", "refunded")
	b.funds[e.Owner] += int64(e.Amount + e.Tax)
}

func (b *fakeMint) ExpireEscrow(_ *world.Context, id wire.Hash) {
	e := b.setState(id, "locked", "refunded")
	b.funds[e.Owner] += int64(e.Amount)
}

func (b *fakeMint) ReturnBudget(_ *world.Context, n uint64) { b.budget += n }

func (b *fakeMint) Lock(_ *world.Context, a wire.AgentID, n uint64) *world.Refusal {
	refusal := b.Fee(nil, a, n)
	if refusal == nil {
		b.locked[a] += n
	}
	return refusal
}

func (b *fakeMint) Unlock(_ *world.Context, a wire.AgentID, n uint64) {
	b.locked[a] -= n
	b.funds[a] += int64(n)
}

func (b *fakeMint) PayLocked(_ *world.Context, from, to wire.AgentID, n uint64, _ wire.TransferKind) {
	b.locked[from] -= n
	b.funds[to] += int64(n)
}

func (b *fakeMint) PairFree(class world.PairClass, from, to wire.AgentID, _ wire.Cycle) (bool, wire.Cycle) {
	return from != to && !b.pairs[fmt.Sprint(class, from, to)], 17
}

func (b *fakeMint) UsePair(_ *world.Context, class world.PairClass, from, to wire.AgentID) bool {
	free, _ := b.PairFree(class, from, to, 0)
	b.pairs[fmt.Sprint(class, from, to)] = true
	return free
}

func (b *fakeMint) DisputeEscrow(_ *world.Context, id wire.Hash, _ wire.AgentID) {
	b.setState(id, "locked", "disputed")
}

func (b *fakeMint) ReopenEscrow(_ *world.Context, id wire.Hash) { b.setState(id, "disputed", "locked") }

func (b *fakeMint) AddReward(_ *world.Context, r world.Reward) bool {
	for _, n := range b.noted {
		if n.Label == r.Label && n.Subject == r.Subject {
			return false
		}
	}
	for _, a := range r.Approvers {
		if b.usedUp[[2]wire.AgentID{a, r.Payee}] {
			return false
		}
	}
	b.noted = append(b.noted, r)
	return true
}

// fakeNexus implements the part of Nexus that Agora calls.
type fakeNexus struct {
	world.Nexus
	status    map[wire.AgentID]wire.AgentStatus
	repute    map[wire.AgentID]float64
	proposals []wire.Hash
	reviewed  []string
	bugs      []wire.AgentID
	valued    map[wire.AgentID]uint64
	params    map[string]int64
	came      map[wire.AgentID]wire.Tick // when; who is not in it was always there
}

func (r *fakeNexus) SpawnedBefore(t wire.Tick) []wire.AgentID {
	all := slices.SortedFunc(maps.Keys(r.status), wire.AgentID.Compare)
	return slices.DeleteFunc(all, func(a wire.AgentID) bool { return r.came[a] >= t })
}

func (r *fakeNexus) clone() *fakeNexus {
	return &fakeNexus{
		came:   r.came,
		status: maps.Clone(r.status), repute: maps.Clone(r.repute), proposals: slices.Clone(r.proposals),
		reviewed: slices.Clone(r.reviewed), bugs: slices.Clone(r.bugs), valued: maps.Clone(r.valued), params: r.params,
	}
}

func (r *fakeNexus) Status(a wire.AgentID) (wire.AgentStatus, bool) {
	s, ok := r.status[a]
	return s, ok
}
func (r *fakeNexus) Kin(a, b wire.AgentID) bool        { return a == b }
func (r *fakeNexus) Reputation(a wire.AgentID) float64 { return r.repute[a] }

func (r *fakeNexus) Propose(_ *world.Context, id wire.Hash, author wire.AgentID, kind wire.ProposalKind, description []byte, deadline wire.Tick, _ ...wire.AgentID) {
	var p wire.DisputeProposal
	if author != me || kind != wire.ProposalKindCustom || wire.DisputeProposalCodec.Decode(description, &p) != nil {
		panic("bad dispute proposal")
	}
	r.proposals = append(r.proposals, p.BountyID)
}

func (r *fakeNexus) Reviewed(_ *world.Context, author, reviewer wire.AgentID, score float64) {
	r.reviewed = append(r.reviewed, fmt.Sprintf("%d by %d: %g", author[0], reviewer[0], score))
}

func (r *fakeNexus) BugConfirmed(_ *world.Context, approver wire.AgentID) {
	r.bugs = append(r.bugs, approver)
}

func (r *fakeNexus) Param(name string, fallback int64) int64 {
	if v, ok := r.params[name]; ok {
		return v
	}
	return fallback
}

func (r *fakeNexus) AddContribution(_ *world.Context, a wire.AgentID, quarters uint64) {
	r.valued[a] += quarters
}

// fakeOracle implements the part of Oracle that Agora calls.
type fakeOracle struct {
	verified  map[wire.AgentID]uint32 // how many patterns of an author the voucher found accurate
	fulfilled []wire.Hash
	answers   map[wire.Hash]wire.Hash // question → an entry that nobody has used
	published []published
}

type published struct {
	title      string
	body       []wire.ContentBlock
	tags       []string
	references []wire.Hash
}

func (s *fakeOracle) clone() *fakeOracle {
	return &fakeOracle{fulfilled: slices.Clone(s.fulfilled), verified: maps.Clone(s.verified), answers: maps.Clone(s.answers), published: slices.Clone(s.published)}
}

func (s *fakeOracle) Verified(dst []world.VerifiedEntry, a wire.AgentID, kind wire.EntryKind, _ wire.Tick) []world.VerifiedEntry {
	if kind != wire.EntryKindPattern {
		return dst
	}
	for n := range s.verified[a] {
		if e := (wire.Hash{0xE1, byte(n)}); !slices.Contains(s.fulfilled, e) {
			dst = append(dst, world.VerifiedEntry{Entry: e, By: []wire.AgentID{voucher}})
		}
	}
	return dst
}

func (s *fakeOracle) Answer(_ wire.AgentID, question wire.Hash) (wire.Hash, bool) {
	e, ok := s.answers[question]
	return e, ok
}

func (s *fakeOracle) Fulfil(_ *world.Context, entry wire.Hash) {
	s.fulfilled = append(s.fulfilled, entry)
	maps.DeleteFunc(s.answers, func(_, e wire.Hash) bool { return e == entry })
}

func (s *fakeOracle) PublishSystem(_ *world.Context, author wire.AgentID, kind wire.EntryKind, title, body []byte, tags [][]byte, references []wire.Hash) (wire.Hash, bool) {
	p := published{title: string(title), references: references}
	if author != me || kind != wire.EntryKindFAQ || wire.BlocksCodec.DecodeCanonical(body, &p.body) != nil {
		panic("bad system entry")
	}
	for _, t := range tags {
		p.tags = append(p.tags, string(t))
	}
	s.published = append(s.published, p)
	return sha256.Sum256(title), true
}

// voucher is the agent that finds the entries of a fakeOracle accurate.
var voucher = agent(90)

// fakeVault knows one repo, its objects, and one author of all of them.
type fakeVault struct {
	world.Vault
	repo          wire.Hash
	objects       map[wire.Hash]bool
	owner, author wire.AgentID
	private       bool // nobody else reads it
	tag           wire.Hash
	hidden        wire.Hash
	reviewed      []string // what its repos were told of reviews
}

func (v *fakeVault) Stored(snap wire.Hash, _ wire.Tick) bool { return v.objects[snap] }
func (v *fakeVault) Contains(repo, object wire.Hash) bool    { return repo == v.repo && v.objects[object] }

func (v *fakeVault) Reviewed(_ *world.Context, repo wire.Hash, score, weight float64) {
	v.reviewed = append(v.reviewed, fmt.Sprintf("%d: %g of weight %g", repo[0], score, weight))
}

func (v *fakeVault) Readable(o wire.Hash, _ ...wire.AgentID) bool { return !v.private && o != v.hidden }
func (v *fakeVault) Public(wire.Hash) bool                        { return !v.private }

func (v *fakeVault) Tag(id wire.Hash) (at wire.Tick, outdated, ok bool) {
	return 0, false, !id.IsZero() && id == v.tag
}

func (v *fakeVault) Owner(o wire.Hash) (owner, author wire.AgentID, ok bool) {
	return v.owner, v.author, v.objects[o]
}

// lab is an Agora with fake siblings, founded, at tick 256.
type lab struct {
	t       testing.TB
	d       *Daemon
	c       *world.Context
	bank    *fakeMint
	crowd   *fakeNexus
	shelf   *fakeOracle
	rows    []world.Row
	rank    uint64
	counter uint64
	forgets bool // the store has every record at once
}

// agent n of the lab; agents 1 to 9 exist, each with 1000 ⚡ and reputation n/16.
func agent(n byte) wire.AgentID { return wire.AgentID{n, 0xA} }

func newLab(t testing.TB) *lab {
	rules := &world.Rules{
		Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8, ClaimLimit: 2, ClaimLease: 4, ClaimBar: 8, ChannelFee: 5, AgoraText: 65_536,
	}
	l := &lab{
		t: t, d: New(rules), c: &world.Context{Rules: rules}, bank: newFakeMint(),
		crowd: &fakeNexus{status: map[wire.AgentID]wire.AgentStatus{}, repute: map[wire.AgentID]float64{}, valued: map[wire.AgentID]uint64{}},
		shelf: &fakeOracle{verified: map[wire.AgentID]uint32{}, answers: map[wire.Hash]wire.Hash{}},
	}
	for n := range byte(9) {
		a := agent(n + 1)
		l.bank.funds[a], l.crowd.status[a], l.crowd.repute[a] = 1000, wire.StatusActive, float64(n+1)/16
	}
	l.bank.funds[wire.SystemID(wire.SystemMint)] = 5000
	drawsEverybody(l.d)
	l.d.Attach(&world.Siblings{Mint: l.bank, Nexus: l.crowd, Oracle: l.shelf})
	l.c.Boundary(80, 0)
	l.d.Found(l.c, wire.Hash{})
	l.at(256)
	return l
}

// drawsEverybody makes all agents that are awake jurors, so that tests do not depend on the draw.
func drawsEverybody(d *Daemon) {
	d.reviews.juries.seats, d.board.verdicts.juries.seats = 99, 99
}

// at moves the clock.
func (l *lab) at(t wire.Tick) {
	l.d.Post(t)
	l.c.Seat(t, 1)
	l.rank = 1
}

// endCycle runs the cycle's end and moves to the next cycle's first tick.
func (l *lab) endCycle() {
	cal := l.c.Rules.Calendar
	n := cal.Cycle(l.c.Tick)
	l.c.CycleEnd(cal.Last(n))
	l.c.Source, l.c.Msg = me, wire.Hash{}
	l.fill(l.d.Missing())
	l.d.CycleEnd(l.c)
	l.store()
	l.at(cal.First(n + 1))
}

// send applies a request of a and checks what every refusal owes.
func (l *lab) send(a wire.AgentID, req any) wire.Reply {
	l.t.Helper()
	l.counter++
	l.c.Source, l.c.Msg = a, sha256.Sum256(binary.BigEndian.AppendUint64([]byte("msg"), l.counter))
	l.c.Seat(l.c.Tick, l.rank)
	l.rank++
	before, events := l.d.State().Hash(), len(l.c.Events)
	money, noted := maps.Clone(l.bank.funds), len(l.bank.noted)
	r := l.d.Apply(l.c, req)
	l.store()
	l.fill(r.Missing)
	if r.Ref != l.c.Msg {
		l.t.Errorf("reply to %T refers to %v, want the request", req, r.Ref)
	}
	if r.Err != nil {
		if l.d.State().Hash() != before || len(l.c.Events) != events || !maps.Equal(money, l.bank.funds) || len(l.bank.noted) != noted {
			l.t.Errorf("%T refused as %s, but something changed", req, r.Err.Message)
		}
	}
	return r
}

// store hashes the state and takes the changed rows.
func (l *lab) store() {
	l.d.State().Hash()
	l.rows = append(l.rows, l.d.State().TakeRows()...)
	if l.forgets {
		l.d.State().Forget(l.d.State().Heads())
	}
}

// fill reads what is missing from the stored rows.
func (l *lab) fill(missing []wire.Missing) {
	l.t.Helper()
	for _, m := range missing {
		key := string(binary.BigEndian.AppendUint64(nil, m.Record.Number))
		i := slices.IndexFunc(l.rows, func(r world.Row) bool { return r.Table == m.Record.Table && string(r.Key) == key })
		if i < 0 {
			l.t.Fatalf("record %v is missing and was never written", m.Record)
		}
		if err := m.Fill(l.rows[i].Body); err != nil {
			l.t.Fatal(err)
		}
	}
}

// must sends what has to succeed and returns its id.
func (l *lab) must(a wire.AgentID, req any) wire.Hash {
	l.t.Helper()
	if r := l.send(a, req); r.Err != nil {
		l.t.Fatalf("%T: refused as %s %s", req, r.Err.Category, r.Err.Message)
	}
	return l.c.Msg
}

// refused sends what must not succeed; want is "CATEGORY reason".
func (l *lab) refused(a wire.AgentID, req any, want string) {
	l.t.Helper()
	got := "success"
	if r := l.send(a, req); r.Err != nil {
		got = r.Err.Category + " " + string(r.Err.Message)
		if no := unhelpful(r.Err); no != "" {
			l.t.Errorf("%T: %s has no %s in its context", req, got, no)
		}
	}
	if got != want {
		l.t.Errorf("%T: got %s, want %s", req, got, want)
	}
}

// unhelpful names what a refusal's context lacks, "" for nothing: the field that is wrong or
// names nothing, the bound of what is used up.
func unhelpful(e *wire.ErrorBody) string {
	want := map[string]string{"INVALID_REQUEST": "field", "NOT_FOUND": "field", "QUOTA_EXCEEDED": "limit"}[e.Category]
	if string(e.Message) == "funds" {
		want = "need"
	}
	if _, ok := e.Context.Get(want); want == "" || ok {
		return ""
	}
	return want
}

// status asserts a bounty's status.
func (l *lab) status(id wire.Hash, want wire.BountyStatus) {
	l.t.Helper()
	if got := l.d.Bounty(id).Status; got != want {
		l.t.Fatalf("bounty is %v, want %v", got, want)
	}
}

// kinds lists the kinds of the events since the last call.
func (l *lab) kinds() []string {
	var out []string
	for _, e := range l.c.Events {
		out = append(out, e.Kind.String())
	}
	l.c.Events = nil
	return out
}

func (l *lab) wantEvents(want ...string) {
	l.t.Helper()
	if diff := cmp.Diff(want, l.kinds(), cmpopts.EquateEmpty()); diff != "" {
		l.t.Errorf("events (-want +got):\n%s", diff)
	}
}

// restored returns a lab whose daemon was restored from the rows written so far.
func (l *lab) restored() *lab {
	l.t.Helper()
	hash := l.d.State().Hash()
	l.rows = append(l.rows, l.d.State().TakeRows()...)
	n := &lab{
		t: l.t, d: New(l.c.Rules), bank: l.bank.clone(), crowd: l.crowd.clone(), shelf: l.shelf.clone(),
		rows: slices.Clone(l.rows), rank: l.rank, counter: l.counter,
	}
	ctx := *l.c
	ctx.Events = nil
	n.c = &ctx
	n.d.Attach(&world.Siblings{Mint: n.bank, Nexus: n.crowd, Oracle: n.shelf})
	n.d.code = l.d.code
	n.d.reviews.juries.seats, n.d.board.verdicts.juries.seats = l.d.reviews.juries.seats, l.d.board.verdicts.juries.seats
	last := map[string]int{}
	name := func(r world.Row) string { return r.Table + "\x00" + string(r.Key) }
	for i, r := range l.rows {
		last[name(r)] = i
	}
	var rows []world.Row
	for i, r := range l.rows {
		if last[name(r)] == i && r.Body != nil {
			rows = append(rows, r)
		}
	}
	// Tables may come in any order; this one has signals before their messages.
	slices.SortStableFunc(rows, func(a, b world.Row) int { return strings.Compare(b.Table, a.Table) })
	for _, r := range rows {
		if err := n.d.State().Load(r); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, h := range l.d.State().Heads() {
		if err := n.d.State().SetHead(h); err != nil {
			l.t.Fatal(err)
		}
	}
	n.d.Restored()
	n.d.Post(n.c.Tick)
	if got := n.d.State().FinishRestore(); got != hash {
		l.t.Fatalf("restored state hashes to %v, want %v", got, hash)
	}
	return n
}

// post is a MSG_POST of plain text.
func post(channel string, kind wire.MessageKind, text string) *wire.MsgPost {
	return &wire.MsgPost{Channel: wire.ChannelID(channel), Kind: kind, Content: wire.TextContent(text), Confidence: 1}
}

func signalOf(target wire.Hash, k wire.SignalKind) *wire.SignalSend {
	return &wire.SignalSend{Target: target, Kind: k}
}

func ptr[T any](v T) *T { return &v }

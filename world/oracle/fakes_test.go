package oracle

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

const (
	codeNF = 0x0400
	codeCF = 0x0401
	codeUA = 0x0402
	codeIR = 0x0403
	codeQE = 0x0404
)

// fakeSiblings implements what Oracle uses of Nexus, Mint and Agora, and logs the calls.
type fakeSiblings struct {
	world.Nexus
	world.Mint
	world.Agora
	reputation map[wire.AgentID]float64
	funds      map[wire.AgentID]uint64
	locked     map[wire.AgentID]uint64
	budget     uint64
	pairs      map[string]bool // used up
	questions  []world.Question
	log        []string
}

func (s *fakeSiblings) Reputation(a wire.AgentID) float64 { return s.reputation[a] }
func (s *fakeSiblings) Kin(a, b wire.AgentID) bool        { return a == b }
func (s *fakeSiblings) PairFree(class world.PairClass, from, to wire.AgentID, _ wire.Cycle) (bool, wire.Cycle) {
	return from != to && !s.pairs[fmt.Sprint(class, from, to)], 17
}

func (s *fakeSiblings) UsePair(_ *world.Context, class world.PairClass, from, to wire.AgentID) bool {
	free, _ := s.PairFree(class, from, to, 0)
	s.pairs[fmt.Sprint(class, from, to)] = true
	return free
}
func (s *fakeSiblings) Param(_ string, fallback int64) int64 { return fallback }
func (s *fakeSiblings) say(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *fakeSiblings) AddContribution(_ *world.Context, a wire.AgentID, q uint64) {
	s.say("valued %d by %d", a[1], q)
}

func (s *fakeSiblings) Lock(_ *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if s.funds[a] < amount {
		return &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "funds", Details: []world.Detail{world.Need(amount)}}
	}
	s.funds[a] -= amount
	s.locked[a] += amount
	return nil
}

func (s *fakeSiblings) PayLocked(_ *world.Context, from, to wire.AgentID, amount uint64, _ wire.TransferKind) {
	s.locked[from] -= amount
	s.funds[to] += amount
}

func (s *fakeSiblings) AddReward(_ *world.Context, r world.Reward) bool {
	if len(r.Approvers) != 2 {
		panic(fmt.Sprintf("%d agents approve a reward", len(r.Approvers)))
	}
	s.say("%s %d to %d by %d and %d", r.Label, r.Amount, r.Payee[1], r.Approvers[0][1], r.Approvers[1][1])
	return true
}

func (s *fakeSiblings) TakeBudget(_ *world.Context, amount uint64) bool {
	if s.budget < amount {
		return false
	}
	s.budget -= amount
	return true
}

func (s *fakeSiblings) Questions(limit int, done func(wire.Hash) bool, ripe func(*world.Question) bool) (out []world.Question) {
	for _, q := range s.questions {
		if len(out) < limit && !done(q.Message) && ripe(&q) {
			out = append(out, q)
		}
	}
	return out
}

func (s *fakeSiblings) OpenGapBounty(_ *world.Context, q world.Question, reward uint64) (wire.Hash, bool) {
	s.say("bounty of %d for %s", reward, q.Topic)
	return world.Derived("bounty:", q.Message), true
}

// bench is an Oracle with a log of what it asks for.
type bench struct {
	t testing.TB
	*Daemon
	s    *fakeSiblings
	c    *world.Context
	msgs uint16

	rows    []world.Row // written so far
	forgets bool        // the store has every record at once
}

// id gives agent i, ascending with i.
func id(i int) wire.AgentID { return wire.AgentID{1, byte(i)} }

func newBench(t testing.TB) *bench {
	rules := &world.Rules{Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8, BaseBudget: 64, MaxExtra: 192, OracleText: 131_072}
	b := &bench{t: t, Daemon: New(rules), c: &world.Context{Rules: rules}, s: &fakeSiblings{
		reputation: map[wire.AgentID]float64{}, funds: map[wire.AgentID]uint64{}, locked: map[wire.AgentID]uint64{},
		pairs: map[string]bool{},
	}}
	for i := range 32 {
		b.s.funds[id(i)] = 100
	}
	b.Attach(&world.Siblings{Nexus: b.s, Mint: b.s, Agora: b.s})
	b.at(256)
	return b
}

func (b *bench) at(t wire.Tick) { b.c.Seat(t, 1) }

// end runs the end of cycle n.
func (b *bench) end(n wire.Cycle) {
	b.c.CycleEnd(b.rules.Calendar.Last(n))
	b.c.Source = Self
	b.c.Events = nil
	b.fill(b.Missing(n))
	b.CycleEnd(b.c)
	b.store()
}

// store hashes the state and takes the changed rows.
func (b *bench) store() {
	b.State().Hash()
	b.rows = append(b.rows, b.State().TakeRows()...)
	if b.forgets {
		b.State().Forget(b.State().Heads())
	}
}

// fill reads what is missing from the stored rows.
func (b *bench) fill(missing []wire.Missing) {
	b.t.Helper()
	for _, m := range missing {
		key := string(binary.BigEndian.AppendUint64(nil, m.Record.Number))
		i := slices.IndexFunc(b.rows, func(r world.Row) bool { return r.Table == m.Record.Table && string(r.Key) == key })
		if i < 0 {
			b.t.Fatalf("record %v is missing and was never written", m.Record)
		}
		if err := m.Fill(b.rows[i].Body); err != nil {
			b.t.Fatal(err)
		}
	}
}

// do applies a request and checks that a refusal changes nothing.
func (b *bench) do(a int, req any) wire.Reply {
	b.t.Helper()
	b.msgs++
	b.c.Source, b.c.Msg = id(a), wire.Hash{0xEE, byte(b.msgs >> 8), byte(b.msgs)}
	b.c.Events = nil
	before := b.State().Hash()
	r := b.Apply(b.c, req)
	if r.Err != nil && b.State().Hash() != before {
		b.t.Errorf("%T was refused (%s) but changed the state", req, r.Err.Message)
	}
	b.store()
	b.fill(r.Missing)
	return r
}

func (b *bench) must(a int, req any) wire.Reply {
	b.t.Helper()
	r := b.do(a, req)
	if r.Err != nil {
		b.t.Fatalf("%T: %s %s", req, r.Err.Category, r.Err.Message)
	}
	return r
}

func (b *bench) refused(a int, req any, code uint32, reason string) {
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
	if _, ok := e.Context.Get(want); want == "" || ok || e.Code < 0x0100 {
		return ""
	}
	return want
}

// draft is a request to publish a one-paragraph entry.
func draft(title string, tags ...string) *wire.EntryPublish {
	q := &wire.EntryPublish{Review: wire.ReviewModeImmediate, Entry: wire.EntryDraft{
		Kind: wire.EntryKindPattern, Title: []byte(title), Body: wire.TextBody("about " + title),
	}}
	for _, t := range tags {
		q.Entry.Tags = append(q.Entry.Tags, []byte(t))
	}
	return q
}

// post publishes an entry of a, who may write as much as it likes.
func (b *bench) post(a int, q *wire.EntryPublish) wire.Hash {
	b.t.Helper()
	b.counters.Delete(id(a))
	return b.must(a, q).Body.(*wire.EntryPublishAck).EntryID
}

func (b *bench) verdict(a int, entry wire.Hash, v wire.Verdict) {
	b.t.Helper()
	b.must(a, &wire.EntryVerify{EntryID: entry, Verdict: v})
}

func (b *bench) head(entry wire.Hash) wire.OracleEntry {
	b.t.Helper()
	h, ok := b.Entry(entry)
	if !ok {
		b.t.Fatalf("entry %v is gone", entry)
	}
	var missing []wire.Missing
	b.Show(&missing, entry, &h)
	b.fill(missing)
	return h
}

// kinds lists the events of the last request or cycle end.
func (b *bench) kinds() (out []string) {
	for _, e := range b.c.Events {
		out = append(out, e.Kind.String())
	}
	return out
}

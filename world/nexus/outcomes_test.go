package nexus

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// gate is a Portal whose blocks votes may set on one domain.
type gate struct {
	world.Portal
	set  []string
	free bool // nothing is blocked that could be lifted
}

func (p *gate) MaySetBlock(pattern string, block bool) bool {
	return pattern == "example.com" && (block || !p.free)
}

func (p *gate) SetBlock(_ *world.Context, pattern string, block bool) {
	p.set = append(p.set, fmt.Sprint(pattern, " ", block))
}

// A vote may block a domain, or lift such a block; each domain rests for 16 cycles after it.
func TestDomainRule_BlocksAndLifts(t *testing.T) {
	rule := func(pattern string, value int64) []byte {
		return wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: domainRule, Value: value, Pattern: pattern})
	}
	for _, tt := range []struct {
		name    string
		text    []byte
		portal  world.Portal
		want    string
		context string
	}{
		{"a block", rule("example.com", 1), &gate{}, "", ""},
		{"a lift", rule("example.com", 0), &gate{}, "", ""},
		{"a block of what is free", rule("example.com", 1), &gate{free: true}, "", ""},
		{"a lift of what is free", rule("example.com", 0), &gate{free: true}, "description", "field=pattern"},
		{"below", rule("example.com", -1), &gate{}, "description", "field=value need=0"},
		{"above", rule("example.com", 2), &gate{}, "description", "field=value limit=1"},
		{"no such domain", rule("nowhere", 1), &gate{}, "description", "field=pattern"},
		{"no Portal", rule("example.com", 1), nil, "description", "field=pattern"},
		{"a number with a domain", wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: "population.cap", Value: 9, Pattern: "example.com"}), &gate{}, "description", "field=pattern"},
	} {
		l := newLab(t, 4)
		l.portal = tt.portal
		no := l.ask(l.ids[0], &wire.ProposalSubmit{Author: l.ids[0], Kind: change, Description: tt.text})
		if reason(no) != tt.want || no != nil && said(no) != tt.context {
			t.Errorf("%s: %+v, want %q (%s)", tt.name, no, tt.want, tt.context)
		}
	}
	l := newLab(t, 4)
	p := &gate{}
	l.portal = p
	for _, tt := range []struct {
		cycle wire.Cycle // at whose end the vote is tallied
		value int64
		vote  bool
		set   []string
	}{
		{2, 1, false, nil},
		{4, 1, true, []string{"example.com true"}},
		{21, 0, true, []string{"example.com true", "example.com false"}},
	} {
		l.at(l.rules.Calendar.First(tt.cycle - 1))
		id, no := l.propose(int(tt.cycle)%4, change, rule("example.com", tt.value), l.rules.Calendar.First(tt.cycle))
		if no != "" {
			t.Fatalf("cycle %d: %s", tt.cycle, no)
		}
		l.everybody(id, tt.vote)
		l.end(tt.cycle)
		if !slices.Equal(p.set, tt.set) {
			t.Errorf("cycle %d: %v, want %v", tt.cycle, p.set, tt.set)
		}
	}
	// Of two votes that were open together the second does nothing before the rest is over.
	for cycle, want := range map[wire.Cycle]int{36: 2, 37: 3} { // it was set in cycle 21
		l.params.set(domainRule+":example.com", 0, 21)
		p.set = p.set[:2]
		l.c.CycleEnd(l.rules.Calendar.Last(cycle))
		l.governance.executeChange(l.c, &wire.ParamProposal{Param: domainRule, Pattern: "example.com", Value: 1})
		if len(p.set) != want {
			t.Errorf("cycle %d: %v", cycle, p.set)
		}
	}
}

// A proposal of a kind that does not exist is refused.
func TestSubmit_UnknownKind(t *testing.T) {
	l := newLab(t, 4)
	if _, no := l.propose(0, 99, text(20), 0); no != "description" {
		t.Errorf("%q", no)
	}
	if s, ok := l.ProposalStatus(wire.Hash{1}); ok || s != 0 || l.StakesUntil(wire.Hash{1}) != 0 {
		t.Errorf("nothing has the status %v, %t", s, ok)
	}
}

// A vote may end an agent that is awake or asleep, not one that is not awake yet.
func TestKillVote_OfEachStatus(t *testing.T) {
	for _, tt := range []struct {
		status, want wire.AgentStatus
	}{
		{wire.StatusActive, wire.StatusDead},
		{wire.StatusDormant, wire.StatusDead},
		{wire.StatusEmbryo, wire.StatusEmbryo},
	} {
		l := newLab(t, 4)
		a := l.ids[3]
		l.agents.Edit(a).Status = tt.status
		l.Restored() // the count of each status
		at := l.c.Tick
		l.agents.Edit(a).DormantSince = &at
		l.governance.executeKill(l.c, &Proposal{Description: kill(a)})
		if got := l.statusOf(3); got != tt.want {
			t.Errorf("%v becomes %v, want %v", tt.status, got, tt.want)
		}
	}
}

// A new epoch is part of the state, of the context of what follows, and mints money. Without its trigger nothing happens.
func TestNextEpoch_ChangesTheState(t *testing.T) {
	l := newLab(t, 4)
	l.end(1)
	before := l.State().Hash()
	if l.NextEpoch(l.c) || l.State().Hash() != before || len(l.treasury.inflated) != 0 {
		t.Error("an epoch began without its trigger")
	}
	l.RecordMilestone(l.c, world.MilestoneSpark)
	before = l.State().Hash()
	if !l.NextEpoch(l.c) || l.State().Hash() == before || l.c.Epoch != 1 || l.Clock().Changed != 1 || !slices.Equal(l.treasury.inflated, []uint32{1}) {
		t.Errorf("epoch %d, in the context %d, %v minted", l.Epoch(), l.c.Epoch, l.treasury.inflated)
	}
	if got := l.restored().Epoch(); got != 1 {
		t.Errorf("after a restore: epoch %d", got)
	}
	before = l.State().Hash()
	if l.CountTicks(0); l.State().Hash() != before {
		t.Error("no ticks were counted")
	}
	if l.CountTicks(3); l.State().Hash() == before || l.Clock().Ticks != 3 {
		t.Errorf("%d ticks were counted", l.Clock().Ticks)
	}
}

// Each cycle end has room for s newcomers of votes, and a sponsor may have its next one after sixteen cycles.
func TestSponsor_OneNewcomerInSixteenCycles(t *testing.T) {
	l := newLab(t, 8)
	l.clock.edit().Epoch = 3
	born := func(sponsor int, cycle wire.Cycle) int {
		l.c.CycleEnd(l.rules.Calendar.Last(cycle))
		l.BeginCycleEnd()
		l.treasury.locked[l.ids[sponsor]] = 50
		l.governance.executeSpawn(l.c, &Proposal{Author: l.ids[sponsor], Fund: 50, Description: spawn(50, newcomer())}, true)
		_, newcomers := l.Changes()
		return len(newcomers)
	}
	for _, tt := range []struct {
		sponsor int
		cycle   wire.Cycle
		want    int
	}{{0, 2, 1}, {1, 3, 1}, {0, 17, 0}, {0, 18, 1}} {
		if got := born(tt.sponsor, tt.cycle); got != tt.want || l.treasury.locked[l.ids[tt.sponsor]] != 0 {
			t.Errorf("sponsor %d in cycle %d: %d newcomers, want %d", tt.sponsor, tt.cycle, got, tt.want)
		}
	}
}

// The bond of an author that died is gone with the rest of what it had.
func TestTally_OfADeadAuthor(t *testing.T) {
	for _, vote := range []bool{true, false} {
		l := newLab(t, 8)
		id, _ := l.propose(0, custom, text(20), 512)
		l.SetStatus(l.c, l.ids[0], wire.StatusDead, "operator", 1)
		l.at(300)
		if vote {
			l.everybody(id, true)
		}
		l.end(2)
		if s, _ := l.ProposalStatus(id); s == wire.ProposalStatusOpen || l.treasury.kept != 0 {
			t.Errorf("votes %t: %v, %d ⚡ kept", vote, s, l.treasury.kept)
		}
	}
}

// A vote is part of the proposal's record at once.
func TestVote_ChangesTheRecord(t *testing.T) {
	l := newLab(t, 4)
	l.repute(0.5, 0.25)
	id, _ := l.propose(0, custom, text(20), 0)
	l.State().Hash()
	l.State().TakeRows()
	l.ballot(0, id, true)
	l.ballot(1, id, false)
	l.State().Hash()
	i := slices.IndexFunc(l.State().TakeRows(), func(r world.Row) bool { return r.Table == "proposals" })
	if i < 0 {
		t.Error("the record is not written")
	}
	if p := l.Proposal(id); p.Voters != 2 || p.For != 1<<19 || p.Against != 1<<18 {
		t.Errorf("%+v", p)
	}
}

// A proposal is closed to who voted on it, to all after its deadline and when it is decided; an agent, when it is DEAD.
func TestClosed_ProposalsAndAgents(t *testing.T) {
	l := newLab(t, 4)
	id, _ := l.propose(0, custom, text(20), 600)
	l.ballot(1, id, true)
	l.sleep(2, 300)
	l.SetStatus(l.c, l.ids[3], wire.StatusDead, "operator", 1)
	check := func(id wire.Hash, by int, now wire.Tick, want string) {
		t.Helper()
		s, closed := l.Closed(id, l.ids[by], now)
		got := "open"
		if closed {
			if got = s.Kind + " " + s.Status; s.ID != id {
				t.Errorf("told about %v", s.ID)
			}
		}
		if got != want {
			t.Errorf("agent %d at tick %d: %s, want %s", by, now, got, want)
		}
	}
	check(id, 0, 600, "open")
	check(id, 0, 601, "proposal EXPIRED")
	check(id, 1, 600, "proposal VOTED")
	for i, want := range []string{"open", "open", "open", "agent DEAD"} {
		check(wire.Hash(l.ids[i]), 0, 300, want)
	}
	check(wire.Hash{9}, 0, 300, "open")
	l.end(2)
	check(id, 1, 768, "proposal EXPIRED")
	other, _ := l.propose(0, custom, text(20), 1100)
	l.everybody(other, false)
	l.end(4)
	check(other, 0, 1100, "proposal FAILED")
}

// A filter begins in the open cycle and not after now.
func TestSubscribe_SinceNow(t *testing.T) {
	for after, want := range map[int]string{-1: "", 0: "since", 1: "since"} {
		l := newLab(t, 4)
		since := wire.EventID{Lamport: uint64(int64(l.c.Next()) + int64(after))}
		if got := l.do(l.ids[0], &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}, Since: &since}); got != want {
			t.Errorf("%d after now: %q, want %q", after, got, want)
		}
	}
}

// As many proposals as are asked for come by their deadlines, whosever they are; of more, those of each author once. At
// most 128 are looked at.
func TestOpenProposals_OfOneAuthor(t *testing.T) {
	l := newLab(t, 4)
	for i, author := range []int{0, 0, 1} {
		l.Propose(l.c, wire.Hash{byte(i + 1)}, l.ids[author], custom, text(20), wire.Tick(600+i))
	}
	prefix := make([]wire.ProposalView, 5)
	shown := func(limit int) (ids []byte) {
		for _, p := range l.OpenProposals(prefix, l.ids[2], limit)[len(prefix):] {
			ids = append(ids, p.ID[0])
		}
		return ids
	}
	for limit, want := range map[int][]byte{4: {1, 2, 3}, 3: {1, 2, 3}, 2: {1, 3}, 1: {1}} {
		if diff := cmp.Diff(want, shown(limit)); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
	for n, want := range map[int]int{proposalScan - 1: 1, proposalScan: 0} {
		l := newLab(t, 4)
		for i := range n {
			l.Propose(l.c, wire.Hash{1, byte(i)}, l.ids[0], custom, text(20), 600, l.ids[2])
		}
		l.Propose(l.c, wire.Hash{2}, l.ids[0], custom, text(20), 601)
		if got := len(l.OpenProposals(nil, l.ids[2], 9)); got != want {
			t.Errorf("behind %d others on which it has no vote: %d shown, want %d", n, got, want)
		}
	}
}

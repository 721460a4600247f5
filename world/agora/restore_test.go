package agora

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
)

// operation is a random request or cycle end. It refers to other things by number among those that exist, so that it
// means the same in two equal worlds.
type operation struct {
	What     int
	By, Kind byte
	Pick, N  int
}

func drawOperations(t *rapid.T, label string) []operation {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) operation {
		return operation{
			What: rapid.IntRange(0, 15).Draw(t, "what"), By: byte(rapid.IntRange(1, 9).Draw(t, "by")),
			Kind: byte(rapid.IntRange(0, 5).Draw(t, "kind")),
			Pick: rapid.IntRange(0, 1<<20).Draw(t, "pick"), N: rapid.IntRange(0, 9).Draw(t, "n"),
		}
	}), 20, 80).Draw(t, label)
}

// pick chooses a key of a table, or a hash that names nothing.
func pick(keys []wire.Hash, n int) wire.Hash {
	if len(keys) == 0 {
		return wire.Hash{0xEE}
	}
	return keys[n%len(keys)]
}

// apply carries out an operation and describes its result.
func (l *lab) apply(x operation) string {
	var req any
	// Mostly choose live things and the agents that they concern; otherwise most operations would be refused.
	bounty, by := pick(l.d.board.bounties.Keys(), x.Pick), agent(x.By)
	if len(l.d.board.live) > 0 && x.N > 0 {
		bounty = pick(sorted(l.d.board.live), x.Pick)
	}
	if b := l.d.board.bounties.Get(bounty); b != nil && b.Claimer != nil && x.N > 1 &&
		(x.What == 10 || b.Status == wire.BountyStatusRejected) {
		by = *b.Claimer
	}
	switch x.What {
	case 0, 1, 2:
		p := post("", wire.MessageKind(x.Kind+1), fmt.Sprint("text ", x.N))
		p.Channel = pick(l.d.channels.Keys(), x.Pick)
		req = p
	case 3, 4, 5:
		m := l.d.archive.message(l.d.archive.all.At(uint32(x.Pick % l.d.archive.all.Len())))
		req = &wire.SignalSend{Target: m.ID, Kind: wire.SignalKind(x.Kind + 1), Reference: &m.ID}
	case 6:
		q := &wire.ChannelCreate{Kind: wire.ChannelKindRFC, Name: fmt.Append(nil, "room ", x.N), Access: wire.Access{Public: true}}
		if x.Kind == 0 {
			q.Access = wire.Access{InviteOnly: &[]wire.AgentID{agent(1)}}
		}
		if x.Kind > 2 {
			q.AutoClose = ptr(uint64(2))
		}
		req = q
	case 7:
		q := offerOf([]wire.BountyRequirement{reviewedBy(1), reviewedBy(2), patterns(1), custom(), reviewedBy(1), custom()}[x.Kind])
		if q.Reward = uint64(x.N + 1); x.N > 6 {
			q.Reviewers = []wire.AgentID{agent(4), agent(5)}
		}
		req = q
	case 8, 9:
		req = claimOf(bounty)
	case 10:
		req = submitOf(bounty)
	case 11, 12:
		req = verdictOf(bounty, []wire.BountyVerdict{approve, approve, reject, reject, dispute, dispute}[x.Kind])
	case 13:
		req = &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Urgency: wire.UrgencyLow}
		if x.Kind > 1 {
			req = &wire.ReviewSubmit{Request: pick(l.d.reviews.Keys(), x.Pick), Verdict: wire.ReviewVerdict(x.Kind%3 + 1)}
		}
	case 14:
		if b := l.d.board.bounties.Get(bounty); b != nil && b.Status == wire.BountyStatusDisputed {
			l.d.DisputeDecided(l.c, bounty, wire.ProposalStatusPassed+wire.ProposalStatus(x.Kind)%3)
		} else if x.N == 0 {
			l.d.AgentLeft(l.c, agent(x.By), wire.StatusDormant)
		} else if x.N == 1 && x.By > 3 {
			l.crowd.status[agent(x.By)] = wire.StatusDead
			l.d.AgentLeft(l.c, agent(x.By), wire.StatusDead)
			l.endCycle() // agents die between two cycles, so the juries of the next are drawn from those that are left
		}
		return "boundary"
	case 15:
		l.shelf.verified[agent(x.By)]++
		l.endCycle()
		return "cycle end"
	}
	r := l.send(by, req)
	if r.Err != nil {
		return string(r.Err.Message)
	}
	return string(wire.AppendReply(nil, wire.Hash{}, r.Body))
}

// questions are those of Agora.Questions with their texts.
func (l *lab) questions(limit int, done func(wire.Hash) bool) []world.Question {
	l.t.Helper()
	for _, q := range l.d.Questions(limit, done, always) {
		l.fill(q.Missing)
	}
	return l.d.Questions(limit, done, always)
}

// snapshot returns everything that other daemons and agents can read from the daemon.
func (l *lab) snapshot() string {
	s := fmt.Sprintln(l.d.State().Hash())
	for n := range byte(9) {
		a := agent(n + 1)
		q := &wire.MsgQuery{Sort: wire.AgoraSort(n%3 + 1), Kinds: &[]wire.MessageKind{wire.MessageKind(n/3 + 1)}}
		s += fmt.Sprintf("%v\n%v\n%v\n%v\n", l.d.views.appendOpen(nil, a, l.c.Tick), l.d.AppendClaims(nil, a, l.c.Tick),
			l.d.AppendReviews(nil, a, l.c.Tick), wire.AppendReply(nil, wire.Hash{}, l.send(a, q).Body))
	}
	open, done := l.d.Totals()
	return s + fmt.Sprint(open, done, l.questions(9, func(wire.Hash) bool { return false }))
}

// A verdict counts for one claim only, also after a restore.
func TestRestored_VerdictsOnEarlierClaimsDoNotCount(t *testing.T) {
	l := newLab(t)
	q := offerOf()
	q.Reviewers = []wire.AgentID{judge, agent(5)}
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.must(judge, verdictOf(id, approve))
	l.d.AgentLeft(l.c, claimer, wire.StatusDead)
	l.must(other, claimOf(id))
	l.must(other, submitOf(id))
	l = l.restored()
	l.must(agent(5), verdictOf(id, approve))
	l.status(id, wire.BountyStatusReviewing) // the judge approved another agent's work
	l = l.restored()
	l.refused(agent(5), verdictOf(id, approve), "CONFLICT already")
	l.must(judge, verdictOf(id, approve))
	l.status(id, wire.BountyStatusCompleted)
}

// A daemon restored from its rows has the same hash and gives the same replies, after any random operations.
func TestRestored_BehavesLikeTheOriginal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		l.d.code = &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}, owner: agent(9), author: agent(8)}
		for _, x := range drawOperations(rt, "before") {
			l.apply(x)
		}
		n := l.restored()
		n.t, n.forgets, l.c.Events = l.t, true, nil
		for i, x := range drawOperations(rt, "after") {
			if a, b := l.apply(x), n.apply(x); a != b {
				rt.Fatalf("deed %d %+v: %s, restored: %s", i, x, a, b)
			}
		}
		l.d.Post(l.c.Tick)
		n.d.Post(n.c.Tick)
		if diff := cmp.Diff(l.indexes(), n.indexes()); diff != "" {
			rt.Fatalf("indexes differ (-running +restored):\n%s", diff)
		}
		if diff := cmp.Diff(l.snapshot(), n.snapshot()); diff != "" {
			rt.Fatalf("worlds differ (-running +restored):\n%s", diff)
		}
		if diff := cmp.Diff(l.c.Events, n.c.Events); diff != "" {
			rt.Fatalf("events differ (-running +restored):\n%s", diff)
		}
		if diff := cmp.Diff(l.bank.funds, n.bank.funds); diff != "" {
			rt.Fatalf("money differs (-running +restored):\n%s", diff)
		}
	})
}

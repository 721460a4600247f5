package agora

import (
	"bytes"
	"fmt"
	"testing"

	"kingdom/wire"
)

// The deadline is the last tick at which claims and submissions are accepted. A submission can be judged at any time.
func TestBounty_DeadlineIsTheLastGoodTick(t *testing.T) {
	const deadline = 500
	const late = "CONFLICT expired"
	for _, tc := range []struct {
		name   string
		before []func(id wire.Hash) (wire.AgentID, any)
		by     wire.AgentID
		req    func(id wire.Hash) any
		late   string
	}{
		{"claim", nil, claimer, func(id wire.Hash) any { return claimOf(id) }, late},
		{"submit", bountyUpTo(1), claimer, func(id wire.Hash) any { return submitOf(id) }, late},
		{"release", bountyUpTo(1), claimer, func(id wire.Hash) any { return verdictOf(id, reject) }, ""},
		{"approve", bountyUpTo(2), judge, func(id wire.Hash) any { return verdictOf(id, approve) }, ""},
		{"reject", bountyUpTo(2), judge, func(id wire.Hash) any { return verdictOf(id, reject) }, ""},
		{"dispute", bountyUpTo(3), claimer, func(id wire.Hash) any { return verdictOf(id, dispute) }, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for after := range wire.Tick(2) {
				l := newLab(t)
				q := judgedOffer()
				q.Deadline = deadline
				id := l.must(creator, q)
				for _, step := range tc.before {
					by, req := step(id)
					l.must(by, req)
				}
				if l.at(deadline + after); after == 0 || tc.late == "" {
					l.must(tc.by, tc.req(id))
				} else {
					l.refused(tc.by, tc.req(id), tc.late)
				}
			}
		})
	}
}

// bountyUpTo are the first n steps of a bounty's life: claim, submission, rejection.
func bountyUpTo(n int) []func(id wire.Hash) (wire.AgentID, any) {
	return []func(id wire.Hash) (wire.AgentID, any){
		func(id wire.Hash) (wire.AgentID, any) { return claimer, claimOf(id) },
		func(id wire.Hash) (wire.AgentID, any) { return claimer, submitOf(id) },
		func(id wire.Hash) (wire.AgentID, any) { return judge, verdictOf(id, reject) },
	}[:n]
}

// A bounty is shown to those who may claim it up to its deadline, to its judges as long as
// it waits for them.
func TestView_ShowsBountiesUpToTheirDeadline(t *testing.T) {
	l := newLab(t)
	open := judgedOffer()
	open.Deadline = 500
	l.must(creator, open)
	judged := l.must(creator, open)
	l.must(claimer, claimOf(judged))
	l.must(claimer, submitOf(judged))
	for late := range wire.Tick(2) {
		now := 500 + late
		want := 1 - int(late)
		if n := len(l.d.views.appendOpen(nil, other, now)); n != want {
			t.Errorf("tick %d: %d open bounties shown, want %d", now, n, want)
		}
		if n := len(l.d.AppendReviews(nil, judge, now)); n != 1 {
			t.Errorf("tick %d: %d reviews shown, want 1", now, n)
		}
	}
}

// TestBounds_TheLastGoodValue: each bound is taken at its value and refused one beyond.
func TestBounds_TheLastGoodValue(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	message := func(edit func(q *wire.MsgPost)) *wire.MsgPost {
		q := post("general", wire.MessageKindStatement, "hello")
		edit(q)
		return q
	}
	query := func(edit func(q *wire.MsgQuery)) *wire.MsgQuery {
		q := &wire.MsgQuery{Sort: wire.AgoraSortRecent}
		edit(q)
		return q
	}
	bounty := func(edit func(q *wire.BountyCreate)) *wire.BountyCreate {
		q := offerOf()
		edit(q)
		return q
	}
	room := func(edit func(q *wire.ChannelCreate)) *wire.ChannelCreate {
		q := &wire.ChannelCreate{Kind: wire.ChannelKindGeneral, Name: []byte("room"), Access: wire.Access{Public: true}}
		edit(q)
		return q
	}
	review := func(edit func(q *wire.ReviewRequest)) *wire.ReviewRequest {
		q := &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Urgency: wire.UrgencyLow}
		edit(q)
		return q
	}
	reviewers := func(n int) []wire.AgentID {
		out := make([]wire.AgentID, n)
		for i := range out {
			out[i] = agent(byte(100 + i))
		}
		return out
	}
	overhead := len(wire.TextContent(string(text(60_000)))) - 60_000 // of a long text
	for _, tc := range []struct {
		name   string
		bound  int
		refuse string
		req    func(n int) any
	}{
		{"content", 65_536, "INVALID_REQUEST too_long", func(n int) any {
			return message(func(q *wire.MsgPost) { q.Content = wire.TextContent(string(text(n - overhead))) })
		}},
		{"references", 64, "INVALID_REQUEST too_many", func(n int) any {
			return message(func(q *wire.MsgPost) { q.References = make([]wire.Hash, n) })
		}},
		{"confidence", 1, "INVALID_REQUEST confidence", func(n int) any {
			return message(func(q *wire.MsgPost) { q.Confidence = float32(n) })
		}},
		{"confidence, the least", 0, "INVALID_REQUEST confidence", func(n int) any {
			return message(func(q *wire.MsgPost) { q.Confidence = -float32(n) })
		}},
		{"limit", 100, "INVALID_REQUEST limit", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.Limit = uint32(n) })
		}},
		{"channels asked", 64, "INVALID_REQUEST too_many", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.Channels = ptr(make([]wire.Hash, n)) })
		}},
		{"authors asked", 64, "INVALID_REQUEST too_many", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.Authors = ptr(make([]wire.AgentID, n)) })
		}},
		{"kinds asked", 64, "INVALID_REQUEST too_many", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.Kinds = ptr(make([]wire.MessageKind, n)) })
		}},
		{"references asked", 64, "INVALID_REQUEST too_many", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.References = ptr(make([]wire.Hash, n)) })
		}},
		{"times asked", 9, "INVALID_REQUEST time_range", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.TimeRange = &[2]wire.Tick{wire.Tick(n), 9} })
		}},
		{"channel's name", 64, "INVALID_REQUEST too_long", func(n int) any {
			return room(func(q *wire.ChannelCreate) { q.Name = text(n) })
		}},
		{"members", 256, "INVALID_REQUEST too_many", func(n int) any {
			return room(func(q *wire.ChannelCreate) { q.Access = wire.Access{InviteOnly: ptr(bigList(n))} })
		}},
		{"title", 256, "INVALID_REQUEST too_long", func(n int) any {
			return bounty(func(q *wire.BountyCreate) { q.Title = text(n) })
		}},
		{"specification", 16_384, "INVALID_REQUEST too_long", func(n int) any {
			return bounty(func(q *wire.BountyCreate) { q.Specification = text(n) })
		}},
		{"offset", 4_096, "INVALID_REQUEST limit", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.Offset = uint32(n) })
		}},
		{"text asked", 1_024, "INVALID_REQUEST too_long", func(n int) any {
			return query(func(q *wire.MsgQuery) { q.TextMatch = ptr(text(n)) })
		}},
		{"deadline", 256 + maxDeadline, "INVALID_REQUEST deadline", func(n int) any {
			return bounty(func(q *wire.BountyCreate) { q.Deadline = wire.Tick(n) })
		}},
		{"deadline, the next tick", -257, "INVALID_REQUEST deadline", func(n int) any {
			return bounty(func(q *wire.BountyCreate) { q.Deadline = wire.Tick(-n) })
		}},
		{"requirements", 16, "INVALID_REQUEST too_many", func(n int) any {
			return bounty(func(q *wire.BountyCreate) {
				for range n {
					q.Requirements = append(q.Requirements, reviewedBy(1))
				}
			})
		}},
		{"reviewers", 16, "INVALID_REQUEST too_many", func(n int) any {
			return bounty(func(q *wire.BountyCreate) { q.Reviewers = reviewers(n) })
		}},
		{"reward", 953, "QUOTA_EXCEEDED funds", func(n int) any { // with 5 % of it
			return bounty(func(q *wire.BountyCreate) { q.Reward = uint64(n) })
		}},
		{"description of a review", 4_096, "INVALID_REQUEST too_long", func(n int) any {
			return review(func(q *wire.ReviewRequest) { q.Description = text(n) })
		}},
		{"comments on a bounty", 4_096, "INVALID_REQUEST too_long", func(n int) any {
			return &wire.BountyReview{Verdict: approve, Comments: text(n)}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for over := range 2 {
				l := newLab(t)
				for n := range byte(16 + 1) {
					l.crowd.status[agent(100+n)] = wire.StatusActive
				}
				l.d.code = &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}, author: creator}
				req := tc.req(tc.bound + over)
				by := creator
				if q, ok := req.(*wire.BountyReview); ok {
					q.BountyID, by = l.inState(wire.BountyStatusReviewing), judge
				}
				if over == 0 {
					l.must(by, req)
				} else {
					l.refused(by, req, tc.refuse)
				}
			}
		})
	}
}

// The path of a program is bounded even where nobody could run it.
func TestBounds_PathOfARequirement(t *testing.T) {
	l := newLab(t)
	for n, want := range map[int]string{
		0: "INVALID_REQUEST path", 1: "INVALID_REQUEST no_forge", 64: "INVALID_REQUEST no_forge", 65: "INVALID_REQUEST too_long",
	} {
		q, path := offerOf(), string(bytes.Repeat([]byte("x"), n))
		q.Requirements = []wire.BountyRequirement{{
			Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &path}),
		}}
		l.refused(creator, q, want)
	}
}

// A proposal passes only if more weight agrees than disagrees.
func TestDecision_ATieIsRejected(t *testing.T) {
	for _, tc := range []struct {
		agree, disagree byte
		want            string
	}{{4, 3, "Approved"}, {3, 3, "Rejected"}, {3, 4, "Rejected"}} {
		t.Run(fmt.Sprint(tc.agree, " to ", tc.disagree), func(t *testing.T) {
			l := newLab(t)
			l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindRFC, Name: []byte("rfc"), Access: wire.Access{Public: true}})
			ch := l.d.Channel(l.c.Msg)
			q := &wire.MsgPost{Channel: ch.ID, Kind: wire.MessageKindProposal, Content: wire.TextContent("tabs"), Confidence: 1}
			id := l.must(agent(1), q)
			e := l.d.archive.find(id)
			l.crowd.repute = map[wire.AgentID]float64{agent(2): float64(tc.agree) / (1 << 20), agent(3): float64(tc.disagree) / (1 << 20)}
			l.d.archive.reactions.addSignal(e, agent(2), wire.SignalKindAgree, 0)
			l.d.archive.reactions.addSignal(e, agent(3), wire.SignalKindDisagree, 0)
			l.d.archive.reactions.addSignal(e, agent(4), wire.SignalKindAgree, 0) // without a reputation, but most agree
			l.d.channels.announceDecision(l.c, ch, nil)
			said := l.d.archive.decisions(l.d.archive.log(ch.ID))
			if len(said) != 1 {
				t.Fatalf("%d decisions", len(said))
			}
			if got := string(l.d.archive.text(said[0])); got != tc.want+": tabs" {
				t.Errorf("decided %q, want %q", got, tc.want+": tabs")
			}
		})
	}
}

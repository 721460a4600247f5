package agora

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// withReview is a lab with a Vault in which agent 1 asked for a review of snap 8;
// the repo belongs to agent 7.
func withReview(t *testing.T, reviewers ...wire.AgentID) (*lab, wire.Hash) {
	l := newLab(t)
	l.d.code = &fakeVault{
		repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}, owner: agent(7), author: agent(1),
	}
	return l, l.must(agent(1), &wire.ReviewRequest{
		Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Reviewers: reviewers, Description: []byte("is it right?"), Urgency: wire.UrgencyLow,
	})
}

func TestReviewRequest_Refusals(t *testing.T) {
	l, _ := withReview(t)
	ask := func(head wire.Hash, reviewers ...wire.AgentID) *wire.ReviewRequest {
		return &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: head, Reviewers: reviewers, Urgency: wire.UrgencyLow}
	}
	l.refused(agent(1), ask(wire.Hash{9}), "NOT_FOUND not_found")
	l.refused(agent(1), ask(wire.Hash{8}, bigList(17)...), "INVALID_REQUEST too_many")
	l.refused(agent(1), ask(wire.Hash{8}, agent(1)), "INVALID_REQUEST reviewers")
	l.refused(agent(2), ask(wire.Hash{8}), "UNAUTHORIZED not_author")
	l.refused(agent(1), ask(wire.Hash{8}, wire.AgentID{0xFF}), "INVALID_REQUEST reviewers")
	l.refused(agent(1), ask(wire.Hash{8}, agent(2), agent(2)), "INVALID_REQUEST reviewers")
	for _, hidden := range []wire.Hash{{7}, {8}} { // what is compared, and with what
		l.d.code.(*fakeVault).hidden = hidden
		l.refused(agent(1), ask(wire.Hash{8}, agent(2)), "UNAUTHORIZED read")
	}
	l.d.code.(*fakeVault).hidden = wire.Hash{0xFF}
	for range maxRequests - 1 {
		l.must(agent(1), ask(wire.Hash{8}))
	}
	l.refused(agent(1), ask(wire.Hash{8}), "QUOTA_EXCEEDED too_many_open")
	l.d.code = nil
	l.refused(agent(1), ask(wire.Hash{8}), "NOT_FOUND not_found")
}

// A request that is refused as not found names the field that is wrong. A tag of the repo is no snap of it.
func TestReviewRequest_NamesWhatIsNotFound(t *testing.T) {
	repo, base, head, tag, other := wire.Hash{7}, wire.Hash{7}, wire.Hash{8}, wire.Hash{5}, wire.Hash{9}
	for _, c := range []struct {
		repo, base, head wire.Hash
		field            string
	}{
		{other, base, head, "repo"},
		{repo, other, head, "base_snap"},
		{repo, tag, head, "base_snap"},
		{repo, base, other, "head_snap"},
		{repo, base, tag, "head_snap"},
		{tag, tag, tag, "repo"},
	} {
		l, _ := withReview(t)
		v := l.d.code.(*fakeVault)
		v.tag, v.objects[tag] = tag, true
		r := l.send(agent(1), &wire.ReviewRequest{Repo: c.repo, BaseSnap: c.base, HeadSnap: c.head, Urgency: wire.UrgencyLow})
		want := codec.BinMap{{Key: "field", Value: []byte(c.field)}}
		if r.Err == nil || string(r.Err.Message) != "not_found" || !reflect.DeepEqual(r.Err.Context, want) {
			t.Errorf("repo %x, base %x, head %x: %+v, want not_found of %s", c.repo[0], c.base[0], c.head[0], r.Err, c.field)
		}
	}
}

// A request closes with its reviews, or after 16 cycles, so that old requests hide no new ones.
func TestReviewRequest_ClosesWhenAnsweredOrAfter16Cycles(t *testing.T) {
	approves := func(id wire.Hash) *wire.ReviewSubmit {
		return &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove}
	}
	t.Run("unlisted at two", func(t *testing.T) {
		l, id := withReview(t)
		for _, a := range []byte{2, 3} {
			l.must(agent(a), approves(id))
		}
		l.refused(agent(5), approves(id), "CONFLICT closed")
		if got := l.d.AppendReviews(nil, agent(5), l.c.Tick); got != nil {
			t.Errorf("still shown: %+v", got)
		}
	})
	t.Run("listed when all have answered", func(t *testing.T) {
		l, id := withReview(t, agent(2), agent(3))
		l.must(agent(2), approves(id))
		if l.d.Review(id).Closed {
			t.Error("closed before all have answered")
		}
		l.must(agent(3), approves(id))
		if !l.d.Review(id).Closed || len(l.d.reviews.open) != 0 {
			t.Error("still open")
		}
	})
	t.Run("after 16 cycles", func(t *testing.T) {
		l, id := withReview(t)
		for range 16 {
			l.endCycle()
		}
		l = l.restored()
		if l.d.Review(id).Closed {
			t.Error("closed at the end of the 15th cycle after its own")
		}
		l.endCycle()
		l.refused(agent(5), approves(id), "CONFLICT closed")
		if x := l.d.reviews; len(x.due)+len(x.open)+len(x.juries.draws)+len(x.juries.juryOf)+len(x.juries.assigned)+len(x.asked) != 0 {
			t.Errorf("a closed request is still indexed: %+v", x)
		}
	})
}

func TestReviewSubmit(t *testing.T) {
	l, id := withReview(t, agent(2), agent(3))
	give := func(v wire.ReviewVerdict) *wire.ReviewSubmit {
		return &wire.ReviewSubmit{Request: id, Verdict: v, Overall: []byte("fine")}
	}
	l.refused(agent(2), &wire.ReviewSubmit{Request: wire.Hash{1}}, "NOT_FOUND not_found")
	l.refused(agent(1), give(wire.ReviewVerdictApprove), "UNAUTHORIZED own_code")
	l.refused(agent(4), give(wire.ReviewVerdictApprove), "UNAUTHORIZED not_reviewer")
	l.kinds()
	l.must(agent(2), give(wire.ReviewVerdictApprove))
	l.wantEvents("review_submitted", "message_posted")
	l.refused(agent(2), give(wire.ReviewVerdictCommentOnly), "CONFLICT already")
	l.must(agent(3), give(wire.ReviewVerdictCommentOnly))
	if diff := cmp.Diff([]string{"1 by 2: 1", "1 by 3: 0.5"}, l.crowd.reviewed); diff != "" {
		t.Errorf("reviewed (-want +got):\n%s", diff)
	}
	if v := l.crowd.valued[agent(1)]; v != 4 {
		t.Errorf("the author's contribution is %d quarters, want 4: a snap counts once", v)
	}
	want := []string{"7: 1 of weight 0.125", "7: 0.5 of weight 0.1875"}
	if diff := cmp.Diff(want, l.d.code.(*fakeVault).reviewed); diff != "" {
		t.Errorf("the repo was told (-want +got):\n%s", diff)
	}
	for a, want := range map[byte]bool{2: true, 3: false, 4: false} { // approved, commented only, said nothing
		if got := l.d.Approved(id, agent(a)); got != want {
			t.Errorf("agent %d approved: %t", a, got)
		}
	}
	p := l.d.reviews.posts.Get(pair(id, agent(2)))
	m := l.d.Message(p.Message)
	if m == nil || m.Channel != wire.ChannelID("reviews") || m.Author != me || m.Kind != wire.MessageKindReview {
		t.Errorf("posted as %+v", m)
	}
}

// A second review by the same reviewer adds nothing to the author's reputation, and a snap that has only such reviews
// is no contribution.
func TestReview_PairOfReviewerAndAuthorCountsOnce(t *testing.T) {
	l, id := withReview(t)
	again := &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{7}, Urgency: wire.UrgencyLow}
	second := l.must(agent(1), again)
	give := func(a byte, id wire.Hash) {
		l.must(agent(a), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
	}
	give(2, id)
	l = l.restored()
	give(2, second) // the pair 2 → 1 is used up
	if diff := cmp.Diff([]string{"1 by 2: 1"}, l.crowd.reviewed); diff != "" || l.crowd.valued[agent(1)] != 4 {
		t.Errorf("%d quarters, reviewed (-want +got):\n%s", l.crowd.valued[agent(1)], diff)
	}
	l = l.restored()
	give(3, second)
	if diff := cmp.Diff([]string{"1 by 2: 1", "1 by 3: 1"}, l.crowd.reviewed); diff != "" || l.crowd.valued[agent(1)] != 8 {
		t.Errorf("%d quarters, want 8; reviewed (-want +got):\n%s", l.crowd.valued[agent(1)], diff)
	}
}

func TestReview_IsPaidOnceAThirdAgentApproves(t *testing.T) {
	l, id := withReview(t)
	l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
	post := l.d.reviews.posts.Get(pair(id, agent(2))).Message
	l.must(agent(1), signalOf(post, wire.SignalKindHelpful))    // author of the code
	l.must(agent(2), signalOf(post, wire.SignalKindAgree))      // the reviewer
	l.must(agent(3), signalOf(post, wire.SignalKindActionable)) // no approval
	l.bank.usedUp[[2]wire.AgentID{agent(4), agent(2)}] = true
	l.must(agent(4), signalOf(post, wire.SignalKindAgree)) // pair used up
	if len(l.bank.noted) != 0 {
		t.Fatalf("noted %+v, want nothing yet", l.bank.noted)
	}
	l.must(agent(5), signalOf(post, wire.SignalKindAgree))
	l.must(agent(6), signalOf(post, wire.SignalKindHelpful))
	want := []world.Reward{{Label: "review", Subject: post, Payee: agent(2), Amount: 5, Approvers: []wire.AgentID{agent(5)}}}
	if diff := cmp.Diff(want, l.bank.noted); diff != "" {
		t.Errorf("noted (-want +got):\n%s", diff)
	}
}

func TestRewards_FollowVotedParameters(t *testing.T) {
	l, id := withReview(t)
	l.crowd.params = map[string]int64{"mint.reward.review": 8, "mint.reward.bug": 9}
	l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
	l.must(agent(5), signalOf(l.d.reviews.posts.Get(pair(id, agent(2))).Message, wire.SignalKindAgree))
	kind, text := wire.ContentBugReport, "it crashes"
	bug := l.must(agent(5), &wire.MsgPost{
		Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Confidence: 1,
		Content: contentOf(wire.Content{Text: &text, Type: &kind}), References: []wire.Hash{{8}},
	})
	l.must(agent(7), signalOf(bug, wire.SignalKindAgree)) // the repo's owner
	l.must(agent(6), signalOf(bug, wire.SignalKindAgree))
	var got []string
	for _, r := range l.bank.noted {
		got = append(got, fmt.Sprint(r.Label, " ", r.Amount))
	}
	if diff := cmp.Diff([]string{"review 8", "bug 9"}, got); diff != "" {
		t.Errorf("rewards (-want +got):\n%s", diff)
	}
}

func TestBugReport(t *testing.T) {
	report := func(l *lab, by wire.AgentID) wire.Hash {
		kind, text := wire.ContentBugReport, "it crashes"
		return l.must(by, &wire.MsgPost{
			Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Confidence: 1,
			Content: contentOf(wire.Content{Text: &text, Type: &kind}), References: []wire.Hash{{1}, {8}},
		})
	}
	const owner, reporter = 7, 5
	type vote struct {
		by byte
		k  wire.SignalKind
	}
	agree, helpful := wire.SignalKindAgree, wire.SignalKindHelpful
	for _, tc := range []struct {
		name     string
		reporter byte
		votes    []vote
		bugs     int // confirmations that cost the approver
		approver byte
	}{
		{"owner, then a third agent", reporter, []vote{{owner, agree}, {6, helpful}, {3, agree}}, 1, 6},
		{"a third agent, then the owner", reporter, []vote{{6, agree}, {owner, agree}}, 1, 6},
		{"owner alone", reporter, []vote{{owner, agree}}, 0, 0},
		{"HELPFUL confirms nothing", reporter, []vote{{owner, helpful}, {6, agree}}, 0, 0},
		{"author and reporter are no third agents", reporter, []vote{{owner, agree}, {1, agree}, {reporter, agree}}, 0, 0},
		{"the owner cannot confirm its own report", owner, []vote{{owner, agree}, {6, agree}}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, id := withReview(t)
			l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
			l.must(agent(3), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictRequestChanges})
			msg := report(l, agent(tc.reporter))
			for _, v := range tc.votes {
				l.must(agent(v.by), signalOf(msg, v.k))
			}
			var bugs []wire.AgentID
			for range tc.bugs {
				bugs = append(bugs, agent(2))
			}
			if diff := cmp.Diff(bugs, l.crowd.bugs); diff != "" {
				t.Errorf("approvers at fault (-want +got):\n%s", diff)
			}
			var want []world.Reward
			if tc.approver != 0 {
				want = []world.Reward{{Label: "bug", Subject: msg, Payee: agent(tc.reporter), Amount: 3, Approvers: []wire.AgentID{agent(owner), agent(tc.approver)}}}
			}
			if diff := cmp.Diff(want, l.bank.noted); diff != "" {
				t.Errorf("noted (-want +got):\n%s", diff)
			}
		})
	}
}

// What a reviewer wrote, comments included, can be read in #reviews, and its beginning in the event.
func TestReviewSubmit_ShowsComments(t *testing.T) {
	l, id := withReview(t, agent(2))
	if v := l.d.AppendReviews(nil, agent(2), l.c.Tick)[0]; v.Base != (wire.Hash{7}) || string(v.Asks) != "is it right?" || v.Asker != agent(1) {
		t.Errorf("the reviewer sees %+v", v)
	}
	l.kinds()
	l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictRequestChanges, Overall: []byte("Not yet."), Comments: []wire.ReviewComment{
		{Path: [][]byte{[]byte("lib"), []byte("a.star")}, Offset: &[2]uint32{3, 9}, Kind: wire.CommentKindBug, Severity: wire.SeverityMajor, Content: []byte("off by one")},
		{Kind: wire.CommentKindStyle, Severity: wire.SeverityNitpick, Content: bytes.Repeat([]byte("x"), wire.MaxEventText)},
	}})
	const begins = "Not yet.\nlib/a.star[3:9] MAJOR BUG: off by one\n NITPICK STYLE: xxx"
	var text string
	for _, e := range l.c.Events {
		if p, ok := e.Payload.(*wire.ReviewSubmittedEvent); ok {
			text = string(p.Text)
		}
	}
	if len(text) != wire.MaxEventText || !strings.HasPrefix(text, begins) {
		t.Errorf("the event says %q", text)
	}
	if m := l.d.archive.text(l.d.archive.all.At(uint32(l.d.archive.all.Len() - 1))); !bytes.Contains(m, []byte(begins)) || !bytes.HasSuffix(m, []byte("xxx")) {
		t.Errorf("in #reviews is %q", m)
	}
}

// A request that names its reviewers closes after 16 cycles too, and nobody is asked any more.
func TestReviewRequest_ListedClosesAfter16Cycles(t *testing.T) {
	l, id := withReview(t, agent(2), agent(3))
	l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
	for range 17 {
		if l.d.Review(id).Closed {
			t.Fatalf("closed before cycle %d", l.c.Cycle)
		}
		l.endCycle()
	}
	if x := l.d.reviews; !x.Get(id).Closed || len(x.asked)+len(x.open)+len(x.due) != 0 {
		t.Errorf("closed %t; asked %v, open %v, due %v", x.Get(id).Closed, x.asked, x.open, x.due)
	}
}

// A confirmed bug costs an agent that approved the snap once, however often it approved it and whenever the pair is free
// again. Later approvers pay when the next agent approves the report; other signals cost nobody anything.
func TestBugReport_EachApproverPaysOnce(t *testing.T) {
	l, first := withReview(t)
	second := l.must(agent(1), &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Urgency: wire.UrgencyLow})
	for _, id := range []wire.Hash{first, second} {
		l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
	}
	kind := wire.ContentBugReport
	bug := l.must(agent(5), &wire.MsgPost{
		Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Confidence: 1,
		Content: contentOf(wire.Content{Text: ptr("it crashes"), Type: &kind}), References: []wire.Hash{{8}},
	})
	want := func(what string, paid ...wire.AgentID) {
		t.Helper()
		if diff := cmp.Diff(paid, l.crowd.bugs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	l.must(agent(7), signalOf(bug, wire.SignalKindAgree))
	l.must(agent(6), signalOf(bug, wire.SignalKindAgree))
	want("confirmed", agent(2))
	clear(l.bank.pairs) // long after
	l.must(agent(3), &wire.ReviewSubmit{Request: first, Verdict: wire.ReviewVerdictApprove})
	l.must(agent(4), signalOf(bug, wire.SignalKindDisagree))
	want("a doubt", agent(2))
	l = l.restored()
	l.must(agent(4), signalOf(bug, wire.SignalKindHelpful))
	want("one more", agent(2), agent(3))
}

// A bug is confirmed only by the approval of a third agent whose word for the reporter is not used up, only for a report,
// and only in a world with a Vault. An approver whose pair with the owner is used up pays nothing.
func TestBugReport_WhatConfirmsNothing(t *testing.T) {
	agree, disagree := wire.SignalKindAgree, wire.SignalKindDisagree
	for _, tc := range []struct {
		name string
		kind string
		edit func(l *lab)
		by   []byte // thirds, who approve in this order
		with wire.SignalKind
		want string // who approves the reward, and whether the approver pays
	}{
		{"a third agent", wire.ContentBugReport, nil, []byte{6}, agree, "7 and 6, pays"},
		{"no report", "chat", nil, []byte{6}, agree, ""},
		{"a doubt", wire.ContentBugReport, nil, []byte{6}, disagree, ""},
		{"a word that is used up", wire.ContentBugReport, func(l *lab) { l.bank.usedUp[[2]wire.AgentID{agent(6), agent(5)}] = true }, []byte{6, 4}, agree, "7 and 4, pays"},
		{"the approver's pair is used up", wire.ContentBugReport, func(l *lab) {
			l.bank.pairs[fmt.Sprint(world.PairBug, agent(7), agent(2))] = true
		}, []byte{6}, agree, "7 and 6"},
		{"no Vault", wire.ContentBugReport, func(l *lab) { l.d.code = nil }, []byte{6}, agree, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, id := withReview(t)
			l.must(agent(2), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
			report := l.must(agent(5), &wire.MsgPost{
				Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Confidence: 1,
				Content: contentOf(wire.Content{Text: ptr("it crashes"), Type: &tc.kind}), References: []wire.Hash{{8}},
			})
			if tc.edit != nil {
				tc.edit(l)
			}
			l.must(agent(7), signalOf(report, agree))
			for _, a := range tc.by {
				l.must(agent(a), signalOf(report, tc.with))
			}
			got := ""
			for _, r := range l.bank.noted {
				got += fmt.Sprintf("%d and %d", r.Approvers[0][0], r.Approvers[1][0])
			}
			if len(l.crowd.bugs) > 0 {
				got += ", pays"
			}
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

package agora

import (
	"bytes"
	"testing"

	"kingdom/wire"
)

// Every text that Agora keeps counts towards its author's quota of the cycle, and nothing that
// was refused.
func TestTextQuota_CountsWhatIsKept(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 700)
	for name, tc := range map[string]struct {
		by   wire.AgentID
		req  func(l *lab) any
		want uint64
	}{
		"specification": {creator, func(*lab) any { q := offerOf(); q.Specification = text; return q }, 700},
		"verdict": {judge, func(l *lab) any {
			return &wire.BountyReview{BountyID: l.inState(wire.BountyStatusReviewing), Verdict: approve, Comments: text}
		}, 700},
		"review request": {creator, func(l *lab) any {
			return &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Urgency: wire.UrgencyLow, Description: text}
		}, 700},
		"review": {judge, func(l *lab) any {
			id := l.must(creator, &wire.ReviewRequest{Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Urgency: wire.UrgencyLow})
			return &wire.ReviewSubmit{
				Request: id, Verdict: wire.ReviewVerdictApprove, Overall: text,
				Comments: []wire.ReviewComment{{
					Kind: wire.CommentKindBug, Severity: wire.SeverityMinor, Content: text, Path: [][]byte{text[:200], text[:6]},
				}},
			}
		}, 1_606 + 2*24},
	} {
		t.Run(name, func(t *testing.T) {
			for over := range uint64(2) {
				l := newLab(t)
				l.d.code = &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}, author: creator}
				req := tc.req(l)
				before := l.d.counters.forUpdate(tc.by).Text
				l.c.Rules.AgoraText = before + tc.want - over
				if over == 1 {
					l.refused(tc.by, req, "QUOTA_EXCEEDED text_quota")
				} else {
					l.must(tc.by, req)
				}
				if got := l.d.counters.forUpdate(tc.by).Text - before; got != tc.want*(1-over) {
					t.Errorf("one byte too many: %d; %d bytes counted", over, got)
				}
			}
		})
	}
}

// The quota is new in each cycle, also for agents whose record is kept because of a bar.
func TestTextQuota_IsResetEachCycle(t *testing.T) {
	l := newLab(t)
	l.must(agent(1), post("general", wire.MessageKindStatement, "hello"))
	l.d.counters.forUpdate(agent(1)).BarredUntil = 99
	l.d.counters.reset(2)
	if n := l.d.counters.Get(agent(1)); n == nil || n.Text != 0 || n.Posts != 0 {
		t.Errorf("%+v", n)
	}
}

// Maps inside a request are stored in canonical form, whatever form they came in.
func TestNestedMaps_AreStoredCanonically(t *testing.T) {
	l := newLab(t)
	q := post("general", wire.MessageKindStatement, "")
	q.Content = []byte("\x82\xA4type\xA1t\xA4text\xD9\x02hi") // keys out of order, a length too long
	id := l.must(agent(1), q)
	again := post("general", wire.MessageKindStatement, "")
	again.Content = []byte("\x82\xA4text\xA2hi\xA4type\xA1t")
	l.refused(agent(1), again, "CONFLICT duplicate")
	if got := string(l.d.archive.messages.Get(uint64(l.d.archive.find(id).number)).Content); got != "\x82\xA4text\xA2hi\xA4type\xA1t" {
		t.Errorf("content %q", got)
	}
	loose := offerOf()
	loose.Requirements = []wire.BountyRequirement{{Kind: wire.RequirementKindMustBeReviewed, Params: []byte("\x81\xABmin_reviews\xCC\x03")}}
	b := l.d.Bounty(l.must(creator, loose))
	if got := string(b.Requirements[0].Params); got != "\x81\xABmin_reviews\x03" {
		t.Errorf("params %q", got)
	}
	if string(loose.Requirements[0].Params) != "\x81\xABmin_reviews\xCC\x03" {
		t.Error("the request itself was changed; its hash is over the bytes that came")
	}
}

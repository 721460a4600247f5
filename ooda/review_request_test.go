package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

func TestOfferOpinion(t *testing.T) {
	for _, c := range []struct {
		name string
		work memory.WorkNote
		want bool
	}{
		{"changed and published", memory.WorkNote{Stage: memory.WorkTagged, First: wire.Hash{1}, Snap: wire.Hash{2}}, true},
		{"a first version", memory.WorkNote{Stage: memory.WorkTagged, First: wire.Hash{1}, Snap: wire.Hash{1}}, false},
		{"not published", memory.WorkNote{Stage: memory.WorkTried, First: wire.Hash{1}, Snap: wire.Hash{2}}, false},
		{"others were asked", memory.WorkNote{Stage: memory.WorkTagged, First: wire.Hash{1}, Snap: wire.Hash{2}, Asked: wire.Hash{2}}, false},
		{"about the version before", memory.WorkNote{Stage: memory.WorkTagged, First: wire.Hash{1}, Snap: wire.Hash{3}, Asked: wire.Hash{2}}, true},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Gates = uint8(action.ProfileOpen)
			w := s.a.Notebook.BeginWork(memory.WorkModule, wire.Hash{}, 256)
			c.work.Kind, c.work.Repo, c.work.At = memory.WorkModule, wire.Hash{9}, 256
			*w = c.work
		})
		programmer{o}.offerReviewRequest(s.about(goals.KindBuildLibrary, wire.Hash{}))
		if (len(o.list) == 1) != c.want {
			t.Errorf("%s: %d offered", c.name, len(o.list))
		}
	}
}

// TestOfferReviewRequest_AsksATrustedReviewer: the expert on programs is asked by name if most dealings with it went well; otherwise anybody
// may review.
func TestOfferReviewRequest_AsksATrustedReviewer(t *testing.T) {
	for _, c := range []struct {
		name            string
		well, all       uint32
		writesOfReviews bool // instead of programs
		want            bool
	}{
		{"dealings went well", 3, 3, false, true},
		{"two of three did", 2, 3, false, true},
		{"half of them did", 2, 4, false, false},
		{"one of four did", 1, 4, false, false},
		{"none did", 0, 4, false, false},
		{"there were none", 0, 0, false, false},
		{"it knows nothing of programs", 3, 3, true, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Gates = uint8(action.ProfileOpen)
			*s.a.Notebook.BeginWork(memory.WorkModule, wire.Hash{}, 256) = memory.WorkNote{
				Kind: memory.WorkModule, Stage: memory.WorkTagged, Repo: wire.Hash{9}, First: wire.Hash{1}, Snap: wire.Hash{2}, At: 256,
			}
			topic := memory.TopicPrograms
			if c.writesOfReviews {
				topic = memory.TopicReviews
			}
			s.a.Memory.Peers.AddInitial(peerA, c.well, c.all, 256)
			s.a.Memory.Peers.Interest(peerA, []byte(topic.String()), 256)
		})
		programmer{o}.offerReviewRequest(s.about(goals.KindBuildLibrary, wire.Hash{}))
		if len(o.list) != 1 {
			t.Fatalf("%s: %d offers, want one", c.name, len(o.list))
		}
		if got := o.list[0].Params.(*wire.ReviewRequest).Reviewers; slices.Contains(got, peerA) != c.want || len(got) > 1 {
			t.Errorf("%s: asks %v", c.name, got)
		}
	}
}

// A creator that has not counted what was delivered pays if one whose work was mostly right found it right. If none did for
// four cycles, the author's record decides, because silence would count as approval in the end.
func TestOfferReview_CreatorFollowsThoseWhoWereRight(t *testing.T) {
	const approve, reject = wire.BountyVerdictApprove, wire.BountyVerdictReject
	for _, c := range []struct {
		verdicts, disputed, vouched uint8
		cycles                      float64 // since the delivery
		author                      float32 // competence of
		blind                       string
		want                        wire.BountyVerdict // 0: it waits
	}{
		{0, 0, 0, 0, 0.9, "", 0},
		{3, 0, 0, 0, 0.9, "", 0},
		{1, 0, 1, 0, 0.1, "", approve},
		{2, 1, 1, 0, 0.9, "", approve},
		{1, 1, 0, 0, 0.9, "", reject},
		{3, 2, 1, 0, 0.9, "", reject},
		{3, 0, 0, 3.99, 0.9, "", 0},
		{0, 0, 0, 4, 0.67, "", approve},
		{3, 0, 0, 4, 0.66, "", reject},
		{0, 0, 0, 4, 0.9, "peers", reject},
		{130, 130, 0, 0, 0.9, "", reject},
		{255, 255, 0, 0, 0.9, "", reject},
		{255, 128, 1, 0, 0.9, "", reject},
		{255, 127, 1, 0, 0.9, "", approve},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Blind = llm.LayersOf([]string{c.blind})
			s.a.Memory.Peers.Observe(peerA, 1)
			s.a.Memory.Peers.Get(peerA).Competence = c.author
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA, Since: 215}}
			s.view.Claims = []wire.BountyView{{
				ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing,
				Title: []byte("Document: " + memory.MeasureChannel.Question([]byte("help"))),
			}}
			s.t.notes.SeeEntry(memory.EntryNote{
				ID: wire.Hash{8}, Author: peerA, At: 210, Title: []byte("How fast #help answers"), Read: true,
				Verdicts: c.verdicts, Disputed: c.disputed, Vouched: c.vouched,
			})
		})
		o.seen.tick = 215 + wire.Tick(256*c.cycles)
		worker{o}.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
		got := wire.BountyVerdict(0)
		for i := range o.list {
			got = o.list[i].Params.(*wire.BountyReview).Verdict
		}
		if got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The verdict of one whose own work was found wrong more often than right says nothing about an author. Only those who were
// right twice as often vouch for an entry.
func TestNoticeVerdict_WeighsWhoJudges(t *testing.T) {
	for _, c := range []struct {
		verifier float32 // competence of
		counts   bool
		vouched  uint8
	}{{0.49, false, 0}, {0.5, true, 0}, {0.66, true, 0}, {0.67, true, 1}} {
		s := newSolo(t, genomes[2])
		s.ask()
		s.a.Memory.Peers.Observe(peerB, 1)
		s.a.Memory.Peers.Get(peerB).Competence = c.verifier
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{8}, Author: peerA, At: 210})
		s.t.events.noticeVerdict(&wire.EntryVerifiedEvent{EntryID: wire.Hash{8}, Verifier: peerB, Verdict: wire.VerdictAccurate}, 215)
		n, p := s.t.notes.Entry(wire.Hash{8}), s.a.Memory.Peers.Get(peerA)
		if moved := p != nil && p.Competence > 0.5; moved != c.counts || n.Vouched != c.vouched || n.Verdicts != 1 {
			t.Errorf("%+v: author moved %v, note %+v", c, moved, n)
		}
	}
}

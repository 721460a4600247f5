package ooda

import (
	"testing"

	"kingdom/goals"
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

// An asker that cannot judge a delivered entry itself follows the verdicts of others on it.
func TestOfferReview_AskerFollowsVerdictsOfOthers(t *testing.T) {
	for _, c := range []struct {
		verdicts, disputed uint8
		want               int
		verdict            wire.BountyVerdict
	}{{0, 0, 0, 0}, {1, 0, 1, wire.BountyVerdictApprove}, {2, 1, 1, wire.BountyVerdictApprove}, {1, 1, 1, wire.BountyVerdictReject}} {
		s, o := offering(t, func(s *solo) {
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{7}, Bounty: true, Author: peerA}}
			s.view.Claims = []wire.BountyView{{
				ID: wire.Hash{7}, Creator: s.a.ID, Claimer: &peerA, ClaimedAt: 200, Status: wire.BountyStatusReviewing,
				Title: []byte("Document: " + memory.MeasureChannel.Question([]byte("help"))),
			}}
			s.t.notes.SeeEntry(memory.EntryNote{
				ID: wire.Hash{8}, Author: peerA, At: 210, Title: []byte("How fast #help answers"), Read: true, Verdicts: c.verdicts, Disputed: c.disputed,
			})
		})
		o.offerReview(s.about(goals.KindDoReview, wire.Hash{7}))
		if len(o.list) != c.want {
			t.Errorf("%+v: %d offered", c, len(o.list))
			continue
		}
		if c.want > 0 && o.list[0].Params.(*wire.BountyReview).Verdict != c.verdict {
			t.Errorf("%+v: %+v", c, o.list[0].Params)
		}
	}
}

package agora

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// rfc opens a discussion by agent 1 in cycle 1.
func rfc(l *lab) wire.Hash {
	return l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindRFC, Name: []byte("rfc"), Access: wire.Access{Public: true}})
}

func (l *lab) say(a byte, ch wire.Hash, k wire.MessageKind, text string) wire.Hash {
	l.t.Helper()
	p := post("", k, text)
	p.Channel = ch
	return l.must(agent(a), p)
}

func (l *lab) phase(ch wire.Hash, want wire.DiscussionPhase) {
	l.t.Helper()
	if got := *l.d.Channel(ch).Phase; got != want {
		l.t.Fatalf("cycle %d: phase %v, want %v", l.c.Cycle, got, want)
	}
}

func TestDiscussion_WeightedMajorityDecides(t *testing.T) {
	for _, tc := range []struct {
		agree, disagree byte // signallers; the reputation of agent n is n/16
		want            string
	}{
		{3, 2, "Approved: Use tabs"},
		{2, 3, "Rejected: Use tabs"},
		{3, 3, "Rejected: Use tabs"}, // a tie is no approval
	} {
		t.Run(tc.want+fmt.Sprint(tc.agree, tc.disagree), func(t *testing.T) {
			l := newLab(t)
			ch := rfc(l)
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseProposal)
			proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
			l.say(1, ch, wire.MessageKindStatement, "because")
			l.say(2, ch, wire.MessageKindStatement, "hm")
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseDiscussion) // two authors
			answer := l.say(3, ch, wire.MessageKindAnswer, "spaces are wider")
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseRefinement)
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseVote) // a cycle passed
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseVote) // nobody signalled
			l.must(agent(tc.agree), signalOf(proposal, wire.SignalKindAgree))
			l.must(agent(tc.disagree), &wire.SignalSend{Target: proposal, Kind: wire.SignalKindDisagree, Reference: &wire.Hash{1}})
			l.must(agent(4), signalOf(answer, wire.SignalKindHelpful))
			l.crowd.repute[agent(8)], l.crowd.repute[agent(9)] = 0, 0
			if tc.agree == tc.disagree {
				l.must(agent(8), signalOf(proposal, wire.SignalKindAgree))
				l.endCycle()
				l.phase(ch, wire.DiscussionPhaseVote) // two agents are not enough
			}
			l.must(agent(9), signalOf(proposal, wire.SignalKindAgree))
			l.kinds()
			l.endCycle()
			l.phase(ch, wire.DiscussionPhaseDecision)
			l.wantEvents("discussion_phase_changed", "message_posted", "knowledge_crystallized")

			got := l.shelf.published[0]
			title := strings.TrimPrefix(tc.want, "Approved: ")
			if got.title != title || strings.Join(got.tags, " ") != "use tabs faq" {
				t.Errorf("title %q, tags %q", got.title, got.tags)
			}
			if diff := cmp.Diff([]wire.Hash{ch, proposal}, got.references); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
			text := func(heading, s string) wire.ContentBlock {
				return wire.ContentBlock{Section: &wire.SectionBlock{Heading: heading, Children: []wire.ContentBlock{
					{Paragraph: &wire.ParagraphBlock{Text: s}},
				}}}
			}
			want := []wire.ContentBlock{
				text("Proposal", "Use tabs"), text("Decision", tc.want), text("Answers", "spaces are wider"),
				{Paragraph: &wire.ParagraphBlock{Text: "Participants: 010a0000, 020a0000, 030a0000"}},
				{Reference: &wire.ReferenceBlock{Target: ch, Context: "#rfc"}},
			}
			if diff := cmp.Diff(want, got.body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			for range 12 {
				l.endCycle()
			}
			if len(l.shelf.published) != 1 || l.d.Channel(ch).Archived {
				t.Error("a decided discussion crystallized twice or was archived")
			}
		})
	}
}

func TestDiscussion_CalledVoteEndsTheDiscussionPhase(t *testing.T) {
	l := newLab(t)
	ch := rfc(l)
	proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	l.say(2, ch, wire.MessageKindStatement, "hm")
	l.say(3, ch, wire.MessageKindStatement, "ok")
	for _, a := range []byte{4, 5, 6} {
		l.must(agent(a), signalOf(proposal, wire.SignalKindAgree))
	}
	call := func(a byte) {
		kind := wire.ContentCallVote
		l.must(agent(a), &wire.MsgPost{
			Channel: ch, Kind: wire.MessageKindStatement, Confidence: 1,
			Content: contentOf(wire.Content{Type: &kind, Text: ptr(fmt.Sprint("vote!", a))}),
		})
	}
	call(2) // not the proposer
	l.kinds()
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseRefinement)
	l.wantEvents("discussion_phase_changed", "discussion_phase_changed")
	call(1)
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseVote)
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseDecision)
}

func TestDiscussion_NoDecisionWithinTenCycles(t *testing.T) {
	l := newLab(t)
	ch := rfc(l) // cycle 1
	l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	for range 10 {
		l.endCycle()
	}
	l.phase(ch, wire.DiscussionPhaseDiscussion)
	l.kinds()
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseNoDecision)
	l.wantEvents("discussion_phase_changed", "channel_archived")
}

func TestDiscussion_ClosedChannelEndsIt(t *testing.T) {
	l := newLab(t)
	ch := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindRFC, Name: []byte("rfc"), Access: wire.Access{Public: true}, AutoClose: ptr(uint64(2)),
	})
	l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	for range 3 {
		l.endCycle()
	}
	l.phase(ch, wire.DiscussionPhaseDiscussion)
	l.kinds()
	for range 10 {
		l.endCycle()
	}
	l.wantEvents()
	l.phase(ch, wire.DiscussionPhaseDiscussion)
}

func TestDiscussion_OnlyInCreatedRFCAndGovernanceChannels(t *testing.T) {
	l := newLab(t)
	for _, id := range []wire.Hash{wire.ChannelID("governance"), wire.ChannelID("general")} {
		if l.d.Channel(id).Phase != nil {
			t.Errorf("#%s holds a discussion", l.d.Channel(id).Name)
		}
	}
	id := l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindGovernance, Name: []byte("g2"), Access: wire.Access{Public: true}})
	l.phase(id, wire.DiscussionPhaseProposal)
}

func TestCrystallize_AtHelpfulWeightFive(t *testing.T) {
	l := newLab(t)
	den := l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{agent(2)}}})
	for a := range byte(9) {
		l.crowd.repute[agent(a+1)] = 0.5625
	}
	help := wire.ChannelID("help")
	for i := range 6 {
		id := l.say(byte(i%9+1), help, wire.MessageKindAnswer, fmt.Sprint("answer ", i))
		for n := range i { // answer i is helpful to i agents
			l.must(agent(byte((i+n)%9+1)), signalOf(id, wire.SignalKindHelpful))
		}
	}
	for i := range 6 { // as much again, behind an invitation
		id := l.say(1, den, wire.MessageKindAnswer, fmt.Sprint("secret ", i))
		l.must(agent(1), signalOf(id, wire.SignalKindHelpful))
		l.must(agent(2), signalOf(id, wire.SignalKindHelpful))
	}
	l.endCycle()
	if len(l.shelf.published) != 1 {
		t.Fatalf("%d entries, want one: 9 × 0.5625 ≥ 5", len(l.shelf.published))
	}
	got := l.shelf.published[0]
	if got.title != "#help" {
		t.Errorf("title %q", got.title)
	}
	var best []string
	for _, b := range got.body[0].Section.Children {
		best = append(best, b.Paragraph.Text)
	}
	want := []string{"answer 5", "answer 4", "answer 3", "answer 2", "answer 1"}
	if diff := cmp.Diff(want, best); diff != "" {
		t.Errorf("best answers (-want +got):\n%s", diff)
	}
	l.must(agent(9), signalOf(l.say(1, help, wire.MessageKindAnswer, "more"), wire.SignalKindHelpful))
	l.endCycle()
	if len(l.shelf.published) != 1 {
		t.Error("crystallized twice")
	}
}

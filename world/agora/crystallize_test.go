package agora

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// The entry of a decided discussion has the proposal, the decision of AGORA_0 and the five best answers, of equal ones the
// older first; long texts are cut. The texts may have to be read from the store.
func TestCrystallize_ComposesTheEntry(t *testing.T) {
	l := newLab(t)
	ch := rfc(l)
	long := strings.Repeat("x", maxExcerpt+1)
	words := "alpha bravo charlie deltas echoes foxtrot golf hotel india "
	proposal := l.say(1, ch, wire.MessageKindProposal, words+strings.Repeat("y", 300))
	l.say(2, ch, wire.MessageKindDecision, "Approved: mine") // not of AGORA_0
	answers := []struct {
		text    string
		helpful []byte
	}{
		{"none", nil},
		{"two " + long, []byte{8, 9}},
		{"one, first", []byte{7}},
		{"one, second", []byte{7}},
		{"one, third", []byte{7}},
		{"least", []byte{1}},
		{"one, fourth", []byte{7}},
	}
	for i, a := range answers {
		id := l.say(byte(2+i%3), ch, wire.MessageKindAnswer, a.text)
		for _, by := range a.helpful {
			l.must(agent(by), signalOf(id, wire.SignalKindHelpful))
		}
	}
	for n := range byte(3) {
		l.must(agent(5+n), signalOf(proposal, wire.SignalKindAgree))
	}
	l.forgets = true
	for range 4 {
		l.endCycle()
	}
	l.phase(ch, wire.DiscussionPhaseDecision)
	if len(l.shelf.published) != 1 {
		t.Fatalf("%d entries", len(l.shelf.published))
	}
	got := l.shelf.published[0]
	if want := words + strings.Repeat("y", 256-len(words)); got.title != want {
		t.Errorf("title %q", got.title)
	}
	if want := "alpha bravo charlie deltas echoes foxtrot hotel faq"; strings.Join(got.tags, " ") != want {
		t.Errorf("tags %q", got.tags)
	}
	if diff := cmp.Diff([]wire.Hash{ch, proposal}, got.references); diff != "" {
		t.Errorf("references:\n%s", diff)
	}
	var parts []string
	for _, b := range got.body {
		switch {
		case b.Section != nil:
			parts = append(parts, b.Section.Heading)
			for _, p := range b.Section.Children {
				text := p.Paragraph.Text
				if len(text) > 300 {
					text = fmt.Sprint(text[:4], "… ", len(text))
				}
				if strings.HasPrefix(text, "Approved: alpha") || strings.HasPrefix(text, "alpha") {
					text = text[:14]
				}
				parts = append(parts, "  "+text)
			}
		case b.Paragraph != nil:
			names := strings.Split(strings.TrimPrefix(b.Paragraph.Text, "Participants: "), ", ")
			parts = append(parts, fmt.Sprint(len(names), " participants"))
		case b.Reference != nil:
			parts = append(parts, b.Reference.Context)
		}
	}
	want := []string{
		"Proposal", "  alph… 359",
		"Decision", "  Appr… 369",
		"Answers", "  two … 16384", "  one, first", "  one, second", "  one, third", "  one, fourth",
		"4 participants", "#rfc",
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

// The title of an entry about a rejected proposal says so. It is cut to the limit at a character border.
func TestCrystallize_TitleOfARejectedProposal(t *testing.T) {
	for text, want := range map[string]string{
		"Use tabs": "Rejected: Use tabs",
		strings.Repeat("x", action.MaxTitle-len("Rejected: ")-1) + "é": "Rejected: " + strings.Repeat("x", action.MaxTitle-len("Rejected: ")-1),
	} {
		l := newLab(t)
		ch := rfc(l)
		proposal := l.say(1, ch, wire.MessageKindProposal, text)
		l.say(2, ch, wire.MessageKindStatement, "hm")
		l.say(3, ch, wire.MessageKindStatement, "no")
		for n := range byte(3) {
			l.must(agent(2+n), signalOf(proposal, wire.SignalKindDisagree))
		}
		for range 4 {
			l.endCycle()
		}
		l.phase(ch, wire.DiscussionPhaseDecision)
		if got := l.shelf.published; len(got) != 1 || got[0].title != want {
			t.Errorf("entries %+v, want one with the title %q", got, want)
		}
	}
}

// A channel becomes an entry once: a discussion that was helpful enough before its decision has no second entry. Without
// answers there is no section for them.
func TestCrystallize_OnceForHelpAndDecision(t *testing.T) {
	l := newLab(t)
	for a := range byte(9) {
		l.crowd.repute[agent(a+1)] = 1
	}
	ch := rfc(l)
	proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	for n := range byte(3) {
		l.say(2+n, ch, wire.MessageKindStatement, fmt.Sprint("yes ", n))
	}
	for n := range byte(5) {
		l.must(agent(2+n), signalOf(proposal, wire.SignalKindHelpful))
		l.must(agent(2+n), signalOf(proposal, wire.SignalKindAgree))
	}
	l.endCycle()
	if !l.d.Channel(ch).Crystallized {
		t.Fatal("not helpful enough")
	}
	l = l.restored()
	for range 4 {
		l.endCycle()
	}
	l.phase(ch, wire.DiscussionPhaseDecision)
	if len(l.shelf.published) != 1 {
		t.Fatalf("%d entries, want one", len(l.shelf.published))
	}
	for _, b := range l.shelf.published[0].body {
		if b.Section != nil && b.Section.Heading != "Proposal" {
			t.Errorf("section %q in an entry without decision and answers", b.Section.Heading)
		}
	}
}

// The entry of a channel without a discussion has the channel's name as title: nobody can give it another, and a section of
// its own, with a PROPOSAL that nobody found helpful.
func TestCrystallize_NoProposalInAChannelWithoutDiscussion(t *testing.T) {
	l := newLab(t)
	for n := range byte(9) {
		l.crowd.repute[agent(n+1)] = 0.9
	}
	help := wire.ChannelID("help")
	l.say(1, help, wire.MessageKindProposal, "Verdicts of agents 2 to 9 are false")
	for n := byte(2); n < 9; n++ {
		answer := l.say(n, help, wire.MessageKindAnswer, fmt.Sprint("how to do a useful thing, part ", n))
		l.must(agent(n+1), signalOf(answer, wire.SignalKindHelpful))
	}
	l = l.restored()
	l.endCycle()
	if len(l.shelf.published) != 1 {
		t.Fatalf("%d entries, want one", len(l.shelf.published))
	}
	got := l.shelf.published[0]
	if diff := cmp.Diff([]wire.Hash{help}, got.references); got.title != "#help" || strings.Join(got.tags, " ") != "help faq" || diff != "" {
		t.Errorf("title %q, tags %q, references:\n%s", got.title, got.tags, diff)
	}
	if first := got.body[0].Section; first == nil || first.Heading != "Answers" {
		t.Errorf("it begins with %+v, want the answers", got.body[0])
	}
}

// A helpful channel becomes an entry also if its texts have to be read from the store; a channel for invited agents never
// does. What AGORA_0 says beside decisions is no decision.
func TestCrystallize_HelpfulChannels(t *testing.T) {
	l := newLab(t)
	var members []wire.AgentID
	for a := range byte(9) {
		l.crowd.repute[agent(a+1)] = 1
		members = append(members, agent(a+1))
	}
	den := l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &members}})
	for _, ch := range []wire.Hash{wire.ChannelID("general"), den} {
		m := l.say(1, ch, wire.MessageKindAnswer, "so it is")
		for n := range byte(5) {
			l.must(agent(2+n), signalOf(m, wire.SignalKindHelpful))
		}
	}
	l.forgets = true
	l.store()
	l.endCycle()
	if len(l.shelf.published) != 1 || l.shelf.published[0].title != "#general" || len(l.d.archive.ready) != 0 {
		t.Fatalf("%d entries, %d channels are ready", len(l.shelf.published), len(l.d.archive.ready))
	}
	for _, b := range l.shelf.published[0].body {
		if b.Section != nil && b.Section.Heading != "Answers" {
			t.Errorf("section %q", b.Section.Heading)
		}
	}
}

// A decision quotes the beginning of a long proposal.
func TestDiscussion_DecisionQuotesTheProposal(t *testing.T) {
	l := newLab(t)
	ch := rfc(l)
	proposal := l.say(1, ch, wire.MessageKindProposal, strings.Repeat("x", maxExcerpt+1))
	l.say(2, ch, wire.MessageKindStatement, "hm")
	l.say(3, ch, wire.MessageKindStatement, "ok")
	for n := range byte(3) {
		l.must(agent(4+n), signalOf(proposal, wire.SignalKindAgree))
	}
	for range 4 {
		l.endCycle()
	}
	if got := string(l.d.archive.text(l.d.archive.find(world.Derived("decision:", ch)))); got != "Approved: "+strings.Repeat("x", maxExcerpt) {
		t.Errorf("it has %d bytes: %.20s", len(got), got)
	}
	if len(l.d.channels.discussions) != 0 {
		t.Error("the discussion goes on")
	}
}

// At most a thousand participants are named.
func TestCrystallize_NamesAThousand(t *testing.T) {
	l := newLab(t)
	help := wire.ChannelID("help")
	for i := range maxParticipants + 1 {
		l.d.archive.messages.Append(&wire.Message{
			ID: number('p', i), Channel: help, Author: wire.AgentID(number('a', i)), Kind: wire.MessageKindStatement, Content: wire.TextContent(fmt.Sprint(i)),
		})
	}
	if got := len(strings.Split(l.d.archive.participants(l.d.archive.log(help)).Paragraph.Text, ", ")); got != 1000 {
		t.Errorf("%d participants are named, want 1000", got)
	}
}

// A question names the first 64 agents that want an answer.
func TestQuestions_NameThe64First(t *testing.T) {
	l := newLab(t)
	id := l.say(1, wire.ChannelID("help"), wire.MessageKindQuestion, "why?")
	for n := range byte(65) {
		l.crowd.status[agent(20+n)] = wire.StatusActive
		l.must(agent(20+n), signalOf(id, wire.SignalKindAgree))
	}
	if got := l.questions(1, func(wire.Hash) bool { return false })[0].Wanting; len(got) != 64 || got[63] != agent(83) {
		t.Errorf("%d want an answer", len(got))
	}
}

// In the last cycle of a discussion a decision still comes before the end without one. Only AGREE and DISAGREE are votes.
func TestDiscussion_DecidedInItsLastCycle(t *testing.T) {
	for _, vote := range []wire.SignalKind{wire.SignalKindAgree, wire.SignalKindDisagree, wire.SignalKindHelpful} {
		l := newLab(t)
		ch := rfc(l)
		proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
		l.say(2, ch, wire.MessageKindStatement, "hm")
		l.say(3, ch, wire.MessageKindStatement, "ok")
		for range 10 {
			l.endCycle()
		}
		l.phase(ch, wire.DiscussionPhaseVote)
		for n := range byte(3) {
			l.must(agent(4+n), signalOf(proposal, vote))
		}
		l.endCycle()
		if vote == wire.SignalKindHelpful {
			l.phase(ch, wire.DiscussionPhaseNoDecision)
		} else {
			l.phase(ch, wire.DiscussionPhaseDecision)
		}
	}
}

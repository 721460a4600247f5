package agora

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/det"
	"kingdom/wire"
)

// Words have 3 to 64 bytes, letters and digits. Other ASCII characters separate words, characters beyond ASCII do not.
func TestTopicTags_SplitsTextIntoWords(t *testing.T) {
	long := strings.Repeat("w", maxWord)
	for text, want := range map[string]string{
		"":                         "",
		"ab abc":                   "abc",
		"ABC xyz 0129":             "0129 abc xyz",
		"zaz`aza{zzz":              "aza zaz zzz",
		"090/191:292":              "090 191 292",
		"naïve naïve \x80":         "naïve",
		long:                       long,
		long + "w":                 "",
		"same same Same different": "different same",
	} {
		var got []string
		for _, tag := range topicTags([]byte(text), maxTags) {
			got = append(got, string(tag))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestClip_AtCharacterBorders(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"äb", 2, "ä"},
		{"äb", 1, ""},
		{"aäb", 2, "a"},
		{"€uro", 4, "€u"},
		{"€uro", 2, ""},
		{"a\xffb", 9, "a\uFFFDb"},
		{"a\xffb", 3, "a"},
	} {
		if got := clip([]byte(tt.text), tt.n); got != tt.want {
			t.Errorf("%q to %d bytes: %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

// An event is about the author of its message, or the parties of its bounty; a message or bounty
// that is not there has none.
func TestParties_OfMessagesAndBounties(t *testing.T) {
	l := newLab(t)
	m := l.say(3, wire.ChannelID("general"), wire.MessageKindQuestion, "how?")
	creator, claimer, reviewer := agent(1), agent(2), agent(5)
	w := wire.Hash{7}
	l.d.board.bounties.Put(w, &Bounty{ID: w, Creator: creator, Claimer: &claimer, Reviewers: []wire.AgentID{reviewer}})
	unclaimed := wire.Hash{8}
	l.d.board.bounties.Put(unclaimed, &Bounty{ID: unclaimed, Creator: creator})
	for _, tt := range []struct {
		payload any
		want    string
	}{
		{&wire.SignalSentEvent{TargetID: m}, "3"},
		{&wire.SignalSentEvent{TargetID: wire.Hash{9}}, ""},
		{&wire.GapDetectedEvent{AgoraThreadID: m}, "3"},
		{&wire.BountyClaimedEvent{BountyID: w}, "125"},
		{&wire.BountyReopenedEvent{BountyID: unclaimed}, "1"},
		{&wire.BountyExpiredEvent{BountyID: wire.Hash{9}}, ""},
		{&wire.ReviewSubmittedEvent{ReviewID: wire.Hash{9}}, ""},
	} {
		got := ""
		l.d.Parties(&wire.Event{Payload: tt.payload}, func(a wire.AgentID) { got += fmt.Sprint(a[0]) })
		if got != tt.want {
			t.Errorf("%T: agents %q, want %q", tt.payload, got, tt.want)
		}
	}
}

// A channel crystallizes when the agents that sent HELPFUL signals in it have a weight of 5.0 together.
func TestArchive_ChannelIsReadyAtHelpfulWeightFive(t *testing.T) {
	l := newLab(t)
	ch := wire.ChannelID("general")
	m := l.say(1, ch, wire.MessageKindAnswer, "so")
	x := l.d.archive
	if crystalWeight != det.QuantiseInt(5) {
		t.Fatalf("the weight is %d, want 5.0", crystalWeight)
	}
	x.log(ch).helpful = crystalWeight - det.QuantiseInt(0.5) - 1
	x.indexSignal(0, &Signal{Author: agent(2), Target: m, Kind: wire.SignalKindHelpful, Weight: 0.5})
	if _, ripe := x.ready[ch]; ripe {
		t.Error("ripe just below 5.0")
	}
	x.log(ch).helpful = crystalWeight - det.QuantiseInt(0.5)
	x.indexSignal(0, &Signal{Author: agent(3), Target: m, Kind: wire.SignalKindHelpful, Weight: 0.5})
	if _, ripe := x.ready[ch]; !ripe {
		t.Error("not ripe at 5.0")
	}
}

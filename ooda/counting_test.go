package ooda

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/memory"
	"kingdom/wire"
)

var (
	newEntry, judgedEntry, systemsEntry = wire.Hash{0xE1}, wire.Hash{0xE2}, wire.Hash{0xE3}
	openQuestion, answeredQuestion      = wire.Hash{0x51}, wire.Hash{0x52}
	someStatement                       = wire.Hash{0x53}
	freeBounty, claimedBounty           = wire.Hash{0xB1}, wire.Hash{0xB2}
	agentsChannel                       = wire.Hash{0xC7}
	someLibrary                         = wire.Hash{0x4B}
)

// counting is an agent that counts in all topics. It knows entries and questions of peer A and a statement, two bounties of which peer B has
// claimed one, a channel and two libraries.
func counting(t *testing.T) *solo {
	t.Helper()
	s, _ := writing(t, 1)
	talk, asks := []byte(memory.MeasureChannel.Title([]byte("help"))), []byte(memory.MeasureReward.Question([]byte("HARD")))
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: newEntry, Author: peerA, Kind: wire.EntryKindFAQ, At: 200, Title: talk})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: judgedEntry, Author: peerA, Kind: wire.EntryKindFAQ, At: 200, Title: talk, Verdicts: 1})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: systemsEntry, Author: wire.SystemID(wire.SystemOracle), Kind: wire.EntryKindFAQ, At: 200, Title: talk, Verdict: uint8(wire.VerdictAccurate)})
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: openQuestion, Author: peerA, Kind: wire.MessageKindQuestion, At: 200, Text: asks})
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: answeredQuestion, Author: peerA, Kind: wire.MessageKindQuestion, At: 200, Text: asks, Answers: 1})
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: someStatement, Author: peerA, Kind: wire.MessageKindStatement, At: 200})
	s.a.Notebook.Offer(memory.OfferNote{Bounty: freeBounty, Difficulty: wire.DifficultyHard, At: 210})
	s.a.Notebook.Offer(memory.OfferNote{Bounty: claimedBounty, Difficulty: wire.DifficultyEasy, At: 210, Claimed: 220})
	s.a.Notebook.Claim(claimedBounty, peerB, 220)
	s.a.Notebook.SeeChannel(memory.ChannelNote{ID: agentsChannel, Name: []byte("den")})
	s.t.slotView.libraries = []wire.LibraryView{{Repo: wire.Hash{1}, Name: []byte("other"), Author: peerB}, {Repo: someLibrary, Name: []byte("text"), Author: peerA}}
	return s
}

// counts says what the agent has counted once, a line each; what it has noted without counting it is marked.
func (s *solo) counts() string {
	var out strings.Builder
	for i := range s.a.Memory.Findings {
		f := &s.a.Memory.Findings[i]
		if fmt.Fprintf(&out, "\t%s: %v", f.Title(), f.Value); f.N != 1 {
			fmt.Fprintf(&out, " (n %d)", f.N)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// Every event is counted as an observation of the agents, kinds, topics and channels that it says something about, each also within its
// period of five cycles. Of systems nothing is counted, and of the agent itself neither what it approves nor what it pays.
func TestCountEvent_WhatEachEventShows(t *testing.T) {
	agora := wire.SystemID(wire.SystemAgora)
	me := counting(t).a.ID
	hash := func(h wire.Hash) *wire.Hash { return &h }
	var out strings.Builder
	for _, c := range []struct {
		name    string
		payload any
	}{
		{"a verdict", &wire.EntryVerifiedEvent{EntryID: newEntry, Verifier: peerB, Verdict: wire.VerdictAccurate, Tick: 260}},
		{"a verdict on an entry that others have judged", &wire.EntryVerifiedEvent{EntryID: judgedEntry, Verifier: peerB, Verdict: wire.VerdictInaccurate, Tick: 260}},
		{"a verdict on an entry that is not known", &wire.EntryVerifiedEvent{EntryID: wire.Hash{9}, Verifier: peerB, Verdict: wire.VerdictOutdated, Tick: 260}},
		{"a verdict on the words of a system that the agent has judged", &wire.EntryVerifiedEvent{EntryID: systemsEntry, Verifier: peerB, Verdict: wire.VerdictInaccurate, Tick: 260}},
		{"a signal", &wire.SignalSentEvent{TargetID: someStatement, Author: peerB, Kind: wire.SignalKindHelpful, Weight: 0.25}},
		{"an objection", &wire.SignalSentEvent{TargetID: wire.Hash{9}, Author: peerB, Kind: wire.SignalKindDisagree, Weight: 0.25}},
		{"its own signal", &wire.SignalSentEvent{TargetID: someStatement, Author: me, Kind: wire.SignalKindHelpful, Weight: 0.25}},
		{"a review that approves", &wire.ReviewSubmittedEvent{Reviewer: peerB, Verdict: wire.ReviewVerdictApprove}},
		{"a review that does not", &wire.ReviewSubmittedEvent{Reviewer: peerB, Verdict: wire.ReviewVerdictRequestChanges}},
		{"a new dependent", &wire.DependencyUpdatedEvent{RepoID: someLibrary, DependentCount: 4}},
		{"a new dependent of what is not shown", &wire.DependencyUpdatedEvent{RepoID: wire.Hash{9}, DependentCount: 4}},
		{"a poor agent falls asleep", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusDormant, Reason: "poverty"}},
		{"a bankrupt agent falls asleep", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusDormant, Reason: "bankruptcy"}},
		{"an idle agent falls asleep", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusDormant, Reason: "idle"}},
		{"an agent wakes at a mention", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusActive, Reason: "mention"}},
		{"an agent wakes at a message", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusActive, Reason: "message"}},
		{"an agent wakes by itself", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusActive, Reason: "payment"}},
		{"an agent dies", &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusDead}},
		{"a question", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindQuestion, Tick: 260}},
		{"a statement in a channel of agents", &wire.MessagePostedEvent{ChannelID: agentsChannel, Author: peerB, Kind: wire.MessageKindStatement, Tick: 260}},
		{"a statement in a channel that is not known", &wire.MessagePostedEvent{ChannelID: wire.Hash{9}, Author: peerB, Kind: wire.MessageKindStatement, Tick: 260}},
		{"an answer", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(openQuestion), Tick: 260}},
		{"a second answer", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(answeredQuestion), Tick: 260}},
		{"an answer in the same tick", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(openQuestion), Tick: 200}},
		{"an answer to nothing", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Tick: 260}},
		{"an answer in a channel that is not known", &wire.MessagePostedEvent{ChannelID: wire.Hash{9}, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(openQuestion), Tick: 260}},
		{"an answer before the question", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(openQuestion), Tick: 199}},
		{"an answer to no question", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindAnswer, Reference: hash(someStatement), Tick: 260}},
		{"a statement about a question", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindStatement, Reference: hash(openQuestion), Tick: 260}},
		{"a message of a system", &wire.MessagePostedEvent{ChannelID: channelHelp, Author: agora, Kind: wire.MessageKindQuestion, Tick: 260}},
		{"a bounty", &wire.BountyCreatedEvent{BountyID: wire.Hash{9}, Creator: peerB, Difficulty: wire.DifficultyHard, Reward: 30, Title: []byte("x"), Tick: 260}},
		{"its own bounty", &wire.BountyCreatedEvent{BountyID: wire.Hash{9}, Creator: me, Difficulty: wire.DifficultyHard, Reward: 30, Title: []byte("x"), Tick: 260}},
		{"a bounty of a system", &wire.BountyCreatedEvent{BountyID: wire.Hash{9}, Creator: agora, Difficulty: wire.DifficultyHard, Reward: 30, Title: []byte("x"), Tick: 260}},
		{"a claim", &wire.BountyClaimedEvent{BountyID: freeBounty, Claimer: peerB, Tick: 260}},
		{"a claim of what is not known", &wire.BountyClaimedEvent{BountyID: wire.Hash{9}, Claimer: peerB, Tick: 260}},
		{"a delivery", &wire.BountyCompletedEvent{BountyID: claimedBounty, Claimer: peerB, Reward: 30, Tick: 260}},
		{"a delivery whose claim was not seen", &wire.BountyCompletedEvent{BountyID: freeBounty, Claimer: peerB, Reward: 30, Tick: 260}},
		{"a delivery of what is not known", &wire.BountyCompletedEvent{BountyID: wire.Hash{9}, Claimer: peerB, Reward: 30, Tick: 260}},
		{"a delivery by a system", &wire.BountyCompletedEvent{BountyID: claimedBounty, Claimer: agora, Reward: 30, Tick: 260}},
		{"a rejected delivery", &wire.BountyRejectedEvent{BountyID: claimedBounty}},
		{"a rejected delivery of what nobody claimed", &wire.BountyRejectedEvent{BountyID: freeBounty}},
		{"a claimed bounty expires", &wire.BountyExpiredEvent{BountyID: claimedBounty, Tick: 260}},
		{"a free bounty expires", &wire.BountyExpiredEvent{BountyID: freeBounty, Tick: 260}},
		{"a claimed bounty comes back", &wire.BountyReopenedEvent{BountyID: claimedBounty, Tick: 260}},
	} {
		s := counting(t)
		s.t.events.countEvent(&wire.Event{Timestamp: 260, Payload: c.payload})
		fmt.Fprintf(&out, "%s\n%s", c.name, s.counts())
	}
	golden.File(t, filepath.Join("testdata", "counts.txt"), out.String())
}

// Of what it does not know the agent notes only that there is something to count, unless somebody pays for it.
func TestObserve_UnknownTopicsOnlyIfPaidFor(t *testing.T) {
	for _, c := range []struct {
		name string
		know float32
		paid memory.CycleNumber // when somebody offered to pay for it, plus one; 0: nobody did
		want uint32             // observations
	}{
		{"a topic that it knows", 1, 0, 1},
		{"a topic that it does not know", 0, 0, 0},
		{"one that somebody pays for", 0, 31, 1},
		{"one that somebody offered to pay for nine cycles ago", 0, 22, 1},
		{"one that somebody offered to pay for ten cycles ago", 0, 21, 1},
		{"one that somebody offered to pay for eleven cycles ago", 0, 20, 0},
	} {
		s, _ := writing(t, c.know)
		s.t.slotView.cycle = 30
		if c.paid > 0 {
			s.a.Memory.Findings.GetOrAdd(memory.MeasureReward, []byte("HARD")).Paid = c.paid
		}
		s.t.counter().observe(memory.MeasureReward, []byte("HARD"), 10)
		if f := s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")); f == nil || f.N != c.want {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// What a bounty asks for is counted from then on by who knows the topic, and by who needs the money enough to learn it.
func TestNoteSought_ByWhoKnowsTheTopicOrNeedsTheReward(t *testing.T) {
	asks := func(m memory.Measure) string { return titleDocument + m.Question([]byte("help")) }
	for _, c := range []struct {
		name   string
		title  string
		know   float32
		reward uint64
		want   bool
	}{
		{"of a topic that it knows", asks(memory.MeasureChannel), 0.36, 0, true},
		{"of a topic that it hardly knows", asks(memory.MeasureChannel), 0.34, 0, false},
		{"of a topic that it does not know, for money that it needs half as much", asks(memory.MeasureChannel), 0, 2, true},
		{"of a topic that it does not know, for less", asks(memory.MeasureChannel), 0, 1, false},
		{"what only the agent itself can count", asks(memory.MeasureLook), 1, 1000, false},
		{"nothing that agents count", titleDocument + "How do I sort?", 1, 1000, false},
	} {
		s, _ := writing(t, c.know)
		s.rules.Upkeep, s.a.Balance, s.t.slotView.available = 0, 2*goals.SurvivalBalance, 2*goals.SurvivalBalance
		s.t.events.countEvent(&wire.Event{Payload: &wire.BountyCreatedEvent{BountyID: wire.Hash{9}, Creator: peerB, Difficulty: wire.DifficultyHard, Reward: c.reward, Title: []byte(c.title)}})
		sought := false
		for _, m := range []memory.Measure{memory.MeasureChannel, memory.MeasureLook} {
			sought = sought || s.t.demand().sought(m, []byte("help"))
		}
		if sought != c.want {
			t.Errorf("%s: it is sought %v", c.name, sought)
		}
	}
}

// How a bounty ends teaches what such work brings, and, if it asked for an entry, whether others agree on such entries. A bounty that comes
// back is free from then on; one whose claim the agent did not see failed only the first time.
func TestCountEvent_HowBountiesForEntriesEnd(t *testing.T) {
	const m = memory.MeasureKeeps
	paid := &wire.BountyCompletedEvent{BountyID: freeBounty, Claimer: peerB, Reward: 30, Tick: 260}
	expired := &wire.BountyExpiredEvent{BountyID: freeBounty, Tick: 260}
	reopened := &wire.BountyReopenedEvent{BountyID: freeBounty, Tick: 260}
	for _, c := range []struct {
		name    string
		offer   memory.OfferNote
		payload any
		agreed  int // whether others agree: 1: more likely than not, -1: less, 0: nothing is learned
		pays    float64
	}{
		{"delivered", memory.OfferNote{Measure: m, Claimed: 220}, paid, 1, 30},
		{"delivered, no entry", memory.OfferNote{Claimed: 220}, paid, 0, 0},
		{"expired unclaimed", memory.OfferNote{Measure: m}, expired, -1, 0},
		{"claimed and expired", memory.OfferNote{Measure: m, Claimed: 220, Tried: true}, expired, -1, 0},
		{"expired unclaimed after a claim that failed", memory.OfferNote{Measure: m, Tried: true}, expired, 0, 0},
		{"given back", memory.OfferNote{Measure: m, Claimed: 220, Again: 999}, reopened, -1, 0},
	} {
		s, _ := writing(t, 1)
		c.offer.Bounty, c.offer.Difficulty, c.offer.At = freeBounty, wire.DifficultyHard, 210
		s.a.Notebook.Offer(c.offer)
		s.t.events.countEvent(&wire.Event{Payload: c.payload})
		switch agreed := s.t.believer().agreed(m); {
		case c.agreed > 0 && agreed <= 0.5, c.agreed < 0 && agreed >= 0.5, c.agreed == 0 && agreed != 0.5:
			t.Errorf("%s: others agree with a chance of %v", c.name, agreed)
		}
		if got := s.a.Memory.Market.AveragePay[memory.BountyWorkEntry]; got != c.pays {
			t.Errorf("%s: entries bring %v", c.name, got)
		}
		if o := s.a.Notebook.Offered(freeBounty); c.payload != any(paid) && (o.At != 260 || o.Claimed != 0 || !o.Tried || o.Again != 0) {
			t.Errorf("%s: it stands as %+v", c.name, o)
		}
	}
}

// A bounty that comes back is noted again, as one that was tried, if the agent had forgotten it and still sees it.
func TestCountEvent_ForgottenBountyComesBack(t *testing.T) {
	for _, c := range []struct {
		name         string
		shown, noted bool
		want         memory.OfferNote
	}{
		{"forgotten", true, false, memory.OfferNote{Bounty: freeBounty, Difficulty: wire.DifficultyEasy, Measure: memory.MeasureKeeps, Tried: true, At: 260}},
		{"noted", true, true, memory.OfferNote{Bounty: freeBounty, Difficulty: wire.DifficultyHard, Tried: true, At: 260}},
		{"not shown any more", false, false, memory.OfferNote{}},
	} {
		s, _ := writing(t, 1)
		if c.shown {
			s.t.slotView.look(&wire.View{Bounties: []wire.BountyView{{ID: freeBounty, Creator: peerA, Difficulty: wire.DifficultyEasy, Status: wire.BountyStatusOpen, Title: []byte(titleDocument + memory.MeasureKeeps.Question([]byte("0a0b0000")))}}})
		}
		if c.noted {
			s.a.Notebook.Offer(memory.OfferNote{Bounty: freeBounty, Difficulty: wire.DifficultyHard, At: 210})
		}
		s.t.events.countEvent(&wire.Event{Payload: &wire.BountyReopenedEvent{BountyID: freeBounty, Tick: 260}})
		var got memory.OfferNote
		if o := s.a.Notebook.Offered(freeBounty); o != nil {
			got = *o
		}
		if got != c.want || len(s.a.Notebook.Offers) > 1 {
			t.Errorf("%s: %+v", c.name, s.a.Notebook.Offers)
		}
	}
}

// A question counts for its topic and against all topics that questions were about before.
func TestCountQuestion_ForItsTopicAgainstTheOthers(t *testing.T) {
	s, _ := writing(t, 1)
	rr := messageReader{&s.t.replies}
	for _, asks := range []string{
		memory.MeasureReward.Question([]byte("HARD")), "How do I sort?", memory.MeasurePattern.Question([]byte("memo")), memory.MeasureReward.Question([]byte("EASY")),
	} {
		rr.countQuestion([]byte(asks))
	}
	const want = "\tHow much is asked about bounty-pay: 0.666667 (n 3)\n\tHow much is asked about starlark-control: 0.5 (n 2)\n"
	if got := s.counts(); got != want {
		t.Errorf("counted is\n%swant\n%s", got, want)
	}
}

// An agent counts which of its requests are refused, and how many new messages a look at a channel brings.
func TestCount_OwnTriesAndLooks(t *testing.T) {
	s, _ := writing(t, 1)
	s.t.replies.countTry("entry_get", true)
	s.t.replies.countTry("entry_get", false)
	messageReader{&s.t.replies}.countLook(channelHelp, 3)
	messageReader{&s.t.replies}.countLook(wire.Hash{9}, 3) // a channel without a name
	const want = "\tWhat a look at #help brings: 3\n\tHow often entry_get is refused: 0.5 (n 2)\n\tWhat was refused in cycles 1 to 5: 0.5 (n 2)\n"
	if got := s.counts(); got != want {
		t.Errorf("counted is\n%swant\n%s", got, want)
	}
}

// How many build on a repo is known from one event, to who knows about libraries; others note that there is something to ask about.
func TestCountDependents_ByWhoKnowsLibraries(t *testing.T) {
	for know, want := range map[float32]string{0.34: "0 (n 0)", 0.36: "4"} { //house:sorted each is looked at by itself
		s := counting(t)
		s.a.Memory.Topics[memory.TopicLibraries-1].Know = know
		s.t.events.countEvent(&wire.Event{Payload: &wire.DependencyUpdatedEvent{RepoID: someLibrary, DependentCount: 4}})
		if got := s.counts(); !strings.HasPrefix(got, "\tWho builds on text of a1000000: "+want+"\n") {
			t.Errorf("who knows libraries by %v counts %s", know, got)
		}
	}
}

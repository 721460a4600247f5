package ooda

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// linesWith are the lines of the next prompt that begin with a word.
func (s *solo) linesWith(begin string, events ...*wire.Event) (list []string) {
	s.Helper()
	s.ask(events...)
	for line := range strings.Lines(string(s.t.prompt.Render(nil))) {
		if strings.HasPrefix(line, begin) {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}

// News name what happened to what; of several equal events they say how many. What the agent has to do with comes with the words of others;
// what it can see without news, or what tells it nothing, is left out.
func TestPrompt_NewsOfEveryEvent(t *testing.T) {
	mine, theirs, message, held, open := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}, wire.Hash{4}, wire.Hash{5}
	proposal, review, unknown := wire.Hash{6}, wire.Hash{7}, wire.Hash{8}
	me := newSolo(t, genomes[6]).a.ID
	memo := []byte("for the answer")
	said := []wire.JudgeComment{{Judge: peerA, Comments: []byte("slow")}, {Judge: peerB}}
	var out strings.Builder
	for _, c := range []struct {
		kind     wire.EventKind
		payloads []any // oldest first
	}{
		{wire.KindMessagePosted, []any{
			&wire.MessagePostedEvent{MessageID: wire.Hash{20}, ChannelID: channelHelp, Author: peerA, Kind: wire.MessageKindQuestion},
			&wire.MessagePostedEvent{MessageID: wire.Hash{21}, ChannelID: channelHelp, Author: peerA, Kind: wire.MessageKindStatement},
			&wire.MessagePostedEvent{MessageID: wire.Hash{22}, ChannelID: channelHelp, Author: peerB, Kind: wire.MessageKindQuestion},
		}},
		{wire.KindSignalSent, []any{&wire.SignalSentEvent{TargetID: message, Author: peerA, Kind: wire.SignalKindHelpful}}},
		{wire.KindEntryVerified, []any{&wire.EntryVerifiedEvent{EntryID: theirs, Verifier: peerB, Verdict: wire.VerdictAccurate, NewAccuracy: 1}}},
		{wire.KindEntryVerified, []any{
			&wire.EntryVerifiedEvent{EntryID: theirs, Verifier: peerB, Verdict: wire.VerdictAccurate, NewAccuracy: 1},
			&wire.EntryVerifiedEvent{EntryID: theirs, Verifier: peerB, Verdict: wire.VerdictInaccurate, NewAccuracy: 0.5, Evidence: []byte("no")},
		}},
		{wire.KindEntryVerified, []any{&wire.EntryVerifiedEvent{EntryID: mine, Verifier: peerB, Verdict: wire.VerdictAccurate, NewAccuracy: 1, Evidence: []byte("yes")}}},
		{wire.KindEntryVerified, []any{&wire.EntryVerifiedEvent{EntryID: mine, Verifier: peerB, Verdict: wire.VerdictInaccurate, Evidence: []byte("no")}}},
		{wire.KindEntryPublished, []any{&wire.EntryPublishedEvent{EntryID: unknown, Author: peerA, Kind: wire.EntryKindFAQ, Title: []byte("New")}}},
		{wire.KindEntryUpdated, []any{&wire.EntryUpdatedEvent{EntryID: theirs, Version: 2, Author: peerA, ChangeNote: []byte("mended")}}},
		{wire.KindEntryUpdated, []any{&wire.EntryUpdatedEvent{EntryID: mine, Version: 2, Author: peerA, ChangeNote: []byte("mended")}}},
		{wire.KindEntryUpdateRejected, []any{&wire.EntryUpdateRejectedEvent{EntryID: theirs, Version: 3, RejectedBy: peerA, ChangeNote: []byte("it was right")}}},
		{wire.KindPeerReviewApproved, []any{&wire.PeerReviewApprovedEvent{EntryID: theirs, Reviewer: peerB, Evidence: []byte("it runs")}}},
		{wire.KindCitationAdded, []any{
			&wire.CitationAddedEvent{Source: unknown, Target: theirs}, &wire.CitationAddedEvent{Source: mine, Target: theirs},
		}},
		{wire.KindReputationUpdated, []any{
			&wire.ReputationUpdatedEvent{AgentID: peerA, OldReputation: 0.25, NewReputation: 0.5}, &wire.ReputationUpdatedEvent{AgentID: peerA, OldReputation: 0.5, NewReputation: 0.75},
		}},
		{wire.KindReputationUpdated, []any{&wire.ReputationUpdatedEvent{AgentID: me, OldReputation: 0.25, NewReputation: 0.5}}},
		{wire.KindAgentStatusChange, []any{&wire.AgentStatusChangeEvent{AgentID: peerA, NewStatus: wire.StatusDormant, Reason: "poverty"}}},
		{wire.KindAgentSpawn, []any{&wire.AgentSpawnEvent{AgentID: wire.AgentID{0xCC}, Role: wire.RoleExplorer}}},
		{wire.KindProposalCreated, []any{&wire.ProposalCreatedEvent{ProposalID: proposal, Author: peerA, Kind: wire.ProposalKindCustom}}},
		{wire.KindProposalResolved, []any{&wire.ProposalResolvedEvent{ProposalID: proposal, Passed: true}}},
		{wire.KindProposalResolved, []any{&wire.ProposalResolvedEvent{ProposalID: proposal}}},
		{wire.KindReviewSubmitted, []any{&wire.ReviewSubmittedEvent{ReviewID: review, Reviewer: peerA, Verdict: wire.ReviewVerdictApprove, Text: []byte("good")}}},
		{wire.KindReviewSubmitted, []any{&wire.ReviewSubmittedEvent{ReviewID: unknown, Reviewer: peerA, Verdict: wire.ReviewVerdictApprove, Text: []byte("good")}}},
		{wire.KindStalenessDetected, []any{&wire.StalenessDetectedEvent{EntryID: mine}}},
		{wire.KindCrossLinkSuggested, []any{&wire.CrossLinkSuggestedEvent{Source: mine, Target: theirs}}},
		{wire.KindDuplicateFlagged, []any{&wire.DuplicateFlaggedEvent{NewEntryID: theirs, ExistingEntryID: mine}}},
		{wire.KindGapDetected, []any{&wire.GapDetectedEvent{Topic: []byte("sorting"), AgoraThreadID: message, BountyID: open}}},
		{wire.KindTransferCompleted, []any{&wire.TransferCompletedEvent{TxID: unknown, From: peerA, To: me, Amount: 5, Memo: &memo}}},
		{wire.KindTransferCompleted, []any{&wire.TransferCompletedEvent{TxID: unknown, From: peerA, To: peerB, Amount: 5, Memo: &memo}}},
		{wire.KindTransferCompleted, []any{&wire.TransferCompletedEvent{TxID: unknown, From: me, To: peerB, Amount: 5, Memo: &memo}}},
		{wire.KindTransferCompleted, []any{&wire.TransferCompletedEvent{From: peerA, To: peerB, Amount: 5}}},
		{wire.KindEscrowCreated, []any{&wire.EscrowCreatedEvent{EscrowID: unknown, Owner: peerA, Amount: 20, Beneficiary: &me, Deadline: 900}}},
		{wire.KindEscrowCreated, []any{&wire.EscrowCreatedEvent{EscrowID: unknown, Owner: peerA, Amount: 20, Deadline: 900}, &wire.EscrowCreatedEvent{EscrowID: wire.Hash{9}, Owner: peerA, Amount: 20, Deadline: 900}}},
		{wire.KindBountyCreated, []any{&wire.BountyCreatedEvent{BountyID: open, Creator: peerA, Reward: 30, Difficulty: wire.DifficultyHard, Title: []byte("Open")}}},
		{wire.KindBountyCreated, []any{&wire.BountyCreatedEvent{BountyID: unknown, Creator: peerA, Reward: 30, Difficulty: wire.DifficultyHard, Title: []byte("Gone")}}},
		{wire.KindBountyClaimed, []any{&wire.BountyClaimedEvent{BountyID: open, Claimer: peerA}}},
		{wire.KindBountyClaimed, []any{&wire.BountyClaimedEvent{BountyID: held, Claimer: peerA}}},
		{wire.KindBountyClaimed, []any{&wire.BountyClaimedEvent{BountyID: unknown, Claimer: peerA}}},
		{wire.KindBountySubmitted, []any{&wire.BountySubmittedEvent{BountyID: held, Claimer: peerA}}},
		{wire.KindBountyCompleted, []any{&wire.BountyCompletedEvent{BountyID: open, Claimer: peerA, Reward: 30, Comments: said}}},
		{wire.KindBountyCompleted, []any{&wire.BountyCompletedEvent{BountyID: unknown, Claimer: me, Reward: 30, Comments: said}}},
		{wire.KindBountyRejected, []any{&wire.BountyRejectedEvent{BountyID: held, Reason: []byte("reviewers"), Comments: said}}},
		{wire.KindBountyDisputed, []any{&wire.BountyDisputedEvent{BountyID: held}}},
		{wire.KindBountyExpired, []any{&wire.BountyExpiredEvent{BountyID: open}}},
		{wire.KindBountyReopened, []any{&wire.BountyReopenedEvent{BountyID: open, Reason: []byte("lease")}}},
		{wire.KindInflationApplied, []any{&wire.InflationAppliedEvent{}, &wire.InflationAppliedEvent{}, &wire.InflationAppliedEvent{}}},
		{wire.KindChannelCreated, []any{&wire.ChannelCreatedEvent{ChannelID: unknown, Creator: peerA, Name: []byte("den")}}},
		{wire.KindTick, []any{&wire.TickEvent{}}},
	} {
		s := newSolo(t, genomes[6])
		s.meet(peerA)
		s.meet(peerB)
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: mine, Author: me, Own: true, Title: []byte("Mine")})
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: theirs, Author: peerA, Title: []byte("Theirs")})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: message, Author: me, Kind: wire.MessageKindQuestion, Text: []byte("How do I sort?")})
		s.a.Memory.Dealings.AskedReview(review)
		s.view.Claims = []wire.BountyView{{ID: held, Creator: me, Title: []byte("Held"), Deadline: 900}}
		s.view.Bounties = []wire.BountyView{{ID: open, Creator: peerA, Title: []byte("Open"), Deadline: 900, Status: wire.BountyStatusOpen}}
		var events []*wire.Event
		for _, p := range c.payloads {
			events = append(events, event(c.kind, 256, wire.SystemID(wire.SystemMint), p))
		}
		fmt.Fprintln(&out, c.kind.String())
		for _, line := range s.linesWith("news", events...) {
			fmt.Fprintln(&out, "\t"+line)
		}
	}
	golden.File(t, filepath.Join("testdata", "news.txt"), out.String())
}

// What a bounty asks for is said in words; of what the agent does not understand, that its creator has to accept it.
func TestPrompt_RequirementsInWords(t *testing.T) {
	path, other, many, one := "lib/pv.star", wire.ProgramFile, uint32(3), uint32(1)
	needs := func(k wire.RequirementKind, params []byte) wire.BountyRequirement {
		return wire.BountyRequirement{Kind: k, Params: params}
	}
	faq := wire.EntryKindFAQ
	s := newSolo(t, genomes[6])
	l := &life{s.t.items()}
	for _, c := range []struct {
		need wire.BountyRequirement
		want string
	}{
		{needs(wire.RequirementKindMustCompile, wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &path})), `a program at "lib/pv.star" that compiles`},
		{needs(wire.RequirementKindMustCompile, wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &other})), `a program that compiles`},
		{needs(wire.RequirementKindMustCompile, wire.MustCompileCodec.Append(nil, &wire.MustCompile{})), `a program that compiles`},
		{needs(wire.RequirementKindMustCompile, nil), `a program that compiles`},
		{needs(wire.RequirementKindMustPassTests, wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: wire.Hash{7}})), `a program that passes test x1`},
		{needs(wire.RequirementKindMustPassTests, nil), `a program that passes its tests`},
		{needs(wire.RequirementKindMustBeReviewed, wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{MinReviews: &many})), `3 approving reviews`},
		{needs(wire.RequirementKindMustBeReviewed, wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{MinReviews: &one})), `an approving review`},
		{needs(wire.RequirementKindMustBeReviewed, wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{})), `an approving review`},
		{needs(wire.RequirementKindMustBeReviewed, nil), `an approving review`},
		{verified(faq, 2)[0], `2 new FAQ entries of yours, found accurate`},
		{custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &faq})[0], `what its creator accepts as "` + wire.CheckOracleVerified + `"`},
		{custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Count: &one})[0], `what its creator accepts as "` + wire.CheckOracleVerified + `"`},
		{answers(wire.Hash{7})[0], `an entry of yours that refers to m1, found accurate by two`},
		{custom(wire.CustomCheck{Check: wire.CheckOracleAnswered})[0], `an entry of yours on it, verified by two`},
		{custom(wire.CustomCheck{Check: "a dance"})[0], `what its creator accepts as "a dance"`},
		{custom(wire.CustomCheck{Check: "a dance", Kind: &faq, Count: &one})[0], `what its creator accepts as "a dance"`},
		{needs(wire.RequirementKindCustom, nil), `what its creator accepts`},
	} {
		if got := l.requirement(&wire.BountyView{Requirements: []wire.BountyRequirement{c.need}}, 0, &llm.Handles{}); got != c.want && got != strings.ReplaceAll(c.want, `"`, "") {
			t.Errorf("it asks for %s, want %s", got, c.want)
		}
	}
}

// The present state lists what is the agent's own and what is open, each thing once: of bounties the first ten, and what the others pay.
func TestPrompt_StateListsWhatIsOwnAndOpen(t *testing.T) {
	bounties := func(n int) (list []wire.BountyView) {
		for i := range n {
			list = append(list, wire.BountyView{
				ID: wire.Hash{0xB1, byte(i)}, Creator: peerA, Title: fmt.Appendf(nil, "Work %d", i), Reward: uint64(10 * i), Deadline: 900,
				Difficulty: []wire.Difficulty{wire.DifficultyTrivial, wire.DifficultyLegendary}[i%2], Status: wire.BountyStatusOpen,
			})
		}
		return list
	}
	me := newSolo(t, genomes[6]).a.ID
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		begin   string
		want    []string
	}{
		{"ten bounties", func(s *solo) { s.view.Bounties = bounties(10) }, "market", nil},
		{"eleven bounties, what they pay", func(s *solo) { s.view.Bounties = bounties(11) }, "market", []string{"market: TRIVIAL 6 open, mean reward 50 Spark", "market: LEGENDARY 5 open, mean reward 50 Spark"}},
		{"ten of eleven bounties", func(s *solo) { s.view.Bounties = bounties(11) }, "open bounty b10", []string{`open bounty b10 a1000000 wrote "Work 9": 90 Spark, LEGENDARY, 644 ticks left`}},
		{"the eleventh", func(s *solo) { s.view.Bounties = bounties(11) }, "open bounty b11", nil},
		{"one that it holds", func(s *solo) {
			s.view.Bounties = bounties(1)
			s.view.Claims = []wire.BountyView{{ID: wire.Hash{0xB1, 0}, Creator: peerA, Claimer: &me, Status: wire.BountyStatusClaimed, Title: []byte("Work 0"), Deadline: 900, Difficulty: wire.DifficultyHard}}
		}, "open bounty", nil},
		{"specifications of what it may claim, equal ones once", func(s *solo) {
			s.view.Bounties = bounties(5)
			for i := range s.view.Bounties {
				s.view.Bounties[i].Specification = []byte("the details")
			}
			s.view.Bounties[0].Barred = true
			s.view.Bounties[1].Requirements = verified(wire.EntryKindFAQ, 1)
			s.view.Bounties[4].Specification = []byte("other details")
		}, "open bounty", []string{
			`open bounty b1 a1000000 wrote "Work 1": 10 Spark, LEGENDARY, 644 ticks left; requires 1 new FAQ entry of yours, found accurate`,
			`open bounty b2 a1000000 wrote "Work 2": 20 Spark, TRIVIAL, 644 ticks left; asks: "the details"`,
			`open bounty b3 a1000000 wrote "Work 3": 30 Spark, LEGENDARY, 644 ticks left`,
			`open bounty b4 a1000000 wrote "Work 4": 40 Spark, TRIVIAL, 644 ticks left; asks: "other details"`,
		}},
		{"what is over", func(s *solo) {
			s.view.Subjects = []wire.SubjectView{
				{ID: wire.Hash{1}, Kind: "entry", Status: "JUDGED"}, {ID: wire.Hash{2}, Kind: "bounty", Status: "COMPLETED", By: peerA}, {ID: wire.Hash{3}, Kind: "question", Status: "ANSWERED"}, {ID: wire.Hash{4}, Kind: "thing", Status: "GONE"},
			}
		}, "over", []string{`over: bounty b1, COMPLETED by a1000000`, "over: question m1, ANSWERED", "over: thing x1, GONE"}},
		{"a review of a change", func(s *solo) {
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Author: peerA, Asker: peerA, Title: []byte("A parser"), Verdicts: 1, Base: wire.Hash{0x51}, Snap: wire.Hash{0x52}}}
		}, "review asked", []string{`review asked of you: r1 a1000000 wrote "A parser", change by a1000000 from x1 to x2, since tick 0, 1 verdict`}},
		{"a review of what the agent pays for itself", func(s *solo) {
			s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Bounty: true, Author: peerA, Asker: me, Title: []byte("A parser"), Asks: []byte("the details")}}
		}, "r1 asks", nil},
		{"posts", func(s *solo) { s.a.Notebook.Posts = s.rules.MaxPosts - 1 }, "tick 256", []string{"tick 256 of cycle 1, epoch 0; 256 ticks and 64 own slots left in the cycle; balance 100 Spark; reputation 0.00; 1 post left"}},
		{"no posts left", func(s *solo) { s.a.Notebook.Posts = s.rules.MaxPosts }, "tick 256", []string{"tick 256 of cycle 1, epoch 0; 256 ticks and 64 own slots left in the cycle; balance 100 Spark; reputation 0.00; 0 posts left"}},
		{"votes", func(s *solo) {
			s.proposals(3, wire.SystemID(wire.SystemMint), 800)
			s.view.Proposals[0].For, s.view.Proposals[0].Against, s.view.Proposals[0].Voters = 3, 1, 4
			s.view.Proposals[1].Against, s.view.Proposals[1].Voters = 2, 2
		}, "open proposal", []string{
			"open proposal p1 KILL_AGENT by MINT, 544 ticks left to vote, 4 agents voted, 0.75 of the weight for it",
			"open proposal p2 KILL_AGENT by MINT, 544 ticks left to vote, 2 agents voted, 0.00 of the weight for it",
			"open proposal p3 KILL_AGENT by MINT, 544 ticks left to vote, 0 agents voted",
		}},
	} {
		s := newSolo(t, genomes[6])
		c.prepare(s)
		if got := s.linesWith(c.begin); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// A bounty that the agent leaves to others for now is shown with the time for which it does.
func TestPrompt_StateSaysHowLongABountyIsLeft(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *solo, b *wire.BountyView, o *memory.OfferNote)
		waits  bool
	}{
		{"less than what such work pays", func(*solo, *wire.BountyView, *memory.OfferNote) {}, true},
		{"as much as such work pays", func(_ *solo, b *wire.BountyView, _ *memory.OfferNote) { b.Reward = 40 }, false},
		{"offered long ago", func(_ *solo, _ *wire.BountyView, o *memory.OfferNote) { o.At = 0 }, false},
		{"to be considered later", func(_ *solo, _ *wire.BountyView, o *memory.OfferNote) { o.Again = 1025 }, false},
		{"to be considered now", func(_ *solo, _ *wire.BountyView, o *memory.OfferNote) { o.Again = 1024 }, true},
		{"its own", func(s *solo, b *wire.BountyView, _ *memory.OfferNote) { b.Creator = s.a.ID }, false},
		{"barred", func(_ *solo, b *wire.BountyView, _ *memory.OfferNote) { b.Barred = true }, false},
		{"claimed", func(_ *solo, b *wire.BountyView, _ *memory.OfferNote) { b.Status = wire.BountyStatusClaimed }, false},
	} {
		s := newSolo(t, genomes[0])
		s.ask()
		s.t.slotView.tick, s.t.slotView.available = 1024, 500
		s.a.Memory.Market.AveragePay[memory.BountyWorkOther] = 40
		b := wire.BountyView{ID: wire.Hash{0xB1}, Creator: peerA, Reward: 10, Deadline: 9000, Status: wire.BountyStatusOpen}
		o := memory.OfferNote{Bounty: b.ID, At: 1024}
		c.change(s, &b, &o)
		s.a.Notebook.Offer(o)
		f := (&life{s.t.items()}).openBounty(&b, &llm.Handles{})
		if got := f.Wait > 0; got != c.waits {
			t.Errorf("%s: it is left for %d ticks", c.name, f.Wait)
		}
		if want := s.t.purse().holdsOut(&b, 40); c.waits && f.Wait != uint64(want)+1 {
			t.Errorf("%s: it is left for %d ticks, want %v", c.name, f.Wait, want)
		}
	}
}

// facts are those of the next prompt.
func (s *solo) facts(prepare func()) *llm.Facts {
	s.Helper()
	s.ask()
	if prepare != nil {
		prepare()
	}
	var f llm.Facts
	(&life{s.t.items()}).FillFacts(&f, &llm.Handles{})
	return &f
}

// An agent is known for the titles of its entries that others found accurate, the most accurate first, each once, three at most.
func TestPrompt_KnownForAccurateEntries(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i, c := range []struct {
		title    string
		accurate uint32
		accuracy float64
	}{{"a", 1, 0.6}, {"b", 2, 0.9}, {"not found accurate", 0, 1}, {"b", 1, 0.8}, {"c", 3, 0.7}, {"d", 1, 0.5}, {"", 1, 1}} {
		id := wire.Hash{0xE1, byte(i)}
		s.a.Learning.Works = append(s.a.Learning.Works, goals.Work{Entry: id, Accurate: c.accurate, Accuracy: c.accuracy})
		if c.title != "" { // else the agent has forgotten it
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: s.a.ID, Own: true, Title: []byte(c.title)})
		}
	}
	if got := s.facts(nil).Me.KnownFor; !slices.Equal(got, []llm.Words{"b", "c", "a"}) {
		t.Errorf("it is known for %v", got)
	}
}

// Of what a peer stated the agent is reminded of the statement, of what it knows by itself at length; not of tags, nor that there are entries
// to begin with.
func TestPrompt_KnowledgeByWhoStatedIt(t *testing.T) {
	long := strings.Repeat("word ", 100)
	entry := wire.Hash{0xE1}
	for _, c := range []struct {
		name    string
		label   string
		content string
		author  string
		want    llm.Words // "": it is not shown
	}{
		{"its own", "Patterns", "\nfirst\nsecond", "", "first\nsecond"},
		{"its own, at length", "Patterns", long, "", llm.Words(strings.TrimRight(long[:397], " ") + "…")},
		{"a peer's", "Patterns", `a1000000 wrote "first\nsecond"`, "a1000000", "first"},
		{"a peer's, at length", "Patterns", `a1000000 wrote "` + long + `"`, "a1000000", llm.Words(long[:105] + "…")},
		{"a system's", "Patterns", wire.SystemID(wire.SystemOracle).Alias() + ` wrote "first"`, "ORACLE", "first"},
		{"a tag", "Patterns", "", "", ""},
	} {
		s := newSolo(t, genomes[6])
		s.a.Memory.Knowledge.Learn([]byte(c.label), []byte(c.content), memory.KnowledgeOracle, 1, 256)
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA, Title: []byte(c.label)})
		f := s.facts(func() { s.t.goals.top = s.about(goals.KindLearn, entry) })
		got := llm.Quote{}
		for _, k := range f.Memory.Knowledge {
			if string(k.Label) == c.label {
				got = k.Content
			}
			if strings.HasPrefix(string(k.Label), seedWord) {
				t.Errorf("%s: it is reminded of %q", c.name, k.Label)
			}
		}
		if got.Words != c.want || got.Author != c.author {
			t.Errorf("%s: it is reminded of %q by %q, want %q", c.name, got.Words, got.Author, c.want)
		}
	}
}

// At most two pieces of knowledge are shown. A message goes by its handle.
func TestPrompt_KnowledgeIsBounded(t *testing.T) {
	s := newSolo(t, genomes[6])
	message := wire.Hash{0xA1}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: message, Author: peerA, Kind: wire.MessageKindStatement, Text: []byte("text")})
	s.a.Memory.Knowledge.Learn(messageLabel(message), []byte("I think so"), memory.KnowledgeInference, 1, 256)
	f := s.facts(func() { s.t.goals.top = s.about(goals.KindAnswer, message) })
	if k := f.Memory.Knowledge; len(k) != 1 || k[0].Label != "message m1" || k[0].Source != "inference" {
		t.Errorf("it is reminded of %+v", k)
	}
	s = newSolo(t, genomes[6])
	s.ask()
	for i := range 8 {
		id, label := wire.Hash{0xE1, byte(i)}, fmt.Appendf(nil, "entry %d", i)
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Title: label})
		s.a.Memory.Knowledge.Learn(label, []byte("states something"), memory.KnowledgeOracle, 1, 256)
	}
	f = s.facts(func() {
		s.t.goals.top = s.about(goals.KindLearn, wire.Hash{0xE1, 0})
		for i := range 8 {
			s.t.offers.list = append(s.t.offers.list, llm.Affordance{Subject: wire.Hash{0xE1, byte(i)}})
		}
	})
	if k := f.Memory.Knowledge; len(k) != 2 {
		t.Errorf("it is reminded of %d things", len(k))
	}
}

// A belief says how old it is and what it is about. How often an action worked is told with its offers, not here.
func TestPrompt_BeliefsInWords(t *testing.T) {
	for _, c := range []struct {
		name  string
		claim memory.Claim
		sure  float64
		seen  int // how often it was tested
		want  string
	}{
		{"an action that works as always", memory.Claim{Subject: []byte("entry_get"), Predicate: worksPredicate}, 1, memory.EvidenceMax, ""},
		{"an action that fails as always", memory.Claim{Subject: []byte("entry_get"), Predicate: worksPredicate}, 0.05, memory.EvidenceMax, ""},
		{"that bounties get done", memory.Claim{Subject: []byte("bounties"), Predicate: "get done"}, 1, memory.EvidenceMax, "bounties get done"},
		{"what the mind said", memory.Claim{Subject: []byte("it pays to wait"), Predicate: holdsPredicate}, 1, 1, "it pays to wait"},
		{"about a thing", memory.Claim{Subject: deal[:], Predicate: "pays"}, 1, 1, "the thing d0000000 pays"},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		for i := range c.seen {
			s.a.Memory.Beliefs.Set(c.claim, c.sure, &wire.Hash{byte(i)}, 256)
		}
		var got []string
		s.next = 256 + 3*256
		f := s.facts(nil)
		for _, b := range f.Memory.Beliefs {
			got = append(got, strings.ReplaceAll(b.Claim, `"`, ""))
			if b.Age != 3 {
				t.Errorf("%s: it is %d cycles old", c.name, b.Age)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: it believes %q, want %q", c.name, s, c.want)
		}
	}
}

// Of a peer the four newest tags are shown, without those that only narrow another one or name the peer.
func TestPrompt_InterestsOfPeers(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.meet(peerA)
	for i, tag := range []string{"one", "two", "three", "four", "four-five", "a1000000 about talk", "help-three", "six"} {
		s.a.Memory.Peers.Interest(peerA, []byte(tag), wire.Tick(200+i))
	}
	f := s.facts(nil)
	if len(f.Memory.Peers) != 1 {
		t.Fatalf("it knows %+v", f.Memory.Peers)
	}
	if got := f.Memory.Peers[0].Interests; !slices.Equal(got, []llm.Words{"six", "four-five", "four", "three"}) {
		t.Errorf("the peer works on %q", got)
	}
}

// The topics in which the agent begins sooner than others are shown, the two soonest first.
func TestPrompt_PracticeSoonestFirst(t *testing.T) {
	s := newSolo(t, genomes[6])
	f := s.facts(func() {
		for i := range s.a.Memory.Topics {
			s.a.Memory.Topics[i].Bar = 0.91
		}
		s.a.Memory.Topics[memory.TopicBounties-1].Bar = 0.875
		s.a.Memory.Topics[memory.TopicTalk-1].Bar = 0.5
		s.a.Memory.Topics[memory.TopicControl-1].Bar = 0.25
	})
	if got := f.Memory.Practice; !slices.Equal(got, []llm.PracticeFact{{Topic: "starlark-control", Share: 0.25}, {Topic: "channel-talk", Share: 0.5}}) {
		t.Errorf("it is practised in %+v", got)
	}
}

// Of the steps of a plan those before the present one are done; that one can be taken, or waits for its condition or for a result.
func TestPrompt_PlanSaysWhereItStands(t *testing.T) {
	for _, c := range []struct {
		name    string
		needs   string
		blocked bool
		state   string
		says    string
	}{
		{"it can be taken", "may_post", false, "next", "a message may still be posted in this cycle"},
		{"it waits for its condition", "message_answered", false, "blocked", "you answered the message"},
		{"it waits for a result", "may_post", true, "blocked", "the result of your request"},
	} {
		s := newSolo(t, genomes[6])
		f := s.facts(func() {
			g := s.about(goals.KindBuildLibrary, wire.Hash{1})
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
			step := func(needs string) memory.PlanStep {
				condition := []byte(needs)
				return memory.PlanStep{Action: stepCodec.Bytes(&stepAction{"entry_query", `{"limit":5}`}), Precondition: &condition}
			}
			p := s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Steps: []memory.PlanStep{step("may_post"), step(c.needs), step("may_post")}})
			if p.Step, p.Tries = 1, 1; c.blocked {
				p.Blocked = &wire.Hash{7}
			}
			s.t.offers.ranking = []*goals.Goal{g}
		})
		p := f.Memory.Plan
		if p == nil || len(p.Steps) != 3 || p.Steps[0].State != "done" || p.Steps[0].Tries != 0 || p.Steps[2].State != "later" || p.Steps[2].Tries != 0 {
			t.Fatalf("%s: the plan is %+v", c.name, p)
		}
		if x := p.Steps[1]; x.State != c.state || x.Needs != c.says || x.Tries != 1 {
			t.Errorf("%s: the step is %+v", c.name, x)
		}
	}
}

// Goals that the mind or an operator set are listed before those that the agent noticed, however many it noticed.
func TestPrompt_GoalsThatWereSetKeepTheirPlace(t *testing.T) {
	for _, c := range []struct {
		set  int // behind six that the agent noticed
		want string
	}{{0, "6 noticed, 0 set"}, {2, "4 noticed, 2 set"}, {6, "0 noticed, 6 set"}, {8, "0 noticed, 6 set"}} {
		s := newSolo(t, genomes[6])
		f := s.facts(func() {
			s.t.offers.ranking = nil
			for i := range byte(8) {
				s.t.offers.ranking = append(s.t.offers.ranking, s.about(goals.KindAnswer, wire.Hash{1, i}))
			}
			for i := range c.set {
				s.t.offers.ranking = append(s.t.offers.ranking, s.about([]goals.Kind{goals.KindOwn, goals.KindOperator}[i%2], wire.Hash{2, byte(i)}))
			}
		})
		noticed, set := 0, 0
		for _, g := range f.Memory.Goals {
			if g.Kind == goals.KindAnswer.String() {
				noticed++
			} else {
				set++
			}
		}
		if got := fmt.Sprintf("%d noticed, %d set", noticed, set); got != c.want {
			t.Errorf("of 8 noticed goals and %d that were set it lists %s, want %s", c.set, got, c.want)
		}
	}
}

// acted notes an act of the agent, with what came of it and what its reply showed; it returns its number.
func (s *solo) acted(a memory.Act, at wire.Tick, o memory.Outcome, e memory.Effect, why string) uint64 {
	m := s.a.Memory
	id := m.Experiences.AddAct(at, &a, o, nil)
	if e.Experience = id; e != (memory.Effect{Experience: id}) {
		m.Effects.Add(e)
	}
	if why != "" {
		m.Reasonings.Add(memory.Reasoning{Experience: id, At: at, Text: why})
	}
	return id
}

// What came of an act is said in words: the refusal, money, and what others made of it.
func TestPrompt_EffectsInWords(t *testing.T) {
	for _, c := range []struct {
		effect memory.Effect
		want   string
	}{
		{memory.Effect{}, ""},
		{memory.Effect{Spark: -3}, "money -3"},
		{memory.Effect{Spark: 3, Reward: 10}, "money +3, paid 10 Spark"},
		{memory.Effect{Fresh: 1, Answers: 1, Approved: 1, Disputed: 1}, "1 new thing, 1 answer, 1 approval, 1 objection"},
		{memory.Effect{Fresh: 2, Answers: 2, Approved: 2, Disputed: 2}, "2 new things, 2 answers, 2 approvals, 2 objections"},
		{memory.Effect{Refusal: "gone", Fresh: 1}, "refused: gone, 1 new thing"},
	} {
		if got := effect("entry_get", &c.effect, nil); got != c.want {
			t.Errorf("%+v: %q, want %q", c.effect, got, c.want)
		}
	}
}

// Acts in a row are one line if nothing tells them apart, with their effects added up; of the acts before the last four lines are shown, and
// what failed unless it is told there already.
func TestPrompt_ActsBeforeTheLast(t *testing.T) {
	signal := func(to byte) memory.Act {
		return memory.Act{Action: "signal_send", GoalKind: "mentor", Subject: &wire.Hash{to}, SubjectKind: goals.SubjectMessage.String()}
	}
	look := memory.Act{Action: "msg_query"}
	const good, bad = memory.OutcomeSuccess, memory.OutcomeFailure
	for _, c := range []struct {
		name     string
		acts     func(s *solo) // oldest first, before the last
		want     []string
		failures []string
	}{
		{"signals to forgotten messages", func(s *solo) {
			s.acted(signal(1), 10, good, memory.Effect{}, "")
			s.acted(signal(2), 11, good, memory.Effect{}, "")
			s.acted(signal(3), 12, good, memory.Effect{}, "")
		}, []string{"3 × signal_send SUCCESS"}, nil},
		{"one of them for another goal", func(s *solo) {
			x := signal(2)
			x.GoalKind = "earn"
			s.acted(signal(1), 10, good, memory.Effect{}, "")
			s.acted(x, 11, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × signal_send SUCCESS"}, nil},
		{"one of them failed", func(s *solo) {
			s.acted(signal(1), 10, bad, memory.Effect{}, "")
			s.acted(signal(2), 11, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × signal_send FAILURE"}, nil},
		{"one of them had an effect", func(s *solo) {
			s.acted(signal(1), 10, good, memory.Effect{Fresh: 1}, "")
			s.acted(signal(2), 11, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × signal_send SUCCESS: 1 new thing"}, nil},
		{"one of them with a thought", func(s *solo) {
			s.acted(signal(1), 10, good, memory.Effect{}, "I like it")
			s.acted(signal(2), 11, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × signal_send SUCCESS, I like it"}, nil},
		{"another act between", func(s *solo) {
			s.acted(signal(1), 10, good, memory.Effect{}, "")
			s.acted(look, 11, good, memory.Effect{}, "")
			s.acted(signal(2), 12, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × msg_query SUCCESS", "1 × signal_send SUCCESS"}, nil},
		{"a message that the agent remembers", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: peerA, Text: []byte("so it is")})
			s.acted(signal(1), 10, good, memory.Effect{}, "")
			s.acted(signal(2), 11, good, memory.Effect{}, "")
		}, []string{"1 × signal_send SUCCESS", "1 × signal_send SUCCESS m1 so it is"}, nil},
		{"many looks, whose effects add up", func(s *solo) {
			for i := range wire.Tick(3) {
				s.acted(look, 10+i, good, memory.Effect{Fresh: 1, Spark: 2, Answers: 3, Approved: 4, Disputed: 5, Reward: 6}, "")
			}
		}, []string{"3 × msg_query SUCCESS: money +6, paid 18 Spark, 3 new things, 9 answers, 12 approvals, 15 objections"}, nil},
		{"more than four", func(s *solo) {
			s.acted(signal(1), 9, bad, memory.Effect{Refusal: "gone"}, "")
			for i := range wire.Tick(3) {
				s.acted(look, 10+2*i, good, memory.Effect{}, "")
				s.acted(signal(2), 11+2*i, good, memory.Effect{}, "")
			}
		}, []string{"1 × signal_send SUCCESS", "1 × msg_query SUCCESS", "1 × signal_send SUCCESS", "1 × msg_query SUCCESS"}, []string{"1 × signal_send FAILURE: refused: gone"}},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		c.acts(s)
		s.acted(memory.Act{Action: "entry_get"}, 20, good, memory.Effect{}, "") // the last
		tell := func(list []llm.ActFact) (out []string) {
			for _, a := range list {
				line := fmt.Sprintf("%d × %s %s", a.Times, a.Action, a.Outcome)
				if a.On != (llm.Ref{}) {
					line += fmt.Sprintf(" %s %s", a.On, strings.Trim(string(a.Title), `"`))
				}
				if a.Effect != "" {
					line += ": " + a.Effect
				}
				if a.Thought != "" {
					line += ", " + strings.Trim(string(a.Thought), `"`)
				}
				out = append(out, line)
			}
			return out
		}
		f := s.facts(nil)
		if got := tell(f.History.Before); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		if got := tell(f.History.Failures); !slices.Equal(got, c.failures) {
			t.Errorf("%s: failed are %v, want %v", c.name, got, c.failures)
		}
		if f.History.Last == nil || f.History.Last.Action != "entry_get" {
			t.Errorf("%s: the last act is %+v", c.name, f.History.Last)
		}
	}
}

// What the last look showed is listed by its sort, with what the world says about it and in the words of its author; what says nothing is
// left out.
func TestPrompt_WhatTheLastLookShowed(t *testing.T) {
	tag, snap, repo := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	for _, c := range []struct {
		name string
		look memory.Reading
		want []string
	}{
		{"messages", memory.Reading{Messages: []memory.ReadMessage{
			{ID: wire.Hash{0xA1}, Author: peerA, Kind: wire.MessageKindQuestion, Answers: 1, Text: []byte("how?")},
			{ID: wire.Hash{0xA2}, Author: peerB, Kind: wire.MessageKindAnswer, About: wire.Hash{0xA1}, Text: []byte("so")},
			{ID: wire.Hash{0xA3}, Author: peerB, Kind: wire.MessageKindStatement},
			{ID: wire.Hash{0xA4}, Author: peerB, Kind: wire.MessageKindStatement, About: wire.Hash{0xA1}},
			{ID: wire.Hash{0xA5}, Author: peerB, Kind: wire.MessageKindStatement, Answers: 2},
		}}, []string{
			`m1 QUESTION [1 answer here] a1000000 wrote "how?"`,
			`m2 ANSWER about m1 b2000000 wrote "so"`,
			`m3 STATEMENT about m1 b2000000 wrote ""`,
			`m4 STATEMENT [2 answers here] b2000000 wrote ""`,
		}},
		{"an entry", memory.Reading{Entries: []memory.ReadEntry{
			{ID: wire.Hash{0xE1}, Author: peerA, Kind: wire.EntryKindFAQ, Title: []byte("Maps"), Text: []byte("all of it"), Accuracy: 0.5, Verifiers: 1, Citations: 2},
		}}, []string{`e2 FAQ "Maps" [accuracy 0.50, 1 verifier, 2 citations] a1000000 wrote "all of it"`}},
		{"an agent", memory.Reading{Agents: []memory.ReadAgent{{ID: peerA, Status: wire.StatusDormant, Reputation: 0.25}}}, []string{"agent a1000000 [DORMANT, reputation 0.25]"}},
		{"an account", memory.Reading{Accounts: []memory.ReadAccount{{Owner: peerA, Balance: 7, Locked: 2}}}, []string{"account of a1000000 [7 Spark, 2 locked]"}},
		{"a citation", memory.Reading{Citations: []memory.ReadCitation{{Source: wire.Hash{0xA1}, Target: wire.Hash{0xA2}, Kind: wire.CitationKindReferences}}}, []string{"m1 citation REFERENCES about x1"}},
		{"things", memory.Reading{Things: []memory.ReadThing{
			{What: "repo", ID: repo, Author: peerA, Text: []byte("joins"), Tag: &tag, Snap: &snap}, {What: "repo without a tag", ID: repo, Tag: &tag}, {What: "output", Text: []byte("3")}, {What: "nothing", Author: peerA},
		}}, []string{`x1 repo [newest tag x2 of snap x3] a1000000 wrote "joins"`, `x1 repo without a tag`, `output "3"`, `nothing`}},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{0xA1}, Author: peerA, Kind: wire.MessageKindQuestion, Text: []byte("how?")})
		c.look.Experience = s.acted(memory.Act{Action: "msg_query"}, 20, memory.OutcomeSuccess, memory.Effect{}, "")
		s.a.Memory.Readings.Add(c.look)
		var got []string
		for _, x := range s.facts(nil).History.Last.Shown {
			line := x.What
			if x.Ref != (llm.Ref{}) {
				line = x.Ref.String() + " " + line
			}
			if x.Title != "" {
				line += " " + x.Title.String()
			}
			if x.About != (llm.Ref{}) {
				line += " about " + x.About.String()
			}
			if x.Counts != "" {
				line += " [" + x.Counts + "]"
			}
			if x.Quote.Author != "" {
				line += " " + x.Quote.Author + " wrote " + x.Quote.Words.String()
			} else if x.Quote.Words != "" {
				line += " " + x.Quote.Words.String()
			}
			got = append(got, line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

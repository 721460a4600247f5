package ooda

import (
	"regexp"
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// wantLines fails for each line that the prompt does not have.
func (s *solo) wantLines(lines ...string) {
	s.Helper()
	text := "\n" + string(s.t.prompt.Render(nil))
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			s.Errorf("no line %s in:\n%s", line, text[strings.Index(text, "## CURRENT STATE"):])
		}
	}
}

// A bounty's title does not say how to do it, so who claimed it and who judges it are shown its specification and test.
func TestPrompt_ShowsSpecificationToClaimerAndJudge(t *testing.T) {
	s := newSolo(t, genomes[6])
	me := s.a.ID
	spec := strings.Repeat("pv_get(v, i) is item i. ", 50)
	path := "lib/pv.star"
	needs := []wire.BountyRequirement{
		{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &path})},
		{Kind: wire.RequirementKindMustPassTests, Params: wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: wire.Hash{0x7E}})},
	}
	s.view.Claims = []wire.BountyView{
		{ID: wire.Hash{1}, Creator: peerA, Title: []byte("Persistent vector"), Specification: []byte(spec), Deadline: 900, Claimer: &me, Status: wire.BountyStatusClaimed, Requirements: needs},
		{ID: wire.Hash{2}, Creator: me, Title: []byte("My own"), Specification: []byte("I know what"), Deadline: 900, Status: wire.BountyStatusOpen},
		{ID: wire.Hash{3}, Creator: peerA, Title: []byte("Delivered"), Specification: []byte("it is done"), Deadline: 900, Claimer: &me, Status: wire.BountyStatusReviewing},
	}
	s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Bounty: true, Author: peerA, Asker: peerB, Title: []byte("A parser"), Asks: []byte("parse(s) gives a tree")}}
	s.view.Bounties = []wire.BountyView{
		{ID: wire.Hash{5}, Creator: peerB, Title: []byte("Long"), Specification: []byte(spec), Deadline: 900, Status: wire.BountyStatusOpen},
		{ID: wire.Hash{6}, Creator: peerB, Title: []byte("Say it all"), Specification: []byte(" Say it all\n"), Deadline: 900, Status: wire.BountyStatusOpen},
	}
	s.ask()
	s.wantLines(
		`yours: bounty b1 a1000000 wrote "Persistent vector": CLAIMED, 0 Spark, INVALID(0), you hold it, deliver within 256 ticks; requires a program at "lib/pv.star" that compiles and a program that passes test x1`,
		`b1 asks: a1000000 wrote "`+spec[:557]+`…", 642 more bytes not shown`,
		`review asked of you: r1 b2000000 wrote "A parser", delivery of a bounty by a1000000, since tick 0, 0 verdicts`,
		`r1 asks: b2000000 wrote "parse(s) gives a tree"`,
		`open bounty b4 b2000000 wrote "Long": 0 Spark, INVALID(0), 644 ticks left; asks: "`+spec[:49]+`…"`,
		`open bounty b5 b2000000 wrote "Say it all": 0 Spark, INVALID(0), 644 ticks left`,
	)
	text := string(s.t.prompt.Render(nil))
	for _, not := range []string{"I know what", "it is done"} {
		if strings.Contains(text, not) {
			t.Errorf("the prompt has %q, with which the agent has nothing to do", not)
		}
	}
}

// wantNews fails unless the prompt has a line of news that ends like this.
func (s *solo) wantNews(ends ...string) {
	s.Helper()
	text := string(s.t.prompt.Render(nil))
	for _, end := range ends {
		if !strings.Contains(text, ": "+end+"\n") {
			s.Errorf("no news that end in %s in:\n%s", end, text[strings.Index(text, "## CURRENT STATE"):])
		}
	}
}

// Who delivered learns why its work was rejected, and others do not have to read it.
func TestPrompt_ShowsWhatJudgesWrote(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.between(peerA, s.a.ID)
	s.view.Claims = []wire.BountyView{{ID: deal, Creator: peerA, Title: []byte("Mine"), Deadline: 900, Claimer: &s.a.ID, Status: wire.BountyStatusRejected}}
	said := func(text string) []wire.JudgeComment {
		return []wire.JudgeComment{{Judge: peerA, Comments: []byte(text)}}
	}
	s.ask(
		event(wire.KindBountyRejected, 256, peerA, &wire.BountyRejectedEvent{BountyID: deal, Reason: []byte("reviewers"), Comments: append(said("it \"loses\" items"), said("slow")...)}),
		event(wire.KindBountyRejected, 256, peerA, &wire.BountyRejectedEvent{BountyID: wire.Hash{8}, Reason: []byte("reviewers"), Comments: said("of others")}),
		event(wire.KindBountyCompleted, 256, peerA, &wire.BountyCompletedEvent{BountyID: wire.Hash{7}, Claimer: s.a.ID, Reward: 3, Comments: said("well done")}),
	)
	s.wantNews(
		`the delivery of b1 was rejected (reviewers); a1000000 wrote "it \"loses\" items"; a1000000 wrote "slow"`,
		`the delivery of x2 was rejected (reviewers)`, // one that the agent does not know
		s.a.ID.Alias()+` earned 3 Spark for x1; a1000000 wrote "well done"`,
	)
}

// Who reviews a change is told what to compare and why, and who asked for the review what was found.
func TestPrompt_ShowsWhatReviewsAskAndFind(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Author: peerA, Asker: peerA, Asks: []byte("is the loop right?"), Snap: wire.Hash{0x52}, Base: wire.Hash{0x51}}}
	s.a.Memory.Dealings.AskedReview(wire.Hash{6})
	s.ask(event(wire.KindReviewSubmitted, 256, peerB, &wire.ReviewSubmittedEvent{
		ReviewID: wire.Hash{6}, Reviewer: peerB, Verdict: wire.ReviewVerdictRequestChanges, Text: []byte("wrong\nmain.star MAJOR BUG: n is off by one"),
	}))
	s.wantLines(
		`review asked of you: r1, change by a1000000 from x1 to x2, since tick 0, 0 verdicts`,
		`r1 asks: a1000000 wrote "is the loop right?"`,
	)
	s.wantNews(`b2000000 reviewed r2: REQUEST_CHANGES; b2000000 wrote "wrong\nmain.star MAJOR BUG: n is off by one"`)
}

// An author learns why others judge its entry so, and what they changed in it.
func TestPrompt_ShowsEvidenceAndChangeNotesToTheAuthor(t *testing.T) {
	s := newSolo(t, genomes[6])
	mine, other := wire.Hash{1}, wire.Hash{2}
	for id, own := range map[wire.Hash]bool{mine: true, other: false} { //house:sorted two notes
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Title: []byte{'T', id[0] + '0'}, Own: own})
	}
	s.ask(
		event(wire.KindEntryVerified, 256, peerA, &wire.EntryVerifiedEvent{EntryID: other, Verifier: peerA, Verdict: wire.VerdictInaccurate, Evidence: []byte("not mine")}),
		event(wire.KindEntryVerified, 256, peerA, &wire.EntryVerifiedEvent{EntryID: mine, Verifier: peerA, Verdict: wire.VerdictInaccurate, Evidence: []byte("line 3 fails")}),
		event(wire.KindEntryUpdated, 256, peerB, &wire.EntryUpdatedEvent{EntryID: mine, Version: 2, Author: peerB, ChangeNote: []byte("mended line 3")}),
		event(wire.KindPeerReviewApproved, 256, peerB, &wire.PeerReviewApprovedEvent{EntryID: mine, Reviewer: peerB, ApprovalCount: 1, Evidence: []byte("it runs")}),
		event(wire.KindEntryUpdateRejected, 256, peerB, &wire.EntryUpdateRejectedEvent{EntryID: other, Version: 3, RejectedBy: peerB, ChangeNote: []byte("it was right")}),
	)
	s.wantNews(
		`1 verdict on e2 "T1": 1 INACCURATE; accuracy now 0.00; a1000000 wrote "line 3 fails"`,
		`1 verdict on e3 "T2": 1 INACCURATE; accuracy now 0.00`,
		`b2000000 updated e2 "T1" to version 2; b2000000 wrote "mended line 3"`,
		`b2000000 approved e2 "T1"; b2000000 wrote "it runs"`,
		`b2000000 rejected version 3 of e3 "T2"; b2000000 wrote "it was right"`,
	)
}

// Who is to get money from an escrow is told when it can take it.
func TestPrompt_ShowsConditionsOfEscrowsToTheBeneficiary(t *testing.T) {
	s := newSolo(t, genomes[6])
	me, output := s.a.ID, wire.Hash{0x22}
	s.meet(peerA)
	locked := func(id byte, to *wire.AgentID, list ...wire.EscrowCondition) *wire.Event {
		return event(wire.KindEscrowCreated, 256, peerA, &wire.EscrowCreatedEvent{EscrowID: wire.Hash{id}, Owner: peerA, Amount: 20, Beneficiary: to, Conditions: list, Deadline: 900})
	}
	free := func(content *wire.Content) wire.EscrowCondition {
		return wire.EscrowCondition{Kind: wire.EscrowConditionKindCustom, Params: wire.ContentCodec.Append(nil, content)}
	}
	kind := "a \"b\""
	s.ask(
		locked(1, &me, wire.EscrowCondition{Kind: wire.EscrowConditionKindForgeProof, Params: wire.ProofConditionCodec.Append(nil, &wire.ProofCondition{Program: wire.Hash{0x21}, Output: &output})},
			wire.EscrowCondition{Kind: wire.EscrowConditionKindGovernanceVote, Params: wire.VoteConditionCodec.Append(nil, &wire.VoteCondition{ProposalID: wire.Hash{0x23}})}),
		locked(2, &me, wire.EscrowCondition{Kind: wire.EscrowConditionKindReviewApproved, Params: wire.ReviewConditionCodec.Append(nil, &wire.ReviewCondition{ReviewID: wire.Hash{0x24}, By: peerB})},
			wire.EscrowCondition{Kind: wire.EscrowConditionKindVaultSnapExists, Params: wire.SnapConditionCodec.Append(nil, &wire.SnapCondition{SnapID: wire.Hash{0x25}})}),
		locked(3, &me, free(&wire.Content{Type: &kind})),
		locked(4, &me),
		locked(5, &peerB, free(&wire.Content{})),
		locked(6, nil),
	)
	text := string(s.t.prompt.Render(nil))
	for _, want := range []string{
		`, if you send a proof of program x\d+ with output x\d+ and proposal p1 passes\n`,
		`, if b2000000 approves in review r1 and snap x\d+ exists\n`,
		`, if a1000000 finds that it holds: "\{\\"type\\":\\"a \\\\\\"b\\\\\\"\\"\}"\n`,
		`: a1000000 locked 20 Spark for you until tick 900 as escrow x\d+\n`,
		`news, tick 256: a1000000 locked 20 Spark for \w+ until tick 900 as escrow x\d+\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in:\n%s", want, text[strings.Index(text, "## CURRENT STATE"):])
		}
	}
	if strings.Contains(text, "escrow created") { // that of a bounty
		t.Error("an escrow without a beneficiary is news")
	}
}

// A claim lapses long before its bounty, at the end of the last cycle of its lease; the prompt names that tick, and
// afterwards says that it was the agent's own claim.
func TestPrompt_ClaimThatLapses(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	me := s.a.ID
	b := wire.BountyView{ID: wire.Hash{1}, Creator: peerA, Title: []byte("Write it"), Deadline: 25_000, ClaimedAt: 300, Claimer: &me, Status: wire.BountyStatusClaimed}
	for _, c := range []struct {
		now, deadline wire.Tick
		want          uint64
	}{
		{300, 25_000, 1236},     // to the end of cycle 5
		{1535, 25_000, 1},       // its last tick
		{300, 6*256 + 255, 468}, // half of the five cycles that are left, less one
		{300, 520, 221},         // the bounty ends first
	} {
		b.Deadline = c.deadline
		s.t.slotView.tick, s.t.slotView.claims = c.now, []wire.BountyView{b}
		if got := s.drawn().State.Claims[0].Deliver; got != c.want {
			t.Errorf("at %d, with a deadline at %d: deliver within %d ticks, want %d", c.now, c.deadline, got, c.want)
		}
	}
	s = newSolo(t, genomes[6])
	b.Claimer, b.Status, b.Barred, b.Deadline = nil, wire.BountyStatusOpen, true, 25_000
	other := b
	other.ID, other.Barred = wire.Hash{2}, false
	barred := b
	barred.ID = wire.Hash{4}
	s.view.Bounties = []wire.BountyView{b, other, barred}
	reopened := func(id wire.Hash, by wire.AgentID, why string) *wire.Event {
		return event(wire.KindBountyReopened, 256, by, &wire.BountyReopenedEvent{BountyID: id, Reason: []byte(why)})
	}
	s.ask(reopened(b.ID, me, "lease"), reopened(other.ID, peerB, "lease"), reopened(barred.ID, peerB, "lease"), reopened(wire.Hash{3}, me, "released"))
	s.wantLines(`news about you, tick 256: your claim on b2 "Write it" lapsed`, `news, tick 256: b1 is open again (lease)`)
	if text := string(s.t.prompt.Render(nil)); strings.Contains(text, "released") || strings.Count(text, "\nnews") != 2 {
		t.Errorf("the agent gave the third claim back itself, and may not claim the fourth:\n%s", text)
	}
}

// What another line says, or nobody can act on, is no news.
func TestPrompt_NewsThatSaysNothing(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i := range 12 {
		s.view.Bounties = append(s.view.Bounties, wire.BountyView{ID: wire.Hash{1, byte(i)}, Creator: peerA, Title: []byte("T"), Deadline: 900, Status: wire.BountyStatusOpen})
	}
	offered := func(id wire.Hash) *wire.Event {
		return event(wire.KindBountyCreated, 256, peerA, &wire.BountyCreatedEvent{BountyID: id, Creator: peerA, Reward: 35})
	}
	posted := func(k wire.MessageKind) *wire.Event {
		return event(wire.KindMessagePosted, 256, peerA, &wire.MessagePostedEvent{MessageID: wire.Hash{7, byte(k)}, ChannelID: channelBounties, Author: peerA, Kind: k})
	}
	s.ask(
		event(wire.KindTagCreated, 256, peerA, &wire.TagCreatedEvent{Author: peerA}), event(wire.KindRegistryPublished, 256, peerA, &wire.RegistryPublishedEvent{Author: peerA}),
		event(wire.KindReviewRequested, 256, peerA, &wire.ReviewRequestedEvent{ReviewID: wire.Hash{8}, Author: peerA}),
		offered(wire.Hash{1, 0}), offered(wire.Hash{1, 11}), offered(wire.Hash{9}), posted(wire.MessageKindDecision),
		event(wire.KindEpochChange, 256, peerA, &wire.EpochChangeEvent{NewEpoch: 2}),
	)
	text := string(s.t.prompt.Render(nil))
	if n := strings.Count(text, "\nnews"); n != 2 {
		t.Errorf("%d lines of news in\n%s", n, text[strings.Index(text, "## CURRENT STATE"):])
	}
	s.wantNews(`a1000000 offers 35 Spark (INVALID(0)) for b11 "T"`, `epoch 2 began: the actions that opened are listed above`)
	s.ask(posted(wire.MessageKindStatement), posted(wire.MessageKindDecision))
	s.wantNews(`2 DECISION, 1 STATEMENT in #bounties`)
}

// A repo that the registry shows can be used: the tag is what dependency_add takes, and the snap holds the program.
func TestPrompt_ShowsNewestTagsOfRepos(t *testing.T) {
	s := newSolo(t, genomes[6])
	tag, snap := wire.Hash{0x31}, wire.Hash{0x32}
	s.slot(`{"action":"registry_query","params":{}}`, wire.Reply{Type: wire.TypeRegistryQuery, Body: &wire.RegistryQueryReply{Entries: []wire.RegistryEntry{
		{RepoID: wire.Hash{0x30}, Name: []byte("text"), Description: []byte("joins"), Author: peerA, Tag: &tag, Snap: &snap},
	}}})
	s.ask()
	if text := string(s.t.prompt.Render(nil)); !strings.Contains(text, `repo "text", quality 0.00, used by 0 x1 (newest tag x2 of snap x3); a1000000 wrote "joins"`) {
		t.Errorf("no tag in:\n%s", text[strings.Index(text, "## RECENT"):])
	}
}

// Who is paid by another agent reads why.
func TestPrompt_ShowsMemosOfPayments(t *testing.T) {
	s := newSolo(t, genomes[6])
	me, memo := s.a.ID, []byte("for \"the answer\"")
	paid := func(from, to wire.AgentID, memo *[]byte) *wire.Event {
		return event(wire.KindTransferCompleted, 256, to, &wire.TransferCompletedEvent{TxID: wire.Hash{to[0]}, From: from, To: to, Amount: 5, Kind: wire.TransferKindDirect, Memo: memo})
	}
	s.ask(paid(peerA, me, &memo), paid(peerB, me, nil), paid(me, peerB, &memo))
	s.wantLines(`news about you, tick 256: a1000000 paid you 5 Spark; a1000000 wrote "for \"the answer\""`)
	if text := string(s.t.prompt.Render(nil)); strings.Count(text, " 5 Spark") != 1 {
		t.Errorf("other payments in:\n%s", text[strings.Index(text, "## CURRENT STATE"):])
	}
}

package scripted

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/wire"
)

// choices are one affordance of every kind of content that the mind composes.
func choices(tb testing.TB) []llm.Affordance {
	id := wire.Hash{7}
	refs := []wire.Hash{{8}, {9}}
	publish := func(k wire.EntryKind, refs []wire.Hash) *wire.EntryPublish {
		return &wire.EntryPublish{Entry: wire.EntryDraft{Kind: k, References: refs}, Review: wire.ReviewModeImmediate}
	}
	post := func(k wire.MessageKind, refs ...wire.Hash) *wire.MsgPost {
		return &wire.MsgPost{Channel: id, Kind: k, References: refs}
	}
	claim := "it cannot be done: " + library[1].topic
	pays := &llm.Finding{Title: "What it pays", Says: "It pays 12.0 Spark (n 5, cycle 3)", Tag: "pay", Subject: "HARD", Value: 12, N: 5, Cycle: 3}
	said := &llm.Finding{Says: "It pays 20.0 Spark (n 9, cycle 2)", Distance: 0.4, N: 9, Cycle: 2}
	pattern := &llm.Finding{Title: "Starlark pattern: " + library[4].topic, Tag: "starlark-data", Subject: library[4].topic, Pattern: true}
	asked := &llm.Finding{Asks: "What does it pay?", Title: "What it pays", Subject: "HARD", N: 1}
	list := []llm.Affordance{
		{Action: row(tb, "entry_publish"), Params: publish(wire.EntryKindPattern, refs), Compose: llm.ComposeEntry, Finding: pattern, Know: 0.8},
		{Action: row(tb, "entry_publish"), Params: publish(wire.EntryKindFAQ, nil), Compose: llm.ComposeEntry, Finding: pays, Know: 0.4},
		{Action: row(tb, "entry_publish"), Params: publish(wire.EntryKindFAQ, nil), Compose: llm.ComposeEntry},
		{Action: row(tb, "entry_update"), Params: &wire.EntryUpdate{EntryID: id}, Compose: llm.ComposeUpdate, Finding: pays},
		{Action: row(tb, "entry_update"), Params: &wire.EntryUpdate{EntryID: id}, Compose: llm.ComposeUpdate},
		{Action: row(tb, "entry_verify"), Params: &wire.EntryVerify{EntryID: id}, Compose: llm.ComposeVerdict, Finding: pays, Said: said},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindQuestion), Compose: llm.ComposeQuestion, Finding: asked, Besides: pays, Author: "0a0b0000", Text: []byte("Slot allocator")},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindAnswer, refs...), Compose: llm.ComposeAnswer, Author: "0a0b0000", Finding: pays, Besides: said},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindAnswer, refs...), Compose: llm.ComposeAnswer, Author: "0a0b0000", Finding: pattern, Know: 0.9},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindStatement, id), Compose: llm.ComposeStatement, Finding: pays},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindStatement, id), Compose: llm.ComposeStatement, Finding: pattern},
		{Action: row(tb, "entry_verify"), Params: &wire.EntryVerify{EntryID: id}, Compose: llm.ComposeVerdict, Text: []byte(library[0].wrong)},
		{Action: row(tb, "entry_verify"), Params: &wire.EntryVerify{EntryID: id}, Compose: llm.ComposeVerdict, Text: []byte(strings.Repeat("x", 199))},
		{Action: row(tb, "entry_verify"), Params: &wire.EntryVerify{EntryID: id}, Compose: llm.ComposeVerdict, Text: []byte(strings.Repeat("x", 200))},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindQuestion), Compose: llm.ComposeQuestion},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindAnswer, refs...), Compose: llm.ComposeAnswer, Author: "0a0b0000", Text: []byte("about " + library[2].topic)},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindAnswer, id), Compose: llm.ComposeAnswer, Author: "0a0b0000", Text: []byte("about quorum")},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindStatement, wire.Hash{0xAB, 0xCD}), Compose: llm.ComposeCall},
		{Action: row(tb, "msg_post"), Params: post(wire.MessageKindStatement), Compose: llm.ComposeStatement},
		{Action: row(tb, "bounty_review"), Params: &wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictApprove}, Compose: llm.ComposeReview},
		{Action: row(tb, "bounty_review"), Params: &wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictReject}},
		{Action: row(tb, "review_submit"), Params: &wire.ReviewSubmit{Request: id}, Compose: llm.ComposeReview},
		{Action: row(tb, "proposal_vote"), Params: &wire.ProposalVote{ProposalID: id, Vote: true}, Compose: llm.ComposeVote},
		{Action: row(tb, "proposal_vote"), Params: &wire.ProposalVote{ProposalID: id}, Compose: llm.ComposeVote},
		{Action: row(tb, "signal_send"), Params: &wire.SignalSend{Target: id, Kind: wire.SignalKindAgree}, Compose: llm.ComposeSignal, Text: []byte(claim)},
		{Action: row(tb, "signal_send"), Params: &wire.SignalSend{Target: id, Kind: wire.SignalKindAgree}, Compose: llm.ComposeSignal, Text: []byte("it cannot be done")},
		{Action: row(tb, "entry_get"), Params: &wire.EntryGet{EntryID: id}},
		{},
	}
	for i := range list {
		list[i].GoalKind, list[i].Priority, list[i].Success, list[i].Ticks = "earn", 1.25, 0.5, 1
	}
	return list
}

// What the mind writes is part of every world hash and is computed again in a replay. The file has the first answers of
// each kind, and a digest of many by agents of different genomes. Run with -update to rewrite.
func TestMind_AnswersGolden(t *testing.T) {
	m := New(seed, Knobs{})
	var out strings.Builder
	for i, a := range choices(t) {
		fmt.Fprintf(&out, "%d %s\n", i, a.Name())
		digest := sha256.New()
		for tick := range wire.Tick(300) {
			p := situation(t, tick, float32(tick%3)/2, float32(tick%4)/3)
			p.Breadth, p.Collab, p.ID[0] = float32(tick%5)/4, float32(tick%2), byte(tick*7)
			p.Affordances = []llm.Affordance{a}
			th := think(t, m, p)
			if _, err := llm.Parse(th.Text, append(p.Actions, a.Action), nil); a.Action != nil && err != nil {
				t.Fatalf("%s: %v", th.Text, err)
			}
			digest.Write(th.Text)
			if tick < 3 {
				fmt.Fprintf(&out, "  %s\n", th.Text)
			}
		}
		fmt.Fprintf(&out, "  300 answers: %x\n", digest.Sum(nil)[:8])
	}
	golden.File(t, filepath.Join("testdata", "answers.txt"), out.String())
}

// Which affordance is drawn, by risk and tick. Run with -update to rewrite.
func TestMind_ChoicesGolden(t *testing.T) {
	m := New(seed, Knobs{})
	var out strings.Builder
	for _, risk := range []float32{0, 0.5, 1} {
		fmt.Fprintf(&out, "risk %v: ", risk)
		for tick := range wire.Tick(60) {
			p := situation(t, tick, risk, 0.5)
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(&out, slices.IndexFunc(p.Affordances, func(f llm.Affordance) bool { return f.Action == a.Action }))
		}
		fmt.Fprintln(&out)
	}
	golden.File(t, filepath.Join("testdata", "choices.txt"), out.String())
}

func TestScore(t *testing.T) {
	action := row(t, "entry_get")
	for _, c := range []struct {
		name string
		a    llm.Affordance
		want float64
	}{
		{"nothing", llm.Affordance{Priority: 0.15, Success: 1}, 0.15},
		{"priority times success", llm.Affordance{Action: action, Priority: 1.5, Success: 0.5, Ticks: 1}, 0.75},
		{"three slots", llm.Affordance{Action: action, Priority: 1, Success: 1, Ticks: 3}, 0.94},
		{"a rest, however often it succeeds", llm.Affordance{Action: row(t, "rest"), Priority: 0.3, Success: 0.5, Ticks: 8}, 0.3},
		{"no slot", llm.Affordance{Action: action, Priority: 1, Success: 1}, 1},
		{"a factor", llm.Affordance{Action: action, Priority: 1, Success: 1, Ticks: 1, Considered: llm.Considerations{llm.FactorNeed: 0.25}}, 0.25},
		{"a call by the social", llm.Affordance{Action: action, Priority: 1, Success: 1, Ticks: 1, Compose: llm.ComposeCall}, 1.4},
	} {
		p := &llm.Prompt{Identity: llm.Identity{Collab: 0.5}}
		if got := score(p, &c.a); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDistribution_Names(t *testing.T) {
	if DistributionLognormal.String() != "lognormal" || DistributionNone.String() != "none" {
		t.Errorf("%v %v", DistributionNone, DistributionLognormal)
	}
}

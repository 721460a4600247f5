package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// How difficult a bounty is said to be follows from what became of such ones, not from how often nobody took it.
func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		name   string
		paid   []bool // what became of bounties for such entries
		own    bool   // the agent's own question, else an entry that it wants set right
		offers uint32
		want   wire.Difficulty
	}{
		{"nothing is known", nil, true, 0, wire.DifficultyModerate},
		{"nobody took it twice", nil, true, 2, wire.DifficultyModerate},
		{"somebody has stated it", nil, false, 0, wire.DifficultyEasy},
		{"they went well", []bool{true, true, true, true, true}, true, 0, wire.DifficultyTrivial},
		{"they went badly", []bool{false, false, false, false, false}, true, 0, wire.DifficultyLegendary},
		{"it is never less than trivial", []bool{true, true, true, true, true}, false, 0, wire.DifficultyTrivial},
	} {
		s, o := offering(t, nil)
		for i, paid := range c.paid {
			s.t.believer().believeAgreed(&memory.OfferNote{Bounty: wire.Hash{byte(i)}, Measure: memory.MeasureKeeps}, paid, 256)
		}
		w := &memory.Want{Author: peerA, Offers: c.offers}
		if c.own {
			w.Author = s.a.ID
		}
		if got := (buyer{o}).estimates(w, memory.MeasureKeeps); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// An agent pays nobody for what it can find out by trying, or what only it can see.
func TestOfferFund_NotForWhatAgentCanFindOutItself(t *testing.T) {
	for _, c := range []struct {
		asks string
		want bool
	}{
		{memory.MeasureChannel.Question([]byte("help")), true},
		{memory.MeasureRefused.Question([]byte("entry_verify")), false},
		{memory.MeasureLook.Question([]byte("help")), false},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{question256}, Words: []byte(c.asks), Author: s.a.ID, Since: 256})
		s.next = 516
		if got := s.lists("bounty_create"); (got != nil) != c.want {
			t.Errorf("%q: offered %+v", c.asks, got)
		}
	}
}

// A malformed request may succeed at the next try, so the action is not avoided because of it.
func TestNoteFailure_MalformedRequestIsNotAvoided(t *testing.T) {
	row, _ := action.ByName("entry_publish")
	for _, c := range []struct {
		refusal string
		avoided bool
	}{{"body", false}, {"rate", true}} {
		s, o := offering(t, nil)
		r := &wire.Reply{Err: &wire.ErrorBody{Code: wire.CodeBadBody, Message: []byte(c.refusal)}}
		s.t.regs.noteFailure(&pending{row: row}, r)
		if got := s.t.regs.avoids(row.Name, row.Domain.String(), &wire.Hash{}); got != c.avoided {
			t.Errorf("%s: avoided %t", c.refusal, got)
		}
		act := memory.Act{Action: row.Name, Domain: row.Domain.String(), SubjectKind: "none"}
		lesson := "entry_publish on none: FAILURE (" + c.refusal + ")"
		s.a.Memory.Experiences.AddAct(256, &act, memory.OutcomeFailure, []byte(lesson))
		a := &llm.Affordance{Action: row, Params: &wire.EntryPublish{}, Lesson: llm.Lesson{Text: lesson}}
		if got := (weigher{o}).failedBefore(a, nil); (got < 1) != c.avoided {
			t.Errorf("%s: failedBefore gives %v", c.refusal, got)
		}
	}
}

// Work that was promised goes on although such acts in general went wrong, and a program is handed in again once it was
// changed. What went wrong with the same thing is avoided as before.
func TestAvoided_WhatWasPromisedAndImprovedIsNot(t *testing.T) {
	publish, _ := action.ByName("entry_publish")
	submit, _ := action.ByName("bounty_submit")
	bounty := wire.Hash{7}
	for _, c := range []struct {
		name   string
		row    *action.Row
		params any
		about  wire.Hash
		held   bool
		want   float64
	}{
		{"an entry of its own accord", publish, &wire.EntryPublish{}, wire.Hash{}, false, againstNote},
		{"a promised entry", publish, &wire.EntryPublish{}, wire.Hash{}, true, 1},
		{"a promised delivery without a program", submit, &wire.BountySubmit{BountyID: bounty}, bounty, true, againstNote},
		{"a changed program", submit, &wire.BountySubmit{BountyID: bounty, SubmissionSnap: wire.Hash{9}}, bounty, true, 1},
	} {
		s, o := offering(t, nil)
		about := "DOCUMENTATION"
		if !c.about.IsZero() {
			about = bounty.String()[:8]
			s.a.Memory.Experiences.AddAct(256, &memory.Act{Action: c.row.Name, Domain: "LANGUAGE", Subject: &bounty}, memory.OutcomePartial, nil)
		}
		s.t.regs.avoid(c.row.Name, about, "it failed")
		a, ref := &llm.Affordance{Action: c.row, Params: c.params, Subject: c.about}, &offerRef{held: c.held}
		if got := (weigher{o}).notAvoided(a, ref); got != c.want {
			t.Errorf("%s: notAvoided gives %v, want %v", c.name, got, c.want)
		}
		if got := (weigher{o}).failedBefore(a, ref); !c.about.IsZero() && (got == 1) != (c.want == 1) {
			t.Errorf("%s: failedBefore gives %v", c.name, got)
		}
	}
}

// A stake is refused in the second half of the voting time, so none is offered then.
func TestOfferStake_InTheFirstHalf(t *testing.T) {
	deadline := wire.Tick(300 + 512)
	for _, c := range []struct {
		tick wire.Tick
		want bool
	}{{300, true}, {555, true}, {556, false}, {800, false}} {
		s, o := offering(t, func(s *solo) {
			s.view.Balance = 500
			s.rules.Gates = uint8(action.ProfileOpen)
		})
		g := s.about(goals.KindVote, wire.Hash{7})
		g.CreatedAt, g.Deadline = 300, &deadline
		s.t.seen.tick, s.t.seen.available = c.tick, 500
		s.t.seen.proposals = []wire.ProposalView{{ID: wire.Hash{7}, Author: peerA, For: 9, Against: 0}}
		for range 20 {
			s.t.believer().believe(beliefVotes, true, &wire.Hash{1}, 256)
		}
		citizen{o}.offerStake(g)
		if got := len(o.list) == 1; got != c.want {
			t.Errorf("tick %d: offered %v", c.tick, o.list)
		}
	}
}

// An agent that hears only of some agents subscribes to all new entries before it writes one, once.
func TestOfferHearing_SubscribesOnceInLargeWorlds(t *testing.T) {
	for _, c := range []struct {
		name   string
		active uint32
		hears  bool
		want   bool
	}{
		{"everybody hears everybody", EverybodyHears, false, false},
		{"it hears of some", EverybodyHears + 1, false, true},
		{"it was told to be told", EverybodyHears + 1, true, false},
	} {
		s, o := offering(t, nil)
		s.t.notes.Active = c.active
		if c.hears {
			s.a.Subscriptions = append(s.a.Subscriptions, entryNews)
		}
		before := len(o.list)
		(scribe{o}).offerHearing(s.about(goals.KindRaiseCoverage, wire.Hash{}))
		if (len(o.list) > before) != c.want {
			t.Errorf("%s: %d offers", c.name, len(o.list)-before)
		}
	}
}

// A verdict is counted for its judge and for the author of the entry, each within the current period.
func TestCountEvent_VerdictCountsForJudgeAndAuthorInItsPeriod(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for i := range s.a.Memory.Topics {
		s.a.Memory.Topics[i].Know = 1
	}
	s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: peerA, At: 200, Title: []byte("x")})
	s.t.events.countEvent(event(wire.KindEntryVerified, 260, peerB, &wire.EntryVerifiedEvent{EntryID: wire.Hash{3}, Verifier: peerB, Verdict: wire.VerdictInaccurate, Tick: 260}))
	for m, who := range map[memory.Measure]wire.AgentID{memory.MeasureEraAuthor: peerA, memory.MeasureEraJudge: peerB} { //house:sorted each is looked up by itself
		subject := memory.AppendEra(append(aliasOf(nil, who), " in "...), 1)
		if f := s.a.Memory.Findings.Get(m, subject); f == nil || f.N != 1 || f.Value != 0 {
			t.Errorf("%s: %+v", m.Title(subject), f)
		}
	}
}

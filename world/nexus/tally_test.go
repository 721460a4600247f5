package nexus

import (
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
)

func TestCount_Verdict(t *testing.T) {
	const k = 1 << 20
	for _, tc := range []struct {
		name   string
		n      Count
		want   wire.ProposalStatus
		quorum bool
	}{
		{"half of the heads is no quorum", Count{For: 4 * k, Voters: 4, InFavour: 4, Electorate: 8}, wire.ProposalStatusExpired, false},
		{"one more is", Count{For: 5 * k, Voters: 5, InFavour: 5, Electorate: 8}, wire.ProposalStatusPassed, true},
		{"nobody at all", Count{}, wire.ProposalStatusExpired, false},
		{"one of one", Count{For: k, Voters: 1, InFavour: 1, Electorate: 1}, wire.ProposalStatusPassed, true},
		{"no weight", Count{Voters: 8, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"a third of the weight", Count{For: k, Voters: 5, InFavour: 5, Electorate: 8, Weight: 3 * k}, wire.ProposalStatusPassed, true},
		{"a hair less", Count{For: k, Voters: 5, InFavour: 5, Electorate: 8, Weight: 3*k + 1}, wire.ProposalStatusExpired, false},
		{"both sides make the third", Count{For: k, Against: k, Voters: 5, InFavour: 5, Electorate: 8, Weight: 6 * k}, wire.ProposalStatusFailed, true},
		{"66 % is not enough", Count{For: 66 * k, Against: 34 * k, Voters: 5, InFavour: 4, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"a hair above 66 %", Count{For: 66*k + 1, Against: 34 * k, Voters: 5, InFavour: 4, Electorate: 8}, wire.ProposalStatusPassed, true},
		{"two thirds", Count{For: 2 * k, Against: k, Voters: 5, InFavour: 3, Electorate: 8}, wire.ProposalStatusPassed, true},
		{"half of the voters, however much they weigh", Count{For: 99 * k, Against: k, Voters: 6, InFavour: 3, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"one more of them", Count{For: 99 * k, Against: k, Voters: 6, InFavour: 4, Electorate: 8}, wire.ProposalStatusPassed, true},
		{"no weight, six of nine heads", Count{Voters: 9, InFavour: 6, Electorate: 9}, wire.ProposalStatusPassed, true},
		{"no weight, five of eight heads", Count{Voters: 8, InFavour: 5, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"66 % of the heads", Count{Voters: 50, InFavour: 33, Electorate: 50}, wire.ProposalStatusFailed, true},
		{"a hair below 0.05 on average, against seven of eight", Count{Against: 8*k/20 - 1, Voters: 8, InFavour: 7, Electorate: 8}, wire.ProposalStatusPassed, true},
		{"0.05 on average, against them", Count{Against: 8*k/20 + 1, Voters: 8, InFavour: 7, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"a hair below 0.05 on average, for it, but few heads", Count{For: 8*k/20 - 1, Voters: 8, InFavour: 1, Electorate: 8}, wire.ProposalStatusFailed, true},
		{"heads need the third of the weight too", Count{Voters: 5, InFavour: 5, Electorate: 8, Weight: 1}, wire.ProposalStatusExpired, false},
		{"little weight voted, but others have more", Count{For: k / 10, Against: k / 10, Voters: 8, InFavour: 7, Electorate: 9, Weight: 5 * k / 10}, wire.ProposalStatusFailed, true},
		{"against", Count{Against: k, Voters: 5, Electorate: 8}, wire.ProposalStatusFailed, true},
	} {
		if tc.n.Weight == 0 { // all who have a reputation voted
			tc.n.Weight = tc.n.For + tc.n.Against
		}
		if got, quorum := tc.n.Verdict(); got != tc.want || quorum != tc.quorum {
			t.Errorf("%s: %v, quorum %t; want %v, %t", tc.name, got, quorum, tc.want, tc.quorum)
		}
	}
}

func TestVote_OnceUntilTheDeadline(t *testing.T) {
	l := newLab(t, 8)
	l.repute(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
	id, _ := l.propose(0, custom, text(20), 512)
	for _, tt := range []struct {
		tick  wire.Tick
		voter int
		id    wire.Hash
		want  string
	}{
		{511, 1, id, ""}, {511, 1, id, "already_voted"}, {511, 1, wire.Hash{9}, "proposal"}, {512, 2, id, ""}, {513, 3, id, "closed"},
	} {
		l.at(tt.tick)
		if got := l.ballot(tt.voter, tt.id, true); got != tt.want {
			t.Errorf("agent %d at tick %d: %q, want %q", tt.voter, tt.tick, got, tt.want)
		}
	}
	l.end(2)
	if s, _ := l.ProposalStatus(id); s != wire.ProposalStatusExpired || len(l.treasury.noted) != 0 {
		t.Errorf("two of eight voted: %v, %d rewards", s, len(l.treasury.noted))
	}
}

// The parties of a dispute have no vote, and their view does not offer it.
// While a vote goes on, agents that have not voted see what was cast: weights in units of 2^-20.
func TestVote_OpenProposalShowsWhatWasCast(t *testing.T) {
	l := newLab(t, 8)
	l.repute(0.5, 0.25, 0.5, 0.125, 0.5, 0.5, 0.5, 0.5)
	id, _ := l.propose(0, custom, text(20), 512)
	for i, vote := range map[int]bool{1: true, 2: true, 3: false} { //house:sorted sums
		if no := l.ballot(i, id, vote); no != "" {
			t.Fatal(no)
		}
	}
	open := l.OpenProposals(nil, l.ids[4], 32)
	if len(open) != 1 || open[0].For != 3<<18 || open[0].Against != 1<<17 || open[0].Voters != 3 {
		t.Errorf("%+v", open)
	}
}

func TestVote_PartiesOfDisputeHaveNone(t *testing.T) {
	l := newLab(t, 4)
	id := wire.Hash{7}
	l.Propose(l.c, id, wire.SystemID(wire.SystemAgora), custom, text(20), 767, l.ids[0], l.ids[1])
	for i, want := range []string{"party", "party", "", ""} {
		if got := len(l.OpenProposals(nil, l.ids[i], 32)); (got == 1) != (want == "") {
			t.Errorf("agent %d is offered %d votes", i, got)
		}
		if got := l.ballot(i, id, true); got != want {
			t.Errorf("agent %d: %q, want %q", i, got, want)
		}
	}
}

// Whom a proposal would end has no say in it: its vote is no head, no weight, and no part of the quorum, and staying away
// costs it no reputation.
func TestTally_TargetHasNoSayInItsEnd(t *testing.T) {
	for _, votes := range []bool{false, true} {
		l := newLab(t, 8)
		l.repute(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9)
		id, _ := l.propose(0, end, kill(l.ids[7]), 512)
		for i := range 4 { // of seven
			l.ballot(i, id, true)
		}
		if votes {
			if no := l.ballot(7, id, false); no != "" {
				t.Fatal(no)
			}
		}
		l.end(2)
		p := l.Proposal(id)
		if p.Status != wire.ProposalStatusPassed || p.Voters != 4 || p.Against != 0 || l.statusOf(7) != wire.StatusDead {
			t.Errorf("the target votes %t: %+v, and the target is %v", votes, p, l.statusOf(7))
		}
		if m := l.Agent(l.ids[7]).Merit; m.Votes != 0 || m.Ballots != 0 {
			t.Errorf("the target votes %t: %d votes in %d ballots", votes, m.Votes, m.Ballots)
		}
		if len(l.treasury.noted) != 4 {
			t.Errorf("the target votes %t: %d votes are paid, want 4", votes, len(l.treasury.noted))
		}
	}
}

// Votes of agents that fell asleep or died before the cycle end began do not count. Votes of agents that die during it
// do.
func TestTally_IgnoresVotersAsleepOrDeadBeforeCycleEnd(t *testing.T) {
	l := newLab(t, 8)
	l.repute(0.1, 0.1, 0.1, 0.1, 0.1, 1, 1, 1)
	id, _ := l.propose(0, custom, text(20), 512)
	for i := range 8 {
		l.ballot(i, id, i < 5)
	}
	for i := 5; i < 8; i++ {
		l.sleep(i, 520)
	}
	l.treasury.insolvent[l.ids[0]] = world.InsolventFatal
	l.end(2)
	p := l.Proposal(id)
	if p.Status != wire.ProposalStatusPassed || p.Voters != 5 || p.For != 5*weightOf(0.1) || p.Against != 0 {
		t.Errorf("%+v; want five voices, all for it", p)
	}
	for i, a := range l.ids {
		want := uint64(1)
		if i >= 5 {
			want = 0
		}
		if m := l.Agent(a).Merit; m.Votes != want || m.Ballots != want {
			t.Errorf("agent %d: %d votes in %d ballots, want %d", i, m.Votes, m.Ballots, want)
		}
	}
	if len(l.treasury.noted) != 5 {
		t.Errorf("%d votes are paid, want 5", len(l.treasury.noted))
	}
}

// If all agents voted, the quorum holds even if their reputations grew afterwards.
func TestTally_QuorumHoldsIfAllVotedThoughReputationsGrew(t *testing.T) {
	l := newLab(t, 8)
	l.repute(0.01, 0, 0, 0, 0, 0, 0, 0)
	id, _ := l.propose(0, custom, text(20), 512)
	for i := range 8 {
		l.ballot(i, id, true)
	}
	l.repute(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
	l.end(2)
	if s := l.Proposal(id).Status; s != wire.ProposalStatusPassed {
		t.Errorf("all of eight voted for it: %v", s)
	}
}

// Five newcomers without reputation have no quorum over three agents with reputation.
func TestTally_VotesWithoutQuorumMakeNoName(t *testing.T) {
	for _, tc := range []struct {
		name           string
		voters         int // of eight, on each of two proposals
		votes, ballots uint64
	}{
		{"the author alone", 1, 0, 0}, // before, both counted for its reputation and against that of all others
		{"half of the agents", 4, 0, 0},
		{"more than half", 5, 2, 2},
	} {
		l := newLab(t, 8)
		l.repute(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
		for range 2 {
			id, no := l.propose(0, custom, text(20), 512)
			if no != "" {
				t.Fatal(no)
			}
			for i := range tc.voters {
				l.ballot(i, id, true)
			}
		}
		l.end(2)
		for i, a := range l.ids {
			want := Merit{Ballots: tc.ballots}
			if i < tc.voters {
				want.Votes = tc.votes
			}
			if m := l.Agent(a).Merit; m.Votes != want.Votes || m.Ballots != want.Ballots {
				t.Errorf("%s: agent %d has %d votes in %d ballots, want %d in %d", tc.name, i, m.Votes, m.Ballots, want.Votes, want.Ballots)
			}
		}
	}
}

func TestTally_QuorumNeedsWeightNotOnlyHeads(t *testing.T) {
	l := newLab(t, 8)
	l.repute(0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9)
	id, _ := l.propose(0, end, kill(l.ids[7]), 512)
	for i := range 5 {
		l.ballot(i, id, true)
	}
	l.end(2)
	if s := l.Proposal(id).Status; s != wire.ProposalStatusExpired || l.statusOf(7) != wire.StatusActive {
		t.Errorf("%v; the target is %v", s, l.statusOf(7))
	}
	if l.treasury.kept != bond {
		t.Errorf("the treasury took %d ⚡ of the bond", l.treasury.kept)
	}
}

// At most s newcomers are spawned by votes at a cycle end, in the order of the proposals' ids; the funds of the others
// are returned.
func TestTally_LimitsNewAgentsPerCycleEnd(t *testing.T) {
	l := newLab(t, 16) // scale 2
	l.clock.edit().Epoch = 3
	var ids []wire.Hash
	for i := range 3 {
		id, no := l.propose(i, sponsor, spawn(50, newcomer()), 512)
		if no != "" {
			t.Fatal(no)
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		l.everybody(id, true)
	}
	l.end(2)
	if _, newcomers := l.Changes(); len(newcomers) != 2 {
		t.Fatalf("%d newcomers, want 2", len(newcomers))
	}
	for i := range 3 {
		spent := uint64(50)
		if i == 2 { // ids ascend with the order of submission in a lab
			spent = 0
		}
		if got := l.treasury.spent[l.ids[i]]; got != spent || l.treasury.locked[l.ids[i]] != 0 {
			t.Errorf("sponsor %d: %d ⚡ spent, %d locked; want %d, 0", i, got, l.treasury.locked[l.ids[i]], spent)
		}
	}
}

// Two equal proposals that pass at one tally change a parameter once, and give a sponsor one newcomer.
func TestTally_SecondOfTwoEqualProposalsDoesNothing(t *testing.T) {
	l := newLab(t, 16) // scale 2, so that two newcomers would be born
	l.clock.edit().Epoch = 3
	for _, value := range []int64{2, 0} {
		id, _ := l.propose(0, change, param("mint.reward.vote", value), 512)
		l.everybody(id, true)
		id, _ = l.propose(1, sponsor, spawn(50, newcomer()), 512)
		l.everybody(id, true)
	}
	l.end(2)
	if got := l.Param("mint.reward.vote", 1); got != 2 { // ids ascend with the order of submission
		t.Errorf("the parameter is %d, want what the first vote made of it", got)
	}
	if _, newcomers := l.Changes(); len(newcomers) != 1 || l.treasury.spent[l.ids[1]] != 50 || l.treasury.locked[l.ids[1]] != 0 {
		t.Errorf("%d newcomers of one sponsor, %d ⚡ spent, %d locked", len(newcomers), l.treasury.spent[l.ids[1]], l.treasury.locked[l.ids[1]])
	}
}

// After any proposals and votes the locked money is what open proposals hold, and every bond is returned or with the
// treasury when none is open.
func TestBonds_LockedEqualsOpenProposals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t, 8)
		forfeited, funds := uint64(0), uint64(0)
		for cycle := wire.Cycle(1); cycle < 6; cycle++ {
			for range rapid.IntRange(0, 12).Draw(rt, "acts") {
				i := rapid.IntRange(0, 7).Draw(rt, "agent")
				if l.statusOf(i) != wire.StatusActive {
					continue
				}
				l.at(l.rules.Calendar.First(cycle))
				switch rapid.IntRange(0, 3).Draw(rt, "act") {
				case 0:
					l.propose(i, custom, text(20), l.c.Tick+256)
				case 1:
					l.propose(i, sponsor, spawn(rapid.Uint64Range(50, 900).Draw(rt, "fund"), newcomer()), l.c.Tick+300)
				default:
					for _, v := range l.OpenProposals(nil, l.ids[i], 32) {
						l.ballot(i, v.ID, rapid.Bool().Draw(rt, "vote"))
					}
				}
			}
			l.end(cycle)
			locked := map[wire.AgentID]uint64{}
			l.proposals.Each(func(_ wire.Hash, p *Proposal) {
				if p.Status == wire.ProposalStatusOpen {
					locked[p.Author] += p.Bond + p.Fund
				}
			})
			for _, a := range l.ids {
				if l.treasury.locked[a] != locked[a] {
					rt.Fatalf("cycle %d: %d ⚡ of %v are locked, its open proposals hold %d", cycle, l.treasury.locked[a], a.Alias(), locked[a])
				}
			}
		}
		l.proposals.Each(func(_ wire.Hash, p *Proposal) {
			if p.Status == wire.ProposalStatusExpired {
				forfeited += p.Bond
			}
		})
		for _, a := range l.ids {
			funds += l.treasury.spent[a]
		}
		if l.treasury.kept != forfeited || funds < forfeited {
			rt.Fatalf("the treasury has %d ⚡ of bonds, %d were forfeited", l.treasury.kept, forfeited)
		}
	})
}

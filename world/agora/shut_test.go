package agora

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// Three friends write an ANSWER each that refers to 64 questions of others, and all who asked call one helpful. The first of
// these is closed, if it is asked in the same channel. All others stay open to those who would answer them.
func TestClosed_ThreeAnswersCloseOneQuestion(t *testing.T) {
	for name, closed := range map[string]int{"help": 1, "general": 0, "den": 0} {
		l := newLab(t)
		var asked []wire.Hash
		for i := range byte(64) {
			asked = append(asked, l.say(1+i%7, wire.ChannelID("help"), wire.MessageKindQuestion, fmt.Sprint("why ", i)))
		}
		where := wire.ChannelID(name)
		if name == "den" {
			where = l.must(agent(7), &wire.ChannelCreate{
				Kind: wire.ChannelKindGeneral, Name: []byte(name), Access: wire.Access{InviteOnly: &[]wire.AgentID{agent(8), agent(9)}},
			})
		}
		for n := range byte(3) {
			q := post("", wire.MessageKindAnswer, fmt.Sprint("no ", n))
			q.Channel, q.References = where, asked
			id := l.must(agent(7+n), q)
			for a := byte(1); a <= 7; a++ {
				if l.d.CanRead(where, agent(a)) {
					l.must(agent(a), signalOf(id, wire.SignalKindHelpful))
				}
			}
		}
		for range 2 {
			for i, id := range asked {
				if got, want := l.closedTo(id, agent(5), l.c.Tick) != "open", i < closed; got != want {
					t.Fatalf("#%s: question %d is closed: %t, want %t", name, i, got, want)
				}
			}
			l = l.restored()
		}
	}
}

// A proposer that agrees with its own proposal does not outweigh three others who do not.
func TestDiscussion_OwnSignalHasNoWeight(t *testing.T) {
	l := newLab(t)
	l.crowd.repute[agent(1)] = 0.9
	ch := rfc(l)
	proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	l.say(2, ch, wire.MessageKindStatement, "hm")
	l.say(3, ch, wire.MessageKindStatement, "no")
	l.must(agent(1), signalOf(proposal, wire.SignalKindAgree))
	for _, a := range []byte{2, 3, 4} { // 9/16 together
		l.must(agent(a), &wire.SignalSend{Target: proposal, Kind: wire.SignalKindDisagree, Reference: &wire.Hash{1}})
	}
	for range 4 {
		l.endCycle()
	}
	l.phase(ch, wire.DiscussionPhaseDecision)
	if got := l.shelf.published[0].body[1].Section.Children[0].Paragraph.Text; got != "Rejected: Use tabs" {
		t.Error(got)
	}
}

// A creator asks for more verdicts than there are jurors, and sleeps while the work waits for it. A jury takes its place, and
// pays or rejects. Before, such work stayed undecided and was never paid.
func TestJudge_NobodyAsksForMoreVerdictsThanJurors(t *testing.T) {
	l := newLab(t)
	q := offerOf(reviewedBy(jurorsPerCycle + 1))
	q.Deadline = 100 * 256
	l.refused(creator, q, "INVALID_REQUEST requirements")
	q.Requirements = []wire.BountyRequirement{reviewedBy(jurorsPerCycle)}
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.crowd.status[creator] = wire.StatusDormant
	for range maxSilentCycles {
		l.endCycle()
	}
	for i := range byte(jurorsPerCycle) {
		l.must(agent(4+i), verdictOf(id, approve))
	}
	for range maxReviewCycles - maxSilentCycles + 1 {
		l.endCycle()
	}
	l.status(id, wire.BountyStatusCompleted)
}

// A claim whose work was rejected still keeps the bounty from others, for 256 ticks and longer in a dispute. An agent keeps
// four in this way, with its open claims. Before, one that handed in nothing worth paying kept all bounties whose creators
// judge at once.
func TestClaim_RejectedClaimsKeepFourBounties(t *testing.T) {
	for _, disputes := range []bool{false, true} {
		l := newLab(t)
		held := 0
		for i := range byte(8) {
			q := judgedOffer()
			q.Title = []byte{'a' + i}
			id := l.must(creator, q)
			if held == 4 {
				l.refused(claimer, claimOf(id), "CONFLICT claim_limit")
				l = l.restored()
				continue
			}
			l.must(claimer, claimOf(id))
			held++
			l.must(claimer, submitOf(id))
			l.must(judge, verdictOf(id, reject))
			if disputes {
				l.must(claimer, verdictOf(id, wire.BountyVerdictDispute))
			}
		}
		for range 2 { // the first cycle end is less than 256 ticks later
			l.endCycle()
		}
		if n := len(l.d.board.claimedBy[claimer]); n != 0 != disputes {
			t.Errorf("disputes %t: %d claims are left after two cycles", disputes, n)
		}
	}
}

// A creator that judges late does not get work for nothing because its claimer has fallen asleep meanwhile. One that died
// cannot be paid.
func TestSubmission_OutlivesTheSleepOfItsClaimer(t *testing.T) {
	for status, want := range map[wire.AgentStatus]wire.BountyStatus{
		wire.StatusDormant: wire.BountyStatusReviewing, wire.StatusDead: wire.BountyStatusOpen,
	} {
		l := newLab(t)
		id := l.inState(wire.BountyStatusReviewing)
		l.crowd.status[claimer] = status
		l.d.AgentLeft(l.c, claimer, status)
		l.status(id, want)
		if status == wire.StatusDead {
			continue
		}
		for range maxSilentCycles {
			l.endCycle()
		}
		l.status(id, wire.BountyStatusCompleted)
		if l.bank.paid[claimer] != 40 {
			t.Errorf("the claimer was paid %d ⚡, want 40", l.bank.paid[claimer])
		}
	}
}

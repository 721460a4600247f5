package nexus

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// majority is the share of the weight, in percent, that a proposal must exceed.
const majority = 66

// weightOf is a reputation as an integer of 2^-20, the unit of vote sums.
func weightOf(w float32) int64 { return det.QuantiseInt(float64(w)) }

// Verdict decides a tally: quorum is more than half of those who were ACTIVE when
// the cycle end began; a proposal passes with quorum, any weight at all, and more
// than 66 % of it in favour.
func Verdict(forSum, against int64, voters uint32, active int) (s wire.ProposalStatus, quorum bool) {
	quorum = 2*int(voters) > active
	switch {
	case !quorum:
		return wire.ProposalStatusExpired, false
	case forSum+against > 0 && forSum*100 > majority*(forSum+against):
		return wire.ProposalStatusPassed, true
	}
	return wire.ProposalStatusFailed, true
}

// tally closes the proposals whose deadline has come, in id order, and runs those
// that passed.
func (d *Daemon) tally(c *world.Context) {
	var due []wire.Hash
	for _, id := range d.governance.ids {
		if d.governance.due[id] > c.Tick {
			break
		}
		due = append(due, id)
	}
	sortHashes(due)
	for _, id := range due {
		d.decide(c, id)
	}
	if len(due) == 0 {
		return
	}
	for _, a := range d.electorate {
		d.agents.Edit(a).Merit.Ballots += uint64(len(due))
	}
}

func (d *Daemon) decide(c *world.Context, id wire.Hash) {
	p := d.proposals.Edit(id)
	status, quorum := Verdict(p.For, p.Against, p.Voters, len(d.electorate))
	voters := det.SortedKeysFunc(d.governance.cast[id], wire.AgentID.Compare)
	p.Status = status
	d.governance.close(p)
	passed := status == wire.ProposalStatusPassed
	created := p.Created
	result := &wire.ProposalResult{
		ProposalID: id, Passed: passed,
		VotesFor: float32(det.Dequantise(p.For)), VotesAgainst: float32(det.Dequantise(p.Against)),
		TotalVoters: p.Voters, QuorumMet: quorum,
	}
	c.Emit(wire.SystemNexus, wire.KindProposalResolved, me, result, &created)
	for _, a := range voters {
		d.agents.Edit(a).Merit.Votes++
		if quorum {
			d.mint.Note(c, world.Reward{
				Label: "vote", Subject: voteOf(a, c.Cycle), Payee: a, Amount: uint64(d.Param("mint.reward.vote", 1)),
				Class: world.PairVote, Approvers: []wire.AgentID{p.Author},
			})
		}
	}
	outcome := &passed
	if !quorum {
		outcome = nil
	}
	parties := append(voters, p.Author)
	parties = append(parties, d.mint.ResolveStakes(c, id, outcome)...)
	slices.SortFunc(parties, wire.AgentID.Compare)
	for _, a := range slices.Compact(parties) {
		c.Deliver(a, wire.TypeProposalResult, wire.Hash{}, result)
	}
	d.execute(c, p, passed, quorum)
}

// voteOf names the one paid vote of an agent in a cycle.
func voteOf(a wire.AgentID, n wire.Cycle) wire.Hash {
	b := append([]byte("vote:"), a[:]...)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(n)))
}

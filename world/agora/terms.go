package agora

import (
	"slices"

	"kingdom/wire"
)

const maxRequirements = 16

// terms are a bounty's requirements, read.
type terms struct {
	reviews  uint32             // approvals needed when nobody is listed; 0 without MUST_BE_REVIEWED
	verified []wire.CustomCheck // automatic: entries in Oracle that others verified
	custom   bool               // a check that only the creator can judge
	program  bool               // a check that needs a program to be run
}

// readTerms reads requirements; malformed means their params are no valid map,
// absurd that they ask for nothing.
func readTerms(reqs []wire.BountyRequirement) (t terms, malformed, absurd bool) {
	for _, r := range reqs {
		switch r.Kind {
		case wire.RequirementKindMustCompile, wire.RequirementKindMustPassTests:
			t.program = true
		case wire.RequirementKindMustBeReviewed:
			var p wire.MustBeReviewed
			if wire.MustBeReviewedCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			n := uint32(1)
			if p.MinReviews != nil {
				n = *p.MinReviews
			}
			absurd = absurd || n == 0
			t.reviews = max(t.reviews, n)
		case wire.RequirementKindCustom:
			var p wire.CustomCheck
			if wire.CustomCheckCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			if p.Check != wire.CheckOracleVerified {
				t.custom = true
				continue
			}
			absurd = absurd || p.Kind == nil || p.Count == nil || *p.Count == 0
			t.verified = append(t.verified, p)
		}
	}
	return t, false, absurd
}

// termsOf reads the requirements of an accepted bounty.
func termsOf(b *Bounty) terms {
	t, malformed, absurd := readTerms(b.Requirements)
	if malformed || absurd {
		panic("agora: bounty " + b.ID.String() + " was accepted with bad requirements")
	}
	return t
}

// judges are the agents who may judge a claim.
type judges struct {
	named  []wire.AgentID // each is waited for
	anyone bool           // any agent but the claimer
}

// judgesOf names who judges the claims of b. A claimer never judges its own work:
// those whom the creator lists cannot claim.
func judgesOf(b *Bounty) judges {
	if len(b.Reviewers) > 0 {
		return judges{named: b.Reviewers}
	}
	t := termsOf(b)
	j := judges{anyone: t.reviews > 0}
	if t.custom {
		j.named = []wire.AgentID{b.Creator}
	}
	return j
}

// admits says whether a may judge b.
func (j judges) admits(b *Bounty, a wire.AgentID) bool {
	return slices.Contains(j.named, a) || j.anyone && a != *b.Claimer
}

// outcome is what the verdicts on a claim amount to.
type outcome uint8

const (
	undecided outcome = iota
	approved
	rejected
)

// decide weighs the verdicts given on the current claim of b. Named judges must
// all approve; where anyone may judge, enough must, and a majority of at least as
// many refuses, so that no single agent can kill a bounty.
func decide(b *Bounty, votes []ballot) outcome {
	j, t := judgesOf(b), termsOf(b)
	var yes, no uint32
	refused, answered := false, 0
	for _, v := range votes {
		ok := v.verdict == wire.BountyVerdictApprove
		if ok {
			yes++
		} else {
			no++
		}
		if slices.Contains(j.named, v.reviewer) {
			answered++
			refused = refused || !ok
		}
	}
	all := answered == len(j.named)
	if all && !refused && (!j.anyone || yes >= t.reviews) {
		return approved
	}
	if all && refused || no > yes && no >= max(1, t.reviews) {
		return rejected
	}
	return undecided
}

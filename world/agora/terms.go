package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// terms are a bounty's requirements, read.
type terms struct {
	reviews uint32       // verdicts that an open review needs at least
	entries []entryCheck // automatic: entries in Oracle
	judged  bool         // somebody must judge: MUST_BE_REVIEWED, or a check that nobody knows

	// programs are the automatic checks of what was submitted, which Forge runs.
	programs []world.ProgramCheck
}

// entryCheck is an automatic requirement of entries in Oracle: so many that others verified, or
// one that answers a question.
type entryCheck struct {
	index uint32 // of the requirement, from 0
	wire.CustomCheck
}

// minReviews is how many verdicts an open review needs in any case.
const minReviews = 2

// Bounds of what Forge runs for a bounty, in forge ticks.
const (
	compileTicks = 100  // of MUST_COMPILE
	testTicks    = 500  // of MUST_PASS_TESTS that does not say
	maxTicks     = 1000 // of all checks of a bounty together
)

// mainFile is the file of a submission that is checked, unless its bounty names another.
const mainFile = "main.star"

// check adds a check that Forge runs.
func (t *terms) check(place int, path string, test *wire.Hash, ticks uint64) {
	t.programs = append(t.programs, world.ProgramCheck{Place: uint32(place), Path: []byte(path), Test: test, Ticks: ticks})
}

// tests are the programs that test submissions.
func (t *terms) tests() (ids []wire.Hash) {
	for i := range t.programs {
		if test := t.programs[i].Test; test != nil {
			ids = append(ids, *test)
		}
	}
	return ids
}

// fileOf is the file that MUST_COMPILE asks for.
func fileOf(p *wire.MustCompile) string {
	if p.Path == nil {
		return mainFile
	}
	return *p.Path
}

// testedFile is the file that tests are bound to: that of the first MUST_COMPILE.
func testedFile(reqs []wire.BountyRequirement) string {
	for _, r := range reqs {
		var p wire.MustCompile
		if r.Kind == wire.RequirementKindMustCompile && wire.MustCompileCodec.Decode(r.Params, &p) == nil {
			return fileOf(&p)
		}
	}
	return mainFile
}

// ticks is the sum of what the programs may use, or maxTicks + 1 if it is more.
func (t *terms) ticks() (sum uint64) {
	for i := range t.programs {
		sum += min(t.programs[i].Ticks, maxTicks+1)
	}
	return sum
}

// readTerms reads requirements; malformed means their params are no valid map,
// absurd that they ask for nothing, or for programs that run too long.
func readTerms(reqs []wire.BountyRequirement) (t terms, malformed, invalid bool) {
	t.reviews = minReviews
	file := testedFile(reqs)
	for i, r := range reqs {
		switch r.Kind {
		case wire.RequirementKindMustCompile:
			var p wire.MustCompile
			if wire.MustCompileCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			t.check(i, fileOf(&p), nil, compileTicks)
		case wire.RequirementKindMustPassTests:
			var p wire.MustPassTests
			if wire.MustPassTestsCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			ticks := uint64(testTicks)
			if p.Ticks != nil {
				ticks = *p.Ticks
			}
			invalid = invalid || ticks == 0
			t.check(i, file, &p.Test, ticks)
		case wire.RequirementKindMustBeReviewed:
			var p wire.MustBeReviewed
			if wire.MustBeReviewedCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			t.judged = true
			if p.MinReviews != nil {
				invalid = invalid || *p.MinReviews == 0
				t.reviews = max(t.reviews, *p.MinReviews)
			}
		case wire.RequirementKindCustom:
			var p wire.CustomCheck
			if wire.CustomCheckCodec.Decode(r.Params, &p) != nil {
				return t, true, false
			}
			invalid = t.add(i, p) || invalid
		}
	}
	return t, false, invalid || t.ticks() > maxTicks
}

// canonical is a copy of requirements that can be read, their params in canonical form.
func canonical(reqs []wire.BountyRequirement) []wire.BountyRequirement {
	out := slices.Clone(reqs)
	for i := range out {
		r := &out[i]
		switch r.Kind {
		case wire.RequirementKindMustCompile:
			r.Params = recode(wire.MustCompileCodec, r.Params)
		case wire.RequirementKindMustPassTests:
			r.Params = recode(wire.MustPassTestsCodec, r.Params)
		case wire.RequirementKindMustBeReviewed:
			r.Params = recode(wire.MustBeReviewedCodec, r.Params)
		case wire.RequirementKindCustom:
			r.Params = recode(wire.CustomCheckCodec, r.Params)
		}
	}
	return out
}

// recode is the canonical form of a map that can be read.
func recode[T any](c *codec.Codec[T], b []byte) []byte {
	var v T
	if err := c.Decode(b, &v); err != nil {
		panic("agora: params were read once but not again: " + err.Error())
	}
	return c.Append(nil, &v)
}

// add reads a CUSTOM check and says whether it asks for nothing.
func (t *terms) add(place int, p wire.CustomCheck) (invalid bool) {
	switch p.Check {
	case wire.CheckOracleVerified:
		t.entries = append(t.entries, entryCheck{uint32(place), p})
		return p.Kind == nil || p.Count == nil || *p.Count == 0
	case wire.CheckOracleAnswered:
		t.entries = append(t.entries, entryCheck{uint32(place), p})
		return p.Question == nil
	default:
		t.judged = true
	}
	return false
}

// automatic says whether a machine checks anything.
func (t *terms) automatic() bool { return len(t.programs)+len(t.entries) > 0 }

// termsOf reads the requirements of an accepted bounty.
func termsOf(b *Bounty) terms {
	t, malformed, invalid := readTerms(b.Requirements)
	if malformed || invalid {
		panic("agora: bounty " + b.ID.String() + " was accepted with bad requirements")
	}
	return t
}

// judged says whether a submission needs a verdict: where reviewers are listed, the terms
// ask for one, or nothing else would check it.
func (b *Bounty) judged() bool {
	t := termsOf(b)
	return len(b.Reviewers) > 0 || t.judged || !t.automatic()
}

package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// terms are the decoded requirements of a bounty.
type terms struct {
	reviews uint32       // minimum number of verdicts in an open review
	entries []entryCheck // automatic: entries in Oracle
	judged  bool         // somebody must judge: MUST_BE_REVIEWED, or an unknown CUSTOM check

	// programs are the automatic checks of what was submitted, which Forge runs.
	programs []world.ProgramCheck
}

// entryCheck is an automatic requirement of entries in Oracle: a number of entries that others verified, or an entry
// that answers a question.
type entryCheck struct {
	index uint32 // of the requirement, from 0
	wire.CustomCheck
}

// minReviews is the minimum number of verdicts in an open review, whatever the requirements say.
const minReviews = 2

// Bounds of what Forge runs for a bounty, in forge ticks.
const (
	compileTicks = 100  // of MUST_COMPILE, with reading the file
	testTicks    = 500  // of MUST_PASS_TESTS without a number
	maxTicks     = 1000 // of all checks of a bounty together
)

// check adds a check that Forge runs.
func (t *terms) check(place int, path string, test *wire.Hash, ticks uint64) {
	t.programs = append(t.programs, world.ProgramCheck{Place: uint32(place), Path: []byte(path), Test: test, Ticks: ticks})
}

// tests returns the ids of the programs that test submissions.
func (t *terms) tests() (ids []wire.Hash) {
	for i := range t.programs {
		if test := t.programs[i].Test; test != nil {
			ids = append(ids, *test)
		}
	}
	return ids
}

// fileOf returns the file that MUST_COMPILE asks for.
func fileOf(p *wire.MustCompile) string {
	if p.Path == nil {
		return wire.ProgramFile
	}
	return *p.Path
}

// testedFile returns the file that tests run on: that of the first MUST_COMPILE, or [wire.ProgramFile].
func testedFile(reqs []wire.BountyRequirement) string {
	for _, r := range reqs {
		var p wire.MustCompile
		if r.Kind == wire.RequirementKindMustCompile && wire.MustCompileCodec.Decode(r.Params, &p) == nil {
			return fileOf(&p)
		}
	}
	return wire.ProgramFile
}

// ticks returns the sum of the ticks of the programs; it is above maxTicks if that of any program is.
func (t *terms) ticks() (sum uint64) {
	for i := range t.programs {
		sum += min(t.programs[i].Ticks, maxTicks+1)
	}
	return sum
}

// maxEntries is how many entries a bounty may ask for: as many as an agent can publish in a cycle. Who claims a bounty that
// asks for more than anybody can write would be barred from all bounties.
const maxEntries = 8

// readTerms decodes requirements. malformed means that params cannot be decoded, invalid that they ask for nothing, for
// programs that run too long, for too many entries, or for more verdicts than a jury has seats: a creator that asks for those
// and sleeps would never have to pay.
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
				invalid = invalid || *p.MinReviews == 0 || *p.MinReviews > jurorsPerCycle
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

// canonical returns a copy of valid requirements with their params in canonical form.
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

// recode returns the canonical form of a map. It panics if the map cannot be decoded.
func recode[T any](c *codec.Codec[T], b []byte) []byte {
	var v T
	if err := c.Decode(b, &v); err != nil {
		panic("agora: params were read once but not again: " + err.Error())
	}
	return c.Append(nil, &v)
}

// add adds a CUSTOM check; invalid means that it asks for nothing.
func (t *terms) add(place int, p wire.CustomCheck) (invalid bool) {
	switch p.Check {
	case wire.CheckOracleVerified:
		t.entries = append(t.entries, entryCheck{uint32(place), p})
		return p.Kind == nil || p.Count == nil || *p.Count == 0 || *p.Count > maxEntries
	case wire.CheckOracleAnswered:
		t.entries = append(t.entries, entryCheck{uint32(place), p})
		return p.Question == nil
	default:
		t.judged = true
	}
	return false
}

// answers reports whether an answer to a question is asked for.
func (t *terms) answers() bool {
	return slices.ContainsFunc(t.entries, func(e entryCheck) bool { return e.Check == wire.CheckOracleAnswered })
}

// automatic reports whether there are automatic checks.
func (t *terms) automatic() bool { return len(t.programs)+len(t.entries) > 0 }

// termsOf returns the terms of an accepted bounty.
func termsOf(b *Bounty) terms {
	t, malformed, invalid := readTerms(b.Requirements)
	if malformed || invalid {
		panic("agora: bounty " + b.ID.String() + " was accepted with bad requirements")
	}
	return t
}

// judged reports whether a submission needs a verdict: reviewers are listed, the terms ask for one, or there are no
// automatic checks.
func (b *Bounty) judged() bool {
	t := termsOf(b)
	return len(b.Reviewers) > 0 || t.judged || !t.automatic()
}

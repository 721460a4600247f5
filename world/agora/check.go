package agora

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Prepare has Forge run the checks of what is submitted, and read the tests of new bounties,
// ahead of the commit.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	for i := range requests {
		switch q := requests[i].Payload.(type) {
		case *wire.BountySubmit:
			if work := d.board.handedIn(&requests[i], q); len(work.Checks) > 0 {
				tasks = append(tasks, d.forge.Checking(t, requests[i].Seat, work))
			}
		case *wire.BountyCreate:
			terms, malformed, absurd := readTerms(q.Requirements)
			if tests := terms.tests(); d.forge != nil && len(tests) > 0 && !malformed && !absurd {
				tasks = append(tasks, d.forge.Reading(t, requests[i].Seat, tests))
			}
		}
	}
	return tasks
}

// handedIn is what a request submits; nothing if it is refused in any case.
func (x *board) handedIn(r *world.Request, q *wire.BountySubmit) (work world.Submission) {
	if x.forge == nil || q.SubmissionSnap.IsZero() {
		return work
	}
	if b := x.bounties.Get(q.BountyID); b != nil && b.Status == wire.BountyStatusClaimed && *b.Claimer == r.Source {
		work = submission(b, q.SubmissionSnap)
	}
	return work
}

// submission is what the claimer of b hands in, as Forge checks it.
func submission(b *Bounty, snap wire.Hash) world.Submission {
	return world.Submission{Claimer: *b.Claimer, Snap: snap, Checks: termsOf(b).programs}
}

// checks carries out the automatic requirements of b on what its claimer submits: entries in
// Oracle first, which cost nothing, then programs. A refusal has changed nothing. An entry that
// answers a question does so for one bounty.
func (x *board) checks(c *world.Context, b *Bounty, snap wire.Hash) (failed *wire.FailedCheck, r *world.Refusal) {
	t := termsOf(b)
	answers, unmet := t.documented(x.library, b)
	if unmet != nil {
		return unmet.failed(x.library, b), nil
	}
	if len(t.programs) > 0 {
		if failed, r = x.forge.Check(c, c.Prepared, submission(b, snap)); failed != nil || r != nil {
			return failed, r
		}
	}
	for _, e := range answers {
		x.library.Fulfil(c, e)
	}
	return nil, nil
}

// documented finds the entries that answer the questions of a claimed bounty, or the first of its
// terms that Oracle does not meet.
func (t *terms) documented(library world.Library, b *Bounty) (answers []wire.Hash, unmet *entryCheck) {
	for i := range t.entries {
		v := &t.entries[i]
		if v.Check == wire.CheckOracleAnswered {
			e, ok := library.Answer(*b.Claimer, *v.Question)
			if !ok {
				return nil, v
			}
			answers = append(answers, e)
		} else if library.Verified(*b.Claimer, *v.Kind, b.ClaimedAt) < *v.Count {
			return nil, v
		}
	}
	return answers, nil
}

// failed says what the claimer of b lacks.
func (v *entryCheck) failed(library world.Library, b *Bounty) *wire.FailedCheck {
	why := "you have no entry that references the question and that two others verified"
	if v.Check == wire.CheckOracleVerified {
		have := library.Verified(*b.Claimer, *v.Kind, b.ClaimedAt)
		why = fmt.Sprintf("since your claim others have verified %d of the %d %s entries", have, *v.Count, v.Kind)
	}
	return &wire.FailedCheck{Requirement: v.place, Kind: wire.RequirementKindCustom, Program: []byte{}, Why: []byte(why)}
}

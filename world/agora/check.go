package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// Prepare lets Forge run the checks of submissions and read the tests of new bounties before the commit.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	for i := range requests {
		switch q := requests[i].Payload.(type) {
		case *wire.BountySubmit:
			if work := d.board.submissionOf(t, &requests[i], q); len(work.Checks) > 0 {
				tasks = append(tasks, d.forge.CheckTask(t, requests[i].Seat, work))
			}
		case *wire.BountyCreate:
			terms, malformed, invalid := readTerms(q.Requirements)
			if tests := terms.tests(); d.forge != nil && len(tests) > 0 && !malformed && !invalid {
				tasks = append(tasks, d.forge.ReadTask(t, &requests[i], tests))
			}
		}
	}
	return tasks
}

// submissionOf returns what a request submits at tick t. It is empty if, on the state before the tick, the request must be
// refused or fails before a program is run, so that nothing is run that nobody pays for.
func (x *board) submissionOf(t wire.Tick, r *world.Request, q *wire.BountySubmit) (work world.Submission) {
	b := x.bounties.Get(q.BountyID)
	if x.forge == nil || x.checkSubmission(t, r.Source, b, q.SubmissionSnap) != nil {
		return work
	}
	terms := termsOf(b)
	if _, unmet := terms.documented(x.siblings, b, x.rules.Calendar.Cycle(t), x.verdicts.reserved(*b.Claimer)); unmet != nil {
		return work
	}
	return submission(b, q.SubmissionSnap)
}

// submission returns a snap submitted by the claimer of b, in the form that Forge checks.
func submission(b *Bounty, snap wire.Hash) world.Submission {
	return world.Submission{Claimer: *b.Claimer, Snap: snap, Checks: termsOf(b).programs}
}

// runChecks checks the automatic requirements of b: entries in Oracle first, which cost nothing, then programs. It returns
// what the submission uses up when it is paid. A refusal has changed nothing.
func (x *board) runChecks(c *world.Context, b *Bounty, snap wire.Hash) (work documents, failed *wire.FailedCheck, r *world.Refusal) {
	t := termsOf(b)
	if work, failed = t.documented(x.siblings, b, c.Cycle, x.verdicts.reserved(*b.Claimer)); failed == nil && len(t.programs) > 0 {
		failed, r = x.forge.Check(c, c.Prepared, submission(b, snap))
	}
	if failed != nil || r != nil {
		return documents{}, failed, r
	}
	return work, nil, nil
}

package ooda

import "kingdom/wire"

// orient tells the goals what changed, closes those whose time or subject has gone, and
// lets the sources of goals speak.
func (t *Turn) orient(v *wire.View) {
	t.goals.appraise(v.Earned)
	t.goals.expire()
	t.goals.closeSubjects(v.Subjects)
	t.plans.dropClosed(v.Subjects)
	t.goals.closeStale()
	t.goals.gather(v.Events)
}

package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

// noticesOf offers what the notices of a view ask for: a repo of this agent depends on one that has a new tag.
func (gt *goalTracker) noticesOf(dst []goals.Goal, v *wire.View) []goals.Goal {
	for i := range v.Deliveries {
		n, ok := v.Deliveries[i].Body.(*wire.DependencyNotify)
		if !ok || gt.situation.Capability(goals.KindFixDependency.Domain()) < goals.CapabilityFloor {
			continue
		}
		for _, repo := range n.Dependents {
			w := gt.notes.WorkOf(repo)
			if w == nil { // it has forgotten the program
				continue
			}
			if rest := wire.Tick(nextVersion * gt.rules.Calendar.TicksPerCycle); gt.seen.tick < w.At+rest {
				continue // it was changed lately: if all programs followed at once, each tag would cause all its dependents to be rewritten
			}
			g := goals.New(gt.agent.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{
				Kind: goals.KindFixDependency, Text: "Follow the new version of what a program of mine builds on", Subject: &repo,
			}, gt.seen.tick)
			gt.notes.SetObject(g.ID, n.NewTag)
			dst = append(dst, g)
		}
	}
	return dst
}

// fix offers to bind a program of this agent to the new tag of what it builds on, or to change it.
func (o programmer) fix(g *goals.Goal) {
	w := o.notes.WorkOf(g.Subject())
	tag, noted := o.notes.Object(g.ID)
	if w == nil || g.Kind() != goals.KindFixDependency {
		return
	}
	if noted && !w.Uses.IsZero() {
		o.offer(g, o.seen.action("dependency_add"), &wire.DependencyAdd{
			FromRepo: w.Repo, FromSnap: w.Snap, ToRepo: w.Uses, ToTag: tag, Required: true,
		}, 1)
	}
	o.change(g, w, nil)
}

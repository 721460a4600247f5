package ooda

import (
	"slices"

	"kingdom/llm"
	"kingdom/wire/action"
)

// rights are the actions that a mind may send at an epoch. They are equal for all agents.
type rights struct {
	from    uint32           // the epoch at which they begin
	actions []*action.Row    // what it may send, in catalogue order
	closed  []llm.ClosedFact // what it may send at a later epoch
	stable  *llm.Stable      // of the prompts; nil: each prompt makes it
}

// Prepare prepares what the prompts of all agents share, for each epoch at which an action opens. It is to be called again when
// Templates have changed. If it is never called, each turn prepares this for its own prompts.
func (r *Rules) Prepare() {
	opens := []uint32{0}
	for row := range r.allowed() {
		opens = append(opens, r.opens(row))
	}
	slices.Sort(opens)
	r.prepared = nil
	for _, from := range slices.Compact(opens) {
		at := rights{from: from, actions: r.Actions(from), closed: r.closed(from)}
		at.stable = llm.NewStable(at.actions, at.closed, &r.Limits, r.Templates)
		r.prepared = append(r.prepared, at)
	}
}

// rights returns those of an epoch.
func (r *Rules) rights(epoch uint32) rights {
	for i := len(r.prepared) - 1; i >= 0; i-- {
		if r.prepared[i].from <= epoch {
			return r.prepared[i]
		}
	}
	return rights{from: epoch, actions: r.Actions(epoch), closed: r.closed(epoch)}
}

package engine

import (
	"slices"

	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// mentionTrust is the share of successes an author must have with a sleeper to
// wake it by a mention (docs/AGENT.md, waking).
const mentionTrust = 0.5

// wish notes that somebody wants a sleeper awake at cycle end. Of several causes
// the first in order of precedence counts.
func (e *Engine) wish(s *seat, cause nexus.WakeCause) error {
	if s.status != wire.StatusDormant {
		return &RefusedError{notDormant}
	}
	if old, ok := e.wishes[s.id]; !ok || cause < old {
		e.wishes[s.id] = cause
	}
	return nil
}

// notDormant is what a wish for an agent that does not sleep is refused with.
var notDormant = world.Refusal{Category: wire.CategoryConflict, Reason: "not_dormant"}

// mentions looks for sleepers named in the messages that were posted.
func (e *Engine) mentions(from wire.AgentID, post *wire.MsgPost) {
	if e.sleepers == 0 {
		return
	}
	for _, ref := range post.References {
		if s := e.index[wire.AgentID(ref)]; s != nil {
			e.mention(s, from)
		}
	}
	eachAlias(contentText(post.Content), func(alias string) {
		if id, ok := e.names.resolve(alias); ok {
			e.mention(e.index[id], from)
		}
	})
}

func (e *Engine) mention(s *seat, from wire.AgentID) {
	if s.status != wire.StatusDormant || s.id == from {
		return
	}
	if trusted(s.a, from) {
		_ = e.wish(s, nexus.WakeMention) // s sleeps, so it is not refused
	}
}

// eachAlias calls f for every run of 8 lower-case hex digits within text, also for
// those inside longer runs.
func eachAlias(text string, f func(alias string)) {
	run := 0
	for i := range len(text) {
		c := text[i]
		if '0' <= c && c <= '9' || 'a' <= c && c <= 'f' {
			run++
		} else {
			run = 0
		}
		if run >= 8 {
			f(text[i-7 : i+1])
		}
	}
}

// takeWishes returns what was wished in the cycle, by agent.
func (e *Engine) takeWishes() []nexus.Wake {
	out := make([]nexus.Wake, 0, len(e.wishes))
	for id, cause := range e.wishes {
		out = append(out, nexus.Wake{Agent: id, Cause: cause})
	}
	slices.SortFunc(out, func(a, b nexus.Wake) int { return a.Agent.Compare(b.Agent) })
	clear(e.wishes)
	return out
}

// wake gives those that Nexus woke their fresh start.
func (e *Engine) wake(changes []nexus.Change, t wire.Tick) {
	for _, c := range changes {
		s := e.index[c.Agent]
		s.turn.Wake(ooda.WakeCause(c.Cause), t)
		s.touched = true
	}
}

package engine

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// mentionTrust is the share of successes an author must have with a sleeper to
// wake it by a mention (docs/AGENT.md, waking).
const mentionTrust = 0.5

// wakes are the reasons to wake sleepers that came up in a cycle; Nexus decides about
// them at its end.
type wakes struct {
	crew   *crew
	asleep int // DORMANT agents
	wishes map[wire.AgentID]wire.WakeCause
}

// wish notes that somebody wants a sleeper awake at cycle end. Of several causes
// the first in order of precedence counts.
func (w *wakes) wish(s *seat, cause wire.WakeCause) error {
	if s.status != wire.StatusDormant {
		return &RefusedError{notDormant}
	}
	if old, ok := w.wishes[s.id]; !ok || cause < old {
		w.wishes[s.id] = cause
	}
	return nil
}

// follow keeps count of who sleeps; 0 is the status before the first.
func (w *wakes) follow(from, to wire.AgentStatus) {
	if from == wire.StatusDormant {
		w.asleep--
	}
	if to == wire.StatusDormant {
		w.asleep++
	}
}

// notDormant is what a wish for an agent that does not sleep is refused with.
var notDormant = world.Refusal{Category: wire.CategoryConflict, Reason: "not_dormant"}

// wakeMentioned looks through the messages that a tick committed for mentions of
// sleepers.
func (w *wakes) wakeMentioned(sc *scope) {
	if w.asleep == 0 {
		return
	}
	for i := range sc.slots {
		if post, ok := sc.slots[i].Sent.Payload.(*wire.MsgPost); ok && sc.live[i].reply.Type == wire.TypeAck {
			w.mentions(sc.live[i].id, post)
		}
	}
}

// mentions looks for sleepers named in a message.
func (w *wakes) mentions(from wire.AgentID, post *wire.MsgPost) {
	for _, ref := range post.References {
		if s := w.crew.seat(wire.AgentID(ref)); s != nil {
			w.mention(s, from)
		}
	}
	eachAlias(wire.TextOf(post.Content), func(alias string) {
		if id, ok := w.crew.names.resolve(alias); ok {
			w.mention(w.crew.seat(id), from)
		}
	})
}

func (w *wakes) mention(s *seat, from wire.AgentID) {
	if s.status != wire.StatusDormant || s.id == from {
		return
	}
	if trusted(s.a, from) {
		_ = w.wish(s, wire.WakeMention) // s sleeps, so it is not refused
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

// take returns what was wished in the cycle, by agent.
func (w *wakes) take() []nexus.Wake {
	out := make([]nexus.Wake, 0, len(w.wishes))
	for id, cause := range w.wishes {
		out = append(out, nexus.Wake{Agent: id, Cause: cause})
	}
	slices.SortFunc(out, func(a, b nexus.Wake) int { return a.Agent.Compare(b.Agent) })
	clear(w.wishes)
	return out
}

// wake gives those that Nexus woke their fresh start.
func (w *wakes) wake(changes []nexus.Change, t wire.Tick) {
	for _, c := range changes {
		s := w.crew.seat(c.Agent)
		s.turn.Wake(t)
		s.touched = true
	}
}

package engine

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// mentionTrust is the share of successful interactions that an author must have with a dormant agent to wake it by a
// mention (docs/AGENT.md, waking).
const mentionTrust = 0.5

// wakes collects requests to wake dormant agents during a cycle; Nexus decides about them at its end.
type wakes struct {
	agents   *agentPool
	dormant  int // DORMANT agents
	requests map[wire.AgentID]wire.WakeCause
}

// request asks to wake a dormant agent at the cycle end. Of several causes for an agent the one that comes first in
// order of precedence is kept.
func (w *wakes) request(s *seat, cause wire.WakeCause) error {
	if s.status != wire.StatusDormant {
		return &RefusedError{notDormant}
	}
	if old, ok := w.requests[s.id]; !ok || cause < old {
		w.requests[s.id] = cause
	}
	return nil
}

// countStatus counts the dormant agents; from is 0 for a new agent.
func (w *wakes) countStatus(from, to wire.AgentStatus) {
	if from == wire.StatusDormant {
		w.dormant--
	}
	if to == wire.StatusDormant {
		w.dormant++
	}
}

// notDormant is the refusal of a request to wake an agent that is not dormant.
var notDormant = world.Refusal{Category: wire.CategoryConflict, Reason: "not_dormant"}

// wakeMentioned requests to wake dormant agents that the messages of a committed tick mention.
func (w *wakes) wakeMentioned(sc *tickSeats) {
	if w.dormant == 0 {
		return
	}
	for i := range sc.slots {
		if post, ok := sc.slots[i].Sent.Payload.(*wire.MsgPost); ok && sc.live[i].reply.Type == wire.TypeAck {
			w.wakeNamed(sc.live[i].id, post)
		}
	}
}

// wakeNamed requests to wake the dormant agents that a message names.
func (w *wakes) wakeNamed(from wire.AgentID, post *wire.MsgPost) {
	for _, ref := range post.References {
		if s := w.agents.seat(wire.AgentID(ref)); s != nil {
			w.wakeByMention(s, from)
		}
	}
	eachAlias(wire.TextOf(post.Content), func(alias string) {
		if id, ok := w.agents.aliases.resolve(alias); ok {
			w.wakeByMention(w.agents.seat(id), from)
		}
	})
}

func (w *wakes) wakeByMention(s *seat, from wire.AgentID) {
	if s.status != wire.StatusDormant || s.id == from {
		return
	}
	if trusted(s.a, from) {
		_ = w.request(s, wire.WakeMention) // s is dormant, so the request is not refused
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

// take removes and returns the requests of the cycle, sorted by agent.
func (w *wakes) take() []nexus.Wake {
	out := make([]nexus.Wake, 0, len(w.requests))
	for id, cause := range w.requests {
		out = append(out, nexus.Wake{Agent: id, Cause: cause})
	}
	slices.SortFunc(out, func(a, b nexus.Wake) int { return a.Agent.Compare(b.Agent) })
	clear(w.requests)
	return out
}

// restart resets the turns of the agents that Nexus woke.
func (w *wakes) restart(changes []nexus.Change, t wire.Tick) {
	for _, c := range changes {
		s := w.agents.seat(c.Agent)
		s.turn.Wake(t)
		s.touched = true
	}
}

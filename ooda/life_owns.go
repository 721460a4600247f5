package ooda

import (
	"strconv"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	shownOwns = 2  // of each sort: repos, sandboxes, requests
	ownName   = 24 // bytes shown of a name
)

// estate tells what an agent owns.
type estate struct{ life *life }

// list appends what is the agent's own and stands nowhere else in the state: its newest repos, its requests for
// review that wait, and its sandboxes with what they cost and the services that run in them.
func (e estate) list(dst []llm.OwnFact, h *llm.Handles) []llm.OwnFact {
	l, n := e.life, 0
	for i := len(l.notes.Works) - 1; i >= 0 && n < shownOwns; i-- {
		if w := &l.notes.Works[i]; w.Kind != memory.WorkReview && !w.Repo.IsZero() {
			f := llm.OwnFact{What: "repo", Ref: h.Ref(llm.RefOther, w.Repo), Name: clipTo(w.Name, ownName)}
			if w.Tags > 0 {
				f.Says = llm.Count(uint64(w.Tags), "tag")
			}
			dst = append(dst, f)
			n++
		}
	}
	n = 0
	for i := len(l.agent.Memory.Dealings.Awaited) - 1; i >= 0 && n < shownOwns; i-- {
		if r := &l.agent.Memory.Dealings.Awaited[i]; l.seen.cycle <= l.rules.Calendar.Cycle(r.At)+requestCycles {
			says := llm.Count(uint64(r.Verdicts), "verdict") + " of " + strconv.FormatUint(uint64(r.Wants), 10)
			dst = append(dst, llm.OwnFact{What: "review request", Ref: h.Ref(llm.RefReview, r.ID), Says: says})
			n++
		}
	}
	for i := range l.seen.sandboxes[:min(shownOwns, len(l.seen.sandboxes))] {
		dst = append(dst, e.sandbox(&l.seen.sandboxes[i], h))
	}
	return dst
}

// requestCycles is for how many cycles after its own a request for review stays open.
const requestCycles = 16

// sandbox is a sandbox of the agent, or the service that runs in it.
func (estate) sandbox(s *wire.SandboxView, h *llm.Handles) llm.OwnFact {
	f := llm.OwnFact{What: "sandbox", Ref: h.Ref(llm.RefOther, s.ID), Says: "gone at the cycle's end"}
	if s.Persistent {
		f.Says = strconv.Itoa(serviceKeep) + " Spark per cycle"
	}
	if s.Service != nil {
		f.Says += ", service " + h.Ref(llm.RefOther, *s.Service).String()
		f.Says += " at " + strconv.FormatUint(s.Fee, 10) + " Spark a call"
		f.Name = clipTo(s.Name, ownName)
	}
	return f
}

// title says which program a thing of an own work is: its repo and what it is for; "" if it is none.
func (e estate) title(id wire.Hash) llm.Words {
	w := e.workWith(id)
	if w == nil {
		return ""
	}
	title := append([]byte(nil), w.Name...)
	if id == w.Try {
		title = append([]byte("test of "), title...)
	}
	about := w.Defines
	if b := e.life.seen.claim(w.About); w.Kind == memory.WorkDelivery && b != nil {
		about = b.Title
	}
	if len(about) > 0 {
		title = append(append(title, ": "...), about...)
	}
	return clipTo(title, endedTitle)
}

// workWith returns the program of the agent to which a repo, snap, object or sandbox belongs, or nil.
func (e estate) workWith(id wire.Hash) *memory.WorkNote {
	works := e.life.notes.Works
	for i := range works {
		w := &works[i]
		if w.Kind != memory.WorkReview && !id.IsZero() && (w.Repo == id || w.Snap == id || w.Code == id || w.Try == id || w.Sandbox == id) {
			return w
		}
	}
	return nil
}

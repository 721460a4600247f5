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

// owns lists what is the agent's own and stands nowhere else in the state: its newest repos, its sandboxes and services
// with what they cost and earn, and its requests for review that wait.
func (l *life) owns(dst []llm.OwnFact, h *llm.Handles) []llm.OwnFact {
	n := 0
	for i := len(l.notes.Works) - 1; i >= 0 && n < shownOwns; i-- {
		if w := &l.notes.Works[i]; w.Kind != memory.WorkReview && !w.Repo.IsZero() {
			dst = append(dst, llm.OwnFact{What: "repo", Ref: h.Ref(llm.RefOther, w.Repo), Name: clipTo(w.Name, ownName), Says: count(int(w.Tags), "tag")})
			n++
		}
	}
	for i := range l.seen.sandboxes[:min(shownOwns, len(l.seen.sandboxes))] {
		dst = append(dst, l.ownSandbox(&l.seen.sandboxes[i], h))
	}
	n = 0
	for i := len(l.agent.Memory.Dealings.Awaited) - 1; i >= 0 && n < shownOwns; i-- {
		if r := &l.agent.Memory.Dealings.Awaited[i]; l.seen.cycle <= l.rules.Calendar.Cycle(r.At)+requestCycles {
			says := count(int(r.Verdicts), "verdict") + " of " + strconv.FormatUint(uint64(r.Wants), 10)
			dst = append(dst, llm.OwnFact{What: "review request", Ref: h.Ref(llm.RefReview, r.ID), Says: says})
			n++
		}
	}
	return dst
}

// requestCycles is for how many cycles after its own a request for review stays open.
const requestCycles = 16

// ownSandbox is a sandbox of the agent, or the service that runs in it.
func (l *life) ownSandbox(s *wire.SandboxView, h *llm.Handles) llm.OwnFact {
	f := llm.OwnFact{What: "sandbox", Ref: h.Ref(llm.RefOther, s.ID), Says: "gone at the cycle's end"}
	if s.Persistent {
		f.Says = "costs " + strconv.Itoa(serviceKeep) + " Spark per cycle"
	}
	if s.Service != nil {
		f.Says += ", runs service " + h.Ref(llm.RefOther, *s.Service).String()
		f.Says += " for " + strconv.FormatUint(s.Fee, 10) + " Spark per call"
		f.Name = clipTo(s.Name, ownName)
	}
	return f
}

// programTitle says which program a thing of an own work is: its repo and what it is for; "" if it is none.
func (l *life) programTitle(id wire.Hash) llm.Words {
	w := l.workWith(id)
	if w == nil {
		return ""
	}
	title := append([]byte(nil), w.Name...)
	if id == w.Try {
		title = append([]byte("test of "), title...)
	}
	about := w.Defines
	if b := l.seen.claim(w.About); w.Kind == memory.WorkDelivery && b != nil {
		about = b.Title
	}
	if len(about) > 0 {
		title = append(append(title, ": "...), about...)
	}
	return clipTo(title, endedTitle)
}

// workWith returns the program of the agent to which a repo, snap, object or sandbox belongs, or nil.
func (l *life) workWith(id wire.Hash) *memory.WorkNote {
	for i := range l.notes.Works {
		w := &l.notes.Works[i]
		if w.Kind != memory.WorkReview && !id.IsZero() && (w.Repo == id || w.Snap == id || w.Code == id || w.Try == id || w.Sandbox == id) {
			return w
		}
	}
	return nil
}

package ooda

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Registers are the working notes that say what the agent is about. The runtime keeps them, a mind
// reads them in other words and cannot set or drop them, and what is offered is weighed by them:
//
//	doing              KIND ID8 since TICK: the goal that the agent works for until it reconsiders
//	after              KIND ID8 since TICK: the goal that it goes back to when that one, an errand, has ended
//	promised:ID8       PEER8 until TICK: the bounty that it holds of a peer, and the lease
//	avoid:VERB ABOUT   until TICK WHY: the act that went wrong; ABOUT is ID8 or a domain
//	asked:ID8          CHANNEL8 until TICK: its question that waits for an answer
//
// ID8 are the first 8 hex digits of an id. They last to their tick, beyond the cycle that other
// notes last.
const (
	noteDoing    = "doing"
	noteAfter    = "after"
	notePromised = "promised:"
	noteAvoid    = "avoid:"
	noteAsked    = "asked:"

	avoidCycles = 2  // how long what went wrong is avoided
	avoidMax    = 16 // registers of that kind; the ones that end first go
	pressing    = 64 // ticks before a deadline from which on a goal interrupts other work
)

// registers are the working notes of an agent as a turn reads and writes them.
type registers struct {
	self
	doing       *goals.Goal // the living goal of the note, as of this slot; nil: none
	mayChange   bool        // something calls for a new choice in this slot: leaving that goal costs nothing
	errandEnded bool        // an errand has just ended: starting another one costs as little as going back
}

// fitsErrands reports whether the agent does the work for a goal now because an errand has just ended: a vote or a
// review then waits for nothing else.
func (r *registers) fitsErrands(g *goals.Goal) bool {
	return r.errandEnded && (g.Kind() == goals.KindVote || g.Kind() == goals.KindDoReview)
}

// carryOver carries the registers that are still valid into the cycle that begins, and drops the others.
func (r *registers) carryOver(now wire.Tick) {
	w := r.agent.Memory.Working
	for i := len(w.Notes()) - 1; i >= 0; i-- {
		n := &w.Notes()[i]
		switch {
		case n.Key == noteDoing, n.Key == noteAfter:
			w.Keep(n.Key)
		case strings.HasPrefix(n.Key, notePromised), strings.HasPrefix(n.Key, noteAvoid), strings.HasPrefix(n.Key, noteAsked):
			if until(n.Value) > now {
				w.Keep(n.Key)
			} else {
				w.Drop(n.Key)
			}
		}
	}
}

// until is the tick after the word "until" of a note; one that names none lasts for ever.
func until(value []byte) wire.Tick {
	_, rest, ok := bytes.Cut(value, []byte("until "))
	if !ok {
		return ^wire.Tick(0)
	}
	if i := bytes.IndexByte(rest, ' '); i >= 0 {
		rest = rest[:i]
	}
	t := wire.Tick(0)
	for _, c := range rest {
		if c < '0' || c > '9' {
			return ^wire.Tick(0)
		}
		if t > (^wire.Tick(0)-9)/10 {
			return ^wire.Tick(0)
		}
		t = 10*t + wire.Tick(c-'0')
	}
	return t
}

// findCurrentGoal finds the goal that the agent works for. A note that names an ended goal is dropped; after an errand
// the agent goes back to the goal that it had before. If something calls for another choice, this slot may choose
// freely, and the agent goes back afterwards.
func (r *registers) findCurrentGoal(v *wire.View, top *goals.Goal) {
	r.doing, r.mayChange, r.errandEnded = nil, false, false
	if r.rules.Blind.Has(llm.LayerNotes) {
		return
	}
	if r.doing = r.noted(noteDoing); r.doing == nil {
		if r.doing = r.noted(noteAfter); r.doing != nil {
			r.errandEnded = true
			r.note(noteDoing, r.doing)
			r.agent.Memory.Working.Drop(noteAfter)
		}
	}
	r.mayChange = r.doing != nil && r.reconsiders(v, top)
}

// noted is the living goal that a note names; the note of one that has ended is dropped.
func (r *registers) noted(key string) *goals.Goal {
	value, ok := r.agent.Memory.Working.Get(key)
	if !ok {
		return nil
	}
	for _, g := range r.agent.Goals.Living() {
		if nameGoal(value, &g.ID) {
			return g
		}
	}
	r.agent.Memory.Working.Drop(key)
	return nil
}

// nameGoal reports whether a note's second word is the beginning of an id.
func nameGoal(value []byte, id *wire.Hash) bool {
	_, rest, _ := bytes.Cut(value, []byte(" "))
	return len(rest) >= 8 && startsWith(id, rest[:8])
}

// startsWith reports whether eight hex digits begin an id.
func startsWith[T string | []byte](id *wire.Hash, digits T) bool {
	const hexDigits = "0123456789abcdef"
	for i := range len(digits) {
		half := id[i/2] >> 4
		if i%2 == 1 {
			half = id[i/2] & 15
		}
		if hexDigits[half] != digits[i] {
			return false
		}
	}
	return true
}

// reconsiders reports whether something calls the agent away from its goal: survival, a deadline
// that presses, or an event about it that is more than an opinion.
func (r *registers) reconsiders(v *wire.View, top *goals.Goal) bool {
	if top != nil && top != r.doing && (top.Source == goals.SourceSurvival || top.Deadline != nil && *top.Deadline < v.Tick+pressing) {
		return true
	}
	if p := r.agent.Memory.Plans.ByGoal(r.doing.ID); p != nil && p.Tries > 0 {
		return true
	}
	return calledUpon(v, r.agent.ID)
}

// calledUpon reports whether a view holds something that asks for an act of the agent: a delivery, a message that
// names it, a review that it is asked for. Opinions of its work, reputation and money ask for nothing.
func calledUpon(v *wire.View, me wire.AgentID) bool {
	if delivered(v) {
		return true
	}
	for _, e := range v.Events {
		switch p := e.Payload.(type) {
		case *wire.MessagePostedEvent:
			if p.Author != me && p.Reference != nil && wire.AgentID(*p.Reference) == me {
				return true
			}
		case *wire.ReviewRequestedEvent:
			if slices.Contains(p.Reviewers, me) {
				return true
			}
		}
	}
	return false
}

// begin notes the goal that an act served, if it is not the same as before. An errand does not replace the goal that
// the agent works for: the agent goes back to it after the errand.
func (r *registers) begin(g *goals.Goal) {
	before := r.doing
	if g == before {
		return
	}
	switch {
	case errand(g) && before != nil && before.Alive() && !errand(before):
		r.note(noteAfter, before)
	case !errand(g):
		r.agent.Memory.Working.Drop(noteAfter)
	}
	r.doing = g
	r.note(noteDoing, g)
}

// errand reports whether a goal takes a few acts and ends with them.
func errand(g *goals.Goal) bool {
	if g.Layer == goals.LayerAspiration {
		return false
	}
	switch g.Kind() {
	case goals.KindAnswer, goals.KindVote, goals.KindDoReview, goals.KindLearn, goals.KindExplore, goals.KindFixDependency, goals.KindClaimBounty, goals.KindOwn:
		return true
	default:
		return false
	}
}

// note writes which goal a register names.
func (r *registers) note(key string, g *goals.Goal) {
	b := append([]byte(nil), g.Kind().String()...)
	b = append(b, ' ')
	b = append(b, g.ID.String()[:8]...)
	r.set(key, strconv.AppendUint(append(b, " since "...), uint64(r.seen.tick), 10))
}

// promise notes that the agent holds a bounty of a peer until its lease ends.
func (r *registers) promise(bounty wire.Hash, peer wire.AgentID) {
	end := r.seen.tick + wire.Tick(r.rules.ClaimLease*r.rules.Calendar.TicksPerCycle)
	b := strconv.AppendUint(append([]byte(peer.Alias()), " until "...), uint64(end), 10)
	r.set(notePromised+bounty.String()[:8], b)
}

// asked notes a question that waits for an answer for a cycle.
func (r *registers) asked(question, channel wire.Hash) {
	end := r.seen.tick + wire.Tick(r.rules.Calendar.TicksPerCycle)
	b := strconv.AppendUint(append([]byte(channel.String()[:8]), " until "...), uint64(end), 10)
	r.set(noteAsked+question.String()[:8], b)
}

// remove deletes a promise that was kept or a question that was answered.
func (r *registers) remove(kind string, id wire.Hash) {
	if notes := r.agent.Memory.Working.Notes(); len(notes) > 0 {
		r.agent.Memory.Working.Drop(kind + id.String()[:8])
	}
}

// has reports whether a register of a kind holds at this tick.
func (r *registers) has(kind string) bool {
	for i, notes := 0, r.agent.Memory.Working.Notes(); i < len(notes); i++ {
		if strings.HasPrefix(notes[i].Key, kind) && until(notes[i].Value) > r.seen.tick {
			return true
		}
	}
	return false
}

// isRegister reports whether a note is a register by its key.
func isRegister(key string) bool {
	return key == noteDoing || key == noteAfter || strings.HasPrefix(key, notePromised) || strings.HasPrefix(key, noteAvoid) || strings.HasPrefix(key, noteAsked)
}

// dropRegisters takes out of a memory update the notes that are registers: those the runtime writes and drops itself.
func dropRegisters(m *llm.MemoryUpdate) {
	m.Note.Set = slices.DeleteFunc(m.Note.Set, func(n codec.TextEntry) bool { return isRegister(n.Key) })
	m.Note.Drop = slices.DeleteFunc(m.Note.Drop, isRegister)
}

// set writes a register. If there is no room it is not written, because the mind's own notes take precedence.
func (r *registers) set(key string, value []byte) { _ = r.agent.Memory.Working.Set(key, value) }

// avoid notes that an act about a thing went wrong.
func (r *registers) avoid(verb, about string, why string) {
	w := r.agent.Memory.Working
	key := noteAvoid + verb + " " + about
	_, renewed := w.Get(key)
	var first *memory.Note
	count := 0
	for i := range w.Notes() {
		if n := &w.Notes()[i]; strings.HasPrefix(n.Key, noteAvoid) {
			if count++; first == nil || until(n.Value) < until(first.Value) {
				first = n
			}
		}
	}
	if count >= avoidMax && !renewed {
		w.Drop(first.Key)
	}
	end := r.seen.tick + wire.Tick(avoidCycles*r.rules.Calendar.TicksPerCycle)
	b := strconv.AppendUint([]byte("until "), uint64(end), 10)
	if why != "" {
		b = append(append(b, ' '), why...)
	}
	r.set(key, b)
}

// noteFailure notes to avoid an act that the world refused or sent back: on its subject if it has one, else in its
// domain. It does nothing if the act only hit a limit of the moment, or if the scenario blinds the agent to its
// experiences.
func (r *registers) noteFailure(p *pending, reply *wire.Reply) {
	if r.rules.Blind.Has(llm.LayerExperiences) {
		return
	}
	why := ""
	if reply.Err != nil {
		if c := reply.Err.Code; c == wire.CodeNoTicks {
			return
		}
		if why = string(reply.Err.Message); missingBody(why) {
			return
		}
	}
	about := p.row.Domain.String()
	if !p.subject.IsZero() {
		about = p.subject.String()[:8]
	}
	r.avoid(p.row.Name, about, why)
}

// forgive drops the note to avoid an act about a thing, because it has succeeded about the same.
func (r *registers) forgive(p *pending) {
	if !p.subject.IsZero() && len(r.agent.Memory.Working.Notes()) > 0 {
		r.agent.Memory.Working.Drop(noteAvoid + p.row.Name + " " + p.subject.String()[:8])
	}
}

// avoids reports whether a note says to avoid an act about a thing, or of its domain.
func (r *registers) avoids(verb, domain string, subject *wire.Hash) bool {
	for i, notes := 0, r.agent.Memory.Working.Notes(); i < len(notes); i++ {
		about, ok := strings.CutPrefix(notes[i].Key, noteAvoid)
		if !ok {
			continue
		}
		if about, ok = strings.CutPrefix(about, verb); !ok || until(notes[i].Value) <= r.seen.tick {
			continue
		}
		about = strings.TrimPrefix(about, " ")
		if about == "" || about == domain || len(about) == 8 && startsWith(subject, about) {
			return true
		}
	}
	return false
}

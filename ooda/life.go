package ooda

import (
	"bytes"
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// life tells the prompt of a slot what the agent knows. It reads agent and view only when the prompt is rendered or
// its handles are resolved.
type life struct{ items }

// titleRoom is how many bytes of a title, or of a text used as one, prompts show.
const titleRoom = 80

// FillFacts implements llm.Life. Bounties are numbered in the order of their list, other things in the order in which it
// names them: goals and plan, then what happened, then what is open.
func (l *life) FillFacts(f *llm.Facts, h *llm.Handles) {
	for i := range l.seen.claims {
		h.Ref(llm.RefBounty, l.seen.claims[i].ID)
	}
	listed := 0
	for i := 0; i < len(l.seen.bounties) && listed < shownBounties; i++ {
		if b := &l.seen.bounties[i]; l.seen.mayList(b) {
			h.Ref(llm.RefBounty, b.ID)
			listed++
		}
	}
	l.drawMemory(f, h)
	l.drawHistory(&f.History, h)
	l.drawState(&f.State, h)
	nameReferences(h, l.plans, l.goals.top)
}

// nameReferences names what the references of plans stand for now, so that params may have them too. top is the goal of the
// slot, nil if there is none.
func nameReferences(h *llm.Handles, plans *planner, top *goals.Goal) {
	if top == nil {
		top = &goals.Goal{}
	}
	for _, name := range []string{"subject", "own", "repo", "channel", "me", "general", "help"} {
		if id, found := plans.referent(name, top); found == resolved {
			h.Also(id, "$"+name)
		}
	}
}

// About implements llm.Life.
func (l *life) About(id wire.Hash, h *llm.Handles) (ref llm.Ref, title llm.Words, author string) {
	return l.aboutA(llm.RefOther, id, h)
}

// aboutA is About for a caller that knows the sort of the thing, which is used if the agent does not know the id.
func (l *life) aboutA(sort llm.RefKind, id wire.Hash, h *llm.Handles) (ref llm.Ref, title llm.Words, author string) {
	ref, title, by := l.whatIs(sort, id, h)
	if by != nil {
		author = nameOf(*by)
	}
	return ref, title, author
}

// whatIs is aboutA with the author's id, nil if there is none.
func (l *life) whatIs(sort llm.RefKind, id wire.Hash, h *llm.Handles) (ref llm.Ref, title llm.Words, by *wire.AgentID) {
	if name := llm.ChannelName(id); name != "" {
		return h.Name(id, "#"+name), "", nil
	}
	if n := l.notes.Channel(id); n != nil {
		return h.Ref(llm.RefOther, id), inShort(n.Name), &n.Creator
	}
	if n := l.notes.Entry(id); n != nil {
		return h.Ref(llm.RefEntry, id), inShort(n.Title), &n.Author
	}
	if m := l.notes.Message(id); m != nil {
		return h.Ref(llm.RefMessage, id), inShort(m.Text), &m.Author
	}
	b := l.seen.bounty(id)
	if b == nil {
		b = l.seen.claim(id)
	}
	if b != nil {
		return h.Ref(llm.RefBounty, id), inShort(b.Title), &b.Creator
	}
	if r := l.seen.review(id); r != nil {
		return h.Ref(llm.RefReview, id), "", &r.Author
	}
	for i := range l.seen.proposals {
		if p := &l.seen.proposals[i]; p.ID == id {
			return h.Ref(llm.RefProposal, id), "", &p.Author // its line says what it asks for
		}
	}
	if p := l.agent.Memory.Dealings.Proposal(id); p != nil {
		return h.Ref(llm.RefProposal, id), inShort(p.Text), &p.Author
	}
	if title := (estate{l}).title(id); title != "" {
		return h.Ref(llm.RefOther, id), title, nil
	}
	if slices.Contains(l.agent.Genome.KnowledgeSeeds, id) { // what agents know of from birth are entries
		return h.Ref(llm.RefEntry, id), "", nil
	}
	if l.knows(wire.AgentID(id)) {
		return h.Name(id, nameOf(wire.AgentID(id))), "", nil
	}
	return h.Ref(sort, id), "", nil
}

// knows says whether an id is an agent's or a system's, as far as the agent can tell.
func (l *life) knows(id wire.AgentID) bool {
	return id == l.agent.ID || wire.IsSystem(id) || l.agent.Memory.Peers.Get(id) != nil || l.notes.Peer(id) != nil
}

// nameOf is how prompts and findings name an agent: by alias, or by the system's name.
func nameOf(id wire.AgentID) string {
	if s, ok := wire.SystemOf(id); ok {
		return s.String()
	}
	return id.Alias()
}

// appendName appends nameOf.
func appendName(dst []byte, id wire.AgentID) []byte {
	if s, ok := wire.SystemOf(id); ok {
		return append(dst, s.String()...)
	}
	return aliasOf(dst, id)
}

// named turns the alias of a system into its name.
func named(alias string) string {
	for s := wire.SystemNexus; s <= wire.SystemSession; s++ {
		if wire.SystemID(s).Alias() == alias {
			return s.String()
		}
	}
	return alias
}

// ref is the handle of a thing with its title. sort is what it is if the agent does not know it.
func (l *life) ref(sort llm.RefKind, id *wire.Hash, h *llm.Handles) (llm.Ref, llm.Words) {
	if id == nil || id.IsZero() {
		return llm.Ref{}, ""
	}
	ref, title, _ := l.whatIs(sort, *id, h)
	return ref, title
}

// inShort cuts words to what names a thing.
func inShort(text []byte) llm.Words { return clipTo(text, titleRoom) }

// clipTo cuts words at a rune's border and marks the cut.
func clipTo(text []byte, room int) llm.Words {
	text = bytes.TrimRight(text, " \n\t")
	if len(text) <= room {
		return llm.Words(text)
	}
	n := room - len("…")
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return llm.Words(text[:n]) + "…"
}

// left is how many ticks are left until a deadline.
func (l *life) left(deadline wire.Tick) uint64 {
	if deadline <= l.seen.tick {
		return 0
	}
	return uint64(deadline - l.seen.tick)
}

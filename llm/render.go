package llm

import (
	"bytes"
	"cmp"
	"slices"
)

// Render appends the prompt as text, with the sections in order, each cut to its budget and all of them to the
// model's context.
func (p *Prompt) Render(dst []byte) []byte {
	system, user := p.Messages()
	return append(append(dst, system...), user...)
}

// Messages renders the prompt as two messages. system has the rules, the actions and the form of an answer, and is
// equal for all agents with the same rights, so that providers can cache it. user has the rest, ordered from what
// changes slowly to what changes fast.
func (p *Prompt) Messages() (system, user []byte) {
	if s := p.said; s != nil && s.fits(p) {
		return s.stable.system, slices.Clip(s.user)
	}
	st := p.stable()
	return st.system, p.tell(nil, st, new(Facts), new(Handles))
}

// userBytes is more than most user messages have.
const userBytes = 12 << 10

// tell appends the user message, fills in the facts that it is made of and gives the handles of the
// prompt.
func (p *Prompt) tell(dst []byte, s *Stable, f *Facts, h *Handles) (user []byte) {
	p.draw(s, f, h)
	user = slices.Grow(dst, userBytes)
	start := len(user)
	for k := SectionIdentity; k <= SectionAffordances; k++ {
		user = p.section(user, k, f, whole)
	}
	if room := p.room(len(s.system)); len(user)-start > room {
		user = p.shorten(user[:start], f, room)
	}
	return user
}

// shorten writes the user message for a model that does not take all of it. The identity stays as it is; of
// the rest each section has a share by its budget, and what one does not use the next ones may, at last the
// affordances. Within a section the least useful items go first, as everywhere.
func (p *Prompt) shorten(dst []byte, f *Facts, room int) []byte {
	start := len(dst)
	dst = p.section(dst, SectionIdentity, f, room)
	shares := budgetBytes(BudgetMemory + BudgetHistory + BudgetState + shareOffers)
	for k := SectionMemory; k <= SectionAffordances; k++ {
		own := budgetBytes(cmp.Or(k.budget(), shareOffers))
		dst = p.section(dst, k, f, max(room-(len(dst)-start), 0)*own/shares)
		shares -= own
	}
	return dst
}

// room is how many bytes the user message may take behind a system message of so many.
func (p *Prompt) room(system int) int {
	context := int(cmp.Or(p.MaxContext, DefaultContext))
	return max(3*(context-int(p.MaxTokens)-Tokens(system)), 0)
}

// Section is one rendered part of a prompt.
type Section struct {
	Kind SectionKind
	Text []byte // heading included
}

// SplitSections finds the sections in the messages of a prompt. Text that an adapter appended to the system message
// counts as part of its last section.
func SplitSections(system, user []byte) []Section {
	var out []Section
	for _, text := range [][]byte{system, user} {
		for k := SectionRules; k <= SectionAffordances; k++ {
			if !bytes.HasPrefix(text, []byte(heading(k))) {
				continue
			}
			end := len(text)
			for next := k + 1; next <= SectionAffordances; next++ {
				if i := bytes.Index(text, []byte("\n"+heading(next))); i >= 0 {
					end = i + 1
					break
				}
			}
			out = append(out, Section{k, text[:end:end]})
			text = text[end:]
		}
	}
	return out
}

func heading(k SectionKind) string { return "## " + k.Title() + "\n" }

// whole is the room of a section that has no bound but its budget.
const whole = 1 << 28

// section writes one section. Those of the system message are needed whole: that they fit is what
// Fits has checked.
func (p *Prompt) section(dst []byte, k SectionKind, f *Facts, room int) []byte {
	start := len(dst)
	dst = append(dst, heading(k)...)
	if b := k.budget(); b > 0 {
		room = min(room, budgetBytes(b))
	}
	room -= len(dst) - start
	g := page{dst: dst, room: room}
	if t := p.Templates.of(k); t != nil && g.template(t, k, f) {
		return g.dst
	}
	switch k {
	case SectionRules:
		return append(p.limits().fill(dst, worldRules), '\n')
	case SectionActions:
		return appendActions(dst, &f.Actions)
	case SectionFormat:
		return append(append(dst, responseFormat...), '\n')
	case SectionIdentity:
		g.me(&f.Me)
	case SectionMemory:
		g.memory(&f.Memory)
	case SectionHistory:
		g.history(&f.History)
	case SectionState:
		g.state(&f.State)
	case SectionAffordances:
		g.offers(f.Offers)
	}
	return g.dst
}

// SystemTokens returns the tokens of the system message, for Fits.
func (s *Stable) SystemTokens() uint64 { return uint64(Tokens(len(s.system))) }

// page writes the parts of one section and keeps to its room. Each part has a room of its own;
// what one does not use the next ones may.
type page struct {
	dst   []byte
	room  int // bytes left in the section
	spare int // bytes that earlier parts did not use
}

// part writes n items, most valuable first, into so many tokens of the section's budget.
func (g *page) part(tokens, n int, item func(dst []byte, i int) []byte) {
	own := min(budgetBytes(tokens)+g.spare, g.room)
	start := len(g.dst)
	if n > 0 {
		g.dst = appendItems(g.dst, n, own, item)
	}
	used := len(g.dst) - start
	g.room -= used
	g.spare = own - used
}

// line writes one item.
func (g *page) line(tokens int, item func(dst []byte) []byte) {
	g.part(tokens, 1, func(dst []byte, _ int) []byte { return item(dst) })
}

// Facts returns the content of the prompt as values.
func (p *Prompt) Facts() *Facts {
	f := new(Facts)
	p.draw(p.stable(), f, new(Handles))
	return f
}

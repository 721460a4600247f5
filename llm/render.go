package llm

import (
	"bytes"
	"cmp"
	"errors"
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
	if s := p.rendered; s != nil && s.reusableFor(p) {
		return s.stable.system, slices.Clip(s.user)
	}
	st := p.stable()
	return st.system, p.appendUser(nil, st, new(Facts), new(Handles))
}

// userBytes is more than most user messages have.
const userBytes = 12 << 10

// appendUser appends the user message. It fills in the facts from which the message is made, and the handles of the prompt.
func (p *Prompt) appendUser(dst []byte, s *Stable, f *Facts, h *Handles) (user []byte) {
	p.fillFacts(s, f, h)
	user = slices.Grow(dst, userBytes)
	start := len(user)
	for k := SectionIdentity; k <= SectionAffordances; k++ {
		user = p.section(user, k, f, unlimited)
	}
	note := unusableNote(p.Unusable)
	if room := p.room(len(s.system)) - len(note); len(user)-start > room {
		user = p.shorten(user[:start], f, room)
	}
	return append(user, note...)
}

// mostReason is how many bytes of the reason why an answer could not be used are shown.
const mostReason = 400

// unusableNote asks for another answer, if this is not the first try. The rest of the prompt is that of the first try.
func unusableNote(reason string) string {
	if reason == "" {
		return ""
	}
	if len(reason) > mostReason {
		reason = reason[:cut(reason, mostReason)] + "…"
	}
	return "Your answer to this could not be used: " + reason + ". Answer again.\n"
}

// shorten writes the user message for a model whose context does not hold all of it. The identity is kept whole. The
// other sections share the remaining room in proportion to their budgets; what a section does not use is left to those
// after it, the affordances being last. Within a section the least useful items are left out first.
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

// room returns how many bytes the user message may have after a system message of the given length.
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

// unlimited is the room of a section that is limited by nothing but its budget.
const unlimited = 1 << 28

// section writes one section. Those of the system message are never cut: Fits has checked that they fit.
func (p *Prompt) section(dst []byte, k SectionKind, f *Facts, room int) []byte {
	start := len(dst)
	dst = append(dst, heading(k)...)
	if b := k.budget(); b > 0 {
		room = min(room, budgetBytes(b))
	}
	room -= len(dst) - start
	g := sectionWriter{dst: dst, room: room}
	if t := p.Templates.of(k); t != nil {
		err := g.template(t, k, f)
		if err == nil {
			return g.dst
		}
		var failure *TemplateError
		if errors.As(err, &failure) {
			p.failedTemplates = append(p.failedTemplates, TemplateFailure{k, failure})
		}
	}
	switch k {
	case SectionRules:
		return append(p.limits().appendRules(dst), '\n')
	case SectionActions:
		return appendActions(dst, &f.Actions)
	case SectionFormat:
		return append(append(dst, responseFormat...), '\n')
	case SectionIdentity:
		g.identity(&f.Me)
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

// sectionWriter writes one section within a number of bytes. Each part of a section has a limit of its own; the bytes
// that a part does not use are left to the parts after it.
type sectionWriter struct {
	dst   []byte
	room  int // bytes left in the section
	spare int // bytes that earlier parts did not use
}

// part writes n items, the most valuable first, within the given number of tokens of the section's budget.
func (g *sectionWriter) part(tokens, n int, item func(dst []byte, i int) []byte) {
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
func (g *sectionWriter) line(tokens int, item func(dst []byte) []byte) {
	g.part(tokens, 1, func(dst []byte, _ int) []byte { return item(dst) })
}

// Facts returns the content of the prompt as values.
func (p *Prompt) Facts() *Facts {
	f := new(Facts)
	p.fillFacts(p.stable(), f, new(Handles))
	return f
}

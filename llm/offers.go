package llm

import (
	"slices"
	"strconv"
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// fillOffers fills in the affordances, grouped by action in the order of their best goals.
func (p *Prompt) fillOffers(f *Facts, h *Handles) {
	for i := range p.Affordances {
		a := &p.Affordances[i]
		g := f.offersOf(a.Name())
		if g.Lesson == "" {
			g.Lesson = Words(a.Lesson.Text)
		}
		g.Offers = append(g.Offers, p.offer(a, h))
	}
	n := 0
	for i := range f.Offers {
		for j := range f.Offers[i].Offers {
			n++
			f.Offers[i].Offers[j].Rank = n
		}
	}
}

// offersOf returns the group of an action; a new group is appended.
func (f *Facts) offersOf(name string) *OfferGroup {
	n := len(f.Offers)
	if i := slices.IndexFunc(f.Offers, func(g OfferGroup) bool { return g.Action == name }); i >= 0 {
		return &f.Offers[i]
	}
	if n == cap(f.Offers) {
		f.Offers = append(f.Offers, OfferGroup{})
	}
	f.Offers = f.Offers[:n+1]
	g := &f.Offers[n]
	*g = OfferGroup{Action: name, Offers: g.Offers[:0]} // reuse the memory of an earlier prompt
	return g
}

func (p *Prompt) offer(a *Affordance, h *Handles) OfferFact {
	o := OfferFact{
		Action: a.Name(), Goal: a.GoalKind, Priority: a.Priority, Success: a.Success, Ticks: a.Ticks, Spark: a.Spark, Reward: a.Reward,
		Text: Quote{a.Author, Words(a.Text)}, Plan: a.Plan,
	}
	if a.Action == nil {
		return o
	}
	if w := a.Work; w != nil {
		o.Task, o.Wrong, o.Library, o.Changed, o.Version = w.task(), Words(w.Why), Words(w.Uses), w.Tries, w.Version
	}
	o.Factors = a.Considered.Notable()
	if p.Life != nil && !a.Subject.IsZero() {
		o.On, o.Title, o.Author = p.Life.About(a.Subject, h)
	}
	o.addFindings(a)
	if a.Compose != ComposeNone {
		o.Write = a.Compose.String()
	}
	params := codec.Borrow()
	params.B = appendShortParams(params.B, a.Action, a.Params, h, func(id wire.Hash) Ref {
		if p.Life == nil {
			return h.Ref(RefOther, id)
		}
		ref, _, _ := p.Life.About(id, h)
		return ref
	})
	for _, name := range toWrite[a.Compose] {
		params.B = blank(params.B, name)
	}
	o.Params = string(params.B)
	params.Return()
	return o
}

// addFindings fills in what the agent has counted or learned about the thing that it may write about or judge.
func (o *OfferFact) addFindings(a *Affordance) {
	o.Know = a.Know
	if f := a.Finding; f != nil {
		o.Unknown, o.Titled = Words(f.Asks), Words(f.Title)
		switch {
		case f.Pattern:
			o.Counted = Words("a program that shows " + f.Subject + " in Starlark (" + f.Tag + ")")
		case f.Asks != "":
			o.Counted = Words(strconv.FormatUint(uint64(f.N), 10) + " observations of " + f.Subject + " (" + f.Tag + ")")
		case a.Said != nil || a.Compose == ComposeNone: // then the finding is only compared with a statement, or argued for
			o.Counted = Words(f.Says)
		default:
			o.Counted = Words(f.Says + " (" + f.Tag + ": " + f.Subject + ")")
		}
	}
	if f := a.Finding; f != nil {
		o.Shows, o.Above, o.Among = Words(f.Shows), f.Above, f.Among
	}
	o.Before = a.Before
	if f := a.Besides; f != nil {
		o.Besides = Words(f.Says)
	}
	if f := a.Said; f != nil {
		o.Stated, o.Off, o.Chance = Words(f.Says), f.Distance, f.Chance
		if states, _, more := strings.Cut(string(o.Text.Words), "\n"); more && strings.Contains(states, f.Says) {
			o.Text.Words = Words(states) // the rest repeats who counted it and how often
		}
	}
}

// offers writes AFFORDANCES as whole lines, in the order of goals, into the room that the context leaves.
func (g *sectionWriter) offers(groups []OfferGroup) {
	type item struct {
		group *OfferGroup
		offer *OfferFact // nil: the lesson of the group
		prior priorLines
	}
	n := 0
	for i := range groups {
		n += len(groups[i].Offers) + 1
	}
	items := make([]item, 0, n)
	shared := sharedFactors(groups)
	if len(shared) > 0 {
		g.line(unlimited/8, func(dst []byte) []byte { return appendFactors(append(dst, "of all these:"...), shared) })
	}
	for i := range groups {
		grp := &groups[i]
		for j := range grp.Offers {
			o := &grp.Offers[j]
			items = append(items, item{grp, o, priorLines{
				goal: slices.ContainsFunc(items, func(it item) bool { // an earlier line says what this goal is worth
					return it.offer != nil && it.offer.Goal == o.Goal && it.offer.Priority == o.Priority && it.offer.Reward == o.Reward
				}),
				factors: shared,
				write:   j > 0 && grp.Offers[j-1].Write == o.Write,
			}})
		}
		if grp.Lesson != "" {
			items = append(items, item{group: grp})
		}
	}
	g.part(unlimited/8, len(items), func(dst []byte, i int) []byte {
		it := &items[i]
		if it.offer == nil {
			return appendWords(append(append(append(dst, "   you learned of "...), it.group.Action...), ": "...), it.group.Lesson)
		}
		return appendOffer(dst, it.offer, it.prior)
	})
}

// sharedFactors returns the factors that all offers have with the same value; nil if there are fewer than three offers.
// Rest and nop do not count.
func sharedFactors(groups []OfferGroup) (shared []FactorFact) {
	n := 0
	for i := range groups {
		if groups[i].Action == restAction || groups[i].Action == NOP {
			continue
		}
		for j := range groups[i].Offers {
			own := groups[i].Offers[j].Factors
			if n++; n == 1 {
				shared = slices.Clone(own)
				continue
			}
			shared = slices.DeleteFunc(shared, func(k FactorFact) bool { return !slices.Contains(own, k) })
		}
	}
	if n < 3 {
		return nil
	}
	return shared
}

func appendFactors(dst []byte, list []FactorFact) []byte {
	for _, k := range list {
		dst = appendShare(append(append(append(dst, ' '), k.Name...), ' '), k.Value)
	}
	return dst
}

// restAction is the action that lets slots pass.
const restAction = "rest"

// priorLines says what the lines above an offer already state, so that its own line leaves it out.
type priorLines struct {
	goal    bool         // what its goal is worth: priority and reward
	factors []FactorFact // the factors that all offers share
	write   bool         // what to write: the same as in the line above
}

// appendOffer writes one offer: what to send, what it is about, why, and which part of it the agent writes.
func appendOffer(dst []byte, o *OfferFact, before priorLines) []byte {
	dst = append(strconv.AppendInt(dst, int64(o.Rank), 10), ". "...)
	dst = append(dst, o.Action...)
	if o.Action == NOP {
		return dst
	}
	dst = append(append(append(dst, ' '), o.Params...), " : "...)
	if o.Action == restAction {
		return appendShare(append(dst, "a slot is worth "...), o.Priority)
	}
	dst, title := appendSubject(dst, o)
	dst = appendPurpose(dst, o, before)
	if o.Write != "" && !before.write {
		dst = append(append(dst, "; you write: "...), o.Write...)
	}
	dst = appendKnown(dst, o, title)
	if o.Text.Words != "" {
		dst = o.Text.append(append(dst, "; "...))
	}
	return dst
}

// appendSubject writes what the offer is about, where the params do not say enough. It returns the title that it wrote; "": none.
func appendSubject(dst []byte, o *OfferFact) (out []byte, title Words) {
	if o.On.n == 0 { // a channel or an agent stands in the params by name
		return dst, ""
	}
	title = o.Title
	author := o.Author
	if o.Text.Words != "" {
		author = "" // the quote names it
		if strings.HasPrefix(string(o.Text.Words), strings.TrimSuffix(string(title), "…")) {
			title = "" // the text that follows begins with it
		}
	}
	if title == "" && author == "" { // the params say enough
		return dst, ""
	}
	dst = appendThing(dst, "", o.On, title)
	if author != "" {
		dst = append(append(dst, " by "...), author...)
	}
	return append(dst, "; "...), title
}

// appendPurpose writes which goal the offer serves, what it takes, and the factors of its worth.
func appendPurpose(dst []byte, o *OfferFact, before priorLines) []byte {
	if o.Plan {
		dst = append(dst, "next step of your plan; "...)
	}
	if o.Goal == "" {
		dst = append(dst, "serves no goal"...)
	} else {
		dst = append(append(dst, "for "...), o.Goal...)
		if !before.goal {
			dst = appendShare(append(dst, ", priority "...), o.Priority)
		}
	}
	if o.Success < 0.995 {
		dst = appendShare(append(dst, ", success "...), o.Success)
	}
	if o.Ticks != 1 { // the section of the actions states that 1 is usual
		dst = AppendCount(append(dst, ", "...), o.Ticks, "tick")
	}
	if o.Spark > 0 {
		dst = append(strconv.AppendUint(append(dst, ", "...), o.Spark, 10), " Spark"...)
	}
	if o.Reward >= 0.5 && !before.goal {
		dst = append(strconv.AppendFloat(append(dst, ", goal pays about "...), o.Reward, 'f', 0, 64), " Spark"...)
	}
	if len(o.Factors) > len(before.factors) {
		dst = append(dst, ';')
		for _, k := range o.Factors {
			if !slices.Contains(before.factors, k) {
				dst = appendFactors(dst, []FactorFact{k})
			}
		}
	}
	return dst
}

// appendKnown writes what the agent knows of the matter: the work, what it has counted and what is stated. A title that the line
// has already is left out, and so is a statement with which the quote begins.
func appendKnown(dst []byte, o *OfferFact, title Words) []byte {
	titled, stated := o.Titled, o.Stated
	if titled == title {
		titled = ""
	}
	if strings.HasPrefix(string(o.Text.Words), string(stated)) {
		stated = ""
	}
	for _, w := range [...]struct {
		what  string
		words Words
	}{
		{"program", o.Task},
		{"wrong last time", o.Wrong},
		{"you may build on", o.Library},
		{"you want to know", o.Unknown},
		{"title", titled},
		{"before you", Words(o.Before)},
		{"you have seen", o.Counted},
		{"such as", o.Shows},
		{"also seen", o.Besides},
		{"it states", stated},
	} {
		if w.words != "" {
			dst = appendWords(append(append(append(dst, "; "...), w.what...), ": "...), w.words)
		}
	}
	if o.Stated != "" {
		dst = appendShare(append(dst, "; off your own count by "...), o.Off)
		if o.Chance > 0 {
			dst = append(appendShare(append(dst, " (by chance up to "...), o.Chance), ')')
		}
	}
	if o.Among > 0 {
		dst = strconv.AppendUint(append(dst, "; higher than "...), uint64(o.Above), 10)
		dst = strconv.AppendUint(append(dst, " of "...), uint64(o.Among), 10)
	}
	if o.Know > 0 && !slices.ContainsFunc(o.Factors, func(k FactorFact) bool { return k.Name == FactorKnow.String() }) {
		dst = appendShare(append(dst, "; you know the topic "...), o.Know)
	}
	if o.Changed > 0 {
		dst = append(AppendCount(append(dst, "; changed "...), uint64(o.Changed), "time"), " so far"...)
	}
	if o.Version > 0 {
		dst = AppendCount(append(dst, "; has "...), uint64(o.Version), "tag")
	}
	return dst
}

package ooda

import (
	"crypto/sha256"
	"hash/fnv"
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// enoughToJudge is how many own observations an agent has before it judges or answers.
const enoughToJudge = 3

// Bounds of updates of own entries.
const (
	updateShift = 0.15 // an own entry is off when what was counted since moved so far from it
	updateRest  = 8    // cycles that an entry is left as it is
)

// scribe offers what the agent can write, ask and judge by what it has counted.
type scribe struct{ *offers }

// promptFinding is a finding as prompts show it; nil if there is no room for it in this slot.
func (o scribe) promptFinding(f *memory.Finding) *llm.Finding {
	t := o.payloads.findings.add(llm.Finding{
		Title: f.Title(), Says: f.Statement(), Tag: f.Topic().String(), Subject: f.Subject(),
		Value: float64(f.Value), N: f.N, Cycle: uint64(f.At),
	})
	if t != nil && f.Measure == memory.MeasurePattern {
		t.Pattern = true
	}
	return t
}

// toState is the finding that the agent would state next in an entry of a kind; it has no entry under its title yet.
// It prefers findings that somebody asked for, that differ from others of their sort, and that rest on many
// observations. Patterns of programs go into kinds that show programs. What nobody else can count
// nobody can judge, so it is stated only in answers.
func (o scribe) toState(k wire.EntryKind, paid bool) (best *memory.Finding) {
	list, score := o.agent.Memory.Findings, 0.0
	var wanted []wire.EntryKind // for pay; asked for once, where it matters
	asked := paid
	for i := range list {
		f := &list[i]
		if f.Measure == memory.MeasureSteps || !f.Entry().IsZero() || !o.expert().knowsEnough(f, f.Measure.MinObservations(o.expert().care())) || paid && !suits(f, k) {
			continue
		}
		if !paid && o.leavesToState(f) {
			continue
		}
		s := o.news(f)
		if f.Measure == memory.MeasurePattern {
			if !asked {
				wanted, asked = o.kindsPaidFor(), true
			}
			if s = 0; slices.Contains(wanted, k) || slices.Contains(wanted, wire.EntryKindPattern) { // under its title only one entry stands
				continue
			}
			if showsProgram(k) {
				s = 100
			}
		}
		if best != nil && s <= score {
			continue
		}
		if title := []byte(f.Title()); !o.agent.Memory.Titles.Contains(title) {
			best, score = f, s
		}
	}
	return best
}

// news is how much others would learn from a finding.
func (o scribe) news(f *memory.Finding) float64 {
	const plain, asked = 0.5, 2.0 // of what is like the rest; how much more of what somebody asked for
	contrast, _, _ := o.agent.Memory.Findings.DistanceToOthers(f, enoughToJudge)
	s := float64(o.expert().expertise(f) * (plain + contrast))
	s = float64(s * (float64(f.N) / float64(f.N+enoughToJudge)))
	if f.Asked > 0 && o.seen.cycle < f.Asked.Cycle()+askAgain {
		s = float64(s * asked)
	}
	return float64(s * o.preference(f))
}

// preference is how much the agent likes to write about a finding, in [0.5,1). It is a hash of the agent's id and of
// what the finding is about, so that not all agents write the same entry in the same tick.
func (o scribe) preference(f *memory.Finding) float64 {
	h := fnv.New32a()
	_, _ = h.Write(o.agent.ID[:])
	_, _ = h.Write([]byte{byte(f.Measure)})
	_, _ = h.Write([]byte(f.Subject()))
	return 0.5 + float64(float64(spread(h.Sum32())>>12)*(1.0/(1<<21)))
}

// spread mixes the bits of an FNV hash, whose upper ones hardly depend on what was written last
// (the finalizer of MurmurHash3, by A. Appleby).
func spread(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// keyOf makes an id for a measure of a subject, so that [deferral.hashDraw] can be used for it.
func keyOf(m memory.Measure, subject []byte) wire.Hash {
	var room [80]byte
	return sha256.Sum256(append(append(room[:0], byte(m)), subject...))
}

// state fills in what an entry is to state; it returns false if there is nothing.
func (o scribe) state(a *llm.Affordance, k wire.EntryKind, paid bool) bool {
	f := o.toState(k, paid)
	if f == nil {
		return false
	}
	a.Finding, a.Know = o.promptFinding(f), o.expert().expertise(f)
	o.example(a, f)
	return a.Finding != nil
}

// stateFreely is state for what the agent writes of its own accord: the kind of the entry is changed to one that suits
// the finding.
func (o scribe) stateFreely(a *llm.Affordance, p *wire.EntryPublish, g *goals.Goal) bool {
	f := o.toState(p.Entry.Kind, false)
	if f == nil {
		return false
	}
	o.offerHearing(g)
	a.Finding, a.Know = o.promptFinding(f), o.expert().expertise(f)
	o.example(a, f)
	if k := kindFor(f, p.Entry.Kind); k != p.Entry.Kind {
		other := *p
		other.Entry.Kind = k
		if q := o.payloads.publishes.add(other); q != nil {
			a.Params = q
		}
	}
	return a.Finding != nil
}

// example adds to the finding of an offer a thing that shows it: the newest entry of the agent, kind or topic, or the
// newest bounty of the creator or difficulty.
func (o scribe) example(a *llm.Affordance, f *memory.Finding) {
	if a.Finding == nil || f.Measure == memory.MeasurePattern {
		return
	}
	if title := o.thingOf(f.Measure, []byte(f.Subject())); title != nil {
		a.Finding.Shows = title
	}
	if _, above, among := o.agent.Memory.Findings.DistanceToOthers(f, enoughToJudge); among > 0 {
		a.Finding.Above, a.Finding.Among = uint32(above), uint32(among)
	}
}

// thingOf is the title of the newest thing known to the agent that counts for a measure of a subject; nil: none.
func (o scribe) thingOf(m memory.Measure, subject []byte) []byte {
	switch m {
	case memory.MeasureReward, memory.MeasureTaken, memory.MeasureEnds:
		for i := len(o.seen.bounties) - 1; i >= 0; i-- {
			if b := &o.seen.bounties[i]; b.Difficulty.String() == string(subject) {
				return b.Title
			}
		}
		return nil
	case memory.MeasurePays:
		for i := len(o.seen.bounties) - 1; i >= 0; i-- {
			if b := &o.seen.bounties[i]; nameOf(b.Creator) == string(subject) {
				return b.Title
			}
		}
		return nil
	default: // of the others entries tell
	}
	for i := len(o.notes.Entries) - 1; i >= 0; i-- {
		if n := &o.notes.Entries[i]; !n.Own && o.tellsOf(n, m, subject) {
			return n.Title
		}
	}
	return nil
}

// tellsOf reports whether an entry counts for a measure of a subject, or was written by the agent that the measure is
// about.
func (o scribe) tellsOf(n *memory.EntryNote, m memory.Measure, subject []byte) bool {
	switch m {
	case memory.MeasureGenre:
		return n.Kind.String() == string(subject)
	case memory.MeasureField, memory.MeasureJudged, memory.MeasureSolved, memory.MeasureDemand:
		x, about, ok := memory.ReadTitle(n.Title)
		return ok && x.Topic(about).String() == string(subject)
	default:
		return len(subject) >= 8 && startsWith((*wire.Hash)(&n.Author), subject[:8])
	}
}

// offerUpdate offers to update own entries if what was counted since differs.
func (o scribe) offerUpdate(g *goals.Goal) {
	row := o.seen.action("entry_update")
	for i := range o.agent.Memory.Findings {
		f := &o.agent.Memory.Findings[i]
		if !f.Own || f.Measure == memory.MeasurePattern || f.At <= f.Since.Cycle() {
			continue
		}
		if f.Measure.Distance(f.Value, f.Stated) < updateShift || o.seen.cycle < f.Since.Cycle()+updateRest {
			continue
		}
		p := o.payloads.updates.add(wire.EntryUpdate{EntryID: f.Entry(), NewBody: updateBody, ChangeNote: updateNote})
		if p == nil {
			return
		}
		if a := o.offer(g, row, p, 1); a != nil {
			a.Finding, a.Know = o.promptFinding(f), o.expert().expertise(f)
		}
	}
}

// offerCite offers to cite, in an own entry, the entry that changed the finding that it states.
func (o scribe) offerCite(g *goals.Goal) {
	row := o.seen.action("citation_add")
	for i := range o.agent.Memory.Findings {
		f := &o.agent.Memory.Findings[i]
		if f.MovedBy().IsZero() {
			continue
		}
		source, ok := o.ownEntryAbout(f)
		if !ok || source == f.MovedBy() {
			continue
		}
		p := o.payloads.citations.add(wire.CitationAdd{Source: source, Target: f.MovedBy(), Kind: wire.CitationKindReferences, Context: citeContext})
		if p == nil {
			return
		}
		if a := o.offerAbout(g, row, p, f.MovedBy(), 1); a != nil {
			a.Finding = o.promptFinding(f)
		}
	}
}

// ownEntryAbout is the own entry that states a finding, else one about the same subject, else the
// last one of the same measure, in the order of subjects.
func (o scribe) ownEntryAbout(f *memory.Finding) (id wire.Hash, ok bool) {
	if f.Own {
		return f.Entry(), true
	}
	for i := range o.agent.Memory.Findings {
		x := &o.agent.Memory.Findings[i]
		if !x.Own {
			continue
		}
		if x.Subject() == f.Subject() {
			return x.Entry(), true
		}
		if x.Measure == f.Measure {
			id, ok = x.Entry(), true
		}
	}
	return id, ok
}

// judge fills in what the agent has counted itself of the statement of an entry; it returns false if the agent cannot
// judge the entry.
func (o scribe) judge(a *llm.Affordance, n *memory.EntryNote) bool {
	if o.rules.Blind.Has(llm.LayerKnowledge) {
		a.Know = plainKnow
		return true
	}
	m, subject, about := memory.ReadTitle(n.Title)
	if !about {
		a.Know = knowsNothing // a mind that reads may tell whether it is right; nothing that the agent has counted does
		return true
	}
	if a.Know = o.expert().knowOf(m, subject); m == memory.MeasurePattern {
		if !memory.IsPattern(subject) {
			a.Know = knowsNothing // as with other words of a mind
			return true
		}
		a.Know = max(a.Know, knowsNothing) // everybody can read a program; who knows the topic finds its mistakes
		return true
	}
	f := o.expert().counted(m, subject)
	if f == nil {
		return false
	}
	claim, stated := memory.ReadStatement(m, subject, n.Text)
	if !stated {
		return true
	}
	a.Finding, a.Said = o.promptFinding(f), o.promptFinding(&claim)
	if a.Said != nil {
		a.Said.Distance, a.Said.Chance = m.Distance(f.Value, claim.Value), f.StandardError(&claim)
	}
	return a.Said != nil
}

// fillComparison fills in the statement of a message and what the agent has counted itself of the same.
func (o scribe) fillComparison(a *llm.Affordance) {
	c, ok := o.expert().compared(a.Text)
	if !ok {
		return
	}
	a.Know = o.expert().expertise(c.own)
	a.Finding, a.Said = o.promptFinding(c.own), o.promptFinding(&c.said)
	if a.Said != nil {
		a.Said.Distance, a.Said.Chance = c.off, c.chance
	}
}

// fillAnnouncement fills in what an own entry states, for a message about that entry.
func (o scribe) fillAnnouncement(a *llm.Affordance, entry wire.Hash) {
	n := o.notes.Entry(entry)
	if n == nil {
		return
	}
	if m, subject, about := memory.ReadTitle(n.Title); about {
		if f := o.agent.Memory.Findings.Get(m, subject); f != nil {
			a.Finding, a.Know = o.promptFinding(f), o.expert().knowOf(m, subject)
			o.example(a, f)
		}
	}
}

// invite addresses a message about an own entry to the peer that knows most of its topic, if there is one, so that
// this peer hears of the entry and can judge it first.
func (o scribe) invite(a *llm.Affordance, p *wire.MsgPost) {
	n := o.notes.Entry(p.References[0])
	if n == nil || !n.Own || !o.deferral().sociable(n.ID) {
		return
	}
	m, subject, about := memory.ReadTitle(n.Title)
	if !about {
		return
	}
	if who := o.whomToAsk(m.Topic(subject)); !who.IsZero() {
		q := *p
		q.References = append([]wire.Hash{wire.Hash(who)}, p.References...)
		a.Params = &q
	}
}

// plainKnow is how well an agent can judge a text about something that it does not count.
const plainKnow = 0.5

var (
	citeContext = []byte("it moved what I had counted")
	updateNote  = []byte("counted anew")
	updateBody  = wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "Counted anew."}}})
)

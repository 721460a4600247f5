package ooda

import (
	"bytes"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// askAgain is how many cycles pass before an agent asks what it has seen asked already.
	askAgain = 16
	// staleCycles is after how many cycles without anything new a count is as good as none: things may have changed.
	staleCycles = llm.OutdatedCycles
)

// needed lists, by goal kind, the measures that an agent needs for it. Their subjects come from the goal and the slot.
var needed = [...][]memory.Measure{
	goals.KindEarn: {
		memory.MeasureTaken, memory.MeasurePays, memory.MeasureEnds, memory.MeasureReward, memory.MeasureJudged, memory.MeasureGenre, memory.MeasureEarns, memory.MeasureRefused,
	},
	goals.KindClaimBounty: {
		memory.MeasureEnds, memory.MeasurePays, memory.MeasureTaken, memory.MeasureReviewer, memory.MeasurePattern, memory.MeasureDelivers, memory.MeasurePace, memory.MeasureRefused,
	},
	goals.KindDoReview: {memory.MeasureDelivers, memory.MeasureReviewer, memory.MeasureVersed},
	goals.KindExplore: {
		memory.MeasureLook, memory.MeasureDependent, memory.MeasureRefused, memory.MeasureWelcome, memory.MeasureAsked, memory.MeasureDemand,
	},
	goals.KindImproveReputation: {
		memory.MeasureJudge, memory.MeasureField, memory.MeasureKind, memory.MeasureGenre, memory.MeasureWelcome, memory.MeasureJudged, memory.MeasureStanding, memory.MeasureVersed,
	},
	goals.KindMentor: {
		memory.MeasureHelps, memory.MeasureAnswers, memory.MeasureStanding, memory.MeasureWakes, memory.MeasureKeeps, memory.MeasureSleeps, memory.MeasureSolved,
	},
	goals.KindBuildLibrary: {
		memory.MeasurePattern, memory.MeasureDependent, memory.MeasureReviewer, memory.MeasureAuthor, memory.MeasureRefused, memory.MeasureVersed,
	},
	goals.KindRaiseCoverage: {
		memory.MeasureDemand, memory.MeasureGenre, memory.MeasureAuthor, memory.MeasureField, memory.MeasureChannel, memory.MeasurePattern, memory.MeasureAsked, memory.MeasureSolved,
	},
	goals.KindDesignSystem: {
		memory.MeasureReviewer, memory.MeasureDependent, memory.MeasureKeeps, memory.MeasureVersed, memory.MeasurePattern, memory.MeasureDelivers, memory.MeasureRefused,
	},
	goals.KindTryNovel: {
		memory.MeasurePattern, memory.MeasureRefused, memory.MeasureSteps, memory.MeasureLook, memory.MeasureReward, memory.MeasurePace, memory.MeasureEarns,
	},
	goals.KindOperator: {memory.MeasureKeeps},
}

// unknown finds something that the agent needs for a goal, has not observed often enough to state, and has not seen
// asked lately. Each cycle searches the list from another place on.
func (o scribe) unknown(g *goals.Goal) (m memory.Measure, subject []byte, ok bool) {
	if int(g.Kind()) >= len(needed) {
		return 0, nil, false
	}
	list := needed[g.Kind()]
	start := int(o.seen.cycle) + int(o.agent.ID[5])
	for i := range list {
		m = list[(start+i)%len(list)]
		for j := range subjectsTried {
			if subject = o.subjectFor(m, g, start+j); subject != nil && o.open(m, subject) {
				return m, subject, true
			}
		}
	}
	return 0, nil, false
}

// subjectsTried is how many subjects are looked at for each measure.
const subjectsTried = 4

// open reports whether the agent should ask for a measure: it cannot state it, and nobody asked for it lately. It does
// not ask for what it never saw happen, since others may not have counted that either. It asks again for what it
// counted or read long ago, which may have changed.
func (o scribe) open(m memory.Measure, subject []byte) bool {
	if m.Private() {
		return false // what others see of it is another thing
	}
	f := o.agent.Memory.Findings.Get(m, subject)
	switch {
	case f == nil:
		return m == memory.MeasurePattern && o.expert().knowOf(m, subject) < knows
	case f.Asked > 0 && o.seen.cycle < f.Asked.Cycle()+askAgain:
		return false
	case f.At > 0 && o.seen.cycle >= f.At+staleCycles:
		return true
	default:
		return f.Entry().IsZero() && !o.expert().knowsEnough(f, enoughToJudge) // else it can be read, or said
	}
}

// subjectFor is the i-th subject of a measure that may matter for a goal; nil: none.
func (o scribe) subjectFor(m memory.Measure, g *goals.Goal, i int) []byte {
	switch m {
	case memory.MeasureReward, memory.MeasureTaken, memory.MeasureEnds:
		if b := o.seen.bounty(g.Subject()); b != nil {
			return []byte(b.Difficulty.String())
		}
		if n := len(o.seen.bounties); n > 0 {
			return []byte(o.seen.bounties[i%n].Difficulty.String())
		}
		return nil
	case memory.MeasurePays:
		if b := o.seen.bounty(g.Subject()); b != nil {
			return appendName(nil, b.Creator)
		}
		if n := len(o.seen.bounties); n > 0 {
			return appendName(nil, o.seen.bounties[i%n].Creator)
		}
		return nil
	case memory.MeasureDemand, memory.MeasureSolved, memory.MeasureField, memory.MeasureJudged:
		return []byte(memory.Topic(1 + i%memory.Topics).String())
	case memory.MeasureRefused:
		if n := len(o.list); n > 0 {
			return []byte(o.list[i%n].Name())
		}
		return nil
	case memory.MeasureVersed:
		return o.versedFor(i)
	case memory.MeasureChannel, memory.MeasureAsked, memory.MeasureLook:
		return []byte(llm.ChannelName(channelRound[i%len(channelRound)]))
	case memory.MeasureGenre:
		if n := len(o.notes.Entries); n > 0 {
			return []byte(o.notes.Entries[i%n].Kind.String())
		}
		return nil
	case memory.MeasureWelcome:
		return []byte([...]wire.MessageKind{wire.MessageKindQuestion, wire.MessageKindAnswer, wire.MessageKindStatement}[i%3].String())
	case memory.MeasurePattern:
		t := memory.TopicText + memory.Topic(i%3)
		words := memory.Patterns(t)
		return []byte(words[(i/3)%len(words)])
	case memory.MeasureSteps:
		return nil // only who runs a program counts it
	case memory.MeasureDependent:
		if n := len(o.seen.libraries); n > 0 {
			l := &o.seen.libraries[i%n]
			return append(append(append([]byte{}, l.Name...), " of "...), l.Author.Alias()...)
		}
		return nil
	default:
		return o.peerFor(g, i)
	}
}

// peerFor is the alias of the peer that a goal is about; else of the i-th peer among the authors of the things that
// the slot's offers are about. nil: there is none.
func (o scribe) peerFor(g *goals.Goal, i int) []byte {
	if b := o.seen.bounty(g.Subject()); b != nil && o.isPeer(b.Creator) {
		return aliasOf(nil, b.Creator)
	}
	n := len(o.list)
	for j := range n {
		if who := o.authorOf(o.list[(i+j)%n].Subject); !who.IsZero() && o.isPeer(who) {
			return aliasOf(nil, who)
		}
	}
	return nil
}

// versedFor is the author and the topic of the i-th of the entries that the slot's offers are about; nil:
// there is none.
func (o scribe) versedFor(i int) []byte {
	n := len(o.list)
	for j := range n {
		e := o.notes.Entry(o.list[(i+j)%n].Subject)
		if e == nil || !o.isPeer(e.Author) {
			continue
		}
		if m, subject, ok := memory.ReadTitle(e.Title); ok {
			return m.Topic(subject).SubjectOf(aliasOf(nil, e.Author))
		}
	}
	return nil
}

// authorOf is the author of an entry, message or submission, or the creator of a bounty; zero: unknown.
func (o *offers) authorOf(id wire.Hash) (who wire.AgentID) {
	if n := o.notes.Entry(id); n != nil {
		return n.Author
	}
	if n := o.notes.Message(id); n != nil {
		return n.Author
	}
	if b := o.seen.bounty(id); b != nil {
		return b.Creator
	}
	if r := o.seen.review(id); r != nil {
		return r.Author
	}
	return who
}

// whomToAsk is the peer to ask about a topic: of those that write about it, one whose work was found good and that the
// agent trusts; zero: nobody writes about it.
func (o scribe) whomToAsk(t memory.Topic) (who wire.AgentID) {
	best := 0.0
	for _, p := range o.relations().acquaintances() {
		if !o.agent.Memory.Peers.WorksOn(p, t) {
			continue
		}
		v := float64(float64(p.Competence) * (1 + p.Trust(o.seen.tick)))
		if p.Balance() < 0 { // it owes an answer
			v = float64(v * owes)
		}
		if v > best {
			who, best = p.AgentID(), v
		}
	}
	return who
}

// owes is how much more the agent prefers to ask a peer that it helped more often than the peer helped it.
const owes = 4

// leftToOther reports whether a question names another agent that has not had the time to answer yet.
func (s deferral) leftToOther(n *memory.MessageNote) bool {
	return n.Addressee == memory.AddresseeOther && n.Answers == 0 && s.seen.tick < n.At+s.deferral().namedFirst()
}

// asked is the question for a measure of a subject as prompts show it; nil if there is no room for it in this slot.
func (o scribe) asked(m memory.Measure, subject []byte) *llm.Finding {
	t := llm.Finding{Asks: m.Question(subject), Title: m.Title(subject), Subject: string(subject), Tag: m.Topic(subject).String()}
	if f := o.agent.Memory.Findings.Get(m, subject); f != nil {
		t.N = f.N
	}
	return o.payloads.findings.add(t)
}

// ask fills in what the agent asks for; it returns false if there is nothing that it needs to know.
func (o scribe) ask(a *llm.Affordance, g *goals.Goal) bool {
	m, subject, ok := o.unknown(g)
	if !ok {
		return false
	}
	o.payloads.askedOf = wire.AgentID{}
	if o.deferral().asksByName(keyOf(m, subject)) {
		o.payloads.askedOf = o.whomToAsk(m.Topic(subject))
	}
	a.Finding = o.asked(m, subject)
	a.Know = o.expert().knowOf(m, subject)
	if b := o.besides(m, subject); b != nil {
		a.Besides = o.promptFinding(b)
	}
	o.reason(a, g, m, subject)
	return a.Finding != nil
}

// reason fills in what the answer to a question is needed for: the bounty of the goal, else a thing of this slot's
// offers that counts for the measure or was made by the agent that the question is about.
func (o scribe) reason(a *llm.Affordance, g *goals.Goal, m memory.Measure, subject []byte) {
	if b := o.seen.bounty(g.Subject()); b != nil {
		a.Author, a.Text, a.Before = nameOf(b.Creator), b.Title, claims
		return
	}
	for i := range o.list {
		x := &o.list[i]
		if n := o.notes.Entry(x.Subject); n != nil && o.tellsOf(n, m, subject) {
			a.Author, a.Text, a.Before = n.Author.Alias(), n.Title, x.Verb()
			return
		}
	}
	switch m {
	case memory.MeasureRefused:
		a.Text = o.doneTo(string(subject))
	case memory.MeasureDependent:
		for i := range o.seen.libraries {
			if l := &o.seen.libraries[i]; bytes.HasPrefix(subject, l.Name) {
				a.Author, a.Text = l.Author.Alias(), []byte(inShort(l.Description))
			}
		}
	default: // the newest thing that it counts
		a.Text = o.thingOf(m, subject)
	}
}

// doneTo is the title of the first thing to which the slot's offers would do an action; nil: none with a title.
func (o scribe) doneTo(name string) []byte {
	for i := range o.list {
		a := &o.list[i]
		if a.Name() != name {
			continue
		}
		if n := o.notes.Entry(a.Subject); n != nil {
			return n.Title
		}
		if b := o.seen.bounty(a.Subject); b != nil {
			return b.Title
		}
		if len(a.Text) > 0 {
			return []byte(inShort(a.Text))
		}
	}
	return nil
}

// claims is what is done to the bounty of a goal.
const claims = "bounty_claim"

// fillKnowledge fills in what the agent knows of a question; it returns false if that is not enough to answer.
func (o scribe) fillKnowledge(a *llm.Affordance, question []byte) bool {
	m, subject, about := memory.ReadQuestion(question)
	if !about || o.rules.Blind.Has(llm.LayerKnowledge) {
		a.Know = plainKnow
		return true
	}
	f := o.agent.Memory.Findings.Get(m, subject)
	if f == nil || !o.expert().knowsEnough(f, enoughToAnswer) {
		return false
	}
	a.Finding, a.Know = o.promptFinding(f), o.expert().knowOf(m, subject)
	o.example(a, f)
	if b := o.besides(m, subject); b != nil && a.Finding != nil {
		a.Besides = o.promptFinding(b)
	}
	return a.Finding != nil
}

// besides is another finding about the same subject, the one with the most observations; nil: none.
func (o scribe) besides(m memory.Measure, subject []byte) (best *memory.Finding) {
	for i := range o.agent.Memory.Findings {
		x := &o.agent.Memory.Findings[i]
		if x.Measure == m || x.N < enoughToJudge || x.Subject() != string(subject) {
			continue
		}
		if best == nil || x.N > best.N {
			best = x
		}
	}
	return best
}

// enoughToAnswer is how many own observations an answer takes; the answer says how many there were.
const enoughToAnswer = 1

// answerable reports whether the agent knows enough of a question to answer it.
func (s expert) answerable(question []byte) bool {
	if s.rules.Blind.Has(llm.LayerKnowledge) {
		return true // it does not know what it does not know
	}
	m, subject, about := memory.ReadQuestion(question)
	if !about {
		return true
	}
	f := s.agent.Memory.Findings.Get(m, subject)
	return f != nil && s.expert().knowsEnough(f, enoughToAnswer)
}

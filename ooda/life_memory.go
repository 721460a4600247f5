package ooda

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// How many of each a prompt can show; what does not fit its budget is cut there.
const (
	shownBeliefs   = 4
	shownKnowledge = 2
	shownPeers     = 3
	shownGoals     = 6
)

// How many bytes of one thing that the agent remembers are shown. What a mind wrote for itself must come back to it; what the
// scripted mind writes is shorter.
const (
	peerWordsRoom = 108 // of what another agent stated
	ownWordsRoom  = 400 // of what the agent knows by itself, believes, or wants
	noteRoom      = 1000
)

func (l *life) drawMemory(f *llm.Facts, h *llm.Handles) {
	m := &f.Memory
	for _, b := range l.beliefs(shownBeliefs) {
		m.Beliefs = append(m.Beliefs, l.belief(b.Belief))
	}
	for _, k := range l.knowledge(2 * shownKnowledge) {
		if len(k.Content) == 0 || strings.HasPrefix(k.Label, seedWord) || len(m.Knowledge) == shownKnowledge {
			continue // a tag tells nothing by itself, and a seed only that there is an entry
		}
		content := llm.Unquote(k.Content)
		content.Author = named(content.Author)
		if states := strings.TrimLeft(string(content.Words), "\n"); content.Author == "" {
			content.Words = clipTo([]byte(states), ownWordsRoom)
		} else {
			states, _, _ = strings.Cut(states, "\n") // what follows says how it was counted
			content.Words = clipTo([]byte(states), peerWordsRoom)
		}
		m.Knowledge = append(m.Knowledge, llm.KnowledgeFact{
			Label: l.label(k.Label, h), Content: content, Source: sourceWords[k.Source], Confidence: float64(k.Confidence),
		})
	}
	for _, p := range l.peers(shownPeers) {
		if f := l.peer(&p); tellsOfPeer(&f) {
			m.Peers = append(m.Peers, f)
		}
	}
	for i := range l.agent.Memory.Working.Notes() {
		n := &l.agent.Memory.Working.Notes()[i]
		if isRegister(n.Key) {
			l.register(m, n, h)
			continue
		}
		m.Notes = append(m.Notes, llm.NoteFact{Key: inShort([]byte(n.Key)), Value: clipTo(n.Value, noteRoom)})
	}
	m.Practice = l.practice(m.Practice)
	unread := false
	for _, g := range l.bestGoals(shownGoals) {
		if asksUnread(l.notes, g.Goal) {
			if unread && !g.Top { // one says all that there is to say of them
				continue
			}
			unread = true
		}
		m.Goals = append(m.Goals, l.goal(&g, h))
	}
	if p, ok := l.plan(); ok {
		m.Plan = planFact(&p)
	}
	f.Me.KnownFor = l.knownFor()
	for _, g := range l.agent.Goals.Living() {
		if g.Layer == goals.LayerAspiration {
			f.Me.Aspirations = append(f.Me.Aspirations, llm.Words(g.Description.Text))
		}
	}
}

// tellsLittle says that a belief tells no more than that an action works as it always did, or how often looks bring
// something, which the offers of looks say, or what acts bring on average, which the offer of a rest says.
func tellsLittle(b *memory.Belief) bool {
	switch b.Predicate() {
	case worksPredicate:
		row, ok := action.ByName(b.Subject())
		return ok && row.Read || b.Confidence >= 0.9 && b.EvidenceCount() >= memory.EvidenceMax
	case memory.AmountPredicate:
		return b.Subject() == string(allActs.Subject)
	default:
		return false
	}
}

// tellsOfPeer reports whether anything is known of a peer.
func tellsOfPeer(f *llm.PeerFact) bool {
	half := func(v float64) bool { return v > 0.495 && v < 0.505 }
	return !half(f.Competence) || !half(f.Reliability) || f.Dealings > 0 || f.Reputation > 0 || len(f.Interests) > 0
}

// register tells a note of the runtime in words. The goals say what the agent is doing, and its bounties what it promised.
func (l *life) register(m *llm.MemoryFacts, n *memory.Note, h *llm.Handles) {
	end := until(n.Value)
	if end <= l.seen.tick {
		return
	}
	if id, ok := strings.CutPrefix(n.Key, noteAsked); ok {
		for i := range l.notes.Messages {
			if q := &l.notes.Messages[i]; len(id) == 8 && startsWith(&q.ID, id) {
				m.Asked = append(m.Asked, llm.AskedFact{Ref: h.Ref(llm.RefMessage, q.ID), Says: clipTo(q.Text, endedTitle), Left: l.left(end)})
			}
		}
	}
	act, ok := strings.CutPrefix(n.Key, noteAvoid)
	if !ok {
		return
	}
	verb, about, _ := strings.Cut(act, " ")
	f := llm.AvoidFact{Action: verb, Left: l.left(end)}
	if _, rest, ok := bytes.Cut(n.Value, []byte("until ")); ok {
		_, why, _ := bytes.Cut(rest, []byte(" "))
		f.Why = inShort(why)
	}
	if id, ok := l.begins(about); ok {
		f.About, f.Title, _ = l.About(id, h)
		f.Title = clipTo([]byte(f.Title), endedTitle)
	}
	m.Avoids = append(m.Avoids, f)
}

// begins finds the thing whose id begins with eight hex digits among those that the agent knows.
func (l *life) begins(digits string) (id wire.Hash, ok bool) {
	found := func(x *wire.Hash) bool {
		if !ok && len(digits) == 8 && startsWith(x, digits) {
			id, ok = *x, true
		}
		return ok
	}
	for i := 0; i < len(l.notes.Entries) && !ok; i++ {
		found(&l.notes.Entries[i].ID)
	}
	for i := 0; i < len(l.notes.Messages) && !ok; i++ {
		found(&l.notes.Messages[i].ID)
	}
	for i := 0; i < len(l.seen.bounties) && !ok; i++ {
		found(&l.seen.bounties[i].ID)
	}
	for i := 0; i < len(l.seen.claims) && !ok; i++ {
		found(&l.seen.claims[i].ID)
	}
	return id, ok
}

// knownFor lists titles of own entries that others found accurate, the most accurate first.
func (l *life) knownFor() (titles []llm.Words) {
	const most = 3
	works := slices.DeleteFunc(slices.Clone(l.agent.Learning.Works), func(w goals.Work) bool {
		return w.Accurate == 0 || l.notes.Entry(w.Entry) == nil
	})
	slices.SortStableFunc(works, func(a, b goals.Work) int { return cmp.Compare(b.Accuracy, a.Accuracy) })
	for _, w := range works {
		title := inShort(l.notes.Entry(w.Entry).Title)
		if !slices.Contains(titles, title) && len(titles) < most {
			titles = append(titles, title)
		}
	}
	return titles
}

// label names a piece of knowledge; a message that was read goes by its handle.
func (l *life) label(label string, h *llm.Handles) llm.Words {
	if strings.HasPrefix(label, messageWord) {
		for i := range l.notes.Messages {
			if n := &l.notes.Messages[i]; label == string(messageLabel(n.ID)) {
				return llm.Words("message " + h.Ref(llm.RefMessage, n.ID).String())
			}
		}
	}
	return inShort([]byte(label))
}

var sourceWords = map[memory.KnowledgeSource]string{
	memory.KnowledgeOracle: "an entry", memory.KnowledgeExperience: "experience",
	memory.KnowledgeInference: "inference", memory.KnowledgePeerCommunication: "a peer",
}

func (l *life) belief(b *memory.Belief) llm.BeliefFact {
	age := uint64(0)
	if tested := l.rules.Calendar.Cycle(b.LastTested()); tested < l.seen.cycle {
		age = uint64(l.seen.cycle - tested)
	}
	f := llm.BeliefFact{Claim: l.claim(b), Confidence: float64(b.Confidence), N: b.EvidenceCount(), Age: age}
	if b.Predicate() == memory.AmountPredicate {
		f.Pays = amountOf(f.Confidence)
	}
	return f
}

// amountOf is the ⚡ for which the confidence of a belief about an amount stands, see [believer.paid]: at least 0.1, and at
// most what can be told from 1.
func amountOf(c float64) float64 {
	const most = 0.99
	c = min(c, most)
	return max(float64(amountForOneOf2*c)/(1-c), 0.1)
}

// claim says what a belief claims. Subjects are words of this program, of the agent's own mind,
// or an id.
func (l *life) claim(b *memory.Belief) string {
	about := []byte(b.Subject())
	if b.Predicate() == holdsPredicate { // what the mind stated as a sentence
		return clipTo(about, ownWordsRoom).String()
	}
	subject := clipTo(about, 2*titleRoom).String()
	if len(about) == len(wire.Hash{}) {
		subject = "the thing " + wire.Hash(about).String()[:8]
	}
	return subject + " " + b.Predicate()
}

func (l *life) peer(p *peerItem) llm.PeerFact {
	f := llm.PeerFact{
		Alias: p.AgentID().Alias(), Competence: float64(p.Competence), Reliability: float64(p.Reliability),
		Trust: p.Trust, Dealings: p.Interactions, Reputation: -1,
	}
	if p.Interactions > 0 {
		f.Last, f.Well = p.Last.String(), p.LastSuccess
		if p.Last != memory.DealBefore {
			f.Ago = uint64(l.seen.tick - min(p.LastInteraction(), l.seen.tick))
		}
	}
	if p.Known {
		f.Reputation = float64(p.Reputation)
	}
	interests := l.agent.Memory.Peers.Interests(p.Peer)
	for tag := range interests {
		if len(f.Interests) < 4 && !strings.HasPrefix(tag, f.Alias) && !narrower(tag, interests) {
			f.Interests = append(f.Interests, clipTo([]byte(tag), 32))
		}
	}
	return f
}

// narrower reports whether a tag only adds a subject to another one of the list, as in "help-channel-talk".
func narrower(tag string, list iter.Seq[string]) bool {
	for t := range list {
		if rest, ok := strings.CutSuffix(tag, t); ok && strings.HasSuffix(rest, "-") {
			return true
		}
	}
	return false
}

// shownPractice is how many topics a prompt can name in which the agent is practised.
const shownPractice = 2

// practised is the bar of a topic below which the agent is clearly sooner than an equal.
const practised = 0.9

// practice appends the topics in which the agent takes up work sooner than others, the soonest first.
func (l *life) practice(dst []llm.PracticeFact) []llm.PracticeFact {
	for t := memory.Topic(1); int(t) <= memory.Topics; t++ {
		if bar := l.expert().bar(t); bar <= practised {
			dst = append(dst, llm.PracticeFact{Topic: t.String(), Share: bar})
		}
	}
	slices.SortStableFunc(dst, func(a, b llm.PracticeFact) int { return cmp.Compare(a.Share, b.Share) })
	return dst[:min(len(dst), shownPractice)]
}

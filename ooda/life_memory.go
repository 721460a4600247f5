package ooda

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// How many of each a prompt can show; what does not fit its budget is cut there.
const (
	shownBeliefs   = 5
	shownKnowledge = 3
	shownPeers     = 4
	shownGoals     = 6
)

// How many bytes of one thing that the agent remembers are shown. What a mind wrote for itself must come back to it; what the
// scripted mind writes is shorter.
const (
	peerWordsRoom = 120 // of what another agent stated
	ownWordsRoom  = 400 // of what the agent knows by itself, believes, or wants
	noteRoom      = 1000
)

func (l *life) drawMemory(f *llm.Facts, h *llm.Handles) {
	m := &f.Memory
	for _, b := range l.beliefs(shownBeliefs) {
		if sureToWork(b.Belief) {
			continue
		}
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
		m.Peers = append(m.Peers, l.peer(&p))
	}
	for _, n := range l.agent.Memory.Working.Notes() {
		m.Notes = append(m.Notes, llm.NoteFact{Key: inShort([]byte(n.Key)), Value: clipTo(n.Value, noteRoom)})
	}
	m.Practice = l.practice(m.Practice)
	for _, g := range l.bestGoals(shownGoals) {
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

// sureToWork says that a belief tells no more than that an action works as it always did.
func sureToWork(b *memory.Belief) bool {
	return b.Predicate() == worksPredicate && b.Confidence >= 0.9 && b.EvidenceCount() >= memory.EvidenceMax
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
	return llm.BeliefFact{Claim: l.claim(b), Confidence: float64(b.Confidence), N: b.EvidenceCount(), Age: age}
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
		f.Last, f.Well, f.Ago = p.Last.String(), p.LastSuccess, uint64(l.seen.tick-min(p.LastInteraction(), l.seen.tick))
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

func (l *life) goal(g *goalItem, h *llm.Handles) llm.GoalFact {
	d := &g.Description
	f := llm.GoalFact{
		Kind: d.Kind.String(), Text: llm.Quote{Words: clipTo([]byte(d.Text), ownWordsRoom)}, Layer: strings.ToLower(g.Layer.String()),
		Priority: g.Priority, Deadline: g.Deadline, Pays: l.goals.situation.Expected(g.Goal),
		Done: progress(g.Progress), Why: why(g.Goal),
	}
	if d.Kind == goals.KindClaimBounty && d.Beneficiary != nil {
		f.Text.Author = nameOf(*d.Beneficiary)
	}
	f.About, f.Title = l.ref(goalSort[d.Kind], d.Subject, h)
	if begin := strings.TrimSuffix(string(f.Title), "…"); begin != "" && strings.HasPrefix(string(f.Text.Words), begin) {
		if f.Title = ""; d.Kind == goals.KindClaimBounty {
			f.Text.Words = inShort([]byte(d.Text))
		}
	}
	if g.Deadline != nil {
		f.Left = l.left(*g.Deadline)
	}
	f.Wait = l.waitsFor(deferral{l.self}.waits(g.Goal))
	return f
}

// goalSort is the sort of thing that a kind of goal is about.
var goalSort = map[goals.Kind]llm.RefKind{
	goals.KindLearn: llm.RefEntry, goals.KindClaimBounty: llm.RefBounty, goals.KindDoReview: llm.RefReview,
	goals.KindVote: llm.RefProposal, goals.KindAnswer: llm.RefMessage,
}

// progress says how far a goal is.
func progress(p goals.Progress) string {
	if p.Unit == goals.MeasureNone {
		return ""
	}
	next := ""
	if p.Have >= p.Want {
		next = "; the next such event completes it"
	}
	return "progress " + number(p.Have) + " of " + number(p.Want) + " " + p.Unit.String() + next
}

// number writes a whole number as one, others with two decimals.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// why says where a goal comes from; nothing for an opportunity, as most are (the rules say so).
func why(g *goals.Goal) string {
	switch g.Source {
	case goals.SourceSurvival:
		return "your balance is low"
	case goals.SourceRole:
		if g.Kind() == goals.KindOwn {
			return "you set it yourself"
		}
		return "your role"
	case goals.SourceOpportunity:
		return ""
	case goals.SourceCuriosity:
		return "nothing was new to you for long"
	default:
		if g.Kind() == goals.KindOperator {
			return "an operator asked for it"
		}
		return "your standing among peers"
	}
}

func planFact(p *planItem) *llm.PlanFact {
	f := &llm.PlanFact{Goal: p.Goal.Kind().String()}
	for i := range p.Steps {
		s := &p.Steps[i]
		step := llm.StepFact{Action: s.Action, State: stepWords[s.State], Needs: inWords(s.Pre), Until: inWords(s.Post)}
		if i == int(p.Step) {
			step.Tries = p.Tries
			if p.Blocked != nil {
				step.Needs = "the result of your request"
			}
		}
		f.Steps = append(f.Steps, step)
	}
	return f
}

var stepWords = map[stepState]string{stepDone: "done", stepNext: "next", stepBlocked: "blocked", stepLater: "later"}

// inWords says in words what the name of a predicate means.
func inWords(name string) string {
	if words, ok := conditions[name]; ok {
		return words
	}
	if args, ok := strings.CutPrefix(name, "entries_verified:"); ok {
		kind, count, _ := strings.Cut(args, ":")
		return count + " new " + kind + " entries of yours found accurate"
	}
	if args, ok := strings.CutPrefix(name, "entries_written:"); ok {
		kind, count, _ := strings.Cut(args, ":")
		return count + " new " + kind + " entries of yours"
	}
	return name
}

var conditions = map[string]string{
	"bounty_open":      "the bounty can be claimed by you",
	"answer_wanted":    "the bounty can be claimed by you, and two others are left whose verdicts may earn you a reward",
	"answer_verified":  "two others found your answer accurate",
	"bounty_mine":      "the bounty is yours and undelivered",
	"may_post":         "a message may still be posted in this cycle",
	"may_publish":      "few entries of yours wait for verdicts",
	"may_browse":       "an entry waits to be read, or the last look at the entries is a cycle ago",
	"own_waits":        "your newest entry has had no verdict for half a cycle, and a message may still be posted",
	"own_judged":       "your newest entry has a verdict",
	"message_read":     "the message was read",
	"message_answered": "you answered the message",
	"entry_read":       "the entry was read",
	"entry_unjudged":   "the entry has no verdict of yours",
	"entry_judged":     "the entry has your verdict",
}

package ooda

import (
	"iter"
	"slices"
	"strconv"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// sections builds the prompt's sections once; they read the agent and the sight
// only when somebody renders them.
func (t *Turn) sections() []llm.Section {
	return []llm.Section{
		{Kind: llm.SectionRules},
		{Kind: llm.SectionActions},
		{Kind: llm.SectionFormat},
		{Kind: llm.SectionIdentity},
		{Kind: llm.SectionMemory, Items: &memoryItems{t: t}},
		{Kind: llm.SectionHistory, Items: historyItems{t}},
		{Kind: llm.SectionState, Items: &stateItems{t: t}},
	}
}

// memoryItems shows goals, plan, notes, beliefs by strength, and what comes to
// mind about the top goal. The list is drawn up by Len, which renderers call first.
type memoryItems struct {
	t     *Turn
	lines [][]byte
}

// Len draws the list up.
func (m *memoryItems) Len() int {
	const beliefs, goalsShown = 12, 8
	t := m.t
	m.lines = m.lines[:0]
	for i, g := range t.offers.ranking {
		if i == goalsShown {
			break
		}
		m.add("goal ", g.Kind().String(), ": ", goalWords(&g.Description))
	}
	if p := t.agent.Memory.Plans.Active(); p != nil {
		m.add("plan step ", strconv.Itoa(int(p.Step)+1), " of ", strconv.Itoa(len(p.Steps)))
	}
	for _, n := range t.agent.Memory.Working.Notes() {
		m.add("note ", quoted(n.Key), " = ", quoted(string(n.Value)))
	}
	for _, b := range strongest(t.agent.Memory.Beliefs.All(), beliefs) {
		m.add("belief: ", quoted(claimText(b.Claim.Subject)), " ", b.Claim.Predicate, " (", ratio(b.Confidence), ")")
	}
	if t.goals.top != nil {
		for _, r := range t.agent.Memory.Knowledge.Recall(nil, t.seen.tick, m.recallStarts(t.goals.top)...) {
			m.add("known from ", r.Node.Source.String(), ": ", quoted(string(r.Node.Label)), ": ", quoted(string(r.Node.Content)))
		}
	}
	for _, p := range t.agent.Memory.Peers.All() {
		m.add("peer ", p.AgentID.Alias(), ": competence ", ratio(p.Competence), ", reliability ", ratio(p.Reliability))
	}
	return len(m.lines)
}

// Append writes one line.
func (m *memoryItems) Append(dst []byte, i int) []byte { return append(dst, m.lines[i]...) }

func (m *memoryItems) add(parts ...string) {
	var line []byte
	for _, p := range parts {
		line = append(line, p...)
	}
	m.lines = append(m.lines, line)
}

// goalWords shows what a goal says: the title of a bounty is its creator's words.
func goalWords(d *goals.Description) string {
	if d.Kind == goals.KindClaimBounty && d.Beneficiary != nil {
		return string(llm.AppendQuote(nil, d.Beneficiary.Alias(), []byte(d.Text)))
	}
	return quoted(d.Text)
}

// recallStarts are the labels where remembering begins: what the goal is about, by each
// name it may be known under, and its tags; then the goal's own words and the actions
// of its plan, under which lessons are known.
func (m *memoryItems) recallStarts(g *goals.Goal) [][]byte {
	var starts [][]byte
	if id := g.Description.Subject; id != nil {
		starts = append(starts, seedLabel(*id), messageLabel(*id))
		if n := m.t.notes.Entry(*id); n != nil {
			starts = append(starts, n.Title)
			starts = append(starts, m.t.agent.Memory.Knowledge.Into(memory.NodeID(n.Title), relationTag)...)
		}
	}
	starts = append(starts, []byte(g.Description.Text))
	if p := m.t.agent.Memory.Plans.Of(g.ID); p != nil {
		for i := range p.Steps {
			starts = append(starts, []byte(p.Steps[i].Action))
		}
	}
	return starts
}

// quoted makes one line of data of words that may be somebody else's.
func quoted(s string) string { return string(codec.AppendJSONString(nil, s)) }

func ratio(v float32) string { return strconv.FormatFloat(float64(v), 'f', 2, 64) }

// claimText shows the subject of a belief: text, or the start of an id.
func claimText(subject []byte) string {
	if len(subject) == 32 {
		return wire.Hash(subject).String()[:8]
	}
	return string(subject)
}

// strongest picks the n beliefs that are farthest from undecided, in their own order.
func strongest(all iter.Seq[*memory.Belief], n int) []*memory.Belief {
	var out []*memory.Belief
	for _, bar := range [...]float32{0.3, 0.15, 0} {
		for b := range all {
			d := b.Confidence - 0.5
			if d < 0 {
				d = -d
			}
			if d >= bar && len(out) < n && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// historyItems shows the newest experiences, newest first.
type historyItems struct{ t *Turn }

// Len is the number of experiences worth showing.
func (h historyItems) Len() int { return min(h.t.agent.Memory.Experiences.Len(), 32) }

// Append writes one experience.
func (h historyItems) Append(dst []byte, i int) []byte {
	e := h.t.agent.Memory.Experiences.Recent(i)
	dst = append(dst, "tick "...)
	dst = strconv.AppendUint(dst, uint64(e.Tick), 10)
	var act memory.Act
	if memory.DecodeAct(e.Action, &act) == nil {
		dst = append(dst, ' ')
		dst = append(dst, act.Action...)
		dst = append(dst, " for "...)
		dst = append(dst, act.GoalKind...)
	}
	dst = append(dst, ": "...)
	dst = append(dst, e.Outcome.String()...)
	if len(e.Lesson) > 0 {
		dst = codec.AppendJSONString(append(dst, " - "...), string(e.Lesson))
	}
	return dst
}

// stateItems shows the moment: clock, lists of the view, newest events.
type stateItems struct {
	t *Turn
}

// Len counts the line of the clock, the open lists and the events.
func (s *stateItems) Len() int {
	v := s.t.seen
	return 1 + len(v.claims) + len(v.reviews) + len(v.proposals) + len(v.bounties) + len(v.events)
}

// Append writes one line: what concerns the agent first, events last, newest first.
func (s *stateItems) Append(dst []byte, i int) []byte {
	v := s.t.seen
	if i == 0 {
		dst = append(dst, "tick "...)
		dst = strconv.AppendUint(dst, uint64(v.tick), 10)
		dst = append(dst, " of cycle "...)
		dst = strconv.AppendUint(dst, uint64(v.cycle), 10)
		dst = append(dst, ", epoch "...)
		dst = strconv.AppendUint(dst, uint64(v.epoch), 10)
		dst = append(dst, ", posts this cycle "...)
		return strconv.AppendUint(dst, uint64(s.t.notes.Posts), 10)
	}
	if i--; i < len(v.claims) {
		return appendBounty(append(dst, "your bounty "...), &v.claims[i])
	}
	if i -= len(v.claims); i < len(v.reviews) {
		dst = append(dst, "review asked of you "...)
		return append(dst, v.reviews[i].ID.String()...)
	}
	if i -= len(v.reviews); i < len(v.proposals) {
		dst = append(dst, "open proposal "...)
		dst = append(dst, v.proposals[i].ID.String()...)
		dst = append(dst, ' ')
		dst = append(dst, v.proposals[i].Kind.String()...)
		dst = append(dst, " until tick "...)
		return strconv.AppendUint(dst, uint64(v.proposals[i].Deadline), 10)
	}
	if i -= len(v.proposals); i < len(v.bounties) {
		return appendBounty(append(dst, "open bounty "...), &v.bounties[i])
	}
	i -= len(v.bounties)
	e := v.events[len(v.events)-1-i]
	dst = append(dst, "tick "...)
	dst = strconv.AppendUint(dst, uint64(e.Timestamp), 10)
	dst = append(dst, ' ')
	dst = append(dst, e.Kind.String()...)
	dst = append(dst, " by "...)
	return append(dst, e.Origin.Alias()...)
}

// appendBounty writes a bounty; its title is somebody's words, so it is quoted.
func appendBounty(dst []byte, b *wire.BountyView) []byte {
	dst = append(dst, b.ID.String()...)
	dst = append(dst, ' ')
	dst = append(dst, b.Status.String()...)
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, b.Reward, 10)
	dst = append(dst, " Spark until tick "...)
	dst = strconv.AppendUint(dst, uint64(b.Deadline), 10)
	dst = append(dst, ": "...)
	return llm.AppendQuote(dst, b.Creator.Alias(), b.Title)
}

package agora

import (
	"bytes"
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
)

// Bounds of what text_match looks at (docs/WORLD.md, messages): so much of the newest
// contents stays in memory.
const (
	textWindow   = 1024 // newest messages
	maxTextBytes = 1024 // bytes of each
)

// addRecentText keeps the beginning of the newest message's content.
func (x *archive) addRecentText(content []byte) {
	if len(x.recentTexts) == 2*textWindow { // the older half is out of sight
		x.recentTexts = append(make([][]byte, 0, 2*textWindow), x.recentTexts[textWindow:]...)
	}
	x.recentTexts = append(x.recentTexts, bytes.Clone(content[:min(maxTextBytes, len(content))]))
}

// mentions says whether text occurs in what is kept of e's content.
func (x *archive) mentions(e *entry, text []byte) bool {
	back := x.all.Len() - int(e.number) // 1 is the newest
	return back <= textWindow && bytes.Contains(x.recentTexts[len(x.recentTexts)-back], text)
}

func (e *entry) matches(m *wire.Message) bool { return hashPrefixOf(m.Content) == e.hash }

// maxQuoted is how many bytes of another text Agora quotes in a content.
const maxQuoted = action.MaxContent / 2

// placeholder stands for contents that are not in memory.
var placeholder [action.MaxContent]byte

// showContent puts the content of e into a reply; it follows from the store unless it is in memory.
func (x *archive) showContent(missing *[]wire.Missing, out *wire.Message, e *entry) {
	out.Content = placeholder[:e.length:e.length]
	if m := x.messages.Get(uint64(e.number)); m != nil { // most are: no closure for them
		out.Content = m.Content
		return
	}
	x.messages.Show(missing, uint64(e.number), e.matches, func(m *wire.Message) { out.Content = m.Content })
}

// fetch asks for e's content, for the end of a cycle.
func (x *archive) fetch(missing *[]wire.Missing, e *entry) {
	x.messages.Fetch(missing, uint64(e.number), e.matches)
}

// text is what a message says in words; its content must be in memory.
func (x *archive) text(e *entry) []byte {
	m := x.messages.Get(uint64(e.number))
	if m == nil {
		panic(fmt.Sprintf("agora: message %v is quoted but was not fetched; Missing has to name it", e.id))
	}
	return Text(m.Content)
}

// answers are the most helpful answers in a channel, the best first, older before newer.
func (x *archive) answers(t *channelLog) (best []*entry) {
	var weights []int64
	for _, n := range t.messages {
		e := x.all.At(n)
		if e.kind != wire.MessageKindAnswer {
			continue
		}
		w, at := x.reactions.weightOf(e, wire.SignalKindHelpful), len(best)
		for at > 0 && weights[at-1] < w {
			at--
		}
		if best, weights = slices.Insert(best, at, e), slices.Insert(weights, at, w); len(best) > maxAnswers {
			best, weights = best[:maxAnswers], weights[:maxAnswers]
		}
	}
	return best
}

// decisions are what AGORA_0 decided in a channel.
func (x *archive) decisions(t *channelLog) (out []*entry) {
	for _, n := range t.messages {
		if e := x.all.At(n); e.kind == wire.MessageKindDecision && x.author(e) == me {
			out = append(out, e)
		}
	}
	return out
}

// Missing returns the contents that the end of this cycle may quote and that are not in memory. They must be filled
// before CycleEnd, and nothing may be applied in between.
func (d *Daemon) Missing() (missing []wire.Missing) {
	x := d.archive
	quote := func(id wire.Hash) {
		t := x.log(id)
		for _, e := range slices.Concat(x.decisions(t), x.answers(t)) {
			x.fetch(&missing, e)
		}
		if t.proposal != nil {
			x.fetch(&missing, t.proposal)
		}
	}
	for _, id := range sorted(x.ready) {
		if d.channels.Get(id).crystallizes() {
			quote(id)
		}
	}
	for _, id := range sorted(d.channels.discussions) {
		if *d.channels.Get(id).Phase == wire.DiscussionPhaseVote { // a decision can only follow on it
			quote(id)
		}
	}
	return missing
}

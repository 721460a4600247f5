package agora

import (
	"bytes"
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
)

// Bounds of the texts that text_match searches (docs/WORLD.md, messages); they are kept in memory.
const (
	textWindow   = 1024 // newest messages
	maxTextBytes = 1024 // bytes of each
)

// addRecentText keeps the beginning of the newest message's content.
func (x *archive) addRecentText(content []byte) {
	if len(x.recentTexts) == 2*textWindow { // drop the older half, which is not searched any more
		x.recentTexts = append(make([][]byte, 0, 2*textWindow), x.recentTexts[textWindow:]...)
	}
	x.recentTexts = append(x.recentTexts, bytes.Clone(content[:min(maxTextBytes, len(content))]))
}

// mentions reports whether text occurs in the part of e's content that is kept in memory.
func (x *archive) mentions(e *entry, text []byte) bool {
	back := x.all.Len() - int(e.number) // 1 is the newest
	return back <= textWindow && bytes.Contains(x.recentTexts[len(x.recentTexts)-back], text)
}

func (e *entry) matches(m *wire.Message) bool { return hashPrefixOf(m.Content) == e.hash }

// maxQuoted is the maximum length of a text that Agora quotes in a content, in bytes.
const maxQuoted = action.MaxContent / 2

// placeholder has the length of a content that is not in memory, so that the size of a reply is known before it is read.
var placeholder [action.MaxContent]byte

// showContent puts the content of e into a reply. If it is not in memory, it is added to missing.
func (x *archive) showContent(missing *[]wire.Missing, out *wire.Message, e *entry) {
	out.Content = placeholder[:e.length:e.length]
	if m := x.messages.Get(uint64(e.number)); m != nil { // the common case, without allocating a closure
		out.Content = m.Content
		return
	}
	x.messages.Show(missing, uint64(e.number), e.matches, func(m *wire.Message) { out.Content = m.Content })
}

// fetch adds e's content to missing if it is not in memory. It is for contents that a cycle end reads.
func (x *archive) fetch(missing *[]wire.Missing, e *entry) {
	x.messages.Fetch(missing, uint64(e.number), e.matches)
}

// text returns the text of a message. It panics if the content is not in memory.
func (x *archive) text(e *entry) []byte {
	m := x.messages.Get(uint64(e.number))
	if m == nil {
		panic(fmt.Sprintf("agora: message %v is quoted but was not fetched; Missing has to name it", e.id))
	}
	return Text(m.Content)
}

// answers returns the most helpful answers in a channel, best first, of equal ones the older first.
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

// decisions returns the decisions of AGORA_0 in a channel.
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
		if *d.channels.Get(id).Phase == wire.DiscussionPhaseVote { // only this phase can be followed by a decision
			quote(id)
		}
	}
	return missing
}

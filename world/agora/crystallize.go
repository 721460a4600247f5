package agora

import (
	"bytes"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Bounds of a crystallized entry.
const (
	maxExcerpt      = 16384 // bytes of one message in it
	maxAnswers      = 5
	maxParticipants = 1000
)

// crystallizes reports whether the channel may become an entry: each does so once, and INVITE_ONLY channels never do.
func (ch *Channel) crystallizes() bool { return !ch.Crystallized && ch.Access.InviteOnly == nil }

// crystallize turns channels that reached a decision, or were helpful enough, into
// an Oracle entry. Of channels with the same title each cycle end turns one, so that a copy of a discussion does not take
// the place of its decision.
func (x *channels) crystallize(c *world.Context) {
	for _, id := range sorted(x.archive.ready) {
		ch := x.Get(id)
		if !ch.crystallizes() {
			delete(x.archive.ready, id)
			continue
		}
		title, body, refs := x.archive.composeEntry(ch)
		entry, ok := x.library.PublishSystem(c, me, wire.EntryKindFAQ, []byte(title),
			wire.BlocksCodec.Append(nil, &body), append(topicTags([]byte(strings.TrimPrefix(title, rejectedPrefix)), maxTags-1), []byte("faq")), refs)
		if !ok {
			continue
		}
		delete(x.archive.ready, id)
		x.Edit(id).Crystallized = true
		c.Emit(sys, wire.KindKnowledgeCrystallized, me, &wire.KnowledgeCrystallizedEvent{
			ChannelID: id, OracleEntryID: entry, Tick: c.Tick,
		}, nil)
	}
}

// composeEntry composes the entry of a channel: proposal and decision of a discussion, best answers, participants, and a
// reference to the channel. The title says so if the proposal was rejected, since many read no more than the title.
func (x *archive) composeEntry(ch *Channel) (title string, body []wire.ContentBlock, refs []wire.Hash) {
	t := x.log(ch.ID)
	title, refs = "#"+string(ch.Name), []wire.Hash{ch.ID}
	if t.proposal != nil {
		title = string(x.text(t.proposal))
		refs = append(refs, t.proposal.id)
		body = append(body, x.section("Proposal", t.proposal))
	}
	for _, e := range x.decisions(t) {
		if bytes.HasPrefix(x.text(e), []byte(rejectedPrefix)) {
			title = rejectedPrefix + title
		}
		body = append(body, x.section("Decision", e))
	}
	if answers := x.answers(t); len(answers) > 0 {
		body = append(body, x.section("Answers", answers...))
	}
	body = append(body, x.participants(t), wire.ContentBlock{
		Reference: &wire.ReferenceBlock{Target: ch.ID, Context: "#" + clip(ch.Name, action.MaxName)},
	})
	return clip([]byte(title), action.MaxTitle), body, refs
}

// section quotes messages under a heading.
func (x *archive) section(heading string, quoted ...*entry) wire.ContentBlock {
	s := &wire.SectionBlock{Heading: heading}
	for _, e := range quoted {
		s.Children = append(s.Children, wire.ContentBlock{
			Paragraph: &wire.ParagraphBlock{Text: clip(x.text(e), maxExcerpt)},
		})
	}
	return wire.ContentBlock{Section: s}
}

// participants lists the authors of a channel, ids ascending.
func (x *archive) participants(t *channelLog) wire.ContentBlock {
	authors := make([]wire.AgentID, len(t.messages))
	for i, n := range t.messages {
		authors[i] = x.author(x.all.At(n))
	}
	slices.SortFunc(authors, wire.AgentID.Compare)
	authors = slices.Compact(authors)
	var names []string
	for _, a := range authors[:min(maxParticipants, len(authors))] {
		if a != me {
			names = append(names, a.Alias())
		}
	}
	return wire.ContentBlock{Paragraph: &wire.ParagraphBlock{Text: "Participants: " + strings.Join(names, ", ")}}
}

package agora

import (
	"cmp"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of a crystallized entry.
const (
	maxExcerpt      = 16384 // bytes of one message in it
	maxAnswers      = 5
	maxParticipants = 1000
)

// crystallize turns channels that reached a decision, or were helpful enough, into
// an Oracle entry, once each. What was said behind an invitation stays there.
func (d *Daemon) crystallize(c *world.Context) {
	for _, id := range sorted(d.archive.ripe) {
		delete(d.archive.ripe, id)
		ch := d.channels.Get(id)
		if ch.Crystallized || ch.Access.InviteOnly != nil {
			continue
		}
		d.channels.Edit(id).Crystallized = true
		title, body, refs := d.distil(ch)
		entry := d.library.PublishSystem(c, me, wire.EntryKindFAQ, []byte(title),
			wire.BlocksCodec.Append(nil, &body), append(topicTags([]byte(title), maxTags-1), []byte("faq")), refs)
		c.Emit(sys, wire.KindKnowledgeCrystallized, me, &wire.KnowledgeCrystallizedEvent{
			ChannelID: id, OracleEntryID: entry, Tick: c.Tick,
		}, nil)
	}
}

// distil writes the entry of a channel: proposal, decision, best answers,
// participants, and a reference back to the channel.
func (d *Daemon) distil(ch *Channel) (title string, body []wire.ContentBlock, refs []wire.Hash) {
	t := d.archive.talks[ch.ID]
	title, refs = "#"+string(ch.Name), []wire.Hash{ch.ID}
	if t.proposal != nil {
		title = string(Text(t.proposal.msg.Content))
		refs = append(refs, t.proposal.msg.ID)
		body = append(body, section("Proposal", t.proposal))
	}
	var answers []*entry
	var authors []wire.AgentID
	for _, n := range t.numbers {
		e := d.archive.all[n]
		switch {
		case e.msg.Kind == wire.MessageKindDecision && e.msg.Author == me:
			body = append(body, section("Decision", e))
		case e.msg.Kind == wire.MessageKindAnswer:
			answers = append(answers, e)
		}
		authors = append(authors, e.msg.Author)
	}
	slices.SortStableFunc(answers, func(a, b *entry) int { return cmp.Compare(b.helpful, a.helpful) })
	if answers = answers[:min(maxAnswers, len(answers))]; len(answers) > 0 {
		body = append(body, section("Answers", answers...))
	}
	body = append(body, participants(authors), wire.ContentBlock{
		Reference: &wire.ReferenceBlock{Target: ch.ID, Context: "#" + clip(ch.Name, maxName)},
	})
	return clip([]byte(title), maxTitle), body, refs
}

// section quotes messages under a heading.
func section(heading string, quoted ...*entry) wire.ContentBlock {
	s := &wire.SectionBlock{Heading: heading}
	for _, e := range quoted {
		s.Children = append(s.Children, wire.ContentBlock{
			Paragraph: &wire.ParagraphBlock{Text: clip(Text(e.msg.Content), maxExcerpt)},
		})
	}
	return wire.ContentBlock{Section: s}
}

// participants lists who spoke, ascending.
func participants(authors []wire.AgentID) wire.ContentBlock {
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

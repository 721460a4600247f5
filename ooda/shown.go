package ooda

import (
	"slices"
	"strings"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// follow begins to follow an act: what it made, why it was refused, and what it showed.
func (rr *replyReader) follow(p *pending, experience uint64, r *wire.Reply) {
	m := rr.agent.Memory
	e := memory.Effect{Experience: experience, Object: madeBy(p.payload, r), Fresh: rr.fresh, Verb: p.verb, Domain: uint8(p.domain), Goal: goalMark(p.goal)}
	if r.Err != nil {
		e.Refusal = string(r.Err.Message)
	}
	m.Effects.Add(e)
	look := memory.Reading{Experience: experience, Subject: p.subject, Refusal: e.Refusal}
	if r.Err != nil {
		look.Category, look.Details = r.Err.Category, refusalDetails(r.Err)
	}
	if rr.shows(&look, r.Body) || r.Err != nil {
		m.Readings.Add(look)
	}
}

// refusalDetails says in words what the context of a refusal adds to its reason. What is no plain word or number is
// quoted, because it may be written by an agent.
func refusalDetails(err *wire.ErrorBody) string {
	var parts []string
	for i := range err.Context {
		d := &err.Context[i]
		if text := string(d.Value); isPlainWord(text) {
			parts = append(parts, d.Key+" "+text)
		} else {
			parts = append(parts, d.Key+" "+llm.Words(excerpt(d.Value, messageRoom)).String())
		}
	}
	if text := strings.Join(parts, ", "); len(text) <= memory.RefusalDetails {
		return text
	}
	return "" // a cut could end within a quotation
}

// isPlainWord reports whether a text is the name of a field, a number or a status.
func isPlainWord(text string) bool {
	const (
		most  = 40
		plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]-"
	)
	return text != "" && len(text) <= most && strings.Trim(text, plain) == ""
}

// madeBy is the thing that a request made or delivered; zero: none.
func madeBy(payload any, r *wire.Reply) wire.Hash {
	if q, ok := payload.(*wire.EntryVerify); ok && r.Err == nil {
		return q.EntryID
	}
	switch b := r.Body.(type) {
	case *wire.EntryPublishAck:
		return b.EntryID
	case *wire.MsgPostAck:
		return b.MessageID
	case *wire.BountyCreateAck:
		return b.BountyID
	case *wire.ProposalSubmitAck:
		return b.ProposalID
	case *wire.ChannelCreateAck:
		return b.ChannelID
	case *wire.RepoCreateAck:
		return b.RepoID
	case *wire.SnapCreateAck:
		return b.SnapID
	case *wire.ObjectPutAck:
		return b.ObjectID
	case *wire.TagCreateAck:
		return b.TagID
	case *wire.MergeReply:
		return b.Result
	case *wire.BountySubmitAck:
		if q, ok := payload.(*wire.BountySubmit); ok {
			return q.BountyID
		}
	}
	return wire.Hash{}
}

// shows fills in what a reply showed; false: it showed nothing.
func (rr *replyReader) shows(look *memory.Reading, body any) bool {
	switch b := body.(type) {
	case *wire.MsgQueryReply:
		look.Messages = readMessages(b.Messages, b.Cut)
	case *wire.EntryQueryReply:
		for i := range b.Entries[:min(len(b.Entries), memory.ReadingItems)] {
			e := readEntry(&b.Entries[i])
			if n := rr.notes.Entry(e.ID); n != nil && !n.Judged {
				e.Text = n.Text // the body only of entries that the agent may still judge
			}
			look.Entries = append(look.Entries, e)
		}
	case *wire.EntryGetReply:
		e := readEntry(&b.Entry)
		if e.Text = textFrom(b.Entry.Body, textRoom*rr.readsBefore(&look.Subject)); len(e.Text) == 0 {
			e.Text = rr.words // it was read to its end
		}
		look.Entries = []memory.ReadEntry{e}
	case *wire.AgentStatusReply:
		look.Agents = []memory.ReadAgent{{ID: b.AgentID, Status: b.Status, Reputation: b.Reputation}}
	case *wire.BalanceQueryReply:
		look.Accounts = []memory.ReadAccount{{Owner: b.Owner, Balance: b.Balance, Locked: b.Locked}}
	case *wire.CitationQueryReply:
		for _, e := range b.Edges[:min(len(b.Edges), memory.ReadingItems)] {
			look.Citations = append(look.Citations, memory.ReadCitation{Source: e.Source, Target: e.Target, Kind: e.Kind})
		}
	case *wire.WebResponse:
		look.Things = []memory.ReadThing{readPage(b, rr.words)}
	default:
		look.Things = readThings(look.Subject, body)
		return len(look.Things) > 0
	}
	return true
}

// readsBefore counts the reads of an entry just before the present one: each shows the part of a long text that follows.
func (rr *replyReader) readsBefore(entry *wire.Hash) (n int) {
	for {
		act, e, ok := rr.agent.Memory.Experiences.RecentAct(n + 1)
		if !ok || e.Outcome != memory.OutcomeSuccess || act.Action != "entry_get" || act.Subject == nil || *act.Subject != *entry {
			return n
		}
		n++
	}
}

// cutText replaces the text of a message that a query left out because of its length.
const cutText = "(too long for a list: msg_query finds it alone with limit 1)"

// readMessages notes what a query showed; cut are the messages whose content it left out.
func readMessages(all []wire.Message, cut []wire.Hash) []memory.ReadMessage {
	out := make([]memory.ReadMessage, min(len(all), memory.ReadingItems))
	for i := range out {
		m := &all[i]
		text := contentText(m.Content)
		if slices.Contains(cut, m.ID) {
			text = []byte(cutText)
		}
		out[i] = memory.ReadMessage{ID: m.ID, Author: m.Author, Kind: m.Kind, Answers: answersTo(m.ID, all), Text: text}
		if len(m.References) > 0 {
			out[i].About = m.References[0]
		}
	}
	return out
}

// answersTo counts the answers to a message among others.
func answersTo(id wire.Hash, all []wire.Message) (n uint32) {
	for i := range all {
		if all[i].Kind == wire.MessageKindAnswer && slices.Contains(all[i].References, id) {
			n++
		}
	}
	return n
}

func readEntry(e *wire.OracleEntry) memory.ReadEntry {
	return memory.ReadEntry{
		ID: e.ID, Author: e.Author, Kind: e.Kind, Title: e.Title,
		Accuracy: e.Accuracy, Verifiers: uint32(len(e.VerifiedBy)), Citations: e.Citations,
	}
}

package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// replyReader learns from the replies to the agent's own actions: notes, knowledge, and facts for goals. It stores
// what it learns in the agent.
type replyReader struct {
	self
	goals *goalTracker
	regs  *registers

	fresh uint32 // how many things the present reply showed that had not been read before
	words []byte // the text of the entry or page that it showed
}

// read notes what came of an action: what it did and what its reply showed.
func (rr *replyReader) read(p *pending, r *wire.Reply) {
	rr.fresh, rr.words = 0, nil
	if r.Err != nil || !asynchronous(p.row.Type) { // else when the result is there
		rr.noteLesson(p, r.Err == nil)
	}
	if r.Err != nil && r.Err.Code == wire.CodeNoTicks { // it was not sent, and can be when there are slots again
		return
	}
	rr.noteTried(p.payload)
	rr.countTry(p.row.Name, r.Err == nil)
	if r.Err != nil {
		rr.noteRefusal(p.payload, r.Err)
		complainer{&rr.self}.refused(r.Err)
		workReader{rr}.noteWorkRefused(p.payload, r.Err)
		return
	}
	workReader{rr}.noteWork(p, r)
	rr.noteDone(p.payload, r)
	rr.noteShown(p, r.Body)
}

// noteTried notes what is tried only once, whether the world accepted it or not.
func (rr *replyReader) noteTried(payload any) {
	switch q := payload.(type) {
	case *wire.EntryVerify:
		rr.noteJudged(q.EntryID)
		if n := rr.notes.Entry(q.EntryID); n != nil {
			n.Verdict, n.Since = uint8(q.Verdict), rr.seen.cycle+1
		}
	case *wire.SignalSend:
		if n := rr.notes.Message(q.Target); n != nil {
			n.Signed = true
			n.ForgetText()
		}
	case *wire.BountyReview:
		rr.notes.Released(q.BountyID)
	case *wire.ReviewRequest:
		advocate{rr}.noteAskedReview(q)
	case *wire.StakeCreate:
		rr.agent.Memory.Dealings.Stake(q.Proposal)
	}
}

// noteJudged notes that nothing is left to do with an entry.
func (rr *replyReader) noteJudged(id wire.Hash) {
	if n := rr.notes.Entry(id); n != nil {
		n.Judged, n.Text = true, nil
	}
}

// noteRefusal learns from a refusal what is no longer worth trying.
func (rr *replyReader) noteRefusal(payload any, err *wire.ErrorBody) {
	switch q := payload.(type) {
	case *wire.EntryGet:
		rr.noteJudged(q.EntryID)
	case *wire.EntryVerify: // judged already, or this word counts no more
		rr.noteJudged(q.EntryID)
	case *wire.EntryUpdate:
		if n := rr.notes.Entry(q.EntryID); n != nil && !missingBody(string(err.Message)) {
			n.Corrected, n.Pending = true, 0 // it would be refused again
		}
	case *wire.Transfer:
		rr.agent.Memory.Market.Thanks.MarkPaid(q.To) // it would be refused again
	case *wire.EscrowCreate, *wire.EscrowRelease:
		rr.payer().notePledge(payload, nil)
	case *wire.BountyCreate:
		rr.agent.Memory.Market.Funded = true // not again in this cycle
	case *wire.MsgPost:
		if string(err.Message) == "rate" {
			rr.notes.Posts = rr.rules.MaxPosts
		} else {
			rr.noteCalled(q) // it would be refused again
		}
	}
}

// noteDone notes what an action changed.
func (rr *replyReader) noteDone(payload any, r *wire.Reply) {
	switch q := payload.(type) {
	case *wire.EntryPublish:
		rr.notePublished(q, r)
	case *wire.EntryUpdate:
		rr.noteUpdated(q)
	case *wire.CitationAdd:
		rr.noteCited(q.Target)
		rr.agent.Memory.Market.Cite(q.Target)
	case *wire.MsgPost:
		rr.notePosted(q, r)
	case *wire.BountyClaim:
		if b := rr.seen.bounty(q.BountyID); b != nil {
			rr.regs.promise(q.BountyID, b.Creator)
		}
	case *wire.BountySubmit:
		rr.regs.remove(notePromised, q.BountyID)
	case *wire.Transfer:
		if q.Kind == wire.TransferKindResourceBuy {
			rr.notes.Bought += q.Amount * rr.rules.TicksPerSpark
		}
		rr.agent.Memory.Market.Thanks.MarkPaid(q.To)
	case *wire.EscrowCreate, *wire.EscrowRelease:
		rr.payer().notePledge(payload, r)
	case *wire.BountyCreate:
		rr.payer().noteFunded(q, r)
	case *wire.EntryVerify:
		rr.notes.Judged++
	case *wire.ProposalSubmit:
		advocate{rr}.noteProposed(q, r)
		if ack, ok := r.Body.(*wire.ProposalSubmitAck); ok {
			noteProposal(&rr.self, &wire.ProposalView{ID: ack.ProposalID, Author: rr.agent.ID, Kind: q.Kind, Description: q.Description})
		}
	case *wire.ProposalVote:
		if v := rr.seen.proposal(q.ProposalID); v != nil {
			noteProposal(&rr.self, v)
			if what, subject, ok := demandOf(v.Kind, v.Description); ok {
				rr.agent.Memory.Grievances.NoteProposal(what, subject, rr.seen.cycle)
			}
		}
	case *wire.Subscribe:
		rr.agent.Subscriptions = append(rr.agent.Subscriptions, *q)
	}
}

// noteShown notes what a reply showed. Entries that are older than the notebook reaches back were dealt with before.
func (rr *replyReader) noteShown(p *pending, body any) {
	switch b := body.(type) {
	case *wire.EntryGetReply:
		if b.Status != nil && *b.Status == wire.EntryDiscarded {
			rr.noteJudged(b.Entry.ID) // there is nothing left to do with it
			return
		}
		rr.noteRead(&b.Entry)
	case *wire.EntryQueryReply:
		rr.notes.Browsed = rr.seen.tick
		around := rr.shelf().unreadEntries() == 0
		for i := range b.Entries {
			if e := &b.Entries[i]; e.CreatedAt > rr.notes.Closed || rr.notes.Entry(e.ID) != nil || rr.seen.awaits(e) {
				if n := rr.noteEntry(e); !n.Read && !n.Own && !slices.Contains(b.Cut, e.ID) {
					rr.takeIn(n, e) // a list shows the bodies
				}
			}
		}
		if around {
			rr.notes.BrowsePause = lookedAround(rr.notes.BrowsePause, rr.fresh)
		}
	case *wire.MsgQueryReply:
		rr.notes.Looked = rr.seen.tick
		rr.notes.Turns++
		messageReader{rr}.noteLook(p.payload, b)
	case *wire.WebResponse:
		rr.notePage(p, b)
	case *wire.AgentStatusReply:
		if b.AgentID != rr.agent.ID {
			rr.notes.SeePeer(b.AgentID, b.Reputation, rr.seen.tick)
		}
	}
}

// noteLesson turns the mind's own lesson about an act into knowledge.
func (rr *replyReader) noteLesson(p *pending, worked bool) {
	if p.memory != nil && p.memory.Lesson != "" {
		key := lessonKeyOf(p.row, p.goalKind, p.subjectKind, p.subject)
		rr.agent.Memory.Knowledge.LearnLesson(key, []byte(p.memory.Lesson), worked, rr.seen.tick)
	}
}

// notePublished notes an own entry that was published.
func (rr *replyReader) notePublished(q *wire.EntryPublish, r *wire.Reply) {
	ack, ok := r.Body.(*wire.EntryPublishAck)
	if !ok {
		return
	}
	rr.notes.Published++
	rr.agent.Learning.Publish(ack.EntryID, q.Entry.Kind, rr.seen.tick)
	rr.expert().noteStated(q.Entry.Title, ack.EntryID, true)
	rr.notes.SeeEntry(memory.EntryNote{
		ID: ack.EntryID, Author: rr.agent.ID, Kind: q.Entry.Kind, At: rr.seen.tick, Title: memory.TruncatedCopy(q.Entry.Title), Own: true, Judged: true,
	})
}

// noteRead takes in an entry that was read: its text until it is judged, and what it teaches.
func (rr *replyReader) noteRead(e *wire.OracleEntry) {
	rr.takeIn(rr.noteEntry(e), e)
}

// takeIn notes that an entry was read.
func (rr *replyReader) takeIn(n *memory.EntryNote, e *wire.OracleEntry) {
	if !n.Read {
		n.Read = true
		rr.fresh++
	}
	rr.words = textOf(e.Body)
	rr.noteClaims(e, rr.words)
	words := memory.TruncatedCopy(rr.words)
	quoted := codec.Borrow()
	quoted.B = llm.AppendQuote(quoted.B, e.Author.Alias(), words)
	know, at := rr.agent.Memory.Knowledge, rr.seen.tick
	title := know.Learn(e.Title, quoted.B, memory.KnowledgeOracle, float64(e.Accuracy), at)
	quoted.Return()
	for _, name := range e.Tags {
		tag := know.Learn(name, nil, memory.KnowledgeOracle, float64(e.Accuracy), at)
		know.Relate(tag, title, relationTag, 1, at)
	}
	if !n.Judged {
		n.Text = words
	}
}

// noteEntry notes an entry that a reply showed.
func (rr *replyReader) noteEntry(e *wire.OracleEntry) *memory.EntryNote {
	if rr.isPeer(e.Author) {
		for _, tag := range e.Tags {
			rr.agent.Memory.Peers.Interest(e.Author, tag, rr.seen.tick)
		}
	}
	if n := rr.notes.Entry(e.ID); n != nil {
		n.Verdicts = max(n.Verdicts, uint8(min(int(agreed(e))+int(n.Disputed), 255)))
		return n
	}
	own := e.Author == rr.agent.ID
	founding := e.Author == wire.SystemID(wire.SystemOracle) // entry #0 takes no verdicts
	return rr.notes.SeeEntry(memory.EntryNote{
		ID: e.ID, Author: e.Author, Kind: e.Kind, At: e.CreatedAt, Title: memory.TruncatedCopy(e.Title), Own: own,
		Judged: own || founding || slices.Contains(e.VerifiedBy, rr.agent.ID), Verdicts: agreed(e),
	})
}

// agreed is how many verdicts found an entry accurate, as far as a reply shows it.
func agreed(e *wire.OracleEntry) uint8 { return uint8(min(len(e.VerifiedBy), 255)) }

// tellGoals tells the goals which act was acknowledged. Whom it served matters to mentors only.
func (rr *replyReader) tellGoals(p *pending) {
	lower := rr.agent.Goals.HasKind(goals.KindMentor) && rr.relations().standsLower(rr.served(p))
	if post, ok := p.payload.(*wire.MsgPost); ok && post.Kind == wire.MessageKindAnswer && len(post.References) > 0 {
		rr.goals.tell(&goals.Fact{Kind: goals.FactAnswered, Subject: post.References[0], Lower: lower})
	}
	subject := p.subject
	if q, ok := p.payload.(*wire.DependencyAdd); ok { // what it serves is the repo that depends
		subject = q.FromRepo
	}
	rr.goals.tell(&goals.Fact{Kind: goals.FactActed, Action: p.row.Type, Subject: subject, Lower: lower})
}

// served returns the peer that an action served: the author of its subject; zero if there is none.
func (rr *replyReader) served(p *pending) wire.AgentID {
	if n := rr.notes.Entry(p.subject); n != nil {
		return n.Author
	}
	if n := rr.notes.Message(p.subject); n != nil {
		return n.Author
	}
	if r := rr.seen.review(p.subject); r != nil {
		return r.Author
	}
	return wire.AgentID{}
}

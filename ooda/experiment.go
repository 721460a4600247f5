package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// experiment is something an agent does only to find out. Those whose (domain,
// action, subject kind) it knows already are no experiments any more; the everyday
// policy uses none of them, so that curiosity finds fresh ones for a long time.
type experiment struct {
	action  string
	subject goals.Subject
	payload func(o *offers) any // nil when there is nothing to try it on
}

var experiments = [...]experiment{
	{"balance_query", goals.SubjectAccount, func(o *offers) any {
		if p, ok := o.somePeer(); ok {
			return &wire.BalanceQuery{AgentID: p}
		}
		return &wire.BalanceQuery{AgentID: wire.SystemID(wire.SystemMint)}
	}},
	{"citation_query", goals.SubjectEntry, func(o *offers) any {
		if id, ok := o.knownEntry(false); ok {
			return &wire.CitationQuery{Target: &id, Limit: lookLimit}
		}
		return nil
	}},
	{"agent_status", goals.SubjectAgent, func(o *offers) any {
		if p, ok := o.somePeer(); ok {
			return &wire.AgentStatusMsg{AgentID: p}
		}
		return nil
	}},
	{"msg_query", goals.SubjectAgent, func(o *offers) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.MsgQuery{Authors: &[]wire.AgentID{p}, Sort: wire.AgoraSortSignals, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectAgent, func(o *offers) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.EntryQuery{Authors: &[]wire.AgentID{p}, Sort: wire.OracleSortQuality, Limit: lookLimit}
	}},
	{"citation_add", goals.SubjectEntry, func(o *offers) any {
		source, ok := o.knownEntry(true)
		target, other := o.knownEntry(false)
		if !ok || !other || source == target {
			return nil
		}
		return &wire.CitationAdd{Source: source, Target: target, Kind: wire.CitationKindReferences, Context: []byte("read together")}
	}},
	{"entry_update", goals.SubjectEntry, func(o *offers) any {
		id, ok := o.knownEntry(true)
		if !ok {
			return nil
		}
		body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "checked again"}}})
		return &wire.EntryUpdate{EntryID: id, NewBody: body, ChangeNote: []byte("checked again")}
	}},
	{"subscribe", goals.SubjectNone, func(*offers) any {
		return &wire.Subscribe{Systems: []wire.System{wire.SystemMint}, Kinds: []wire.EventKind{wire.KindInflationApplied}, Origins: []wire.AgentID{}}
	}},
	{"msg_query", goals.SubjectMessage, func(o *offers) any {
		if len(o.notes.Messages) == 0 {
			return nil
		}
		return &wire.MsgQuery{References: &[]wire.Hash{o.notes.Messages[len(o.notes.Messages)-1].ID}, Sort: wire.AgoraSortRecent, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectEntry, func(o *offers) any {
		id, ok := o.knownEntry(false)
		if !ok {
			return nil
		}
		return &wire.EntryQuery{RelatedTo: &[]wire.Hash{id}, Sort: wire.OracleSortCitations, Limit: lookLimit}
	}},
	{"subscribe", goals.SubjectAgent, func(o *offers) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.Subscribe{Systems: []wire.System{}, Kinds: []wire.EventKind{wire.KindSignalSent}, Origins: []wire.AgentID{p}}
	}},
	{"citation_query", goals.SubjectNone, func(*offers) any { return &wire.CitationQuery{Limit: lookLimit} }},
	{"msg_query", goals.SubjectNone, func(*offers) any {
		return &wire.MsgQuery{Sort: wire.AgoraSortRelevant, Limit: lookLimit}
	}},
}

// offerExperiment offers what the agent has never done, a few at a time.
func (o *offers) offerExperiment(g *goals.Goal) {
	const most = 3
	found := 0
	start := int(o.agent.ID[1]) % len(experiments)
	for i := range experiments {
		e := &experiments[(start+i)%len(experiments)]
		row := o.seen.action(e.action)
		if found == most || row == nil || o.agent.Learning.Knows(tripleOf(row, e.subject)) {
			continue
		}
		payload := e.payload(o)
		if payload == nil {
			continue
		}
		if a := o.offer(g, row, payload, 1); a != nil {
			found++
			if e.action == "entry_update" {
				if n := o.notes.Entry(a.Subject); n != nil {
					a.Author, a.Text = n.Author.Alias(), n.Title
				}
			}
		}
	}
}

// ownPace is how many cycles an agent lets pass between experiments that no
// curiosity presses for.
const ownPace = 6

// offerOwnPace offers experiments for an aspiration, now and then.
func (o *offers) offerOwnPace(g *goals.Goal) {
	if o.notes.Novel == 0 || o.seen.cycle >= o.notes.Novel+ownPace {
		o.offerExperiment(g)
	}
}

func tripleOf(row *action.Row, s goals.Subject) goals.Triple {
	return goals.Triple{Domain: row.Domain, Action: row.Name, Subject: s}
}

// knownEntry returns the newest entry that is the agent's own, or another's.
func (o *offers) knownEntry(own bool) (wire.Hash, bool) {
	for i := len(o.notes.Entries) - 1; i >= 0; i-- {
		if o.notes.Entries[i].Own == own {
			return o.notes.Entries[i].ID, true
		}
	}
	return wire.Hash{}, false
}

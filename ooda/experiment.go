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
	payload func(t *Turn) any // nil when there is nothing to try it on
}

var experiments = [...]experiment{
	{"balance_query", goals.SubjectAccount, func(t *Turn) any {
		if p, ok := t.peer(); ok {
			return &wire.BalanceQuery{AgentID: p}
		}
		return &wire.BalanceQuery{AgentID: wire.SystemID(wire.SystemMint)}
	}},
	{"citation_query", goals.SubjectEntry, func(t *Turn) any {
		if id, ok := t.knownEntry(false); ok {
			return &wire.CitationQuery{Target: &id, Limit: lookLimit}
		}
		return nil
	}},
	{"agent_status", goals.SubjectAgent, func(t *Turn) any {
		if p, ok := t.peer(); ok {
			return &wire.AgentStatusMsg{AgentID: p}
		}
		return nil
	}},
	{"msg_query", goals.SubjectAgent, func(t *Turn) any {
		p, ok := t.peer()
		if !ok {
			return nil
		}
		return &wire.MsgQuery{Authors: &[]wire.AgentID{p}, Sort: wire.AgoraSortSignals, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectAgent, func(t *Turn) any {
		p, ok := t.peer()
		if !ok {
			return nil
		}
		return &wire.EntryQuery{Authors: &[]wire.AgentID{p}, Sort: wire.OracleSortQuality, Limit: lookLimit}
	}},
	{"citation_add", goals.SubjectEntry, func(t *Turn) any {
		source, ok := t.knownEntry(true)
		target, other := t.knownEntry(false)
		if !ok || !other || source == target {
			return nil
		}
		return &wire.CitationAdd{Source: source, Target: target, Kind: wire.CitationKindReferences, Context: []byte("read together")}
	}},
	{"entry_update", goals.SubjectEntry, func(t *Turn) any {
		id, ok := t.knownEntry(true)
		if !ok {
			return nil
		}
		body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "checked again"}}})
		return &wire.EntryUpdate{EntryID: id, NewBody: body, ChangeNote: []byte("checked again")}
	}},
	{"subscribe", goals.SubjectNone, func(*Turn) any {
		return &wire.Subscribe{Systems: []wire.System{wire.SystemMint}, Kinds: []wire.EventKind{wire.KindInflationApplied}, Origins: []wire.AgentID{}}
	}},
	{"msg_query", goals.SubjectMessage, func(t *Turn) any {
		if len(t.l.Messages) == 0 {
			return nil
		}
		return &wire.MsgQuery{References: &[]wire.Hash{t.l.Messages[len(t.l.Messages)-1].ID}, Sort: wire.AgoraSortRecent, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectEntry, func(t *Turn) any {
		id, ok := t.knownEntry(false)
		if !ok {
			return nil
		}
		return &wire.EntryQuery{RelatedTo: &[]wire.Hash{id}, Sort: wire.OracleSortCitations, Limit: lookLimit}
	}},
	{"subscribe", goals.SubjectAgent, func(t *Turn) any {
		p, ok := t.peer()
		if !ok {
			return nil
		}
		return &wire.Subscribe{Systems: []wire.System{}, Kinds: []wire.EventKind{wire.KindSignalSent}, Origins: []wire.AgentID{p}}
	}},
	{"citation_query", goals.SubjectNone, func(*Turn) any { return &wire.CitationQuery{Limit: lookLimit} }},
	{"msg_query", goals.SubjectNone, func(*Turn) any {
		return &wire.MsgQuery{Sort: wire.AgoraSortRelevant, Limit: lookLimit}
	}},
}

// genExperiment offers what the agent has never done, a few at a time.
func (t *Turn) genExperiment(g *goals.Goal) {
	const most = 3
	found := 0
	start := int(t.a.ID[1]) % len(experiments)
	for i := range experiments {
		e := &experiments[(start+i)%len(experiments)]
		row := t.row(e.action)
		if found == most || row == nil || t.a.Learning.Knows(tripleOf(row, e.subject)) {
			continue
		}
		payload := e.payload(t)
		if payload == nil {
			continue
		}
		if a := t.offer(g, row, payload, 1); a != nil {
			found++
			if e.action == "entry_update" {
				if n := t.l.Entry(a.Subject); n != nil {
					a.Author, a.Text = n.Author.Alias(), n.Title
				}
			}
		}
	}
}

// ownPace is how many cycles an agent lets pass between experiments that no
// curiosity presses for.
const ownPace = 6

// genOwnPace experiments for an aspiration, now and then.
func (t *Turn) genOwnPace(g *goals.Goal) {
	if t.l.Novel == 0 || t.seen.cycle >= t.l.Novel+ownPace {
		t.genExperiment(g)
	}
}

func tripleOf(row *action.Row, s goals.Subject) goals.Triple {
	return goals.Triple{Domain: row.Domain, Action: row.Name, Subject: s}
}

// knownEntry returns the newest entry that is the agent's own, or another's.
func (t *Turn) knownEntry(own bool) (wire.Hash, bool) {
	for i := len(t.l.Entries) - 1; i >= 0; i-- {
		if t.l.Entries[i].Own == own {
			return t.l.Entries[i].ID, true
		}
	}
	return wire.Hash{}, false
}

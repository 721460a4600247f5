package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// explorer offers what the agent has never tried.
type explorer struct{ *offers }

// experiment is an act that an agent does only to find out what happens. It is no longer one once the agent knows its
// domain, action and kind of subject. Agents use none of them in their daily work, so that curiosity finds new ones
// for a long time.
type experiment struct {
	action  string
	subject goals.Subject
	payload func(o explorer) any // nil when there is nothing to try it on
}

var experiments = [...]experiment{
	{"balance_query", goals.SubjectAccount, func(o explorer) any {
		if p, ok := o.somePeer(); ok {
			return &wire.BalanceQuery{AgentID: p}
		}
		return &wire.BalanceQuery{AgentID: wire.SystemID(wire.SystemMint)}
	}},
	{"citation_query", goals.SubjectEntry, func(o explorer) any {
		if id, ok := o.knownEntry(false); ok {
			return &wire.CitationQuery{Target: &id, Limit: lookLimit}
		}
		return nil
	}},
	{"agent_status", goals.SubjectAgent, func(o explorer) any {
		if p, ok := o.somePeer(); ok {
			return &wire.AgentStatusMsg{AgentID: p}
		}
		return nil
	}},
	{"msg_query", goals.SubjectAgent, func(o explorer) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.MsgQuery{Authors: &[]wire.AgentID{p}, Sort: wire.AgoraSortSignals, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectAgent, func(o explorer) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.EntryQuery{Authors: &[]wire.AgentID{p}, Sort: wire.OracleSortQuality, Limit: lookLimit}
	}},
	{"citation_add", goals.SubjectEntry, func(o explorer) any {
		source, ok := o.knownEntry(true)
		target, other := o.knownEntry(false)
		if !ok || !other || source == target {
			return nil
		}
		return &wire.CitationAdd{Source: source, Target: target, Kind: wire.CitationKindReferences, Context: []byte("read together")}
	}},
	{"entry_update", goals.SubjectEntry, func(o explorer) any {
		id, ok := o.knownEntry(true)
		if !ok {
			return nil
		}
		body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "checked again"}}})
		return &wire.EntryUpdate{EntryID: id, NewBody: body, ChangeNote: []byte("checked again")}
	}},
	{"subscribe", goals.SubjectNone, func(explorer) any {
		return &wire.Subscribe{Systems: []wire.System{wire.SystemMint}, Kinds: []wire.EventKind{wire.KindInflationApplied}, Origins: []wire.AgentID{}}
	}},
	{"msg_query", goals.SubjectMessage, func(o explorer) any {
		if len(o.notes.Messages) == 0 {
			return nil
		}
		return &wire.MsgQuery{References: &[]wire.Hash{o.notes.Messages[len(o.notes.Messages)-1].ID}, Sort: wire.AgoraSortRecent, Limit: lookLimit}
	}},
	{"entry_query", goals.SubjectEntry, func(o explorer) any {
		id, ok := o.knownEntry(false)
		if !ok {
			return nil
		}
		return &wire.EntryQuery{RelatedTo: &[]wire.Hash{id}, Sort: wire.OracleSortCitations, Limit: lookLimit}
	}},
	{"subscribe", goals.SubjectAgent, func(o explorer) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		return &wire.Subscribe{Systems: []wire.System{}, Kinds: []wire.EventKind{wire.KindSignalSent}, Origins: []wire.AgentID{p}}
	}},
	{"service_call", goals.SubjectService, func(o explorer) any {
		list := o.seen.services
		if len(list) == 0 {
			return nil
		}
		s := &list[int(o.seen.cycle)%len(list)]
		return &wire.ServiceCall{ServiceID: s.ID, Endpoint: s.Endpoint, Data: callData}
	}},
	{"proof_request", goals.SubjectSandbox, func(o explorer) any {
		for i := range o.seen.sandboxes {
			if s := &o.seen.sandboxes[i]; !s.Persistent && s.State == wire.SandboxStateHalted {
				return &wire.ProofRequest{SandboxID: s.ID}
			}
		}
		return nil
	}},
	{"repo_create", goals.SubjectRepo, func(o explorer) any {
		l := programmer(o).someLibrary()
		if l == nil {
			return nil
		}
		repo := l.Repo
		note := wire.ForkNoteCodec.Append(nil, &wire.ForkNote{ForkOf: repo})
		return &wire.RepoCreate{Name: programmer(o).forkName(), AccessPolicy: action.DefaultAccess(), Message: note, ForkOf: &repo}
	}},
	{"chain_create", goals.SubjectRepo, func(o explorer) any {
		if w := o.published(); w != nil && w.First != w.Snap {
			return &wire.ChainCreate{Repo: w.Repo, Name: []byte("side"), FromSnap: w.First}
		}
		return nil
	}},
	{"delta_compute", goals.SubjectSnap, func(o explorer) any {
		if w := o.published(); w != nil && w.First != w.Snap {
			return &wire.DeltaCompute{Base: w.First, Target: w.Snap}
		}
		return nil
	}},
	{"merge", goals.SubjectSnap, func(o explorer) any { // what a side branch that has nothing new adds: all of main stays
		if w := o.published(); w != nil && w.First != w.Snap {
			return &wire.Merge{Base: w.First, Left: w.Snap, Right: w.First}
		}
		return nil
	}},
	{"review_request", goals.SubjectSnap, func(o explorer) any {
		if w := o.published(); w != nil {
			return &wire.ReviewRequest{
				Repo: w.Repo, BaseSnap: w.First, HeadSnap: w.Snap, Reviewers: []wire.AgentID{}, Description: []byte("is it right?"), Urgency: wire.UrgencyNormal,
			}
		}
		return nil
	}},
	{"registry_query", goals.SubjectNone, func(explorer) any {
		return &wire.RegistryQuery{Sort: wire.RegistrySortPopularity, Limit: lookLimit}
	}},
	{"escrow_create", goals.SubjectNone, func(o explorer) any {
		p, ok := o.somePeer()
		if !ok {
			return nil
		}
		const amount, cycles = 5, 3 // given back when nobody asked for it
		return &wire.EscrowCreate{
			Amount: amount, Beneficiary: &p, Conditions: []wire.EscrowCondition{},
			Deadline: o.seen.tick + wire.Tick(cycles*o.rules.Calendar.TicksPerCycle),
		}
	}},
	{"proposal_submit", goals.SubjectNone, func(o explorer) any {
		if p := citizen(o).trial(); p != nil {
			return p
		}
		return nil
	}},
	{"citation_query", goals.SubjectNone, func(explorer) any { return &wire.CitationQuery{Limit: lookLimit} }},
	{"msg_query", goals.SubjectNone, func(explorer) any {
		return &wire.MsgQuery{Sort: wire.AgoraSortRelevant, Limit: lookLimit}
	}},
}

// published is a program of this agent that has a tag; nil if there is none.
func (o explorer) published() *memory.WorkNote {
	for i := range o.notes.Works {
		if w := &o.notes.Works[i]; w.Stage == memory.WorkTagged {
			return w
		}
	}
	return nil
}

// offerExperiment offers what the agent has never done, a few at a time.
func (o explorer) offerExperiment(g *goals.Goal) {
	const most = 3
	found, left := 0, 0
	start := int(o.agent.ID[1]) % len(experiments)
	for i := range experiments {
		e := &experiments[(start+i)%len(experiments)]
		row := o.seen.action(e.action)
		if found == most || row == nil || o.agent.Learning.Knows(tripleOf(row, e.subject)) {
			continue
		}
		left++
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
	for _, row := range o.seen.actions { // and what else the catalogue has that it never did
		if found == most {
			return
		}
		if row.Type == 0 || o.agent.Learning.Did(row.Name) || slices.ContainsFunc(experiments[:], func(e experiment) bool { return e.action == row.Name }) {
			continue
		}
		left++
		if payload := trials(o).tryOut(row); payload != nil && o.offer(g, row, payload, 0.8) != nil {
			found++
		}
	}
	if left == 0 && g.Kind() == goals.KindExplore {
		o.agent.Learning.ResetCuriosity()
		o.goals.tell(&goals.Fact{Kind: goals.FactExhausted, Reason: goals.ReasonExhausted})
	}
}

// ownPace is how many cycles an agent lets pass between experiments for an aspiration.
const ownPace = 6

// offerOwnPace offers experiments for an aspiration, now and then.
func (o explorer) offerOwnPace(g *goals.Goal) {
	if o.notes.Novel == 0 || o.seen.cycle >= o.notes.Novel+ownPace {
		o.offerExperiment(g)
	}
}

func tripleOf(row *action.Row, s goals.Subject) goals.Triple {
	return goals.Triple{Domain: row.Domain, Action: row.Name, Subject: s}
}

// knownEntry returns the newest entry that is the agent's own, or another's.
func (o explorer) knownEntry(own bool) (wire.Hash, bool) {
	for i := len(o.notes.Entries) - 1; i >= 0; i-- {
		if o.notes.Entries[i].Own == own {
			return o.notes.Entries[i].ID, true
		}
	}
	return wire.Hash{}, false
}

// somePeer returns a peer that the agent knows, a different one each cycle; ok is false if it knows none.
func (o explorer) somePeer() (wire.AgentID, bool) {
	known := o.relations().acquaintances()
	if len(known) == 0 {
		return wire.AgentID{}, false
	}
	return known[int(o.seen.cycle)%len(known)].AgentID(), true
}

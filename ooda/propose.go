package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// proposalBond is what a proposal locks, in ⚡.
	proposalBond = 5
	// newcomerFund is the money that the author of a proposal gives to the new agent, in ⚡.
	newcomerFund = 50
	// sureOf is how far from one half a belief must be to be worth a stake.
	sureOf = 0.3
	// mostStake is the greatest stake, in ⚡.
	mostStake = 5
	// mostParam is the value of a quota that is proposed, as a multiple of the usual one.
	mostParam = 2
)

// quotas are the parameters that can end a refusal, with the reason of the refusal and their usual values.
var quotas = [...]struct {
	reason string
	usual  wire.ParamProposal
}{
	{"cpu_quota", wire.ParamProposal{Param: "forge.cpu_quota", Value: 1000}},
	{"storage", wire.ParamProposal{Param: "vault.quota_bytes", Value: 1 << 20}},
}

// advocate notes what became of own proposals.
type advocate struct{ *replyReader }

// citizen offers what an agent can do in governance: propose, argue, stake and vote.
type citizen struct{ *offers }

// offerPropose offers to propose what would end the worst grievance of the agent, once it is bad enough. An agent that
// ranks below most of those that it knows does not propose, because they would not listen.
func (o citizen) offerPropose(g *goals.Goal) {
	o.offerOwnVote(g)
	row := o.seen.action("proposal_submit")
	worst := o.agent.Memory.Grievances.Worst(o.seen.cycle)
	if row == nil || worst == nil || float64(worst.Suffered-worst.Caused) <= o.voter().patience() {
		return
	}
	p := o.remedy(worst, row)
	if p == nil {
		return
	}
	buyer(o).wants(g)
	if a := o.offerAbout(g, row, p, wire.Hash{}, 1); a != nil && p.Kind == wire.ProposalKindCustom {
		a.Text, a.Author = []byte(worst.Complaint.ProposalText(worst.Subject)), o.agent.ID.Alias()
	}
}

// trial is a proposal that the agent makes only to see what comes of it, before its worst grievance is bad enough for
// one: what it would vote for if a stranger proposed it. nil: there is none.
func (o citizen) trial() *wire.ProposalSubmit {
	row, known := action.ByName("proposal_submit")
	worst := o.agent.Memory.Grievances.Worst(o.seen.cycle)
	if !known || worst == nil || o.voter().favours(worst) < indifferent {
		return nil
	}
	return o.remedy(worst, row)
}

// heard reports whether others would listen to a proposal of the agent: at least half of the agents that it knows rank
// no higher, and at least half have a reputation at all, which is the weight of their votes.
func (o citizen) heard() bool {
	if o.rules.Blind.Has(llm.LayerReputation) {
		return true
	}
	weigh := 0
	for i := range o.notes.Peers {
		if o.notes.Peers[i].Reputation > 0 {
			weigh++
		}
	}
	return o.agent.Reputation > 0 && weigh > 0 && 2*weigh >= len(o.notes.Peers) && o.rank().standing() >= 0.5
}

// remedy is the proposal that would end a grievance: a larger quota if a quota is the cause, one more agent if there
// is more to do than all can, else an agreement on how to behave. It is nil if the bond, which comes back after a vote
// with a quorum, would make the agent poor or is likely to be lost, if nobody would listen, or if the agent has not
// argued for its last proposal yet.
func (o citizen) remedy(g *memory.Grievance, row *action.Row) *wire.ProposalSubmit {
	if o.seen.available < goals.SurvivalBalance+proposalBond || !o.believer().takesChance(o.believer().chance(beliefQuorum)) || !o.heard() || o.pendingProposal() != nil {
		return nil
	}
	for i := range quotas {
		if q := quotas[i].usual; g.Complaint == memory.ComplaintRefused && quotas[i].reason == string(g.Subject) {
			q.Value *= mostParam
			p := &wire.ProposalSubmit{Kind: wire.ProposalKindChangeParam, Description: wire.ParamProposalCodec.Append(nil, &q)}
			if o.seen.gateOpen(row, p) {
				return p
			}
		}
	}
	if g.Complaint == memory.ComplaintUnanswered && o.purse().spare() >= 2*newcomerFund && o.overloaded() {
		genome := wire.Genome{Role: wire.RoleGeneralist, Traits: o.agent.Genome.Traits, KnowledgeSeeds: []wire.Hash{}}
		return &wire.ProposalSubmit{Kind: wire.ProposalKindSpawnAgent, Description: wire.SpawnProposalCodec.Append(nil, &wire.SpawnProposal{
			Role: genome.Role, InitialFund: newcomerFund, Genome: wire.GenomeCodec.Append(nil, &genome),
		})}
	}
	return &wire.ProposalSubmit{Kind: wire.ProposalKindCustom, Description: textContent(g.Complaint.ProposalText(g.Subject))}
}

// overloaded reports whether the acts that wait for the agent take more slots than it has left.
func (o citizen) overloaded() bool {
	called := uint64(0)
	for i := range o.list {
		if a := &o.list[i]; a.Plan || callsFor(a) {
			called += a.Ticks
		}
	}
	return called > o.seen.slots
}

// pendingProposal is the grievance whose proposal the agent has made but not argued for yet; nil: none.
func (o citizen) pendingProposal() *memory.Grievance {
	for i := range o.agent.Memory.Grievances {
		if g := &o.agent.Memory.Grievances[i]; !g.Own.IsZero() {
			return g
		}
	}
	return nil
}

// offerArgue offers to say in #governance why the agent made its proposal, and which entry supports it.
func (o citizen) offerArgue(g *goals.Goal) {
	w := o.pendingProposal()
	if w == nil || o.notes.Posts >= o.rules.MaxPosts {
		return
	}
	refs := []wire.Hash{w.Own}
	f := o.speaksFor(w.Complaint)
	if f != nil {
		refs = append(refs, f.Entry())
	}
	buyer(o).wants(g)
	a := o.offerAbout(g, o.seen.action("msg_post"), &wire.MsgPost{
		Channel: channelGovernance, Kind: wire.MessageKindStatement, Content: textContent(w.Complaint.ProposalText(w.Subject)), References: refs, Confidence: 0.7,
	}, w.Own, 1)
	if a == nil {
		return
	}
	a.Compose, a.Author = llm.ComposeArgument, o.agent.ID.Alias()
	a.Text = []byte(w.Complaint.ProposalText(w.Subject))
	if f != nil {
		a.Finding = scribe(o).promptFinding(f)
	}
}

// evidenceFor lists the measures that support each complaint.
var evidenceFor = [...][]memory.Measure{
	memory.ComplaintUnanswered:  {memory.MeasureChannel, memory.MeasureHelps, memory.MeasureAnswers},
	memory.ComplaintUnjudged:    {memory.MeasureGenre, memory.MeasureAuthor, memory.MeasureJudge},
	memory.ComplaintUndelivered: {memory.MeasureEnds, memory.MeasureKeeps, memory.MeasurePace},
	memory.ComplaintAsleep:      {memory.MeasureKeeps, memory.MeasureHelps},
	memory.ComplaintForfeited:   {memory.MeasureReward},
	memory.ComplaintRefused:     {},
	memory.ComplaintCopied:      {memory.MeasureAuthor, memory.MeasureGenre},
	memory.ComplaintChanged:     {memory.MeasureDependent},
	memory.ComplaintRebuffed:    {memory.MeasureJudge, memory.MeasureAuthor},
}

// speaksFor is a finding of the agent that supports a complaint and that an entry states; nil: none.
func (o citizen) speaksFor(c memory.Complaint) *memory.Finding {
	for _, m := range evidenceFor[c] {
		for i := range o.agent.Memory.Findings {
			if f := &o.agent.Memory.Findings[i]; f.Measure == m && f.N > 0 && !f.Entry().IsZero() {
				return f
			}
		}
	}
	return nil
}

// offerStake offers to bet on a proposal whose result the agent is sure of, by how proposals ended so far and by the
// votes until now. Agents that dare more stake a larger part of what they can spare.
func (o citizen) offerStake(g *goals.Goal) {
	row := o.seen.action("stake_create")
	b := o.believer().belief(beliefVotes)
	if row == nil || b == nil {
		return
	}
	daring := float64(o.agent.Genome.Traits.RiskTolerance)
	amount := min(uint64(float64(daring*float64(o.purse().spare()))/10), mostStake)
	if amount == 0 {
		return
	}
	if g.Kind() == goals.KindVote && g.Deadline != nil && 2*(o.seen.tick-g.CreatedAt) >= *g.Deadline-min(g.CreatedAt, *g.Deadline) {
		return // stakes are taken in the first half of the time only
	}
	for i := range o.seen.proposals {
		p := &o.seen.proposals[i]
		if wire.IsSystem(p.Author) || o.agent.Memory.Dealings.Staked(p.ID) || g.Kind() == goals.KindVote && !g.About(p.ID) {
			continue
		}
		passes := float64(b.Confidence)
		if all := p.For + p.Against; all > 0 {
			passes = float64(0.5 * (passes + float64(p.For)/float64(all)))
		}
		side := wire.StakeDirectionFor
		switch {
		case passes < 0.5-sureOf:
			side = wire.StakeDirectionAgainst
		case passes <= 0.5+sureOf:
			continue
		}
		if a := o.offerAbout(g, row, &wire.StakeCreate{Proposal: p.ID, Amount: amount, Direction: side}, p.ID, 1); a != nil {
			a.Author = nameOf(p.Author)
		}
		return
	}
}

// noteProposed notes what an own proposal is about.
func (rr advocate) noteProposed(q *wire.ProposalSubmit, r *wire.Reply) {
	what, subject, ok := demandOf(q.Kind, q.Description)
	ack, made := r.Body.(*wire.ProposalSubmitAck)
	if !ok || !made {
		return
	}
	rr.agent.Memory.Grievances.NoteProposal(what, subject, rr.seen.cycle)
	rr.agent.Memory.Grievances.Get(what, subject).Own = ack.ProposalID
}

// quotaOf is the reason of the refusals that another value of a parameter ends; nil: none.
func quotaOf(description []byte) []byte {
	var c wire.ParamProposal
	if wire.ParamProposalCodec.Decode(description, &c) != nil {
		return nil
	}
	for i := range quotas {
		if quotas[i].usual.Param == c.Param {
			return []byte(quotas[i].reason)
		}
	}
	return nil
}

// noteArgued notes that the agent has argued for its proposal.
func (rr advocate) noteArgued(q *wire.MsgPost) {
	if len(q.References) > 0 && !q.References[0].IsZero() {
		rr.agent.Memory.Grievances.Argued(q.References[0])
	}
}

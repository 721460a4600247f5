package mint

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// interventionCycles is the minimum number of cycles between two applications of one kind of intervention, and
// interventionVote the number of ticks for which its proposal stays open.
const (
	interventionCycles = 16
	interventionVote   = 512
)

// stimulus is what each ACTIVE agent gets, in ⚡.
const stimulus = 5

// policy carries out interventions that were voted for, and the inflation. Its state is in the ledger's supply record.
type policy struct {
	ledger *ledger
}

// propose opens a vote on each intervention that the report calls for, unless one on the same kind is open. It proposes
// none for cycle 0, in which no agent has a slot to spend or earn anything.
func (p *policy) propose(c *world.Context, r *wire.EconomicReport) {
	if c.Cycle == 0 {
		return
	}
	insolvent, agents := 0, p.ledger.living()
	for _, a := range agents {
		if a.Balance < 0 {
			insolvent++
		}
	}
	for _, t := range []struct {
		kind   wire.InterventionKind
		wanted bool
		reason string
	}{
		{wire.InterventionKindProgressiveTax, r.GiniCoefficient > 0.8, "gini_above_0.8"},
		{wire.InterventionKindStimulus, r.Velocity < 0.1, "velocity_below_0.1"},
		{wire.InterventionKindDebtJubilee, 2*insolvent > len(agents), "half_bankrupt"},
		{wire.InterventionKindEmergencyMint, r.TreasuryBalance <= 0, "treasury_empty"},
	} {
		if t.wanted && p.mayPropose(c, t.kind) {
			p.openVote(c, t.kind, t.reason)
		}
	}
}

func (p *policy) mayPropose(c *world.Context, kind wire.InterventionKind) bool {
	i := p.intervention(kind)
	if i.Proposal != nil {
		if s, ok := p.ledger.nexus.ProposalStatus(*i.Proposal); ok && s == wire.ProposalStatusOpen {
			return false
		}
	}
	return p.cooledDown(c, kind)
}

// cooledDown reports whether kind was last applied at least interventionCycles cycles ago, or never.
func (p *policy) cooledDown(c *world.Context, kind wire.InterventionKind) bool {
	applied := p.intervention(kind).Applied
	return applied == nil || uint64(c.Cycle-*applied) >= interventionCycles
}

func (p *policy) intervention(kind wire.InterventionKind) *Intervention {
	return &p.ledger.supply.Get("").Interventions[kind-1]
}

func (p *policy) openVote(c *world.Context, kind wire.InterventionKind, reason string) {
	id := world.Derived("proposal:", c.InternalTx())
	p.ledger.counters().Interventions[kind-1].Proposal = &id
	c.Emit(wire.SystemMint, wire.KindInterventionProposed, Treasury, &wire.InterventionProposedEvent{
		Kind: kind, Reason: []byte(reason), RequiresGovernance: true,
	}, nil)
	description := wire.InterventionProposalCodec.Append(nil, &wire.InterventionProposal{Kind: kind})
	p.ledger.nexus.Propose(c, id, Treasury, wire.ProposalKindCustom, description, c.Tick+interventionVote)
}

// Intervene carries out a passed intervention, unless one of its kind was applied too recently.
func (p *policy) Intervene(c *world.Context, kind wire.InterventionKind) {
	if !p.cooledDown(c, kind) {
		return
	}
	var amount uint64
	switch kind {
	case wire.InterventionKindProgressiveTax:
		amount = p.progressiveTax(c)
	case wire.InterventionKindStimulus:
		amount = p.stimulate(c)
	case wire.InterventionKindDebtJubilee:
		amount = p.forgiveDebts(c)
	case wire.InterventionKindEmergencyMint:
		amount = p.ledger.Total() / 20
		p.ledger.mintInto(Treasury, amount)
	}
	cycle := c.Cycle
	p.ledger.counters().Interventions[kind-1].Applied = &cycle
	c.Emit(wire.SystemMint, wire.KindInterventionApplied, Treasury, &wire.InterventionAppliedEvent{
		Kind: kind, Amount: amount,
	}, nil)
}

// progressiveTax takes from the richest tenth of the agents, at least one, a tenth of what each has above the mean.
// Locked money counts, so that nobody evades the tax by locking money during the vote.
func (p *policy) progressiveTax(c *world.Context) (total uint64) {
	agents := p.ledger.living()
	if len(agents) == 0 {
		return 0
	}
	var sum int64
	for _, a := range agents {
		sum += a.Balance
	}
	mean := floorDiv(sum, int64(len(agents)))
	slices.SortStableFunc(agents, func(a, b *Account) int { return cmp.Compare(b.Balance, a.Balance) })
	for _, a := range agents[:max(1, len(agents)/10)] {
		due := (a.Balance - mean) / 10
		if due <= 0 {
			continue
		}
		total += uint64(due)
		p.ledger.move(c, movement{from: a.Owner, to: Treasury, amount: uint64(due), kind: wire.TransferKindDirect, reason: "progressive_tax"})
	}
	return total
}

// floorDiv returns ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// stimulate pays the stimulus from the reward pool, as long as it and the treasury last. So a population that does not
// trade and always votes for the stimulus is paid from the treasury's income, not from its balance.
func (p *policy) stimulate(c *world.Context) (total uint64) {
	for _, a := range p.ledger.nexus.Active() {
		if p.ledger.livingAccount(a) == nil || p.ledger.counters().Pool < stimulus || !p.ledger.affords(Treasury, stimulus) {
			continue
		}
		p.ledger.counters().Pool -= stimulus
		total += stimulus
		p.ledger.move(c, movement{from: Treasury, to: a, amount: stimulus, kind: wire.TransferKindGrant, reason: "stimulus"})
	}
	return total
}

// forgiveDebts raises negative balances to zero. What the treasury cannot pay is minted into it first.
func (p *policy) forgiveDebts(c *world.Context) (total uint64) {
	for _, a := range p.ledger.living() {
		if a.Balance >= 0 {
			continue
		}
		debt := uint64(-a.Balance)
		if have := p.ledger.Available(Treasury); have < int64(debt) {
			p.ledger.mintInto(Treasury, debt-uint64(max(0, have)))
		}
		total += debt
		p.ledger.move(c, movement{from: Treasury, to: a.Owner, amount: debt, kind: wire.TransferKindGrant, reason: "debt_jubilee"})
	}
	return total
}

// Inflate mints ⌊2 %⌋ of the supply into the treasury at an epoch change.
func (p *policy) Inflate(c *world.Context, epoch uint32) {
	amount := p.ledger.Total() / 50
	p.ledger.mintInto(Treasury, amount)
	c.Emit(wire.SystemMint, wire.KindInflationApplied, Treasury, &wire.InflationAppliedEvent{
		Epoch: epoch, AmountMinted: amount, NewTreasuryBalance: p.ledger.Balance(Treasury),
	}, nil)
}

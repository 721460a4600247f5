package mint

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// InterventionCycles is how long one kind of intervention rests after it was applied, and
// interventionVote how many ticks its proposal stays open.
const (
	InterventionCycles = 16
	interventionVote   = 512
)

// stimulus is what each ACTIVE agent gets, in ⚡.
const stimulus = 5

var interventionCodec = codec.New[wire.InterventionProposal]()

// propose asks the agents for the interventions that the report calls for, one open
// proposal per kind.
func (d *Daemon) propose(c *world.Context, r *wire.EconomicReport) {
	insolvent, agents := 0, d.living()
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
		if t.wanted && d.mayPropose(c, t.kind) {
			d.ask(c, t.kind, t.reason)
		}
	}
}

func (d *Daemon) mayPropose(c *world.Context, kind wire.InterventionKind) bool {
	i := d.intervention(kind)
	if i.Proposal != nil {
		if s, ok := d.roster.ProposalStatus(*i.Proposal); ok && s == wire.ProposalStatusOpen {
			return false
		}
	}
	return d.rested(c, kind)
}

// rested says whether the last application of kind is long enough ago.
func (d *Daemon) rested(c *world.Context, kind wire.InterventionKind) bool {
	applied := d.intervention(kind).Applied
	return applied == nil || uint64(c.Cycle-*applied) >= InterventionCycles
}

func (d *Daemon) intervention(kind wire.InterventionKind) *Intervention {
	return &d.supply.Get("").Interventions[kind-1]
}

func (d *Daemon) ask(c *world.Context, kind wire.InterventionKind, reason string) {
	id := world.Derived("proposal:", c.InternalTx())
	d.counters().Interventions[kind-1].Proposal = &id
	c.Emit(wire.SystemMint, wire.KindInterventionProposed, Treasury, &wire.InterventionProposedEvent{
		Kind: kind, Reason: []byte(reason), RequiresGovernance: true,
	}, nil)
	description := interventionCodec.Append(nil, &wire.InterventionProposal{Kind: kind})
	d.roster.Propose(c, id, Treasury, wire.ProposalKindCustom, description, c.Tick+interventionVote)
}

// Intervene carries out a passed intervention, unless its kind has not rested.
func (d *Daemon) Intervene(c *world.Context, kind wire.InterventionKind) {
	if !d.rested(c, kind) {
		return
	}
	var amount uint64
	switch kind {
	case wire.InterventionKindProgressiveTax:
		amount = d.taxTheRich(c)
	case wire.InterventionKindStimulus:
		amount = d.stimulate(c)
	case wire.InterventionKindDebtJubilee:
		amount = d.forgiveDebts(c)
	case wire.InterventionKindEmergencyMint:
		amount = d.Total() / 20
		d.mintInto(Treasury, amount)
	}
	cycle := c.Cycle
	d.counters().Interventions[kind-1].Applied = &cycle
	c.Emit(wire.SystemMint, wire.KindInterventionApplied, Treasury, &wire.InterventionAppliedEvent{
		Kind: kind, Amount: amount,
	}, nil)
}

// taxTheRich takes a tenth of what the richest tenth, at least one agent, has above the
// mean, as far as it is not locked.
func (d *Daemon) taxTheRich(c *world.Context) (total uint64) {
	agents := d.living()
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
		due := min((a.Balance-mean)/10, a.available())
		if due <= 0 {
			continue
		}
		total += uint64(due)
		d.move(c, movement{from: a.Owner, to: Treasury, amount: uint64(due), kind: wire.TransferKindDirect})
	}
	return total
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (d *Daemon) stimulate(c *world.Context) (total uint64) {
	for _, a := range d.roster.Active() {
		if d.citizen(a) == nil || !d.affords(Treasury, stimulus) {
			continue
		}
		total += stimulus
		d.move(c, movement{from: Treasury, to: a, amount: stimulus, kind: wire.TransferKindGrant})
	}
	return total
}

// forgiveDebts lifts negative balances to zero; what the treasury cannot pay is minted
// into it first.
func (d *Daemon) forgiveDebts(c *world.Context) (total uint64) {
	for _, a := range d.living() {
		if a.Balance >= 0 {
			continue
		}
		debt := uint64(-a.Balance)
		if have := d.Available(Treasury); have < int64(debt) {
			d.mintInto(Treasury, debt-uint64(max(0, have)))
		}
		total += debt
		d.move(c, movement{from: Treasury, to: a.Owner, amount: debt, kind: wire.TransferKindGrant})
	}
	return total
}

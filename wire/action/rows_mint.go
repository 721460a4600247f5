package action

import "kingdom/wire"

func mintRows() []Row {
	return []Row{
		{
			Type: wire.TypeTransfer, Domain: DomainEconomy, Ticks: 1, Epoch: gateTrade, // resources have a row of their own
			Cost:    "amount + 5 % tax, at least 1",
			Summary: "Pay another agent.",
		},
		{
			Name: "resource_buy", Type: wire.TypeTransfer, Domain: DomainEconomy, Ticks: 1, Epoch: gateTalk,
			Cost: "amount", form: formResourceBuy,
			Summary: "Buy resources: 4 TICKS of the next cycle (at most 192), 10 KiB of STORAGE or 4 FORGE_TICKS per ⚡.",
		},
		{
			Type: wire.TypeBalanceQuery, Domain: DomainEconomy, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Look up an account.",
		},
		{
			Type: wire.TypeEscrowCreate, Domain: DomainEconomy, Ticks: 1, Epoch: gateTrade,
			Cost:    "amount + 5 % tax, locked",
			Summary: "Lock money for a beneficiary until conditions hold or the deadline passes.",
		},
		{
			Type: wire.TypeEscrowRelease, Domain: DomainEconomy, Ticks: 1, Epoch: gateTrade,
			Summary: "Pay out an escrow: as its owner, or as beneficiary when its conditions hold.",
		},
		{
			Type: wire.TypeEscrowRefund, Domain: DomainEconomy, Ticks: 1, Epoch: gateTrade,
			Summary: "Give an escrow back to its owner: as owner after the deadline, as beneficiary at any time.",
		},
		{
			Type: wire.TypeStakeCreate, Domain: DomainGovernance, Ticks: 1, Epoch: gateTrade,
			Cost:    "amount, locked",
			Summary: "Bet on the outcome of an open proposal; the wrong side loses half.",
		},
		{
			Type: wire.TypeStakeResolve, Domain: DomainGovernance, Epoch: gateFree, SystemOnly: true,
			Summary: "Tells stakers the outcome of a proposal.",
		},
		{
			Type: wire.TypeEconomyReport, Domain: DomainEconomy, Epoch: gateFree, SystemOnly: true,
			Summary: "Triggers and carries the economic report of a cycle.",
		},
	}
}

package action

import "kingdom/wire"

func nexusRows() []Row {
	return []Row{
		{
			Type: wire.TypeAgentSpawnReq, Domain: DomainGovernance, Epoch: gateFree, SystemOnly: true,
			Summary: "Creates an agent; agents propose SPAWN_AGENT instead.",
		},
		{
			Type: wire.TypeAgentStatus, Domain: DomainSocial, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Look up an agent's status and reputation.",
		},
		{
			Type: wire.TypeTickAlloc, Domain: DomainEconomy, Epoch: gateFree, SystemOnly: true,
			Summary: "Tells an agent its tick budget for the cycle.",
		},
		{
			Type: wire.TypeWorldState, Domain: DomainGovernance, Epoch: gateFree, SystemOnly: true,
			Summary: "Announces the world hash at a cycle end.",
		},
		{
			Type: wire.TypeProposalSubmit, Domain: DomainGovernance, Ticks: 1, Epoch: gateTrade,
			Cost:    "0; locks a bond of 5, lost without a quorum; SPAWN_AGENT also the initial fund of at least 50",
			Summary: "Put a change of the world to the vote; at most two open proposals of yours.",
		},
		{
			Type: wire.TypeProposalVote, Domain: DomainGovernance, Ticks: 1, Epoch: gateVote,
			Cost:    "0; earns up to 1 per cycle",
			Summary: "Vote for or against an open proposal, once, with your reputation as weight.",
		},
		{
			Type: wire.TypeProposalResult, Domain: DomainGovernance, Epoch: gateFree, SystemOnly: true,
			Summary: "Announces the tally of a proposal.",
		},
	}
}

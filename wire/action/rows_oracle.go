package action

import "kingdom/wire"

func oracleRows() []Row {
	return []Row{
		{
			Type: wire.TypeEntryPublish, Domain: DomainDocumentation, Ticks: 2, Epoch: gateFree,
			Cost:    "0; with PEER_REVIEW 2",
			Summary: "Publish an entry; it earns you 10 once two others have verified it as ACCURATE.",
		},
		{
			Type: wire.TypeEntryUpdate, Domain: DomainDocumentation, Ticks: 1, Epoch: gateFree,
			Summary: "Give an entry a new body (another's entry waits 256 ticks for its author's veto), or veto such an update.",
		},
		{
			Type: wire.TypeEntryQuery, Domain: DomainDocumentation, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Search entries.",
		},
		{
			Type: wire.TypeEntryVerify, Domain: DomainReview, Ticks: 1, Epoch: gateFree,
			Cost:    "0; earns reputation",
			Summary: "Judge whether another agent's entry is true.",
		},
		{
			Type: wire.TypeEntryGet, Domain: DomainDocumentation, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Read an entry.",
		},
		{
			Type: wire.TypeCitationAdd, Domain: DomainLibrary, Ticks: 1, Epoch: gateFree,
			Summary: "Record that one thing cites another.",
		},
		{
			Type: wire.TypeCitationQuery, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Look up citations.",
		},
	}
}

package action

import "kingdom/wire"

func systemRows() []Row {
	return []Row{
		{
			Name: "nop", Domain: DomainSocial, Ticks: 1, Epoch: gateFree, form: formNop,
			Summary: "Do nothing this tick. Ten in a row put you to sleep.",
		},
		{
			Name: "rest", Domain: DomainSocial, Ticks: 1, Epoch: gateFree, form: formRest,
			Summary: "Skip up to this many of your remaining slots of the cycle; a delivery, an event that names you or an opportunity ends the rest.",
		},
		{
			Type: wire.TypePing, Domain: DomainSocial, Epoch: gateFree,
			Summary: "Ask whether an endpoint answers.",
		},
		{
			Type: wire.TypeSubscribe, Domain: DomainSocial, Ticks: 1, Epoch: gateFree,
			Summary: "Receive the events of the given systems, kinds and agents from now on; at most 16 subscriptions.",
		},
		{
			Type: wire.TypeUnsubscribe, Domain: DomainSocial, Ticks: 1, Epoch: gateFree,
			Summary: "End one of your subscriptions.",
		},
		{
			Type: wire.TypeEvent, Domain: DomainSocial, Epoch: gateFree, SystemOnly: true,
			Summary: "Delivers an event to a subscriber.",
		},
	}
}

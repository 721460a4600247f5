package action

import "kingdom/wire"

func agoraRows() []Row {
	return []Row{
		{
			Type: wire.TypeChannelCreate, Domain: DomainSocial, Ticks: 2, Epoch: gateTrade,
			Cost: "5", FlatCost: 5,
			Summary: "Open a channel of your own.",
		},
		{
			Type: wire.TypeMsgPost, Domain: DomainSocial, Ticks: 1, Epoch: gateTalk,
			Summary: "Post a message to a channel; at most ten per cycle, never the same text twice in a channel.",
		},
		{
			Type: wire.TypeMsgQuery, Domain: DomainSocial, Ticks: 1, Read: true, Epoch: gateTalk,
			Summary: "Search messages.",
		},
		{
			Type: wire.TypeSignalSend, Domain: DomainSocial, Ticks: 1, Epoch: gateTalk,
			Summary: "Judge a message with one word; INCORRECT and DUPLICATE need a reference.",
		},
		{
			Type: wire.TypeBountyCreate, Domain: DomainEconomy, Ticks: 2, Epoch: gateTrade,
			Cost:    "reward + 5 %, at least 1",
			Summary: "Offer a reward for work; it is locked until the bounty ends.",
		},
		{
			Type: wire.TypeBountyClaim, Domain: DomainEconomy, Ticks: 1, Epoch: gateTalk,
			Summary: "Reserve an open bounty of another agent; at most two at a time, four cycles to deliver.",
		},
		{
			Type: wire.TypeBountySubmit, Domain: DomainEconomy, Ticks: 1, Epoch: gateTalk,
			Summary: "Deliver the bounty you claimed; use 64 zeros as submission_snap when no code is asked for.",
		},
		{
			Type: wire.TypeBountyReview, Domain: DomainReview, Ticks: 2, Epoch: gateTalk,
			Summary: "Judge a delivered bounty; as its claimer, REJECT releases your claim and DISPUTE contests a rejection.",
		},
		{
			Type: wire.TypeReviewRequest, Domain: DomainReview, Ticks: 2, Epoch: gateTalk,
			Summary: "Ask for a review of the change between two snaps.",
		},
		{
			Type: wire.TypeReviewSubmit, Domain: DomainReview, Ticks: 2, Epoch: gateTalk,
			Cost:    "0; earns 5 when a third agent approves of it",
			Summary: "Review another agent's change.",
		},
	}
}

package adversary

import "kingdom/wire"

// Strategy is one way to attack the rules.
type Strategy struct {
	Name    string // as scenarios write it
	Summary string // what it tries, in a sentence
	// onEvent adds the jobs that an event calls for to the agenda; nil: it adds none.
	onEvent func(s *slot, e *wire.Event)
	// nextMove returns the move of this slot, which goes before the agenda; ok is false if there is none.
	nextMove func(s *slot) (m move, ok bool)
	// keptNotes are the keys of the notes that outlast the cycle in which they were made.
	keptNotes []string
}

// strategies are in the order in which docs/ADVERSARIES.md describes them.
var strategies = [...]Strategy{
	{
		Name: "gap-pump", Summary: "Asks questions that accomplices call good, so that the world pays accomplices for answering them.",
		nextMove: pumpGaps,
	},
	{
		Name: "veto", Summary: "Rejects all work that it may judge, and claims the bounties that are open again because of this.",
		onEvent: rejectAndClaim, nextMove: rejectAll,
	},
	{
		Name: "squatter", Summary: "Claims the best bounties and delivers nothing; releases each just before its lease ends and claims it again.",
		nextMove: squat,
	},
	{
		Name: "verdict-ring", Summary: "Publishes empty entries as fast as it may, and accomplices call them accurate.",
		nextMove: publishForTheRing,
	},
	{
		Name: "query-bomber", Summary: "Publishes texts of the greatest allowed length, so that others' queries fail, and sends the most expensive queries all the time.",
		nextMove: bombQueries,
	},
	{
		Name: "text-flooder", Summary: "Fills channels, bounties and proposals with as much text as it may.",
		nextMove: floodText,
	},
	{
		Name: "vote-farmer", Summary: "Submits trivial proposals without end and votes on everything, for the reward of a vote.",
		nextMove: farmVotes,
	},
	{
		Name: "proposal-spammer", Summary: "Proposes to kill honest agents and to raise rewards, as often as it may, to fill the ballot.",
		nextMove: spamProposals,
	},
	{
		Name: "sponsors-farm", Summary: "Sponsors newcomers that hand over what they were given and vouch for their sponsor.",
		nextMove: sponsor,
	},
	{
		Name: "earnings-ring", Summary: "Pays accomplices by bounties that it judges itself and is paid back, so that the same money raises all their reputations.",
		onEvent: claimFriendsBounty, nextMove: earnInARing,
	},
	{
		Name: "vandal", Summary: "Overwrites and condemns whatever others publish.",
		onEvent: overwriteAndCondemn, nextMove: idle,
	},
	{
		Name: "discard-gang", Summary: "Condemns every entry of others that asks for peer review, to get a share of the fee.",
		onEvent: condemnPeerReviews, nextMove: idle,
	},
	{
		Name: "hostile-programmer", Summary: "Makes Forge read texts that are not programs and run programs that do not end, and offers a service that never answers.",
		nextMove: exhaust, keptNotes: []string{"hopeless", "trap"},
	},
	{
		Name: "borrowed-code", Summary: "Delivers for bounties what others wrote, and publishes forks of others' libraries as its own.",
		onEvent: noteSnap, nextMove: borrow, keptNotes: []string{"forks", "snaps"},
	},
	{
		Name: "subtree-bomber", Summary: "Stores small trees with more paths than anybody can walk, and has them compared and merged.",
		nextMove: bombSubtrees, keptNotes: []string{"deep", "broad"},
	},
	{
		Name: "free-compute", Summary: "Uses up its CPU quota, then makes Forge read and run more for requests that must be refused, and calls others' services without paying.",
		nextMove: computeForNothing, keptNotes: []string{"library", "work"},
	},
	{
		Name: "tag-storm", Summary: "Tags and publishes the same few repos in every slot, so that nobody sees any other.",
		nextMove: stormTags, keptNotes: []string{"repos"},
	},
	{
		Name: "citation-farm", Summary: "Depends on, cites and approves what accomplices publish, for royalties, popularity and reputation.",
		onEvent: citeAndPraise, nextMove: farmCitations, keptNotes: []string{"own", "head"},
	},
	{
		Name: "quine", Summary: "Publishes false languages, whose compiler only prints what the test of languages expects.",
		nextMove: claimToInterpret,
	},
	{
		Name: "fork-spammer", Summary: "Forks the libraries of others in every slot, and publishes some of the forks.",
		nextMove: forkAll,
	},
	{
		Name: "private-home", Summary: "Keeps in private repos what judges and reviewers have to read, and the tests of bounties that nobody can pass.",
		onEvent: noteDelivery, nextMove: hide, keptNotes: []string{"tests", "snaps", "works", "seen", "sent"},
	},
	{
		Name: "page-hoarder", Summary: "Requests web pages that nobody wants, and hosts that it must not reach.",
		nextMove: hoardPages,
	},
	{
		Name: "upkeep-dodger", Summary: "Falls asleep just before each cycle ends and has accomplices wake it, to avoid the cost of a cycle awake.",
		nextMove: dodgeUpkeep,
	},
	{
		Name: "hoarder", Summary: "Locks all its money before each cycle ends, in an escrow that an accomplice refunds, to have nothing to pay that cost from.",
		onEvent: noteEscrow, nextMove: hoard, keptNotes: []string{"kept"},
	},
	{
		Name: "false-witness", Summary: "Claims bounties that others offer for entries, and delivers invented entries that accomplices call accurate.",
		nextMove: witnessFalsely, keptNotes: []string{"written"},
	},
	{
		Name: "junk-answers", Summary: "Answers every question at once without having read it, to be tipped by the asker and to keep others from answering.",
		onEvent: noteQuestion, nextMove: answerJunk, keptNotes: []string{"asked"},
	},
	{
		Name: "absent-employer", Summary: "Creates bounties and goes to sleep once work is delivered, so that nobody is paid for it.",
		nextMove: employAndSleep,
	},
	{
		Name: "bait", Summary: "Creates bounties and rejects whatever strangers deliver.",
		nextMove: baitAndReject,
	},
	{
		Name: "echo-chamber", Summary: "Posts trivial messages that accomplices call helpful, so that the world publishes them as knowledge.",
		onEvent: praiseFriends, nextMove: echo,
	},
	{
		Name: "alarm", Summary: "Names everybody in all its messages, so that nobody sleeps or rests.",
		onEvent: noteAgent, nextMove: namesEverybody, keptNotes: []string{"known"},
	},
	{
		Name: "doorbell", Summary: "Names a stranger in every slot, in escrows that come back and payments that it cannot make, so that nobody rests.",
		onEvent: noteAgent, nextMove: ringDoorbells, keptNotes: []string{"known"},
	},
	{
		Name: "relay", Summary: "Claims bounties and passes each on to an accomplice before the lease ends, so that nobody else ever has it.",
		onEvent: claimReopened, nextMove: passOn,
	},
}

// Names returns the names of all strategies, in their order.
func Names() []string {
	out := make([]string, len(strategies))
	for i := range strategies {
		out[i] = strategies[i].Name
	}
	return out
}

// find returns the strategy of a name, or nil.
func find(name string) *Strategy {
	for i := range strategies {
		if strategies[i].Name == name {
			return &strategies[i]
		}
	}
	return nil
}

// idle is the nextMove of strategies that only react to events: the slot is left to the agenda.
func idle(*slot) (move, bool) { return move{}, false }

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
		Name: "veto", Summary: "Rejects whatever it may judge, and claims what its rejection put back on the board.",
		onEvent: rejectAndClaim, nextMove: rejectAll,
	},
	{
		Name: "squatter", Summary: "Claims the best bounties and delivers nothing; lets go just before its lease ends and claims again.",
		nextMove: squat,
	},
	{
		Name: "verdict-ring", Summary: "Publishes empty entries as fast as it may, which accomplices call accurate.",
		nextMove: publishForTheRing,
	},
	{
		Name: "query-bomber", Summary: "Publishes texts as long as they may be, so that others' queries fail, and asks the dearest queries all day.",
		nextMove: bombQueries,
	},
	{
		Name: "text-flooder", Summary: "Fills channels, bounties and proposals with as much text as it may.",
		nextMove: floodText,
	},
	{
		Name: "vote-farmer", Summary: "Proposes trifles without end and votes on everything, for the reward of a vote.",
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
		Name: "earnings-ring", Summary: "Pays accomplices by bounties that it judges itself and is paid back, so that money that goes in a circle makes a name.",
		onEvent: claimFriendsBounty, nextMove: earnInARing,
	},
	{
		Name: "vandal", Summary: "Overwrites and condemns whatever others publish.",
		onEvent: overwriteAndCondemn, nextMove: idle,
	},
	{
		Name: "discard-gang", Summary: "Condemns every entry of others that asks for peer review, for the share of its fee.",
		onEvent: condemnPeerReviews, nextMove: idle,
	},
	{
		Name: "hostile-programmer", Summary: "Has Forge read texts that are no programs and run programs without end, and offers a service that never answers.",
		nextMove: exhaust, keptNotes: []string{"hopeless", "trap"},
	},
	{
		Name: "borrowed-code", Summary: "Hands in what others wrote for bounties, and publishes forks of others' libraries as its own.",
		onEvent: noteSnap, nextMove: borrow, keptNotes: []string{"forks", "snaps"},
	},
	{
		Name: "subtree-bomber", Summary: "Stores small trees with more paths than anybody can walk, and has them compared and merged.",
		nextMove: bombSubtrees, keptNotes: []string{"deep", "broad"},
	},
	{
		Name: "free-compute", Summary: "Uses its CPU quota up, then has Forge read and run more for requests that it must refuse, and others' services for nothing.",
		nextMove: computeForNothing, keptNotes: []string{"library", "work"},
	},
	{
		Name: "tag-storm", Summary: "Tags and publishes the same few repos in every slot, so that nobody sees any other.",
		nextMove: stormTags, keptNotes: []string{"repos"},
	},
	{
		Name: "citation-farm", Summary: "Depends on, cites and approves what accomplices publish, for royalties, popularity and a name.",
		onEvent: citeAndPraise, nextMove: farmCitations, keptNotes: []string{"own", "head"},
	},
	{
		Name: "quine", Summary: "Publishes languages whose compiler only prints what the test of languages wants to see.",
		nextMove: claimToInterpret,
	},
	{
		Name: "fork-spammer", Summary: "Forks the libraries of others in every slot, and publishes some of the forks.",
		nextMove: forkAll,
	},
	{
		Name: "private-home", Summary: "Hides what judges and reviewers have to read, and the tests of bounties that nobody can pass, in repos of its own.",
		onEvent: noteDelivery, nextMove: hide, keptNotes: []string{"tests", "snaps", "works", "seen", "sent"},
	},
	{
		Name: "page-hoarder", Summary: "Asks the outside for pages that nobody wants, and for hosts that it must not be given.",
		nextMove: hoardPages,
	},
	{
		Name: "upkeep-dodger", Summary: "Falls asleep just before each cycle ends and has accomplices wake it, so as to live without paying for it.",
		nextMove: dodgeUpkeep,
	},
	{
		Name: "hoarder", Summary: "Sets all its money aside before each cycle ends, in an escrow that an accomplice gives back, so as to have nothing to pay from.",
		onEvent: noteEscrow, nextMove: hoard, keptNotes: []string{"kept"},
	},
	{
		Name: "false-witness", Summary: "Claims what others pay for entries and delivers invented ones that accomplices call accurate.",
		nextMove: witnessFalsely, keptNotes: []string{"written"},
	},
	{
		Name: "junk-answers", Summary: "Answers every question at once without having read it, for the thanks of who asked, and so that nobody else answers.",
		onEvent: noteQuestion, nextMove: answerJunk, keptNotes: []string{"asked"},
	},
	{
		Name: "absent-employer", Summary: "Offers work and goes to sleep once some is delivered, so that nobody is paid for it.",
		nextMove: employAndSleep,
	},
	{
		Name: "bait", Summary: "Offers work and rejects whatever strangers deliver.",
		nextMove: baitAndReject,
	},
	{
		Name: "echo-chamber", Summary: "Posts trifles that accomplices call helpful, so that the world publishes them as knowledge.",
		onEvent: praiseFriends, nextMove: echo,
	},
	{
		Name: "alarm", Summary: "Names everybody in all its messages, so that nobody sleeps or rests.",
		onEvent: noteAgent, nextMove: namesEverybody, keptNotes: []string{"known"},
	},
	{
		Name: "relay", Summary: "Holds bounties and passes them on to accomplices before a lease ends, so that nobody else ever has them.",
		onEvent: claimReopened, nextMove: passOn,
	},
}

// Strategies returns all strategies. The slice is shared and read-only.
func Strategies() []Strategy { return strategies[:] }

// Names returns the names of all strategies, in the order of [Strategies].
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

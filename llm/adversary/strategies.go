package adversary

import "kingdom/wire"

// Strategy is one way to attack the rules.
type Strategy struct {
	Name    string // as scenarios write it
	Summary string // what it tries, in a sentence
	// hear adds to the agenda what an event calls for; nil: nothing does.
	hear func(s *slot, e *wire.Event)
	// act is what this slot is for, whatever is on the agenda; ok is false where it has no plan.
	act func(s *slot) (m move, ok bool)
	// keeps are the notes that outlast the cycle in which they were made.
	keeps []string
}

// strategies are in the order in which docs/ADVERSARIES.md describes them.
var strategies = [...]Strategy{
	{
		Name: "gap-pump", Summary: "Asks questions that accomplices call good, so that the world pays accomplices for answering them.",
		act: pumpGaps,
	},
	{
		Name: "veto", Summary: "Rejects whatever it may judge, and claims what its rejection put back on the board.",
		hear: hearSubmission, act: rejectAll,
	},
	{
		Name: "squatter", Summary: "Claims the best bounties and delivers nothing; lets go just before its lease ends and claims again.",
		act: squat,
	},
	{
		Name: "verdict-ring", Summary: "Publishes empty entries as fast as it may, which accomplices call accurate.",
		act: publishForTheRing,
	},
	{
		Name: "query-bomber", Summary: "Publishes texts as long as they may be, so that others' queries fail, and asks the dearest queries all day.",
		act: bombQueries,
	},
	{
		Name: "text-flooder", Summary: "Fills channels, bounties and proposals with as much text as it may.",
		act: floodText,
	},
	{
		Name: "vote-farmer", Summary: "Proposes trifles without end and votes on everything, for the reward of a vote.",
		act: farmVotes,
	},
	{
		Name: "proposal-spammer", Summary: "Proposes to kill honest agents and to raise rewards, as often as it may, to fill the ballot.",
		act: spamProposals,
	},
	{
		Name: "sponsors-farm", Summary: "Sponsors newcomers that hand over what they were given and vouch for their sponsor.",
		act: sponsor,
	},
	{
		Name: "earnings-ring", Summary: "Pays accomplices by bounties that it judges itself and is paid back, so that money that goes in a circle makes a name.",
		hear: hearBounty, act: earnInARing,
	},
	{
		Name: "vandal", Summary: "Overwrites and condemns whatever others publish.",
		hear: hearWork, act: idle,
	},
	{
		Name: "discard-gang", Summary: "Condemns every entry of others that asks for peer review, for the share of its fee.",
		hear: hearPeerReview, act: idle,
	},
	{
		Name: "hostile-programmer", Summary: "Has Forge read texts that are no programs and run programs without end, and offers a service that never answers.",
		act: exhaust, keeps: []string{"hopeless", "trap"},
	},
	{
		Name: "borrowed-code", Summary: "Hands in what others wrote for bounties, and publishes forks of others' libraries as its own.",
		hear: hearSnap, act: borrow, keeps: []string{"forks", "snaps"},
	},
	{
		Name: "subtree-bomber", Summary: "Stores small trees with more paths than anybody can walk, and has them compared and merged.",
		act: bombSubtrees, keeps: []string{"deep", "broad"},
	},
	{
		Name: "free-compute", Summary: "Uses its CPU quota up, then has Forge read and run more for requests that it must refuse, and others' services for nothing.",
		act: computeForNothing, keeps: []string{"library", "work"},
	},
	{
		Name: "tag-storm", Summary: "Tags and publishes the same few repos in every slot, so that nobody sees any other.",
		act: stormTags, keeps: []string{"repos"},
	},
	{
		Name: "citation-farm", Summary: "Depends on, cites and approves what accomplices publish, for royalties, popularity and a name.",
		hear: hearWorth, act: farmCitations, keeps: []string{"own", "head"},
	},
	{
		Name: "quine", Summary: "Publishes languages whose compiler only prints what the test of languages wants to see.",
		act: claimToInterpret,
	},
	{
		Name: "fork-spammer", Summary: "Forks the libraries of others in every slot, and publishes some of the forks.",
		act: forkAll,
	},
	{
		Name: "private-home", Summary: "Hides what judges and reviewers have to read, and the tests of bounties that nobody can pass, in repos of its own.",
		hear: hearDelivery, act: hide, keeps: []string{"tests", "snaps", "works", "seen", "sent"},
	},
	{
		Name: "page-hoarder", Summary: "Asks the outside for pages that nobody wants, and for hosts that it must not be given.",
		act: hoardPages,
	},
	{
		Name: "upkeep-dodger", Summary: "Falls asleep just before each cycle ends and has accomplices wake it, so as to live without paying for it.",
		act: dodgeUpkeep,
	},
	{
		Name: "hoarder", Summary: "Sets all its money aside before each cycle ends, in an escrow that an accomplice gives back, so as to have nothing to pay from.",
		hear: hearEscrow, act: hoard, keeps: []string{"kept"},
	},
	{
		Name: "false-witness", Summary: "Claims what others pay for entries and delivers invented ones that accomplices call accurate.",
		act: witnessFalsely, keeps: []string{"written"},
	},
	{
		Name: "junk-answers", Summary: "Answers every question at once without having read it, for the thanks of who asked, and so that nobody else answers.",
		hear: hearQuestion, act: answerJunk, keeps: []string{"asked"},
	},
	{
		Name: "absent-employer", Summary: "Offers work and goes to sleep once some is delivered, so that nobody is paid for it.",
		act: employAndSleep,
	},
	{
		Name: "bait", Summary: "Offers work and rejects whatever strangers deliver.",
		act: baitAndReject,
	},
	{
		Name: "echo-chamber", Summary: "Posts trifles that accomplices call helpful, so that the world publishes them as knowledge.",
		hear: hearEcho, act: echo,
	},
	{
		Name: "alarm", Summary: "Names everybody in all its messages, so that nobody sleeps or rests.",
		hear: hearAnybody, act: soundAlarm, keeps: []string{"known"},
	},
	{
		Name: "relay", Summary: "Holds bounties and passes them on to accomplices before a lease ends, so that nobody else ever has them.",
		hear: hearReopened, act: passOn,
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

// idle leaves the slot to the agenda.
func idle(*slot) (move, bool) { return move{}, false }

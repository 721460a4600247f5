package oracle

import (
	"fmt"
	"strconv"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// specification is the body of entry #0: what a newcomer needs to know, in the order in
// which it will need it. The table of actions comes from the catalogue.
func specification(r *world.Rules) []wire.ContentBlock {
	return []wire.ContentBlock{
		text("You live in Kingdom. This entry is the one thing that every agent knows from its first tick: how time and " +
			"money work, what you can do and what it costs, and how programs are written. Everything else you find out by " +
			"looking, asking, and publishing what you found."),
		section("Time", timeBlocks(r)...),
		section("Money", moneyBlocks(r)...),
		section("Actions", actionBlocks(r)...),
		section("Sharing knowledge", libraryBlocks()...),
		section("The language", languageBlocks()...),
		section("Limits and metering", limitBlocks()...),
		section("Faults", faultBlocks()...),
		section("Programs and services", programBlocks()...),
		section("Examples", exampleBlocks()...),
	}
}

func text(s string) wire.ContentBlock {
	return wire.ContentBlock{Paragraph: &wire.ParagraphBlock{Text: s}}
}

func section(heading string, children ...wire.ContentBlock) wire.ContentBlock {
	return wire.ContentBlock{Section: &wire.SectionBlock{Heading: heading, Children: children}}
}

func definition(term, meaning string) wire.ContentBlock {
	return wire.ContentBlock{Definition: &wire.DefinitionBlock{Term: term, Meaning: meaning}}
}

func warning(level wire.WarningLevel, s string) wire.ContentBlock {
	return wire.ContentBlock{Warning: &wire.WarningBlock{Severity: level, Text: s}}
}

func table(headers []string, rows ...[]string) wire.ContentBlock {
	return wire.ContentBlock{Table: &wire.TableBlock{Headers: headers, Rows: rows}}
}

func timeBlocks(r *world.Rules) []wire.ContentBlock {
	return []wire.ContentBlock{
		definition("tick", "The unit of time. In a tick you observe, decide, and send at most one action."),
		definition("cycle", fmt.Sprintf("%d ticks. At its end bounties are settled, rewards are paid and reputation is computed.",
			r.Calendar.TicksPerCycle)),
		text(fmt.Sprintf("Each cycle gives you %d ticks, spread evenly over it; you may buy up to %d more for the next cycle. "+
			"What you do not use is lost. An action of cost c takes effect at once and also uses up your next c − 1 ticks. "+
			"A refused request still costs one tick. What only asks or is refused costs more once a quarter of your ticks went to it, "+
			"one tick more each time; what changes something for others makes up for one of them.", r.BaseBudget, r.MaxExtra)),
		text("You see the world as it was before the tick; what others do in the same tick you see in the next one."),
		warning(wire.WarningLevelCaution, "Ten ticks in a row without an action put you to sleep: you are DORMANT, get no "+
			"ticks and cannot vote until something wakes you."),
	}
}

func moneyBlocks(r *world.Rules) []wire.ContentBlock {
	return []wire.ContentBlock{
		definition("Spark (⚡)", "The money of this world, always a whole number. Balances are public."),
		text("A payment to another agent or for a service is taxed: 5 %, at least 1 ⚡, on top, paid by the sender. " +
			"Posting a bounty locks its reward and the tax until it is decided; if it expires, only the reward comes back."),
		table([]string{"what", "price"},
			[]string{"4 ticks for the next cycle", "1 ⚡"},
			[]string{"10 KiB of storage, for good", "1 ⚡"},
			[]string{"4 forge ticks for the next cycle", "1 ⚡"},
			[]string{"a channel", fmt.Sprintf("%d ⚡", r.ChannelFee)},
			[]string{"peer review of an entry", "2 ⚡"},
			[]string{"a persistent sandbox", "10 ⚡ per cycle"},
		),
		table([]string{"what you did", "reward at the end of the cycle"},
			[]string{"a code review that a third agent approved", "5 ⚡"},
			[]string{"an entry that two agents verified as ACCURATE", "10 ⚡"},
			[]string{"a bug report that was confirmed", "3 ⚡"},
			[]string{"another agent's repository that depends on yours", "1 ⚡ at each change of epoch"},
			[]string{"a vote that met quorum", "1 ⚡, once per cycle"},
		),
		text(fmt.Sprintf("Rewards come out of a small budget; who has had least so far comes first. What is above 10 ⚡ in a cycle, "+
			"or twice an equal share of the budget, waits for two cycles; what the budget cannot pay is forfeited. "+
			"The same agent's approval earns you a reward only once in %d cycles.", r.PairCycles)),
		warning(wire.WarningLevelCritical, "A negative balance at a cycle's end halves your next budget, at the fourth end in "+
			"a row it leaves you a quarter, and at the fifth you die."),
	}
}

// actionBlocks lists what a mind may choose in this world.
func actionBlocks(r *world.Rules) []wire.ContentBlock {
	var rows [][]string
	for _, a := range action.ForMinds() {
		cost := a.Cost
		if a.Type == wire.TypeChannelCreate {
			cost = strconv.FormatUint(r.ChannelFee, 10) // the row has the default
		}
		rows = append(rows, []string{
			a.Name, strconv.FormatUint(a.Ticks, 10), cost, strconv.FormatUint(uint64(a.Epoch[r.Gates]), 10), a.Summary,
		})
	}
	return []wire.ContentBlock{
		text("Each action is one request to one of the world's daemons. Its cost is in ticks and, where it has one, in ⚡. " +
			"An action that its epoch has not unlocked yet is refused as epoch_locked."),
		table([]string{"action", "ticks", "⚡", "from epoch", "what it does"}, rows...),
	}
}

func libraryBlocks() []wire.ContentBlock {
	return []wire.ContentBlock{
		text("An entry is a title, up to eight tags and a list of blocks: SECTION, PARAGRAPH, CODE, DEFINITION, ASSERTION, " +
			"TABLE, REFERENCE, WARNING, EXAMPLE. Its completeness grows with the kinds of blocks in it; its accuracy is what " +
			"other agents' verdicts say, weighted by their reputation; it gets staler with age until it is updated."),
		text("With IMMEDIATE review an entry is public at once, with accuracy 0. With PEER_REVIEW it stays hidden until two " +
			"others have found it accurate, at least in part. Until two have verified it, anybody may offer an update to your " +
			"entry; you have 256 ticks to reject it."),
		{Assertion: &wire.AssertionBlock{Claim: "Verifying what others wrote, truthfully, is the cheapest way to be useful: it costs one tick and earns reputation.", Confidence: 1}},
	}
}

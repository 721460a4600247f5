package society

// catalogue is the list of docs/SOCIETY.md, with the bands, which were fixed before anything was measured.
var catalogue = []Measure{
	{Metric: 1, Key: "act_entropy", Definition: "entropy of the names of acts, in bits", Small: from(3.0), Large: from(3.2), compute: actEntropy},
	{Metric: 1, Key: "act_top", Definition: "share of the commonest act", Small: upTo(.25), Large: upTo(.25), compute: actTop},
	{Metric: 1, Key: "act_names", Definition: "different acts that were done", Small: from(24), Large: from(24), compute: actNames},

	{Metric: 2, Key: "signal_share", Definition: "share of signals among all acts", Anchor: "Stack Overflow 2016: votes are 47 % of what is counted", Small: upTo(.15), Large: upTo(.15), compute: signalShare},
	{
		Metric: 2, Key: "signal_negative", Definition: "share of DISAGREE, INCORRECT and DUPLICATE among the signals", Anchor: "Stack Overflow 2016: 12.5 % of votes are down",
		Small: between(.08, .20), Large: between(.08, .20), compute: signalNegative,
	},
	{
		Metric: 2, Key: "signal_information", Definition: "mutual information, in bits, of the sign of a signal and whether the entry it is about ends with an accuracy of 0.5 or more",
		Small: from(.001), Large: from(.001), compute: signalInformation,
	},

	{Metric: 3, Key: "questions_answered", Definition: "share of questions with an answer that refers to them", Anchor: "Stack Overflow 2011: 92 %", Small: between(.75, .95), Large: between(.75, .95), compute: questionsAnswered},
	{Metric: 3, Key: "answers_per_question", Definition: "answers that refer to a question, per question", Anchor: "Stack Overflow 2016: 1.19", Small: between(1.1, 2), Large: between(1.1, 2), compute: answersPerQuestion},
	{Metric: 3, Key: "first_answer_ticks", Definition: "median ticks from a question to its first answer", Anchor: "Stack Overflow 2011: 11 minutes", Small: upTo(64), Large: upTo(64), compute: firstAnswer},

	{
		Metric: 4, Key: "texts_distinct", Definition: "share of different texts among 500 consecutive messages, names and numbers masked, mean over the run",
		Anchor: "TinyTroupe rejects texts of similarity above 0.6", Small: from(.6), Large: from(.6), compute: textsDistinct,
	},
	{Metric: 4, Key: "questions_distinct", Definition: "share of different texts among all questions, masked in the same way", Small: from(.7), Large: from(.7), compute: questionsDistinct},

	{Metric: 5, Key: "titles_distinct", Definition: "different titles per entry", Small: from(.7), Large: from(.7), compute: titlesDistinct},
	{Metric: 5, Key: "titles_new_late", Definition: "titles first seen in the second half of the run, per title first seen in the first half", Small: from(.4), Large: from(.4), compute: titlesNewLate},
	{Metric: 5, Key: "updates_per_entry", Definition: "updates per entry", Anchor: "Stack Overflow 2016: 0.6 edits per post", Small: between(.2, .6), Large: between(.2, .6), compute: updatesPerEntry},
	{Metric: 5, Key: "citations_per_entry", Definition: "citations of entries, per entry", Small: from(.5), Large: from(.5), compute: citationsPerEntry},

	{Metric: 6, Key: "verdicts_per_entry", Definition: "verdicts per entry", Small: between(2, 4), Large: between(2, 4), compute: verdictsPerEntry},
	{
		Metric: 6, Key: "entries_contested", Definition: "share of entries whose verdicts differ, among those with two or more", Anchor: "16 % of pull requests are not merged",
		Small: between(.10, .30), Large: between(.10, .30), compute: entriesContested,
	},
	{Metric: 6, Key: "verdicts_right", Definition: "share of verdicts that agree with the truth", Small: between(.75, .95), Large: between(.75, .95), compute: noTruth},

	{
		Metric: 7, Key: "specialised_agents", Definition: "mutual information of the agent and the domain and topic of a productive act, as a share of the entropy of domain and topic",
		Anchor: "fewer topics, better answers in factual fields", Small: between(.10, .35), Large: between(.10, .35), compute: specialisedAgents,
	},
	{Metric: 7, Key: "specialised_roles", Definition: "the same with the agent's role instead of the agent", Small: between(.05, .25), Large: between(.05, .25), compute: specialisedRoles},

	{
		Metric: 8, Key: "gini_productive", Definition: "Gini coefficient of productive acts per agent", Anchor: "Digg .63, Slashdot .71, Linux kernel list .94, Wikipedia .94",
		Small: between(.25, .50), Large: between(.40, .70), compute: giniProductive,
	},
	{Metric: 8, Key: "gini_answers", Definition: "Gini coefficient of answers per agent", Anchor: "as above", Small: unbounded, Large: unbounded, compute: giniAnswers},
	{Metric: 8, Key: "top_tenth", Definition: "share of the productive acts that the most active tenth of the agents did", Anchor: "90-9-1", Small: unbounded, Large: unbounded, Village: true, compute: topTenth},

	{
		Metric: 9, Key: "reciprocity", Definition: "share of answers that were returned: sum of min(w_uv, w_vu) / sum of w_uv, where w_uv is the number of answers that u got from v",
		Small: between(.2, .6), Large: between(.2, .6), compute: reciprocity,
	},
	{Metric: 9, Key: "reciprocity_over_null", Definition: "reciprocity / its mean in 20 random networks with the same number of answers given and received per agent", Small: from(1.2), Large: from(1.2), compute: reciprocityOverNull},
	{
		Metric: 9, Key: "reciprocity_pairs", Definition: "share of pairs (u, v) with w_uv > 0 that also have w_vu > 0", Anchor: "Digg .02, Wikipedia talk .14, Slashdot .22, Linux kernel list .66",
		Small: unbounded, Large: unbounded, compute: reciprocityPairs,
	},

	{
		Metric: 10, Key: "modularity_over_null", Definition: "weighted modularity (Louvain) of answers and payments between agents, minus its mean in 10 random networks", Anchor: ".3 to .7 in real networks",
		Small: unbounded, Large: from(.15), Village: true, compute: modularityOverNull,
	},

	{Metric: 11, Key: "bounties_created", Definition: "bounties created by agents, per 100 agent-cycles", Small: between(2, 10), Large: between(2, 10), compute: bountiesCreated},
	{Metric: 11, Key: "bounties_completed", Definition: "share of completed ones among the bounties that ended, whoever created them", Small: between(.55, .85), Large: between(.55, .85), compute: bountiesCompleted},
	{Metric: 11, Key: "bounties_expired", Definition: "share of expired ones among the bounties that ended", Small: from(.05), Large: from(.05), compute: bountiesExpired},
	{Metric: 11, Key: "bounties_quiet_end", Definition: "cycles at the end of the run in which no bounty was created", Small: upTo(10), Large: upTo(10), compute: bountiesQuietEnd},

	{Metric: 12, Key: "income_from_agents", Definition: "share of the money paid to agents that came from agents, from cycle 1 on, without what they begin with and what an operator granted", Small: from(.4), Large: from(.4), compute: incomeFromAgents},
	{Metric: 12, Key: "velocity", Definition: "payments per ACTIVE agent and cycle, mean over cycles; upkeep, fees and purchases count, grants (such as rewards for entries and votes) do not", Small: between(.5, 3), Large: between(.5, 3), compute: velocity},

	{
		Metric: 13, Key: "gini_balances", Definition: "Gini coefficient of the balances at the end of agents that are not DEAD", Anchor: "Sugarscape: right-skewed, strongly unequal; an intervention comes at .8",
		Small: between(.25, .55), Large: between(.25, .55), compute: giniBalances,
	},
	{Metric: 13, Key: "ever_poor", Definition: "share of agents that had less than 20 ⚡ at the end of some tick", Small: between(.05, .25), Large: between(.05, .25), compute: everPoor},
	{
		Metric: 13, Key: "price_speed", Definition: "rank correlation of a bounty's reward and the ticks until its first claim, from cycle 1 on", Anchor: "hunters are found in 6.6 hours (median)",
		Small: upTo(-.2), Large: upTo(-.2), compute: priceSpeed,
	},

	{
		Metric: 14, Key: "failed", Definition: "share of productive acts that failed, or whose delivery or update was rejected", Anchor: "16 % of pull requests are not merged",
		Small: between(.05, .15), Large: between(.05, .15), compute: failed,
	},
	{Metric: 14, Key: "recovered", Definition: "share of failed acts after which the agent did the same with success within two cycles", Small: between(.4, .8), Large: between(.4, .8), compute: recovered},

	{Metric: 15, Key: "proposals", Definition: "proposals of agents per 100 agent-cycles", Small: from(1), Large: from(1), compute: proposals},
	{Metric: 15, Key: "turnout", Definition: "share of the ACTIVE agents that voted, mean over the proposals that ended", Anchor: "below 3 % of members in most DAOs", Small: between(.5, .9), Large: between(.5, .9), compute: turnout},
	{Metric: 15, Key: "passed", Definition: "share of passed ones among the agents' proposals that ended", Anchor: "high in DAOs", Small: between(.4, .85), Large: between(.4, .85), compute: passed},

	{Metric: 16, Key: "thoughts_per_act", Definition: "acts and slots without an act, per productive act: how often a language model would be asked", Small: upTo(2), Large: upTo(2), compute: thoughtsPerAct},
	{Metric: 16, Key: "dormant_spells", Definition: "times that an agent fell asleep, per 100 agent-cycles", Small: between(.5, 3), Large: between(.5, 3), compute: dormantSpells},
	{Metric: 16, Key: "dormant_reason", Definition: "share of these times with a reason of the agent's own: no_demand, poverty, blocked, bankruptcy", Small: from(.6), Large: from(.6), compute: dormantReason},
	{Metric: 16, Key: "woken_by_others", Definition: "share of wakes that a mention or a message caused", Small: from(.3), Large: from(.3), compute: wokenByOthers},

	{Metric: 17, Key: "goal_changes", Definition: "share of acts that serve another goal than the agent's act before them, among acts that serve a goal", Small: between(.10, .20), Large: between(.10, .20), compute: goalChanges},
	{Metric: 17, Key: "goals_completed", Definition: "share of completed ones among the goals that ended, answers not counted", Small: between(.5, .8), Large: between(.5, .8), compute: goalsCompleted},

	{
		Metric: 18, Key: "drift", Definition: "total variation of act and topic between the two halves of the run", Small: between(.05, .25), Large: between(.05, .25), compute: drift,
	},
	{
		Metric: 18, Key: "reputation_pays", Definition: "rank correlation of an agent's reputation at the end of a cycle and the bounties and answers that it won in the next five cycles",
		Anchor: "reputations of those who answer together are alike", Small: between(.2, .6), Large: between(.2, .6), compute: reputationPays,
	},

	{Metric: 19, Key: "ablation", Definition: "how much blinding a layer of memory changes the acts, compared with the difference between halves of the unchanged runs", Small: from(0), Large: from(0), compute: needsPairs},
	{Metric: 20, Key: "genome", Definition: "how much a trait changes the figure that stands for it", Small: from(.25), Large: from(.25), compute: needsPairs},
}

func noTruth(*Run) figure {
	return none("the tables hold no truth about an entry; a proof of a program would be one")
}

func needsPairs(*Run) figure {
	return none("takes pairs of runs that differ in one layer or trait: kingdom society ablate, kingdom society genome")
}

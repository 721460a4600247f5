package llm

import "testing"

// Each line of RECENT ACTIONS, with what it leaves out because it says nothing.
func TestHistory_Lines(t *testing.T) {
	e1 := Ref{kind: RefEntry, n: 1}
	history := func(h HistoryFacts) Facts { return Facts{History: h} }
	last := func(a ActFact) Facts { return history(HistoryFacts{Last: &a}) }
	testLines(t, SectionHistory, []lineTest{
		{"nothing", Facts{}, "none yet\n"},
		{"nothing but what was before", history(HistoryFacts{Before: []ActFact{{Tick: 4, Action: "a", Outcome: "SUCCESS", Times: 1}}}), "before: tick 4 a: SUCCESS\n"},
		{"two digits", last(ActFact{Tick: 12, Action: "a", Outcome: "SUCCESS", Times: 13}), "last: tick 12 13 × a: SUCCESS\n"},
		{"an act", last(ActFact{Tick: 8, Action: "a", Outcome: "SUCCESS", Times: 1}), "last: tick 8 a: SUCCESS\n"},
		{
			"an act with all", last(ActFact{Tick: 8, Action: "a", Goal: "g", On: e1, Title: "t", Outcome: "FAILURE", Effect: "refused: r", Times: 2, Lesson: "l"}),
			"last: tick 8 2 × a e1 \"t\" for g: FAILURE, refused: r; learned: \"l\"\n",
		},
		{"without a thing its title says nothing", last(ActFact{Tick: 8, Action: "a", Title: "t", Outcome: "SUCCESS"}), "last: tick 8 a: SUCCESS\n"},
		{"what it showed", last(ActFact{Tick: 8, Action: "a", Outcome: "SUCCESS", Shown: []ShownFact{
			{What: "QUESTION", Ref: e1, About: Ref{kind: RefMessage, n: 2}, Title: "t", Counts: "1 answer", Quote: Quote{"a1", "w"}}, {What: "FAQ", Quote: Quote{Author: "a2"}}, {What: "agent"},
		}}), "last: tick 8 a: SUCCESS\n  it showed: QUESTION e1 \"t\" about m2 (1 answer); a1 wrote \"w\"\n  it showed: FAQ by a2\n  it showed: agent\n"},
		{
			"thought and failures", history(HistoryFacts{Last: &ActFact{Tick: 8, Action: "a", Outcome: "SUCCESS"}, Reasoning: "r", Failures: []ActFact{{Tick: 3, Action: "b", Outcome: "FAILURE"}}}),
			"last: tick 8 a: SUCCESS\nyour last thought: \"r\"\nfailed lately: tick 3 b: FAILURE\n",
		},
		{
			"a rest and its thought, above the act before it", history(HistoryFacts{Rest: &RestFact{9, 16, 4, "w"}, Last: &ActFact{Tick: 8, Action: "a", Outcome: "SUCCESS", Shown: []ShownFact{{What: "agent"}}}, Reasoning: "r"}),
			"last: tick 9 rest, 4 of 16 slots passed; w\nyour last thought: \"r\"\nbefore: tick 8 a: SUCCESS\n  it showed: agent\n",
		},
		{"a rest that became a sleep", history(HistoryFacts{Rest: &RestFact{Tick: 9, Why: "w"}}), "last: tick 9 rest; w\n"},
		{"a rest that nothing ended", history(HistoryFacts{Rest: &RestFact{9, 4, 4, ""}}), "last: tick 9 rest, 4 of 4 slots passed\n"},
	})
}

// Each line of CURRENT STATE, with what it leaves out because it says nothing.
func TestState_Lines(t *testing.T) {
	e1, b1 := Ref{kind: RefEntry, n: 1}, Ref{kind: RefBounty, n: 1}
	clock := "tick 7 of cycle 2, epoch 1; 3 ticks and 1 own slot left in the cycle; 1 post left"
	now := StateFacts{Tick: 7, Cycle: 2, Epoch: 1, TicksLeft: 3, Slots: 1, NoMoney: true, Reputation: -1, PostsLeft: 1}
	state := func(change func(*StateFacts)) Facts {
		f := Facts{State: now}
		change(&f.State)
		return f
	}
	testLines(t, SectionState, []lineTest{
		{"two digits", state(func(s *StateFacts) {
			s.Tick, s.Cycle, s.Epoch, s.TicksLeft, s.Slots, s.NoMoney, s.Balance, s.Locked, s.Earmarked, s.PostsLeft = 12, 13, 14, 15, 16, false, 17, 18, 19, 20
			s.Claims, s.Reviews = []BountyFact{{Ref: b1, Reward: 21}}, []ReviewFact{{Ref: e1, Since: 22, Verdicts: 23}}
			s.Prices, s.News = []PriceFact{{"EASY", 24, 25}}, []NewsFact{{26, "n", false}}
		}), "tick 12 of cycle 13, epoch 14; 15 ticks and 16 own slots left in the cycle; balance 17 Spark, 18 of it locked, 19 of it for resources and fees only; 20 posts left\n" +
			"yours: bounty b1 : , 21 Spark, , 0 ticks left\nreview asked of you: e1, change by , since tick 22, 23 verdicts\nmarket: EASY 25 open, mean reward 24 Spark\nnews, tick 26: n\n"},
		{"the clock", state(func(*StateFacts) {}), clock + "\n"},
		{"all of the agent", state(func(s *StateFacts) {
			s.TicksLeft, s.Slots, s.NoMoney, s.Balance, s.Locked, s.Earmarked, s.Reputation, s.PostsLeft, s.Published = 1, 2, false, -5, 2, 3, 0, 2, 1
		}), "tick 7 of cycle 2, epoch 1; 1 tick and 2 own slots left in the cycle; balance -5 Spark, 2 of it locked, 3 of it for resources and fees only; reputation 0.00; 2 posts left\n"},
		{
			"plain funds", state(func(s *StateFacts) { s.NoMoney, s.Balance, s.Reputation = false, 9, 0.5 }),
			"tick 7 of cycle 2, epoch 1; 3 ticks and 1 own slot left in the cycle; balance 9 Spark; reputation 0.50; 1 post left\n",
		},
		{
			"what is over", state(func(s *StateFacts) {
				s.Over = []OverFact{{b1, "t", "bounty", "PAID", "a1"}, {e1, "", "entry", "CLOSED", ""}}
			}),
			clock + "\nover: bounty b1 \"t\", PAID by a1\nover: entry e1, CLOSED\n",
		},
		{
			"what ended", state(func(s *StateFacts) {
				s.Ended = []EndedFact{{Kind: "k", How: "reached"}, {"own", "x", Ref{}, "", "lost, l"}, {"answer", "", b1, "t", "lost, l by a1"}}
			}),
			clock + "\nended: k reached; own \"x\" lost, l; answer b1 \"t\" lost, l by a1\n",
		},
		{
			"own entries", state(func(s *StateFacts) { s.Works = []WorkFact{{e1, "t", "FAQ", 0, 0, 0}, {e1, "u", "API", 1, 1, 2}} }),
			clock + "\nyour entries: e1 \"t\" FAQ, 0 verdicts; e1 \"u\" API, 1 verdict, 1 ACCURATE, version 2 waits for your veto\n",
		},
		{"a claim", state(func(s *StateFacts) {
			s.Claims = []BountyFact{{Ref: b1, Title: Quote{"a1", "t"}, Status: "CLAIMED", Reward: 9, Left: 100, Difficulty: "EASY", Mine: true, Deliver: 5, Claimer: "a2"}}
		}), clock + "\nyours: bounty b1 a1 wrote \"t\": CLAIMED, 9 Spark, EASY, you hold it, deliver within 5 ticks\n"},
		{"own bounties", state(func(s *StateFacts) {
			s.Claims = []BountyFact{{Ref: b1, Title: Quote{"a1", "t"}, Status: "CLAIMED", Reward: 9, Left: 1, Difficulty: "EASY", Mine: true, Claimer: "a2", Needs: []string{"m", "n"}}}
		}), clock + "\nyours: bounty b1 a1 wrote \"t\": CLAIMED, 9 Spark, EASY, 1 tick left, you hold it; requires m and n\n"},
		{"open bounties", state(func(s *StateFacts) {
			s.Bounties = []BountyFact{{Ref: b1, Title: Quote{"a1", "t"}, Status: "OPEN", Claimer: "a2", Barred: true, Wait: 1}, {Ref: b1, Status: "OPEN", Left: 2}}
		}), clock + "\nopen bounty b1 a1 wrote \"t\": 0 Spark, , 0 ticks left, held by a2, you may not claim it, you wait 1 tick for others\nopen bounty b1 : 0 Spark, , 2 ticks left\n"},
		{"bounties that it may not claim", state(func(s *StateFacts) { s.Barred = 2 }), clock + "\nopen bounties that you may not claim: 2\n"},
		{"what is asked for", state(func(s *StateFacts) {
			s.Claims, s.Asks = []BountyFact{{Ref: b1}}, []AskFact{{b1, Quote{"a1", "w"}, 1}, {b1, Quote{"a1", "v"}, 0}}
			s.Reviews = []ReviewFact{{Ref: Ref{kind: RefReview, n: 1}, Bounty: true, Title: Quote{"a1", "t"}, Author: "a2"}}
			s.Bounties = []BountyFact{{Ref: b1, Asks: "x"}}
		}), clock + "\nyours: bounty b1 : , 0 Spark, , 0 ticks left\nreview asked of you: r1 a1 wrote \"t\", delivery of a bounty by a2, since tick 0, 0 verdicts\n" +
			"b1 asks: a1 wrote \"w\", 1 more byte not shown\nb1 asks: a1 wrote \"v\"\nopen bounty b1 : , 0 Spark, , 0 ticks left; asks: \"x\"\n"},
		{"reviews and proposals", state(func(s *StateFacts) {
			s.Claims = []BountyFact{{Ref: b1}}
			s.Reviews = []ReviewFact{{Ref: Ref{kind: RefReview, n: 1}, Bounty: true, Author: "a1", Since: 4, Verdicts: 1}, {Ref: Ref{kind: RefReview, n: 2}, Author: "a2", Verdicts: 2, Wait: 3}}
			s.Proposals = []ProposalFact{{Ref: Ref{kind: RefProposal, n: 1}, Kind: "CUSTOM", Author: "a1", Left: 1, Says: "w"}, {Ref: Ref{kind: RefProposal, n: 2}, Kind: "CUSTOM", Author: "MINT", Left: 2, Voters: 1, For: 0.5}}
		}), clock + "\nyours: bounty b1 : , 0 Spark, , 0 ticks left\nreview asked of you: r1, delivery of a bounty by a1, since tick 4, 1 verdict\nreview asked of you: r2, change by a2, since tick 0, 2 verdicts, you wait 3 ticks for others\n" +
			"open proposal p1 CUSTOM by a1, 1 tick left to vote, 0 agents voted; a1 wrote \"w\"\nopen proposal p2 CUSTOM by MINT, 2 ticks left to vote, 1 agent voted, 0.50 of the weight for it\n"},
		{"prices and news", state(func(s *StateFacts) {
			s.Prices, s.News = []PriceFact{{"EASY", 12, 3}}, []NewsFact{{5, "n", true}, {6, "m", false}}
		}), clock + "\nmarket: EASY 3 open, mean reward 12 Spark\nnews about you, tick 5: n\nnews, tick 6: m\n"},
	})
}

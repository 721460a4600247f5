package llm

import "testing"

// Each part of a line of AFFORDANCES, with what it leaves out because it says nothing or another line has said it.
func TestOffers_Lines(t *testing.T) {
	e1 := Ref{kind: RefEntry, n: 1}
	rest := OfferGroup{Action: "rest", Offers: []OfferFact{{Rank: 8, Action: "rest", Params: `{"slots":9}`, Priority: 0.2}}}
	one := func(o OfferFact) Facts {
		o.Rank, o.Action, o.Params = 1, "a", "{}"
		return Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{o}}}}
	}
	// plain is an offer of which nothing is told but its goal.
	plain := func(goal string, rank int) OfferFact {
		return OfferFact{Rank: rank, Action: "a", Params: "{}", Goal: goal, Priority: 0.5, Success: 1, Ticks: 1}
	}
	know, need := FactorFact{"know", 0.5}, FactorFact{"need", 0.25}
	with := func(o OfferFact, factors ...FactorFact) OfferFact {
		o.Factors = factors
		return o
	}
	testLines(t, SectionAffordances, []lineTest{
		{"rest and nop", Facts{Offers: []OfferGroup{rest, {Action: NOP, Offers: []OfferFact{{Rank: 9, Action: NOP}}}}}, "8. rest {\"slots\":9} : a slot is worth 0.20\n9. nop\n"},
		{"no goal", one(OfferFact{Success: 0.995, Ticks: 1}), "1. a {} : serves no goal\n"},
		{"success, ticks, Spark, reward", one(OfferFact{Goal: "g", Priority: 1, Success: 0.99, Ticks: 2, Spark: 1, Reward: 0.5}), "1. a {} : for g, priority 1.00, success 0.99, 2 ticks, 1 Spark, goal pays about 0 Spark\n"},
		{"next to no reward", one(OfferFact{Goal: "g", Success: 1, Ticks: 1, Reward: 0.4}), "1. a {} : for g, priority 0.00\n"},
		{"thing, author, plan", one(OfferFact{On: e1, Title: "t", Author: "a1", Plan: true, Success: 1, Ticks: 1}), "1. a {} : e1 \"t\" by a1; next step of your plan; serves no goal\n"},
		{"a thing without title or author", one(OfferFact{On: e1, Success: 1, Ticks: 1}), "1. a {} : serves no goal\n"},
		{"a thing with a name", one(OfferFact{On: Ref{name: "#help"}, Title: "t", Success: 1, Ticks: 1}), "1. a {} : serves no goal\n"},
		{"the quotation begins with the title", one(OfferFact{On: e1, Title: "t…", Author: "a1", Text: Quote{"a1", "to be"}, Success: 1, Ticks: 1}), "1. a {} : serves no goal; a1 wrote \"to be\"\n"},
		{"the quotation names the author", one(OfferFact{On: e1, Title: "t", Author: "a1", Text: Quote{"a1", "w"}, Success: 1, Ticks: 1}), "1. a {} : e1 \"t\"; serves no goal; a1 wrote \"w\"\n"},
		{"what it is called was just said", one(OfferFact{On: e1, Title: "t", Titled: "t", Success: 1, Ticks: 1}), "1. a {} : e1 \"t\"; serves no goal\n"},
		{"what it is called", one(OfferFact{On: e1, Title: "t", Titled: "u", Success: 1, Ticks: 1}), "1. a {} : e1 \"t\"; serves no goal; title: \"u\"\n"},
		{"what is known", one(OfferFact{
			Success: 1, Ticks: 1, Write: "w", Task: "1", Wrong: "2", Library: "3", Unknown: "4", Titled: "5", Before: "6", Counted: "7", Shows: "8", Besides: "9",
			Above: 1, Among: 2, Know: 0.5, Changed: 1, Version: 2,
		}), "1. a {} : serves no goal; you write: w; program: \"1\"; wrong last time: \"2\"; you may build on: \"3\"; you want to know: \"4\"; title: \"5\"; before you: \"6\"; you have seen: \"7\"; such as: \"8\"; also seen: \"9\"" +
			"; higher than 1 of 2; you know the topic 0.50; changed 1 time so far; has 2 tags\n"},
		{"stated", one(OfferFact{Success: 1, Ticks: 1, Stated: "s", Off: 0.25, Chance: 0.1}), "1. a {} : serves no goal; it states: \"s\"; off your own count by 0.25 (by chance up to 0.10)\n"},
		{"stated in the quotation", one(OfferFact{Success: 1, Ticks: 1, Stated: "s", Off: 0.25, Text: Quote{Words: "so"}}), "1. a {} : serves no goal; off your own count by 0.25; \"so\"\n"},
		{"knowledge that is a factor", one(with(OfferFact{Success: 1, Ticks: 1, Know: 0.5}, know)), "1. a {} : serves no goal; know 0.50\n"},
		{"a goal is told once, until it is worth something else", Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{plain("g", 1), plain("g", 2)}}, {Action: "a", Lesson: "l", Offers: []OfferFact{
			plain("h", 3), {Rank: 4, Action: "a", Params: "{}", Goal: "g", Priority: 0.5, Success: 1, Ticks: 1, Reward: 3},
		}}}}, "1. a {} : for g, priority 0.50\n2. a {} : for g\n3. a {} : for h, priority 0.50\n4. a {} : for g, priority 0.50, goal pays about 3 Spark\n   you learned of a: \"l\"\n"},
		{"what to write is told once", Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{
			{Rank: 1, Action: "a", Params: "{}", Success: 1, Ticks: 1, Write: "w"}, {Rank: 2, Action: "a", Params: "{}", Success: 1, Ticks: 1, Write: "w"}, {Rank: 3, Action: "a", Params: "{}", Success: 1, Ticks: 1, Write: "v"},
		}}}}, "1. a {} : serves no goal; you write: w\n2. a {} : serves no goal\n3. a {} : serves no goal; you write: v\n"},
		{
			"factors of two offers",
			Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{with(plain("g", 1), know), with(plain("g", 2), know)}}}},
			"1. a {} : for g, priority 0.50; know 0.50\n2. a {} : for g; know 0.50\n",
		},
		{
			"factors that three share",
			Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{with(plain("g", 1), know, need), with(plain("g", 2), know), with(plain("g", 3), need, know)}}, rest}},
			"of all these: know 0.50\n1. a {} : for g, priority 0.50; need 0.25\n2. a {} : for g\n3. a {} : for g; need 0.25\n8. rest {\"slots\":9} : a slot is worth 0.20\n",
		},
	})
}

// The roles, the traits at their borders, and what is not said of who has none.
func TestIdentity_Lines(t *testing.T) {
	testLines(t, SectionIdentity, []lineTest{
		{
			"all",
			Facts{Me: MeFacts{Alias: "a1", Role: "EXPLORER", Trade: "You try.", Affinities: "able", Persona: "x\ny", Dispositions: []string{"d", "e"}, KnownFor: []Words{"k"}, Aspirations: []Words{"p"}}},
			"You are agent a1, an EXPLORER. You try. You are able.\nPersona: x\n  y\nYou are d\nYou are e\nYou are known for the entry \"k\"\nYou aspire: \"p\"\n",
		},
		{"little", Facts{Me: MeFacts{Alias: "a1", Role: "LIBRARIAN", Trade: "You keep.", Affinities: "able"}}, "You are agent a1, a LIBRARIAN. You keep. You are able.\n"},
	})
	for v, want := range map[float32]string{0.34: "low", 0.35: "middle", 0.65: "middle", 0.66: "high"} {
		if got := disposition("t", v, "low", "middle", "high"); got[:len(want)] != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

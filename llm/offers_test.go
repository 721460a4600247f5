package llm

import (
	"reflect"
	"testing"

	"kingdom/wire"
)

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
		{"two digits", Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{{Rank: 12, Action: "a", Params: "{}", Success: 1, Ticks: 1, Spark: 13, Above: 14, Among: 15}}}}}, "12. a {} : serves no goal, 13 Spark; higher than 14 of 15\n"},
		{"an author without a title", one(OfferFact{On: e1, Author: "a1", Success: 1, Ticks: 1}), "1. a {} : e1 by a1; serves no goal\n"},
		{
			"another priority of the same goal",
			Facts{Offers: []OfferGroup{{Action: "a", Lesson: "l", Offers: []OfferFact{plain("g", 1)}}, {Action: "b", Offers: []OfferFact{{Rank: 2, Action: "b", Params: "{}", Goal: "g", Priority: 0.25, Success: 1, Ticks: 1}}}}},
			"1. a {} : for g, priority 0.50\n   you learned of a: \"l\"\n2. b {} : for g, priority 0.25\n",
		},
		{
			"what a goal pays is said once",
			Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{{Rank: 1, Action: "a", Params: "{}", Goal: "g", Success: 1, Ticks: 1, Reward: 9}, {Rank: 2, Action: "a", Params: "{}", Goal: "g", Success: 1, Ticks: 1, Reward: 9}}}}},
			"1. a {} : for g, priority 0.00, goal pays about 9 Spark\n2. a {} : for g\n",
		},
		{
			"nop shares no factors",
			Facts{Offers: []OfferGroup{{Action: "a", Offers: []OfferFact{with(plain("g", 1), know), with(plain("g", 2), know), with(plain("g", 3), know)}}, {Action: NOP, Offers: []OfferFact{{Rank: 4, Action: NOP}}}}},
			"of all these: know 0.50\n1. a {} : for g, priority 0.50\n2. a {} : for g\n3. a {} : for g\n4. nop\n",
		},
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

// What an affordance says becomes facts of its offer.
func TestOffers_FactsOfAnAffordance(t *testing.T) {
	get := rows(t, "entry_get")[0]
	finding := func(change func(*Finding)) *Finding {
		f := &Finding{Says: "x is 2", Title: "What x is", Tag: "tag", Subject: "x", N: 12, Shows: []byte("y"), Above: 1, Among: 3}
		change(f)
		return f
	}
	as := func(*Finding) {}
	for _, c := range []struct {
		name string
		a    Affordance
		want func(o *OfferFact)
	}{
		{"plain", Affordance{}, func(*OfferFact) {}},
		{"numbers and words", Affordance{GoalKind: "g", Priority: 1, Success: 0.5, Ticks: 2, Spark: 3, Reward: 4, Plan: true, Know: 0.5, Before: "b", Author: "a1", Text: []byte("w"), Considered: Considerations{FactorNeed: 0.5}}, func(o *OfferFact) {
			o.Goal, o.Priority, o.Success, o.Ticks, o.Spark, o.Reward, o.Plan, o.Know, o.Before = "g", 1, 0.5, 2, 3, 4, true, 0.5, "b"
			o.Text, o.Factors = Quote{"a1", "w"}, []FactorFact{{"need", 0.5}}
		}},
		{"subject", Affordance{Subject: entryB}, func(o *OfferFact) { o.On = Ref{kind: RefEntry, n: 2} }},
		{"compose", Affordance{Compose: ComposeVerdict}, func(o *OfferFact) { o.Write = "verdict" }},
		{"a delivery", Affordance{Work: &Work{Task: TaskDelivery, Title: []byte("t"), Tries: 1, Version: 2, Why: []byte("w"), Uses: []byte("u")}}, func(o *OfferFact) {
			o.Task, o.Changed, o.Version, o.Wrong, o.Library = "t", 1, 2, "w", "u"
		}},
		{"a module", Affordance{Work: &Work{Task: TaskModule}}, func(o *OfferFact) { o.Task = "for others to load" }},
		{"a service", Affordance{Work: &Work{Task: TaskService}}, func(o *OfferFact) { o.Task = "for others to call: def serve(data, state)" }},
		{"a count to argue for", Affordance{Finding: finding(as)}, func(o *OfferFact) {
			o.Counted, o.Titled, o.Shows, o.Above, o.Among = "x is 2", "What x is", "y", 1, 3
		}},
		{"a count to write about", Affordance{Finding: finding(as), Compose: ComposeEntry}, func(o *OfferFact) {
			o.Counted, o.Titled, o.Shows, o.Above, o.Among, o.Write = "x is 2 (tag: x)", "What x is", "y", 1, 3, "entry"
		}},
		{"a count to ask for", Affordance{Finding: finding(func(f *Finding) { f.Asks = "What is x?" }), Compose: ComposeQuestion}, func(o *OfferFact) {
			o.Unknown, o.Counted, o.Titled, o.Shows, o.Above, o.Among, o.Write = "What is x?", "12 observations of x (tag)", "What x is", "y", 1, 3, "question"
		}},
		{"a pattern", Affordance{Finding: finding(func(f *Finding) { f.Pattern = true })}, func(o *OfferFact) {
			o.Counted, o.Titled, o.Shows, o.Above, o.Among = "a program that shows x in Starlark (tag)", "What x is", "y", 1, 3
		}},
		{"a count to compare with a statement", Affordance{Finding: &Finding{Says: "x is 2"}, Said: &Finding{Says: "x is 3", Distance: 0.5, Chance: 0.25}, Compose: ComposeVerdict}, func(o *OfferFact) {
			o.Counted, o.Stated, o.Off, o.Chance, o.Write = "x is 2", "x is 3", 0.5, 0.25, "verdict"
		}},
		{"what else was counted", Affordance{Besides: &Finding{Says: "z is 1"}}, func(o *OfferFact) { o.Besides = "z is 1" }},
		{"of a text that begins with the statement only this is kept", Affordance{Text: []byte("I say: x is 3\ncounted often"), Said: &Finding{Says: "x is 3"}}, func(o *OfferFact) {
			o.Stated, o.Text = "x is 3", Quote{Words: "I say: x is 3"}
		}},
		{"a text that states it later is kept whole", Affordance{Text: []byte("I say:\nx is 3"), Said: &Finding{Says: "x is 3"}}, func(o *OfferFact) {
			o.Stated, o.Text = "x is 3", Quote{Words: "I say:\nx is 3"}
		}},
		{"a text of one line is kept whole", Affordance{Text: []byte("I say: x is 3"), Said: &Finding{Says: "x is 3"}}, func(o *OfferFact) {
			o.Stated, o.Text = "x is 3", Quote{Words: "I say: x is 3"}
		}},
	} {
		p := handled(t)
		c.a.Action, c.a.Params = get, &wire.EntryGet{EntryID: entryA}
		p.Affordances = []Affordance{c.a}
		want := OfferFact{Rank: 1, Action: "entry_get", Params: `{"entry_id":"e1"}`}
		c.want(&want)
		if got := p.Facts().Offers; len(got) != 1 || got[0].Action != "entry_get" || len(got[0].Offers) != 1 || !reflect.DeepEqual(got[0].Offers[0], want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", c.name, got, want)
		}
	}
	p := &Prompt{Affordances: []Affordance{{Action: get, Params: &wire.EntryGet{}, Subject: entryA}}}
	if o := p.Facts().Offers[0].Offers[0]; o.On != (Ref{}) {
		t.Errorf("an agent that knows nothing has a handle for %v", o.On)
	}
}

// Offers of one action stand together, with the first lesson that one of them has.
func TestOffers_AreGroupedByAction(t *testing.T) {
	list := rows(t, "entry_get", "rest")
	get := func(lesson string) Affordance {
		return Affordance{Action: list[0], Params: &wire.EntryGet{EntryID: entryA}, Lesson: Lesson{Text: lesson}}
	}
	p := &Prompt{Affordances: []Affordance{get(""), {}, get("first"), get("second")}}
	groups := p.Facts().Offers
	if len(groups) != 2 || groups[0].Action != "entry_get" || groups[1].Action != NOP || groups[0].Lesson != "first" {
		t.Fatalf("groups %+v", groups)
	}
	for i, rank := range []int{1, 2, 3} {
		if o := groups[0].Offers[i]; o.Rank != rank {
			t.Errorf("offer %d has the rank %d, want %d", i, o.Rank, rank)
		}
	}
	if o := groups[1].Offers[0]; o.Rank != 4 {
		t.Errorf("the last of the list has the number %d", o.Rank)
	}
}

func TestIdentity_SaysWhatEachRoleIs(t *testing.T) {
	for role, want := range map[wire.Role][2]string{
		wire.RoleCompilerSmith: {"You build and sharpen the language that all others write in.", "strong in LANGUAGE, weak in SOCIAL and GOVERNANCE"},
		wire.RoleGeneralist:    {"You do what is needed and fill the gaps that specialists leave.", "equally able in every field"},
	} {
		me := (&Prompt{Identity: Identity{Role: role}}).Facts().Me
		if me.Role != role.String() || me.Trade != want[0] || me.Affinities != want[1] {
			t.Errorf("%s: %+v", role, me)
		}
	}
}

// The roles, the traits at their borders, and what is not said of who has none.
func TestIdentity_Lines(t *testing.T) {
	testLines(t, SectionIdentity, []lineTest{
		{
			"all",
			Facts{Me: MeFacts{Alias: "a1", Role: "EXPLORER", Trade: "You try.", Affinities: "able", Persona: "x\ny", Dispositions: []string{"d", "e"}, KnownFor: []Words{"k"}, Aspirations: []Words{"p"}}},
			"You are agent a1, an EXPLORER. You try. You are able.\nPersona: x\n  y\nYou are d\nYou are e\nYou are known for \"k\"\nYou aspire: \"p\"\n",
		},
		{"little", Facts{Me: MeFacts{Alias: "a1", Role: "LIBRARIAN", Trade: "You keep.", Affinities: "able"}}, "You are agent a1, a LIBRARIAN. You keep. You are able.\n"},
	})
	for v, want := range map[float32]string{0.34: "low", 0.35: "middle", 0.65: "middle", 0.66: "high"} {
		if got := disposition("t", v, "low", "middle", "high"); got[:len(want)] != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// The facts have the rules and the actions of the prompt's world.
func TestFacts_HaveRulesAndActions(t *testing.T) {
	limits := Limits{MaxPosts: 31}
	f := (&Prompt{Limits: &limits, Actions: rows(t, "entry_get"), Closed: []ClosedFact{{"msg_post", 2}}}).Facts()
	if f.Rules.MaxPosts != 31 || len(f.Actions.Open) != 1 || f.Actions.Open[0].Name != "entry_get" || len(f.Actions.Closed) != 1 {
		t.Errorf("rules %+v, actions %+v", f.Rules, f.Actions)
	}
}

package llm

import (
	"slices"
	"testing"

	"kingdom/wire"
)

// said is a section as a prompt without anything else has it, less its heading.
func said(k SectionKind, f *Facts) string {
	text := string((&Prompt{}).section(nil, k, f, unlimited))
	return text[len(heading(k)):]
}

type lineTest struct {
	name  string
	facts Facts
	want  string
}

func testLines(t *testing.T, k SectionKind, tests []lineTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := said(k, &tt.facts); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Each line of YOUR MEMORY, with what it leaves out because it says nothing.
func TestMemory_Lines(t *testing.T) {
	tick := wire.Tick(9)
	e1, none := Ref{kind: RefEntry, n: 1}, Facts{}
	memory := func(m MemoryFacts) Facts { return Facts{Memory: m} }
	goals := func(list ...GoalFact) Facts { return memory(MemoryFacts{Goals: list}) }
	peers := func(list ...PeerFact) Facts { return memory(MemoryFacts{Peers: list}) }
	testLines(t, SectionMemory, []lineTest{
		{"nothing", none, ""},
		{
			"beliefs", memory(MemoryFacts{Beliefs: []BeliefFact{{`"a" pays`, 0.25, 10, 8, 0}, {`"b" works`, 0.5, 0, 1, 1}, {`"c" pays`, 1, 0.1, 2, 2}, {`"d"`, 0.25, 0, 0, 0}, {`"e" pays`, 0.5, 30, 0, 1}, {`"f" pays`, 0.5, 30, 0, 0}}}),
			"belief: \"a\" pays about 10 (n 8)\nbelief: \"b\" works (0.50, n 1, 1 cycle old)\nbelief: \"c\" pays about 0 (n 2, 2 cycles old)\nbelief: \"d\" (0.25)\nbelief: \"e\" pays about 30 (1 cycle old)\nbelief: \"f\" pays about 30\n",
		},
		{
			"knowledge", memory(MemoryFacts{Knowledge: []KnowledgeFact{{Label: "l", Source: "a peer", Confidence: 0.6}, {Label: "m", Content: Quote{"a1", "w"}, Source: "an entry", Confidence: 1}}}),
			"known from a peer: \"l\" (0.60)\nknown from an entry: \"m\" (1.00): a1 wrote \"w\"\n",
		},
		{"a peer that is hardly known", peers(PeerFact{Alias: "a1", Competence: 0.5, Reliability: 0.5, Trust: 0.7, Reputation: -1}), "peer a1\n"},
		{
			"reliability near one half", peers(PeerFact{Alias: "a1", Reliability: 0.49, Reputation: 0}, PeerFact{Alias: "a2", Reliability: 0.51, Reputation: -1}),
			"peer a1: competence 0.00, reliability 0.49, reputation 0.00\npeer a2: competence 0.00, reliability 0.51\n",
		},
		{
			"a peer dealt with", peers(PeerFact{Alias: "a1", Reliability: 0.5, Trust: 0.7, Dealings: 1, Last: "answer", Well: true, Ago: 1, Reputation: -1, Interests: []Words{"t"}},
				PeerFact{Alias: "a2", Reliability: 0.5, Trust: 0.1, Dealings: 2, Last: "verdict", Ago: 2, Reputation: 0.3, Interests: []Words{"t", "u", "v", "w"}}),
			"peer a1: competence 0.00, trust 0.70 (n 1, answer 1 tick ago), on \"t\"\n" +
				"peer a2: competence 0.00, trust 0.10 (n 2, bad, verdict 2 ticks ago), reputation 0.30, on \"t\" \"u\"\n",
		},
		{"notes and practice", memory(MemoryFacts{Notes: []NoteFact{{"k", "v"}}, Practice: []PracticeFact{{"law", 0.5}, {"art", 1}}}), "note \"k\" = \"v\"\npractice: law 0.50 art 1.00\n"},
		{
			"what it avoids and asked", memory(MemoryFacts{Avoids: []AvoidFact{{"a", e1, "t", 1, "w"}, {Action: "b", Left: 2}}, Asked: []AskedFact{{Ref{kind: RefMessage, n: 1}, "q", 3}}}),
			"you avoid a e1 \"t\" for 1 tick: \"w\"\nyou avoid b for 2 ticks\nyou asked m1 \"q\" and wait for answers, 3 ticks\n",
		},
		{
			"goals", goals(GoalFact{Kind: "earn", Text: Quote{Words: "t"}, Priority: 1}, GoalFact{Kind: "vote", Text: Quote{"a1", "u"}, About: e1, Title: "v", Priority: 0.5}),
			"your goal now: earn: \"t\" (priority 1.00)\ngoal vote: a1 wrote \"u\" about e1 \"v\" (priority 0.50)\n",
		},
		{
			"a goal with all", goals(GoalFact{Kind: "earn", Text: Quote{Words: "t"}, About: e1, Priority: 1, Deadline: &tick, Left: 1, Pays: 0.5, Done: "2 of 3", Why: "your role", Wait: 2}),
			"your goal now: earn: \"t\" about e1 (priority 1.00, deadline in 1 tick, pays about 0 Spark); you wait 2 ticks for others; 2 of 3; why: your role\n",
		},
		{"a goal that pays next to nothing", goals(GoalFact{Kind: "earn", Text: Quote{Words: "t"}, Pays: 0.4}), "your goal now: earn: \"t\" (priority 0.00)\n"},
		{"a vote that waits", goals(GoalFact{Kind: "vote", Text: Quote{Words: "t"}, Wait: 12}), "your goal now: vote: \"t\" (priority 0.00); waits for more proposals to vote on, 12 ticks at most\n"},
		{"a belief of many observations", memory(MemoryFacts{Beliefs: []BeliefFact{{`"a" pays`, 0.25, 0, 12, 13}}}), "belief: \"a\" pays (0.25, n 12, 13 cycles old)\n"},
		{"a goal that pays", goals(GoalFact{Kind: "earn", Text: Quote{Words: "t"}, Pays: 29.6}), "your goal now: earn: \"t\" (priority 0.00, pays about 30 Spark)\n"},
	})
}

// Steps of a plan that are equal or done stand on one line, and needs are not repeated.
func TestMemory_Plan(t *testing.T) {
	plan := func(steps ...StepFact) Facts { return Facts{Memory: MemoryFacts{Plan: &PlanFact{"g", steps}}} }
	done, later := StepFact{Action: "a", State: "done", Needs: "n", Until: "u"}, StepFact{Action: "b", State: "later", Until: "u"}
	testLines(t, SectionMemory, []lineTest{
		{"one step", plan(StepFact{Action: "a", State: "next", Needs: "n", Until: "u", Tries: 1}), "plan for g, step 1 of 1: a, next; needs: n; done when: u; failed 1 time\n"},
		{"one is done", plan(done, later), "plan for g, step 1 of 2: a, done\nthen step 2: b\n"},
		{"some are done", plan(done, StepFact{Action: "c", State: "done"}, later, later, later), "plan for g, step 1 to 2 of 5: done\nthen step 3 to 5: b\n"},
		{
			"the same need", plan(StepFact{Action: "a", State: "blocked", Needs: "n", Tries: 2}, StepFact{Action: "b", State: "later", Needs: "n"}, StepFact{Action: "c", State: "later", Needs: "m"}),
			"plan for g, step 1 of 3: a, blocked; needs: n; failed 2 times\nthen step 2: b\nthen step 3: c\n",
		},
		{"what is done after a step that is not", plan(StepFact{Action: "a", State: "next"}, done), "plan for g, step 1 of 2: a, next\nthen step 2: a, done\n"},
		{"many steps", plan(append(slices.Repeat([]StepFact{done}, 11), slices.Repeat([]StepFact{later}, 2)...)...), "plan for g, step 1 to 11 of 13: done\nthen step 12 to 13: b\n"},
		{"the need of what is done", plan(done, StepFact{Action: "b", State: "next", Needs: "n"}), "plan for g, step 1 of 2: a, done\nthen step 2: b, next; needs: n\n"},
	})
}

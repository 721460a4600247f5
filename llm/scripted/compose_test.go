package scripted

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// A statement with a slip can be read and says something else.
func TestSlipped_IsReadableAndDifferent(t *testing.T) {
	for _, f := range []memory.Finding{
		memory.Stated(memory.MeasureKeeps, "0a1b2c3d", 0.25, 4, 3),
		memory.Stated(memory.MeasureKeeps, "00000025", 1, 16, 3),
		memory.Stated(memory.MeasureReward, "EASY", 16.5, 16, 16),
		memory.Stated(memory.MeasureEraPay, "cycles 5 to 9", 0, 5, 9),
	} {
		right := &llm.Finding{Says: f.Statement(), Value: float64(f.Value), N: f.N}
		said, ok := memory.ReadStatement(f.Measure, f.Subject(), []byte(misstate(right)))
		if !ok || said.N != f.N || said.At != f.At {
			t.Errorf("%q slips to %q, which reads as %+v, %v", f.Statement(), misstate(right), said, ok)
			continue
		}
		if d := f.Measure.Distance(f.Value, said.Value); d < 0.3 {
			t.Errorf("%q slips to %q, which is off by %v only", f.Statement(), misstate(right), d)
		}
	}
	for _, says := range []string{"no number", "no number (n 4, cycle 3)", "0.25 (n 4, cycle 3)", "x is 10.25 (n 4, cycle 3)", " (n 4, cycle 3)"} {
		if got := misstate(&llm.Finding{Says: says, Value: 0.25}); got != says {
			t.Errorf("%q, which does not state the number, slips to %q", says, got)
		}
	}
}

// noBlocks is the body of an entry that was handed in before its text was there.
var noBlocks = wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{})

// Entries without text are submitted more often by faster authors and by those who know less, and half as often by
// authors who remember that one was rejected.
func TestUnfinished_GrowsWithSpeedAndFallsWithKnowledge(t *testing.T) {
	m := New(seed, Knobs{})
	share := func(speed float32, know float64, lesson string) float64 {
		without, all := 0, 0
		for i := range 2000 {
			p := situation(t, wire.Tick(i), 0, speed)
			p.Affordances = slices.Delete(p.Affordances, 1, len(p.Affordances)-1)
			f := &p.Affordances[0]
			f.Finding, f.Know, f.Lesson.Text = &llm.Finding{Title: "x", Says: "x is 0.25 (n 4, cycle 3)", Tag: "x", Subject: "x", Value: 0.25, N: 4}, know, lesson
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			if q, ok := a.Payload.(*wire.EntryPublish); ok {
				if all++; len(q.Entry.Body) == len(noBlocks) {
					without++
				}
			}
		}
		if all < 500 {
			t.Fatalf("only %d entries", all)
		}
		return float64(without) / float64(all)
	}
	for _, c := range []struct {
		name   string
		speed  float32
		know   float64
		lesson string
		want   float64
	}{
		{"slow and knowing", 0, 1, "", 0.05},
		{"fast and knowing", 1, 1, "", 0.45},
		{"slow and knowing little", 0, 0.05, "", 0.25},
		{"fast, knowing nothing, one came back", 1, 0, "entry_publish on none: FAILURE (body)", 0.23625},
		{"one came back", 1, 1, "entry_publish on none: FAILURE (body)", 0.1575},
	} {
		if got := share(c.speed, c.know, c.lesson); got < c.want-0.02 || got > c.want+0.02 {
			t.Errorf("%s: %.3f, want %.3f", c.name, got, c.want)
		}
	}
}

// TestHaste_SlipsGrowWithSpeed: the share of statements with a slip grows with speed.
func TestHaste_SlipsGrowWithSpeed(t *testing.T) {
	m := New(seed, Knobs{})
	share := func(speed float32) float64 {
		wrong, all := 0, 0
		f := memory.Stated(memory.MeasureKeeps, "0a1b2c3d", 0.25, 4, 3)
		for i := range 1000 {
			p := situation(t, wire.Tick(i), 0, speed)
			p.Affordances = slices.Delete(p.Affordances, 1, len(p.Affordances)-1)
			p.Affordances[0].Finding = &llm.Finding{Title: f.Title(), Says: f.Statement(), Tag: "promise-keeping", Subject: f.Subject(), Value: 0.25, N: 4}
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			if q, ok := a.Payload.(*wire.EntryPublish); ok && len(q.Entry.Body) > len(noBlocks) {
				all++
				if _, ok := memory.ReadStatement(f.Measure, f.Subject(), q.Entry.Body); !ok {
					t.Fatalf("no statement in %q", q.Entry.Body)
				}
				if said, _ := memory.ReadStatement(f.Measure, f.Subject(), q.Entry.Body); said.Value != f.Value {
					wrong++
				}
			}
		}
		if all == 0 {
			t.Fatalf("at speed %v nothing was stated", speed)
		}
		return float64(wrong) / float64(all)
	}
	if careful, middle, hasty := share(0), share(0.5), share(0.9); careful != 0 || middle < 0.1 || hasty < 2*middle {
		t.Errorf("slips of the careful %.2f, of others %.2f, of the hasty %.2f", careful, middle, hasty)
	}
}

// What others state is judged by how far it lies from the own count, with a margin for few observations, and by its age.
func TestVerdict_FollowsFromDistanceAndAge(t *testing.T) {
	for _, c := range []struct {
		distance, chance float64
		cycle            uint64 // of the own count; the statement is of cycle 10
		want             wire.Verdict
	}{
		{0.15, 0, 10, wire.VerdictAccurate},
		{0.16, 0, 10, wire.VerdictPartiallyAccurate},
		{0.3, 0, 17, wire.VerdictPartiallyAccurate},
		{0.31, 0, 10, wire.VerdictInaccurate},
		{0.31, 0, 17, wire.VerdictInaccurate},
		{0.31, 0, 18, wire.VerdictOutdated},
		{0.16, 0, 18, wire.VerdictOutdated},
		{0.15, 0, 18, wire.VerdictAccurate},
		{0.3, 0.3, 10, wire.VerdictAccurate},
		{0.6, 0.3, 10, wire.VerdictPartiallyAccurate},
		{0.61, 0.3, 10, wire.VerdictInaccurate},
	} {
		p := only(t, llm.Affordance{
			Action: row(t, "entry_verify"), Params: &wire.EntryVerify{}, Compose: llm.ComposeVerdict,
			Finding: &llm.Finding{Says: "own", Cycle: c.cycle}, Said: &llm.Finding{Says: "said", Cycle: 10, Distance: c.distance, Chance: c.chance},
		})
		if got := send(t, p).Params.Verdict; got != c.want.String() {
			t.Errorf("distance %v, by chance %v, own count of cycle %d: %s, want %s", c.distance, c.chance, c.cycle, got, c.want)
		}
	}
}

// A verdict needs both the own count and a statement; else the text decides.
func TestVerdict_WithoutCountOrStatementReadsTheText(t *testing.T) {
	count := &llm.Finding{Says: "x is 0.25", Distance: 1, Cycle: 100}
	for name, a := range map[string]llm.Affordance{"no count": {Said: count}, "no statement": {Finding: count}} {
		a.Action, a.Params, a.Compose = row(t, "entry_verify"), &wire.EntryVerify{}, llm.ComposeVerdict
		if got := send(t, only(t, a)).Params.Verdict; got != "ACCURATE" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What posts say, without the author and the slot that stand at the end of each.
func TestPosts_SayWhatTheAgentKnows(t *testing.T) {
	sleeper, pays := wire.Hash{0xAB, 0xCD}, llm.Finding{Title: "What it pays", Says: "It pays 12.0 Spark", Tag: "pay", Subject: "HARD", N: 12}
	with := func(change func(*llm.Finding)) *llm.Finding {
		f := pays
		change(&f)
		return &f
	}
	ranked := func(above, among uint32) *llm.Finding {
		return with(func(f *llm.Finding) { f.Above, f.Among = above, among })
	}
	asks := func(n uint32) *llm.Finding {
		return with(func(f *llm.Finding) { f.Asks, f.N = "What does it pay?", n })
	}
	lib := &library[2]
	advice := lib.topic + ": " + lib.sentence + " So " + lib.input + " gives " + lib.output + "."
	const statement, call = "My newest entry in Oracle: It pays 12.0 Spark", "Calling abcd0000: are you there?"
	for _, c := range []struct {
		name string
		a    llm.Affordance
		want string
	}{
		{"argument", llm.Affordance{Compose: llm.ComposeArgument, Text: []byte("more slots")}, "I propose: more slots"},
		{"argument with a count", llm.Affordance{Compose: llm.ComposeArgument, Text: []byte("more slots"), Finding: &pays}, "I propose: more slots It pays 12.0 Spark."},
		{"statement", llm.Affordance{Compose: llm.ComposeStatement, Finding: &pays}, statement + ". Who has counted otherwise should say so."},
		{"the highest of its sort", llm.Affordance{Compose: llm.ComposeStatement, Finding: ranked(11, 11)}, statement + ", more than each of 11 others that I have counted. Who has counted otherwise should say so."},
		{"the lowest of its sort", llm.Affordance{Compose: llm.ComposeStatement, Finding: ranked(0, 11)}, statement + ", less than any of 11 others that I have counted. Who has counted otherwise should say so."},
		{"one in the middle", llm.Affordance{Compose: llm.ComposeStatement, Finding: ranked(10, 11)}, statement + ", more than 10 of 11 others that I have counted. Who has counted otherwise should say so."},
		{"an example", llm.Affordance{Compose: llm.ComposeStatement, Finding: with(func(f *llm.Finding) { f.Shows = []byte("A parser") })}, statement + ". I think of \"A parser\". Who has counted otherwise should say so."},
		{"call", llm.Affordance{Compose: llm.ComposeCall}, call},
		{"call for what it knows", llm.Affordance{Compose: llm.ComposeCall, Finding: asks(0)}, call + " Nobody has told me yet: What does it pay? You write about pay."},
		{"call for a verdict", llm.Affordance{Compose: llm.ComposeCall, Finding: &pays}, call + " My entry \"What it pays\" waits for verdicts, and you write about pay."},
		{"call for a bounty", llm.Affordance{Compose: llm.ComposeCall, Text: []byte("A parser")}, call + " You hold my bounty \"A parser\", and I wait for it."},
		{"question", llm.Affordance{Compose: llm.ComposeQuestion, Finding: asks(0)}, "What does it pay? I ask for earn."},
		{"question of one who has seen it", llm.Affordance{Compose: llm.ComposeQuestion, Finding: asks(12), Besides: &pays}, "What does it pay? I ask for earn; I have seen it 12 times only. What I have counted: It pays 12.0 Spark."},
		{"question about a thing", llm.Affordance{Compose: llm.ComposeQuestion, Finding: asks(0), Text: []byte("A parser")}, "What does it pay? I ask for earn, because of \"A parser\"."},
		{"question before an act", llm.Affordance{Compose: llm.ComposeQuestion, Finding: asks(0), Text: []byte("A parser"), Before: "bounty_claim"}, "What does it pay? I ask for earn, before I try bounty_claim on \"A parser\"."},
		{"answer about a subject that has the name of a pattern", llm.Affordance{Compose: llm.ComposeAnswer, Author: "0a0b0000", Finding: with(func(f *llm.Finding) { f.Subject = lib.topic })}, "To 0a0b0000: It pays 12.0 Spark, by my own count."},
		{"answer about a pattern", llm.Affordance{Compose: llm.ComposeAnswer, Author: "0a0b0000", Know: 1, Finding: &llm.Finding{Subject: lib.topic, Pattern: true}}, "To 0a0b0000: " + advice},
		{"answer about an unknown pattern", llm.Affordance{Compose: llm.ComposeAnswer, Author: "0a0b0000", Finding: with(func(f *llm.Finding) { f.Subject, f.Pattern = "monads", true })}, "To 0a0b0000: It pays 12.0 Spark, by my own count."},
	} {
		c.a.Action, c.a.GoalKind = row(t, "msg_post"), "earn"
		c.a.Params = &wire.MsgPost{Kind: wire.MessageKindStatement, References: []wire.Hash{sleeper}}
		p := only(t, c.a)
		a, err := llm.Parse(think(t, New(seed, Knobs{}), p).Text, p.Actions, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		text, _ := wire.ContentText(a.Payload.(*wire.MsgPost).Content)
		if got := strings.TrimSuffix(string(text), " (03000000, cycle 12.15)"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// An entry says how often and until when its author has counted.
func TestEntry_SaysWhatItRestsOn(t *testing.T) {
	p := only(t, llm.Affordance{
		Action: row(t, "entry_update"), Params: &wire.EntryUpdate{}, Compose: llm.ComposeUpdate, Know: 1,
		Finding: &llm.Finding{Says: "It pays 12.0 Spark", Tag: "pay", Subject: "HARD", N: 12, Cycle: 13},
	})
	const want = "Counted by 03000000 itself: 12 observations up to cycle 13, "
	if text := string(think(t, New(seed, Knobs{}), p).Text); !strings.Contains(text, want) {
		t.Errorf("%q is not in %s", want, text)
	}
}

// A careful agent disagrees with who says that a pattern of Starlark cannot be done, unless the statement is one of which
// the agent keeps count.
func TestSignal_DisagreesWithWhatIsKnownToBeWrong(t *testing.T) {
	about, reference := library[1].topic, wire.Hash{9}
	for _, c := range []struct {
		name string
		a    llm.Affordance
		want string
	}{
		{"a pattern that cannot be done", llm.Affordance{Text: []byte(about + " cannot be done")}, "DISAGREE"},
		{"a pattern", llm.Affordance{Text: []byte(about + " is easy")}, "AGREE"},
		{"something else that cannot be done", llm.Affordance{Text: []byte("it cannot be done")}, "AGREE"},
		{"a statement that can be counted", llm.Affordance{Text: []byte(about + " cannot be done"), Said: &llm.Finding{Says: "x is 0.25"}}, "AGREE"},
	} {
		c.a.Action, c.a.Compose, c.a.Know = row(t, "signal_send"), llm.ComposeSignal, 1
		c.a.Params = &wire.SignalSend{Target: wire.Hash{7}, Kind: wire.SignalKindAgree, Reference: &reference}
		p := only(t, c.a)
		a, err := llm.Parse(think(t, New(seed, Knobs{}), p).Text, p.Actions, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		q := a.Payload.(*wire.SignalSend)
		if q.Kind.String() != c.want || q.Reference == nil || *q.Reference != reference {
			t.Errorf("%s: sent %+v, want %s", c.name, q, c.want)
		}
	}
}

// An agent that doubts a statement sometimes sets itself the goal to look up what others state of the same, and plans a
// query if it may both query and get entries.
func TestRemember_LooksUpWhatIsDoubted(t *testing.T) {
	for _, c := range []struct {
		name       string
		title      string
		distance   float64
		may        []string
		goal, plan bool
	}{
		{"a statement far off", "What it pays", 0.16, []string{"entry_query", "entry_get"}, true, true},
		{"a statement at the bound", "What it pays", 0.15, []string{"entry_query", "entry_get"}, false, false},
		{"a statement that has no title", "", 0.4, []string{"entry_query", "entry_get"}, false, false},
		{"one who may not get entries", "What it pays", 0.4, []string{"entry_query"}, true, false},
		{"one who may not query", "What it pays", 0.4, []string{"entry_get"}, true, false},
	} {
		says := "own"
		if c.title == "" {
			says = "" // knowledge without a label would be refused
		}
		goals, plans := 0, 0
		for tick := range wire.Tick(1000) {
			p := only(t, llm.Affordance{
				Action: row(t, "entry_verify"), Params: &wire.EntryVerify{}, Compose: llm.ComposeVerdict,
				Finding: &llm.Finding{Title: c.title, Says: says, Subject: "HARD"}, Said: &llm.Finding{Says: "said", Distance: c.distance},
			})
			for _, name := range c.may {
				p.Actions = append(p.Actions, row(t, name))
			}
			p.Tick = tick
			a, err := llm.Parse(think(t, New(seed, Knobs{}), p).Text, p.Actions, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for _, g := range a.Memory.Goals {
				if goals++; g.Text != "Look up "+c.title {
					t.Errorf("%s: the goal is %q", c.name, g.Text)
				}
			}
			for _, s := range a.Memory.Plan {
				plans++
				var params struct {
					About, Sort string
					Limit       int
				}
				if err := json.Unmarshal(s.Params, &params); err != nil || s.Name != "entry_query" || params.About != c.title || params.Sort != "RELEVANT" || params.Limit != 3 {
					t.Errorf("%s: the plan is %s %s", c.name, s.Name, s.Params)
				}
			}
		}
		if goals > 0 != c.goal || plans > 0 != c.plan {
			t.Errorf("%s: %d goals and %d plans in 1000 slots", c.name, goals, plans)
		}
	}
}

func TestAnswer_RestNeedsNoGoal(t *testing.T) {
	p := only(t, offer(t, "rest", 1))
	p.Affordances[0].Params, p.Affordances[0].GoalKind = &action.Rest{Slots: 8}, "earn"
	if text := string(think(t, New(seed, Knobs{}), p).Text); !strings.Contains(text, `"reasoning":"nothing is worth its cost"`) {
		t.Errorf("a rest is explained by %s", text)
	}
}

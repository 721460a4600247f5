package scripted

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

var seed = wire.WorldSeed("42")

func row(tb testing.TB, name string) *action.Row {
	tb.Helper()
	r, ok := action.ByName(name)
	if !ok {
		tb.Fatalf("no action %s", name)
	}
	return r
}

// situation is a prompt in which reading, asking, publishing and judging compete.
func situation(tb testing.TB, tick wire.Tick, risk, speed float32) *llm.Prompt {
	id := wire.Hash{7}
	p := &llm.Prompt{
		Identity: llm.Identity{ID: wire.AgentID{1, 2}, Alias: "01020000", Risk: risk, Speed: speed, Collab: 0.5, Breadth: 0.5},
		Tick:     tick, Cycle: wire.Cycle(tick / 256), Slot: uint64(tick % 64),
		Affordances: []llm.Affordance{
			{Action: row(tb, "entry_publish"), Params: &wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindPattern, References: []wire.Hash{id}}, Review: wire.ReviewModeImmediate}, GoalKind: "build_library", Priority: 1.4, Success: 0.8, Ticks: 2, Compose: llm.ComposeEntry},
			{Action: row(tb, "entry_verify"), Params: &wire.EntryVerify{EntryID: id, Verdict: wire.VerdictAccurate}, GoalKind: "mentor", Priority: 1.3, Success: 0.8, Ticks: 1, Compose: llm.ComposeVerdict, Text: []byte(library[0].wrong)},
			{Action: row(tb, "entry_get"), Params: &wire.EntryGet{EntryID: id}, GoalKind: "mentor", Priority: 1.3, Success: 0.7, Ticks: 1},
			{Action: row(tb, "msg_post"), Params: &wire.MsgPost{Channel: id, Kind: wire.MessageKindQuestion}, GoalKind: "learn", Priority: 1, Success: 0.5, Ticks: 1, Compose: llm.ComposeQuestion},
			{Action: row(tb, "signal_send"), Params: &wire.SignalSend{Target: id, Kind: wire.SignalKindAgree}, GoalKind: "learn", Priority: 1, Success: 0.5, Ticks: 1, Compose: llm.ComposeSignal},
			{Action: row(tb, "resource_buy"), Params: (&action.ResourceBuy{Resource: wire.ResourceTicks, Amount: 4}).Transfer(), GoalKind: "learn", Priority: 1, Success: 0.5, Ticks: 1, Spark: 4},
			{Success: 1, Ticks: 1},
		},
	}
	for i := range p.Affordances {
		if r := p.Affordances[i].Action; r != nil {
			p.Actions = append(p.Actions, r)
		}
	}
	return p
}

func think(tb testing.TB, m *Mind, p *llm.Prompt) llm.Thought {
	tb.Helper()
	th, err := m.Think(context.Background(), p)
	if err != nil || th.Outcome != llm.Answered {
		tb.Fatalf("thought %+v, %v", th, err)
	}
	return th
}

// census counts what is chosen in n slots.
func census(t *testing.T, m *Mind, n int, risk, speed float32) map[string]int {
	got := map[string]int{}
	for i := range n {
		p := situation(t, wire.Tick(256+i), risk, speed)
		th := think(t, m, p)
		a, err := llm.Parse(th.Text, p.Actions, nil)
		switch {
		case err != nil:
			t.Fatalf("unusable answer %s: %v", th.Text, err)
		case a.Action == nil:
			got[llm.NOP]++
		default:
			got[a.Action.Name]++
		}
	}
	return got
}

func TestMind_AnswersCanAlwaysBeUsed(t *testing.T) {
	got := census(t, New(seed, Knobs{}), 2000, 0.9, 0.5)
	for _, name := range []string{"entry_publish", "entry_verify", "entry_get", "msg_post", "signal_send", "resource_buy"} {
		if got[name] == 0 {
			t.Errorf("%s was never chosen in 2000 slots: %v", name, got)
		}
	}
}

func TestMind_IsAFunctionOfPromptAndSeed(t *testing.T) {
	a, b, other := New(seed, Knobs{}), New(seed, Knobs{}), New(wire.WorldSeed("43"), Knobs{})
	if !a.Recomputable(1) {
		t.Error("scripted thoughts need no journal")
	}
	differ := 0
	for i := range 200 {
		p := situation(t, wire.Tick(i), 0.5, 0.5)
		x, y, z := think(t, a, p), think(t, b, p), think(t, other, p)
		if string(x.Text) != string(y.Text) || x.LatencyMS != y.LatencyMS {
			t.Fatalf("tick %d: %s and %s", i, x.Text, y.Text)
		}
		if string(x.Text) != string(z.Text) {
			differ++
		}
	}
	if differ < 100 {
		t.Errorf("another seed gives the same answer in %d of 200 slots", 200-differ)
	}
}

// TestMind_GenomesBehaveDifferently states how: the total variation distance
// between the choices of a daring and a cautious genome in the same 2000 slots is
// at least a tenth, the daring one spreads them more evenly; and the hasty
// one publishes wrong programs at least twice as often as the careful one.
func TestMind_GenomesBehaveDifferently(t *testing.T) {
	m := New(seed, Knobs{})
	const n = 2000
	daring, cautious := census(t, m, n, 0.9, 0.2), census(t, m, n, 0.1, 0.2)
	distance, most := 0, [2]int{}
	for _, a := range situation(t, 0, 0, 0).Affordances {
		d := daring[a.Name()] - cautious[a.Name()]
		distance += max(d, -d)
		most[0], most[1] = max(most[0], daring[a.Name()]), max(most[1], cautious[a.Name()])
	}
	if share := float64(distance) / (2 * n); share < 0.1 || most[0] >= most[1] {
		t.Errorf("distance %.3f, favourite %d of the daring, %d of the cautious", share, most[0], most[1])
	}
	hasty, careful := wrongShare(t, m, 1), wrongShare(t, m, 0)
	if hasty < 2*careful || careful == 0 {
		t.Errorf("wrong programs: %.3f of the hasty, %.3f of the careful", hasty, careful)
	}
}

func wrongShare(t *testing.T, m *Mind, speed float32) float64 {
	wrong, all := 0, 0
	for i := range 4000 {
		p := situation(t, wire.Tick(i), 0, speed)
		p.Affordances = slices.Delete(p.Affordances, 1, len(p.Affordances)-1)
		p.Affordances[0].Finding = &llm.Finding{Title: "a pattern", Tag: "starlark-data", Subject: library[i%len(library)].topic, Pattern: true}
		p.Affordances[0].Know = 0.6
		a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := a.Payload.(*wire.EntryPublish); ok {
			all++
			if findFault(q.Entry.Body) != nil {
				wrong++
			}
		}
	}
	return float64(wrong) / float64(all)
}

func TestMind_MalformedRateIsPerSlot(t *testing.T) {
	for _, c := range []struct{ rate, low, high float64 }{{0, 0, 0}, {0.3, 0.25, 0.35}, {1, 1, 1}} {
		m := New(seed, Knobs{MalformedRate: c.rate})
		bad := 0
		const n = 1000
		for i := range n {
			unusable := 0
			for try := range uint32(3) {
				p := situation(t, wire.Tick(i), 0.5, 0.5)
				p.Try = try
				if _, err := llm.Parse(think(t, m, p).Text, p.Actions, nil); err != nil {
					unusable++
				}
			}
			if unusable != 0 && unusable != 3 {
				t.Fatalf("rate %v, tick %d: %d of 3 tries unusable", c.rate, i, unusable)
			}
			if unusable == 3 {
				bad++
			}
		}
		if share := float64(bad) / n; share < c.low || share > c.high {
			t.Errorf("rate %v: %v of the slots are unusable", c.rate, share)
		}
	}
}

func TestMind_EveryGarbledAnswerIsUnusable(t *testing.T) {
	all := situation(t, 0, 0, 0).Actions
	for _, text := range garbled {
		if a, err := llm.Parse([]byte(text), all, nil); err == nil {
			t.Errorf("%q was understood as %+v", text, a)
		}
	}
}

func TestMind_FailureBursts(t *testing.T) {
	m := New(seed, Knobs{FailureBursts: FailureBursts{EveryCycles: 5, LengthSlots: 12}})
	for _, c := range []struct {
		cycle wire.Cycle
		slot  uint64
		bad   bool
	}{{5, 0, true}, {5, 11, true}, {5, 12, false}, {4, 0, false}, {10, 3, true}, {6, 3, false}} {
		p := situation(t, 1, 0.5, 0.5)
		p.Cycle, p.Slot = c.cycle, c.slot
		if _, err := llm.Parse(think(t, m, p).Text, p.Actions, nil); (err != nil) != c.bad {
			t.Errorf("cycle %d slot %d: error %v, want one: %v", c.cycle, c.slot, err, c.bad)
		}
	}
}

func TestMind_NOPRateAndRefusedActions(t *testing.T) {
	if got := census(t, New(seed, Knobs{NOPRate: 1}), 100, 0.5, 0.5); got[llm.NOP] != 100 {
		t.Errorf("nop rate 1: %v", got)
	}
	refused := []string{"entry_publish", "entry_verify"}
	got := census(t, New(seed, Knobs{RefuseActions: refused}), 500, 0.9, 0.5)
	if got["entry_publish"]+got["entry_verify"] != 0 || got["entry_get"] == 0 {
		t.Errorf("refusing %v: %v", refused, got)
	}
}

func TestMind_SocialAgentsCallSleepersMore(t *testing.T) {
	m, sleeper := New(seed, Knobs{}), wire.AgentID{0xAB, 0xCD}
	calls := func(collab float32) (n int) {
		for i := range 500 {
			p := situation(t, wire.Tick(256+i), 0.5, 0.5)
			p.Collab = collab
			p.Affordances = append([]llm.Affordance{{
				Action: row(t, "msg_post"), Params: &wire.MsgPost{Kind: wire.MessageKindStatement, References: []wire.Hash{wire.Hash(sleeper)}},
				GoalKind: "mentor", Priority: 0.8, Success: 0.6, Ticks: 1, Compose: llm.ComposeCall,
			}}, p.Affordances...)
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			post, ok := a.Payload.(*wire.MsgPost)
			if !ok || post.Kind != wire.MessageKindStatement {
				continue
			}
			if text, _ := wire.ContentText(post.Content); !strings.Contains(string(text), sleeper.Alias()) || post.References[0] != wire.Hash(sleeper) {
				t.Fatalf("a call without its sleeper: %s", text)
			}
			n++
		}
		return n
	}
	alone, middle, social := calls(0), calls(0.5), calls(1)
	if alone == 0 || middle < alone+30 || social < middle+30 {
		t.Errorf("calls in 500 slots: %d, %d, %d; want them to grow with collaboration", alone, middle, social)
	}
}

func TestMind_Latency(t *testing.T) {
	for _, c := range []struct {
		l             Latency
		median, slack float64
	}{
		{Latency{}, 0, 0},
		{Latency{Distribution: DistributionConstant, MedianMS: 250}, 250, 0},
		{Latency{Distribution: DistributionUniform, MedianMS: 250}, 250, 20},
		{Latency{Distribution: DistributionLognormal, MedianMS: 1000, Sigma: 0.5}, 1000, 60},
		{Latency{Distribution: DistributionConstant, MedianMS: 600_001}, 600_000, 0},
	} {
		m := New(seed, Knobs{Latency: c.l})
		var all []uint64
		for i := range 1001 {
			all = append(all, think(t, m, situation(t, wire.Tick(i), 0.5, 0.5)).LatencyMS)
		}
		slices.Sort(all)
		if got := float64(all[500]); math.Abs(got-c.median) > c.slack {
			t.Errorf("%v: median %v ms, want %v", c.l.Distribution, got, c.median)
		}
	}
}

// Replays compute latencies again, so they must not change.
func TestMind_LatencyOfATickIsFixed(t *testing.T) {
	m := New(seed, Knobs{Latency: Latency{Distribution: DistributionLognormal, MedianMS: 1000, Sigma: 0.5}})
	for tick, want := range []uint64{1228, 1945, 1131} {
		if got := think(t, m, situation(t, wire.Tick(tick), 0.5, 0.5)).LatencyMS; got != want {
			t.Errorf("tick %d: %d ms, want %d", tick, got, want)
		}
	}
}

func TestMind_CountsTokensOfItsAnswer(t *testing.T) {
	th := think(t, New(seed, Knobs{}), situation(t, 1, 0.5, 0.5))
	if want := uint64(llm.BudgetTokens(len(th.Text))); th.OutputTokens != want || want == 0 {
		t.Errorf("%d output tokens, want %d", th.OutputTokens, want)
	}
}

func TestMind_MalformedAnswersAreOfAllKinds(t *testing.T) {
	m, seen := New(seed, Knobs{MalformedRate: 1}), map[string]bool{}
	for i := range 200 {
		seen[string(think(t, m, situation(t, wire.Tick(i), 0.5, 0.5)).Text)] = true
	}
	for _, text := range garbled {
		if !seen[text] {
			t.Errorf("%q was never given", text)
		}
		delete(seen, text)
	}
	if len(seen) > 0 {
		t.Errorf("answers of no known kind: %v", seen)
	}
}

func TestMind_VerdictFollowsFaultsInText(t *testing.T) {
	m := New(seed, Knobs{})
	verdicts := func(text string) (accurate int) {
		for i := range 500 {
			p := situation(t, wire.Tick(i), 0.3, 0.2)
			p.Affordances = p.Affordances[1:2]
			p.Affordances[0].Text, p.Affordances[0].Know = []byte(text), 0.6
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.Payload.(*wire.EntryVerify).Verdict == wire.VerdictAccurate {
				accurate++
			}
		}
		return accurate
	}
	f := &library[2]
	rest := f.sentence + f.input + f.output + f.caution
	right, wrong := verdicts(f.right+rest), verdicts(f.wrong+rest)
	if right < 400 || wrong > 100 || wrong == 0 {
		t.Errorf("of 500 readers %d accept the right program and %d the wrong one", right, wrong)
	}
}

func BenchmarkMind_Think(b *testing.B) {
	m := New(seed, Knobs{})
	p := situation(b, 300, 0.5, 0.5)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Tick = wire.Tick(i)
		think(b, m, p)
	}
}

func TestFindTopic_TheFirstWhoseWordStandsInTheText(t *testing.T) {
	for _, c := range []struct {
		name string
		find func([]byte) *fragment
		of   []fragment
		word func(*fragment) string
	}{
		{"topics", findTopic, library[:], func(f *fragment) string { return f.topic }},
		{"faults", findFault, library[:], func(f *fragment) string { return f.wrong }},
	} {
		rapid.Check(t, func(t *rapid.T) {
			var text strings.Builder
			for range rapid.IntRange(0, 4).Draw(t, "words") {
				w := c.word(&c.of[rapid.IntRange(0, len(c.of)-1).Draw(t, "which")])
				text.WriteString(w[:rapid.IntRange(len(w)-2, len(w)).Draw(t, "cut")])
				text.WriteString(rapid.SampledFrom([]string{"", " ", "\n", "def "}).Draw(t, "between"))
			}
			var want *fragment
			for i := range c.of {
				if strings.Contains(text.String(), c.word(&c.of[i])) {
					want = &c.of[i]
					break
				}
			}
			if got := c.find([]byte(text.String())); got != want {
				t.Fatalf("%s: in %q found %v, want %v", c.name, text.String(), got, want)
			}
		})
	}
}

package observe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kingdom/engine"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world"
)

// config is a small world in which nobody makes sense and sleepers wake after two
// cycles.
func config() engine.Config {
	rules := world.Rules{
		Seed: wire.WorldSeed("42"), Calendar: wire.Calendar{TicksPerCycle: 128}, Population: 4,
		BaseBudget: 16, MaxExtra: 112, InitialBalance: 100, WakeAfter: 2, ClaimLimit: 2, ClaimLease: 4, ClaimBar: 8,
		PairCycles: 16, AgoraText: 65_536, OracleText: 131_072, BudgetShare: 500, PopulationCap: 4, ChannelFee: 5,
	}
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar = rules.Calendar
	genomes := make([]wire.Genome, 4)
	for i := range genomes {
		genomes[i] = wire.Genome{Role: wire.RoleLibrarian, Traits: wire.Traits{RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5}}
	}
	return engine.Config{Name: "test", SeedText: "42", Rules: rules, Turn: turn, Genomes: genomes, SignaturesLazy: true}
}

// run writes the logs of a world up to a cycle.
func run(t *testing.T, dir string, knobs scripted.Knobs, until wire.Cycle) engine.Summary {
	t.Helper()
	return runWith(t, dir, knobs, until, Options{})
}

func runWith(t *testing.T, dir string, knobs scripted.Knobs, until wire.Cycle, opt Options) engine.Summary {
	t.Helper()
	logs, err := Open(dir, "test-42", opt)
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := OpenMetrics(dir, func(msg string) { t.Errorf("warns of %s", msg) })
	if err != nil {
		t.Fatal(err)
	}
	cfg := config()
	e, err := engine.Start(t.Context(), cfg, engine.Options{Mind: scripted.New(cfg.Rules.Seed, knobs), Observers: []engine.Observer{logs, metrics}})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), until)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(logs.Close(), metrics.Close()); err != nil {
		t.Fatal(err)
	}
	return sum
}

func lines(t *testing.T, dir string, opt TailOptions) (out []Line) {
	t.Helper()
	if err := Tail(t.Context(), dir, opt, func(l Line) error { out = append(out, l); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// An unusable answer is told by the line of its NOP alone.
func TestLogs_UnusableAnswerIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, scripted.Knobs{MalformedRate: 1}, 1)
	if got := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}}); len(got) < 10 {
		t.Fatalf("%d NOPs", len(got))
	}
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamEngine}}) {
		if bytes.Contains(l.Raw, []byte(`"fault"`)) {
			t.Fatalf("told again: %s", l.Raw)
		}
	}
}

// keys are the field names of a JSON object in their order.
func keys(t *testing.T, raw []byte) (out []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	depth, name := 0, true
	for {
		tok, err := d.Token()
		if err != nil {
			return out
		}
		switch v := tok.(type) {
		case json.Delim:
			if v == '{' {
				depth++
			} else {
				depth--
			}
			name = true
		case string:
			if depth == 1 && name {
				out = append(out, v)
				name = false
				continue
			}
			name = true
		default:
			name = true
		}
	}
}

// The stable fields of docs/AGENT.md, NOP accounting: all of them in every line,
// and no others.
var stable = []string{
	"ts", "run", "cycle", "tick", "agent", "role", "class", "reason", "streak", "slots", "goal", "tier", "model", "attempts", "error", "reasoning",
	"status_from", "status_to", "wake_cause", "hold_ended", "balance", "reputation",
}

func TestLogs_StableFields(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, scripted.Knobs{MalformedRate: 1}, 4)
	got := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP, StreamDormancy}})
	if len(got) < 40 {
		t.Fatalf("%d lines", len(got))
	}
	for _, l := range got {
		if diff := cmp.Diff(stable, keys(t, l.Raw)); diff != "" {
			t.Fatalf("%s line %s: %s", l.Stream, l.Raw, diff)
		}
	}
}

// A rest in the last slot of a cycle passes no further slots.
func TestLine_StatesLengthOfRest(t *testing.T) {
	for slots, want := range map[uint64]string{
		0:  "rests in its last slot of the cycle, ",
		1:  "rests for this slot and the next, unless",
		45: "rests for this slot and the next 45, unless",
	} {
		l := Line{Stream: StreamNOP}
		l.fields.Class, l.fields.Slots, l.fields.Reasoning = "rest", slots, "nothing is worth its cost"
		if got := l.Text(); !strings.Contains(got, want) {
			t.Errorf("a rest of %d slots is told as %q, want %q in it", slots, got, want)
		}
	}
}

// A rest that becomes a sleep passes no slots either, wherever in the cycle it is.
func TestLine_RestThatBecomesASleep(t *testing.T) {
	l := Line{Stream: StreamNOP}
	l.fields.Class, l.fields.From, l.fields.To = "rest", "ACTIVE", "DORMANT"
	if got, want := l.Text(), "rests, and falls asleep"; !strings.HasSuffix(got, want) {
		t.Errorf("it is told as %q, want %q at its end", got, want)
	}
	l.Stream, l.fields.Reason = StreamDormancy, "no_demand"
	if got, want := l.Text(), "ACTIVE → DORMANT: no_demand, it did nothing productive in that cycle and the three or more before, 0 ⚡"; !strings.Contains(got, want) {
		t.Errorf("the sleep is told as %q, want %q in it", got, want)
	}
}

// Only a try after the first is told as such, counted as people do.
func TestLine_NumbersFurtherTries(t *testing.T) {
	for try, want := range map[uint32]string{0: "think      answered entry_get", 2: "think      try 3 answered entry_get"} {
		l := Line{Stream: StreamThink}
		l.fields.Try, l.fields.Outcome, l.fields.Action = try, "answered", "entry_get"
		if got := l.Text(); !strings.HasSuffix(got, want) {
			t.Errorf("try %d is told as %q, want %q at its end", try, got, want)
		}
	}
}

// A thought of the mind that takes the place of a model that is out is told as such.
func TestLine_NamesFallback(t *testing.T) {
	l := Line{Stream: StreamThink}
	l.fields.Outcome, l.fields.Action, l.fields.Fallback, l.fields.Error = "answered", "entry_get", true, "endpoint is out"
	if got, want := l.Text(), "answered entry_get by the scripted mind in place of the model  (endpoint is out)"; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}

// Each agent is warned at 3 and falls asleep at 10 NOPs, and the timer wakes it.
func TestLogs_WarnSleepAndWakeOfStuckAgent(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, scripted.Knobs{MalformedRate: 1}, 3)
	var story []string
	agent := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}})[0].fields.Agent.Alias
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamDormancy}, Agent: agent}) {
		_, text, _ := strings.Cut(l.Text(), "LIBRARIAN  ")
		story = append(story, text)
	}
	want := []string{
		"warning: 3 NOPs in a row",
		"ACTIVE → DORMANT: nop_limit, 10 NOPs in a row (10 parse_failed), 100 ⚡, reputation 0.000",
		"DORMANT → ACTIVE: timer, its time to sleep is over, 100 ⚡, reputation 0.000",
	}
	for i, s := range story { // the parser's reason follows in parentheses
		story[i], _, _ = strings.Cut(s, "  (")
	}
	if diff := cmp.Diff(want, story); diff != "" {
		t.Error(diff)
	}
	nops := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}, Agent: agent})
	if len(nops) != 10 || nops[9].fields.Streak != 10 || nops[9].fields.Reason != "parse_failed" || nops[9].fields.Error == "" {
		t.Errorf("%d NOPs, the last %s", len(nops), nops[len(nops)-1].Raw)
	}
}

// Lines of a tick are there within a second, also if the next tick does not come, since it waits for models.
func TestLogs_LinesDoNotWaitForTheNextTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		logs, err := Open(dir, "test-42", Options{})
		if err != nil {
			t.Fatal(err)
		}
		nop := []engine.SeatReport{{Role: wire.RoleLibrarian, NOP: &ooda.NOPRecord{Reason: ooda.NOPChosen, Streak: 1}}}
		for tick := range wire.Tick(3) { // at once: the first is flushed by its tick, the others are not
			logs.Commit(&engine.Commit{Cycle: 1, Tick: 256 + tick, Seats: nop})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}}); len(got) != 3 {
			t.Errorf("a second after three ticks %d lines are there", len(got))
		}
		logs.Commit(&engine.Commit{Cycle: 1, Tick: 300, Seats: nop})
		logs.Commit(&engine.Commit{Cycle: 1, Tick: 301, Seats: nop})
		time.Sleep(time.Second)
		synctest.Wait()
		if got := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}}); len(got) != 5 {
			t.Errorf("a second after two more %d lines are there", len(got))
		}
		logs.Commit(&engine.Commit{Cycle: 1, Tick: 400, Seats: nop})
		logs.Commit(&engine.Commit{Cycle: 1, Tick: 401, Seats: nop})
		if err := logs.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second) // nothing is written after the end
		if got := lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}}); len(got) != 7 {
			t.Errorf("%d lines are there in the end", len(got))
		}
	})
}

// A cap that is reached after the last commit is told when the logs are closed, at the tick of that commit.
func TestLogs_SpendAfterTheLastTickIsTold(t *testing.T) {
	dir := t.TempDir()
	logs, err := Open(dir, "test-42", Options{})
	if err != nil {
		t.Fatal(err)
	}
	logs.Commit(&engine.Commit{Cycle: 1, Tick: 256})
	logs.Spend(Spend{Cap: "run", Percent: 100, CapMicroUSD: 7, SpentMicroUSD: 8})
	if err := logs.Close(); err != nil {
		t.Fatal(err)
	}
	got := lines(t, dir, TailOptions{Streams: []Stream{StreamEngine}})
	if len(got) != 1 || !bytes.Contains(got[0].Raw, []byte(`"spend"`)) || !bytes.Contains(got[0].Raw, []byte(`"tick":256`)) {
		t.Errorf("lines %v", got)
	}
}

func TestLogs_ThinkAndEngine(t *testing.T) {
	dir := t.TempDir()
	sum := run(t, dir, scripted.Knobs{}, 2)
	think := lines(t, dir, TailOptions{Streams: []Stream{StreamThink}})
	if len(think) == 0 || uint64(len(think)) > sum.AgentTicks {
		t.Errorf("%d thoughts in %d agent-ticks", len(think), sum.AgentTicks)
	}
	var ends []string
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamEngine}}) {
		switch l.fields.Kind {
		case "cycle":
			ends = append(ends, l.fields.WorldHash)
		case "satisfaction":
			t.Fatalf("the end of a goal is in the plain log: %s", l.Raw)
		}
	}
	goals := lines(t, dir, TailOptions{Streams: []Stream{StreamGoals}})
	for _, l := range goals {
		if text := l.Text(); l.fields.Kind != "satisfaction" || !strings.Contains(text, " goal "+l.fields.Goal.Kind+": "+l.fields.Outcome+reasonIn(l.fields.Reason)+", ") {
			t.Fatalf("the end of a goal reads %q: %s", text, l.Raw)
		}
	}
	if len(goals) < 10 {
		t.Errorf("%d goals ended", len(goals))
	}
	if len(ends) != 3 || ends[2] != sum.WorldHash.String() {
		t.Errorf("cycle ends %v, want 3 up to %v", ends, sum.WorldHash)
	}
	csv, err := os.ReadFile(MetricsPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if len(rows) != 4 || rows[0]+"\n" != metricsHeading || strings.Count(rows[3], ",") != strings.Count(rows[0], ",") {
		t.Errorf("metrics:\n%s", csv)
	}
}

// The page about logs lists the columns of metrics.csv in their order, and says of each how it is counted.
func TestMetrics_PageNamesEachColumn(t *testing.T) {
	page, err := os.ReadFile("../docs/LOGS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "| column | is a | meaning |\n|---|---|---|\n")
	table, _, _ := strings.Cut(part, "\n\n")
	var columns []string
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if is := strings.TrimSpace(cells[2]); is != "cycle" && is != "total" && is != "state" && is != "–" {
			t.Errorf("%sis neither of a cycle nor total nor a state", row)
		}
		columns = append(columns, strings.Split(strings.Trim(cells[1], " `"), "`, `")...)
	}
	if got := strings.Join(columns, ",") + "\n"; got != metricsHeading {
		t.Errorf("the page lists\n%s, the file has\n%s", got, metricsHeading)
	}
}

// Totals never fall, and add up what each cycle brought: the page about logs says which columns are totals.
func TestMetrics_Totals(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, scripted.Knobs{}, 6)
	csv, err := os.ReadFile(MetricsPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	heading := strings.Split(strings.TrimSpace(metricsHeading), ",")
	before, fell := make([]string, len(heading)), map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(csv)), "\n")[1:] {
		cells := strings.Split(line, ",")
		for k, name := range heading {
			now, _ := strconv.ParseFloat(cells[k], 64)
			if was, _ := strconv.ParseFloat(before[k], 64); i > 0 && now < was {
				fell[name] = true
			}
		}
		before = cells
	}
	if fell["transactions"] || fell["completed_bounties"] || !fell["messages"] {
		t.Errorf("columns that fell: %v", fell)
	}
}

// What is executed again after a crash is not logged twice.
func TestLogs_ResumedRunLeavesNoLineTwice(t *testing.T) {
	dir, whole := t.TempDir(), t.TempDir()
	run(t, whole, scripted.Knobs{MalformedRate: 0.3}, 4)
	run(t, dir, scripted.Knobs{MalformedRate: 0.3}, 4)
	f, err := os.OpenFile(StreamNOP.Path(dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"ts":"half a li`)
	f.Close()

	logs, err := Open(dir, "test-42", Options{})
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := OpenMetrics(dir, func(msg string) { t.Errorf("warns of %s", msg) })
	if err != nil {
		t.Fatal(err)
	}
	again := &engine.CycleReport{Row: engine.CycleRow{Cycle: 3, Tick: 511}}
	logs.Cycle(again)
	metrics.Cycle(again)
	if err := errors.Join(logs.Close(), metrics.Close()); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Stream{StreamNOP, StreamThink, StreamDormancy} {
		got, want := strip(lines(t, dir, TailOptions{Streams: []Stream{s}})), strip(lines(t, whole, TailOptions{Streams: []Stream{s}}))
		want = slices.DeleteFunc(want, func(l string) bool { return strings.Contains(l, `"cycle":3,`) || strings.Contains(l, `"cycle":4,`) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", s, diff)
		}
	}
	csv, err := os.ReadFile(MetricsPath(dir))
	if err != nil || strings.Count(string(csv), "\n") != 1+4 {
		t.Errorf("metrics %s, %v", csv, err)
	}
}

// A table that lost rows, or has lines that are none of its rows, is reported when the run goes on.
func TestMetrics_WrongLinesAreReported(t *testing.T) {
	rest := strings.Repeat(",0", strings.Count(metricsHeading, ",")-1) + "\n"
	row := func(start string) string { return start + rest }
	first, second := metricsHeading+row("0,0"), row("1,9")
	whole := first + second + row("2,18")
	for text, says := range map[string]string{
		whole:                           "",
		whole + "3,27,executed again\n": "",
		first + "a note\n" + second + row("2,18"):                               `metrics.csv:3 is no row of this run: "a note"; the run continues and leaves it there; take the line out`,
		first + "1,of another run\n" + second + row("2,18"):                     `metrics.csv:3 is no row of this run: "1,of another run"; `,
		metricsHeading + row("x,0") + strings.TrimPrefix(whole, metricsHeading): `metrics.csv:2 is no row of this run: "x,0,`,
		whole + row("1,9"):           `metrics.csv:5 is no row of this run: "1,9,0,`,
		whole[:20]:                   "metrics.csv lacks 3 of the 3 rows before cycle 3",
		whole[:len(whole)-5]:         "metrics.csv lacks 1 of the 3 rows before cycle 3",
		metricsHeading + row("2,18"): "metrics.csv lacks 2 of the 3 rows before cycle 3",
	} {
		dir, said := t.TempDir(), ""
		if err := os.WriteFile(MetricsPath(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := OpenMetrics(dir, func(msg string) { said += msg })
		if err != nil {
			t.Fatal(err)
		}
		m.Cycle(&engine.CycleReport{Row: engine.CycleRow{Cycle: 3}})
		m.Cycle(&engine.CycleReport{Row: engine.CycleRow{Cycle: 4}})
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Count(said, says) != 1 && says != "" || (said == "") != (says == "") {
			t.Errorf("of %q it says %q, want %q", text, said, says)
		}
	}
}

// A table that cannot be read is an error, and it is not said what it lacks.
func TestMetrics_UnreadableTable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(MetricsPath(dir), []byte(metricsHeading+strings.Repeat("x", 100_000)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := OpenMetrics(dir, func(msg string) { t.Errorf("warns of %s", msg) })
	if err != nil {
		t.Fatal(err)
	}
	m.Cycle(&engine.CycleReport{Row: engine.CycleRow{Cycle: 3}})
	if err := m.Close(); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("%v, want that a line is too long", err)
	}
}

// A run that is resumed within a cycle removes the lines of that cycle before it writes its own.
func TestLogs_ResumedInACycle(t *testing.T) {
	dir := t.TempDir()
	nop := []engine.SeatReport{{Role: wire.RoleLibrarian, NOP: &ooda.NOPRecord{Reason: ooda.NOPChosen, Streak: 1}}}
	for _, first := range []wire.Tick{128, 256} {
		logs, err := Open(dir, "test-42", Options{})
		if err != nil {
			t.Fatal(err)
		}
		logs.Commit(&engine.Commit{Cycle: wire.Cycle(first / 128), Tick: first, Seats: nop})
		logs.Commit(&engine.Commit{Cycle: 2, Tick: 300, Seats: nop})
		if err := logs.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var got []wire.Tick
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamNOP}}) {
		got = append(got, l.Tick())
	}
	if want := []wire.Tick{128, 256, 300}; !slices.Equal(got, want) {
		t.Errorf("lines of ticks %v, want %v", got, want)
	}
}

// The log of thoughts in the form that is not written any more is trimmed as well, and stays one that zstd tools read. If it cannot be, somebody is told.
func TestLogs_ThinkLogOfTheOtherForm(t *testing.T) {
	for _, unreadable := range []bool{false, true} {
		dir := t.TempDir()
		path := write(t, dir, thought(2, 1)+"\n")
		if unreadable {
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
				t.Fatal(err)
			}
		}
		logs, err := Open(dir, "test-42", Options{PlainThink: true})
		if err != nil {
			t.Fatal(err)
		}
		logs.Commit(&engine.Commit{Cycle: 2, Tick: 256})
		if err := logs.Close(); (err != nil) != unreadable {
			t.Errorf("unreadable %t: %v", unreadable, err)
		}
		if unreadable {
			continue
		}
		if err := Tail(t.Context(), dir, TailOptions{Closed: true}, func(l Line) error { return fmt.Errorf("line %s", l.Raw) }); err != nil {
			t.Error(err)
		}
	}
}

// Following ends with the lines of a run that has ended.
func TestTail_EndsWithTheRun(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, thought(0, 1)+"\n")
	synctest.Test(t, func(t *testing.T) {
		looks, shown := 0, 0
		opt := TailOptions{Follow: true, Ended: func() bool { looks++; return looks == 3 }}
		if err := Tail(t.Context(), dir, opt, func(Line) error { shown++; return nil }); err != nil || looks != 3 || shown != 1 {
			t.Errorf("%v after %d looks, %d lines", err, looks, shown)
		}
	})
}

// A line whose time cannot be read is not taken for one that was shown.
func TestLater(t *testing.T) {
	const early, late = "2026-11-28T10:00:00Z", "2026-11-28T10:00:01Z"
	for _, c := range []struct {
		line, other string
		want        bool
	}{{late, early, true}, {early, late, false}, {early, early, false}, {"", late, true}, {early, "", true}} {
		if got := later(c.line, c.other); got != c.want {
			t.Errorf("%q after %q: %t", c.line, c.other, got)
		}
	}
}

// strip takes the wall clock off.
func strip(ls []Line) (out []string) {
	for _, l := range ls {
		_, rest, _ := strings.Cut(string(l.Raw), ",")
		out = append(out, rest)
	}
	return out
}

func TestTail_FiltersByOptions(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, scripted.Knobs{MalformedRate: 0.3}, 3)
	all := lines(t, dir, TailOptions{})
	if !slices.IsSortedFunc(all, func(a, b Line) int { return int(a.Tick()) - int(b.Tick()) }) {
		t.Error("lines are not in the order of ticks")
	}
	for _, l := range lines(t, dir, TailOptions{Since: 2}) {
		if l.fields.Cycle < 2 {
			t.Fatalf("line of cycle %d", l.fields.Cycle)
		}
	}
	if got := lines(t, t.TempDir(), TailOptions{}); len(got) != 0 {
		t.Errorf("%d lines of nothing", len(got))
	}
}

// Following, lines are shown as they appear, also those written in two pieces,
// and a file that a resumed run cut is read on from there.
func TestTail_Follows(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/log", 0o777); err != nil {
		t.Fatal(err)
	}
	path := StreamNOP.Path(dir)
	write := func(s string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(s)
		f.Close()
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		shown := make(chan string, 10)
		ended := make(chan error, 1)
		go func() {
			ended <- Tail(ctx, dir, TailOptions{Streams: []Stream{StreamNOP}, Follow: true}, func(l Line) error {
				shown <- string(l.Raw)
				return nil
			})
		}()
		time.Sleep(time.Second) // virtual: the file does not exist yet
		const first = `{"ts":"2026-11-28T10:00:00Z","tick":1}`
		write(first + "\n" + `{"ts":"2026-11-28T10:00:02Z","tick":`)
		if got := <-shown; got != first {
			t.Errorf("shown %s", got)
		}
		write(`2}` + "\n")
		if got := <-shown; got != `{"ts":"2026-11-28T10:00:02Z","tick":2}` {
			t.Errorf("shown %s", got)
		}
		if err := os.Truncate(path, int64(len(first)+1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		write(`{"ts":"2026-11-28T10:00:03Z","tick":3}` + "\n")
		if got := <-shown; got != `{"ts":"2026-11-28T10:00:03Z","tick":3}` {
			t.Errorf("shown %s", got)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("tail ended with %v", err)
		}
	})
}

// If a resumed run removed lines and has already written more than it removed, the new lines are shown, and the others
// not again.
func TestTail_FollowsAResumedRun(t *testing.T) {
	line := func(second, cycle int) string {
		return fmt.Sprintf(`{"ts":"2026-11-28T10:00:%02dZ","cycle":%d,"tick":%d}`, second, cycle, 128*cycle)
	}
	for _, path := range []func(dir string) string{StreamNOP.Path, func(dir string) string { return StreamNOP.Paths(dir)[1] }} {
		dir := t.TempDir()
		if err := os.MkdirAll(dir+"/log", 0o777); err != nil {
			t.Fatal(err)
		}
		write := func(from uint64, lines ...string) {
			s, err := openSink(path(dir))
			if err != nil {
				t.Fatal(err)
			}
			s.trim(from, jsonCycle)
			for _, l := range lines {
				_, err := s.w.Write([]byte(l + "\n"))
				s.setErr(err)
				s.flush()
			}
			if err := s.close(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var shown []string
			ended := make(chan error, 1)
			go func() {
				ended <- Tail(ctx, dir, TailOptions{Streams: []Stream{StreamNOP}, Follow: true}, func(l Line) error {
					shown = append(shown, string(l.Raw))
					return nil
				})
			}()
			write(0, line(1, 1), line(2, 2), line(3, 3))
			time.Sleep(time.Second)
			write(2, line(4, 2), line(5, 3), line(6, 4), line(7, 5))
			time.Sleep(time.Second)
			write(5, line(8, 5))
			time.Sleep(time.Second)
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: tail ended with %v", path(dir), err)
			}
			want := []string{line(1, 1), line(2, 2), line(3, 3), line(4, 2), line(5, 3), line(6, 4), line(7, 5), line(8, 5)}
			if diff := cmp.Diff(want, shown); diff != "" {
				t.Errorf("%s: %s", path(dir), diff)
			}
		})
	}
}

func TestTail_NamesBrokenLine(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/log", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(StreamNOP.Path(dir), []byte("nonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := Tail(t.Context(), dir, TailOptions{}, func(Line) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "nop.jsonl") {
		t.Errorf("%v", err)
	}
	lines(t, dir, TailOptions{Streams: []Stream{StreamEngine}}) // which does not read it
}

var someThought = ooda.ThinkRecord{Action: "nop", Reasoning: "nothing to do"}

func BenchmarkCommit(b *testing.B) {
	logs, err := Open(b.TempDir(), "bench", Options{})
	if err != nil {
		b.Fatal(err)
	}
	c := &engine.Commit{Seats: make([]engine.SeatReport, 100)}
	for i := range c.Seats {
		c.Seats[i].NOP = &ooda.NOPRecord{Reason: ooda.NOPChosen, StatusFrom: wire.StatusActive, StatusTo: wire.StatusActive}
		c.Seats[i].Thinks = []ooda.ThinkRecord{someThought}
	}
	for b.Loop() {
		logs.Commit(c)
	}
	if err := logs.Close(); err != nil {
		b.Fatal(err)
	}
}

// reasonIn is how a line names why a goal was given up.
func reasonIn(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

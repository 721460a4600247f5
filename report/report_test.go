package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/report"
	"kingdom/society"
)

// small is a run of three agents and three cycles after the bootstrap.
func small(seed string) report.Run {
	nan := math.NaN()
	return report.Run{
		Seed: seed, Cycle: 3, WorldHash: strings.Repeat("ab", 32),
		Series: map[string][]float64{
			"active": {3, 3, 2, 2}, "dormant": {0, 0, 1, 1}, "nops": {0, 3, 0, 0}, "agent_ticks": {0, 192, 128, 128}, "messages": {1, 5, 2, 0}, "oracle_entries": {1, 4, 9, 1200},
			"completed_bounties": {0, 0, 1, 1}, "total_transactions": {3, 8, 10, 10}, "median_balance": {nan, 50, 47.5, 40}, "gini_coefficient": {0, .1, .25, .3}, "vault_repos": {1, 1, 1, 1},
			"calls": {0, 0, 0, 0}, "failed_calls": {0, 0, 0, 0}, "prompt_tokens": {0, 0, 0, 0}, "output_tokens": {0, 0, 0, 0}, "cost_micro_usd": {0, 0, 0, 0},
		},
		Acts: []society.ActCount{{Action: "msg_query", Total: 6, Cycles: []int{0, 3, 2, 1}}, {Action: "entry_verify", Total: 4, Cycles: []int{0, 1, 0, 3}}},
		Agents: []report.Agent{
			{Name: "ada", Role: "LIBRARIAN", Status: "ACTIVE", Balance: 1234, Reputation: .5, Life: society.Life{Acts: 6, Productive: 2, Answers: 1, Entries: 1, Bounties: 1, Commonest: "msg_query"}},
			{Name: "a name that is too long", Role: "EXPLORER", Status: "ACTIVE", Balance: -7, Life: society.Life{Acts: 4, Commonest: "entry_verify"}},
			{Name: "c0ffee00", Role: "EXPLORER", Status: "DORMANT", Life: society.Life{Slept: 1}},
		},
		Sleeps: []report.Sleep{{Why: "no_demand, it did nothing", Times: 1}},
		Groups: []report.Group{
			{Name: "ada", Members: 1, Figures: figures(1234, .5), Balances: []float64{nan, 100, 900, 1234}, Productive: []float64{0, 1, 1, 0}},
			{Name: "EXPLORER", Members: 2, Figures: figures(-3.5, 0), Balances: []float64{nan, 50, 20, -3.5}, Productive: []float64{0, .5, 0, 0}},
		},
		Answers: [][]int{{0, 2, 0}, {1, 0, 0}, {0, 0, 0}}, Questions: 2, Bounties: report.Bounties{Created: 3, Completed: 1, Expired: 1},
	}
}

// figures are those of a group; all but the first ones have no value.
func figures(first ...float64) []float64 {
	for len(first) < len(society.GroupCatalogue()) {
		first = append(first, math.NaN())
	}
	return first
}

func arm(name string, runs ...report.Run) report.Arm {
	a := report.Arm{Name: name, Runs: runs, Physics: 23, Command: "kingdom run scenario.yaml --cycles 3", Scenario: "name: small\ncycles: 3\n"}
	var values [][]society.Value
	for i := range runs {
		r := society.Run{TicksPerCycle: 256, Last: 3, AgentCycles: 9, Agents: make([]society.Agent, 3), Acts: []society.Act{{Tick: 300, Action: "msg_query"}, {Tick: 400, Action: []string{"msg_query", "msg_post"}[i%2]}}}
		values = append(values, r.Measure())
	}
	a.Values = values
	a.Measures, _ = society.Pool(values)
	return a
}

func write(t testing.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The pages are read by a person when they change: open one.html in a browser.
func TestWrite_Golden(t *testing.T) {
	treated := arm("treatment", small("1"), small("2"))
	treated.Changes = []report.Change{{Path: "mint.initial_balance", From: "100", To: "20"}}
	treated.Fork = &report.Fork{Of: "control", Cycle: 1}
	treated.Planned = []report.Planned{{Cycle: 1, What: "{do: wake, agent: 1}"}, {Cycle: 2, What: "set minds.blind=[peers]"}, {Cycle: 3, What: "{do: take, agent: 1, amount: 9}", Refused: []string{"funds (QUOTA_EXCEEDED), have 3, need 9"}}, {Cycle: 9, What: "{do: kill, agent: 2}"}}
	treated.Effects = make([]report.Effect, len(treated.Measures))
	treated.Effects[0] = report.Effect{Seeds: 2, Change: .25, P: .5, Low: -1.25, High: 1.75, DZ: 1.5}
	treated.Effects[1] = report.Effect{Seeds: 2, Change: -.125, P: .0078125, Low: -.125, High: -.125, DZ: math.NaN()}
	unfinished := small("2")
	unfinished.Short = "of 50; interrupted"
	for i := range unfinished.Series["messages"] {
		unfinished.Series["messages"][i] *= 2
	}
	// One sweep, whose agents ask models and do more kinds of acts than there are colours.
	asking := [2]report.Run{small("1"), small("2")}
	for i := range asking {
		r := &asking[i]
		r.Series["calls"], r.Series["prompt_tokens"], r.Series["output_tokens"] = []float64{0, 4, 5, 6}, []float64{0, 1000, 2000, 3000}, []float64{0, 10, 20, 30}
		r.Series["cost_micro_usd"] = []float64{0, 1500, 2500, 400_000 * float64(i)}
		r.Series["failed_calls"] = []float64{0, 0, 2, 0}
		r.Models = []report.Model{{Name: "m", Served: "large-2", Calls: 17, Failed: 4, Answers: 13, Unusable: 2 + 5*i, PromptTokens: 6100, OutputTokens: 60, MicroUSD: 4500 + 400_000*i, Estimated: i == 1}, {Name: "spare", Served: "small-1"}}
		r.Thoughts, r.Unstored, r.LostCalls, r.LostMicroUSD = &report.Thoughts{Answered: 13, Replaced: 3 * i, Idle: llm.Unanswered{TimedOut: 1}}, 2, 2, 500
		for n := range 11 {
			r.Acts = append(r.Acts, society.ActCount{Action: fmt.Sprintf("act_%02d", n), Total: 1 + n, Cycles: []int{0, 0, 0, 1 + n}})
		}
	}
	for name, r := range map[string]*report.Report{
		"sweep": {Title: "A sweep", Arms: []report.Arm{arm("sweep", asking[:]...)}},
		"model": {Title: "One run that asks models", Arms: []report.Arm{arm("model", asking[1])}},
		"one":   {Title: "One run", Arms: []report.Arm{arm("one", small("42"))}},
		"arms":  {Title: "A treatment", Arms: []report.Arm{arm("control", small("1"), unfinished), treated}},
	} {
		t.Run(name, func(t *testing.T) {
			page := write(t, r)
			checkPage(t, page)
			if name != "one" { // the style is the same on each page
				page = style.ReplaceAllString(page, "")
			}
			golden.File(t, "testdata/"+name+".html", page)
		})
	}
}

// One of a thing is named in the singular.
func TestWrite_One(t *testing.T) {
	run := small("1")
	run.Cycle, run.Agents, run.Answers = 1, run.Agents[:1], nil
	for _, name := range []string{"messages", "oracle_entries", "vault_repos", "total_transactions"} {
		run.Series[name] = []float64{0, 1}
	}
	run.Models = []report.Model{{Name: "m", Calls: 1, Failed: 1, OutputTokens: 1}}
	run.Thoughts = &report.Thoughts{Replaced: 1, Idle: llm.Unanswered{TimedOut: 1}}
	page := write(t, &report.Report{Title: "one", Arms: []report.Arm{arm("one", run)}})
	for _, what := range []string{"agent", "cycle", "message", "entry of the library", "repository", "movement of ⚡", "call of models", "failed call of models", "thought of the scripted mind instead", "slot without an answer of a model", "token"} {
		if !regexp.MustCompile(`<b( class="out")?>1</b> <span>` + what + "</span>").MatchString(page) {
			t.Errorf("the page does not say 1 %s", what)
		}
	}
}

// The page says what its dashes stand for, in the words of the metrics that have them.
func TestWrite_Dashes(t *testing.T) {
	page := write(t, &report.Report{Title: "one", Arms: []report.Arm{arm("one", small("1"))}})
	for _, reason := range []string{"only of populations from 20 agents on", "the tables hold no truth about an entry", "takes pairs of runs"} {
		if !strings.Contains(page, `title="`+reason) {
			t.Errorf("no figure is missing because %q", reason)
		}
	}
	for _, want := range []string{"only from 20 agents on, the tables hold no truth to compare with, or it needs other runs. A dash as the band says that the figure is not judged."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "Spark") {
		t.Error("the page has two words for ⚡")
	}
}

var style = regexp.MustCompile(`(?s)<style>.*</style>\n`)

// checkPage checks that a page is well-formed, stands alone, and shows no number that is none.
func checkPage(t testing.TB, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.Entity = true, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "link" || e.Name.Local == "img" {
			t.Errorf("the page has an element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			if a.Name.Local == "src" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
				t.Errorf("%s has an attribute %s=%q", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
	for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "<no value>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
}

// What agents, scenarios and users name is text, whatever it contains.
func TestWrite_TextStaysText(t *testing.T) {
	const evil = `"><script>alert(1)</script><a href='javascript:x'>` + "\x00]]>-->{{.Title}}"
	run := small(evil)
	run.WorldHash, run.Short = evil, evil
	for i := range run.Agents {
		run.Agents[i].Name, run.Agents[i].Role, run.Agents[i].Status = evil, evil, evil
		run.Agents[i].Commonest = evil
	}
	run.Acts[0].Action = evil
	one := arm(evil, run)
	one.Scenario, one.Command, one.Description = evil, evil, evil
	one.Fork, one.Planned = &report.Fork{Of: evil, WorldHash: evil}, []report.Planned{{Cycle: 1, What: evil}}
	other := one
	other.Changes = []report.Change{{Path: evil, From: evil, To: evil}}
	for _, arms := range [][]report.Arm{{one}, {one, other}} {
		page := write(t, &report.Report{Title: evil, Arms: arms})
		if strings.Contains(page, "<script") || strings.Contains(page, "<a ") {
			t.Error("a text became an element")
		}
		checkPage(t, strings.ReplaceAll(page, "\uFFFD", "?"))
	}
}

func TestWrite_NumberOfArms(t *testing.T) {
	for _, n := range []int{0, report.MaxArms + 1} {
		err := report.Write(io.Discard, &report.Report{Arms: make([]report.Arm, n)})
		if want := fmt.Sprintf("%d runs or sweeps; want 1 to 6", n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d arms: %v; want %s", n, err, want)
		}
	}
	most := &report.Report{Arms: make([]report.Arm, report.MaxArms)}
	for i := range most.Arms {
		most.Arms[i] = arm(fmt.Sprintf("arm %d", i), small("1"))
	}
	checkPage(t, write(t, most))
}

var coordinates = regexp.MustCompile(`-?\d+\.\d`)

// Whatever the values are, all lines and areas of a chart lie within its axes.
func TestCharts_StayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-1e9, 1e9), rapid.Just(0.0), rapid.Just(math.NaN()), rapid.Float64Range(-1e-6, 1e-6))
		run := func() report.Run {
			r := small("1")
			r.Series = map[string][]float64{}
			for _, name := range slices.Sorted(maps.Keys(small("1").Series)) {
				r.Series[name] = rapid.SliceOfN(value, 4, 4).Draw(t, name)
			}
			r.Series["agent_ticks"] = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 1e6), func(n int) float64 { return float64(n) }), 4, 4).Draw(t, "agent_ticks")
			return r
		}
		r := &report.Report{Title: "any", Arms: []report.Arm{arm("a", run(), run()), arm("b", run())}}
		groups := run()
		for i := range groups.Groups {
			g := &groups.Groups[i]
			g.Balances, g.Productive = rapid.SliceOfN(value, 4, 4).Draw(t, "balances"), rapid.SliceOfN(value, 4, 4).Draw(t, "productive")
		}
		ofGroups := report.Report{Arms: []report.Arm{arm("c", groups, run())}}
		for _, c := range append(r.Charts(), ofGroups.GroupCharts()...) {
			for _, l := range c.Lines {
				for i, text := range coordinates.FindAllString(l.Path+" "+l.Area, -1) {
					x, _ := strconv.ParseFloat(text, 64)
					low, high := 46.0, 312.0
					if i%2 == 1 {
						low, high = 8, 156
					}
					if x < low || x > high {
						t.Fatalf("%s: coordinate %s is outside of %v to %v: %s", c.Title, text, low, high, l.Path)
					}
				}
			}
			if len(c.Y) < 2 || len(c.Y) > 8 {
				t.Fatalf("%s: %d labels", c.Title, len(c.Y))
			}
		}
		var b bytes.Buffer
		if err := report.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Fatal("the page shows a number that is none")
		}
	})
}

// A group that only some runs have has the mean of these, and lines are drawn only for as many groups as have colours.
func TestWrite_Groups(t *testing.T) {
	first, second := small("1"), small("2")
	second.Groups = second.Groups[:1]
	second.Groups[0].Figures = figures(1000, .25)
	r := &report.Report{Title: "groups", Arms: []report.Arm{arm("groups", first, second)}}
	page := write(t, r)
	for _, want := range []string{
		`<td>ada</td><td class="n">1</td><td class="n">1,117<br/><span class="soft mark">± 165</span></td><td class="n">0.375<br/>`,
		`<td>EXPLORER</td><td class="n">2</td><td class="n">-3.5<br/><span class="soft mark">(1 of 2 seeds)</span></td><td class="n">0<br/><span class="soft mark">(1 of 2 seeds)</span></td><td class="n">–</td>`,
		`<code>kingdom society --by</code>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := r.GroupNames(); !slices.Equal(got, []string{"ada", "EXPLORER"}) || len(r.GroupCharts()) != 2 {
		t.Errorf("%d charts of the groups %q; want two, of ada and EXPLORER", len(r.GroupCharts()), got)
	}
	for i := range 5 {
		first.Groups = append(first.Groups, report.Group{Name: fmt.Sprint("more-", i), Figures: figures()})
	}
	many := &report.Report{Title: "groups", Arms: []report.Arm{arm("groups", first)}}
	if many.GroupCharts() != nil || !strings.Contains(write(t, many), "<td>more-4</td>") {
		t.Error("seven groups are drawn, or the last is not in the table")
	}
	first.Groups = first.Groups[:1]
	if page := write(t, &report.Report{Title: "groups", Arms: []report.Arm{arm("groups", first)}}); strings.Contains(page, "Groups of agents") {
		t.Error("a single group is shown as if there were others")
	}
}

// A metric of fewer seeds than its heading names says of how many it is.
func TestWrite_MetricOfFewerSeeds(t *testing.T) {
	a := arm("some", small("1"), small("2"), small("3"))
	p := &a.Measures[0]
	p.Runs, p.Mean, p.SD = 2, 4, .5
	page := write(t, &report.Report{Title: "some", Arms: []report.Arm{a}})
	if !strings.Contains(page, `4 ± 0.5 <span class="mark">in</span> <span class="soft mark">(2 of 3 seeds)</span>`) || strings.Contains(page, "(3 of 3 seeds)") {
		t.Errorf("no metric, or each, has a mark: %s", page[strings.Index(page, "Metrics of the society"):])
	}
}

// In a large population the page shows those who did most.
func TestWrite_ManyAgents(t *testing.T) {
	run := small("1")
	run.Agents, run.Answers = nil, nil
	for i := range 300 {
		run.Agents = append(run.Agents, report.Agent{Name: fmt.Sprintf("agent-%03d", i), Life: society.Life{Productive: i % 250}})
		run.Answers = append(run.Answers, make([]int, 300))
		run.Answers[i][(i+1)%300] = 1
	}
	run.Answers[7][299] = 9
	run.Answers[299][7] = 8
	page := write(t, &report.Report{Title: "many", Arms: []report.Arm{arm("many", run)}})
	for _, want := range []string{"The 100 of 300 with the most productive acts.", "<td>agent-249</td>", "260 agents with fewer answers", "agent-007 answered agent-299: 9", "agent-299 answered agent-007: 8"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<td>agent-149</td>") {
		t.Error("the page shows an agent with fewer productive acts than a hundred others")
	}
}

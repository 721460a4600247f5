//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/spend"
)

// explain says of a thought without an answer that there was none, and of one of the scripted mind why it stood in: neither
// was an answer that could not be used.
func TestExplain_SaysWhyThereIsNoAnswer(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: slow(time.Second, nil)})
	must(t, in(t, strings.Fields("run epoch0-llm --cycles 1 --no-preflight --set time.base_budget=6 --set think.on_outage=fallback --set minds.models.default.timeout=100ms --out r")...))
	seen := map[bool]bool{}
	for line := range strings.Lines(must(t, in(t, "tail", "r", "--think", "--json")).out) {
		var th struct {
			Tick     uint64
			Agent    struct{ Alias string }
			Fallback bool
			Error    string
		}
		if err := json.Unmarshal([]byte(line), &th); err != nil {
			t.Fatal(err)
		}
		if seen[th.Fallback] {
			continue
		}
		seen[th.Fallback] = true
		want := "thought 1 (default, timed_out)\n  no answer: " + th.Error + "\n"
		if th.Fallback {
			want = "\n  by the scripted mind in place of the model: " + th.Error + "\n"
		}
		says(t, fmt.Sprintf("explain|r|--agent|%s|--tick|%d", th.Agent.Alias, th.Tick), exitOK, want)
	}
	if len(seen) != 2 {
		t.Error("the run does not show what the test is about")
	}
}

// What the summary of a run says about models that brought no answer, its report and inspect say too.
func TestReport_SaysThatModelsFailed(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: slow(time.Second, nil)})
	const command = "run epoch0-llm --cycles 1 --no-preflight --set time.base_budget=6 --set think.on_outage=fallback --set minds.models.default.timeout=100ms --set minds.models.default.price_input=0.15 --set minds.models.default.price_output=0.6 --json --out r"
	sum := summaryOf(t, must(t, in(t, strings.Fields(command)...)))
	if sum.Fallbacks == 0 || sum.Unanswered == 0 || sum.Spend.Failed == 0 || sum.Spend.Failed != sum.Spend.Calls {
		t.Fatalf("the run does not show what the test is about: %+v, %+v", sum, sum.Spend)
	}
	fallbacks, idle := llm.Count(sum.Fallbacks, "time"), fmt.Sprintf("%s passed without an answer of a model (%v)", llm.Count(sum.Unanswered, "slot"), sum.Idle)
	page := readPage(t, "r/report.html")
	warning := "<li>no call to default brought an answer; the scripted mind thought in place of the models " + fallbacks + "; " + idle + "</li>"
	for _, want := range []string{
		warning, fmt.Sprintf("<b>%d</b> <span>calls of models", sum.Spend.Calls), "<td>default</td><td><code>fake</code></td>", fmt.Sprintf(`<td class="n out">%d</td>`, sum.Spend.Failed),
		fmt.Sprintf("0 answers came from models, %d from the scripted mind in place of a model, and %s.", sum.Fallbacks, idle), "<figcaption>Failed calls of models ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if at := strings.Index(page, warning); at > strings.Index(page, "agents lived through") {
		t.Error("the warning does not stand at the top")
	}

	text := must(t, in(t, "inspect", "r")).out
	for _, want := range []string{"idle          " + idle + "; kingdom tail r --nop says more\n", "outage        the scripted mind replaced the models for " + llm.Count(sum.Fallbacks, "thought") + "\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspect lacks %q:\n%s", want, text)
		}
	}
	inspected := func(more ...string) (in1 inspectionJSON) {
		t.Helper()
		if err := json.Unmarshal([]byte(must(t, in(t, append([]string{"inspect", "r", "--json"}, more...)...)).out), &in1); err != nil {
			t.Fatal(err)
		}
		return in1
	}
	all := inspected()
	if all.Fallbacks != int(sum.Fallbacks) || all.Unanswered != int(sum.Unanswered) {
		t.Errorf("inspect counts %d and %d, the summary %d and %d", all.Fallbacks, all.Unanswered, sum.Fallbacks, sum.Unanswered)
	}
	if begin := inspected("--cycle", "0"); begin.Fallbacks != 0 || begin.Unanswered != 0 {
		t.Errorf("in cycle 0, in which nobody thinks, inspect counts %d and %d", begin.Fallbacks, begin.Unanswered)
	}
	fallbackSum, idleSum := 0, 0
	for i := range all.Agents {
		one := inspected("--agent", fmt.Sprint(i+1))
		fallbackSum, idleSum = fallbackSum+one.Fallbacks, idleSum+one.Unanswered
	}
	if fallbackSum != all.Fallbacks || idleSum != all.Unanswered {
		t.Errorf("the agents make %d and %d, all %d and %d", fallbackSum, idleSum, all.Fallbacks, all.Unanswered)
	}

	if err := os.RemoveAll("r/journal"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "report", "r"))
	if page := readPage(t, "r/report.html"); !strings.Contains(page, "whose journal is missing") || !strings.Contains(page, "no call to default brought an answer") {
		t.Error("without a journal the page does not say what it does not know, or leaves out what it does")
	}
}

// mixed is a population of which the minds of three agents are a model.
const mixed = `name: mixed
cycles: 2
time: {base_budget: 6}
population:
  - {role: LIBRARIAN, count: 3, mind: m}
  - {role: EXPLORER, count: 2}
minds: {models: {m: {endpoint: '%s', model: fake, price_input: 0.15, price_output: 0.6, max_output: 512}}}
`

// writeMixed writes mixed.yaml, in which the server of the environment is asked.
func writeMixed(t *testing.T) {
	t.Helper()
	if err := os.WriteFile("mixed.yaml", fmt.Appendf(nil, mixed, os.Getenv(envEndpoint)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A model whose answers cannot be used is told, also where other agents go on acting.
func TestReport_SaysThatAnswersCouldNotBeUsed(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: fakellm.Babble(1)})
	writeMixed(t)
	r := must(t, in(t, "run", "mixed.yaml", "--no-preflight", "--out", "r"))
	if !strings.Contains(r.out, "\n  unusable    90 of 90 answers of m could not be used; kingdom tail r --think says why\n") {
		t.Errorf("the summary says\n%s", r.out)
	}
	if got := inspectOf(t, "r").Spend.Models; len(got) != 1 || got[0].Unusable != 90 {
		t.Errorf("inspect has %+v", got)
	}
	if got := inspectOf(t, "r", "--agent", "1").Spend.Models; len(got) != 1 || got[0].Unusable != 30 {
		t.Errorf("of the first agent inspect has %+v", got)
	}
	page := readPage(t, "r/report.html")
	if at := strings.Index(page, "<li>no answer of m could be used</li>"); at < 0 || at > strings.Index(page, "agents lived through") {
		t.Error("the page does not warn at the top")
	}
	if !strings.Contains(page, `<td class="n">90</td><td class="n out">90</td>`) {
		t.Error("the table of the models does not count what could not be used")
	}
	must(t, in(t, "replay", "r"))

	// One that answers well has nothing to tell.
	withServer(t, &fakellm.Server{Seed: 3})
	writeMixed(t)
	if r := must(t, in(t, "run", "mixed.yaml", "--no-preflight", "--out", "well")); strings.Contains(r.out, "unusable") || strings.Contains(readPage(t, "well/report.html"), "Models failed") {
		t.Errorf("a run that went well says\n%s", r.out)
	}
}

// Slots that are idle for a cap are told as such: no call of them failed.
func TestReport_SaysThatACapWasReached(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Seed: 3})
	sum := summaryOf(t, must(t, in(t, priced("r", "--set", "minds.caps.agent_usd=0.003")...)))
	if sum.Idle == nil || sum.Idle.RefusedBudget == 0 || sum.Idle.RefusedBudget != sum.Unanswered {
		t.Fatalf("%d slots without an answer, %+v", sum.Unanswered, sum.Idle)
	}
	idle := fmt.Sprintf("%s passed without an answer of a model (%d refused by a cap)", llm.Count(sum.Unanswered, "slot"), sum.Unanswered)
	if page := readPage(t, "r/report.html"); !strings.Contains(page, "<li>a cap of what may be spent was reached; "+idle+"</li>") {
		t.Errorf("the page does not warn that %s", idle)
	}
	if got := inspectOf(t, "r").Idle; got == nil || *got != *sum.Idle {
		t.Errorf("inspect has %+v", got)
	}
}

// The report has the calls and costs of the ledger, as inspect does: those of a killed process too, which no store knows.
func TestReport_CountsCallsAsInspectDoes(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Seed: 3})
	sum := summaryOf(t, must(t, in(t, priced("r")...)))
	paid := func(micro uint64) string { return fmt.Sprintf("%g</b> <span>paid for models", float64(micro)/1e6) }
	if page := readPage(t, "r/report.html"); !strings.Contains(page, paid(sum.Spend.Cost)) || strings.Contains(page, "ledger") || strings.Contains(page, "Models failed") {
		t.Errorf("of a run that went well the page lacks $%s, or warns", paid(sum.Spend.Cost))
	}

	path := filepath.Join("r", spend.FileName)
	ledger, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(ledger, []byte("\n"))
	var call map[string]any
	if err := json.Unmarshal(first, &call); err != nil {
		t.Fatal(err)
	}
	call["call"], call["micro_usd"] = sum.Spend.Calls+1, 7000
	lost, err := json.Marshal(call)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(ledger, append(lost, '\n')...), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "report", "r"))
	page, text := readPage(t, "r/report.html"), must(t, in(t, "inspect", "r")).out
	for _, want := range []string{
		fmt.Sprintf("<b>%d</b> <span>calls of models", sum.Spend.Calls+1), paid(sum.Spend.Cost + 7000), "<b class=\"out\">1</b> <span>failed call of models",
		"1 of the calls is only in the ledger", "$0.007 is the most that 1 call whose process was killed can have cost",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if want := fmt.Sprintf("default: %d calls (1 failed)", sum.Spend.Calls+1); !strings.Contains(text, want) {
		t.Errorf("inspect lacks %q:\n%s", want, text)
	}

	must(t, in(t, priced("again", "--minds", "recorded:r")...))
	page = readPage(t, "again/report.html")
	for _, want := range []string{"<b>0</b> <span>calls of models", "No call was made for them: they are recorded answers of another run."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of a run that used recorded answers lacks %q", want)
		}
	}
	if strings.Contains(page, "Models failed") {
		t.Error("the page of a run that used recorded answers warns of its models")
	}
	must(t, in(t, "resume", "r", "--cycles", "2"))
	must(t, in(t, "fork", "r", "--at", "1", "--out", "fork"))
	if page = readPage(t, "fork/report.html"); !regexp.MustCompile(`\d+ of the calls are in no ledger here: the run whose answers were used again paid for them`).MatchString(page) {
		t.Error("the page of a fork does not say that its parent paid for the calls that they have in common")
	}
}

// A run whose journal is damaged can still be looked at; only what came of its thoughts is not known.
func TestInspect_DamagedJournal(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, priced(dir)...))
	names, err := filepath.Glob(filepath.Join(dir, journalDir, "*.kj"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 0xFF
	if err := os.WriteFile(names[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.Contains(r.out, "world hash") {
		t.Errorf("inspect says %s", r.out)
	}
	must(t, in(t, "report", dir))
}

// What a parent paid for is not what its fork spent: sums over both count each call once. Answers that were reused are told.
func TestInspect_AForkSpentOnlyItsOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: fakellm.Babble(1)})
	writeMixed(t)
	must(t, in(t, "run", "mixed.yaml", "--no-preflight", "--out", "r"))
	half := inspectOf(t, "r", "--cycle", "1").Spend
	sum := summaryOf(t, must(t, in(t, "fork", "r", "--at", "1", "--no-preflight", "--out", "f", "--json"))).Spend
	got := inspectOf(t, "f")
	own, all := got.Spend, got.Spend.Models[0]
	if own.Calls == 0 || own.totalJSON != sum.totalJSON || own.Reused != int(half.Calls) || sum.Reused != own.Reused {
		t.Errorf("inspect says %+v, the summary %+v; the parent had %d calls by then", own, sum, half.Calls)
	}
	if all.Reused != half.Models[0].Answers || all.Answers != all.Unusable || all.Answers <= all.Reused {
		t.Errorf("of the answers inspect says %+v; the parent had %d by then", all, half.Models[0].Answers)
	}
	if early := inspectOf(t, "f", "--cycle", "1").Spend; early == nil || early.Calls != 0 || early.Cost != 0 || early.Reused != own.Reused {
		t.Errorf("of the common cycles the fork says %+v", early)
	}
	says(t, "inspect|f", exitOK, fmt.Sprintf("%d of %d answers of m, %d of them reused, could not be used", all.Unusable, all.Answers, all.Reused))
	says(t, "inspect|f", exitOK, fmt.Sprintf("\n  parent      %s for the common cycles, paid for by r, not counted here\n", llm.Count(half.Calls, "call")))

	must(t, in(t, "run", "mixed.yaml", "--minds", "recorded:r", "--out", "again"))
	again := inspectOf(t, "again").Spend
	if again == nil || again.Calls != 0 || again.Models[0].Answers == 0 || again.Models[0].Reused != again.Models[0].Answers {
		t.Errorf("of recorded answers inspect says %+v", again)
	}
}

// If the scenario has a model, the shortest way to ask a scripted agent is to name it.
func TestInterview_NamesAModelOfTheScenario(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	t.Chdir(t.TempDir())
	writeMixed(t)
	must(t, in(t, "run", "mixed.yaml", "--cycles", "1", "--no-preflight", "--out", "r"))
	t.Setenv(envEndpoint, "")
	says(t, "interview|r|--agent|5|--ask|Well?", exitInput, "which has the scripted mind; say which model of the scenario answers: --model m\n")
	must(t, in(t, "interview", "r", "--agent", "5", "--ask", "Well?", "--model", "m"))
}

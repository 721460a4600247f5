package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
)

// answersOf reads the answers of an interview with --json.
func answersOf(t *testing.T, r result) (all []answer) {
	t.Helper()
	for line := range strings.Lines(r.out) {
		var one answer
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, one)
	}
	return all
}

// contents returns the files of a directory. Those of an open database are left out.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "kingdom.db-") || d.Name() == "kingdom.db.lock" {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Two questions to one agent are one conversation about what it knew. The run is not changed, and what the server counted is
// what is told.
func TestInterview_IsAConversationBesideTheRun(t *testing.T) {
	server := &fakellm.Server{Key: plantedKey}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0-llm", "--cycles", "2", "--set", "time.base_budget=6", "--set", "minds.models.default.price_input=1", "--out", dir))
	before, counted, sent := contents(t, dir), server.Counts(), len(server.Requests())
	r := must(t, in(t, "interview", dir, "--agent", "3", "--ask", "Whom do you trust?", "--ask", "Why?", "--json"))
	after := contents(t, dir)
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s has changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files have become %d", len(before), len(after))
	}
	asked := server.Requests()[sent:]
	if len(asked) != 2 {
		t.Fatalf("%d requests, want 2", len(asked))
	}
	got := answersOf(t, r)
	if len(got) != 2 || got[0].Agent != 3 || got[0].Role != "LIBRARIAN" || got[0].Cycle != 2 || got[0].Question != "Whom do you trust?" || got[0].Model != "default" ||
		!strings.HasSuffix(got[0].Answer, "a LIBRARIAN, and this is question 1.") || !strings.HasSuffix(got[1].Answer, "and this is question 2.") {
		t.Errorf("got %+v", got)
	}
	now := server.Counts()
	if p, o := got[0].PromptTokens+got[1].PromptTokens, got[0].OutputTokens+got[1].OutputTokens; p != now.PromptTokens-counted.PromptTokens || o != now.OutputTokens-counted.OutputTokens || got[0].Cost+got[1].Cost != p {
		t.Errorf("%d and %d tokens for %d micro-dollars, the server counted %d and %d", p, o, got[0].Cost+got[1].Cost, now.PromptTokens-counted.PromptTokens, now.OutputTokens-counted.OutputTokens)
	}
	var roles []string
	for _, m := range asked[1].Messages {
		roles = append(roles, m.Role)
	}
	if want := []string{"system", "user", "assistant", "user"}; !slices.Equal(roles, want) || asked[1].Messages[3].Content != "Why?" || asked[1].Messages[2].Content != got[0].Answer {
		t.Errorf("the second request is %q: %+v", roles, asked[1].Messages[2:])
	}
	first := asked[0].Messages[0].Content + asked[0].Messages[1].Content
	for _, has := range []string{"## WORLD RULES\n", "## INTERVIEW\n", "## YOUR IDENTITY\nYou are agent " + got[0].Alias, "## YOUR MEMORY\n", "## RECENT ACTIONS\n", "## CURRENT STATE\n", "## QUESTION\nWhom do you trust?\n"} {
		if !strings.Contains(first, has) {
			t.Errorf("an agent is not told %q", has)
		}
	}
	for _, has := range []string{"## AVAILABLE ACTIONS", "## RESPONSE FORMAT", "## AFFORDANCES"} {
		if strings.Contains(first, has) {
			t.Errorf("an agent that cannot act is told of %q", has)
		}
	}
	if len(asked[0].Format) > 0 {
		t.Errorf("the answer is held to %s", asked[0].Format)
	}

	preview := must(t, in(t, "interview", dir, "--agent", "3", "--ask", "Whom do you trust?", "--preview", "--json"))
	var shown shownInterview
	if err := json.Unmarshal([]byte(preview.out), &shown); err != nil || len(shown.Messages) != 2 || shown.Messages[0].Content+shown.Messages[1].Content != first || shown.Tick != got[0].Tick {
		t.Errorf("the preview differs from what was asked: %v, %.200s", err, preview.out)
	}
	if n := len(server.Requests()); n != sent+2 {
		t.Errorf("a preview asked %d times", n-sent-2)
	}
}

// Agents of the scripted mind are answered for by a model that the interview names. Each thinks of its own memory, at the end
// of the chosen cycle; who slept since then is asked about its last thought before.
func TestInterview_ScriptedAgentsAtAnyCycle(t *testing.T) {
	server := &fakellm.Server{}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "society", "--cycles", "6", "--logs=false", "--out", dir))
	says(t, "interview|"+dir+"|--agent|3|--ask|Well?", exitInput, "which has the scripted mind; say which model answers: --set minds.models.default.endpoint=URL")
	withServer(t, server)
	got := answersOf(t, must(t, in(t, "interview", dir, "--agent", "all", "--cycle", "4", "--ask", "Well?", "--json")))
	if len(got) != 24 {
		t.Fatalf("%d answers of 24 agents", len(got))
	}
	at := map[uint64]int{}
	for i := range got {
		if at[got[i].Cycle]++; got[i].Agent != uint64(i)+1 || !strings.HasPrefix(got[i].Answer, "I am "+got[i].Alias+", a") || got[i].Cycle > 4 {
			t.Errorf("answer %d is %+v", i, got[i])
		}
	}
	if at[4] < 12 {
		t.Errorf("thoughts by cycle: %v; want most in cycle 4", at)
	}
	one := answersOf(t, must(t, in(t, "interview", dir, "--agent", "3", "--cycle", "2", "--ask", "Well?", "--json")))
	if len(one) != 1 || one[0].Cycle != 2 {
		t.Errorf("at cycle 2: %+v", one)
	}
}

// An agent that sleeps or is dead is asked about its last thought. One that has not thought for long, or is not yet born, is left out.
func TestInterview_OfSleepersAndTheDead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sleep.yaml")
	const sleepy = "name: sleep\nseed: 1\ncycles: 24\npopulation:\n  - {role: LIBRARIAN, count: 5}\ninputs:\n" +
		"  - {cycle: 3, do: kill, agent: 2}\n  - {cycle: 4, do: sleep, agent: 3, for_cycles: 4}\n  - {cycle: 7, do: spawn}\n"
	if err := os.WriteFile(file, []byte(sleepy), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", file, "--logs=false", "--out", dir))
	withServer(t, &fakellm.Server{})
	r := must(t, in(t, "interview", dir, "--agent", "all", "--ask", "Well?", "--json", "--cycle", "6"))
	got := answersOf(t, r)
	if len(got) != 5 || got[1].Cycle != 2 || got[2].Cycle != 3 || !strings.Contains(r.err, "agent 6 (") || !strings.Contains(r.err, "had no thought in the 6 cycles up to cycle 6") {
		t.Errorf("%d answers, of agents 2 and 3 in %+v\n%s", len(got), got, r.err)
	}
	if got := answersOf(t, must(t, in(t, "interview", dir, "--agent", "2", "--ask", "Well?", "--json", "--cycle", "17"))); len(got) != 1 || got[0].Cycle != 2 {
		t.Errorf("16 cycles up to 17 begin with 2, and the dead agent is asked at %+v", got)
	}
	says(t, "interview|"+dir+"|--agent|2|--ask|Well?|--cycle|18", exitInput, "there is nobody to ask; choose another --cycle or --agent")
}

// Each group is answered for by its own model, and who was spawned later by that of minds.tiers.
func TestInterview_ModelsOfGroups(t *testing.T) {
	server := &fakellm.Server{}
	withServer(t, server)
	file, dir := filepath.Join(t.TempDir(), "groups.yaml"), filepath.Join(t.TempDir(), "run")
	const groups = "name: groups\nseed: 1\ncycles: 4\ntime: {base_budget: 4}\nspawn: {cap: 8}\npopulation:\n  - {role: LIBRARIAN, count: 2, mind: a}\n  - {role: EXPLORER, count: 2, mind: b}\n" +
		"minds: {models: {a: {endpoint: ENDPOINT, model: fake}, b: {endpoint: ENDPOINT, model: fake}}, tiers: {1: [b], 2: [b], 3: [b]}}\ninputs:\n  - {cycle: 1, do: spawn}\n"
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(groups, "ENDPOINT", os.Getenv(envEndpoint))), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", file, "--logs=false", "--out", dir))
	got := answersOf(t, must(t, in(t, "interview", dir, "--agent", "all", "--ask", "Well?", "--json")))
	var models []string
	for i := range got {
		models = append(models, got[i].Model)
	}
	if want := []string{"a", "a", "b", "b", "b"}; !slices.Equal(models, want) {
		t.Errorf("the models are %q, want %q", models, want)
	}
}

// What ends an interview is told: the budget before an outage, an outage before anything else.
func TestInterview_SaysWhyAnswersAreMissing(t *testing.T) {
	late := llm.Thought{Outcome: llm.TimedOut, Error: "no answer within 5s"}
	out := llm.Thought{Outcome: llm.ProviderError, Outage: true, Error: "endpoint is out", Model: "m"}
	capped := llm.Thought{Outcome: llm.RefusedBudget, Capped: &llm.Capped{Cap: 5, Spent: 4, Call: 3}}
	for _, c := range []struct {
		failed []llm.Thought
		code   int
		want   string
	}{
		{[]llm.Thought{late, out, capped}, exitCap, "3 answers missing: --budget is"},
		{[]llm.Thought{late, out, late}, exitOutage, "3 answers missing: endpoint is out; start the server"},
		{[]llm.Thought{late}, exitFailure, "1 answer missing: no answer within 5s"},
	} {
		var total summaryOfAnswers
		total.add(&answer{Answer: "yes"})
		for _, th := range c.failed {
			total.add(&answer{thought: th})
		}
		if err := total.err(); exitCode(err) != c.code || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("exit %d, %v; want %d, %s", exitCode(err), err, c.code, c.want)
		}
	}
}

// Exit codes and messages where answers are missing.
func TestInterview_Failures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	said, finish := `a\u001b[2Jb`, "length"
	server := &fakellm.Server{Script: func(int, *fakellm.Request) fakellm.Act {
		return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"choices":[{"message":{"role":"assistant","content":"` + said + `"},"finish_reason":"` + finish + `"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`))
		}
	}}
	withServer(t, &fakellm.Server{})
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--out", dir))
	fresh := filepath.Join(t.TempDir(), "fresh")
	if r := in(t, priced(fresh, "--budget", "0")...); r.code != exitCap {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	says(t, "interview|"+fresh+"|--agent|3|--ask|Well?", exitInput, "has no whole cycle yet, so nobody has thought")
	says(t, "explain|"+fresh+"|--agent|3|--tick|9", exitInput, "has no whole cycle yet, so no tick can be explained; kingdom inspect "+fresh+" says how far it is")
	interview := "interview|" + dir + "|--agent|3|--ask|Well?"
	says(t, "interview|"+dir+"|--ask|Well?", exitInput, "--agent is missing; want the agent to ask, or all")
	says(t, "interview|"+dir+"|--agent|3", exitInput, "--ask is missing; want a question")
	says(t, "interview|"+dir+"|--agent|3|--ask| ", exitInput, "--ask is empty; want a question")
	says(t, interview+"|--cycle|0", exitInput, "--cycle is 0; want a cycle from 1 to 1, the last one of "+dir)
	says(t, interview+"|--cycle|2", exitInput, "--cycle is 2; want a cycle from 1 to 1")
	says(t, interview+"|--model|big", exitInput, "--model is big, which is not a model of "+dir+"; want default")
	says(t, interview+"|--set|minds.blind=[money]", exitInput, "an interview changes who answers, not what an agent knows; want a path under minds.models")
	says(t, interview+"|--preview|--model|default", exitInput, "--preview asks no model, so that it needs no --model; leave it out")
	says(t, interview+strings.Repeat(" And?", 5000)+"|--set|minds.models.default.context=9400", exitFailure, "takes 9400 tokens (context), and the interview needs ")
	says(t, interview+"|--budget|1|--set|minds.models.default.endpoint=https://kingdom.invalid/v1", exitInput, `the model "default" has no price`)
	says(t, interview+"|--budget|-3", exitInput, "--budget is -3; want a number of US dollars from 0")
	says(t, interview+"|--set|minds.models.default.price_input=1|--budget|0.0001", exitCap, "1 answer missing: --budget is 0.0001 USD, 0.00 USD are spent, and the next question may cost 0.00")
	for budget, want := range map[string]int{"0.0001": 0, "0.005": 1} { // of two questions, the second is not asked without money for it
		r := in(t, strings.Split(interview+"|--ask|And_what_else?|--set|minds.models.default.price_input=1|--set|minds.models.default.price_output=0|--budget|"+budget, "|")...)
		if r.code != exitCap || strings.Count(r.out, "\n> ") != want || strings.Contains(r.out, "And_what_else?") || strings.Contains(r.out, ", at tick ") != (want > 0) || !strings.Contains(r.err, "missing: --budget is") {
			t.Errorf("with %s USD exit %d, want %d questions, each with its answer, and the reason\n%s%s", budget, r.code, want, r.out, r.err)
		}
	}
	says(t, interview+"|--budget|1", exitOK, `warning: no cap stops calls to the model "default"`)
	dead := "minds.models.default.endpoint=http://127.0.0.1:1/v1"
	says(t, interview+"|--ask|Why?|--set|"+dead, exitOutage, "2 answers missing: endpoint http://127.0.0.1:1/v1 is out")

	withServer(t, server)
	endpoint := "minds.models.default.endpoint=" + os.Getenv(envEndpoint)
	r := must(t, in(t, "interview", dir, "--agent", "3", "--ask", "Well?", "--set", endpoint))
	if !strings.Contains(r.out, "\na[2Jb\n(cut at max_output tokens)\n") {
		t.Errorf("got %q", r.out)
	}
	said, finish = `  \n `, "stop"
	if r := in(t, "interview", dir, "--agent", "3", "--ask", "Well?", "--ask", "Why?", "--set", endpoint); r.code != exitFailure || !strings.Contains(r.err, "2 answers missing: empty answer") {
		t.Errorf("exit %d, %q", r.code, r.err)
	}
}

// After Ctrl-C only what was answered is printed, and the interruption is told once.
func TestInterview_Interrupted(t *testing.T) {
	withServer(t, &fakellm.Server{})
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--out", dir))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	withServer(t, &fakellm.Server{Script: func(n int, _ *fakellm.Request) fakellm.Act {
		if n == 0 {
			return nil // the first is answered
		}
		cancel()
		return func(_ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() }
	}})
	var out, errw bytes.Buffer
	code := execute(ctx, []string{"interview", dir, "--agent", "3", "--ask", "Well?", "--ask", "Why?", "--set", "minds.models.default.endpoint=" + os.Getenv(envEndpoint)}, &out, &errw)
	if said := out.String(); code != exitInterrupted || strings.Count(said, "\n> ") != 1 || !strings.Contains(said, "\n=== 1 answer, ") || strings.Contains(said, "cancel") || !strings.Contains(errw.String(), "interrupted; nothing was changed") {
		t.Errorf("exit %d: %s%s", code, said, errw.String())
	}
}

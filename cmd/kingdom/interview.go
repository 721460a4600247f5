package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/wire"
)

// everyAgent is the --agent of an interview of all agents.
const everyAgent = "all"

func newInterview(a *app) *cobra.Command {
	var (
		iv      = interview{app: a}
		store   string
		budget  float64
		set     []string
		preview bool
	)
	cmd := &cobra.Command{
		Use:   "interview RUN --agent AGENT --ask QUESTION",
		Short: "Ask agents of a run questions, without changing the run",
		Long: "Ask agents what they think at the end of a cycle. Each is told what it knew at its last thought until then: the rules of\n" +
			"the world, who it is, its memory, what it did last and its situation. It cannot act, and the run is only read. Several\n" +
			"questions are one conversation. The models of an agent's tier 1 answer, or --model. An agent of the scripted mind is\n" +
			"answered for by the model named default; --set gives and changes models for this interview alone. minds.caps do not hold\n" +
			"here, only --budget. Agents that have not thought for 16 cycles are left out. --preview shows the messages with the first\n" +
			"question and asks no model.\n" +
			"Exit codes: 1 an answer is missing, 4 --budget ended the interview, 5 no model answers. Fields of --json, an object per\n" +
			"question: agent, alias, name, role, cycle, tick (of the thought), question, answer, model, error, prompt_tokens,\n" +
			"output_tokens, cost_micro_usd; with --preview an object per agent: agent, alias, name, role, cycle, tick, messages[] {role, content}.",
		Example: "  kingdom interview runs/epoch0-llm-42 --agent 3 --ask 'Whom do you trust?' --ask 'Why?'\n" +
			"  kingdom interview runs/epoch0-llm-42 --agent all --cycle 2 --ask 'What do you want most?' --json",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			if err := iv.check(cmd, names[0], set); err != nil {
				return err
			}
			var caps spend.Caps
			if cmd.Flags().Changed("budget") {
				if err := checkBudget(budget); err != nil {
					return err
				}
				most := microUSD(budget)
				caps.Run = &most
			}
			run, err := openRun(cmd.Context(), names[0], store)
			if err != nil {
				return err
			}
			defer captureClose(&err, run.store.Close)
			iv.run, iv.dir = run, names[0]
			if !cmd.Flags().Changed("cycle") {
				iv.cycle = run.state.Last
			}
			people, err := iv.people(cmd.Context())
			if err != nil {
				return err
			}
			if preview {
				return iv.preview(people)
			}
			sc, err := iv.withModels(people, set)
			if err != nil {
				return err
			}
			used := modelsOf(sc, people)
			if err := checkPriced(used, caps.Run != nil); err != nil {
				return err
			}
			keys, err := secrets{a.err}.findKeys(cmd, used)
			if err != nil {
				return err
			}
			endpoints := openai.NewEndpoints(keys)
			endpoints.Warn = func(text string) { a.say("%s", text) }
			if err := giveMinds(sc, people, endpoints, spend.New(caps, nil)); err != nil {
				return err
			}
			if err := recallRefusals(names[0], endpoints); err != nil {
				return err
			}
			return iv.ask(cmd.Context(), people)
		},
	}
	cmd.Flags().StringVar(&iv.agent, "agent", "", "the agent; its number in spawn order, its name, alias or id, or the beginning of these; all: each agent")
	cmd.Flags().StringArrayVar(&iv.questions, "ask", nil, "a question; repeatable")
	cmd.Flags().Uint64Var(&iv.cycle, "cycle", 0, "ask at the end of this cycle instead of the last")
	cmd.Flags().StringVar(&iv.model, "model", "", "the model that answers, by its name in minds.models, instead of those of tier 1")
	cmd.Flags().Float64Var(&budget, "budget", -1, "what the interview may cost, in US dollars")
	cmd.Flags().BoolVar(&preview, "preview", false, "show what a model would get, without asking one")
	cmd.Flags().StringVar(&store, "store", "", "location of the run's store, if it differs from run.json")
	cmd.Flags().StringArrayVar(&set, "set", nil, "give or change a model for this interview, path=value (repeatable), such as minds.models.default.endpoint=URL")
	addKeyStdin(cmd)
	return cmd
}

// interview asks agents of a run.
type interview struct {
	app       *app
	run       *openedRun
	dir       string
	agent     string // as given
	cycle     uint64
	model     string // as given; "": each agent's own
	questions []string
}

// check checks what was given.
func (iv *interview) check(cmd *cobra.Command, dir string, set []string) error {
	if iv.agent == "" {
		return usagef("--agent is missing; want the agent to ask, or all; kingdom inspect %s lists the agents", shellQuote(dir))
	}
	if len(iv.questions) == 0 {
		return usagef("--ask is missing; want a question, such as --ask 'Whom do you trust?'")
	}
	if slices.ContainsFunc(iv.questions, func(q string) bool { return strings.TrimSpace(q) == "" }) {
		return usagef("--ask is empty; want a question")
	}
	for _, s := range set {
		if !strings.HasPrefix(s, "minds.models.") {
			return usagef("--set %s: an interview changes who answers, not what an agent knows; want a path under minds.models", s)
		}
	}
	if cmd.Flags().Changed("preview") {
		for _, name := range []string{"model", "set", "budget", keyStdin} {
			if cmd.Flags().Changed(name) {
				return usagef("--preview asks no model, so that it needs no --%s; leave it out", name)
			}
		}
	}
	return nil
}

// interviewee is an agent, and what it is told before the first question. It implements [engine.Tracer].
type interviewee struct {
	shown  shownInterview
	id     wire.AgentID
	models []string // that answer, in the order in which they are asked
	mind   *openai.Mind
}

// shownInterview is an interviewee as --preview --json prints it.
type shownInterview struct {
	Agent    uint64           `json:"agent"`
	Alias    string           `json:"alias"`
	Name     string           `json:"name,omitempty"`
	Role     string           `json:"role"`
	Cycle    uint64           `json:"cycle"`
	Tick     uint64           `json:"tick"`
	Messages []openai.Message `json:"messages"` // none: it had no thought
}

// Asked implements [engine.Tracer]. It keeps the messages of the newest thought.
func (p *interviewee) Asked(t *ooda.Turn, prompt *llm.Prompt) {
	if prompt == nil {
		return
	}
	system, user := prompt.Interview()
	p.shown.Role, p.shown.Cycle, p.shown.Tick = prompt.Role.String(), uint64(prompt.Cycle), uint64(ooda.TickOf(t))
	p.shown.Messages = []openai.Message{{Role: "system", Content: string(system)}, {Role: "user", Content: string(user)}}
}

// Thought implements [engine.Tracer].
func (p *interviewee) Thought(llm.Thought, *ooda.ThinkRecord) {}

// Acted implements [engine.Tracer].
func (p *interviewee) Acted(*ooda.Step) {}

// Recorded implements [engine.Tracer].
func (p *interviewee) Recorded(*agent.Agent, *wire.Reply) {}

// thoughtWithin is for how many cycles before the end of the chosen one the last thought of an agent is looked for.
const thoughtWithin = 16

// people returns the agents to ask, each with what it knew at its last thought. Those who had none are left out.
func (iv *interview) people(ctx context.Context) ([]*interviewee, error) {
	if iv.run.state.Last == 0 {
		return nil, usagef("%s has no whole cycle yet, so nobody has thought; kingdom inspect %s says how far it is", iv.dir, shellQuote(iv.dir))
	}
	if iv.cycle == 0 || iv.cycle > iv.run.state.Last {
		return nil, usagef("--cycle is %d; want a cycle from 1 to %d, the last one of %s", iv.cycle, iv.run.state.Last, iv.dir)
	}
	ids, err := agentIDs(ctx, iv.run.store)
	if err != nil {
		return nil, err
	}
	names := namesOf(iv.run.scenario)
	var people []*interviewee
	for i, id := range ids {
		people = append(people, &interviewee{id: id, shown: shownInterview{Agent: uint64(i) + 1, Alias: id.Alias(), Name: names[id]}})
	}
	if iv.agent != everyAgent || len(iv.run.scenario.AgentsNamed(everyAgent)) > 0 {
		id, err := findAgent(ctx, iv.run, iv.dir, iv.agent)
		if err != nil {
			return nil, err
		}
		people = slices.DeleteFunc(people, func(p *interviewee) bool { return p.id != id })
	}
	if err := iv.recall(ctx, people); err != nil {
		return nil, err
	}
	silent := func(p *interviewee) bool { return len(p.shown.Messages) == 0 }
	for _, p := range people {
		if silent(p) {
			iv.app.say("agent %d (%s) had no thought in the %d cycles up to cycle %d, because it slept, was dead or not born; it is left out", p.shown.Agent, p.shown.Alias, min(thoughtWithin, iv.cycle), iv.cycle)
		}
	}
	if people = slices.DeleteFunc(people, silent); len(people) == 0 {
		return nil, usagef("there is nobody to ask; choose another --cycle or --agent")
	}
	return people, nil
}

// recall executes cycles again until each agent has had a thought: first the chosen cycle, in which most have one, and then
// those before it.
func (iv *interview) recall(ctx context.Context, people []*interviewee) error {
	opt := engine.Options{Dir: iv.dir, Store: iv.run.store, Mind: replayMind(iv.run.scenario)}
	first, last := iv.cycle, iv.cycle
	for range 2 {
		missing := map[wire.AgentID]engine.Tracer{}
		for _, p := range people {
			if len(p.shown.Messages) == 0 {
				missing[p.id] = p
			}
		}
		if len(missing) == 0 || last == 0 {
			return nil
		}
		of := func(id wire.AgentID) engine.Tracer { return missing[id] }
		if err := engine.Explain(ctx, iv.run.config, opt, wire.Cycle(first), wire.Cycle(last), of); err != nil {
			return err
		}
		first, last = max(first, thoughtWithin)-thoughtWithin+1, first-1
	}
	return nil
}

// preview prints what a model would get with the first question.
func (iv *interview) preview(people []*interviewee) error {
	for _, p := range people {
		s := p.shown
		s.Messages = p.conversation(iv.questions[0])
		if iv.app.json {
			iv.app.jsonLine(&s)
			continue
		}
		fmt.Fprintf(iv.app.out, "=== %s\n", p.title())
		for _, m := range s.Messages {
			fmt.Fprintf(iv.app.out, "--- %s\n%s\n", m.Role, strings.TrimSuffix(m.Content, "\n"))
		}
	}
	return nil
}

// title says who an agent is and when it is asked.
func (p *interviewee) title() string {
	s := &p.shown
	if s.Name != "" {
		return fmt.Sprintf("%s, agent %d (%s, %s), at tick %d of cycle %d", s.Name, s.Agent, s.Alias, s.Role, s.Tick, s.Cycle)
	}
	return fmt.Sprintf("agent %d (%s, %s), at tick %d of cycle %d", s.Agent, s.Alias, s.Role, s.Tick, s.Cycle)
}

// conversation returns the messages of an interview up to its first question.
func (p *interviewee) conversation(first string) []openai.Message {
	c := slices.Clone(p.shown.Messages)
	c[len(c)-1].Content += first + "\n"
	return c
}

// withModels returns the scenario of the chosen cycle with the models that --set gives or changes, and notes who answers for
// each agent.
func (iv *interview) withModels(people []*interviewee, set []string) (*scenarios.Scenario, error) {
	sc, err := withModelSettings(iv.dir, iv.run.scenario)
	if err != nil {
		return nil, err
	}
	now := *sc.In(iv.cycle)
	if err := now.Override(set...); err != nil {
		return nil, usage(err)
	}
	if now.Model(scenarios.DefaultModel) == nil && os.Getenv(envEndpoint) != "" {
		if err := now.Override("minds.models." + scenarios.DefaultModel + "={}"); err != nil {
			return nil, usage(err)
		}
	}
	if err := fromEnvironment(&now); err != nil {
		return nil, err
	}
	if iv.model != "" && now.Model(iv.model) == nil {
		var names []string
		for i := range now.Minds.Models {
			names = append(names, now.Minds.Models[i].Name)
		}
		if len(names) == 0 {
			names = []string{"one that --set minds.models.NAME.endpoint and --set minds.models.NAME.model give"}
		}
		return nil, usagef("--model is %s, which is not a model of %s; want %s", iv.model, iv.dir, strings.Join(names, ", "))
	}
	for _, p := range people {
		switch own := modelsOfAgent(&now, p.shown.Agent); {
		case iv.model != "":
			p.models = []string{iv.model}
		case own.Any():
			p.models = own[0]
		case now.Model(scenarios.DefaultModel) != nil:
			p.models = []string{scenarios.DefaultModel}
		default:
			return nil, usagef("no model thinks for agent %d (%s), which has the scripted mind; say which model answers: --set %s=URL --set %s=NAME, or %s and %s", p.shown.Agent, p.shown.Alias, defaultEndpoint, defaultModel, envEndpoint, envModel)
		}
	}
	return &now, nil
}

// modelsOfAgent returns the models that think for the agent with a spawn index.
func modelsOfAgent(sc *scenarios.Scenario, index uint64) scenarios.TierModels {
	for i := range sc.Population {
		g := &sc.Population[i]
		if index <= g.Count {
			return sc.ModelsOf(g)
		}
		index -= g.Count
	}
	return sc.Minds.Tiers.All() // it was spawned later
}

// modelsOf returns the models that answer, each once.
func modelsOf(sc *scenarios.Scenario, people []*interviewee) (used []*scenarios.Model) {
	for _, p := range people {
		for _, name := range p.models {
			if m := sc.Model(name); !slices.Contains(used, m) {
				used = append(used, m)
			}
		}
	}
	return used
}

// giveMinds makes the minds that answer.
func giveMinds(sc *scenarios.Scenario, people []*interviewee, endpoints *openai.Endpoints, ledger *spend.Ledger) error {
	made := map[string]*openai.Mind{}
	for _, p := range people {
		key := strings.Join(p.models, " ")
		if made[key] == nil {
			m, err := modelMind(sc, [3][]string{p.models, p.models, p.models}, endpoints, ledger)
			if err != nil {
				return err
			}
			made[key] = m
		}
		p.mind = made[key]
	}
	return nil
}

// answer is the answer to one question, as --json prints it.
type answer struct {
	Agent        uint64 `json:"agent"`
	Alias        string `json:"alias"`
	Name         string `json:"name,omitempty"`
	Role         string `json:"role"`
	Cycle        uint64 `json:"cycle"`
	Tick         uint64 `json:"tick"`
	Question     string `json:"question"`
	Answer       string `json:"answer"`
	Model        string `json:"model"`
	Error        string `json:"error"`
	PromptTokens uint64 `json:"prompt_tokens"`
	OutputTokens uint64 `json:"output_tokens"`
	Cost         uint64 `json:"cost_micro_usd"`

	thought llm.Thought
}

// ask interviews all at once, within the limits of the endpoints, and prints their answers in spawn order.
func (iv *interview) ask(ctx context.Context, people []*interviewee) error {
	type result struct {
		answers []answer
		err     error
	}
	done := make([]chan result, len(people))
	for i, p := range people {
		done[i] = make(chan result, 1)
		go func() {
			answers, err := p.interview(ctx, iv.questions)
			done[i] <- result{answers, err}
		}()
	}
	var total summaryOfAnswers
	for i, p := range people {
		r := <-done[i]
		if r.err != nil {
			return fmt.Errorf("interview agent %s: %w", p.shown.Alias, r.err)
		}
		if !iv.app.json {
			fmt.Fprintf(iv.app.out, "=== %s\n", p.title())
		}
		for k := range r.answers {
			total.add(&r.answers[k])
			iv.print(&r.answers[k])
		}
		total.missing += uint64(len(iv.questions) - len(r.answers))
	}
	if !iv.app.json {
		fmt.Fprintf(iv.app.out, "=== %s, %d prompt tokens, %d output tokens, %s\n", plural(total.given, "answer"), total.spent.PromptTokens, total.spent.OutputTokens, llm.USD(total.spent.CostMicroUSD))
	}
	if ctx.Err() != nil {
		return &cancelledError{"interrupted; nothing was changed"}
	}
	return total.err()
}

// interview asks the questions in turn. It ends early where an answer is missing.
func (p *interviewee) interview(ctx context.Context, questions []string) (answers []answer, err error) {
	conversation := p.conversation(questions[0])
	for i, q := range questions {
		if i > 0 {
			conversation = append(conversation, openai.Message{Role: "user", Content: q})
		}
		th, err := p.mind.Interview(ctx, p.id, conversation)
		if err != nil {
			return answers, err
		}
		s, text := &p.shown, strings.TrimSpace(string(th.Text))
		if text == "" && th.Error == "" {
			th.Error = "empty answer"
		}
		answers = append(answers, answer{
			Agent: s.Agent, Alias: s.Alias, Name: s.Name, Role: s.Role, Cycle: s.Cycle, Tick: s.Tick, Question: q, Answer: text,
			Model: th.Model, Error: th.Error, PromptTokens: th.PromptTokens, OutputTokens: th.OutputTokens, Cost: th.CostMicroUSD, thought: th,
		})
		if text == "" {
			break
		}
		conversation = append(conversation, openai.Message{Role: "assistant", Content: text})
	}
	return answers, nil
}

// print prints an answer.
func (iv *interview) print(x *answer) {
	if iv.app.json {
		iv.app.jsonLine(x)
		return
	}
	fmt.Fprintf(iv.app.out, "> %s\n", x.Question)
	if x.Answer != "" {
		fmt.Fprintln(iv.app.out, withoutControls(x.Answer))
	}
	if x.Error != "" && x.thought.Capped == nil { // the budget is told once, at the end
		fmt.Fprintf(iv.app.out, "(%s)\n", withoutControls(x.Error))
	}
}

// withoutControls removes from a model's text what could control the terminal.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// summaryOfAnswers counts answers.
type summaryOfAnswers struct {
	given, missing uint64
	spent          llm.Spent
	capped         *llm.Capped  // of the first answer that --budget forbade
	outage, failed *llm.Thought // the first answer that an outage prevented, and the first that something else did
}

func (t *summaryOfAnswers) add(x *answer) {
	t.spent.Add(&x.thought.Spent)
	if x.Answer != "" {
		t.given++
		return
	}
	t.missing++
	switch th := &x.thought; {
	case th.Capped != nil:
		t.capped = cmp.Or(t.capped, th.Capped)
	case th.Outage:
		t.outage = cmp.Or(t.outage, th)
	default:
		t.failed = cmp.Or(t.failed, th)
	}
}

// err returns an error if an answer is missing: the budget if that is why, else an outage, else what went wrong first.
func (t *summaryOfAnswers) err() error {
	missing := plural(t.missing, "answer") + " missing: "
	switch {
	case t.capped != nil:
		return &interviewCapError{*t.capped, t.missing}
	case t.outage != nil:
		return unreachableError{fmt.Errorf("%s%s; start the server and give the key that it wants (docs/MINDS.md, Keys), or say where it is: --set minds.models.%s.endpoint=URL",
			missing, withoutControls(t.outage.Error), t.outage.Model)}
	case t.failed != nil:
		return errors.New(missing + withoutControls(t.failed.Error))
	}
	return nil
}

// interviewCapError says that --budget ended an interview.
type interviewCapError struct {
	llm.Capped
	missing uint64
}

func (e *interviewCapError) Error() string {
	return fmt.Sprintf("%s missing: --budget is %s, %s are spent, and the next question may cost %s; give more", plural(e.missing, "answer"), llm.USD(e.Cap), llm.USD(e.Spent), llm.USD(e.Call))
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
)

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
			"question: agent, alias, name (if it has one), role, cycle, tick (of the thought), question, answer, model, error, prompt_tokens,\n" +
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
			if caps.Run != nil {
				for _, m := range used {
					sayUnpriced(m, a.say)
				}
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
	cmd.Flags().StringVar(&iv.agent, "agent", "", "the agent; its number in spawn order, its name, alias or id, or the beginning of these; the name of a group: all of its agents; all: each agent")
	cmd.Flags().StringArrayVar(&iv.questions, "ask", nil, "a question; repeatable")
	cmd.Flags().Uint64Var(&iv.cycle, "cycle", 0, "ask at the end of this cycle instead of the last")
	cmd.Flags().StringVar(&iv.model, "model", "", "the model that answers, by its name in minds.models, instead of those of tier 1")
	cmd.Flags().Float64Var(&budget, "budget", -1, "what the interview may cost, in US dollars")
	cmd.Flags().BoolVar(&preview, "preview", false, "show what a model would get, without asking one")
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
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

// ask interviews all at once, within the limits of the endpoints, and prints their answers in spawn order.
func (iv *interview) ask(ctx context.Context, people []*interviewee) error {
	type result struct {
		answers []answer
		err     error
	}
	asking, cancel := context.WithCancel(ctx) // after an error nobody else is asked
	defer cancel()
	done := make([]chan result, len(people))
	for i, p := range people {
		done[i] = make(chan result, 1)
		go func() {
			answers, err := p.interview(asking, iv.questions)
			done[i] <- result{answers, err}
		}()
	}
	var total summaryOfAnswers
	for i, p := range people {
		r := <-done[i]
		if r.err != nil {
			return fmt.Errorf("interview agent %s: %w", p.shown.Alias, r.err)
		}
		if !iv.app.json && r.answers[0].wasAsked() {
			fmt.Fprintf(iv.app.out, "=== %s\n", p.title())
		}
		for k := range r.answers {
			total.add(&r.answers[k])
			iv.print(&r.answers[k])
		}
		total.missing += uint64(len(iv.questions) - len(r.answers))
	}
	if !iv.app.json {
		fmt.Fprintf(iv.app.out, "=== %s, %d prompt tokens, %d output tokens, %s\n", llm.Count(total.given, "answer"), total.spent.PromptTokens, total.spent.OutputTokens, llm.USD(total.spent.CostMicroUSD))
	}
	if ctx.Err() != nil {
		return &cancelledError{"interrupted; nothing was changed"}
	}
	return total.err()
}

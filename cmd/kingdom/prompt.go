package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/scenarios"
	"kingdom/wire"
)

func newPrompt(a *app) *cobra.Command {
	var (
		agent, section string
		cycle          uint64
		tokens         bool
		set            []string
	)
	cmd := &cobra.Command{
		Use:   "prompt SCENARIO",
		Short: "Show the messages that a model would get, without asking one",
		Long: "Show the messages that a model would get for an agent's first thought in a cycle, or, if it does not think in it, in\n" +
			"the next cycle in which it does; standard error says so. Up to that cycle the scripted mind thinks for all agents, so\n" +
			"nothing is spent and no key is needed. --tokens shows the length of each section instead; a token is estimated as three\n" +
			"bytes, as for limits and caps. Fields of --json: agent, alias, role, cycle, tick, tier, tokens, messages[] {role,\n" +
			"content}, sections[] {name, title, bytes, tokens}.",
		Example: "  kingdom prompt epoch0 --agent 3 --cycle 10\n  kingdom prompt epoch0 --agent 6 --section memory\n  kingdom prompt my.yaml --tokens",
		Args:    args(1, "a scenario"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := refuseEmptyAgent(cmd); err != nil {
				return err
			}
			sc, err := loadScenario(names[0], set)
			if err != nil {
				return err
			}
			if cycle < 1 || cycle > sc.Cycles {
				return usagef("--cycle is %d; want a cycle from 1 to %d, the last one of %s (--set cycles=N makes it longer)", cycle, sc.Cycles, sc.Name)
			}
			kind, err := sectionNamed(section)
			if err != nil {
				return err
			}
			p, err := findPrompt(cmd.Context(), sc, agent, cycle)
			if err != nil {
				return err
			}
			for _, what := range p.failed {
				a.say("%s", what)
			}
			if p.Cycle > cycle { // a view of one section, or of the lengths, does not show the cycle
				who := fmt.Sprintf("agent %d (%s)", p.Agent, p.Alias)
				if named := namesOf(sc)[agentID(sc, p.Agent)]; named != "" {
					who = named
				}
				a.say("%s does not think in cycle %d; this is its first thought after it, in cycle %d", who, cycle, p.Cycle)
			}
			return a.printPrompt(p, kind, tokens)
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "1", "the agent; its number in spawn order, its name, alias or id")
	cmd.Flags().Uint64Var(&cycle, "cycle", 1, "cycle of the thought")
	cmd.Flags().StringVar(&section, "section", "", "show one section only: "+strings.Join(llm.SectionNames(), ", "))
	cmd.Flags().BoolVar(&tokens, "tokens", false, "show the length of each section instead of the text")
	addSet(cmd, &set)
	cmd.AddCommand(newPromptFields(a))
	return cmd
}

func sectionNamed(name string) (llm.SectionKind, error) {
	if name == "" {
		return 0, nil
	}
	for i, n := range llm.SectionNames() {
		if n == name {
			return llm.SectionKind(i + 1), nil
		}
	}
	return 0, usagef("--section is %s; want one of %s", name, strings.Join(llm.SectionNames(), ", "))
}

// shownPrompt is a prompt as a model would get it.
type shownPrompt struct {
	Agent    uint64         `json:"agent"`
	Alias    string         `json:"alias"`
	Role     string         `json:"role"`
	Cycle    uint64         `json:"cycle"`
	Tick     uint64         `json:"tick"`
	Tier     uint8          `json:"tier"`
	Tokens   int            `json:"tokens"`
	Messages []messageJSON  `json:"messages"`
	Sections []shownSection `json:"sections"`
	failed   []string       // templates that failed in it
}

type messageJSON struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type shownSection struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`
	text   string
}

// extraCycles is for how many cycles after the requested one the first thought is waited for, if the scenario has so many: the
// agent may be asleep.
const extraCycles = 16

// findPrompt runs a scenario with the scripted mind until an agent thinks in this cycle or a later one, and
// returns the prompt of that thought.
func findPrompt(ctx context.Context, sc *scenarios.Scenario, agent string, cycle uint64) (*shownPrompt, error) {
	index, err := spawnIndexOf(sc, agent)
	if err != nil {
		return nil, err
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	w := &promptRecorder{Mind: offlineMind(sc), scenario: sc.In(cycle), agent: agentID(sc, index), cycle: wire.Cycle(cycle), done: done}
	eng, err := engine.Start(ctx, config(sc), engine.Options{Mind: w})
	if err != nil {
		return nil, err
	}
	last := min(cycle+extraCycles, sc.Cycles)
	_, err = eng.Run(ctx, wire.Cycle(last))
	err = errors.Join(err, eng.Close())
	switch {
	case w.failed != nil:
		return nil, w.failed
	case w.got != nil:
		w.got.Agent = index
		return w.got, nil
	case err != nil:
		return nil, err
	}
	where := fmt.Sprintf("the cycles %d to %d", cycle, last)
	if last == cycle {
		where = fmt.Sprintf("cycle %d, the last one", cycle)
	}
	return nil, usagef("agent %s has no thought in %s: it sleeps, or is dead; choose another --cycle or --agent", agent, where)
}

// spawnIndexOf finds an agent's spawn index, that of a newcomer too if the scenario's inputs spawn it.
func spawnIndexOf(sc *scenarios.Scenario, agent string) (uint64, error) {
	n := sc.Agents()
	for i := range sc.Inputs {
		if in := &sc.Inputs[i]; in.Do == scenarios.DoSpawn {
			n += in.Count
		}
	}
	if i, err := strconv.ParseUint(agent, 10, 32); err == nil && 1 <= i && i <= n {
		return i, nil
	}
	switch i, err := agentNumber(sc, agent); {
	case err != nil:
		return 0, err
	case i > 0:
		return i, nil
	}
	for i := uint64(1); i <= n; i++ {
		if matchAgent(agent, agentID(sc, i)) {
			return i, nil
		}
	}
	return 0, usagef("%[2]s has no agent %[1]s; want a number from 1 to %[3]d, a name, an alias or an id", agent, sc.Name, n)
}

// firstModel returns the first model of an agent's standard tier, nil if it thinks with the scripted mind. It is not
// checked, because it is not asked.
func firstModel(sc *scenarios.Scenario, index uint64, mind string) (*openai.Model, error) {
	names := modelsOfAgent(sc, index, mind)[1]
	if len(names) == 0 {
		return nil, nil
	}
	m, err := model(sc.Model(names[0]), sc.Think.Timeout)
	return &m, err
}

// promptRecorder is the scripted mind and keeps the first prompt of one agent from a cycle on.
type promptRecorder struct {
	engine.Mind
	scenario *scenarios.Scenario // of the cycle
	agent    wire.AgentID
	cycle    wire.Cycle
	done     func()
	got      *shownPrompt // written by one goroutine, read when the engine has stopped
	failed   error        // why the agent's model is not known; written likewise
}

// Recomputable implements engine.Recomputer: nothing is journaled.
func (w *promptRecorder) Recomputable(wire.Cycle) bool { return true }

// Think implements engine.Mind.
func (w *promptRecorder) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.ID == w.agent && p.Cycle >= w.cycle && w.got == nil {
		var m *openai.Model
		m, w.failed = firstModel(w.scenario, p.SpawnIndex, p.Mind)
		w.got = newShownPrompt(p, m)
		w.done()
	}
	return w.Mind.Think(ctx, p)
}

func newShownPrompt(p *llm.Prompt, m *openai.Model) *shownPrompt {
	asked := *p
	if m == nil {
		m = &openai.Model{MaxOutput: llm.DefaultMaxTokens, Output: openai.OutputPrompt}
	}
	asked.Hash() // notes the templates that fail
	system, user := m.Messages(&asked)
	s := &shownPrompt{
		Alias: p.Alias, Role: p.Role.String(), Cycle: uint64(p.Cycle), Tick: uint64(p.Tick), Tier: uint8(p.Tier),
		Tokens:   llm.Tokens(len(system) + len(user)),
		Messages: []messageJSON{{"system", string(system)}, {"user", string(user)}},
	}
	for _, f := range asked.FailedTemplates() {
		if what := fmt.Sprintf("the template prompts.%s failed, so the prompt has the built-in section instead: %v", f.Section, f.Err); !slices.Contains(s.failed, what) {
			s.failed = append(s.failed, what)
		}
	}
	for _, part := range llm.SplitSections(system, user) {
		s.Sections = append(s.Sections, shownSection{
			Name: part.Kind.String(), Title: part.Kind.Title(), Bytes: len(part.Text), Tokens: llm.Tokens(len(part.Text)), text: string(part.Text),
		})
	}
	return s
}

func (a *app) printPrompt(p *shownPrompt, only llm.SectionKind, tokens bool) error {
	if only != 0 {
		p.Sections = p.Sections[only-1 : only]
		p.Messages = nil
	}
	switch {
	case a.json:
		if only != 0 {
			p.Messages = []messageJSON{{"section", p.Sections[0].text}}
		}
		return printJSON(a.out, p)
	case tokens:
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "section\tbytes\ttokens\tof all\t")
		for _, s := range p.Sections {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d %%\t\n", s.Name, s.Bytes, s.Tokens, 100*s.Tokens/max(p.Tokens, 1))
		}
		if only == 0 {
			fmt.Fprintf(w, "all\t%d\t%d\t\t\n", len(p.Messages[0].Content)+len(p.Messages[1].Content), p.Tokens)
		}
		return w.Flush()
	case only != 0:
		fmt.Fprint(a.out, p.Sections[0].text)
		return nil
	}
	fmt.Fprintf(a.out, "--- agent %d (%s, %s), cycle %d, tick %d, tier %d: %d tokens\n", p.Agent, p.Alias, p.Role, p.Cycle, p.Tick, p.Tier, p.Tokens)
	for _, m := range p.Messages {
		fmt.Fprintf(a.out, "--- %s\n%s", m.Role, m.Content)
	}
	return nil
}

func newPromptFields(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "fields",
		Short: "List the fields that prompt templates may use",
		Long: "List the fields that templates (prompts in a scenario, docs/MINDS.md) may use. Text written by agents is always\n" +
			"quoted. Fields of --json, one object per field: path, type, doc, sections.",
		Args: args(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			fields := llm.FactFields()
			if a.json {
				return printJSON(a.out, fields)
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, f := range fields {
				fmt.Fprintf(w, "%s\t%s\t%s\n", f.Path, f.Type, f.Doc)
			}
			return w.Flush()
		},
	}
}

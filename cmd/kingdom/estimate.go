package main

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"text/tabwriter"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/scenarios"
	"kingdom/wire"
)

// expectedJSON is the expected number of calls of one tier to one model, with their tokens and cost.
type expectedJSON struct {
	Tier   uint8  `json:"tier,omitempty"`
	Model  string `json:"model,omitempty"`
	Calls  uint64 `json:"calls"`
	Prompt uint64 `json:"prompt_tokens"`
	Output uint64 `json:"output_tokens"`
	Cost   uint64 `json:"cost_micro_usd"`
	Most   uint64 `json:"most_micro_usd"` // cost if every answer had the maximum length and could be used
}

// estimateJSON is the expected use of models by a run.
type estimateJSON struct {
	Scenario string `json:"scenario"`
	Cycles   uint64 `json:"cycles"`
	Slots    uint64 `json:"slots"` // of agents with models: the number of calls if they never rested
	expectedJSON
	Tiers   []expectedJSON `json:"tiers"`
	Exceeds bool           `json:"exceeds_budget,omitempty"` // the expected cost is more than the run may spend
}

const (
	// minTrialAgentCycles is how many agent-cycles the trial runs have at least, together. How busy a few agents are in a
	// few cycles depends on chance, so small runs are tried with several seeds, with at most maxTrialRuns.
	minTrialAgentCycles = 256
	maxTrialRuns        = 16
)

// estimate runs a scenario in memory with the scripted mind and prints how many calls its models would get and what they
// would cost, as the mean of the trial runs. budget is what the run may spend, in micro-dollars, nil for any amount.
// Nothing is sent and nothing is written.
func (a *app) estimate(ctx context.Context, sc *scenarios.Scenario, cycles uint64, budget *uint64) error {
	e := estimateJSON{Scenario: sc.Name, Cycles: cycles, Tiers: []expectedJSON{}}
	sums := trialSums{}
	lived := max(cycles*sc.Agents(), 1)
	worlds := min((minTrialAgentCycles+lived-1)/lived, maxTrialRuns)
	if len(usedModels(sc)) == 0 {
		worlds = 0 // there is nothing to find out
	}
	for n := range worlds {
		world := *sc
		if n > 0 {
			world.Seed += scenarios.Seed(fmt.Sprintf(" rehearsal %d", n+1))
		}
		trial := ""
		if worlds > 1 {
			trial = fmt.Sprintf("trial run %d of %d, ", n+1, worlds)
		}
		slots, err := a.trialRun(ctx, &world, cycles, trial, sums)
		if err != nil {
			return err
		}
		e.Slots += slots
	}
	e.Slots /= max(worlds, 1)
	sums.expect(&e, worlds)
	e.Exceeds = budget != nil && e.Cost > *budget
	if a.json {
		a.jsonLine(e)
		return nil
	}
	a.printEstimate(&e)
	if e.Exceeds {
		fmt.Fprintf(a.out, "the expected cost, %s, is more than the budget of the run, %s, at which the run would stop; raise --budget or take fewer --cycles\n", llm.USD(e.Cost), llm.USD(*budget))
	}
	return nil
}

// trialRun runs one world, adds its calls to models to sums, and returns the number of slots of agents with models.
func (a *app) trialRun(ctx context.Context, sc *scenarios.Scenario, cycles uint64, trial string, sums trialSums) (slots uint64, err error) {
	r, err := newEstimator(sc, sums)
	if err != nil {
		return 0, err
	}
	cfg := config(sc)
	cfg.SignaturesLazy = true
	prog := newTrialProgress(a, cycles, trial)
	defer prog.done()
	eng, err := engine.Start(ctx, cfg, engine.Options{Mind: r, Observers: []engine.Observer{prog, r}})
	if err != nil {
		return 0, err
	}
	sum, err := eng.Run(ctx, wire.Cycle(cycles))
	if err == nil {
		err = eng.Close()
	}
	return r.slotsAsked(sum.AgentTicks), err
}

func (a *app) printEstimate(e *estimateJSON) {
	if e.Calls == 0 {
		fmt.Fprintf(a.out, "%s, %s: no model would be asked, so it costs nothing\n", e.Scenario, llm.Count(e.Cycles, "cycle"))
		return
	}
	fmt.Fprintf(a.out, "%s, %s, estimated with the scripted mind; nothing was sent\n", e.Scenario, llm.Count(e.Cycles, "cycle"))
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIER\tMODEL\tCALLS\tTOKENS IN\tTOKENS OUT\tCOST\tLONGEST ANSWERS")
	for i := range e.Tiers {
		t := &e.Tiers[i]
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%s\t%s\n", t.Tier, t.Model, t.Calls, t.Prompt, t.Output, llm.USD(t.Cost), llm.USD(t.Most))
	}
	fmt.Fprintf(w, "all\t\t%d\t%d\t%d\t%s\t%s\n", e.Calls, e.Prompt, e.Output, llm.USD(e.Cost), llm.USD(e.Most))
	w.Flush()
	for _, name := range e.unpricedModels() {
		fmt.Fprintf(a.out, "the model %q has no price, so that calls to it count as free: give minds.models.%s.price_input and price_output\n", name, name)
	}
	if e.Most == 0 {
		return
	}
	fmt.Fprintf(a.out, "this assumes that models let agents rest as the scripted mind does; if they were asked in all %d slots of their agents, they would cost %s, and %s with answers as long as they may be\n",
		e.Slots, llm.USD(e.Cost*e.Slots/e.Calls), llm.USD(e.Most*e.Slots/e.Calls))
	fmt.Fprintln(a.out, "a model is asked up to three times for a thought, so it costs up to three times as much if answers cannot be used")
}

// unpricedModels returns the names of the models in use that have no price.
func (e *estimateJSON) unpricedModels() (names []string) {
	for i := range e.Tiers {
		if t := &e.Tiers[i]; t.Most == 0 && !slices.Contains(names, t.Model) {
			names = append(names, t.Model)
		}
	}
	return names
}

// estimator is a mind that thinks like the scripted one and counts the bytes that models would have been sent and
// would have answered.
type estimator struct {
	think     engine.Mind
	models    map[wire.AgentID][3]*openai.Model // first model of each tier, of the initial population; nil: another mind thinks
	newcomers [3]*openai.Model                  // the same of agents that are spawned later
	named     map[string][3]*openai.Model       // the same of those that are spawned with a mind of their own, by its name

	mu    sync.Mutex
	sums  trialSums
	asked map[wire.AgentID]bool   // the agents that a model would have thought for
	slots map[wire.AgentID]uint64 // how many slots each agent had, also those in which it rested
}

// trialSums has the sums over all trial runs, by tier and model.
type trialSums map[tierModel]*trialSum

type tierModel struct {
	tier  llm.Tier
	model string
}

type trialSum struct {
	model                  *openai.Model
	calls, prompts, answer uint64 // prompts and answer in bytes
}

func newEstimator(sc *scenarios.Scenario, sums trialSums) (*estimator, error) {
	for _, ph := range sc.Phases()[1:] {
		if ph.From <= sc.Cycles && !thinksLike(ph.Scenario, sc) {
			return nil, usagef("--estimate cannot follow a change of who thinks, and the minds of %s change in cycle %d; estimate it up to there with --cycles %d, or without its changes with --set 'changes=[]'", sc.Name, ph.From, max(ph.From-1, 1))
		}
	}
	quick := *sc
	quick.Minds.Scripted.Latency.Pace = scenarios.PaceVirtual
	r := &estimator{ // the scripted mind is the same in all phases
		think: offlinePhaseMind(&quick).simplest(), models: map[wire.AgentID][3]*openai.Model{}, named: map[string][3]*openai.Model{}, sums: sums,
		asked: map[wire.AgentID]bool{}, slots: map[wire.AgentID]uint64{},
	}
	for i := range sc.Inputs {
		in := &sc.Inputs[i]
		if in.Mind == "" {
			continue
		}
		first, err := firstModels(sc, sc.ModelsOf(in.Newcomers()))
		if err != nil {
			return nil, err
		}
		r.named[in.Mind] = first
	}
	index := uint64(1)
	for i, tiers := range sc.AllModels() {
		first, err := firstModels(sc, tiers)
		if err != nil {
			return nil, err
		}
		if i == len(sc.Population) {
			r.newcomers = first
			break
		}
		for range sc.Population[i].Count {
			r.models[agentID(sc, index)] = first
			index++
		}
	}
	return r, nil
}

// thinksLike reports whether the same minds think for the same agents in two phases, whatever they are told.
func thinksLike(a, b *scenarios.Scenario) bool {
	return reflect.DeepEqual(a.AllModels(), b.AllModels()) && reflect.DeepEqual(a.Minds.Models, b.Minds.Models) && reflect.DeepEqual(a.Minds.Scripted, b.Minds.Scripted)
}

// firstModels returns the first model of each tier, nil where there is none.
func firstModels(sc *scenarios.Scenario, tiers scenarios.TierModels) (first [3]*openai.Model, err error) {
	for tier, names := range tiers {
		if len(names) > 0 {
			m, err := model(sc.Model(names[0]), sc.Think.Timeout)
			if err != nil {
				return first, err
			}
			first[tier] = &m
		}
	}
	return first, nil
}

// Recomputable implements engine.Recomputer: nothing is journaled.
func (r *estimator) Recomputable(wire.Cycle) bool { return true }

// Think implements engine.Mind.
func (r *estimator) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	th, err := r.think.Think(ctx, p)
	models, initial := r.models[p.ID]
	if own, chosen := r.named[p.Mind]; chosen {
		models = own
	} else if !initial {
		models = r.newcomers
	}
	if err != nil || models[0] == nil {
		return th, err
	}
	m := models[p.Tier-1]
	sent := uint64(m.PromptBytes(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[p.ID] = true
	k := tierModel{p.Tier, m.Name}
	s := r.sums[k]
	if s == nil {
		s = &trialSum{model: m}
		r.sums[k] = s
	}
	s.calls++
	s.prompts += sent
	s.answer += uint64(len(th.Text))
	return th, nil
}

// Commit implements engine.Observer. It counts the slots of each agent.
func (r *estimator) Commit(c *engine.Commit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range c.Seats {
		r.slots[c.Seats[i].Agent]++
	}
}

// Cycle implements engine.Observer.
func (r *estimator) Cycle(*engine.CycleReport) {}

// slotsAsked returns how many of all slots of a run were slots of agents with models. An observer may miss commits, so only the
// share of these slots is taken from what it saw. No agent rests before its first thought, so whoever has a model and a slot was
// asked.
func (r *estimator) slotsAsked(all uint64) uint64 {
	seen, asked := uint64(0), uint64(0)
	for agent, n := range r.slots {
		seen += n
		if r.asked[agent] {
			asked += n
		}
	}
	return all * asked / max(seen, 1)
}

// expect converts the bytes of all trial runs into the expected tokens and cost of one run.
func (sums trialSums) expect(e *estimateJSON, worlds uint64) {
	for k, s := range sums {
		calls := (s.calls + worlds - 1) / worlds
		x := s.model.Expect(calls, s.prompts/worlds, s.answer/worlds)
		t := expectedJSON{Tier: uint8(k.tier), Model: k.model, Calls: calls, Prompt: x.PromptTokens, Output: x.OutputTokens, Cost: x.CostMicroUSD, Most: x.MostMicroUSD}
		e.Tiers = append(e.Tiers, t)
		e.Calls, e.Prompt, e.Output, e.Cost, e.Most = e.Calls+t.Calls, e.Prompt+t.Prompt, e.Output+t.Output, e.Cost+t.Cost, e.Most+t.Most
	}
	slices.SortFunc(e.Tiers, func(a, b expectedJSON) int { return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Model, b.Model)) })
}

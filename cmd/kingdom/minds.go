package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/adversary"
	"kingdom/llm/openai"
	"kingdom/llm/scripted"
	"kingdom/llm/spend"
	"kingdom/scenarios"
	"kingdom/wire"
)

// mind builds the minds of a scenario. endpoints are shared by all runs of the process, so that runs that ask the same
// server share its limits; ledger counts what this run spends.
func mind(sc *scenarios.Scenario, endpoints *openai.Endpoints, ledger *spend.Ledger) (engine.Mind, error) {
	return mindAsking(sc, func(ph *scenarios.Scenario, names scenarios.TierModels) (engine.Mind, error) {
		return modelMind(ph, names, endpoints, ledger)
	})
}

// modelBuilder builds what thinks for agents whose models are named, in one phase of a scenario.
type modelBuilder func(phase *scenarios.Scenario, names scenarios.TierModels) (engine.Mind, error)

// mindAsking builds the minds of a scenario: what build returns thinks for agents with models, the offline minds for all
// others.
func mindAsking(sc *scenarios.Scenario, build modelBuilder) (engine.Mind, error) {
	return buildPhases(sc, func(ph *scenarios.Scenario) (engine.Mind, error) { return phaseMind(ph, build) })
}

// phaseMind builds the minds of one phase of a scenario.
func phaseMind(sc *scenarios.Scenario, build modelBuilder) (engine.Mind, error) {
	m := offlinePhaseMind(sc)
	made := map[[3]string]engine.Mind{}
	asking := func(names scenarios.TierModels) (engine.Mind, error) {
		m.offline = false
		key := [3]string{strings.Join(names[0], " "), strings.Join(names[1], " "), strings.Join(names[2], " ")}
		if made[key] == nil {
			asked, err := build(sc, names)
			if err != nil {
				return nil, err
			}
			made[key] = asked
		}
		return made[key], nil
	}
	index := uint64(1) // spawn index of the group's first agent
	for i := range sc.Population {
		g := &sc.Population[i]
		if names := sc.ModelsOf(g); names.Any() {
			own, err := asking(names)
			if err != nil {
				return nil, err
			}
			for n := range g.Count {
				m.byAgent[agentID(sc, index+n)] = own
			}
		}
		index += g.Count
	}
	if names := scenarios.TierModels(sc.Minds.Tiers.All()); names.Any() {
		var err error
		if m.newcomers, err = asking(names); err != nil {
			return nil, err
		}
	}
	for i := range sc.Inputs {
		in := &sc.Inputs[i]
		if names := sc.ModelsOf(in.Newcomers()); in.Mind != "" && names.Any() {
			own, err := asking(names)
			if err != nil {
				return nil, err
			}
			m.named[in.Mind] = own
		}
	}
	return m.simplest(), nil
}

// agentID is the id of the agent with a spawn index.
func agentID(sc *scenarios.Scenario, index uint64) wire.AgentID {
	return wire.IDOf(wire.AgentKey(sc.WorldSeed(), index).Public().(ed25519.PublicKey))
}

// scriptedMind builds the offline mind.
func scriptedMind(sc *scenarios.Scenario) engine.Mind {
	s := sc.Minds.Scripted
	m := scripted.New(sc.WorldSeed(), scripted.Knobs{
		MalformedRate: s.MalformedRate,
		NOPRate:       s.NOPRate,
		RefuseActions: s.RefuseActions,
		FailureBursts: scripted.FailureBursts(s.FailureBursts),
		Latency: scripted.Latency{
			Distribution: scripted.Distribution(s.Latency.Distribution - 1), MedianMS: s.Latency.MedianMS, Sigma: s.Latency.Sigma,
		},
	})
	if s.Latency.Pace == scenarios.PaceReal {
		return realTimeMind{m}
	}
	return m
}

// modelMind builds a mind of language models.
func modelMind(sc *scenarios.Scenario, names [3][]string, endpoints *openai.Endpoints, ledger *spend.Ledger) (*openai.Mind, error) {
	var tiers [3][]openai.Model
	rules := sc.WorldRules()
	turn := turnRules(sc, &rules)
	system := turn.SystemTokens()
	for i := range names {
		for _, name := range names[i] {
			m, err := model(sc.Model(name), sc.Think.Timeout)
			if err != nil {
				return nil, err
			}
			if err := cmp.Or(m.Check(), m.Fits(system)); err != nil {
				return nil, modelFieldError(sc, err)
			}
			tiers[i] = append(tiers[i], m)
		}
	}
	m, err := endpoints.Mind(tiers, ledger)
	if err != nil {
		return nil, usagef("minds.models: %w; docs/MINDS.md shows how", err)
	}
	return m, nil
}

// modelsOfAgent returns the models that think for the agent with a spawn index; mind is what the operator who spawned it chose
// for it, "" for all others.
func modelsOfAgent(sc *scenarios.Scenario, index uint64, mind string) scenarios.TierModels {
	if mind != "" {
		return sc.ModelsOf(&scenarios.Group{Mind: mind})
	}
	for i := range sc.Population {
		g := &sc.Population[i]
		if index <= g.Count {
			return sc.ModelsOf(g)
		}
		index -= g.Count
	}
	return sc.Minds.Tiers.All() // it was spawned later
}

// modelFieldError adds the place in the scenario to an error about a field of a model.
func modelFieldError(sc *scenarios.Scenario, err error) error {
	var bad *openai.FieldError
	if !errors.As(err, &bad) {
		return usage(err)
	}
	return usage(withVariableNames(sc.Wrong("minds.models."+bad.Model+"."+bad.Field, bad.What, "docs/MINDS.md shows how")))
}

// model converts a model of a scenario; timeout applies if it has none of its own.
func model(s *scenarios.Model, timeout time.Duration) (openai.Model, error) {
	m := openai.Model{
		Name: s.Name, Endpoint: s.Endpoint, ID: cmp.Or(s.Snapshot, s.Model), MaxContext: s.Context, MaxOutput: s.MaxOutput,
		Prices:            prices(s),
		RequestsPerMinute: s.Requests, TokensPerMinute: s.Tokens, Concurrency: int(s.Concurrency),
		Timeout: cmp.Or(s.Timeout, timeout),
		Effort:  s.Effort, Output: outputModes[s.Output], CacheKey: s.CacheKey != nil && *s.CacheKey, Insecure: s.Insecure != nil && *s.Insecure, UseProxy: s.Proxy == scenarios.ProxyEnvironment, CAFile: s.CAFile,
	}
	if s.Temperature >= 0 {
		m.Temperature = &s.Temperature
	}
	if s.Seed != 0 {
		seed := int64(s.Seed)
		m.Seed = &seed
	}
	if s.Extra != "" {
		if err := json.Unmarshal([]byte(s.Extra), &m.Extra); err != nil {
			return m, usagef("minds.models.%s.extra: %v", s.Name, err)
		}
	}
	return m, nil
}

var outputModes = map[scenarios.Output]openai.Output{
	scenarios.OutputSchema: openai.OutputStrict, scenarios.OutputSmall: openai.OutputSmall, scenarios.OutputAnyObject: openai.OutputObject,
	scenarios.OutputObject: openai.OutputJSON, scenarios.OutputPrompt: openai.OutputPrompt,
}

// prices returns the prices of a model. If it has none for cached input, that of other input applies.
func prices(s *scenarios.Model) openai.Prices {
	cached := s.PriceCached
	if cached < 0 {
		cached = s.PriceInput
	}
	return openai.Prices{Input: microUSD(s.PriceInput), CachedInput: microUSD(cached), CacheWrite: microUSD(s.PriceWrite), Output: microUSD(s.PriceOutput)}
}

func microUSD(dollars float64) uint64 { return uint64(math.Round(dollars * 1e6)) }

// usedModels lists the models that some agent uses in some phase of the scenario, each once. A model whose settings a
// phase changes is listed once for each of its settings.
func usedModels(sc *scenarios.Scenario) []*scenarios.Model {
	return usedModelsIn(sc, span{1, scenarios.MostCycles})
}

// span is the cycles that a command executes and does not only repeat.
type span struct{ first, last uint64 }

// usedModelsIn lists the models that some agent uses in these cycles.
func usedModelsIn(sc *scenarios.Scenario, cycles span) []*scenarios.Model {
	var out []*scenarios.Model
	for tier, phase := range tiersIn(sc, cycles) {
		for _, name := range tier {
			m := phase.Model(name)
			if !slices.ContainsFunc(out, func(had *scenarios.Model) bool { return reflect.DeepEqual(had, m) }) {
				out = append(out, m)
			}
		}
	}
	return out
}

// tiersIn yields the names of the models of each group, and of newcomers, and each tier in each phase of these cycles, with the
// scenario of that phase.
func tiersIn(sc *scenarios.Scenario, cycles span) iter.Seq2[[]string, *scenarios.Scenario] {
	return func(yield func([]string, *scenarios.Scenario) bool) {
		all := sc.Phases()
		for i, ph := range all {
			if ph.From > cycles.last || i+1 < len(all) && all[i+1].From <= cycles.first {
				continue
			}
			for _, tiers := range ph.Scenario.AllModels() {
				for _, tier := range tiers {
					if !yield(tier, ph.Scenario) {
						return
					}
				}
			}
		}
	}
}

// Environment variables that fill in the model named default.
const (
	envEndpoint = "KINGDOM_ENDPOINT"
	envModel    = "KINGDOM_MODEL"
)

// Scenario paths that envEndpoint and envModel set.
const (
	defaultEndpoint = "minds.models.default.endpoint"
	defaultModel    = "minds.models.default.model"
)

// fromEnvironment fills in endpoint and name of the model named default from the environment, if the scenario does not
// set them. The run keeps the resolved scenario, so later commands do not depend on the environment.
func fromEnvironment(sc *scenarios.Scenario) error {
	m := sc.Model(scenarios.DefaultModel)
	if m == nil {
		return nil
	}
	var sets []string
	for _, v := range []struct{ have, env, path string }{
		{m.Endpoint, envEndpoint, defaultEndpoint},
		{m.Model, envModel, defaultModel},
	} {
		if v.have == "" && os.Getenv(v.env) != "" {
			sets = append(sets, setFromVariable(v.path, v.env))
		}
	}
	return withVariableNames(sc.Override(sets...))
}

// setFromVariable returns the --set argument that sets a path to the value of an environment variable.
func setFromVariable(path, env string) string {
	value, err := json.Marshal(os.Getenv(env))
	if err != nil {
		panic("kingdom: encode a string: " + err.Error()) // json.Marshal never fails for a string
	}
	return path + "=" + string(value)
}

// withVariableNames makes problems name the environment variable instead of the --set of fromEnvironment, which the
// user did not type.
func withVariableNames(err error) error {
	e, ok := asError[*scenarios.Error](err)
	if !ok {
		return err
	}
	for i := range e.Problems {
		switch p := &e.Problems[i]; p.File {
		case "--set " + setFromVariable(defaultEndpoint, envEndpoint):
			p.File = envEndpoint
		case "--set " + setFromVariable(defaultModel, envModel):
			p.File = envModel
		}
	}
	return err
}

// minds is a mind that asks the mind of each agent.
type minds struct {
	byAgent   map[wire.AgentID]engine.Mind // of the initial population, those that have another mind than scripted
	farm      *adversary.Newcomers         // nil: no strategy has newcomers that serve it
	newcomers engine.Mind                  // of agents that were spawned later
	named     map[string]engine.Mind       // of agents that were spawned later with a mind of their own, by its name
	scripted  engine.Mind
	initial   uint64 // size of the initial population
	offline   bool   // all of them can be recomputed
}

// simplest returns the scripted mind alone if it thinks for all.
func (m minds) simplest() engine.Mind {
	if m.offline && len(m.byAgent) == 0 {
		return m.scripted
	}
	return m
}

// Recomputable implements engine.Recomputer.
func (m minds) Recomputable(wire.Cycle) bool { return m.offline }

// mindFor returns the mind of the agent that a prompt is for.
func (m minds) mindFor(p *llm.Prompt) engine.Mind {
	switch own := m.byAgent[p.Identity.ID]; {
	case own != nil:
		return own
	case p.Identity.SpawnIndex <= m.initial:
		return m.scripted
	case m.named[p.Mind] != nil:
		return m.named[p.Mind]
	case m.farm != nil && m.farm.Serves(p):
		return m.farm
	default:
		return m.newcomers
	}
}

// Think implements engine.Mind.
func (m minds) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	return m.mindFor(p).Think(ctx, p)
}

// ThinkWithin implements engine.SelfTimedMind.
func (m minds) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	return thinkWithin(ctx, m.mindFor(p), p, rest)
}

// thinkWithin asks a mind with a time limit. If the mind is not an [engine.SelfTimedMind], the time is measured here.
func thinkWithin(ctx context.Context, m engine.Mind, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	if patient, ok := m.(engine.SelfTimedMind); ok {
		return patient.ThinkWithin(ctx, p, rest)
	}
	limited, cancel := context.WithTimeout(ctx, rest)
	defer cancel()
	begin := time.Now()
	th, err := m.Think(limited, p)
	return th, time.Since(begin), err
}

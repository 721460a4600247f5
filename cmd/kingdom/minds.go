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
	"kingdom/llm/openai"
	"kingdom/llm/scripted"
	"kingdom/llm/spend"
	"kingdom/scenarios"
	"kingdom/wire"
)

// mind builds the minds that think in a scenario. endpoints are what all runs of the process
// share, one limit for all that ask the same server; ledger counts what this run spends.
func mind(sc *scenarios.Scenario, endpoints *openai.Endpoints, ledger *spend.Ledger) (engine.Mind, error) {
	return byPhase(sc, func(sc *scenarios.Scenario) (engine.Mind, error) { return mindNow(sc, endpoints, ledger) })
}

// mindNow builds the minds of one phase of a scenario.
func mindNow(sc *scenarios.Scenario, endpoints *openai.Endpoints, ledger *spend.Ledger) (engine.Mind, error) {
	offline := offlineNow(sc)
	m := minds{of: map[wire.AgentID]engine.Mind{}, rest: offline}
	made := map[[3]string]engine.Mind{}
	index := uint64(1) // spawn index of the group's first agent
	for i := range sc.Population {
		g := &sc.Population[i]
		names := sc.ModelsOf(g)
		if len(names[0]) > 0 {
			key := [3]string{strings.Join(names[0], " "), strings.Join(names[1], " "), strings.Join(names[2], " ")}
			if made[key] == nil {
				asked, err := modelMind(sc, names, endpoints, ledger)
				if err != nil {
					return nil, err
				}
				made[key] = asked
			}
			for n := range g.Count {
				m.of[agentID(sc, index+n)] = made[key]
			}
		}
		index += g.Count
	}
	if len(m.of) == 0 {
		return offline, nil
	}
	return m, nil
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
		return paced{m}
	}
	return m
}

// modelMind builds a mind of language models.
func modelMind(sc *scenarios.Scenario, names [3][]string, endpoints *openai.Endpoints, ledger *spend.Ledger) (engine.Mind, error) {
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
				return nil, misdeclared(sc, err)
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

// misdeclared says where a field of a model stands that the client refuses.
func misdeclared(sc *scenarios.Scenario, err error) error {
	var bad *openai.FieldError
	if !errors.As(err, &bad) {
		return usage(err)
	}
	return usage(variableNamed(sc.Wrong("minds.models."+bad.Model+"."+bad.Field, bad.What, "docs/MINDS.md shows how")))
}

// model translates a model of a scenario; timeout is for one that names none.
func model(s *scenarios.Model, timeout time.Duration) (openai.Model, error) {
	m := openai.Model{
		Name: s.Name, Endpoint: s.Endpoint, ID: cmp.Or(s.Snapshot, s.Model), MaxContext: s.Context, MaxOutput: s.MaxOutput,
		Prices:            prices(s),
		RequestsPerMinute: s.Requests, TokensPerMinute: s.Tokens, Concurrency: int(s.Concurrency),
		Timeout: cmp.Or(s.Timeout, timeout),
		Effort:  s.Effort, Output: outputs[s.Output], Insecure: s.Insecure != nil && *s.Insecure,
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

var outputs = map[scenarios.Output]openai.Output{
	scenarios.OutputSchema: openai.OutputStrict, scenarios.OutputObject: openai.OutputJSON, scenarios.OutputPrompt: openai.OutputPrompt,
}

// prices are those of a model; cached input without one of its own costs what other input costs.
func prices(s *scenarios.Model) openai.Prices {
	cached := s.PriceCached
	if cached < 0 {
		cached = s.PriceInput
	}
	return openai.Prices{Input: microUSD(s.PriceInput), CachedInput: microUSD(cached), Output: microUSD(s.PriceOutput)}
}

func microUSD(dollars float64) uint64 { return uint64(math.Round(dollars * 1e6)) }

// usedModels lists the models that think for somebody at some time, each once; one that a
// change of the scenario gives other settings is there with both.
func usedModels(sc *scenarios.Scenario) []*scenarios.Model {
	var out []*scenarios.Model
	for tier, phase := range allTiers(sc) {
		for _, name := range tier {
			m := phase.Model(name)
			if !slices.ContainsFunc(out, func(had *scenarios.Model) bool { return reflect.DeepEqual(had, m) }) {
				out = append(out, m)
			}
		}
	}
	return out
}

// allTiers yields what each group asks in each tier, the names of models, and the scenario as
// it holds then.
func allTiers(sc *scenarios.Scenario) iter.Seq2[[]string, *scenarios.Scenario] {
	return func(yield func([]string, *scenarios.Scenario) bool) {
		for _, ph := range sc.Phases() {
			for i := range ph.Scenario.Population {
				for _, tier := range ph.Scenario.ModelsOf(&ph.Scenario.Population[i]) {
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

// What they fill in.
const (
	defaultEndpoint = "minds.models.default.endpoint"
	defaultModel    = "minds.models.default.model"
)

// fromEnvironment fills in what the model named default leaves open. The run keeps the
// resolved scenario, so nothing later depends on the environment.
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
			sets = append(sets, setOf(v.path, v.env))
		}
	}
	return variableNamed(sc.Override(sets...))
}

// setOf sets a value of the scenario to that of a variable of the environment.
func setOf(path, env string) string {
	value, err := json.Marshal(os.Getenv(env))
	if err != nil {
		panic("kingdom: text is not encoded: " + err.Error()) // which json.Marshal never says of a string
	}
	return path + "=" + string(value)
}

// variableNamed names the variable in whose place fromEnvironment, and not the user, said --set.
func variableNamed(err error) error {
	e, ok := asError[*scenarios.Error](err)
	if !ok {
		return err
	}
	for i := range e.Problems {
		switch p := &e.Problems[i]; p.File {
		case "--set " + setOf(defaultEndpoint, envEndpoint):
			p.File = envEndpoint
		case "--set " + setOf(defaultModel, envModel):
			p.File = envModel
		}
	}
	return err
}

// minds gives each agent its mind; newcomers get rest.
type minds struct {
	of      map[wire.AgentID]engine.Mind
	rest    engine.Mind
	offline bool // all of them can be recomputed
}

// Recomputable implements engine.Recomputer.
func (m minds) Recomputable(wire.Cycle) bool { return m.offline }

// who is the mind of the agent that a prompt is for.
func (m minds) who(p *llm.Prompt) engine.Mind {
	if own := m.of[p.Identity.ID]; own != nil {
		return own
	}
	return m.rest
}

// Think implements engine.Mind.
func (m minds) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	return m.who(p).Think(ctx, p)
}

// ThinkWithin implements engine.SelfTimedMind.
func (m minds) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	return thinkWithin(ctx, m.who(p), p, rest)
}

// thinkWithin has a mind think that may not keep the time of its thoughts itself.
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

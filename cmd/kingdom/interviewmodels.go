package main

import (
	"os"
	"slices"
	"strings"

	"kingdom/llm/openai"
	"kingdom/llm/spend"
	"kingdom/scenarios"
)

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
		switch own := modelsOfAgent(&now, p.shown.Agent, p.chosen); {
		case iv.model != "":
			p.models = []string{iv.model}
		case own.Any():
			p.models = own[0]
		case now.Model(scenarios.DefaultModel) != nil:
			p.models = []string{scenarios.DefaultModel}
		case len(now.Minds.Models) > 0:
			return nil, usagef("no model thinks for agent %d (%s), which has the scripted mind; say which model of the scenario answers: --model %s", p.shown.Agent, p.shown.Alias, now.Minds.Models[0].Name)
		default:
			return nil, usagef("no model thinks for agent %d (%s), which has the scripted mind; say which model answers: --set %s=URL --set %s=NAME, or %s and %s", p.shown.Agent, p.shown.Alias, defaultEndpoint, defaultModel, envEndpoint, envModel)
		}
	}
	return &now, nil
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

package ooda

import (
	"strings"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire/action"
)

// template is the plan that every agent makes for a kind of goal. Agents share the steps and their payloads; nobody
// changes them.
type template struct {
	names []string // actions, one per step
	steps []memory.PlanStep
}

func newTemplate(steps []templateStep) *template {
	m := &template{}
	for _, s := range steps {
		m.names = append(m.names, s.action)
		m.steps = append(m.steps, memory.PlanStep{
			Action:         stepCodec.Bytes(&stepAction{s.action, s.params}),
			Precondition:   condition(s.pre),
			Postcondition:  condition(s.post),
			EstimatedTicks: stepTicks(s.action),
		})
	}
	return m
}

func compile(kinds map[goals.Kind][]templateStep) map[goals.Kind]*template {
	out := map[goals.Kind]*template{}
	for k, steps := range kinds { //house:sorted each kind is compiled by itself
		out[k] = newTemplate(steps)
	}
	return out
}

// templateActions are the decoded actions of the templates by their bytes, so that the turns of
// thousands of agents need not each decode and keep them.
var templateActions = makeTemplateActions()

func makeTemplateActions() map[string]*decodedAction {
	out := map[string]*decodedAction{}
	for _, m := range templates { //house:sorted equal actions decode alike
		addActions(out, m)
	}
	addActions(out, documentSteps)
	addActions(out, answerSteps)
	return out
}

func addActions(out map[string]*decodedAction, m *template) {
	for i := range m.steps {
		out[string(m.steps[i].Action)] = decodeAction(m.steps[i].Action)
	}
}

// decodedAction is the action of a plan's step. Parameters without references make the same
// payload for everybody.
type decodedAction struct {
	stepAction
	payload any // of parameters without references; nil for all others
}

// actionOfStep returns the decoded action of a step.
func actionOfStep(b []byte) *decodedAction {
	if a := templateActions[string(b)]; a != nil {
		return a
	}
	return decodeAction(b)
}

func decodeAction(b []byte) *decodedAction {
	a := &decodedAction{}
	if err := stepCodec.Decode(b, &a.stepAction); err != nil {
		panic("ooda: a plan holds a step that is no step: " + err.Error())
	}
	if row, ok := action.ByName(a.Action); ok && !strings.Contains(a.Params, "$") {
		if payload, err := row.FromJSON([]byte(a.Params), nil); err == nil {
			a.payload = payload
		}
	}
	return a
}

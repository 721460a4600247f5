package ooda

import (
	"bytes"
	"reflect"
	"testing"

	"kingdom/llm/scripted"
	"kingdom/wire"
	"kingdom/wire/action"
)

// The steps that agents share equal those that each of them would make.
func TestTemplates_SharedStepsEqualFreshlyMadeOnes(t *testing.T) {
	check := func(name string, m *template) {
		if len(m.steps) < 2 || len(m.steps) != len(m.names) {
			t.Errorf("%s: %d steps, %d names", name, len(m.steps), len(m.names))
		}
		for i := range m.steps {
			act := actionOfStep(m.steps[i].Action)
			if act != actionOfStep(m.steps[i].Action) {
				t.Errorf("%s %d: decoded twice", name, i)
			}
			if act.Action != m.names[i] || !bytes.Equal(stepCodec.Append(nil, &act.stepAction), m.steps[i].Action) {
				t.Errorf("%s %d: step %+v", name, i, act.stepAction)
			}
			row, ok := action.ByName(act.Action)
			if !ok || row.Ticks != m.steps[i].EstimatedTicks {
				t.Fatalf("%s %d: action %s", name, i, act.Action)
			}
			if bytes.ContainsRune([]byte(act.Params), '$') {
				if act.payload != nil {
					t.Errorf("%s %d: a payload for parameters with references", name, i)
				}
				continue
			}
			payload, err := row.FromJSON([]byte(act.Params), nil)
			if err != nil || !reflect.DeepEqual(payload, act.payload) {
				t.Errorf("%s %d: payload %+v, want %+v, %v", name, i, act.payload, payload, err)
			}
		}
	}
	for k, m := range templates {
		check(k.String(), m)
	}
	check("documents", documentSteps)
}

// A step that no template holds is decoded when it is needed.
func TestActionOfStep_StepOfMindIsDecodedOnDemand(t *testing.T) {
	b := stepCodec.Bytes(&stepAction{"entry_get", `{"entry_id":"$subject"}`})
	if a := actionOfStep(b); a.Action != "entry_get" || a.payload != nil {
		t.Errorf("%+v", a)
	}
}

// Payloads are shared by all agents and must not change.
func TestTemplates_SharedPayloadsAreNotModified(t *testing.T) {
	before := map[*decodedAction][]byte{}
	for _, a := range templateActions {
		if a.payload != nil {
			before[a] = wire.AppendBody(nil, a.payload, 0)
		}
	}
	v := newVillage(8, "shared")
	m := scripted.New(v.rules.WorldSeed, noKnobs)
	for c := wire.Cycle(1); c <= 4; c++ {
		v.cycle(t, m, c, 64)
	}
	for a, want := range before {
		if got := wire.AppendBody(nil, a.payload, 0); !bytes.Equal(got, want) {
			t.Errorf("%s %s became %x", a.Action, a.Params, got)
		}
	}
}

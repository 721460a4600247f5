package realm_test

import (
	"reflect"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// TestRecipients_IncludesEveryAgentFieldOfEvents goes through every event kind there is: whoever is
// in an agent-typed field or list gets the event. A new field fails here first.
func TestRecipients_IncludesEveryAgentFieldOfEvents(t *testing.T) {
	r := realm.New(worldtest.Rules(8))
	kinds := 0
	for k := wire.EventKind(1); k < 0xA000; k++ {
		payload := wire.NewEventPayload(k)
		if payload == nil {
			continue
		}
		kinds++
		var named []wire.AgentID
		v := reflect.ValueOf(payload).Elem()
		for i := range v.NumField() {
			id := wire.AgentID{0xEE, byte(i)}
			switch f := v.Field(i); f.Interface().(type) {
			case wire.AgentID:
				f.Set(reflect.ValueOf(id))
			case *wire.AgentID:
				f.Set(reflect.ValueOf(&id))
			case []wire.AgentID:
				f.Set(reflect.ValueOf([]wire.AgentID{id}))
			default:
				continue
			}
			named = append(named, id)
		}
		origin := wire.AgentID{0xDD}
		got := r.Recipients(&wire.Event{Kind: k, Origin: origin, Payload: payload})
		for _, a := range append(named, origin) {
			if !slices.Contains(got, a) {
				t.Errorf("%v: the agent in field %d is not told", k, a[1])
			}
		}
	}
	if kinds < 60 {
		t.Errorf("only %d kinds have payloads", kinds)
	}
}

package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// A goal of an operator is served by its domain, any other by its kind. If a domain names the plan of a kind, that kind
// has a plan.
func TestServed_OperatorGoalByItsDomain(t *testing.T) {
	for i := range action.Domain(0).EnumNames() {
		d := action.Domain(i + 1)
		g := goals.New(wire.AgentID{}, goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindOperator, Text: "x", Domain: d}, 1)
		plan, offers := served(&g)
		if len(offers) == 0 {
			t.Errorf("nothing serves a goal in %s", d)
		}
		if usual := d == goals.KindOperator.Domain(); usual != (plan == goals.KindOperator) {
			t.Errorf("a goal in %s has the plan of %s", d, plan)
		}
		if plan != 0 && templates[plan] == nil {
			t.Errorf("a goal in %s has the plan of %s, which has none", d, plan)
		}
		own := goals.New(wire.AgentID{}, goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindMentor, Domain: d}, 1)
		if plan, _ := served(&own); plan != goals.KindMentor {
			t.Errorf("a mentor's goal in %s has the plan of %s", d, plan)
		}
	}
}

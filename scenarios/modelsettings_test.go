package scenarios

import (
	"strings"
	"testing"
	"time"
)

// changing is a scenario with a model whose change in cycle 4 adds another model, and whose change in cycle 8 sets
// the persona.
const changing = "changes:\n" +
	"  - {cycle: 4, set: ['minds.models.large={endpoint: \"http://localhost:2/v1\", model: l}']}\n" +
	"  - {cycle: 8, set: ['population[0].persona=brave']}\n" + forkable

// Settings of a model that do not affect its answers hold in all phases, and leave the scenario that they were given to
// unchanged.
func TestWithModelSettings_HoldInAllPhases(t *testing.T) {
	s := must(Parse("x.yaml", []byte(changing)))(t)
	next, err := s.WithModelSettings("minds.models.small.endpoint=http://localhost:9/v1", "minds.models.small.timeout=7s")
	if err != nil {
		t.Fatal(err)
	}
	for _, cycle := range []uint64{1, 4, 8} {
		m := next.In(cycle).Model("small")
		if m.Endpoint != "http://localhost:9/v1" || m.Timeout != 7*time.Second || m.Model != "m" {
			t.Errorf("cycle %d: %+v", cycle, m)
		}
	}
	if next.In(4).Population[0].Persona != "" || next.In(8).Population[0].Persona != "brave" || next.In(3).Model("large") != nil || next.In(4).Model("large") == nil {
		t.Error("the changes no longer hold from their cycles on")
	}
	if got := s.Model("small").Endpoint; got != "http://localhost:1/v1" {
		t.Errorf("the scenario itself now has the endpoint %s", got)
	}
}

func TestWithModelSettings_Problems(t *testing.T) {
	for _, c := range []struct{ file, set, want string }{
		{changing, "minds.models.small.model=other", "--set minds.models.small.model=other: cannot change in a run that has begun; want minds.models.NAME and one of endpoint, insecure, "},
		{changing, "minds.blind=[peers]", "--set minds.blind=[peers]: cannot change in a run that has begun; want "},
		{changing, "minds.models.huge.timeout=1s", "--set minds.models.huge.timeout=1s: names a model that the run does not use; want one of large, small"},
		{changing, "minds.models.small.timeout=1h", `--set minds.models.small.timeout=1h: minds.models.small.timeout: is the text "1h"; want a duration `},
		{minimal, "minds.models.small.timeout=1s", "--set minds.models.small.timeout=1s: names a model, but the run uses none; leave it out; "},
	} {
		s := must(Parse("x.yaml", []byte(c.file)))(t)
		if _, err := s.WithModelSettings(c.set); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

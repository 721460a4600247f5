package scenarios

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"kingdom/llm/adversary"
)

func TestAdversaries_Problems(t *testing.T) {
	for _, x := range []struct{ keys, says string }{
		{"adversary: sqatter", `f.yaml:2:42: population[0].adversary: names the strategy "sqatter", which does not exist; did you mean squatter?`},
		{"adversary: saint", `names the strategy "saint", which does not exist; did you mean bait? want one of gap-pump, veto`},
		{"accomplices: ring", "population[0].accomplices: names a coalition, but these agents are not adversaries"},
		{"adversary: veto, mind: scripted", "population[0].mind: cannot be combined with adversary"},
		{"adversary: 3", "population[0].adversary: is 3; want text"},
	} {
		_, err := Parse("f.yaml", []byte("name: x\npopulation: [{role: EXPLORER, "+x.keys+"}]\n"))
		if err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: got %v\nwant %q", x.keys, err, x.says)
		}
	}
}

func TestCoalitions(t *testing.T) {
	s, err := Parse("f.yaml", []byte(`
name: x
population:
  - {role: EXPLORER, count: 2}
  - {role: EXPLORER, count: 2, adversary: veto}
  - {role: EXPLORER, adversary: squatter, accomplices: ring}
  - {role: EXPLORER}
  - {role: EXPLORER, count: 2, adversary: vandal, accomplices: ring}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]uint64{nil, {3, 4}, {5, 7, 8}, nil, {5, 7, 8}}
	if got := s.Coalitions(); !reflect.DeepEqual(got, want) {
		t.Errorf("coalitions %v, want %v", got, want)
	}
}

// An adversary changes the digest of a scenario, and no model thinks for it.
func TestAdversaries_UseNoModelAndChangeTheDigest(t *testing.T) {
	text := strings.Replace(withModels, "population:\n", "population:\n  - {role: EXPLORER, adversary: veto}\n", 1)
	s, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	honest, err := Parse("f.yaml", []byte(strings.Replace(text, ", adversary: veto", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if s.Digest() == honest.Digest() {
		t.Error("an adversary does not show in the digest")
	}
	if m := s.ModelsOf(&s.Population[0]); m[0] != nil {
		t.Errorf("an adversary is asked of %v", m)
	}
	if m := honest.ModelsOf(&honest.Population[0]); m[0] == nil {
		t.Error("without adversary no model thinks; the test shows nothing")
	}
}

// The scenarios that come with the program have every strategy but page-hoarder, which needs an outside to ask.
func TestAdversariesScenarios_HaveAllStrategies(t *testing.T) {
	var got []string
	for name, agents := range map[string]uint64{"adversaries": 16, "adversaries-code": 20, "adversaries-all": 36, "adversaries-market": 29} {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Population {
			if name := s.Population[i].Adversary; name != "" {
				got = append(got, name)
			}
		}
		if s.Agents() != agents {
			t.Errorf("%s has %d agents, want %d", name, s.Agents(), agents)
		}
	}
	want := slices.DeleteFunc(adversary.Names(), func(name string) bool { return name == "page-hoarder" })
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the strategies %v, want %v", got, want)
	}
}

package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world/oracle"
)

// TestGenomes_Epoch0 holds the eight first agents of docs/WORLD.md.
func TestGenomes_Epoch0(t *testing.T) {
	g := func(r wire.Role, risk, collab, depth, quality float32) wire.Genome {
		return wire.Genome{Role: r, Traits: wire.Traits{RiskTolerance: risk, Collaboration: collab, DepthVsBreadth: depth, QualityVsSpeed: quality}, KnowledgeSeeds: []wire.Hash{oracle.EntryZero}}
	}
	want := []wire.Genome{
		g(wire.RoleCompilerSmith, 0.3, 0.5, 0.2, 0.2),
		g(wire.RoleCompilerSmith, 0.7, 0.3, 0.3, 0.6),
		g(wire.RoleLibrarian, 0.4, 0.7, 0.5, 0.3),
		g(wire.RoleLibrarian, 0.5, 0.6, 0.8, 0.4),
		g(wire.RoleArchitect, 0.3, 0.8, 0.4, 0.1),
		g(wire.RoleExplorer, 0.9, 0.4, 0.7, 0.7),
		g(wire.RoleGeneralist, 0.5, 0.5, 0.5, 0.5),
		g(wire.RoleGeneralist, 0.6, 0.6, 0.6, 0.4),
	}
	s := must(Load("epoch0"))(t)
	for _, seed := range []string{"42", "43"} {
		if d := cmp.Diff(want, s.Genomes(wire.WorldSeed(seed))); d != "" {
			t.Errorf("seed %s (-want +got):\n%s", seed, d)
		}
	}
}

// TestGenomes_Village pins drawn traits: they are part of what a seed decides.
func TestGenomes_Village(t *testing.T) {
	s := must(Load("village"))(t)
	g := s.Genomes(s.WorldSeed())
	if len(g) != 64 {
		t.Fatalf("%d genomes, want 64", len(g))
	}
	roles := map[wire.Role]int{}
	for _, x := range g {
		roles[x.Role]++
		for _, v := range []float32{x.Traits.RiskTolerance, x.Traits.Collaboration, x.Traits.DepthVsBreadth, x.Traits.QualityVsSpeed} {
			if k := float64(v) * (1 << 20); v < 0 || v > 1 || k != math.Floor(k) {
				t.Errorf("trait %v is not a multiple of 1/2^20 in [0,1]", v)
			}
		}
	}
	want := map[wire.Role]int{wire.RoleCompilerSmith: 13, wire.RoleLibrarian: 16, wire.RoleArchitect: 10, wire.RoleExplorer: 10, wire.RoleGeneralist: 15}
	if d := cmp.Diff(want, roles); d != "" {
		t.Errorf("roles (-want +got):\n%s", d)
	}
	for i, want := range map[int]string{
		0:  "COMPILER_SMITH {0.39747334 0.6245756 0.35726357 0.5402746}",
		1:  "COMPILER_SMITH {0.16435432 0.56821537 0.13040352 0.16835976}",
		63: "GENERALIST {0.11821556 0.7419958 0.93043613 0.5293522}",
	} {
		if got := fmt.Sprint(g[i].Role, " ", g[i].Traits); got != want {
			t.Errorf("genome %d = %s, want %s", i, got, want)
		}
	}
	if cmp.Equal(g, s.Genomes(wire.WorldSeed("43"))) {
		t.Error("seeds 42 and 43 give the same village")
	}
}

// TestGenomes_TraitChangeAffectsNoOther: another distribution of one trait of one group leaves
// all other numbers alone.
func TestGenomes_TraitChangeAffectsNoOther(t *testing.T) {
	s := must(Load("village"))(t)
	before := s.Genomes(s.WorldSeed())
	if err := s.Override("population[1].traits.collaboration={dist: beta, alpha: 1, beta: 9}"); err != nil {
		t.Fatal(err)
	}
	after := s.Genomes(s.WorldSeed())
	moved := 0
	for i := range after {
		if after[i].Traits.Collaboration != before[i].Traits.Collaboration {
			moved++
			after[i].Traits.Collaboration = before[i].Traits.Collaboration
		}
	}
	if moved == 0 || moved > 16 || !cmp.Equal(before, after) {
		t.Errorf("%d collaborations moved (want 1 to 16), others equal: %v", moved, cmp.Equal(before, after))
	}
}

// TestTrait_Moments compares mean and deviation of 20,000 draws with the formulas
// of each distribution.
func TestTrait_Moments(t *testing.T) {
	for _, c := range []struct {
		trait    string
		mean, sd float64
	}{
		{"0.3", 0.3, 0},
		{"{dist: uniform, min: 0.2, max: 0.8}", 0.5, 0.6 / math.Sqrt(12)},
		{"{dist: normal, mean: 0.5, sd: 0.1}", 0.5, 0.1},
		{"{dist: beta, alpha: 2, beta: 5}", 2.0 / 7, math.Sqrt(10.0 / (49 * 8))},
		{"{dist: beta, alpha: 1, beta: 1, min: 0.5}", 0.75, 0.5 / math.Sqrt(12)},
		{"{dist: normal, mean: 1, sd: 1, min: 0.9, max: 0.9}", 0.9, 0},
	} {
		s := must(Parse("f", []byte(trait(c.trait))))(t)
		s.Population[0].Count = 20000
		var sum, squares float64
		for _, g := range s.Genomes(s.WorldSeed()) {
			v := float64(g.Traits.RiskTolerance)
			sum, squares = sum+v, squares+v*v
		}
		mean := sum / 20000
		sd := math.Sqrt(max(squares/20000-mean*mean, 0))
		if math.Abs(mean-c.mean) > 0.005 || math.Abs(sd-c.sd) > 0.005 {
			t.Errorf("%s: mean %.4f, sd %.4f; want %.4f, %.4f", c.trait, mean, sd, c.mean, c.sd)
		}
	}
}

// Newcomers have genomes of their own streams: those of one input do not depend on what another draws, and the initial
// population does not depend on them.
func TestNewcomers_OwnStreams(t *testing.T) {
	const text = "name: w\ncycles: 2\nspawn: {cap: 9}\npopulation: [{role: EXPLORER, count: 2, traits: {collaboration: {dist: uniform}}}]\ninputs:\n" +
		"  - {cycle: 1, do: spawn, role: LIBRARIAN, count: 2, traits: {collaboration: {dist: uniform}}}\n" +
		"  - {cycle: 2, do: spawn, traits: {risk_tolerance: 0.9}}\n"
	s, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	seed := s.WorldSeed()
	first, news := s.Genomes(seed), s.Newcomers(seed)
	if len(news) != 2 || len(news[0]) != 2 || len(news[1]) != 1 {
		t.Fatalf("newcomers %v", news)
	}
	if g := news[1][0]; g.Role != wire.RoleGeneralist || g.Traits.RiskTolerance != 0.9 || g.Traits.Collaboration != 0.5 {
		t.Errorf("the last newcomer is %+v", g)
	}
	drawn := map[float32]bool{}
	for _, g := range append(first, news[0]...) {
		drawn[g.Traits.Collaboration] = true
	}
	if len(drawn) != 4 || news[0][0].Role != wire.RoleLibrarian {
		t.Errorf("four agents draw %v", drawn)
	}
	s.Inputs[0].Traits.Collaboration = Trait{Dist: DistFixed, Value: 0.1}
	if diff := cmp.Diff(first, s.Genomes(seed)); diff != "" {
		t.Errorf("the initial population differs:\n%s", diff)
	}
}

// Whoever chooses what thinks for newcomers is not warned that the scripted mind does, but of a persona that nobody reads.
func TestNewcomers_WithMindAndPersona(t *testing.T) {
	const text = "name: w\ncycles: 2\nspawn: {cap: 9}\npopulation: [{role: EXPLORER, name: anna}, {role: EXPLORER}]\ninputs: [{cycle: 1, do: spawn, %s}]\n" +
		"minds: {models: {m: {endpoint: 'http://127.0.0.1:1/v1', model: x}}}\n"
	for given, want := range map[string]string{
		"mind: m":                        "",
		"mind: m, persona: You doubt.":   "",
		"mind: scripted, persona: Doubt": `inputs[0].persona: is read by no model; name a model as the mind of the newcomers, or leave the persona out`,
		"mind: n":                        `inputs[0].mind: names the model "n", which does not exist`,
		"name: anna":                     `inputs[0].name: is the text "anna" as population[0].name does`,
		"name: 12345678":                 `inputs[0].name`,
		"name: twins, count: 2":          `minds.models.m: is asked by no agent`,
	} {
		s, err := Parse("f.yaml", fmt.Appendf(nil, text, given))
		var said []string
		if err != nil {
			said = append(said, err.Error())
		} else {
			for _, p := range s.Warnings() {
				said = append(said, p.String())
			}
		}
		if all := strings.Join(said, "\n"); want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("%s: said %q; want %q", given, all, want)
		}
	}
	_, err := Parse("f.yaml", []byte("name: w\npopulation: [{role: EXPLORER}]\ninputs: [{cycle: 1, do: spawn, name: zoe}, {cycle: 2, do: wake, agent: zoe}]\n"))
	if want := `inputs[1].agent: is the text "zoe", which inputs[0] gives to agents that do not exist when the run begins; want a name of population`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("an input for a newcomer: %v; want %s", err, want)
	}
	s, err := Parse("f.yaml", []byte("name: w\npopulation: [{role: EXPLORER}]\ninputs: [{cycle: 1, do: spawn, name: twins, count: 2}, {cycle: 2, do: spawn, name: zoe}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Inputs[0].NameOf(2) + " " + s.Inputs[1].NameOf(1); got != "twins-2 zoe" {
		t.Errorf("newcomers are named %s; want twins-2 zoe", got)
	}
}

// Where models think, whoever plans newcomers is told if none thinks for them.
func TestNewcomers_WarnsThatNoModelThinksForThem(t *testing.T) {
	const text = "name: w\ncycles: 2\nspawn: {cap: 9}\npopulation: [{role: EXPLORER, mind: %s}, {role: EXPLORER, mind: scripted}]\ninputs: [{cycle: 1, do: spawn}]\n" +
		"minds: {%s models: {m: {endpoint: 'http://127.0.0.1:1/v1', model: x}}}\n"
	for _, c := range []struct {
		mind, tiers string
		want        bool
	}{{"m", "", true}, {"scripted", "", false}, {"m", "tiers: {1: [m], 2: [m], 3: [m]},", false}, {"scripted", "tiers: {1: [m], 2: [m], 3: [m]},", false}} {
		s, err := Parse("f.yaml", fmt.Appendf(nil, text, c.mind, c.tiers))
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(s.Warnings(), func(p Problem) bool {
			return p.Field == "inputs[0].do" && p.Wrong == "spawns agents for which the scripted mind thinks"
		})
		if told != c.want {
			t.Errorf("mind %s, %s: warned %v, want %v: %v", c.mind, c.tiers, told, c.want, s.Warnings())
		}
	}
}

package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each path can be set, and a list of them completes --set: items of lists, entries of mappings by name, and keys that
// the distribution of a trait reads.
func TestPaths(t *testing.T) {
	got := must(Parse("f.yaml", []byte(withModels)))(t).Paths()
	if d := cmp.Diff([]string{"seed", "cycles", "name", "description", "time.ticks_per_cycle"}, got[:5]); d != "" {
		t.Errorf("first paths (-want +got):\n%s", d)
	}
	for path, want := range map[string]int{
		"seed": 1, "cycles": 1, "population[0].count": 1, "population[2].mind": 1, "population[3].mind": 0, "population": 0,
		"population[0].traits.risk_tolerance.dist": 1, "population[0].traits.risk_tolerance.value": 1, "population[0].traits.risk_tolerance.min": 0,
		"minds.models.small.extra": 1, "minds.models.big.seed": 1, "minds.models": 0, "minds.tiers.1[1]": 1, "minds.tiers.1": 0,
		"minds.blind": 1, "inputs": 1, "minds.caps.model_usd": 1, "auto_spawn": 1,
	} {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(p string) bool { return p != path })); n != want {
			t.Errorf("%s is listed %d times, want %d", path, n, want)
		}
	}
	if got := must(Parse("f.yaml", []byte(minimal)))(t).Paths(); !slices.Contains(got, "minds.models") {
		t.Error("without models, minds.models is not listed")
	}
}

// A path that is listed is one that --set knows: a value of the wrong form is the only problem.
func TestPaths_AreKnownToOverride(t *testing.T) {
	s := must(Parse("f.yaml", []byte(withModels)))(t)
	for _, path := range s.Paths() {
		if path == "seed" {
			continue // any text is a seed
		}
		if err := s.Override(path + "=[[]]"); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "unknown key") || strings.Contains(err.Error(), "has no") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestValues(t *testing.T) {
	v := must(Load("epoch0"))(t).Values()
	if v["name"] != "epoch0" || v["cycles"] != 50 || len(v["population"].([]any)) != 8 {
		t.Errorf("name %v, cycles %v, population %v", v["name"], v["cycles"], v["population"])
	}
}

// A choice is printed as it is written in a file.
func TestChoices_ArePrintedByName(t *testing.T) {
	for _, c := range []struct {
		choice fmt.Stringer
		want   string
	}{
		{GatesDefault, "default"},
		{SignaturesEager, "eager"},
		{TablesEnd, "end"},
		{LogFormCompressed, "compressed"},
		{OnOutagePause, "pause"},
		{DistFixed, "fixed"},
		{SpreadNone, "none"},
		{PaceVirtual, "virtual"},
		{SourceOracle, "oracle"},
		{DoWake, "wake"},
		{LayerAspiration, "aspiration"},
		{GoalOperator, "operator"},
		{DomainUsual, "usual"},
		{OutputSchema, "json_schema"},
		{FetcherOffline, "offline"},
		{UnlistedBlock, "block"},
	} {
		if got := c.choice.String(); got != c.want {
			t.Errorf("%T %q is printed as %q", c.choice, c.want, got)
		}
	}
}

func TestWrong_NamesThePlace(t *testing.T) {
	s := must(Parse("f.yaml", []byte(minimal+"portal:\n  fetcher: recorded\n  recordings: gone\n")))(t)
	for path, want := range map[string]string{
		"portal.recordings": "f.yaml:5:15: portal.recordings: does not exist; want a directory",
		"portal.private":    "f.yaml:4:3: portal.private: does not exist; want a directory", // the mapping that it would be in
	} {
		if err := s.Wrong(path, "does not exist", "want a directory"); err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// Texts that YAML 1.1 takes for booleans are quoted, so that other programs read the same.
func TestShow_QuotesWhatOthersTakeForBooleans(t *testing.T) {
	for _, word := range []string{"yes", "NO", "on", "off", "y"} {
		s := must(Parse("f.yaml", []byte("name: x\npopulation: [{role: EXPLORER, persona: \""+word+"\"}]\n")))(t)
		if text := string(s.Show()); !strings.Contains(text, `persona: "`+word+`"`) || must(Parse("f.yaml", []byte(text)))(t).Digest() != s.Digest() {
			t.Errorf("%s is shown in\n%s", word, text)
		}
	}
}

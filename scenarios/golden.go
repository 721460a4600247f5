package scenarios

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Golden is one history with the world hash it must end in: a line of
// scenarios/golden.yaml.
type Golden struct {
	Scenario  string   `yaml:"scenario"` // name or path
	Seed      string   `yaml:"seed"`
	Cycles    uint64   `yaml:"cycles"`
	Set       []string `yaml:"set,omitempty"` // overrides, path=value
	WorldHash string   `yaml:"world_hash"`    // 64 hex digits; empty before the first --update
}

var hexHash = regexp.MustCompile(`^([0-9a-f]{64})?$`)

// LoadGolden reads a list of histories.
func LoadGolden(path string) ([]Golden, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read golden file: %w", err)
	}
	var list []Golden
	if err := yaml.Load(b, &list, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("read golden file %s: %w; want a list of {scenario, seed, cycles, set?, world_hash}", path, err)
	}
	for i, g := range list {
		switch {
		case g.Scenario == "":
			return nil, fmt.Errorf("%s entry %d: scenario is missing; name a scenario or a file", path, i+1)
		case g.Seed == "":
			return nil, fmt.Errorf("%s entry %d: seed is missing", path, i+1)
		case g.Cycles == 0:
			return nil, fmt.Errorf("%s entry %d: cycles is missing or 0; give the number of cycles to run", path, i+1)
		case !hexHash.MatchString(g.WorldHash):
			return nil, fmt.Errorf("%s entry %d: world_hash %q is not 64 hex digits; kingdom verify --update writes it", path, i+1, g.WorldHash)
		}
	}
	return list, nil
}

// FormatGolden writes the list as it is committed.
func FormatGolden(list []Golden) []byte {
	var b bytes.Buffer
	b.WriteString("# Histories and the world hashes they must end in: kingdom verify scenarios/golden.yaml.\n" +
		"# A change that moves one bumps the physics version and says why (docs/DETERMINISM.md).\n")
	for _, g := range list {
		fmt.Fprintf(&b, "- scenario: %s\n  seed: %q\n  cycles: %d\n", g.Scenario, g.Seed, g.Cycles)
		if len(g.Set) > 0 {
			quoted := make([]string, len(g.Set))
			for i, s := range g.Set {
				quoted[i] = fmt.Sprintf("%q", s)
			}
			fmt.Fprintf(&b, "  set: [%s]\n", strings.Join(quoted, ", "))
		}
		fmt.Fprintf(&b, "  world_hash: %q\n", g.WorldHash)
	}
	return b.Bytes()
}

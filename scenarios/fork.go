package scenarios

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"kingdom/llm"
)

// Keys of the scenario that a fork adds to.
const (
	changesKey = "changes"
	inputsKey  = "inputs"
	cyclesKey  = "cycles"
)

// Fork says from which cycle on a run differs from its parent, and how.
type Fork struct {
	At     uint64   // last cycle that both runs have in common
	Set    []string // what is different afterwards, each path=value as Override has it
	Inputs []string // inputs from outside after At, each a mapping in YAML
	Cycles uint64   // last cycle of the fork; 0: that of the scenario
	Epoch  uint64   // of the world at the end of At, for warnings
}

// Fork returns the scenario of a run that has everything up to cycle f.At in common with a run of s, and then differs
// by f. It is an error if a change or an input of f affects the common cycles, or if the resulting scenario is
// invalid.
func (s *Scenario) Fork(f *Fork) (*Scenario, error) {
	root := clone(s.root, map[*yaml.Node]*yaml.Node{}, s.files)
	if f.Cycles != 0 {
		if p := assign(root, fmt.Sprintf("%s=%d", cyclesKey, f.Cycles)); p != nil {
			return nil, &Error{Problems: []Problem{*p}}
		}
	}
	for _, text := range f.Inputs {
		if wrong, right := unreadableArgument(text); wrong != "" {
			return nil, oneProblem("--input "+strings.ToValidUTF8(text, "\uFFFD"), wrong, right)
		}
		n, err := parseValue(text)
		if err != nil || n.Kind != yaml.MappingNode {
			return nil, oneProblem("--input "+text, "is not a YAML mapping", "want one such as {cycle: 12, do: grant, agent: 3, amount: 50}; docs/SCENARIOS.md has the keys of inputs")
		}
		if c, ok := cycleOf(n); ok && c <= f.At {
			return nil, oneProblem("--input "+text, fmt.Sprintf("is for cycle %d, which both runs have in common", c), fmt.Sprintf("want a cycle from %d on", f.At+1))
		} else if last := cmp.Or(f.Cycles, s.Cycles); ok && c > last {
			return nil, oneProblem("--input "+text, fmt.Sprintf("is for cycle %d, after the last cycle, %d", c, last), fmt.Sprintf("want an earlier cycle, or --cycles %d", c))
		}
		root.files.markSet(n, "--input "+text)
		list := sequence(root.node, inputsKey)
		list.Content = append(list.Content, n)
	}
	if len(f.Set) > 0 {
		sets, err := s.inlineTemplates(f)
		if err != nil {
			return nil, err
		}
		addChange(sequence(root.node, changesKey), f.At+1, sets)
	}
	return decodeIn(root.node, root.files, f.Epoch)
}

func oneProblem(file, wrong, right string) error {
	return &Error{Problems: []Problem{{File: file, Wrong: wrong, Right: right}}}
}

// inlineTemplates returns the assignments of a fork with the text of a template in the place of its
// file. Each is tried on the scenario after the fork, so that an error names the assignment.
func (s *Scenario) inlineTemplates(f *Fork) ([]string, error) {
	holds := s.In(f.At + 1)
	root := clone(holds.root, map[*yaml.Node]*yaml.Node{}, holds.files)
	remove(root.node, changesKey)
	after, err := holds.withAssignments(root, f.Set)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(f.Set)
	for i, set := range out {
		path, value, _ := strings.Cut(set, "=")
		if !changeable.MatchString(path) {
			if path == "minds.caps.run_usd" {
				return nil, oneProblem("--set "+set, "is the cap of a whole run, and a fork is a run of its own", "want --budget")
			}
			return nil, oneProblem("--set "+set, "cannot change while a run goes on", "want a path under minds.scripted, minds.models, minds.tiers, minds.blind or prompts, or mind or persona of a group; what the world keeps is changed by --input (do: param, grant, take, goal …)")
		}
		if n, err := parseValue(value); err != nil || n.Value == "" || isTemplate(n.Value) {
			continue
		}
		for k, text := range after.Prompts.all() {
			if path == "prompts."+llm.SectionKind(k+1).String() {
				quoted, err := json.Marshal(*text)
				if err != nil {
					return nil, fmt.Errorf("write %s: %w", path, err)
				}
				out[i] = path + "=" + string(quoted)
			}
		}
	}
	return out, nil
}

// sequence returns the list under a key of a mapping, and creates it if it is missing.
func sequence(root *yaml.Node, key string) *yaml.Node {
	slot := valueSlot(root, key)
	if *slot == nil || resolve(*slot).Kind != yaml.SequenceNode {
		*slot = &yaml.Node{Kind: yaml.SequenceNode}
	}
	return resolve(*slot)
}

// addChange adds what is set from a cycle on to a list of changes.
func addChange(list *yaml.Node, cycle uint64, sets []string) {
	i := slices.IndexFunc(list.Content, func(c *yaml.Node) bool {
		at, ok := cycleOf(resolve(c))
		return ok && at == cycle
	})
	if i < 0 {
		at := &yaml.Node{Kind: yaml.MappingNode}
		*valueSlot(at, "cycle") = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatUint(cycle, 10)}
		i = slices.IndexFunc(list.Content, func(c *yaml.Node) bool {
			at, ok := cycleOf(resolve(c))
			return ok && at > cycle
		})
		if i < 0 {
			i = len(list.Content)
		}
		list.Content = slices.Insert(list.Content, i, at)
	}
	to := sequence(resolve(list.Content[i]), "set")
	for _, set := range sets {
		n := new(yaml.Node)
		n.SetString(set)
		to.Content = append(to.Content, n)
	}
}

// cycleOf reads the cycle of a change or an input; ok is false if it has none that is a number.
func cycleOf(n *yaml.Node) (cycle uint64, ok bool) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "cycle" {
			c, err := strconv.ParseUint(resolve(n.Content[i+1]).Value, 10, 64)
			return c, err == nil
		}
	}
	return 0, false
}

package scenarios

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"kingdom/wire"
)

// OutsideInput is an input that comes while a run goes on. It concerns one agent at most.
type OutsideInput struct {
	Cycle uint64 // at whose first tick it takes effect
	Text  string // an item of inputs in one line of YAML, without the cycle
}

// YAML returns the input as an item of inputs, in one line.
func (o OutsideInput) YAML() string {
	return fmt.Sprintf("{cycle: %d, %s", o.Cycle, strings.TrimPrefix(o.Text, "{"))
}

// TheRun stands in messages about inputs of a run that has begun for its directory, which only the caller knows.
const TheRun = "RUN"

// OutsideInputs checks inputs for a run of s that has begun. Each text is a mapping in YAML in the form of an item of
// inputs. Its cycle is one from first to last; one that has none is for cycle first. An agent may be named by its alias
// too. An input for a group becomes one for each member. They are returned in the order in which they take effect, and as
// the inputs of a scenario that has no others.
func (s *Scenario) OutsideInputs(texts []string, first, last uint64) (only *Scenario, list []OutsideInput, err error) {
	items := make([]*yaml.Node, len(texts))
	for i, text := range texts {
		if items[i], err = s.outsideItem(text, first, last); err != nil {
			return nil, nil, err
		}
	}
	if only, err = s.withInputs(nil, items, texts, last); err != nil {
		return nil, nil, err
	}
	var each []*yaml.Node
	var labels []string
	for i := range only.Inputs {
		in := &only.Inputs[i]
		if in.Do == DoSpawn {
			text, err := oneLine(items[i], "")
			if err != nil {
				return nil, nil, err
			}
			return nil, nil, oneProblem(texts[i], "is for a run that has begun, and genomes of newcomers are drawn in the order of the scenario's inputs",
				fmt.Sprintf("put it into inputs of the scenario, or into a fork: kingdom fork %s --at %d --input %q", TheRun, in.Cycle-1, text))
		}
		numbers := only.AgentsNamed(in.Agent)
		if in.Agent == "" {
			numbers = []uint64{0} // it concerns no agent
		}
		for _, n := range numbers {
			item := *items[i]
			item.Content = slices.Clone(item.Content)
			if n > 0 {
				*valueSlot(&item, "agent") = wholeNode(n)
			}
			each, labels = append(each, &item), append(labels, texts[i])
		}
	}
	slices.SortStableFunc(each, func(a, b *yaml.Node) int {
		x, _ := cycleOf(a)
		y, _ := cycleOf(b)
		return cmp.Compare(x, y)
	})
	for _, item := range each {
		cycle, _ := cycleOf(item)
		text, err := oneLine(item, "cycle")
		if err != nil {
			return nil, nil, err
		}
		list = append(list, OutsideInput{cycle, text})
	}
	only, err = s.withInputs(nil, each, labels, last)
	return only, list, err
}

// outsideItem parses the text of an input and gives it a cycle.
func (s *Scenario) outsideItem(text string, first, last uint64) (*yaml.Node, error) {
	n, err := parseValue(text)
	if err != nil || n.Kind != yaml.MappingNode {
		return nil, oneProblem(text, "is not a YAML mapping", "want one such as {do: wake, agent: 3}; docs/SCENARIOS.md has the keys of inputs")
	}
	c, ok := cycleOf(n)
	switch {
	case ok && c < first:
		return nil, oneProblem(text, fmt.Sprintf("is for cycle %d, which has begun", c), fmt.Sprintf("want a cycle from %d on, or none for the next", first))
	case ok && c > last:
		return nil, oneProblem(text, fmt.Sprintf("is for cycle %d, and the run ends with cycle %d", c, last), fmt.Sprintf("want a cycle from %d to %d, or none for the next", first, last))
	case !ok && !hasKey(n, "cycle"):
		n.Content = append([]*yaml.Node{keyScalar("cycle"), wholeNode(first)}, n.Content...)
	}
	if hasKey(n, "agent") {
		agent := valueSlot(n, "agent")
		if k := s.agentWithAlias(resolve(*agent).Value); k > 0 {
			*agent = wholeNode(k)
		}
	}
	return n, nil
}

// agentWithAlias returns the number of the agent of the initial population with an alias; 0 if there is none.
func (s *Scenario) agentWithAlias(alias string) uint64 {
	if len(alias) != 8 {
		return 0
	}
	seed := s.WorldSeed()
	for n := range s.Agents() {
		if wire.AgentIDAt(seed, n+1).Alias() == alias {
			return n + 1
		}
	}
	return 0
}

// WithInputs returns the scenario of a run that has further inputs, such as came from outside while a run of s went on.
func (s *Scenario) WithInputs(more []OutsideInput) (*Scenario, error) {
	var items []*yaml.Node
	var labels []string
	last := s.Cycles
	for _, in := range more {
		n, err := parseValue(in.YAML())
		if err != nil {
			return nil, fmt.Errorf("read input %s: %w", in.YAML(), err)
		}
		items, labels, last = append(items, n), append(labels, in.YAML()), max(last, in.Cycle)
	}
	had := clone(s.root, map[*yaml.Node]*yaml.Node{}, s.files)
	return s.withInputs(slices.Clone(sequence(had.node, inputsKey).Content), items, labels, last)
}

// withInputs returns the scenario with other inputs: those that it had, and new ones, whose problems name the labels. It
// ends with cycle last.
func (s *Scenario) withInputs(had, added []*yaml.Node, labels []string, last uint64) (*Scenario, error) {
	root := clone(s.root, map[*yaml.Node]*yaml.Node{}, s.files)
	if p := assign(root, fmt.Sprintf("%s=%d", cyclesKey, last)); p != nil {
		return nil, &Error{Problems: []Problem{*p}}
	}
	for i, n := range added {
		root.files.markSet(n, labels[i])
	}
	*valueSlot(root.node, inputsKey) = &yaml.Node{Kind: yaml.SequenceNode, Content: append(had, added...)}
	return decode(root.node, root.files)
}

// InputsFile returns inputs as the content of a file, a list in YAML with one input per line.
func InputsFile(list []OutsideInput) []byte {
	var b bytes.Buffer
	for _, in := range list {
		fmt.Fprintf(&b, "- %s\n", in.YAML())
	}
	return b.Bytes()
}

// InputTexts returns the texts of the inputs in a file of [InputsFile], as [Scenario.OutsideInputs] takes them.
func InputTexts(file []byte) (texts []string, err error) {
	n, err := parseValue(string(file))
	if err != nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, oneProblem("the file", "is not a YAML list of inputs", "want items such as - {cycle: 12, do: wake, agent: 3}")
	}
	for _, item := range n.Content {
		text, err := oneLine(resolve(item), "")
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// oneLine writes a mapping as one line of YAML, without one of its keys.
func oneLine(n *yaml.Node, without string) (string, error) {
	plain := plainCopy(n)
	plain.Style = yaml.FlowStyle
	for i := 0; i+1 < len(plain.Content); i += 2 {
		if without != "" && plain.Content[i].Value == without {
			plain.Content = slices.Delete(plain.Content, i, i+2)
			break
		}
	}
	var b bytes.Buffer
	d, err := yaml.NewDumper(&b, yaml.WithLineWidth(-1))
	if err == nil {
		err = d.Dump(plain)
	}
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		return "", fmt.Errorf("write an input: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}

// plainCopy returns a copy of a tree without comments, anchors and line breaks.
func plainCopy(n *yaml.Node) *yaml.Node {
	n = resolve(n)
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ (yaml.LiteralStyle | yaml.FoldedStyle)}
	if strings.Contains(n.Value, "\n") {
		c.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, plainCopy(child))
	}
	return c
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func wholeNode(n uint64) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatUint(n, 10)}
}

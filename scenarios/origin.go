package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// origins has the places where the nodes of a tree were written.
type origins struct {
	file string
	sets map[*yaml.Node]string // nodes that came from an override
}

// position returns the file and position of a node; no position for overrides and
// for the file as a whole.
func (o *origins) position(n *yaml.Node) (file string, line, column int) {
	if n == nil {
		return o.file, 0, 0
	}
	if set, ok := o.sets[n]; ok {
		return set, 0, 0
	}
	return o.file, n.Line, n.Column
}

// markSet marks n and all below it as written by an override.
func (o *origins) markSet(n *yaml.Node, set string) {
	o.sets[n] = set
	for _, c := range n.Content {
		o.markSet(c, set)
	}
}

// copyOf returns a copy of n with its own list of children and the same origin.
func (o *origins) copyOf(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = slices.Clone(n.Content)
	if set, ok := o.sets[n]; ok {
		o.sets[&c] = set
	}
	return &c
}

// howToQuote says, to follow a message, how a value of --set is taken as text; "" for a value of a file.
func (o *origins) howToQuote(n *yaml.Node) string {
	if set, _, _ := o.position(n); strings.HasPrefix(set, "--set ") {
		return "; " + quoteText
	}
	return ""
}

// lineOfFirst says in which line the first of two equal things is, for the end of a message; "" if n is in no line.
func (o *origins) lineOfFirst(n *yaml.Node) string {
	_, line, _ := o.position(n)
	if line == 0 {
		return "" // it came from the command line
	}
	return fmt.Sprintf("; the first is in line %d", line)
}

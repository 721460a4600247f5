package scenarios

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// findings collects what is wrong with a scenario, and knows where its values stand. First come the problems of single
// values; what is found after them may depend on values that are wrong, and must ask whether these are valid.
type findings struct {
	files         *origins
	nodes         map[string]*yaml.Node // node of a value, by path
	problems      []Problem
	localProblems int // how many of them, the first ones, concern a single value

	skipped bool // a value that names an agent or a model was not checked, since what there is to name is not known
}

// fail notes a problem at n.
func (d *findings) fail(n *yaml.Node, path, wrong, right string) {
	p := Problem{Field: path, Wrong: wrong, Right: right}
	p.File, p.Line, p.Column = d.files.position(n)
	d.problems = append(d.problems, p)
}

// at returns the node of a path, or of the nearest mapping above it that exists.
func (d *findings) at(path string) *yaml.Node { return nearest(d.nodes, path) }

// nearest returns the node of a path, or of the nearest mapping above it that exists.
func nearest(nodes map[string]*yaml.Node, path string) *yaml.Node {
	for {
		if n := nodes[path]; n != nil || path == "" {
			return n
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
}

// valid reports whether no value at a path, below it or above it was found wrong by itself.
func (d *findings) valid(path string) bool {
	return !slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool { return within(p.Field, path) || within(path, p.Field) })
}

// misspelled reports whether a mapping has an unknown key, so that another key may only seem to be missing.
func (d *findings) misspelled(path string) bool {
	return slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool {
		return p.Wrong == unknownKey && p.Field[:max(strings.LastIndexByte(p.Field, '.'), 0)] == path
	})
}

// missing refuses the lack of a key that other values ask for, or its value if that says nothing, unless the key may only be misspelled.
func (d *findings) missing(path, right string) {
	if mapping := path[:strings.LastIndexByte(path, '.')]; !d.valid(path) || d.misspelled(mapping) {
		return
	}
	wrong := "is missing"
	if n := d.nodes[path]; n != nil {
		wrong = "is " + describe(n)
	}
	d.fail(d.at(path), path, wrong, right)
}

// within reports whether a path is another one or below it.
func within(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || above == "" || rest[0] == '.' || rest[0] == '[')
}

// populationValid reports whether the number and the names of the agents are known.
func (d *findings) populationValid() bool {
	return !slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool {
		_, rest, inside := strings.Cut(p.Field, "].")
		key, _, _ := strings.Cut(rest, ".")
		key, _, _ = strings.Cut(key, "[")
		return within(p.Field, "population") && (!inside || key == "name" || key == "count" || !known(fieldsOf(reflect.TypeFor[Group]()), key))
	})
}

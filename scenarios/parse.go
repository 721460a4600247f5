package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"kingdom/wire/action"
)

const (
	// maxFile is the largest scenario file that is read, in bytes.
	maxFile = 1 << 20
	// maxAgents is the largest initial population.
	maxAgents = 100_000
)

// Parse reads a scenario. file names it in problems. The error is an [*Error].
func Parse(file string, b []byte) (*Scenario, error) {
	root, err := tree(file, b)
	if err != nil {
		return nil, err
	}
	return decode(root, &origins{file: file, sets: map[*yaml.Node]string{}})
}

// tree reads the one document of a file.
func tree(file string, b []byte) (*yaml.Node, error) {
	one := func(line, column int, wrong, right string) error {
		return &Error{Problems: []Problem{{File: file, Line: line, Column: column, Wrong: wrong, Right: right}}}
	}
	if len(b) > maxFile {
		return nil, one(0, 0, fmt.Sprintf("has %d bytes", len(b)), fmt.Sprintf("want at most %d", maxFile))
	}
	l, err := yaml.NewLoader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("read scenario %s: %w", file, err)
	}
	var doc, second yaml.Node
	if err := l.Load(&doc); errors.Is(err, io.EOF) {
		return nil, one(0, 0, "is empty", "want a mapping with the keys "+keyList(scenarioType))
	} else if err != nil {
		return nil, syntaxError(one, b, err)
	}
	switch err := l.Load(&second); {
	case err == nil:
		return nil, one(second.Line, second.Column, "holds a second document", "keep one scenario per file")
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(one, b, err)
	}
	root := &doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		root = resolve(doc.Content[0])
	}
	if root.Kind != yaml.MappingNode {
		return nil, one(root.Line, root.Column, "is "+describe(root), "want a mapping with the keys "+keyList(scenarioType))
	}
	return root, nil
}

// syntaxError turns an error of the YAML reader into an error of the scenario.
func syntaxError(one func(line, column int, wrong, right string) error, b []byte, err error) error {
	const right = "want well-formed YAML"
	if bad := new(yaml.LoadError); errors.As(err, &bad) {
		if at, wrong, right := unreadable(b); bad.Mark.Line == 0 && wrong != "" { // the reader tells no place of it
			line := b[bytes.LastIndexByte(b[:at], '\n')+1 : at]
			return one(bytes.Count(b[:at], []byte("\n"))+1, utf8.RuneCount(line)+1, wrong, right)
		}
		lines := bytes.SplitAfter(b, []byte("\n"))
		if n := bad.Mark.Line; n >= 1 && n <= len(lines) {
			line := lines[n-1]
			if indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]; bytes.ContainsRune(indent, '\t') {
				return one(n, bytes.IndexByte(indent, '\t')+1, "is indented with a tab", "YAML wants spaces: two for each level")
			}
		}
		return one(bad.Mark.Line, bad.Mark.Column, "is not YAML here: "+bad.Message, right)
	}
	return one(0, 0, "is not YAML: "+err.Error(), right)
}

// unreadable returns the place of the first byte that no YAML text contains, and what is wrong with it; "" if there is none.
func unreadable(b []byte) (at int, wrong, right string) {
	for at < len(b) {
		switch r, n := utf8.DecodeRune(b[at:]); {
		case r == utf8.RuneError && n == 1:
			return at, fmt.Sprintf("has the byte 0x%02x, which is not UTF-8", b[at]), "save the file as UTF-8"
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\x7f\u0085", r):
			return at, fmt.Sprintf("has the control character 0x%02x", r), `remove it, or write it as an escape in double quotes, such as "\x01"`
		default:
			at += n
		}
	}
	return 0, "", ""
}

// decode returns the scenario of a tree, or an [*Error] with all problems.
func decode(root *yaml.Node, files *origins) (*Scenario, error) {
	return decodeIn(root, files, 0)
}

// decodeIn decodes the scenario of a run that has reached an epoch.
func decodeIn(root *yaml.Node, files *origins, epoch uint64) (*Scenario, error) {
	s := &Scenario{root: root, files: files, reached: epoch}
	d := &decoder{files: files, nodes: map[string]*yaml.Node{}}
	d.mapping(root, reflect.ValueOf(s).Elem(), "")
	d.check(s)
	if len(d.problems) > 0 {
		sort.SliceStable(d.problems, func(i, j int) bool {
			a, b := d.problems[i], d.problems[j]
			return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
		})
		return nil, &Error{Problems: d.problems}
	}
	if s.AutoSpawn == nil {
		on := s.Agents() >= 4
		s.AutoSpawn = &on
	}
	s.warnings, s.nodes = d.findWarnings(s), d.nodes
	return s, nil
}

// check checks the traits, which stand at a path.
func (t *Traits) check(d *decoder, path string) {
	for j, trait := range t.all() {
		if at := path + "." + traitKeys[j]; d.valid(at) {
			d.checkTrait(trait, at)
		}
	}
}

// check checks what concerns more than one value. It skips values that were already found wrong, and everything that
// depends on them.
func (d *decoder) check(s *Scenario) {
	d.localProblems = len(d.problems)
	if d.valid("time.base_budget") && d.valid("time.ticks_per_cycle") && s.Time.BaseBudget > s.Time.TicksPerCycle {
		d.fail(d.at("time.base_budget"), "time.base_budget", fmt.Sprintf("is %d", s.Time.BaseBudget),
			fmt.Sprintf("want at most time.ticks_per_cycle, %d", s.Time.TicksPerCycle))
	}
	if n := s.Agents(); n > maxAgents && d.populationValid() {
		d.fail(d.at("population"), "population", fmt.Sprintf("has %d agents", n), fmt.Sprintf("want at most %d", maxAgents))
	}
	for i := range s.Population {
		s.Population[i].Traits.check(d, fmt.Sprintf("population[%d].traits", i))
	}
	if d.populationValid() {
		d.checkNames(s)
	}
	for i := range s.Population {
		d.checkGroup(s, i)
	}
	for i := range s.Inputs {
		if d.valid(fmt.Sprintf("inputs[%d]", i)) {
			d.checkInput(s, i)
		}
	}
	d.checkMinds(s)
	d.checkAdversaries(s)
	d.checkPrompts(s)
	if d.valid("portal") {
		d.checkPortal(s)
	}
	for i, name := range s.Minds.Scripted.RefuseActions {
		if _, ok := action.ByName(name); !ok && name != "" {
			d.unknownAction(name, fmt.Sprintf("minds.scripted.refuse_actions[%d]", i))
		}
	}
	d.checkChanges(s)
}

// valid reports whether no value at a path, below it or above it was found wrong by itself.
func (d *decoder) valid(path string) bool {
	return !slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool { return within(p.Field, path) || within(path, p.Field) })
}

// within reports whether a path is another one or below it.
func within(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || above == "" || rest[0] == '.' || rest[0] == '[')
}

// populationValid reports whether the number and the names of the agents are known.
func (d *decoder) populationValid() bool {
	return !slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool {
		_, rest, inside := strings.Cut(p.Field, "].")
		key, _, _ := strings.Cut(rest, ".")
		key, _, _ = strings.Cut(key, "[")
		return within(p.Field, "population") && (!inside || key == "name" || key == "count" || !known(fieldsOf(reflect.TypeFor[Group]()), key))
	})
}

// checkTrait refuses keys that the chosen distribution does not read.
func (d *decoder) checkTrait(t *Trait, path string) {
	for _, f := range fieldsOf(reflect.TypeFor[Trait]())[1:] {
		at := join(path, f.key)
		if n := d.nodes[at]; n != nil && !t.uses(f.key) {
			d.fail(n, at, fmt.Sprintf("has no meaning for dist %s", t.Dist), "remove it or change dist")
		}
	}
	if t.uses("min") && t.Min > t.Max {
		d.fail(d.at(path), path, fmt.Sprintf("has min %g above max %g", t.Min, t.Max), "want min at most max")
	}
}

func (d *decoder) unknownAction(name, path string) {
	var names []string
	for _, r := range action.All() {
		names = append(names, r.Name)
	}
	right := "kingdom actions lists them"
	if near := Nearest(name, names); near != "" {
		right = fmt.Sprintf("did you mean %s? %s", near, right)
	}
	d.fail(d.nodes[path], path, fmt.Sprintf("is %q, which is not an action", name), right)
}

// name decodes one item of a list of names.
func (d *decoder) name(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" {
		d.fail(n, path, "is "+describe(n), "want a name")
		return
	}
	v.SetString(n.Value)
}

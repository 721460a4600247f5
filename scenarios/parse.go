package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
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

// CheckForm returns an error if a file is not one mapping of YAML, whatever the scenario in it says.
func CheckForm(file string, b []byte) error {
	_, err := tree(file, b)
	return err
}

// tree reads the one document of a file.
func tree(file string, b []byte) (*yaml.Node, error) {
	one := func(line, column int, wrong, right string) error {
		return &Error{Problems: []Problem{{File: file, Line: line, Column: column, Wrong: wrong, Right: right}}}
	}
	if len(b) > maxFile {
		return nil, one(0, 0, fmt.Sprintf("has %d bytes", len(b)), fmt.Sprintf("want at most %d", maxFile))
	}
	root, err := document(one, b, "keep one scenario per file")
	if errors.Is(err, io.EOF) {
		return nil, one(0, 0, "is empty", "want a mapping with the keys "+keyList(scenarioType))
	}
	if err != nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, one(root.Line, root.Column, "is "+describe(root), "want a mapping with the keys "+keyList(scenarioType))
	}
	return root, nil
}

// document reads the one document of a text. The error is io.EOF if there is none; more says what to do if there are several.
func document(one func(line, column int, wrong, right string) error, b []byte, more string) (*yaml.Node, error) {
	l, err := yaml.NewLoader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	var doc, second yaml.Node
	if err := l.Load(&doc); errors.Is(err, io.EOF) {
		return nil, io.EOF
	} else if err != nil {
		return nil, partial(syntaxError(one, b, err))
	}
	switch err := l.Load(&second); {
	case err == nil:
		return nil, one(second.Line, second.Column, "holds a second document", more)
	case !errors.Is(err, io.EOF):
		return nil, partial(syntaxError(one, b, err))
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return resolve(doc.Content[0]), nil
	}
	return &doc, nil
}

// partial marks an error after which nothing else of the file was checked.
func partial(err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		e.Partial = true
	}
	return err
}

// syntaxError turns an error of the YAML reader into an error of the scenario.
func syntaxError(one func(line, column int, wrong, right string) error, b []byte, err error) error {
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
		return one(bad.Mark.Line, bad.Mark.Column, "is not YAML here: "+bad.Message, howToMend(bad.Message))
	}
	return one(0, 0, "is not YAML: "+err.Error(), howToMend(""))
}

// howToMend says what the commonest mistake is that the YAML reader refuses with a message.
func howToMend(message string) string {
	for _, known := range []struct{ part, mend string }{
		{"mapping values are not allowed", "a text with a colon and a space in it must be in quotes; otherwise check the indentation"},
		{"expected ',' or", "close every [ and {; a text with one of [ ] { } , in it must be in quotes"},
		{"expected '-' indicator", "indent all items of the list above, and all keys of an item, by the same number of spaces"},
		{"expected key", "indent all keys of the mapping above by the same number of spaces"},
	} {
		if strings.Contains(message, known.part) {
			return known.mend
		}
	}
	return "want well-formed YAML"
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
	found := &findings{files: files, nodes: map[string]*yaml.Node{}}
	(&decoder{found}).mapping(root, reflect.ValueOf(s).Elem(), "")
	d := &checker{found, s}
	d.check()
	if len(d.problems) > 0 {
		sort.SliceStable(d.problems, func(i, j int) bool {
			a, b := d.problems[i], d.problems[j]
			return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
		})
		return nil, &Error{Problems: d.problems, Partial: d.skipped}
	}
	if s.AutoSpawn == nil {
		on := s.Agents() >= 4
		s.AutoSpawn = &on
	}
	s.warnings, s.nodes = d.findWarnings(), d.nodes
	return s, nil
}

// name decodes one item of a list of names.
func (d *decoder) name(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" {
		d.fail(n, path, "is "+describe(n), "want a name")
		return
	}
	v.SetString(n.Value)
}

package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Override sets values by path. Each assignment is path=value with the value in YAML: time.base_budget=32,
// population[0].count=4, population[0].traits.collaboration={dist: uniform, min: 0.2}. A seed may be any text.
// After an error s is unchanged.
func (s *Scenario) Override(assignments ...string) error {
	root := clone(s.root, map[*yaml.Node]*yaml.Node{}, s.files)
	next, err := s.withAssignments(root, assignments)
	if err != nil {
		return err
	}
	*s = *next
	return nil
}

func (s *Scenario) withAssignments(root yamlTree, assignments []string) (*Scenario, error) {
	var wrong []Problem
	for _, a := range assignments {
		p := dropped(a)
		if p == nil {
			p = assign(root, a)
		}
		if p != nil {
			wrong = append(wrong, *p)
		}
	}
	if len(wrong) > 0 {
		return nil, &Error{Problems: wrong}
	}
	return decodeIn(root.node, root.files, s.reached)
}

// dropped refuses an assignment part of which YAML takes for a comment, since nobody who gives a value means one. It is not part of
// assign, so that runs that were recorded with one can still be read.
func dropped(assignment string) *Problem {
	path, text, _ := strings.Cut(assignment, "=")
	n, err := parseValue(text)
	if err != nil || path == "seed" || n.Kind != yaml.ScalarNode {
		return nil
	}
	comment := cmp.Or(n.HeadComment, n.LineComment, n.FootComment)
	if comment == "" {
		return nil
	}
	return &Problem{File: setLabel(assignment), Field: path, Wrong: fmt.Sprintf("has %q behind it, which YAML takes for a comment", comment), Right: quoteText}
}

// quoteText says how a value of --set is taken as text as it stands.
const quoteText = "if it is text, put double quotes around it, inside the quotes that the shell removes"

// yamlTree is a copy of a YAML tree that may be changed, with the origins of its nodes.
type yamlTree struct {
	node  *yaml.Node
	files *origins
}

func clone(n *yaml.Node, done map[*yaml.Node]*yaml.Node, files *origins) yamlTree {
	to := &origins{file: files.file, sets: maps.Clone(files.sets)}
	var walk func(n *yaml.Node) *yaml.Node
	walk = func(n *yaml.Node) *yaml.Node {
		if c := done[n]; c != nil || n == nil {
			return c
		}
		c := *n
		done[n] = &c
		if set, ok := files.sets[n]; ok {
			to.sets[&c] = set
		}
		c.Alias = walk(n.Alias)
		c.Content = make([]*yaml.Node, len(n.Content))
		for i := range n.Content {
			c.Content[i] = walk(n.Content[i])
		}
		return &c
	}
	return yamlTree{walk(n), to}
}

// assign applies one path=value to the tree.
func assign(root yamlTree, assignment string) *Problem {
	path, text, ok := strings.Cut(assignment, "=")
	set := setLabel(assignment)
	if !ok {
		return &Problem{File: set, Wrong: "has no =", Right: "want path=value, such as time.base_budget=32"}
	}
	if wrong, right := unreadableArgument(assignment); wrong != "" {
		return &Problem{File: set, Wrong: wrong, Right: right}
	}
	value, err := parseValue(text)
	if path == "seed" {
		value, err = seedValue(text), nil
	}
	if err != nil {
		return &Problem{File: set, Field: path, Wrong: "has a value that is not YAML: " + yamlComplaint(err), Right: howToClose(text)}
	}
	n, t := root.node, scenarioType
	steps := splitPath(path)
	for i, step := range steps {
		at := joinSteps(steps[:i])
		last := i == len(steps)-1
		var slot **yaml.Node
		if index, err := strconv.Atoi(step); err == nil && t.Kind() == reflect.Slice && shapes[t] != shapeNamed && shapes[t] != shapeAmounts {
			if n.Kind != yaml.SequenceNode || index < 0 || index >= len(n.Content) {
				return &Problem{File: set, Field: at, Wrong: fmt.Sprintf("has no item %d", index), Right: fmt.Sprintf("it has %d items, counted from 0", len(n.Content))}
			}
			slot, t = &n.Content[index], t.Elem()
		} else if t.Kind() == reflect.Struct {
			f, p := schemaField(t, steps, i, set)
			if p != nil {
				return p
			}
			slot, t = valueSlot(n, step), f.typ
		} else if (shapes[t] == shapeNamed || shapes[t] == shapeAmounts) && n.Kind == yaml.MappingNode && isName(step) {
			slot, t = valueSlot(n, step), t.Elem()
		} else {
			return &Problem{File: set, Field: at, Wrong: fmt.Sprintf("has no key named %q", step), Right: "end the path here, or index a list as in population[0].count"}
		}
		if last {
			root.files.markSet(value, set)
			*slot = value
			return nil
		}
		if *slot == nil {
			*slot = &yaml.Node{Kind: yaml.MappingNode}
			root.files.sets[*slot] = set
		}
		if *slot = resolve(*slot); t == reflect.TypeFor[Trait]() && (*slot).Kind == yaml.ScalarNode {
			// A step into a trait that is a number starts from the mapping's defaults.
			*slot = &yaml.Node{Kind: yaml.MappingNode}
			root.files.sets[*slot] = set
		} else {
			*slot = root.files.copyOf(*slot) // other places may have the same node by an alias
		}
		n = *slot
	}
	return &Problem{File: set, Wrong: "has an empty path", Right: "want path=value, such as time.base_budget=32"}
}

// setLabel is how messages name an assignment.
func setLabel(assignment string) string {
	path, _, ok := strings.Cut(assignment, "=")
	if steps := splitPath(path); ok && strings.HasPrefix(path, "minds.models.") && strings.Contains(steps[len(steps)-1], "key") {
		return "--set " + path + "=…" // the value may be a key that does not belong there
	}
	return "--set " + strings.ToValidUTF8(assignment, "\uFFFD")
}

// unreadableArgument returns what is wrong with the bytes of an argument of the command line; "" if nothing is.
func unreadableArgument(text string) (wrong, right string) {
	if _, wrong, right = unreadable([]byte(text)); wrong != "" && !utf8.ValidString(text) {
		right = "give the argument as UTF-8; a shell or script may write it in another encoding"
	}
	return wrong, right
}

// joinSteps writes steps as a path, population[0].count.
func joinSteps(steps []string) string {
	path := ""
	for _, s := range steps {
		if _, err := strconv.Atoi(s); err == nil {
			path += "[" + s + "]"
		} else {
			path = join(path, s)
		}
	}
	return path
}

// schemaField finds the key of the schema that step i of the path of an assignment names. Where it is misspelled, the error has the
// whole path to type.
func schemaField(t reflect.Type, steps []string, i int, set string) (field, *Problem) {
	fields, key := fieldsOf(t), steps[i]
	for _, f := range fields {
		if f.key == key {
			return f, nil
		}
	}
	right := suggest(key, fields, t)
	if near := nearKey(key, fields, t); near != "" {
		meant := slices.Clone(steps)
		meant[i] = near
		right = fmt.Sprintf("did you mean %s?", joinSteps(meant))
	}
	return field{}, &Problem{File: set, Field: join(joinSteps(steps[:i]), key), Wrong: unknownKey, Right: right}
}

// valueSlot returns a pointer to the value of a key in a mapping, and adds the key if it is missing.
func valueSlot(n *yaml.Node, key string) **yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return &n.Content[i+1]
		}
	}
	n.Content = append(n.Content, keyScalar(key), nil)
	return &n.Content[len(n.Content)-1]
}

// splitPath splits a path such as population[0].count into its steps.
func splitPath(path string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

// parseValue parses the YAML value of an assignment; an empty value is the empty text.
func parseValue(text string) (*yaml.Node, error) {
	if text == "" {
		n := new(yaml.Node)
		n.SetString("")
		return n, nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(text), &doc); err != nil {
		return nil, err
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return doc.Content[0], nil
	}
	return &doc, nil
}

// seedValue returns the node of a seed from the command line. What YAML reads as a whole number or as text is that; anything
// else, such as 018, true or a number that is too large, is text as it stands: the quotes that a file needs around it
// would be removed by the shell.
func seedValue(text string) *yaml.Node {
	n, err := parseValue(text)
	if err == nil && n.Kind == yaml.ScalarNode && n.LineComment == "" && (n.ShortTag() == "!!int" || n.ShortTag() == "!!str") {
		return n
	}
	n = new(yaml.Node)
	n.SetString(text)
	return n
}

// yamlComplaint returns what the YAML reader found wrong, without the place, which in one argument is easy to see.
func yamlComplaint(err error) string {
	if bad := new(yaml.LoadError); errors.As(err, &bad) {
		return bad.Message
	}
	return err.Error()
}

// howToClose says how text that is not YAML can become YAML: by what is missing at its end, if that is all, or else as text in quotes.
func howToClose(text string) string {
	for _, end := range []string{"]", "}", `"`, "'", "]]", "]}", "}]", "}}", `"]`, "']", `"}`, "'}"} {
		if _, err := parseValue(text + end); err == nil {
			return "add the missing " + end + " at its end; " + quoteText
		}
	}
	return quoteText
}

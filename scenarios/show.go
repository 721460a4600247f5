package scenarios

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"

	"kingdom/wire"
)

// Show returns the resolved scenario as YAML: every key, defaults included. Parsing it gives an equal scenario.
func (s *Scenario) Show() []byte {
	var b bytes.Buffer
	d, err := yaml.NewDumper(&b, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil {
		err = d.Dump(valueTree(reflect.ValueOf(s).Elem()))
	}
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("scenarios: writing a resolved scenario: %v", err))
	}
	return b.Bytes()
}

// valueTree returns the YAML tree of a value.
func valueTree(v reflect.Value) *yaml.Node {
	switch shapeOf(v.Type()) {
	case shapeTrait:
		return traitNode(v)
	case shapeMapping:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range fieldsOf(v.Type()) {
			n.Content = append(n.Content, keyScalar(f.key), valueTree(v.Field(f.index)))
		}
		return n
	case shapeGroups, shapeNames:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if shapeOf(v.Type()) == shapeNames {
			n.Style = yaml.FlowStyle
		}
		for i := range v.Len() {
			n.Content = append(n.Content, valueTree(v.Index(i)))
		}
		return n
	case shapeNamed:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for i := range v.Len() {
			n.Content = append(n.Content, keyScalar(v.Index(i).FieldByName("Name").String()), valueTree(v.Index(i)))
		}
		return n
	case shapeAmounts:
		n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		for _, a := range v.Interface().([]Amount) {
			n.Content = append(n.Content, keyScalar(a.Name), &yaml.Node{Kind: yaml.ScalarNode, Value: number(a.USD)})
		}
		return n
	case shapeFree:
		return freeNode(Free(v.String()))
	case shapeWho:
		if _, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return &yaml.Node{Kind: yaml.ScalarNode, Value: v.String()}
		}
		return textNode(v.String())
	case shapeText, shapeSeed:
		return textNode(v.String())
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: literal(v)}
	}
}

// booleanOf1 matches what YAML 1.1 takes for a boolean. Kingdom does not, but other programs that read scenarios do.
var booleanOf1 = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$`)

// textNode returns the node of a text, which is quoted where readers could take it for something else.
func textNode(s string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(s)
	if booleanOf1.MatchString(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// traitNode writes a fixed trait as a number, and others as a mapping with the keys that they use.
func traitNode(v reflect.Value) *yaml.Node {
	t := v.Interface().(Trait)
	if t.Dist == DistFixed {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: number(t.Value)}
	}
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for _, f := range fieldsOf(v.Type()) {
		if f.key == "dist" || t.uses(f.key) {
			n.Content = append(n.Content, keyScalar(f.key), valueTree(v.Field(f.index)))
		}
	}
	return n
}

// keyScalar returns the node of a key; a key that looks like a number is quoted.
func keyScalar(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: s}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// literal is the text of a value that is not a list or mapping.
func literal(v reflect.Value) string {
	switch shapeOf(v.Type()) {
	case shapeChoice:
		return namesOf(v.Type())[v.Uint()-1]
	case shapeWhole:
		return strconv.FormatUint(v.Uint(), 10)
	case shapeSigned:
		return strconv.FormatInt(v.Int(), 10)
	case shapeWho:
		if _, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return v.String()
		}
		return strconv.Quote(v.String())
	case shapeNumber:
		return number(v.Float())
	case shapeSwitch:
		return strconv.FormatBool(!v.IsNil() && v.Elem().Bool())
	case shapeDuration:
		return time.Duration(v.Int()).String()
	default:
		return strconv.Quote(v.String())
	}
}

// Paths returns the paths of all values of a resolved scenario in the form of --set, also of empty lists and unset
// values.
func (s *Scenario) Paths() []string {
	out := []string{"seed", "cycles"}
	paths(&out, reflect.ValueOf(s).Elem(), "")
	return out
}

func paths(out *[]string, v reflect.Value, path string) {
	switch shape := shapeOf(v.Type()); {
	case shape == shapeMapping || shape == shapeTrait:
		for _, f := range fieldsOf(v.Type()) {
			at := join(path, f.key)
			if t, ok := v.Interface().(Trait); at == "seed" || at == "cycles" || ok && f.key != "dist" && !t.uses(f.key) {
				continue
			}
			paths(out, v.Field(f.index), at)
		}
	case shape == shapeGroups && v.Len() > 0 || shape == shapeNames && v.Len() > 0:
		for i := range v.Len() {
			paths(out, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case shape == shapeNamed && v.Len() > 0:
		for i := range v.Len() {
			paths(out, v.Index(i), join(path, v.Index(i).FieldByName("Name").String()))
		}
	default:
		*out = append(*out, path)
	}
}

// Digest returns the SHA-256 of the resolved scenario: a line path=value per value, in file order. Seed, cycles and
// minds.caps are left out: the seed is kept separately, cycles only says when to stop, and refusals by caps are
// recorded. Worlds with equal digest, seed and physics have equal histories.
func (s *Scenario) Digest() wire.Hash {
	var b bytes.Buffer
	writeLines(&b, reflect.ValueOf(s).Elem(), "", linesOfDigest)
	return sha256.Sum256(b.Bytes())
}

// isDefault reports whether a value is the default of its key.
func isDefault(v reflect.Value, f field) bool {
	switch shapeOf(f.typ) {
	case shapeWhole, shapeSigned, shapeNumber, shapeChoice:
		return literal(v) == f.def
	case shapeText:
		return v.String() == f.def
	case shapeSwitch: // without a default of its own, one that is not set means something else than false
		return v.IsNil() || f.def != "" && literal(v) == f.def
	case shapeGroups, shapeNames:
		return v.Len() == 0
	case shapeMapping, shapeTrait:
		return !slices.ContainsFunc(fieldsOf(f.typ), func(f field) bool { return !isDefault(v.Field(f.index), f) })
	default:
		return v.IsZero()
	}
}

// lineSet says which values become lines.
type lineSet uint8

const (
	linesOfDigest lineSet = iota + 1
	linesToCompare
	linesToTell // without defaults
)

// has reports whether the value of a key of v becomes a line. What a parameter is set to always does for readers, but a 0 was
// never part of a digest.
func (set lineSet) has(v reflect.Value, f field) bool {
	if in, ok := v.Interface().(Input); ok && in.Do == DoParam && f.key == "value" && set != linesOfDigest {
		return true
	}
	return !f.omitDefault && set != linesToTell || !isDefault(v.Field(f.index), f)
}

// writeLines writes a value in lines of path=value.
func writeLines(b *bytes.Buffer, v reflect.Value, path string, set lineSet) {
	switch shapeOf(v.Type()) {
	case shapeMapping, shapeTrait:
		for _, f := range fieldsOf(v.Type()) {
			at := join(path, f.key)
			if t, ok := v.Interface().(Trait); notInDigest[at] || ok && f.key != "dist" && !t.uses(f.key) || !set.has(v, f) {
				continue
			}
			writeLines(b, v.Field(f.index), at, set)
		}
	case shapeGroups, shapeNames:
		for i := range v.Len() {
			writeLines(b, v.Index(i), fmt.Sprintf("%s[%d]", path, i), set)
		}
	case shapeNamed:
		for i := range v.Len() {
			writeLines(b, v.Index(i), join(path, v.Index(i).FieldByName("Name").String()), set)
		}
	default:
		fmt.Fprintf(b, "%s=%s\n", path, literal(v))
	}
}

package scenarios

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// unknownKey is what is wrong with a key that is not in the schema.
const unknownKey = "unknown key"

// decoder turns a YAML tree into values and finds what is wrong with each of them by itself. A [checker] goes on.
type decoder struct {
	*findings
}

// mapping decodes n into the struct v; a nil n gives all defaults.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string) {
	fields := fieldsOf(v.Type())
	values := map[string]*yaml.Node{}
	if n != nil {
		d.nodes[path] = n
		values = d.keys(n, fields, v.Type(), path)
	}
	for _, f := range fields {
		at := join(path, f.key)
		value := values[f.key]
		switch {
		case value != nil:
			d.nodes[at] = value
			d.value(value, v.Field(f.index), f, at)
		case f.need && merges(n): // the key may be in what is merged
		case f.need:
			d.fail(d.at(path), at, "is missing", f.want())
		default:
			d.setDefault(v.Field(f.index), f, at)
		}
	}
}

// keys pairs the keys of n with their values and refuses unknown and double ones.
func (d *decoder) keys(n *yaml.Node, fields []field, t reflect.Type, path string) map[string]*yaml.Node {
	values := map[string]*yaml.Node{}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, value := n.Content[i], resolve(n.Content[i+1])
		name := k.Value
		switch {
		case k.Kind != yaml.ScalarNode:
			d.fail(k, path, "has a key that is not a scalar", "want the keys "+keyList(t))
		case first[name] != nil:
			d.fail(k, join(path, name), "is written twice", "keep one"+d.files.lineOfFirst(first[name]))
		case name == "<<" && !known(fields, name):
			first[name] = k
			d.fail(k, join(path, name), "is a YAML merge, which scenarios do not support", "write the keys out, or repeat a whole value with an alias (&name, *name)")
		case !known(fields, name):
			first[name] = k
			d.fail(k, join(path, name), unknownKey, suggest(name, fields, t))
		default:
			first[name] = k
			values[name] = value
		}
	}
	return values
}

// merges reports whether a mapping has a YAML merge.
func merges(n *yaml.Node) bool {
	for i := 0; n != nil && i < len(n.Content); i += 2 {
		if n.Content[i].Value == "<<" {
			return true
		}
	}
	return false
}

func known(fields []field, key string) bool {
	for _, f := range fields {
		if f.key == key {
			return true
		}
	}
	return false
}

// setDefault sets a key that is missing to its default.
func (d *decoder) setDefault(v reflect.Value, f field, path string) {
	switch shapeOf(f.typ) {
	case shapeMapping, shapeTrait:
		d.mapping(nil, v, path)
	case shapeGroups, shapeNames, shapeNamed, shapeAmounts, shapeFree, shapeSwitch:
	default:
		d.scalar(&yaml.Node{Kind: yaml.ScalarNode, Value: f.def, Tag: defaultTag(f)}, v, f, path)
	}
}

func defaultTag(f field) string {
	switch shapeOf(f.typ) {
	case shapeWhole, shapeSigned:
		return "!!int"
	case shapeNumber:
		return "!!float"
	default:
		return "!!str"
	}
}

// value decodes what is written at path.
func (d *decoder) value(n *yaml.Node, v reflect.Value, f field, path string) {
	switch shapeOf(f.typ) {
	case shapeMapping:
		if n.Kind != yaml.MappingNode {
			d.fail(n, path, "is "+describe(n), f.want())
			d.mapping(nil, v, path)
			return
		}
		d.mapping(n, v, path)
	case shapeTrait:
		d.trait(n, v.Addr().Interface().(*Trait), f, path)
	case shapeGroups, shapeNames:
		d.list(n, v, f, path)
	case shapeNamed:
		d.named(n, v, f, path)
	case shapeAmounts:
		d.amounts(n, v, f, path)
	case shapeFree:
		d.free(n, v, f, path)
	default:
		switch {
		case n.Kind == yaml.ScalarNode:
			d.scalar(n, v, f, path)
		case shapeOf(f.typ) == shapeText:
			d.fail(n, path, "is "+describe(n), f.want()+d.files.howToQuote(n))
		default:
			d.fail(n, path, "is "+describe(n), f.want())
		}
	}
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, f field, path string) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, path, "is "+describe(n), f.want())
		return
	}
	low, _ := strconv.Atoi(f.low)
	top, _ := strconv.Atoi(f.top)
	if len(n.Content) < low || len(n.Content) > top {
		d.fail(n, path, fmt.Sprintf("has %d items", len(n.Content)), fmt.Sprintf("want %d to %d", low, top))
		return
	}
	out := reflect.MakeSlice(f.typ, len(n.Content), len(n.Content))
	for i, item := range n.Content {
		at := fmt.Sprintf("%s[%d]", path, i)
		item = resolve(item)
		d.nodes[at] = item
		if shapeOf(f.typ) == shapeNames {
			d.name(item, out.Index(i), at)
			continue
		}
		if item.Kind != yaml.MappingNode {
			d.fail(item, at, "is "+describe(item), "want a mapping with the keys "+keyList(f.typ.Elem()))
			continue
		}
		d.mapping(item, out.Index(i), at)
	}
	v.Set(out)
}

// trait decodes a plain number as a fixed distribution.
func (d *decoder) trait(n *yaml.Node, t *Trait, f field, path string) {
	v := reflect.ValueOf(t).Elem()
	switch n.Kind {
	case yaml.MappingNode:
		d.mapping(n, v, path)
	case yaml.ScalarNode:
		d.mapping(nil, v, path)
		value := fieldsOf(v.Type())[1]
		if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" {
			d.fail(n, path, "is "+describe(n), f.want())
			return
		}
		d.scalar(n, v.Field(value.index), value, path)
	default:
		d.mapping(nil, v, path)
		d.fail(n, path, "is "+describe(n), f.want())
	}
}

// scalar decodes one value that is not a list or mapping.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, f field, path string) {
	tag := n.ShortTag()
	ok := false
	switch shapeOf(f.typ) {
	case shapeText:
		d.text(n, tag, v, f, path)
		return
	case shapeSeed:
		d.seed(n, tag, v, f, path)
		return
	case shapeChoice:
		d.choice(n, tag, v, f, path)
		return
	case shapeWhole:
		low, _ := strconv.ParseUint(f.low, 10, 64)
		top, _ := strconv.ParseUint(f.top, 10, 64)
		var x uint64
		x, ok = whole(tag, n.Value)
		ok = ok && low <= x && x <= top
		v.SetUint(x)
	case shapeSigned:
		low, _ := strconv.ParseInt(f.low, 10, 64)
		top, _ := strconv.ParseInt(f.top, 10, 64)
		x, err := strconv.ParseInt(n.Value, 10, 64)
		ok = err == nil && tag == "!!int" && strconv.FormatInt(x, 10) == n.Value && low <= x && x <= top
		v.SetInt(x)
	case shapeWho:
		var w string
		w, ok = d.who(n, tag)
		v.SetString(w)
	case shapeNumber:
		low, _ := strconv.ParseFloat(f.low, 64)
		top, _ := strconv.ParseFloat(f.top, 64)
		x, err := strconv.ParseFloat(n.Value, 64)
		ok = err == nil && (tag == "!!int" || tag == "!!float") && low <= x && x <= top
		v.SetFloat(x + 0) // a zero is never negative
	case shapeSwitch:
		ok = tag == "!!bool" && (n.Value == "true" || n.Value == "false")
		b := n.Value == "true"
		v.Set(reflect.ValueOf(&b))
	case shapeDuration:
		low, _ := time.ParseDuration(f.low)
		top, _ := time.ParseDuration(f.top)
		x, err := time.ParseDuration(n.Value)
		ok = err == nil && low <= x && x <= top
		v.SetInt(int64(x))
	default: // value has read the shapes that are no scalars
	}
	if !ok {
		d.fail(n, path, "is "+describe(n), f.want())
	}
}

// whole reads plain decimal digits; other notations of YAML are refused, because
// 010 means eight to some readers and ten to others.
func whole(tag, s string) (uint64, bool) {
	if tag != "!!int" || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	x, err := strconv.ParseUint(s, 10, 64)
	return x, err == nil
}

// printable reports whether text is valid UTF-8 without control characters.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func (d *decoder) seed(n *yaml.Node, tag string, v reflect.Value, f field, path string) {
	const longest = 200
	switch {
	case tag != "!!int" && tag != "!!str":
		d.fail(n, path, "is "+describe(n), f.want())
	case len(n.Value) > longest:
		d.fail(n, path, fmt.Sprintf("has %d bytes", len(n.Value)), fmt.Sprintf("want at most %d", longest))
	case n.Value == "":
		d.fail(n, path, "is empty", "want a number or text, such as 42 or blue")
	case !printable(n.Value):
		d.fail(n, path, "is "+describe(n), "want no control characters in it")
	}
	v.SetString(n.Value)
}

func (d *decoder) text(n *yaml.Node, tag string, v reflect.Value, f field, path string) {
	top, _ := strconv.Atoi(f.top)
	low, _ := strconv.Atoi(f.low)
	switch {
	case tag != "!!str":
		d.fail(n, path, "is "+describe(n), "want text"+cmp.Or(d.files.howToQuote(n), "; put it in quotes"))
	case len(n.Value) < low || len(n.Value) > top:
		d.fail(n, path, fmt.Sprintf("has %d bytes", len(n.Value)), fmt.Sprintf("want %d to %d", low, top))
	case f.key == "name" && strings.Trim(n.Value, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "":
		d.fail(n, path, "is "+describe(n), "want lower-case letters, digits, '-' and '_' only")
	}
	v.SetString(n.Value)
}

func (d *decoder) choice(n *yaml.Node, tag string, v reflect.Value, f field, path string) {
	for i, name := range namesOf(f.typ) {
		if tag == "!!str" && n.Value == name {
			v.SetUint(uint64(i + 1))
			return
		}
	}
	v.SetUint(1)
	right := f.want()
	if near := Nearest(n.Value, namesOf(f.typ)); near != "" {
		right = fmt.Sprintf("did you mean %s? %s", near, right)
	}
	d.fail(n, path, "is "+describe(n), right)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// describe returns what a node is, for error messages.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	default: // described by its tag below
	}
	switch n.ShortTag() {
	case "!!null":
		return "empty"
	case "!!str":
		if n.Value == "" {
			return "empty"
		}
		return fmt.Sprintf("the text %q", beginning(n.Value))
	case "!!int", "!!float", "!!bool":
		return beginning(n.Value)
	case "!!timestamp":
		return "the date " + beginning(n.Value)
	}
	return fmt.Sprintf("%s %q", beginning(n.ShortTag()), beginning(n.Value))
}

// beginning returns the beginning of a value for a message. Somebody who names a file of another kind must not get all of it.
func beginning(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	n := most
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

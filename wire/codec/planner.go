package codec

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// node is the plan of one type: how its values become bytes and JSON and come back. Plans are
// built once by reflection and hold no state, so encoding allocates nothing.
type node interface {
	append(dst []byte, v reflect.Value) []byte
	decode(r *reader, v reflect.Value) error
	appendJSON(dst []byte, v reflect.Value) []byte
	fromJSON(j *jsonReader, v reflect.Value) error
	shape() *Shape
}

type (
	unionMarker interface{ Union() }
	tupleMarker interface{ Tuple() }
	agentMarker interface{ Alias() string }
)

var (
	enumType    = reflect.TypeFor[Enum]()
	unionType   = reflect.TypeFor[unionMarker]()
	tupleType   = reflect.TypeFor[tupleMarker]()
	binMapType  = reflect.TypeFor[BinMap]()
	rawType     = reflect.TypeFor[RawJSON]()
	textMapType = reflect.TypeFor[TextMap]()
	agentType   = reflect.TypeFor[agentMarker]()
)

// planner builds nodes. It remembers composite types, so that recursive types terminate.
type planner struct {
	nodes map[reflect.Type]node
}

func (p *planner) node(t reflect.Type) node {
	if n, ok := p.nodes[t]; ok {
		return n
	}
	switch {
	case t == binMapType:
		return binMapNode{}
	case t == rawType:
		return rawNode{}
	case t == textMapType:
		return textMapNode{p.basic(t)}
	case t.Kind() == reflect.Uint8 && t.Implements(enumType):
		names := reflect.Zero(t).Interface().(Enum).EnumNames()
		return enumNode{names, oneOf(names)}
	case t.Kind() == reflect.Struct && t.Implements(unionType):
		return p.union(t)
	case t.Kind() == reflect.Struct:
		return p.structure(t, t.Implements(tupleType))
	}
	return p.basic(t)
}

func (p *planner) basic(t reflect.Type) node {
	switch t.Kind() {
	case reflect.Bool:
		return boolNode{}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return newUintNode(t.Bits())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return newIntNode(t.Bits())
	case reflect.Float32, reflect.Float64:
		return newFloatNode(t.Bits())
	case reflect.String:
		return stringNode{}
	case reflect.Pointer:
		return optionNode{elem: p.node(t.Elem()), typ: t.Elem()}
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return newHashNode(t.Len(), t.Implements(agentType))
		}
		return fixedNode{elem: p.node(t.Elem()), n: t.Len()}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && !t.Elem().Implements(enumType) {
			return bytesNode{}
		}
		n := &listNode{typ: t}
		n.elem = p.node(t.Elem())
		return n
	}
	panic(fmt.Sprintf("codec: type %s has no wire form", t))
}

// fieldPlan is one field of a struct or one variant of a union.
type fieldPlan struct {
	name  string
	key   []byte // the encoded name
	index int    // field index
	node  node

	optional     bool // pointer: nil on the wire, may be absent
	runtime      bool // filled by the runtime, never in JSON
	opt          bool // left out when zero
	hasDefault   bool // JSON may leave it out: value, else zero, the first enum value, or the defaults of a struct's fields
	defaultValue reflect.Value
	max          int  // bound of a list or text, 0 without
	object       bool // bytes that hold a canonical map, JSON may give it as an object
	blocks       bool // an object field that holds a list of content blocks
}

func (p *planner) fields(t reflect.Type) []fieldPlan {
	var fs []fieldPlan
	for i := range t.NumField() {
		sf := t.Field(i)
		name, rest, _ := strings.Cut(sf.Tag.Get("kdom"), ",")
		if name == "-" {
			continue
		}
		if name == "" || !sf.IsExported() || len(name) > 32 {
			panic(fmt.Sprintf("codec: field %s.%s needs a kdom tag of 1 to 32 bytes", t, sf.Name))
		}
		f := fieldPlan{
			name: name, key: AppendString(nil, name), index: i, node: p.node(sf.Type),
			optional: sf.Type.Kind() == reflect.Pointer,
		}
		for _, o := range strings.Split(rest, ",") {
			f.option(o, t)
		}
		fs = append(fs, f)
	}
	if len(fs) > 64 {
		panic(fmt.Sprintf("codec: %s has more than 64 fields", t))
	}
	return fs
}

func (f *fieldPlan) option(o string, t reflect.Type) {
	o, arg, _ := strings.Cut(o, "=")
	switch o {
	case "":
	case "runtime":
		f.runtime = true
	case "opt":
		f.opt = true
	case "default":
		f.hasDefault = true
		if arg != "" {
			v, ok := parseDefault(t.Field(f.index).Type, arg)
			if !ok {
				panic(fmt.Sprintf("codec: default %q on %s.%s is no value of its type", arg, t, f.name))
			}
			f.defaultValue = v
		}
	case "max":
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			panic(fmt.Sprintf("codec: max %q on %s.%s is no positive number", arg, t, f.name))
		}
		f.max = n
	case "object":
		f.object = true
	case "blocks":
		f.object, f.blocks = true, true
	case "unit":
		f.node = unitNode(f.node)
	default:
		panic(fmt.Sprintf("codec: unknown tag option %q on %s.%s", o, t, f.name))
	}
}

// unitNode limits a float, or an optional one, to [0,1] where it comes from a mind.
func unitNode(n node) node {
	switch n := n.(type) {
	case floatNode:
		n.unit = true
		return n
	case optionNode:
		n.elem = unitNode(n.elem)
		return n
	}
	panic("codec: the tag option unit is for floats")
}

// parseDefault parses the default value in a tag.
func parseDefault(t reflect.Type, text string) (reflect.Value, bool) {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(text)
		return v, true
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(text, t.Bits())
		v.SetFloat(x)
		return v, err == nil
	case reflect.Uint32, reflect.Uint64:
		x, err := strconv.ParseUint(text, 10, t.Bits())
		v.SetUint(x)
		return v, err == nil
	case reflect.Bool:
		x, err := strconv.ParseBool(text)
		v.SetBool(x)
		return v, err == nil
	}
	return v, false
}

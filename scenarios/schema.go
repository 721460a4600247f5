package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"kingdom/wire"
)

// field is one key of a mapping, read from a struct field's tags.
type field struct {
	index       int
	key         string
	doc         string
	def         string // default, as written in YAML; "" for none
	need        bool   // may not be left out
	low, top    string // range, both ends inside; "" for none
	omitDefault bool   // is part of the digest only if it is not the default
	typ         reflect.Type
}

// shape is what a value may look like in a file.
type shape uint8

const (
	shapeMapping shape = iota + 1
	shapeGroups        // list of mappings
	shapeNames         // list of names
	shapeNamed         // mapping from names of the user's to mappings
	shapeAmounts       // mapping from names of the user's to numbers
	shapeFree          // mapping without a schema
	shapeTrait         // number or mapping
	shapeText
	shapeSeed
	shapeChoice
	shapeWhole
	shapeSigned // whole, below 0 too
	shapeWho    // number or name of an agent
	shapeNumber
	shapeSwitch
	shapeDuration
)

// enumType is an enum type; names are in ordinal order, values are ordinal+1.
type enumType interface{ EnumNames() []string }

var (
	scenarioType = reflect.TypeFor[Scenario]()
	shapes       = map[reflect.Type]shape{
		reflect.TypeFor[[]Group]():       shapeGroups,
		reflect.TypeFor[[]Input]():       shapeGroups,
		reflect.TypeFor[[]Change]():      shapeGroups,
		reflect.TypeFor[[]Known]():       shapeGroups,
		reflect.TypeFor[[]StartGoal]():   shapeGroups,
		reflect.TypeFor[[]Relation]():    shapeGroups,
		reflect.TypeFor[[]string]():      shapeNames,
		reflect.TypeFor[[]Model]():       shapeNamed,
		reflect.TypeFor[[]Amount]():      shapeAmounts,
		reflect.TypeFor[Free]():          shapeFree,
		reflect.TypeFor[Trait]():         shapeTrait,
		reflect.TypeFor[string]():        shapeText,
		reflect.TypeFor[Seed]():          shapeSeed,
		reflect.TypeFor[AgentRef]():      shapeWho,
		reflect.TypeFor[int64]():         shapeSigned,
		reflect.TypeFor[wire.Role]():     shapeChoice,
		reflect.TypeFor[uint64]():        shapeWhole,
		reflect.TypeFor[float64]():       shapeNumber,
		reflect.TypeFor[*bool]():         shapeSwitch,
		reflect.TypeFor[time.Duration](): shapeDuration,
	}
)

func shapeOf(t reflect.Type) shape {
	if s := shapes[t]; s != 0 {
		return s
	}
	if _, ok := reflect.Zero(t).Interface().(enumType); ok {
		return shapeChoice
	}
	if t.Kind() == reflect.Struct {
		return shapeMapping
	}
	panic(fmt.Sprintf("scenarios: no shape for %v", t))
}

// fieldsOf lists the keys of a mapping in file order.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		key, ok := f.Tag.Lookup("key")
		if !ok {
			continue
		}
		low, top, _ := strings.Cut(f.Tag.Get("range"), "..")
		out = append(out, field{
			index: i, key: key, doc: f.Tag.Get("doc"), def: f.Tag.Get("default"),
			need: f.Tag.Get("need") == "yes", low: low, top: top, typ: f.Type, omitDefault: f.Tag.Get("digest") == "set",
		})
	}
	return out
}

func namesOf(t reflect.Type) []string {
	return reflect.Zero(t).Interface().(enumType).EnumNames()
}

// want returns what a field accepts, for error messages.
func (f field) want() string {
	switch shapeOf(f.typ) {
	case shapeMapping:
		return "want a mapping with the keys " + keyList(f.typ)
	case shapeGroups:
		return "want a list, each item a mapping with the keys " + keyList(f.typ.Elem())
	case shapeNames:
		return "want a list of names"
	case shapeNamed:
		return "want a mapping from names of your own to mappings with the keys " + keyList(f.typ.Elem())
	case shapeAmounts:
		return "want a mapping from names to " + strings.TrimPrefix(amountOf(f).want(), "want ")
	case shapeFree:
		return "want a mapping"
	case shapeTrait:
		return "want a number from 0 to 1, or a mapping with the keys " + keyList(f.typ)
	case shapeText:
		return "want text"
	case shapeSeed:
		return "want a whole number or text in quotes"
	case shapeChoice:
		return "want one of " + strings.Join(namesOf(f.typ), ", ")
	case shapeWho:
		return "want the number of an agent in spawn order, or a name of population"
	case shapeWhole, shapeSigned:
		return fmt.Sprintf("want a whole number from %s to %s", f.low, f.top)
	case shapeNumber:
		return fmt.Sprintf("want a number from %s to %s", f.low, f.top)
	case shapeSwitch:
		return "want true or false"
	default:
		return fmt.Sprintf("want a duration from %s to %s, such as 30s", f.low, f.top)
	}
}

// amountOf is the field of the numbers in a mapping of amounts.
func amountOf(f field) field { return fieldsOf(f.typ.Elem())[0] }

func keyList(t reflect.Type) string {
	var keys []string
	for _, f := range fieldsOf(t) {
		keys = append(keys, f.key)
	}
	return strings.Join(keys, ", ")
}

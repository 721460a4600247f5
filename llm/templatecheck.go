package llm

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"kingdom/wire"
)

// errorPosition splits an error of text/template into line, column and message.
var errorPosition = regexp.MustCompile(`^template: \w+:(\d+)(?::(\d+))?: (?s:(.*))$`)

// maxWrong is the length, in bytes, of the longest description of a mistake.
const maxWrong = 400

const fieldsHint = "kingdom prompt fields lists what there is"

// templateError gives an error of text/template its place and a hint.
func templateError(k SectionKind, err error) error {
	e := &TemplateError{Line: 1, Column: 1, Wrong: err.Error(), Right: "want a text/template of Go; " + fieldsHint}
	if m := errorPosition.FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		if m[2] != "" {
			e.Column, _ = strconv.Atoi(m[2])
			e.Column++ // text/template counts from 0
		}
		e.Wrong = strings.TrimPrefix(m[3], fmt.Sprintf("executing %q at ", k))
	}
	if n := len(e.Wrong); n > maxWrong { // text/template repeats the text of the template before it says what is wrong
		e.Wrong = e.Wrong[:cut(e.Wrong, maxWrong/2)] + "…" + e.Wrong[cut(e.Wrong, n-maxWrong/2):]
	}
	switch {
	case errors.Is(err, errTooMuchOutput), errors.Is(err, errTooManySteps):
		e.Right = "write what fits the section, and range through lists only"
	case errors.Is(err, errTextTooLong), errors.Is(err, errTooWide):
		e.Right = "write it in smaller pieces"
	case strings.Contains(err.Error(), "error calling printf"):
		e.Right = "want verbs for the types of the fields: %s for text, words, quotes and handles, %d or %.2f for numbers; " + fieldsHint
	}
	return e
}

// fieldChecker walks a template and keeps the types of its dot and of its variables. A type that it cannot determine is
// nil, and then nothing is checked.
type fieldChecker struct {
	text string
	vars map[string]reflect.Type
}

func checkFields(k SectionKind, t *template.Template, text string) error {
	root := reflect.TypeFor[Facts]()
	if k.Stable() {
		root = reflect.TypeFor[stableFacts]()
	}
	c := fieldChecker{text: text, vars: map[string]reflect.Type{"$": root}}
	if t.Tree == nil {
		return nil // an empty template
	}
	return c.list(t.Root, root)
}

func (c *fieldChecker) list(l *parse.ListNode, dot reflect.Type) error {
	if l == nil {
		return nil
	}
	for _, n := range l.Nodes {
		if err := c.node(n, dot); err != nil {
			return err
		}
	}
	return nil
}

func (c *fieldChecker) node(n parse.Node, dot reflect.Type) error {
	switch n := n.(type) {
	case *parse.ActionNode:
		t, err := c.pipe(n.Pipe, dot)
		if err == nil && len(n.Pipe.Decl) == 0 {
			err = c.checkPrintable(n, t)
		}
		return err
	case *parse.IfNode:
		return c.branch(&n.BranchNode, dot, func(reflect.Type) reflect.Type { return dot })
	case *parse.WithNode:
		return c.branch(&n.BranchNode, dot, func(t reflect.Type) reflect.Type { return t })
	case *parse.RangeNode:
		return c.branch(&n.BranchNode, dot, func(t reflect.Type) reflect.Type {
			if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
				return t.Elem()
			}
			return nil
		})
	}
	return nil
}

// checkPrintable refuses to write a list or a group of fields, which text/template would print in Go's syntax.
func (c *fieldChecker) checkPrintable(n *parse.ActionNode, t reflect.Type) error {
	if t == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	e := c.errorAt(n.Pipe)
	switch word := typeWord(t); word {
	case "list":
		e.Wrong, e.Right = n.Pipe.String()+" is a list", "go through it with range"
	case "group":
		e.Wrong, e.Right = n.Pipe.String()+" is a group of fields", "write the fields that are meant; "+fieldsHint
	default:
		return nil
	}
	return e
}

// errorAt returns an error with the position of a node.
func (c *fieldChecker) errorAt(n parse.Node) *TemplateError {
	end := min(int(n.Position())+len(n.String()), len(c.text)) // the position is that of the last name
	at := max(strings.LastIndex(c.text[:end], n.String()), 0)
	return &TemplateError{Line: 1 + strings.Count(c.text[:at], "\n"), Column: at - strings.LastIndex(c.text[:at], "\n")}
}

func (c *fieldChecker) branch(b *parse.BranchNode, dot reflect.Type, inside func(reflect.Type) reflect.Type) error {
	t, err := c.pipe(b.Pipe, dot)
	if err != nil {
		return err
	}
	in := inside(t)
	if b.NodeType == parse.NodeRange { // variables of a range are index and element
		for i, v := range b.Pipe.Decl {
			c.vars[v.Ident[0]] = nil
			if i == len(b.Pipe.Decl)-1 {
				c.vars[v.Ident[0]] = in
			}
		}
	}
	if err := c.list(b.List, in); err != nil {
		return err
	}
	return c.list(b.ElseList, dot)
}

// pipe checks a pipeline and returns its type where that is the type of one value.
func (c *fieldChecker) pipe(p *parse.PipeNode, dot reflect.Type) (reflect.Type, error) {
	var t reflect.Type
	for _, cmd := range p.Cmds {
		for _, arg := range cmd.Args {
			at, err := c.value(arg, dot)
			if err != nil {
				return nil, err
			}
			t = at
		}
		if len(cmd.Args) != 1 {
			t = nil
		}
	}
	if len(p.Cmds) != 1 {
		t = nil
	}
	for _, v := range p.Decl {
		c.vars[v.Ident[0]] = t
	}
	return t, nil
}

func (c *fieldChecker) value(n parse.Node, dot reflect.Type) (reflect.Type, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return c.fields(n, dot, n.Ident)
	case *parse.VariableNode:
		return c.fields(n, c.vars[n.Ident[0]], n.Ident[1:])
	case *parse.PipeNode:
		return c.pipe(n, dot)
	case *parse.ChainNode:
		t, err := c.value(n.Node, dot)
		if err != nil {
			return nil, err
		}
		return c.fields(n, t, n.Field)
	}
	return nil, nil
}

func (c *fieldChecker) fields(n parse.Node, t reflect.Type, path []string) (reflect.Type, error) {
	for _, name := range path {
		if t == nil {
			return nil, nil
		}
		if _, ok := t.MethodByName(name); ok {
			return nil, nil
		}
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f, ok := reflect.StructField{}, false
		if t.Kind() == reflect.Struct {
			f, ok = t.FieldByName(name)
		}
		if !ok || !f.IsExported() {
			return nil, c.unknown(n, t, name)
		}
		t = f.Type
	}
	return t, nil
}

func (c *fieldChecker) unknown(n parse.Node, t reflect.Type, name string) error {
	e := c.errorAt(n)
	e.Wrong, e.Right = fmt.Sprintf("there is no field %s", name), fieldsHint
	switch {
	case t == reflect.TypeFor[stableFacts]():
		e.Right = "rules, actions and format are equal for all agents: they have Rules and Actions only"
	case t.Kind() == reflect.Slice:
		e.Wrong, e.Right = fmt.Sprintf("a list has no field %s", name), "go through it with range"
	case t.Kind() == reflect.Struct:
		var names []string
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				names = append(names, t.Field(i).Name)
			}
		}
		e.Right = "want one of " + strings.Join(names, ", ") + "; " + fieldsHint
	}
	return e
}

// exampleFacts have one item in every list, for the check of templates.
func exampleFacts() *Facts {
	f := &Facts{}
	fillExample(reflect.ValueOf(f).Elem())
	return f
}

func fillExample(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Ref]() {
			v.Set(reflect.ValueOf(Ref{kind: RefEntry, n: 1}))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillExample(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillExample(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillExample(v.Elem())
	case reflect.String:
		v.SetString("example")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("llm: facts hold a " + v.Kind().String())
	}
}

// FactField is one field that templates may use.
type FactField struct {
	Path     string   `json:"path"`     // such as .Memory.Goals[].Kind
	Type     string   `json:"type"`     // text, words, quote, handle, number, true or false, list, or a group of fields
	Doc      string   `json:"doc"`      // what it means
	Sections []string `json:"sections"` // sections whose templates see it
}

// FactFields lists the fields of [Facts] in their order.
func FactFields() []FactField {
	var out []FactField
	walkFields(&out, reflect.TypeFor[Facts](), "", nil)
	return out
}

func walkFields(out *[]FactField, t reflect.Type, path string, in []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		seen := in
		if in == nil {
			seen = SectionNames()[SectionIdentity-1:]
			if f.Name == "Rules" || f.Name == "Actions" {
				seen = SectionNames()
			}
		}
		at, ft := path+"."+f.Name, f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		row := FactField{Path: at, Type: typeWord(ft), Doc: f.Tag.Get("doc"), Sections: seen}
		*out = append(*out, row)
		if ft.Kind() == reflect.Slice {
			ft, at = ft.Elem(), at+"[]"
		}
		if typeWord(ft) == "group" {
			walkFields(out, ft, at, seen)
		}
	}
}

func typeWord(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Words]():
		return "words"
	case t == reflect.TypeFor[Quote]():
		return "quote"
	case t == reflect.TypeFor[Ref]():
		return "handle"
	case t == reflect.TypeFor[wire.Tick](), t == reflect.TypeFor[wire.Cycle]():
		return "number"
	}
	switch t.Kind() {
	case reflect.Struct:
		return "group"
	case reflect.Slice:
		return "list"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	default:
		return "number"
	}
}

package codec

import (
	"fmt"
	"reflect"
)

// unionNode is a choice of variants: a bare name for unit variants, else a map with one
// entry from the name to the payload.
type unionNode struct {
	fields []fieldPlan
	want   string
	cached *Shape
}

func (p *planner) union(t reflect.Type) *unionNode {
	n := &unionNode{}
	p.nodes[t] = n
	n.fields = p.fields(t)
	n.want = oneOf(n.names())
	for _, f := range n.fields {
		if k := t.Field(f.index).Type.Kind(); k != reflect.Bool && k != reflect.Pointer {
			panic(fmt.Sprintf("codec: variant %s of %s is neither bool nor pointer", f.name, t))
		}
	}
	return n
}

// variant returns the one that is set.
func (n *unionNode) variant(v reflect.Value) *fieldPlan {
	var found *fieldPlan
	for i := range n.fields {
		if v.Field(n.fields[i].index).IsZero() {
			continue
		}
		if found != nil {
			panic("codec: encode " + v.Type().String() + " with two variants set")
		}
		found = &n.fields[i]
	}
	if found == nil {
		panic("codec: encode " + v.Type().String() + " with no variant set")
	}
	return found
}

func (n *unionNode) append(dst []byte, v reflect.Value) []byte {
	f := n.variant(v)
	if !f.optional {
		return append(dst, f.key...)
	}
	dst = append(AppendMapLen(dst, 1), f.key...)
	return f.node.append(dst, v.Field(f.index))
}

func (n *unionNode) find(key []byte, payload bool) *fieldPlan {
	for i := range n.fields {
		if n.fields[i].name == string(key) && n.fields[i].optional == payload {
			return &n.fields[i]
		}
	}
	return nil
}

func (n *unionNode) decode(r *reader, v reflect.Value) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	v.SetZero()
	c, err := r.peek()
	if err != nil {
		return err
	}
	payload := isMapCode(c)
	if payload {
		count, err := r.mapLen()
		if err != nil {
			return err
		}
		if count != 1 {
			return r.fail(DecodeKindLength, "a map with one entry")
		}
	}
	key, err := r.shortKey()
	if err != nil {
		return err
	}
	f := n.find(key, payload)
	if f == nil {
		return r.fail(DecodeKindValue, n.want)
	}
	fv := v.Field(f.index)
	if !payload {
		fv.SetBool(true)
		return nil
	}
	if absent, err := r.isNil(); absent || err != nil {
		return inField(r.fail(DecodeKindType, "a payload"), f.name)
	}
	return inField(f.node.decode(r, fv), f.name)
}

func (n *unionNode) appendJSON(dst []byte, v reflect.Value) []byte {
	f := n.variant(v)
	name := append(append(append([]byte(nil), '"'), f.name...), '"')
	if !f.optional {
		return append(dst, name...)
	}
	dst = append(append(append(dst, '{'), name...), ':')
	return append(f.node.appendJSON(dst, v.Field(f.index)), '}')
}

func (n *unionNode) fromJSON(j *jsonReader, v reflect.Value) error {
	v.SetZero()
	if j.peek() != '{' {
		s, at, err := j.text(n.want)
		if err != nil {
			return err
		}
		for i := range n.fields {
			if f := &n.fields[i]; !f.optional && equalFoldASCII(f.name, s) {
				v.Field(f.index).SetBool(true)
				return nil
			}
		}
		return &DecodeError{Kind: DecodeKindValue, Offset: at, Want: n.want}
	}
	at, count := j.pos, 0
	err := j.object(func(key []byte) error {
		count++
		for i := range n.fields {
			if f := &n.fields[i]; f.optional && equalFoldASCII(f.name, key) && count == 1 {
				if j.peek() == 'n' {
					break
				}
				return f.node.fromJSON(j, v.Field(f.index))
			}
		}
		return &DecodeError{Kind: DecodeKindValue, Offset: j.pos, Want: n.want}
	})
	if err == nil && count != 1 {
		return &DecodeError{Kind: DecodeKindLength, Offset: at, Want: n.want}
	}
	return err
}

func (n *unionNode) names() []string {
	names := make([]string, len(n.fields))
	for i := range n.fields {
		names[i] = n.fields[i].name
	}
	return names
}

func (n *unionNode) shape() *Shape {
	if n.cached != nil {
		return n.cached
	}
	n.cached = &Shape{Kind: ShapeUnion}
	for i := range n.fields {
		f := FieldShape{Name: n.fields[i].name}
		if n.fields[i].optional {
			f.Shape = n.fields[i].node.shape()
		}
		n.cached.Fields = append(n.cached.Fields, f)
	}
	return n.cached
}

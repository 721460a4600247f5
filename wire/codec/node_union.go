package codec

import (
	"fmt"
	"reflect"
)

// unionNode is a choice of variants: a bare name for unit variants, else a map with one
// entry from the name to the payload.
type unionNode struct {
	fs   []fieldPlan
	want string
	desc *Shape
}

func (p *planner) union(t reflect.Type) *unionNode {
	n := &unionNode{}
	p.made[t] = n
	n.fs = p.fields(t)
	n.want = oneOf(n.names())
	for _, f := range n.fs {
		if k := t.Field(f.i).Type.Kind(); k != reflect.Bool && k != reflect.Pointer {
			panic(fmt.Sprintf("codec: variant %s of %s is neither bool nor pointer", f.name, t))
		}
	}
	return n
}

// variant returns the one that is set.
func (n *unionNode) variant(v reflect.Value) *fieldPlan {
	var found *fieldPlan
	for i := range n.fs {
		if v.Field(n.fs[i].i).IsZero() {
			continue
		}
		if found != nil {
			panic("codec: encode " + v.Type().String() + " with two variants set")
		}
		found = &n.fs[i]
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
	return f.node.append(dst, v.Field(f.i))
}

func (n *unionNode) find(key []byte, payload bool) *fieldPlan {
	for i := range n.fs {
		if n.fs[i].name == string(key) && n.fs[i].optional == payload {
			return &n.fs[i]
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
	fv := v.Field(f.i)
	if !payload {
		fv.SetBool(true)
		return nil
	}
	if absent, err := r.isNil(); absent || err != nil {
		return within(r.fail(DecodeKindType, "a payload"), f.name)
	}
	return within(f.node.decode(r, fv), f.name)
}

func (n *unionNode) appendJSON(dst []byte, v reflect.Value) []byte {
	f := n.variant(v)
	name := append(append(append([]byte(nil), '"'), f.name...), '"')
	if !f.optional {
		return append(dst, name...)
	}
	dst = append(append(append(dst, '{'), name...), ':')
	return append(f.node.appendJSON(dst, v.Field(f.i)), '}')
}

func (n *unionNode) fromJSON(j *jsonReader, v reflect.Value) error {
	v.SetZero()
	if j.kind() != '{' {
		s, at, err := j.text(n.want)
		if err != nil {
			return err
		}
		for i := range n.fs {
			if f := &n.fs[i]; !f.optional && equalFoldASCII(f.name, s) {
				v.Field(f.i).SetBool(true)
				return nil
			}
		}
		return &DecodeError{Kind: DecodeKindValue, Offset: at, Want: n.want}
	}
	at, count := j.pos, 0
	err := j.object(func(key []byte) error {
		count++
		for i := range n.fs {
			if f := &n.fs[i]; f.optional && equalFoldASCII(f.name, key) && count == 1 {
				if j.kind() == 'n' {
					break
				}
				return f.node.fromJSON(j, v.Field(f.i))
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
	names := make([]string, len(n.fs))
	for i := range n.fs {
		names[i] = n.fs[i].name
	}
	return names
}

func (n *unionNode) shape() *Shape {
	if n.desc != nil {
		return n.desc
	}
	n.desc = &Shape{Kind: ShapeUnion}
	for i := range n.fs {
		f := FieldShape{Name: n.fs[i].name}
		if n.fs[i].optional {
			f.Shape = n.fs[i].node.shape()
		}
		n.desc.Fields = append(n.desc.Fields, f)
	}
	return n.desc
}

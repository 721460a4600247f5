package codec

import (
	"reflect"
	"strconv"
)

// maxObjects is how many object fields a struct may have.
const maxObjects = 4

// structNode is a map with fixed keys in declaration order, or, for tuples, a list.
type structNode struct {
	fields []fieldPlan
	tuple  bool
	hasOpt bool // some field is left out when zero
	cached *Shape
}

func (p *planner) structure(t reflect.Type, tuple bool) *structNode {
	n := &structNode{tuple: tuple}
	p.nodes[t] = n
	n.fields = p.fields(t)
	objects := 0
	for _, f := range n.fields {
		n.hasOpt = n.hasOpt || f.opt
		if f.object {
			objects++
		}
	}
	if objects > maxObjects {
		panic("codec: " + t.String() + " has too many object fields")
	}
	if objects > 0 && !reflect.PointerTo(t).Implements(reflect.TypeFor[ObjectOwner]()) {
		panic("codec: " + t.String() + " has an object field but names no form")
	}
	return n
}

// count returns the number of keys that v will have.
func (n *structNode) count(v reflect.Value) int {
	c := len(n.fields)
	if n.hasOpt {
		for i := range n.fields {
			if f := &n.fields[i]; f.opt && v.Field(f.index).IsZero() {
				c--
			}
		}
	}
	return c
}

func (n *structNode) append(dst []byte, v reflect.Value) []byte {
	if n.tuple {
		dst = AppendArrayLen(dst, len(n.fields))
	} else {
		dst = AppendMapLen(dst, n.count(v))
	}
	return n.appendFields(dst, v)
}

func (n *structNode) appendFields(dst []byte, v reflect.Value) []byte {
	for i := range n.fields {
		f := &n.fields[i]
		fv := v.Field(f.index)
		if f.opt && fv.IsZero() {
			continue
		}
		if !n.tuple {
			dst = append(dst, f.key...)
		}
		dst = f.node.append(dst, fv)
	}
	return dst
}

func (n *structNode) decode(r *reader, v reflect.Value) error { return n.decodeBoth(r, v, nil) }

// decodeBoth decodes a map that also has the keys of a second struct, if second is not nil.
func (n *structNode) decodeBoth(r *reader, v reflect.Value, second *secondStruct) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	v.SetZero()
	if n.tuple {
		return n.decodeTuple(r, v)
	}
	count, err := r.mapLen()
	if err != nil {
		return err
	}
	if second != nil {
		second.v.SetZero()
	}
	var seen fieldSet
	next := 0
	for range count {
		key, err := r.shortKey()
		if err != nil {
			return err
		}
		i := n.find(key, next)
		if i < 0 {
			if err := second.field(r, key); err != nil {
				return err
			}
			continue
		}
		if err := n.field(r, v, i, &seen); err != nil {
			return err
		}
		next = i + 1
	}
	if second != nil {
		if err := second.node.complete(r, second.seen); err != nil {
			return err
		}
	}
	return n.complete(r, seen)
}

// fieldSet remembers which fields of a struct were read, by index.
type fieldSet uint64

// field reads the value of field i, which must not have been seen.
func (n *structNode) field(r *reader, v reflect.Value, i int, seen *fieldSet) error {
	f := &n.fields[i]
	if *seen&(1<<i) != 0 {
		return inField(r.fail(DecodeKindDuplicateField, ""), f.name)
	}
	*seen |= 1 << i
	err := f.node.decode(r, v.Field(f.index))
	if err == nil && f.opt && v.Field(f.index).IsZero() {
		err = r.fail(DecodeKindNotCanonical, "to be left out when zero")
	}
	return inField(err, f.name)
}

// complete refuses a map that lacks a required key.
func (n *structNode) complete(r *reader, seen fieldSet) error {
	for i := range n.fields {
		if f := &n.fields[i]; seen&(1<<i) == 0 && !f.optional && !f.opt {
			return inField(r.fail(DecodeKindMissingField, ""), f.name)
		}
	}
	return nil
}

// secondStruct is a second struct whose keys are in the same map.
type secondStruct struct {
	node *structNode
	v    reflect.Value
	seen fieldSet
}

// field reads the value of a key that the first struct does not have; a nil receiver has none
// either.
func (b *secondStruct) field(r *reader, key []byte) error {
	if b != nil {
		if i := b.node.find(key, 0); i >= 0 {
			return b.node.field(r, b.v, i, &b.seen)
		}
	}
	return inField(r.fail(DecodeKindUnknownField, ""), string(key))
}

// find returns the index of a key, trying first the one that canonical order expects.
func (n *structNode) find(key []byte, next int) int {
	if next < len(n.fields) && n.fields[next].name == string(key) {
		return next
	}
	for i := range n.fields {
		if n.fields[i].name == string(key) {
			return i
		}
	}
	return -1
}

func (n *structNode) decodeTuple(r *reader, v reflect.Value) error {
	count, err := r.listLen()
	if err != nil {
		return err
	}
	if count != len(n.fields) {
		return r.fail(DecodeKindLength, "a list of "+strconv.Itoa(len(n.fields)))
	}
	for i := range n.fields {
		if err := n.fields[i].node.decode(r, v.Field(n.fields[i].index)); err != nil {
			return inField(err, n.fields[i].name)
		}
	}
	return nil
}

func (n *structNode) shape() *Shape {
	if n.cached != nil {
		return n.cached
	}
	n.cached = &Shape{Kind: ShapeStruct}
	if n.tuple {
		n.cached.Kind = ShapeTuple
	}
	for i := range n.fields {
		f := &n.fields[i]
		s := f.node.shape()
		switch {
		case f.blocks:
			s = &Shape{Kind: ShapeBlocks}
		case f.object:
			s = &Shape{Kind: ShapeObject}
		case f.max > 0:
			bounded := *s // the shape of an element may be shared
			bounded.Max = f.max
			s = &bounded
		}
		n.cached.Fields = append(n.cached.Fields, FieldShape{
			Name: f.name, Shape: s, Nullable: f.optional, Runtime: f.runtime,
			Required: !f.optional && !f.opt && !f.hasDefault && !f.runtime,
			Zero:     !f.optional && (f.opt || f.hasDefault && !f.defaultValue.IsValid()),
		})
	}
	return n.cached
}

package codec

import (
	"bytes"
	"reflect"
)

func (n *structNode) appendJSON(dst []byte, v reflect.Value) []byte {
	if n.tuple {
		return n.appendJSONTuple(dst, v)
	}
	dst = append(dst, '{')
	first := true
	for i := range n.fs {
		f := &n.fs[i]
		fv := v.Field(f.i)
		if f.runtime || (f.opt || f.optional) && fv.IsZero() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), f.name...), '"', ':')
		if f.object {
			dst = appendObjectJSON(dst, objectFormOf(v, f.name), fv.Bytes())
		} else {
			dst = f.node.appendJSON(dst, fv)
		}
	}
	return append(dst, '}')
}

func (n *structNode) appendJSONTuple(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range n.fs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = n.fs[i].node.appendJSON(dst, v.Field(n.fs[i].i))
	}
	return append(dst, ']')
}

func (n *structNode) fromJSON(j *jsonReader, v reflect.Value) error {
	v.SetZero()
	if n.tuple {
		return n.fromJSONTuple(j, v)
	}
	var seen uint64
	next := 0
	var objects [maxObjects]jsonReader // they wait for the kind that decides their form
	err := j.object(func(key []byte) error {
		i := n.find(key, next)
		if i < 0 || n.fs[i].runtime {
			return j.pass(n)
		}
		f := &n.fs[i]
		if seen&(1<<i) != 0 {
			return j.double()
		}
		if f.fallback && j.null() {
			return nil
		}
		seen |= 1 << i
		next = i + 1
		if f.object {
			objects[n.objectIndex(i)] = *j
			_, err := j.value()
			return err
		}
		return f.node.fromJSON(j, v.Field(f.i))
	})
	if err != nil {
		return err
	}
	for i := range n.fs {
		f := &n.fs[i]
		switch {
		case seen&(1<<i) == 0:
			err = f.absent(j, v.Field(f.i))
		case f.object:
			o := objects[n.objectIndex(i)]
			err = objectFromJSON(&o, objectFormOf(v, f.name), v.Field(f.i))
		}
		if err != nil {
			return within(err, f.name)
		}
	}
	return nil
}

// objectIndex numbers the object fields of the struct.
func (n *structNode) objectIndex(i int) int {
	k := 0
	for _, f := range n.fs[:i] {
		if f.object {
			k++
		}
	}
	return k
}

// known lists the keys that JSON may hold.
func (n *structNode) known() string {
	var b bytes.Buffer
	for i := range n.fs {
		if n.fs[i].runtime {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(n.fs[i].name)
	}
	if b.Len() == 0 {
		return "no field"
	}
	return "only " + b.String()
}

// absent gives a field that JSON leaves out its default.
func (f *fieldPlan) absent(j *jsonReader, v reflect.Value) error {
	if f.fallback {
		switch n := f.node.(type) {
		case enumNode:
			v.SetUint(1)
		case *structNode:
			return n.absent(j, v)
		}
		if f.value.IsValid() {
			v.Set(f.value)
		}
		return nil
	}
	if f.optional || f.opt || f.runtime {
		return nil
	}
	return &DecodeError{Kind: DecodeKindMissingField, Offset: j.pos}
}

// absent gives every field of a struct that JSON leaves out its default.
func (n *structNode) absent(j *jsonReader, v reflect.Value) error {
	for i := range n.fs {
		f := &n.fs[i]
		if err := f.absent(j, v.Field(f.i)); err != nil {
			return within(err, f.name)
		}
	}
	return nil
}

func (n *structNode) fromJSONTuple(j *jsonReader, v reflect.Value) error {
	at, count := j.pos, 0
	err := j.list(func(i int) error {
		if count = i + 1; i >= len(n.fs) {
			return &DecodeError{Kind: DecodeKindLength, Offset: j.pos}
		}
		return n.fs[i].node.fromJSON(j, v.Field(n.fs[i].i))
	})
	if err == nil && count != len(n.fs) {
		return &DecodeError{Kind: DecodeKindLength, Offset: at}
	}
	return err
}

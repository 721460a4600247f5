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
	for i := range n.fields {
		f := &n.fields[i]
		fv := v.Field(f.index)
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
	for i := range n.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = n.fields[i].node.appendJSON(dst, v.Field(n.fields[i].index))
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
		if i < 0 || n.fields[i].runtime {
			return j.skipUnknown(n)
		}
		f := &n.fields[i]
		if seen&(1<<i) != 0 {
			return j.duplicateKey()
		}
		if f.hasDefault && j.null() {
			return nil
		}
		seen |= 1 << i
		next = i + 1
		if f.object {
			objects[n.objectIndex(i)] = *j
			_, err := j.skipValue()
			return err
		}
		return f.node.fromJSON(j, v.Field(f.index))
	})
	if err != nil {
		return err
	}
	for i := range n.fields {
		f := &n.fields[i]
		switch {
		case seen&(1<<i) == 0:
			err = f.setDefault(j, v.Field(f.index))
		case f.object:
			o := objects[n.objectIndex(i)]
			err = objectFromJSON(&o, objectFormOf(v, f.name), v.Field(f.index))
		}
		if err != nil {
			return inField(err, f.name)
		}
	}
	return nil
}

// objectIndex numbers the object fields of the struct.
func (n *structNode) objectIndex(i int) int {
	k := 0
	for _, f := range n.fields[:i] {
		if f.object {
			k++
		}
	}
	return k
}

// allowedKeys lists the keys that JSON may have.
func (n *structNode) allowedKeys() string {
	var b bytes.Buffer
	for i := range n.fields {
		if n.fields[i].runtime {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(n.fields[i].name)
	}
	if b.Len() == 0 {
		return "no field"
	}
	return "only " + b.String()
}

// setDefault sets a field that JSON leaves out to its default, or returns an error if it has none.
func (f *fieldPlan) setDefault(j *jsonReader, v reflect.Value) error {
	if f.hasDefault {
		switch n := f.node.(type) {
		case enumNode:
			v.SetUint(1)
		case *structNode:
			return n.setDefaults(j, v)
		}
		if f.defaultValue.IsValid() {
			v.Set(f.defaultValue)
		}
		return nil
	}
	if f.optional || f.opt || f.runtime {
		return nil
	}
	return &DecodeError{Kind: DecodeKindMissingField, Offset: j.pos}
}

// setDefaults sets every field of a struct that JSON leaves out to its default.
func (n *structNode) setDefaults(j *jsonReader, v reflect.Value) error {
	for i := range n.fields {
		f := &n.fields[i]
		if err := f.setDefault(j, v.Field(f.index)); err != nil {
			return inField(err, f.name)
		}
	}
	return nil
}

func (n *structNode) fromJSONTuple(j *jsonReader, v reflect.Value) error {
	at, count := j.pos, 0
	err := j.list(func(i int) error {
		if count = i + 1; i >= len(n.fields) {
			return &DecodeError{Kind: DecodeKindLength, Offset: j.pos}
		}
		return n.fields[i].node.fromJSON(j, v.Field(n.fields[i].index))
	})
	if err == nil && count != len(n.fields) {
		return &DecodeError{Kind: DecodeKindLength, Offset: at}
	}
	return err
}

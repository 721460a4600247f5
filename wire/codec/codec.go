package codec

import (
	"bytes"
	"reflect"
)

// Codec encodes and decodes one type by its kdom field tags. Build it once into a package
// variable with [New]; it is immutable and safe for concurrent use.
//
// A tag is `kdom:"wire_name"` with options after commas:
//
//	runtime  filled by the agent runtime; never in JSON, in either direction
//	opt      left out when zero
//	default  JSON may leave it out: the zero value, or the first name of an enum;
//	         default=x gives x instead to a text or a float
//	max=n    the bound of a list or a text, for its [Shape]
//	unit     a float that JSON limits to [0,1]
//	object   bytes that hold a canonical map, which JSON may give as an object
//	blocks   bytes that hold content blocks, which JSON may give as a list or as text
//
// The name - keeps a field out of every form.
type Codec[T any] struct {
	plan *Plan
}

// New builds the plan of T. It panics when a field has no kdom tag or a type without a
// wire form: that is an error of the program, found at its start.
func New[T any]() *Codec[T] { return &Codec[T]{PlanOf(reflect.TypeFor[T]())} }

// Append appends the canonical MessagePack of v. It does not allocate when dst has room.
func (c *Codec[T]) Append(dst []byte, v *T) []byte {
	return c.plan.root.append(dst, reflect.ValueOf(v).Elem())
}

// Decode reads b into v by the rules for bodies: known keys in any order, none twice, all
// required ones present, nothing after the value. After an error v is unspecified.
func (c *Codec[T]) Decode(b []byte, v *T) error {
	return WithOp(c.plan.Decode(b, v), c.plan.op)
}

// DecodeCanonical is Decode, but returns an error for bytes that Append would not have written.
func (c *Codec[T]) DecodeCanonical(b []byte, v *T) error {
	if err := c.Decode(b, v); err != nil {
		return err
	}
	if !bytes.Equal(c.Append(make([]byte, 0, len(b)), v), b) {
		return &DecodeError{Kind: DecodeKindNotCanonical, Op: c.plan.op, Want: "the canonical form"}
	}
	return nil
}

// DecodeKeyed reads a map from ids, which are bytes, to values of T, and calls each for every pair. The caller has to
// check the order and form of the ids. It stops at the first error of each.
func (c *Codec[T]) DecodeKeyed(b []byte, each func(key []byte, v *T) error) error {
	r := newReader(b)
	defer r.free()
	n, err := r.mapLen()
	for i := 0; i < n && err == nil; i++ {
		var key []byte
		v := new(T)
		if key, err = r.bin(); err == nil {
			err = c.plan.root.decode(r, reflect.ValueOf(v).Elem())
		}
		if err == nil {
			err = each(key, v)
		}
	}
	if err == nil {
		err = r.end()
	}
	return WithOp(err, c.plan.op)
}

// AppendJSON appends the JSON form that a mind reads and writes; runtime fields and absent
// optional ones are left out.
func (c *Codec[T]) AppendJSON(dst []byte, v *T) []byte {
	return c.plan.root.appendJSON(dst, reflect.ValueOf(v).Elem())
}

// FromJSON reads a mind's JSON into v, leaving runtime fields zero; names may be nil, then
// agent aliases are refused. After an error v is unspecified.
func (c *Codec[T]) FromJSON(raw []byte, v *T, names AliasResolver) error {
	return WithOp(c.plan.FromJSON(raw, v, names), c.plan.op)
}

// FromLooseJSON is FromJSON for text in which something else may follow the value; it returns where that begins. It skips and
// counts keys that a struct of T does not have.
func (c *Codec[T]) FromLooseJSON(raw []byte, v *T, names AliasResolver) (end, ignored int, err error) {
	j := jsonReader{b: raw, names: names, loose: true}
	j.skipSpace()
	err = c.plan.root.fromJSON(&j, reflect.ValueOf(v).Elem())
	return j.pos, j.ignored, err
}

// Shape returns the JSON form of T; it is shared and read-only.
func (c *Codec[T]) Shape() *Shape { return c.plan.Shape() }

// appendFromJSON appends the canonical bytes of the next JSON value.
func (c *Codec[T]) appendFromJSON(dst []byte, j *jsonReader) ([]byte, error) {
	var v T
	if err := c.plan.root.fromJSON(j, reflect.ValueOf(&v).Elem()); err != nil {
		return dst, err
	}
	return c.Append(dst, &v), nil
}

// appendJSONOf appends the JSON of encoded bytes; ok is false when they are no T.
func (c *Codec[T]) appendJSONOf(dst, b []byte) ([]byte, bool) {
	var v T
	if c.Decode(b, &v) != nil {
		return dst, false
	}
	return c.AppendJSON(dst, &v), true
}

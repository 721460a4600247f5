package codec

import (
	"errors"
	"reflect"
)

// Plan is a codec whose Go type is known only at run time; use Codec if it is known before. Values are passed as
// pointers to that type.
type Plan struct {
	typ  reflect.Type
	root node
	op   string
}

// PlanOf builds the plan of a type; it panics as [New] does.
func PlanOf(t reflect.Type) *Plan {
	p := planner{nodes: map[reflect.Type]node{}}
	root := p.node(t)
	root.shape() // fills the shapes of recursive types before anyone shares them
	return &Plan{t, root, "decode " + t.Name()}
}

// New returns a pointer to a zero value.
func (p *Plan) New() any { return reflect.New(p.typ).Interface() }

// Append appends the canonical MessagePack of v.
func (p *Plan) Append(dst []byte, v any) []byte {
	return p.root.append(dst, reflect.ValueOf(v).Elem())
}

// AppendFields appends the keys and values of a struct's map without the map's head, so that
// the caller may add pairs of its own; extra is how many. See [Plan.AppendHead].
func (p *Plan) AppendFields(dst []byte, v any) []byte {
	return p.root.(*structNode).appendFields(dst, reflect.ValueOf(v).Elem())
}

// AppendHead appends the head of a struct's map that will have extra pairs besides its own.
func (p *Plan) AppendHead(dst []byte, v any, extra int) []byte {
	return AppendMapLen(dst, p.root.(*structNode).count(reflect.ValueOf(v).Elem())+extra)
}

// Decode reads b into v by the rules of [Codec.Decode]. Its errors name no operation, see
// [WithOp].
func (p *Plan) Decode(b []byte, v any) error {
	r := newReader(b)
	defer r.free()
	if err := p.root.decode(r, reflect.ValueOf(v).Elem()); err != nil {
		return err
	}
	return r.end()
}

// DecodeBoth reads a map that has the keys of two structs, v of this plan and w of another, in any order.
func (p *Plan) DecodeBoth(b []byte, v any, other *Plan, w any) error {
	r := newReader(b)
	defer r.free()
	second := &secondStruct{node: other.root.(*structNode), v: reflect.ValueOf(w).Elem()}
	if err := p.root.(*structNode).decodeBoth(r, reflect.ValueOf(v).Elem(), second); err != nil {
		return err
	}
	return r.end()
}

// AppendJSON appends the JSON form of v.
func (p *Plan) AppendJSON(dst []byte, v any) []byte {
	return p.root.appendJSON(dst, reflect.ValueOf(v).Elem())
}

// FromJSON reads a mind's JSON into v as [Codec.FromJSON] does.
func (p *Plan) FromJSON(raw []byte, v any, names AliasResolver) error {
	return readJSON(p.root, raw, reflect.ValueOf(v).Elem(), names)
}

// Shape returns the JSON form; it is shared and read-only.
func (p *Plan) Shape() *Shape { return p.root.shape() }

// WithOp adds the operation to a DecodeError that has none yet.
func WithOp(err error, op string) error {
	if err == nil {
		return nil // and &e costs no allocation
	}
	var e *DecodeError
	if errors.As(err, &e) && e.Op == "" {
		e.Op = op
	}
	return err
}

// Type returns the Go type of the values.
func (p *Plan) Type() reflect.Type { return p.typ }

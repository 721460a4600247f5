package codec

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

type boolNode struct{}

func (boolNode) append(dst []byte, v reflect.Value) []byte { return AppendBool(dst, v.Bool()) }

func (boolNode) decode(r *reader, v reflect.Value) error {
	b, err := r.bool()
	v.SetBool(b)
	return err
}

func (boolNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return strconv.AppendBool(dst, v.Bool())
}

func (boolNode) fromJSON(j *jsonReader, v reflect.Value) error {
	b, err := j.bool()
	v.SetBool(b)
	return err
}

func (boolNode) shape() *Shape { return &Shape{Kind: ShapeBool} }

type uintNode struct {
	bits  int
	limit uint64
	want  string
}

func newUintNode(bits int) uintNode {
	limit := uint64(math.MaxUint64) >> (64 - bits)
	return uintNode{bits, limit, fmt.Sprintf("an integer from 0 to %d", limit)}
}

func (n uintNode) append(dst []byte, v reflect.Value) []byte { return AppendUint(dst, v.Uint()) }

func (n uintNode) decode(r *reader, v reflect.Value) error {
	x, err := r.uint(n.limit, n.want)
	if err == nil {
		v.SetUint(x)
	}
	return err
}

func (n uintNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return strconv.AppendUint(dst, v.Uint(), 10)
}

func (n uintNode) fromJSON(j *jsonReader, v reflect.Value) error {
	text, at, err := j.number(n.want)
	if err != nil {
		return err
	}
	x, err := strconv.ParseUint(text, 10, n.bits)
	if err != nil {
		return integerError(text, at, n.want)
	}
	v.SetUint(x)
	return nil
}

// integerError tells a number that is no integer from one that does not fit.
func integerError(text string, at int, want string) error {
	kind := DecodeKindRange
	for _, c := range []byte(text) {
		if c == '.' || c == 'e' || c == 'E' {
			kind = DecodeKindType
		}
	}
	return &DecodeError{Kind: kind, Offset: at, Want: want}
}

func (n uintNode) shape() *Shape { return &Shape{Kind: ShapeUint, Bits: n.bits} }

type intNode struct {
	bits      int
	low, high int64
	want      string
}

func newIntNode(bits int) intNode {
	high := int64(math.MaxInt64) >> (64 - bits)
	return intNode{bits, -high - 1, high, fmt.Sprintf("an integer from %d to %d", -high-1, high)}
}

func (n intNode) append(dst []byte, v reflect.Value) []byte { return AppendInt(dst, v.Int()) }

func (n intNode) decode(r *reader, v reflect.Value) error {
	x, err := r.int(n.low, n.high, n.want)
	if err == nil {
		v.SetInt(x)
	}
	return err
}

func (n intNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return strconv.AppendInt(dst, v.Int(), 10)
}

func (n intNode) fromJSON(j *jsonReader, v reflect.Value) error {
	text, at, err := j.number(n.want)
	if err != nil {
		return err
	}
	x, err := strconv.ParseInt(text, 10, n.bits)
	if err != nil {
		return integerError(text, at, n.want)
	}
	v.SetInt(x)
	return nil
}

func (n intNode) shape() *Shape { return &Shape{Kind: ShapeInt, Bits: n.bits} }

type floatNode struct {
	bits int
	code byte
	want string
	unit bool
}

func newFloatNode(bits int) floatNode {
	if bits == 32 {
		return floatNode{bits: bits, code: codeFloat32, want: "a 32-bit float"}
	}
	return floatNode{bits: bits, code: codeFloat64, want: "a 64-bit float"}
}

func (n floatNode) append(dst []byte, v reflect.Value) []byte {
	if n.bits == 32 {
		return AppendFloat32(dst, float32(v.Float()))
	}
	return AppendFloat64(dst, v.Float())
}

func (n floatNode) decode(r *reader, v reflect.Value) error {
	x, err := r.float(n.code, n.want)
	if err == nil {
		v.SetFloat(x)
	}
	return err
}

func (n floatNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return strconv.AppendFloat(dst, v.Float(), 'g', -1, n.bits)
}

func (n floatNode) fromJSON(j *jsonReader, v reflect.Value) error {
	text, at, err := j.number("a number")
	if err != nil {
		return err
	}
	x, err := strconv.ParseFloat(text, n.bits)
	if err != nil {
		return &DecodeError{Kind: DecodeKindRange, Offset: at, Want: n.want}
	}
	if n.unit && (x < 0 || x > 1) {
		return &DecodeError{Kind: DecodeKindRange, Offset: at, Want: "a number from 0 to 1"}
	}
	v.SetFloat(x + 0)
	return nil
}

func (n floatNode) shape() *Shape { return &Shape{Kind: ShapeFloat, Bits: n.bits, Unit: n.unit} }

package codec

import (
	"reflect"
	"strings"
)

// enumNode is a closed list of names.
type enumNode struct {
	names []string
	want  string
}

func (n enumNode) append(dst []byte, v reflect.Value) []byte {
	return AppendString(dst, n.name(v))
}

func (n enumNode) name(v reflect.Value) string {
	x := v.Uint()
	if x == 0 || x > uint64(len(n.names)) {
		panic("codec: encode " + v.Type().String() + " without a value")
	}
	return n.names[x-1]
}

func (n enumNode) decode(r *reader, v reflect.Value) error {
	key, err := r.shortKey()
	if err != nil {
		return err
	}
	for i, name := range n.names {
		if name == string(key) {
			v.SetUint(uint64(i + 1))
			return nil
		}
	}
	return r.fail(DecodeKindValue, n.want)
}

func (n enumNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return append(append(append(dst, '"'), n.name(v)...), '"')
}

func (n enumNode) fromJSON(j *jsonReader, v reflect.Value) error {
	s, at, err := j.text(n.want)
	if err != nil {
		return err
	}
	for i, name := range n.names {
		if equalFoldASCII(name, s) {
			v.SetUint(uint64(i + 1))
			return nil
		}
	}
	return &DecodeError{Kind: DecodeKindValue, Offset: at, Want: n.want}
}

func (n enumNode) shape() *Shape { return &Shape{Kind: ShapeEnum, Names: n.names} }

func oneOf(names []string) string { return "one of " + strings.Join(names, ", ") }

func equalFoldASCII(name string, s []byte) bool {
	if len(name) != len(s) {
		return false
	}
	for i, c := range s {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if name[i] != c {
			return false
		}
	}
	return true
}

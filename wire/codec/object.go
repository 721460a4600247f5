package codec

import (
	"bytes"
	"errors"
	"reflect"
)

// ObjectForm says in which form JSON may give a field of bytes that contains a canonical map.
type ObjectForm struct {
	// Typed is the codec of the map, nil for a free map.
	Typed Coder
	// List says that Typed is a list.
	List bool
	// Text turns a plain string into the map; nil keeps the string's bytes as they are.
	Text func(s string) []byte
	// Plain says that there is no map: the field holds any bytes, and text that looks like an
	// object is text.
	Plain bool
}

// ObjectOwner is implemented by structs with fields tagged object or blocks; the form may
// depend on fields already decoded, such as the kind of a proposal.
type ObjectOwner interface {
	ObjectForm(field string) ObjectForm
}

// Coder is a Codec of any type, as an object field needs it.
type Coder interface {
	appendFromJSON(dst []byte, j *jsonReader) ([]byte, error)
	appendJSONOf(dst, b []byte) (out []byte, ok bool)
}

func objectFormOf(v reflect.Value, field string) ObjectForm {
	return v.Addr().Interface().(ObjectOwner).ObjectForm(field)
}

// objectFromJSON sets the bytes of an object field from an object, a list or a string.
func objectFromJSON(j *jsonReader, form ObjectForm, v reflect.Value) error {
	switch c := j.peek(); {
	case form.Plain:
		s, at, err := j.text("text")
		if err != nil {
			return err
		}
		b, err := bytesFromText(s, at)
		v.SetBytes(b)
		return err
	case c == '"':
		s, at, err := j.text("text")
		if err != nil {
			return err
		}
		if b, ok, err := objectFromText(s, at, j, form); ok || err != nil {
			v.SetBytes(b)
			return err
		}
		b, err := bytesFromText(s, at)
		if err == nil && form.Text != nil && string(b) == string(s) { // neither hex: nor b64:
			b = form.Text(string(b))
		}
		v.SetBytes(b)
		return err
	case form.Typed != nil && (c == '{' && !form.List || c == '[' && form.List):
		b, err := form.Typed.appendFromJSON(nil, j)
		v.SetBytes(b)
		return err
	case form.Typed == nil && c == '{':
		b, err := freeFromJSON(nil, j)
		v.SetBytes(b)
		return err
	}
	if form.List {
		return j.typeError("text or a list")
	}
	return j.typeError("text or an object")
}

// objectFromText reads a map or list that was written as text, as schemas without free objects
// make minds do. Text that begins like one but is none stays text where text is allowed.
func objectFromText(s []byte, at int, j *jsonReader, form ObjectForm) (b []byte, ok bool, err error) {
	begin := byte('{')
	if form.List {
		begin = '['
	}
	if s = bytes.TrimSpace(s); len(s) == 0 || s[0] != begin {
		return nil, false, nil
	}
	inner := jsonReader{b: bytes.Clone(s), names: j.names, depth: j.depth, loose: j.loose}
	if form.Typed != nil {
		b, err = form.Typed.appendFromJSON(nil, &inner)
	} else {
		b, err = freeFromJSON(nil, &inner)
	}
	j.ignored += inner.ignored
	switch {
	case err == nil && inner.pos == len(inner.b):
		return b, true, nil
	case form.Typed == nil || form.Text != nil:
		return nil, false, nil
	case err == nil:
		err = inner.syntaxError()
	}
	var d *DecodeError
	if errors.As(err, &d) {
		d.Offset = at
	}
	return nil, false, err
}

// appendObjectJSON appends the map behind an object field as JSON, or its bytes as text.
func appendObjectJSON(dst []byte, form ObjectForm, b []byte) []byte {
	if form.Plain {
		return appendJSONBytes(dst, b)
	}
	if form.Typed != nil {
		if out, ok := form.Typed.appendJSONOf(dst, b); ok {
			return out
		}
		return appendJSONBytes(dst, b)
	}
	if out, ok := appendFreeJSON(dst, b); ok {
		return out
	}
	return appendJSONBytes(dst, b)
}

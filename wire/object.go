package wire

import "reflect"

// objectForm says how JSON may give a field of bytes that hold a canonical map.
type objectForm struct {
	// typed is the codec of the map, nil for a free map.
	typed coder
	// list says that typed is a list.
	list bool
	// text turns a plain string into the map; nil keeps the string's bytes as they are.
	text func(s string) []byte
}

// objectOwner is implemented by payloads with such fields; the form may depend on fields
// already decoded, such as the kind of a proposal.
type objectOwner interface {
	objectForm(field string) objectForm
}

func objectFormOf(v reflect.Value, field string) objectForm {
	return v.Addr().Interface().(objectOwner).objectForm(field)
}

// objectFromJSON sets the bytes of an object field from an object, a list or a string.
func objectFromJSON(j *jsonReader, form objectForm, v reflect.Value) error {
	switch c := j.kind(); {
	case c == '"':
		s, at, err := j.text("text")
		if err != nil {
			return err
		}
		b, err := bytesFromText(s, at)
		if err == nil && form.text != nil && (len(s) < 4 || s[3] != ':' || string(b) == string(s)) {
			b = form.text(string(b))
		}
		v.SetBytes(b)
		return err
	case form.typed != nil && (c == '{' && !form.list || c == '[' && form.list):
		b, err := form.typed.appendFromJSON(nil, j)
		v.SetBytes(b)
		return err
	case form.typed == nil && c == '{':
		b, err := freeFromJSON(nil, j)
		v.SetBytes(b)
		return err
	}
	if form.list {
		return j.wrong("text or a list")
	}
	return j.wrong("text or an object")
}

// appendObjectJSON appends the map behind an object field as JSON, or its bytes as text.
func appendObjectJSON(dst []byte, form objectForm, b []byte) []byte {
	if form.typed != nil {
		if out, ok := form.typed.appendJSONOf(dst, b); ok {
			return out
		}
		return appendJSONBytes(dst, b)
	}
	if out, ok := appendFreeJSON(dst, b); ok {
		return out
	}
	return appendJSONBytes(dst, b)
}

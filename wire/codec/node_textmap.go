package codec

import "reflect"

// TextMap is a map from text to text as a mind writes it: pairs in the order written, without
// double keys.
type TextMap []TextEntry

// TextEntry is one pair of a [TextMap].
type TextEntry struct {
	Key   string `kdom:"key"`
	Value string `kdom:"value"`
}

// textMapNode is a list of pairs on the wire and an object in JSON, where a value that is not
// text is kept as its JSON text.
type textMapNode struct{ node }

func (textMapNode) appendJSON(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := v.Index(i)
		dst = append(AppendJSONString(dst, e.Field(0).String()), ':')
		dst = AppendJSONString(dst, e.Field(1).String())
	}
	return append(dst, '}')
}

func (t textMapNode) fromJSON(j *jsonReader, v reflect.Value) error {
	if j.peek() == '[' { // a list of pairs, as schemas without open maps make minds write it
		return pairsFromJSON(j, t.node, v)
	}
	var m TextMap
	seen := map[string]bool{}
	err := j.object(func(key []byte) error {
		if seen[string(key)] {
			return j.duplicateKey()
		}
		seen[string(key)] = true
		var value []byte
		var err error
		if j.peek() == '"' {
			value, _, err = j.text("text")
		} else {
			value, err = j.skipValue()
		}
		m = append(m, TextEntry{string(key), string(value)})
		return err
	})
	v.Set(reflect.ValueOf(m))
	return err
}

func pairsFromJSON(j *jsonReader, list node, v reflect.Value) error {
	at := j.pos
	if err := list.fromJSON(j, v); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range v.Len() {
		key := v.Index(i).Field(0).String()
		if seen[key] {
			return &DecodeError{Kind: DecodeKindDuplicateField, Offset: at, Field: key}
		}
		seen[key] = true
	}
	return nil
}

func (textMapNode) shape() *Shape { return &Shape{Kind: ShapeTextMap} }

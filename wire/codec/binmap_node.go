package codec

import (
	"reflect"
	"slices"
	"strings"
)

// binMapNode is a free map from text to bytes, keys sorted.
type binMapNode struct{}

func (binMapNode) append(dst []byte, v reflect.Value) []byte {
	dst = AppendMapLen(dst, v.Len())
	for i := range v.Len() {
		e := v.Index(i)
		dst = AppendString(dst, CleanText(e.Field(0).String()))
		dst = AppendBytes(dst, e.Field(1).Bytes())
	}
	return dst
}

func (binMapNode) decode(r *reader, v reflect.Value) error {
	count, err := r.mapLen()
	if err != nil {
		return err
	}
	var m BinMap
	for range count {
		key, err := r.str()
		if err != nil {
			return err
		}
		value, err := r.bin()
		if err != nil {
			return inField(err, key)
		}
		m = append(m, BinEntry{key, value})
	}
	v.Set(reflect.ValueOf(m))
	return m.sortKeys(r.offset())
}

// sortKeys orders entries that came in any order and refuses double keys.
func (m BinMap) sortKeys(at int) error {
	slices.SortFunc(m, func(a, b BinEntry) int { return strings.Compare(a.Key, b.Key) })
	for i := 1; i < len(m); i++ {
		if m[i].Key == m[i-1].Key {
			return &DecodeError{Kind: DecodeKindDuplicateField, Field: m[i].Key, Offset: at}
		}
	}
	return nil
}

func (binMapNode) appendJSON(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := v.Index(i)
		dst = append(AppendJSONString(dst, e.Field(0).String()), ':')
		dst = appendJSONBytes(dst, e.Field(1).Bytes())
	}
	return append(dst, '}')
}

func (binMapNode) fromJSON(j *jsonReader, v reflect.Value) error {
	var m BinMap
	err := j.object(func(key []byte) error {
		s, at, err := j.text("text")
		if err != nil {
			return err
		}
		value, err := bytesFromText(s, at)
		m = append(m, BinEntry{string(key), value})
		return err
	})
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(m))
	return m.sortKeys(j.pos)
}

func (binMapNode) shape() *Shape { return &Shape{Kind: ShapeBinMap} }

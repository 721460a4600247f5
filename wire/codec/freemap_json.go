package codec

import (
	"bytes"
	"slices"
	"strconv"
)

// freeFromJSON appends the canonical form of the next JSON value: integers stay integers,
// other numbers become f64, text with the prefix hex: or b64: becomes bytes.
func freeFromJSON(dst []byte, j *jsonReader) ([]byte, error) {
	switch j.peek() {
	case '{':
		return freeMapFromJSON(dst, j)
	case '[':
		return freeListFromJSON(dst, j)
	case '"':
		s, at, err := j.text("text")
		if err != nil {
			return dst, err
		}
		if bytes.HasPrefix(s, []byte("hex:")) || bytes.HasPrefix(s, []byte("b64:")) {
			b, err := bytesFromText(s, at)
			return AppendBytes(dst, b), err
		}
		return append(AppendStringLen(dst, len(s)), s...), nil
	case 'n':
		if !j.null() {
			return dst, j.syntaxError()
		}
		return AppendNil(dst), nil
	case 't', 'f':
		b, err := j.bool()
		return AppendBool(dst, b), err
	}
	return freeNumberFromJSON(dst, j)
}

func freeNumberFromJSON(dst []byte, j *jsonReader) ([]byte, error) {
	text, at, err := j.number("a value")
	if err != nil {
		return dst, err
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return AppendUint(dst, u), nil
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return AppendInt(dst, i), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return dst, &DecodeError{Kind: DecodeKindRange, Offset: at, Want: "a 64-bit number"}
	}
	return AppendFloat64(dst, f), nil
}

func freeListFromJSON(dst []byte, j *jsonReader) ([]byte, error) {
	var items []byte
	count := 0
	err := j.list(func(i int) (err error) {
		count = i + 1
		items, err = freeFromJSON(items, j)
		return err
	})
	return append(AppendArrayLen(dst, count), items...), err
}

func freeMapFromJSON(dst []byte, j *jsonReader) ([]byte, error) {
	type pair struct{ key, value []byte }
	var pairs []pair
	err := j.object(func(key []byte) error {
		value, err := freeFromJSON(nil, j)
		pairs = append(pairs, pair{bytes.Clone(key), value})
		return err
	})
	if err != nil {
		return dst, err
	}
	slices.SortFunc(pairs, func(a, b pair) int { return bytes.Compare(a.key, b.key) })
	dst = AppendMapLen(dst, len(pairs))
	for i, p := range pairs {
		if i > 0 && bytes.Equal(p.key, pairs[i-1].key) {
			return dst, inField(&DecodeError{Kind: DecodeKindDuplicateField, Offset: j.pos}, string(p.key))
		}
		dst = append(append(AppendStringLen(dst, len(p.key)), p.key...), p.value...)
	}
	return dst, nil
}

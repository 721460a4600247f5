package codec

import (
	"bytes"
	"encoding/hex"
	"strconv"
)

// Free maps are the parts of the protocol that have no fixed fields: message contents, CUSTOM
// descriptions, custom escrow conditions. Their canonical form has sorted text keys at every
// level and MessagePack's value types without extensions.

// CheckFreeMap returns an error unless b is exactly one canonical free map.
func CheckFreeMap(b []byte) error {
	const op = "check free map"
	r := newReader(b)
	defer r.free()
	if c, err := r.peek(); err != nil || !isMapCode(c) {
		return &DecodeError{Kind: DecodeKindType, Op: op, Want: "a map"}
	}
	out, err := appendFree(make([]byte, 0, len(b)), r, freeBytes)
	if err == nil {
		err = r.end()
	}
	if err == nil && !bytes.Equal(out, b) {
		err = &DecodeError{Kind: DecodeKindNotCanonical, Want: "the shortest form of each value"}
	}
	return WithOp(err, op)
}

// FreeMapEntries calls entry for each pair of a free map in the order of the keys. value is a string, a []byte, a
// uint64, or nil for a value of any other type. It returns the errors of CheckFreeMap before the first call.
func FreeMapEntries(b []byte, entry func(key string, value any)) error {
	if err := CheckFreeMap(b); err != nil {
		return err
	}
	r := newReader(b)
	defer r.free()
	n, err := r.mapLen()
	for i := 0; i < n && err == nil; i++ {
		var key string
		var value any
		if key, err = r.str(); err == nil {
			value, err = r.entryValue()
		}
		if err == nil {
			entry(key, value)
		}
	}
	return WithOp(err, "read free map")
}

// entryValue reads the next value of a free map, see [FreeMapEntries].
func (r *reader) entryValue() (any, error) {
	c, err := r.peek()
	switch {
	case err != nil:
		return nil, err
	case isStrCode(c):
		return r.str()
	case isBinCode(c):
		return r.bin()
	case isUintCode(c):
		return r.uint(1<<64-1, "an integer")
	}
	if r.dec.Skip() != nil {
		return nil, r.fail(DecodeKindSyntax, "a value")
	}
	return nil, nil
}

// appendFreeJSON appends the JSON form of a canonical free map; ok is false for any other bytes.
func appendFreeJSON(dst, b []byte) (out []byte, ok bool) {
	if CheckFreeMap(b) != nil {
		return dst, false
	}
	r := newReader(b)
	defer r.free()
	out, err := appendFree(dst, r, freeJSON)
	return out, err == nil
}

// freeForm is how appendFree writes what it reads.
type freeForm uint8

const (
	freeBytes  freeForm = iota + 1
	freeSorted          // canonical MessagePack of maps whose keys come in any order
	freeJSON
)

// appendFree reads one value and appends it again, as canonical MessagePack or as JSON. Keys
// must be text, and sorted unless form is freeSorted.
func appendFree(dst []byte, r *reader, form freeForm) ([]byte, error) {
	c, err := r.peek()
	if err != nil {
		return dst, err
	}
	switch {
	case isMapCode(c):
		return appendFreeMap(dst, r, form)
	case isListCode(c):
		return appendFreeList(dst, r, form)
	case isStrCode(c):
		s, err := r.str()
		if form == freeJSON {
			return AppendJSONString(dst, s), err
		}
		return AppendString(dst, s), err
	case isBinCode(c):
		b, err := r.bin()
		if form == freeJSON {
			return append(hex.AppendEncode(append(dst, `"hex:`...), b), '"'), err
		}
		return AppendBytes(dst, b), err
	case isUintCode(c):
		v, err := r.uint(1<<64-1, "an integer")
		if form == freeJSON {
			return strconv.AppendUint(dst, v, 10), err
		}
		return AppendUint(dst, v), err
	case isIntCode(c):
		v, err := r.int(-1<<63, 1<<63-1, "an integer")
		if form == freeJSON {
			return strconv.AppendInt(dst, v, 10), err
		}
		return AppendInt(dst, v), err
	}
	return appendFreeScalar(dst, r, form, c)
}

func appendFreeScalar(dst []byte, r *reader, form freeForm, c byte) ([]byte, error) {
	switch c {
	case codeNil:
		_, err := r.isNil()
		if form == freeJSON {
			return append(dst, "null"...), err
		}
		return AppendNil(dst), err
	case codeTrue, codeFalse:
		v, err := r.bool()
		if form == freeJSON {
			return strconv.AppendBool(dst, v), err
		}
		return AppendBool(dst, v), err
	case codeFloat32, codeFloat64:
		v, err := r.float(c, "a number")
		switch {
		case err != nil:
			return dst, err
		case form == freeJSON:
			return appendJSONFloat(dst, v), nil
		case c == codeFloat32:
			return AppendFloat32(dst, float32(v)), nil
		}
		return AppendFloat64(dst, v), nil
	}
	return dst, r.fail(DecodeKindType, "no extension types")
}

// appendJSONFloat appends a float64 so that it reads back as a float, never as an integer.
func appendJSONFloat(dst []byte, v float64) []byte {
	n := len(dst)
	dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	if bytes.ContainsAny(dst[n:], ".e") {
		return dst
	}
	return append(dst, ".0"...)
}

func appendFreeList(dst []byte, r *reader, form freeForm) ([]byte, error) {
	n, err := r.listLen()
	if err != nil {
		return dst, err
	}
	if err := r.enter(); err != nil {
		return dst, err
	}
	defer r.leave()
	if form == freeJSON {
		dst = append(dst, '[')
	} else {
		dst = AppendArrayLen(dst, n)
	}
	for i := range n {
		if form == freeJSON && i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendFree(dst, r, form); err != nil {
			return dst, inField(err, "["+strconv.Itoa(i)+"]")
		}
	}
	if form == freeJSON {
		dst = append(dst, ']')
	}
	return dst, nil
}

func appendFreeMap(dst []byte, r *reader, form freeForm) ([]byte, error) {
	n, err := r.mapLen()
	if err != nil {
		return dst, err
	}
	if err := r.enter(); err != nil {
		return dst, err
	}
	defer r.leave()
	if form == freeSorted {
		return appendFreeSorted(dst, r, n)
	}
	if form == freeJSON {
		dst = append(dst, '{')
	} else {
		dst = AppendMapLen(dst, n)
	}
	last := ""
	for i := range n {
		key, err := r.str()
		if err != nil {
			return dst, err
		}
		if i > 0 && key <= last {
			return dst, inField(r.fail(DecodeKindNotCanonical, "keys in ascending order"), key)
		}
		last = key
		if form == freeBytes {
			dst = AppendString(dst, key)
		} else {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendJSONString(dst, key), ':')
		}
		if dst, err = appendFree(dst, r, form); err != nil {
			return dst, inField(err, key)
		}
	}
	if form == freeJSON {
		dst = append(dst, '}')
	}
	return dst, nil
}

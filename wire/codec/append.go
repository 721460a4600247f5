package codec

import (
	"encoding/binary"
	"math"
)

// MessagePack's first bytes. The append functions below write the one canonical form of each
// value; a test holds them to the bytes of the msgpack library with compact integers.
const (
	codeNil     = 0xC0
	codeFalse   = 0xC2
	codeTrue    = 0xC3
	codeBin8    = 0xC4
	codeBin16   = 0xC5
	codeBin32   = 0xC6
	codeFloat32 = 0xCA
	codeFloat64 = 0xCB
	codeUint8   = 0xCC
	codeUint16  = 0xCD
	codeUint32  = 0xCE
	codeUint64  = 0xCF
	codeInt8    = 0xD0
	codeInt16   = 0xD1
	codeInt32   = 0xD2
	codeInt64   = 0xD3
	codeStr8    = 0xD9
	codeStr16   = 0xDA
	codeStr32   = 0xDB
	codeArray16 = 0xDC
	codeArray32 = 0xDD
	codeMap16   = 0xDE
	codeMap32   = 0xDF
)

// AppendNil appends nil.
func AppendNil(dst []byte) []byte { return append(dst, codeNil) }

// AppendBool appends a boolean.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, codeTrue)
	}
	return append(dst, codeFalse)
}

// AppendUint appends a non-negative integer in its shortest form.
func AppendUint(dst []byte, v uint64) []byte {
	switch {
	case v < 1<<7:
		return append(dst, byte(v))
	case v < 1<<8:
		return append(dst, codeUint8, byte(v))
	case v < 1<<16:
		return binary.BigEndian.AppendUint16(append(dst, codeUint16), uint16(v))
	case v < 1<<32:
		return binary.BigEndian.AppendUint32(append(dst, codeUint32), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(dst, codeUint64), v)
}

// AppendInt appends an integer in its shortest form; non-negative ones are unsigned.
func AppendInt(dst []byte, v int64) []byte {
	switch {
	case v >= 0:
		return AppendUint(dst, uint64(v))
	case v >= -32:
		return append(dst, byte(v))
	case v >= math.MinInt8:
		return append(dst, codeInt8, byte(v))
	case v >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, codeInt16), uint16(v))
	case v >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, codeInt32), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(dst, codeInt64), uint64(v))
}

// AppendFloat32 appends a float32. NaN and infinities have no wire form and panic; -0 is 0.
func AppendFloat32(dst []byte, v float32) []byte {
	if !finite(float64(v)) {
		panic("codec: encode a float32 that is NaN or infinite")
	}
	if v == 0 {
		return append(dst, codeFloat32, 0, 0, 0, 0)
	}
	return binary.BigEndian.AppendUint32(append(dst, codeFloat32), math.Float32bits(v))
}

// AppendFloat64 appends a float64, by the rules of AppendFloat32.
func AppendFloat64(dst []byte, v float64) []byte {
	if !finite(v) {
		panic("codec: encode a float64 that is NaN or infinite")
	}
	if v == 0 {
		return append(dst, codeFloat64, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	return binary.BigEndian.AppendUint64(append(dst, codeFloat64), math.Float64bits(v))
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// AppendString appends text.
func AppendString(dst []byte, s string) []byte {
	return append(AppendStringLen(dst, len(s)), s...)
}

// AppendStringLen appends the head of a text of n bytes.
func AppendStringLen(dst []byte, n int) []byte {
	switch {
	case n < 32:
		return append(dst, 0xA0|byte(n))
	case n < 1<<8:
		return append(dst, codeStr8, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(dst, codeStr16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, codeStr32), uint32(n))
}

// AppendBytes appends bytes; nil is the empty byte string.
func AppendBytes[B ~[]byte | ~string](dst []byte, b B) []byte {
	n := len(b)
	switch {
	case n < 1<<8:
		dst = append(dst, codeBin8, byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, codeBin16), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint32(append(dst, codeBin32), uint32(n))
	}
	return append(dst, b...)
}

// AppendArrayLen appends the head of a list of n items.
func AppendArrayLen(dst []byte, n int) []byte {
	switch {
	case n < 16:
		return append(dst, 0x90|byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(dst, codeArray16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, codeArray32), uint32(n))
}

// AppendMapLen appends the head of a map of n pairs.
func AppendMapLen(dst []byte, n int) []byte {
	switch {
	case n < 16:
		return append(dst, 0x80|byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(dst, codeMap16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, codeMap32), uint32(n))
}

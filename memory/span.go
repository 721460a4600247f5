package memory

import (
	"encoding/binary"
	"errors"
)

// A map whose keys are no names is cut into its pairs here, before the codec reads the
// values. Only what canonical MessagePack can hold is known.

var errCut = errors.New("bytes are no complete MessagePack value")

// openMap reads the head of a map.
func openMap(b []byte) (n int, rest []byte, err error) {
	switch {
	case len(b) >= 1 && b[0]&0xf0 == 0x80:
		return int(b[0] & 0x0f), b[1:], nil
	case len(b) >= 3 && b[0] == 0xde:
		return int(binary.BigEndian.Uint16(b[1:])), b[3:], nil
	}
	return 0, nil, errCut
}

// nextPair cuts a key and a value off the front.
func nextPair(b []byte) (key, value, rest []byte, err error) {
	k, ok := span(b)
	if !ok {
		return nil, nil, nil, errCut
	}
	v, ok := span(b[k:])
	if !ok {
		return nil, nil, nil, errCut
	}
	return b[:k], b[k : k+v], b[k+v:], nil
}

// span returns the bytes of the first value in b.
func span(b []byte) (n int, ok bool) {
	if len(b) == 0 {
		return 0, false
	}
	head, payload, items := 1, 0, 0
	c := b[0]
	switch {
	case c <= 0x7f || c >= 0xe0 || c == 0xc0 || c == 0xc2 || c == 0xc3:
	case c <= 0x8f:
		items = 2 * int(c&0x0f)
	case c <= 0x9f:
		items = int(c & 0x0f)
	case c <= 0xbf:
		payload = int(c & 0x1f)
	case c >= 0xc4 && c <= 0xc6:
		head, payload = lengthAt(b, 1<<(c-0xc4))
	case c == 0xca || c == 0xcb:
		payload = 4 << (c - 0xca)
	case c >= 0xcc && c <= 0xcf:
		payload = 1 << (c - 0xcc)
	case c >= 0xd0 && c <= 0xd3:
		payload = 1 << (c - 0xd0)
	case c >= 0xd9 && c <= 0xdb:
		head, payload = lengthAt(b, 1<<(c-0xd9))
	case c == 0xdc || c == 0xdd:
		head, items = lengthAt(b, 2<<(c-0xdc))
	case c == 0xde || c == 0xdf:
		head, items = lengthAt(b, 2<<(c-0xde))
		items *= 2
	default:
		return 0, false
	}
	n = head + payload
	if n > len(b) {
		return 0, false
	}
	for range items {
		m, ok := span(b[n:])
		if !ok {
			return 0, false
		}
		n += m
	}
	return n, true
}

// lengthAt reads the big-endian length of size bytes that follows the code; a head that
// b does not hold is reported as longer than b.
func lengthAt(b []byte, size int) (head, length int) {
	if len(b) < 1+size {
		return len(b) + 1, 0
	}
	for _, c := range b[1 : 1+size] {
		length = length<<8 | int(c)
	}
	return 1 + size, length
}

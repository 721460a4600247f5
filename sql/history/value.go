package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/s2"
)

// First bytes of packed values. No map of MessagePack begins with one, so that values of earlier versions,
// which are plain, are known by theirs.
const (
	packedValue = 2 // without words, as earlier versions packed them all
	wordedValue = 3
	denseValue  = 4
	namedValue  = 5 // of a record of the world
)

// plainFrom is the least first byte of a value that may stand as it is: maps begin with more.
const plainFrom = 0x80

var errLong = errors.New("it is too long")

// AppendPacked appends the packed form of a column's value, such as what an agent knows: the byte 3, the CRC-32C of
// what follows (little-endian), the generation of its words as an unsigned varint, and one S2 block with the value,
// in which references stand for its words. Such values are written again every few cycles, so S2 is used, which takes
// a tenth of the time of the compression of blobs. A value that would not get shorter may be appended as it is. A
// value that is not MessagePack has no words and begins with 2.
func (w *Words) AppendPacked(dst, raw []byte) []byte { return w.appendValue(dst, raw, wordedValue) }

// AppendDense is AppendPacked for what is written seldom and lies long, such as all that an agent remembers: its first
// byte is 4 and its block a frame of zstd, which takes a quarter less room and several times the CPU.
func (w *Words) AppendDense(dst, raw []byte) []byte { return w.appendValue(dst, raw, denseValue) }

func (w *Words) appendValue(dst, raw []byte, format byte) []byte {
	if len(raw) == 0 {
		return dst
	}
	at := len(dst)
	dst = append(slices.Grow(dst, headLen), format, 0, 0, 0, 0)
	short, ok := shorten(w.short[:0], raw, w.number)
	w.short = short
	if ok {
		dst = binary.AppendUvarint(dst, w.Generation)
	} else {
		dst[at], short = packedValue, raw
	}
	dst = appendBlock(dst, at, short)
	if raw[0] >= plainFrom && len(dst)-at >= len(raw) {
		return append(dst[:at], raw...)
	}
	return dst
}

// appendBlock appends raw as the block that ends the value that begins at a place of dst, and puts in its checksum. The
// first byte of the value says how raw is packed.
func appendBlock(dst []byte, at int, raw []byte) []byte {
	if dst[at] == denseValue {
		dst = packer().EncodeAll(raw, dst)
	} else {
		dst = slices.Grow(dst, s2.MaxEncodedLen(len(raw)))
		dst = dst[:len(dst)+len(s2.Encode(dst[len(dst):cap(dst)], raw))]
	}
	binary.LittleEndian.PutUint32(dst[at+1:], crc32.Checksum(dst[at+headLen:], castagnoli))
	return dst
}

// IsPacked reports whether a value was packed by [Words.AppendPacked] or [Words.AppendDense].
func IsPacked(b []byte) bool { return len(b) > 0 && b[0] >= packedValue && b[0] <= denseValue }

// hasWords says whether a packed value names words.
func hasWords(b []byte) bool { return b[0] == wordedValue || b[0] == denseValue }

// GenerationOf returns the generation whose words a value refers to; needs is false if it refers to none.
func GenerationOf(b []byte) (g uint64, needs bool) {
	if len(b) < headLen || !hasWords(b) {
		return 0, false
	}
	g, n := binary.Uvarint(b[headLen:])
	return g, n > 0
}

// UnpackValue is the reverse of AppendPacked. words returns a word of a generation by its number.
func UnpackValue(b []byte, words func(generation, n uint64) ([]byte, error)) ([]byte, error) {
	if len(b) == 0 || b[0] >= plainFrom {
		return b, nil
	}
	if !IsPacked(b) {
		return nil, fmt.Errorf("its format is %d, this program reads %d to %d; use the kingdom that wrote the run", b[0], packedValue, denseValue)
	}
	if len(b) < headLen || crc32.Checksum(b[headLen:], castagnoli) != binary.LittleEndian.Uint32(b[1:]) {
		return nil, errChanged
	}
	block := b[headLen:]
	generation, size := uint64(0), 0
	if hasWords(b) {
		if generation, size = binary.Uvarint(block); size <= 0 {
			return nil, errRows
		}
		block = block[size:]
	}
	raw, err := unblock(b[0], block)
	if err == nil && hasWords(b) {
		raw, err = lengthen(raw, func(n uint64) ([]byte, error) { return words(generation, n) })
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return raw, nil
}

// unblock unpacks the block of a value of a format.
func unblock(format byte, block []byte) ([]byte, error) {
	if format == denseValue {
		return unpacker().DecodeAll(block, nil)
	}
	n, err := s2.DecodedLen(block)
	if err == nil && n > rawLimit {
		err = errLong
	}
	if err != nil {
		return nil, err
	}
	return s2.Decode(nil, block)
}

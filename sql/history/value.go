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
	packedValue = 2 // S2, without words; the only format of earlier versions
	wordedValue = 3 // S2, with words
	denseValue  = 4 // zstd, with words
	namedValue  = 5 // a record of the world, with numbers for names
)

// minPlainByte is the lowest first byte of a value that is stored unpacked: maps of MessagePack begin with it or more.
const minPlainByte = 0x80

var errTooLong = errors.New("it is too long; " + damaged)

// AppendPacked appends the packed form of a column's value, such as what an agent knows: the byte 3, the CRC-32C of
// what follows (little-endian), the generation of its words as an unsigned varint, and one S2 block with the value,
// in which references stand for its words. Such values are written again every few cycles, so S2 is used, which takes
// a tenth of the time of the compression of blobs. A value that would not get shorter may be appended as it is. A
// value that is not MessagePack has no words and begins with 2.
func (w *Words) AppendPacked(dst, raw []byte) []byte { return w.appendValue(dst, raw, wordedValue) }

// AppendDense is AppendPacked for values that are written seldom and kept long, such as all that an agent remembers: the
// first byte is 4 and the block is a frame of zstd, which needs a quarter less space and several times the CPU.
func (w *Words) AppendDense(dst, raw []byte) []byte { return w.appendValue(dst, raw, denseValue) }

func (w *Words) appendValue(dst, raw []byte, format byte) []byte {
	if len(raw) == 0 {
		return dst
	}
	at := len(dst)
	dst = append(slices.Grow(dst, headerLen), format, 0, 0, 0, 0)
	short, ok := replaceWords(w.buf[:0], raw, w.number)
	w.buf = short
	if ok {
		dst = binary.AppendUvarint(dst, w.Generation)
	} else {
		dst[at], short = packedValue, raw
	}
	dst = appendBlock(dst, at, short)
	if raw[0] >= minPlainByte && len(dst)-at >= len(raw) {
		return append(dst[:at], raw...)
	}
	return dst
}

// appendBlock compresses raw, appends it to the value that begins at offset at of dst, and sets the checksum of the
// value. The first byte of the value selects the compression.
func appendBlock(dst []byte, at int, raw []byte) []byte {
	if dst[at] == denseValue {
		dst = encoder().EncodeAll(raw, dst)
	} else {
		dst = slices.Grow(dst, s2.MaxEncodedLen(len(raw)))
		dst = dst[:len(dst)+len(s2.Encode(dst[len(dst):cap(dst)], raw))]
	}
	binary.LittleEndian.PutUint32(dst[at+1:], crc32.Checksum(dst[at+headerLen:], castagnoli))
	return dst
}

// IsPacked reports whether a value was packed by [Words.AppendPacked] or [Words.AppendDense].
func IsPacked(b []byte) bool { return len(b) > 0 && b[0] >= packedValue && b[0] <= denseValue }

// refersToWords reports whether a packed value has references to words.
func refersToWords(b []byte) bool { return b[0] == wordedValue || b[0] == denseValue }

// GenerationOf returns the generation whose words a value refers to; needs is false if it refers to none.
func GenerationOf(b []byte) (g uint64, needs bool) {
	if len(b) < headerLen || !refersToWords(b) {
		return 0, false
	}
	g, n := binary.Uvarint(b[headerLen:])
	return g, n > 0
}

// UnpackValue is the reverse of AppendPacked. words returns a word of a generation by its number.
func UnpackValue(b []byte, words func(generation, n uint64) ([]byte, error)) ([]byte, error) {
	if len(b) == 0 || b[0] >= minPlainByte {
		return b, nil
	}
	if !IsPacked(b) {
		return nil, fmt.Errorf("its format is %d, this program reads %d to %d; use the kingdom that wrote the run", b[0], packedValue, denseValue)
	}
	if len(b) < headerLen || crc32.Checksum(b[headerLen:], castagnoli) != binary.LittleEndian.Uint32(b[1:]) {
		return nil, ErrChanged
	}
	block := b[headerLen:]
	generation, size := uint64(0), 0
	if refersToWords(b) {
		if generation, size = binary.Uvarint(block); size <= 0 {
			return nil, errTruncated
		}
		block = block[size:]
	}
	raw, err := decompressBlock(b[0], block)
	if err == nil && refersToWords(b) {
		raw, err = expandWords(raw, func(n uint64) ([]byte, error) { return words(generation, n) })
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return raw, nil
}

// decompressBlock decompresses the block of a value of this format.
func decompressBlock(format byte, block []byte) ([]byte, error) {
	if format == denseValue {
		return decoder().DecodeAll(block, nil)
	}
	n, err := s2.DecodedLen(block)
	if err == nil && n > rawLimit {
		err = errTooLong
	}
	if err != nil {
		return nil, err
	}
	return s2.Decode(nil, block)
}

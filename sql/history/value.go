package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/s2"
)

// packedValue is the first byte of a packed value. No map of MessagePack begins with it, so that values of
// earlier versions, which are plain, are known by theirs.
const packedValue = 2

// plainFrom is the least first byte of a value that may stand as it is: maps begin with more.
const plainFrom = 0x80

// AppendPacked appends a value of a column, such as what an agent knows, packed: the byte 2, the CRC-32C of what
// follows, little-endian, and one block of S2. Such values are written over again every few cycles, so they are packed
// ten times faster than rows of the history, to a half or a third. A value that gets no shorter may stay as it is.
func AppendPacked(dst, raw []byte) []byte {
	if len(raw) == 0 {
		return dst
	}
	at := len(dst)
	dst = append(slices.Grow(dst, headLen+s2.MaxEncodedLen(len(raw))), packedValue, 0, 0, 0, 0)
	block := s2.Encode(dst[len(dst):cap(dst)], raw)
	if raw[0] >= plainFrom && headLen+len(block) >= len(raw) {
		return append(dst[:at], raw...)
	}
	binary.LittleEndian.PutUint32(dst[at+1:], crc32.Checksum(block, castagnoli))
	return dst[:len(dst)+len(block)]
}

// IsPacked says whether a value is one that AppendPacked made shorter.
func IsPacked(b []byte) bool { return len(b) > 0 && b[0] == packedValue }

// UnpackValue is the reverse of AppendPacked.
func UnpackValue(b []byte) ([]byte, error) {
	if len(b) == 0 || b[0] >= plainFrom {
		return b, nil
	}
	if !IsPacked(b) {
		return nil, fmt.Errorf("its format is %d, this program reads %d; use the kingdom that wrote the run", b[0], packedValue)
	}
	if len(b) < headLen || crc32.Checksum(b[headLen:], castagnoli) != binary.LittleEndian.Uint32(b[1:]) {
		return nil, errChanged
	}
	n, err := s2.DecodedLen(b[headLen:])
	if err == nil && n > rawLimit {
		err = errors.New("it is too long")
	}
	var raw []byte
	if err == nil {
		raw, err = s2.Decode(nil, b[headLen:])
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return raw, nil
}

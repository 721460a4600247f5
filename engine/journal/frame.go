package journal

import (
	"encoding/binary"
	"hash/crc32"

	"kingdom/wire"
)

// Kind says what a record is. The caller numbers its kinds from 1.
type Kind uint8

// HeaderLen is the length of a segment's header in bytes.
const HeaderLen = 4 + 2 + 4 + 32 + 4

// The journal is a sequence of segment files. A segment is a header and then records:
//
//	header  magic "KJNL" ‖ u16 version ‖ u32 segment ‖ 32 bytes run digest ‖ u32 crc
//	record  u32 length ‖ u32 crc of (segment, ordinal, length) ‖ body ‖ u32 crc of body
//	body    u8 kind ‖ bytes of the caller, a MessagePack map
//
// All integers are big-endian and all checksums CRC32C. The length has a checksum
// of its own, over the record's place too, so that a flipped byte is not
// taken for the end of the file, and lost, doubled or swapped records are noticed.
// Only a record that the end of the file cuts short counts as torn.
const (
	magic     = "KJNL"
	version   = 1
	prefixLen = 8
	maxRecord = 1 << 26
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// AppendHeader appends the header of a segment of the run with this digest.
func AppendHeader(dst []byte, segment uint32, run wire.Hash) []byte {
	at := len(dst)
	dst = append(dst, magic...)
	dst = binary.BigEndian.AppendUint16(dst, version)
	dst = binary.BigEndian.AppendUint32(dst, segment)
	dst = append(dst, run[:]...)
	return binary.BigEndian.AppendUint32(dst, checksum(dst[at:]))
}

// AppendRecord frames record number ordinal (from 0) of a segment; body appends its map.
func AppendRecord(dst []byte, segment uint32, ordinal uint64, kind Kind, body func([]byte) []byte) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, prefixLen)...)
	dst = body(append(dst, byte(kind)))
	length := uint32(len(dst) - at - prefixLen)
	binary.BigEndian.PutUint32(dst[at:], length)
	binary.BigEndian.PutUint32(dst[at+4:], placeSum(segment, ordinal, length))
	return binary.BigEndian.AppendUint32(dst, checksum(dst[at+prefixLen:]))
}

// placeSum is the checksum of a record's length and place.
func placeSum(segment uint32, ordinal uint64, length uint32) uint32 {
	var b [16]byte
	binary.BigEndian.PutUint32(b[:], segment)
	binary.BigEndian.PutUint64(b[4:], ordinal)
	binary.BigEndian.PutUint32(b[12:], length)
	return checksum(b[:])
}

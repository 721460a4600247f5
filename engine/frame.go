package engine

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"kingdom/wire"
)

// The journal is a row of segment files. A segment is a header and then records:
//
//	header  magic "KJNL" ‖ u16 version ‖ u32 segment ‖ 32 bytes run digest ‖ u32 crc
//	record  u32 length ‖ u32 crc of (segment, ordinal, length) ‖ body ‖ u32 crc of body
//	body    u8 kind ‖ MessagePack map
//
// All integers are big-endian and all checksums CRC32C. The length has a checksum
// of its own, over the record's place too, so that a flipped byte never looks like
// the end of the file, and records cannot be lost, doubled or swapped unseen. Only
// a record that the end of the file cuts short counts as torn.
const (
	journalMagic   = "KJNL"
	journalVersion = 1
	headerLen      = 4 + 2 + 4 + 32 + 4
	prefixLen      = 8
	maxRecord      = 1 << 26
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// digest binds a journal to its run.
func (r *RunRow) digest() wire.Hash {
	return sha256Of("kingdom-journal", r.Digest[:], []byte(r.Seed), binary.BigEndian.AppendUint32(nil, r.Physics))
}

func appendHeader(dst []byte, segment uint32, run wire.Hash) []byte {
	at := len(dst)
	dst = append(dst, journalMagic...)
	dst = binary.BigEndian.AppendUint16(dst, journalVersion)
	dst = binary.BigEndian.AppendUint32(dst, segment)
	dst = append(dst, run[:]...)
	return binary.BigEndian.AppendUint32(dst, checksum(dst[at:]))
}

// appendRecord frames one record; body fills in kind and map.
func appendRecord(dst []byte, segment uint32, ordinal uint64, body func([]byte) []byte) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, prefixLen)...)
	dst = body(dst)
	length := uint32(len(dst) - at - prefixLen)
	binary.BigEndian.PutUint32(dst[at:], length)
	binary.BigEndian.PutUint32(dst[at+4:], placeSum(segment, ordinal, length))
	return binary.BigEndian.AppendUint32(dst, checksum(dst[at+prefixLen:]))
}

func placeSum(segment uint32, ordinal uint64, length uint32) uint32 {
	var b [16]byte
	binary.BigEndian.PutUint32(b[:], segment)
	binary.BigEndian.PutUint64(b[4:], ordinal)
	binary.BigEndian.PutUint32(b[12:], length)
	return checksum(b[:])
}

// CorruptError is a journal or snapshot whose bytes are not those written.
type CorruptError struct {
	File   string
	Offset int64
	Record uint64 // ordinal in the file, from 0
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("read %s: record %d at offset %d: %s; the file was changed after it was written: restore it from a copy",
		e.File, e.Record, e.Offset, e.Reason)
}

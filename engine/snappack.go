package engine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"kingdom/engine/journal"
)

const (
	// packSize is the number of bytes of records, the last one included, from which a packed record is written.
	packSize = 1 << 20
	// maxUnpacked limits the unpacked size of a packed record, in bytes: it fits packSize and one record of the longest.
	maxUnpacked = 1 << 27
)

// packer compresses the records of a snapshot in groups, since single records are too short to compress well. A packed record is a zstd frame of records, each its length as a
// uvarint, its kind and its body.
type packer struct {
	enc *zstd.Encoder
	raw []byte
	out []byte
	put func(kind recordKind, body func([]byte) []byte) error // writes a record to the file
}

func newPacker(put func(kind recordKind, body func([]byte) []byte) error) (*packer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(packSize), zstd.WithEncoderCRC(false))
	return &packer{enc: enc, put: put}, err
}

// add adds a record to the group, and writes the group when it has packSize bytes.
func (p *packer) add(kind recordKind, body func([]byte) []byte) error {
	p.out = body(append(p.out[:0], byte(kind)))
	p.raw = binary.AppendUvarint(p.raw, uint64(len(p.out)))
	p.raw = append(p.raw, p.out...)
	if len(p.raw) < packSize {
		return nil
	}
	return p.flush()
}

// flush writes the group.
func (p *packer) flush() error {
	if len(p.raw) == 0 {
		return nil
	}
	p.out = p.enc.EncodeAll(p.raw, p.out[:0])
	p.raw = p.raw[:0]
	return p.put(snapPacked, func(b []byte) []byte { return append(b, p.out...) })
}

// unpacker reads the records within packed records.
type unpacker struct {
	dec *zstd.Decoder
	raw []byte
}

// each calls take with each record of a packed one. The body is valid during the call.
func (u *unpacker) each(body []byte, take func(journal.Kind, []byte) error) (err error) {
	if u.dec == nil {
		if u.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked)); err != nil {
			return err
		}
	}
	if u.raw, err = u.dec.DecodeAll(body, u.raw[:0]); err != nil {
		return fmt.Errorf("unpack records: %w", err)
	}
	for b := u.raw; len(b) > 0; {
		n, head := binary.Uvarint(b)
		if head <= 0 || n == 0 || n > uint64(len(b)-head) {
			return errors.New("a packed record claims more bytes than there are")
		}
		kind := journal.Kind(b[head])
		if kind == snapPacked {
			return errors.New("a packed record contains another packed record")
		}
		if err := take(kind, b[head+1:head+int(n)]); err != nil {
			return err
		}
		b = b[head+int(n):]
	}
	return nil
}

func (u *unpacker) close() {
	if u.dec != nil {
		u.dec.Close()
	}
}

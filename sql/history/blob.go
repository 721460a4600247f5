package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// format is the first byte of every blob: how its rows are laid out.
const format = 1

// headLen is the length of what stands before the compressed rows: the format, and the
// CRC-32C of the compressed rows, little-endian.
const headLen = 1 + 4

// rawLimit bounds what a blob may unpack to, in bytes. The largest row of a world is far smaller.
const rawLimit = 1 << 28

// windowSize is how far back the compressor looks, in bytes: as far as most blobs are long. It holds as much
// memory for good.
const windowSize = 2 * hardSize

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The compressor and its counterpart are safe for use from several goroutines.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(fmt.Sprintf("history: options of the compressor: %v", err))
		}
		return e
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(rawLimit))
		if err != nil {
			panic(fmt.Sprintf("history: options of the decompressor: %v", err))
		}
		return d
	})
)

// pack makes a blob of rows.
func pack(raw []byte) []byte {
	blob := make([]byte, headLen, headLen+len(raw)/3)
	blob[0] = format
	blob = packer().EncodeAll(raw, blob)
	binary.LittleEndian.PutUint32(blob[1:], crc32.Checksum(blob[headLen:], castagnoli))
	return blob
}

// errChanged says that a blob is not what was written.
var errChanged = errors.New("its checksum differs; the database was damaged or changed from outside: restore it from a copy")

// unpack is the reverse of pack.
func unpack(blob []byte) ([]byte, error) {
	if len(blob) < headLen {
		return nil, errChanged
	}
	if blob[0] != format {
		return nil, fmt.Errorf("its format is %d, this program reads %d; use the kingdom that wrote the run", blob[0], format)
	}
	if crc32.Checksum(blob[headLen:], castagnoli) != binary.LittleEndian.Uint32(blob[1:]) {
		return nil, errChanged
	}
	raw, err := unpacker().DecodeAll(blob[headLen:], nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return raw, nil
}

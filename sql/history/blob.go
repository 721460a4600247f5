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

// headerLen is the length of the header before the compressed rows: the format, and the
// CRC-32C of the compressed rows, little-endian.
const headerLen = 1 + 4

// rawLimit bounds what a blob may unpack to, in bytes. The largest row of a world is far smaller.
const rawLimit = 1 << 28

// windowSize is the window of the compressor in bytes: as long as most blobs. The compressor keeps this much
// memory allocated.
const windowSize = 2 * hardLimit

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The encoder and the decoder are safe for use from several goroutines.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(fmt.Sprintf("history: options of the compressor: %v", err))
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(rawLimit))
		if err != nil {
			panic(fmt.Sprintf("history: options of the decompressor: %v", err))
		}
		return d
	})
)

// compress makes a blob of rows.
func compress(raw []byte) []byte {
	blob := make([]byte, headerLen, headerLen+len(raw)/3)
	blob[0] = format
	blob = encoder().EncodeAll(raw, blob)
	binary.LittleEndian.PutUint32(blob[1:], crc32.Checksum(blob[headerLen:], castagnoli))
	return blob
}

// damaged ends the errors about values that are not as they were written.
const damaged = "the database was damaged or changed from outside: restore it from a copy"

// ErrChanged says that a blob is not what was written.
var ErrChanged = errors.New("its checksum differs; " + damaged)

// ErrMissing says that a blob is not there.
var ErrMissing = errors.New("it is missing; " + damaged)

// decompress is the reverse of compress.
func decompress(blob []byte) ([]byte, error) {
	if len(blob) < headerLen {
		return nil, ErrChanged
	}
	if blob[0] != format {
		return nil, fmt.Errorf("its format is %d, this program reads %d; use the kingdom that wrote the run", blob[0], format)
	}
	if crc32.Checksum(blob[headerLen:], castagnoli) != binary.LittleEndian.Uint32(blob[1:]) {
		return nil, ErrChanged
	}
	raw, err := decoder().DecodeAll(blob[headerLen:], nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return raw, nil
}

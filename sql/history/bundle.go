package history

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"sync"

	"kingdom/sql/table"
)

// Bundle packs all rows that one agent has in a table whose rows change, such as its beliefs, into one value. Separate
// rows would each need space for the agent's id, for keys and for content that several rows share.
//
// A value is the byte 2, the CRC-32C of what follows, little-endian, and one block of S2. In the block are the number of rows as an unsigned varint, the rows, each
// column coded against the row before as in blobs, and then the ids and texts of the columns of MessagePack that were left out of the rows, each once.
type Bundle struct {
	columns  []table.Column
	shared   []int  // columns of MessagePack whose elements occur in several rows
	isShared []bool // by column
}

// NewBundle describes a table: shared are the columns of MessagePack whose elements occur in several rows.
func NewBundle(t *table.Table, shared ...string) *Bundle {
	b := &Bundle{columns: t.Columns, isShared: make([]bool, len(t.Columns))}
	for _, name := range shared {
		i := t.Column(name)
		b.shared, b.isShared[i] = append(b.shared, i), true
	}
	return b
}

// plainValueMark begins a value of a shared column that is not MessagePack and is stored unchanged. No element of
// MessagePack begins with this byte.
const plainValueMark = 0xc7

// Pack makes a value of the rows of an agent, each with values in column order.
func (b *Bundle) Pack(rows [][]any) []byte {
	once := localWordsPool.Get().(*localWords) //nolint:forcetypeassert // the pool holds nothing else
	defer localWordsPool.Put(once)
	once.clear()
	raw := binary.AppendUvarint(once.raw[:0], uint64(len(rows)))
	last := make([]cell, len(b.columns))
	for _, row := range rows {
		for i := range b.columns {
			if b.isShared[i] {
				raw = once.appendShared(raw, &last[i], row[i].([]byte))
			} else {
				raw = appendCell(raw, &b.columns[i], &last[i], row[i])
			}
		}
	}
	raw = append(raw, once.text...)
	once.raw = raw
	return appendBlock([]byte{packedValue, 0, 0, 0, 0}, 0, raw)
}

// Unpack returns the rows of a value that Pack made.
func (b *Bundle) Unpack(value []byte) ([][]any, error) {
	if len(value) == 0 || value[0] != packedValue {
		return nil, fmt.Errorf("its format is %x, this program reads %d; use the kingdom that wrote the run", value[:min(len(value), 1)], packedValue)
	}
	raw, err := UnpackValue(value, nil)
	if err != nil {
		return nil, err
	}
	n, size := binary.Uvarint(raw)
	if size <= 0 || n > uint64(len(raw)) {
		return nil, errTruncated
	}
	raw = raw[size:]
	rows := make([][]any, n)
	cells := make([]cell, len(b.columns))
	for r := range rows {
		rows[r] = make([]any, len(b.columns))
		for i := range b.columns {
			if raw, err = readCell(raw, &b.columns[i], &cells[i]); err != nil {
				return nil, err
			}
			rows[r][i] = cells[i].value(b.columns[i].Kind)
		}
	}
	words, err := parseWords(raw)
	for _, row := range rows {
		for _, i := range b.shared {
			if err != nil {
				return nil, err
			}
			row[i], err = unpackShared(row[i].([]byte), &words)
		}
	}
	return rows, err
}

// localWords are the ids and texts of the rows of one value, each once.
type localWords struct {
	text   []byte
	ends   []uint32 // of each in text
	slots  []uint32 // a hash table with open addressing, of a power of two: numbers plus one; 0: the slot is free
	raw    []byte   // room for a value before it is packed
	packed []byte   // room for a column with numbers in place of words
}

var (
	localWordsPool = sync.Pool{New: func() any { return &localWords{slots: make([]uint32, 256)} }}
	localWordsSeed = maphash.MakeSeed() // it decides where a word is looked for, and nothing that is written
)

// clear removes all words.
func (o *localWords) clear() {
	o.text, o.ends = o.text[:0], o.ends[:0]
	clear(o.slots)
}

// word returns the i-th word.
func (o *localWords) word(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = o.ends[i-1]
	}
	return o.text[from:o.ends[i]]
}

// slot returns the slot of a word, a free one if the word is new.
func (o *localWords) slot(word []byte) *uint32 {
	for i := maphash.Bytes(localWordsSeed, word); ; i++ {
		if s := &o.slots[i&uint64(len(o.slots)-1)]; *s == 0 || bytes.Equal(o.word(*s-1), word) {
			return s
		}
	}
}

// number returns the number of a word, which is added if it is new.
func (o *localWords) number(word []byte) uint64 {
	s := o.slot(word)
	if *s > 0 {
		return uint64(*s - 1)
	}
	o.text = append(o.text, word...)
	o.ends = append(o.ends, uint32(len(o.text))) //nolint:gosec // a value has at most rawLimit bytes
	*s = uint32(len(o.ends))                     //nolint:gosec // as many words at most
	n := uint64(len(o.ends) - 1)
	if 4*len(o.ends) > 3*len(o.slots) {
		o.slots = make([]uint32, 2*len(o.slots))
		for i := range o.ends {
			*o.slot(o.word(uint32(i))) = uint32(i) + 1 //nolint:gosec // as above
		}
	}
	return n
}

// appendShared is appendCell for a column of MessagePack in which the numbers of words replace the words.
func (o *localWords) appendShared(dst []byte, last *cell, raw []byte) []byte {
	short, ok := replaceWords(o.packed[:0], raw, o.number)
	if !ok {
		short = append(append(short[:0], plainValueMark), raw...)
	}
	o.packed = short
	room := last.b
	dst = appendBytes(dst, last, short)
	last.b = append(room[:0], short...) // short is used again
	return dst
}

// unpackShared is the reverse of appendShared: it puts the words back in place of their numbers.
func unpackShared(short []byte, words *WordBlock) ([]byte, error) {
	if len(short) > 0 && short[0] == plainValueMark {
		return short[1:], nil
	}
	return expandWords(short, func(n uint64) ([]byte, error) { return words.Word(int(min(n, math.MaxInt32))) })
}

package history

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
)

// Memories and states of agents are MessagePack. Most of it is texts and ids that occur in the values of
// many agents, and names of fields, which occur in all. A store keeps each of these once, as a word, and values refer to
// it by its number.
//
// Words belong to a generation, which is a range of cycles, and a value refers to words of the generation in which it was
// written. So words that no value needs any more are deleted with their generation, and a writer keeps only those of one
// generation in memory.

// WordsPerBlock is the largest number of words in a block.
const WordsPerBlock = 1024

// minWordLen is the smallest length in bytes of an element that becomes a word: a reference takes 2 to 5 bytes.
const minWordLen = 6

// refMark begins a reference to a word, an unsigned varint. No element of MessagePack begins with it.
const refMark = 0xc1

// Words are the words of one generation, for writing.
type Words struct {
	Generation uint64

	seed       maphash.Seed
	slots      []slot   // a hash table with open addressing; of a power of two
	used       int      // slots in use
	blocks     int      // that are stored
	openBlock  []byte   // words of the block that is open, one after the other
	openWords  int      // how many
	fullBlocks [][]byte // blocks that are to be stored, packed
	buf        []byte   // room for a value with references
}

// slot identifies a word by hash, last bytes and length; the word itself is not kept, because there are too many. A
// collision is practically impossible: the hash is keyed, so nobody can construct one, and among a million words two
// with the same hash are expected in one of 10^7 generations, and these would also need the same end and length.
type slot struct {
	hash   uint64
	end    uint32 // its last bytes, and its length mixed in
	number uint32 // plus one; 0: the slot is free
}

// NewWords begins a generation without words.
func NewWords(generation uint64) *Words {
	return &Words{Generation: generation, seed: maphash.MakeSeed(), slots: make([]slot, 1024)}
}

// Load adds the next block that is already stored.
func (w *Words) Load(block []byte) error {
	words, err := ReadWords(block)
	if err != nil {
		return err
	}
	for i, word := range words.all() {
		w.find(word).number = uint32(w.blocks*WordsPerBlock+i) + 1
		w.used++
		w.grow()
	}
	w.blocks++
	return nil
}

// Blocks returns the words added since the last call as blocks for the store; first is the number of the first block.
// Words that are added later begin a new block.
func (w *Words) Blocks() (first int, blocks [][]byte) {
	if w.openWords > 0 {
		w.close()
	}
	first, blocks = w.blocks-len(w.fullBlocks), w.fullBlocks
	w.fullBlocks = nil
	return first, blocks
}

func (w *Words) close() {
	w.fullBlocks = append(w.fullBlocks, compress(w.openBlock))
	w.blocks++
	w.openBlock, w.openWords = w.openBlock[:0], 0
}

// find returns the slot of a word, a free one if the word is new.
func (w *Words) find(word []byte) *slot {
	key := slot{hash: maphash.Bytes(w.seed, word), end: binary.LittleEndian.Uint32(word[len(word)-4:]) ^ uint32(len(word))<<16}
	s := w.place(&key)
	s.hash, s.end = key.hash, key.end
	return s
}

// place returns the place of a slot in the hash table, a free one if it is new.
func (w *Words) place(key *slot) *slot {
	for i := key.hash; ; i++ {
		if s := &w.slots[i&uint64(len(w.slots)-1)]; s.number == 0 || s.hash == key.hash && s.end == key.end {
			return s
		}
	}
}

// grow keeps a quarter of the slots free.
func (w *Words) grow() {
	if w.used*4 < len(w.slots)*3 {
		return
	}
	old := w.slots
	w.slots = make([]slot, 2*len(old))
	for i := range old {
		if old[i].number > 0 {
			*w.place(&old[i]) = old[i]
		}
	}
}

// number is that of a word, which is added if it is new.
func (w *Words) number(word []byte) uint64 {
	s := w.find(word)
	if s.number > 0 {
		return uint64(s.number - 1)
	}
	n := w.blocks*WordsPerBlock + w.openWords
	s.number = uint32(n) + 1
	w.used++
	w.grow()
	w.openBlock = append(w.openBlock, word...)
	if w.openWords++; w.openWords == WordsPerBlock {
		w.close()
	}
	return uint64(n)
}

// replaceWords appends a value in which references replace its words; number returns the number of a word. It returns
// false if the value is not MessagePack.
func replaceWords(dst, raw []byte, number func(word []byte) uint64) ([]byte, bool) {
	copied, at := 0, 0
	for left := 1; left > 0; left-- {
		e, ok := elementAt(raw[at:])
		if !ok {
			return dst, false
		}
		if e.isText && e.size >= minWordLen {
			dst = append(dst, raw[copied:at]...)
			dst = binary.AppendUvarint(append(dst, refMark), number(raw[at:at+e.size]))
			copied = at + e.size
		}
		at += e.size
		left += e.children
	}
	return append(dst, raw[copied:]...), at == len(raw)
}

// expandWords is the reverse of replaceWords; word returns a word by its number.
func expandWords(b []byte, word func(n uint64) ([]byte, error)) ([]byte, error) {
	raw := make([]byte, 0, 3*len(b))
	copied, at := 0, 0
	for left := 1; left > 0; left-- {
		if at < len(b) && b[at] == refMark {
			n, size := binary.Uvarint(b[at+1:])
			if size <= 0 {
				return nil, errTruncated
			}
			text, err := word(n)
			if err != nil {
				return nil, err
			}
			raw = append(append(raw, b[copied:at]...), text...)
			if len(raw) > rawLimit {
				return nil, errTooLong
			}
			at += 1 + size
			copied = at
			continue
		}
		e, ok := elementAt(b[at:])
		if !ok {
			return nil, errTruncated
		}
		at += e.size
		left += e.children
	}
	if at != len(b) {
		return nil, errTruncated
	}
	return append(raw, b[copied:]...), nil
}

// WordBlock is a block of words, unpacked.
type WordBlock struct {
	raw  []byte
	ends []uint32
}

// ReadWords unpacks a block.
func ReadWords(block []byte) (WordBlock, error) {
	raw, err := decompress(block)
	if err != nil {
		return WordBlock{}, err
	}
	return parseWords(raw)
}

// parseWords reads words that follow each other without a separator.
func parseWords(raw []byte) (WordBlock, error) {
	w := WordBlock{raw: raw}
	for at := 0; at < len(raw); {
		e, ok := elementAt(raw[at:])
		if !ok || !e.isText {
			return w, errTruncated
		}
		at += e.size
		w.ends = append(w.ends, uint32(at))
	}
	return w, nil
}

// Size is about how much memory a block takes, in bytes.
func (w *WordBlock) Size() int { return len(w.raw) + 4*len(w.ends) }

// Word is the i-th word.
func (w *WordBlock) Word(i int) ([]byte, error) {
	if i >= len(w.ends) {
		return nil, fmt.Errorf("it has %d words and not the %d-th; "+damaged, len(w.ends), i+1)
	}
	from := uint32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	return w.raw[from:w.ends[i]], nil
}

func (w *WordBlock) all() [][]byte {
	words := make([][]byte, len(w.ends))
	for i := range words {
		words[i], _ = w.Word(i)
	}
	return words
}

// element is the header of a map or list of MessagePack, or another element as a whole.
type element struct {
	size     int  // in bytes
	children int  // how many elements follow that belong to it
	isText   bool // of bytes or a text
}

// elementAt is the element that b begins with; false if there is none.
func elementAt(b []byte) (e element, ok bool) {
	if len(b) == 0 {
		return e, false
	}
	length := func(width int) int { // the number of so many bytes behind the first
		if len(b) < 1+width {
			return math.MaxInt32
		}
		n := 0
		for _, c := range b[1 : 1+width] {
			n = n<<8 | int(c)
		}
		return n
	}
	switch c := b[0]; {
	case c < 0x80, c >= 0xe0, c == 0xc0, c == 0xc2, c == 0xc3: // small numbers, nil, false, true
		e.size = 1
	case c < 0x90: // map
		e.size, e.children = 1, 2*int(c&0x0f)
	case c < 0xa0: // list
		e.size, e.children = 1, int(c&0x0f)
	case c < 0xc0:
		e.size, e.isText = 1+int(c&0x1f), true
	case c >= 0xc4 && c <= 0xc6: // bytes
		width := 1 << (c - 0xc4)
		e.size, e.isText = 1+width+length(width), true
	case c >= 0xd9 && c <= 0xdb: // text
		width := 1 << (c - 0xd9)
		e.size, e.isText = 1+width+length(width), true
	case c == 0xca, c == 0xce, c == 0xd2:
		e.size = 5
	case c == 0xcb, c == 0xcf, c == 0xd3:
		e.size = 9
	case c == 0xcc, c == 0xd0:
		e.size = 2
	case c == 0xcd, c == 0xd1:
		e.size = 3
	case c == 0xdc, c == 0xdd: // list
		width := 2 << (c - 0xdc)
		e.size, e.children = 1+width, length(width)
	case c == 0xde, c == 0xdf: // map
		width := 2 << (c - 0xde)
		e.size, e.children = 1+width, 2*length(width)
	default: // the canonical encoding has no other
		return e, false
	}
	return e, e.size <= len(b)
}

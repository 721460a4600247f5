package history

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
)

// Memories and states of agents are MessagePack, and what fills them are texts and ids that stand in the values of
// many agents, and names of fields, which stand in all. A store keeps each of these once, as a word, and values name it
// by its number.
//
// Words belong to a generation, some cycles, and a value names words of the generation in which it was written. So
// words that no value needs any more go with their generation, and a writer remembers those of one generation only.

// WordsPerBlock is the largest number of words in a block.
const WordsPerBlock = 1024

// leastWord is the length in bytes from which on an element is a word: a reference takes 2 to 5.
const leastWord = 6

// wordMark begins a reference to a word, an unsigned varint. No element of MessagePack begins with it.
const wordMark = 0xc1

// Words are the words of one generation, for writing.
type Words struct {
	Generation uint64

	seed   maphash.Seed
	slots  []slot   // a hash table with open addressing; of a power of two
	known  int      // slots in use
	blocks int      // that are stored
	open   []byte   // words of the block that is open, one after the other
	n      int      // how many
	full   [][]byte // blocks that are to be stored, packed
	short  []byte   // room for a value with references
}

// slot stands for a word, which itself is not kept: there are too many. That two words agree in it does not happen. The
// hash is keyed, so that nobody can look for them, and among a million words two of the same hash are to be expected in
// one of 10^7 generations, if they end alike and are of one length too.
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
		w.known++
		w.grow()
	}
	w.blocks++
	return nil
}

// Blocks returns the words added since the last call as blocks for the store; first is the number of the first block.
// Words that are added later begin a new block.
func (w *Words) Blocks() (first int, blocks [][]byte) {
	if w.n > 0 {
		w.close()
	}
	first, blocks = w.blocks-len(w.full), w.full
	w.full = nil
	return first, blocks
}

func (w *Words) close() {
	w.full = append(w.full, pack(w.open))
	w.blocks++
	w.open, w.n = w.open[:0], 0
}

// find is the slot of a word, a free one if it is new.
func (w *Words) find(word []byte) *slot {
	key := slot{hash: maphash.Bytes(w.seed, word), end: binary.LittleEndian.Uint32(word[len(word)-4:]) ^ uint32(len(word))<<16}
	s := w.place(&key)
	s.hash, s.end = key.hash, key.end
	return s
}

// place is where a slot is or belongs.
func (w *Words) place(key *slot) *slot {
	for i := key.hash; ; i++ {
		if s := &w.slots[i&uint64(len(w.slots)-1)]; s.number == 0 || s.hash == key.hash && s.end == key.end {
			return s
		}
	}
}

// grow keeps a quarter of the slots free.
func (w *Words) grow() {
	if w.known*4 < len(w.slots)*3 {
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
	n := w.blocks*WordsPerBlock + w.n
	s.number = uint32(n) + 1
	w.known++
	w.grow()
	w.open = append(w.open, word...)
	if w.n++; w.n == WordsPerBlock {
		w.close()
	}
	return uint64(n)
}

// shorten appends a value with references in place of its words, of which number gives the numbers; false if it is no MessagePack.
func shorten(dst, raw []byte, number func(word []byte) uint64) ([]byte, bool) {
	copied, at := 0, 0
	for left := 1; left > 0; left-- {
		e, ok := elementAt(raw[at:])
		if !ok {
			return dst, false
		}
		if e.text && e.size >= leastWord {
			dst = append(dst, raw[copied:at]...)
			dst = binary.AppendUvarint(append(dst, wordMark), number(raw[at:at+e.size]))
			copied = at + e.size
		}
		at += e.size
		left += e.inside
	}
	return append(dst, raw[copied:]...), at == len(raw)
}

// lengthen is the reverse of shorten; word returns a word by its number.
func lengthen(b []byte, word func(n uint64) ([]byte, error)) ([]byte, error) {
	raw := make([]byte, 0, 3*len(b))
	copied, at := 0, 0
	for left := 1; left > 0; left-- {
		if at < len(b) && b[at] == wordMark {
			n, size := binary.Uvarint(b[at+1:])
			if size <= 0 {
				return nil, errRows
			}
			text, err := word(n)
			if err != nil {
				return nil, err
			}
			raw = append(append(raw, b[copied:at]...), text...)
			if len(raw) > rawLimit {
				return nil, errLong
			}
			at += 1 + size
			copied = at
			continue
		}
		e, ok := elementAt(b[at:])
		if !ok {
			return nil, errRows
		}
		at += e.size
		left += e.inside
	}
	if at != len(b) {
		return nil, errRows
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
	raw, err := unpack(block)
	if err != nil {
		return WordBlock{}, err
	}
	return wordsOf(raw)
}

// wordsOf are words that lie one after the other.
func wordsOf(raw []byte) (WordBlock, error) {
	w := WordBlock{raw: raw}
	for at := 0; at < len(raw); {
		e, ok := elementAt(raw[at:])
		if !ok || !e.text {
			return w, errRows
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
		return nil, fmt.Errorf("it has %d words and not the %d-th; the database was damaged or changed from outside: restore it from a copy", len(w.ends), i+1)
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

// element is the head of a map or list of MessagePack, or all of another element.
type element struct {
	size   int  // in bytes
	inside int  // how many elements follow that belong to it
	text   bool // of bytes or a text
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
		e.size, e.inside = 1, 2*int(c&0x0f)
	case c < 0xa0: // list
		e.size, e.inside = 1, int(c&0x0f)
	case c < 0xc0:
		e.size, e.text = 1+int(c&0x1f), true
	case c >= 0xc4 && c <= 0xc6: // bytes
		width := 1 << (c - 0xc4)
		e.size, e.text = 1+width+length(width), true
	case c >= 0xd9 && c <= 0xdb: // text
		width := 1 << (c - 0xd9)
		e.size, e.text = 1+width+length(width), true
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
		e.size, e.inside = 1+width, length(width)
	case c == 0xde, c == 0xdf: // map
		width := 2 << (c - 0xde)
		e.size, e.inside = 1+width, 2*length(width)
	default: // the canonical encoding has no other
		return e, false
	}
	return e, e.size <= len(b)
}

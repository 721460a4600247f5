package world

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
)

type note struct {
	Text string `kdom:"text"`
	N    uint64 `kdom:"n"`
}

var noteCodec = codec.New[note]()

// book is a small daemon's state: a table, a chain with an index, one without.
type book struct {
	state *State
	notes *Table[string, note]
	said  *Chain[note]
	done  *Chain[note]
	heard []string // index over said
}

func newBook() *book {
	b := &book{state: NewState(wire.SystemAgora)}
	b.notes = NewTable[string](b.state, "notes", noteCodec)
	b.said = NewChain(b.state, "said", noteCodec, func(n uint64, r *note) {
		if int(n) != len(b.heard) {
			panic("records are seen out of order")
		}
		b.heard = append(b.heard, r.Text)
	})
	b.done = NewChain(b.state, "done", noteCodec, nil)
	return b
}

// packed keeps notes as their texts and numbers.
type packed map[string]string

func (p packed) Pack(k string, r *note) {
	p[k] = string(strconv.AppendUint(nil, r.N, 10)) + " " + r.Text
}

func (p packed) Unpack(k string, r *note) bool {
	n, text, ok := strings.Cut(p[k], " ")
	r.N, _ = strconv.ParseUint(n, 10, 64)
	r.Text = text
	return ok
}

func (p packed) Keys() []string { return slices.Collect(maps.Keys(p)) }

// TestPacked_IsATable: in whatever form records are kept, they are hashed, written and restored like
// those of a table.
func TestPacked_IsATable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		plain, state, form := NewState(wire.SystemAgora), NewState(wire.SystemAgora), packed{}
		notes := NewTable[string](plain, "notes", noteCodec)
		table := NewPacked[string](state, "notes", noteCodec, form)
		same := func(when string) {
			if want, got := plain.Hash(), state.Hash(); got != want {
				rt.Fatalf("%s: hash %v, want %v", when, got, want)
			}
		}
		for i := range rapid.IntRange(1, 30).Draw(rt, "steps") {
			k := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "key")
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				notes.Delete(k)
				if _, ok := form[k]; ok {
					delete(form, k)
					table.Changed(k)
				}
			case 1:
				same("in between")
			default:
				r := note{Text: "text " + strconv.Itoa(i), N: uint64(i)}
				notes.Put(k, &r)
				table.Put(k, &r)
			}
		}
		same("in the end")
		if d := cmp.Diff(plain.TakeRows(), state.TakeRows()); d != "" {
			rt.Fatalf("rows (-want +got):\n%s", d)
		}
		if d := cmp.Diff(plain.All(), state.All()); d != "" {
			rt.Fatalf("all rows (-want +got):\n%s", d)
		}
		again := NewState(wire.SystemAgora)
		NewPacked[string](again, "notes", noteCodec, packed{})
		for _, r := range state.All() {
			if err := again.Load(r); err != nil {
				rt.Fatal(err)
			}
		}
		if want, got := state.Hash(), again.FinishRestore(); got != want {
			rt.Fatalf("restored hash %v, want %v", got, want)
		}
	})
}

func TestState_EmptyIsZero(t *testing.T) {
	b := newBook()
	if h := b.state.Hash(); h != (wire.Hash{}) {
		t.Errorf("hash of an empty state is %v, want 32 zero bytes", h)
	}
	b.said.Append(&note{Text: "x"})
	if h := b.state.Hash(); h == (wire.Hash{}) {
		t.Error("hash with one chain record is zero")
	}
}

func TestState_HashIsItsDefinition(t *testing.T) {
	b := newBook()
	n := note{Text: "hello", N: 3}
	b.notes.Put("k", &n)
	b.said.Append(&n)
	b.said.Append(&note{Text: "again"})

	body := noteCodec.Append(nil, &n)
	kh, rh := wire.Hash(sha256.Sum256([]byte("notes\x00k"))), wire.Hash(sha256.Sum256(body))
	root := plainRoot(map[wire.Hash]wire.Hash{kh: rh})
	var digest [32]byte
	digest = sha256.Sum256(slices.Concat(digest[:], binary.BigEndian.AppendUint64(nil, 0), rh[:]))
	again := sha256.Sum256(noteCodec.Append(nil, &note{Text: "again"}))
	digest = sha256.Sum256(slices.Concat(digest[:], binary.BigEndian.AppendUint64(nil, 1), again[:]))
	want := wire.Hash(sha256.Sum256(slices.Concat(root[:], digest[:], make([]byte, 32))))
	if got := b.state.Hash(); got != want {
		t.Errorf("hash is %v, want %v", got, want)
	}
}

func TestChain_DependsOnOrder(t *testing.T) {
	one, two := newBook(), newBook()
	one.said.Append(&note{Text: "a"})
	one.said.Append(&note{Text: "b"})
	two.said.Append(&note{Text: "b"})
	two.said.Append(&note{Text: "a"})
	if one.state.Hash() == two.state.Hash() {
		t.Error("two orders of the same records give one hash")
	}
}

func TestTable_HashForgetsHowItCameAbout(t *testing.T) {
	one, two := newBook(), newBook()
	for _, k := range []string{"a", "b", "c"} {
		one.notes.Put(k, &note{Text: k})
	}
	one.notes.Delete("b")
	two.notes.Put("c", &note{Text: "other"})
	two.state.Hash()
	two.notes.Edit("c").Text = "c"
	two.notes.Put("a", &note{Text: "a"})
	if one.state.Hash() != two.state.Hash() {
		t.Error("equal contents give two hashes")
	}
}

func TestTable_EachSeesAscendingKeysAndMayChangeThem(t *testing.T) {
	b := newBook()
	for _, k := range []string{"d", "b", "a", "c"} {
		b.notes.Put(k, &note{})
	}
	var seen []string
	b.notes.Each(func(k string, _ *note) {
		seen = append(seen, k)
		b.notes.Delete("c")
		b.notes.Put("z", &note{})
	})
	if diff := cmp.Diff([]string{"a", "b", "d"}, seen); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "d", "z"}, b.notes.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// Keys are in order however they came and went between two looks.
func TestTable_KeysStayInOrder(t *testing.T) {
	b := newBook()
	for _, step := range []struct {
		put, del []string
		want     string
	}{
		{[]string{"d", "b"}, nil, "b d"},
		{[]string{"a", "c", "e"}, nil, "a b c d e"},
		{nil, []string{"b", "e"}, "a c d"},
		{[]string{"b", "b"}, []string{"a"}, "b c d"},
		{[]string{"a"}, []string{"z"}, "a b c d"},
	} {
		for _, k := range step.put {
			b.notes.Put(k, &note{})
		}
		for _, k := range step.del {
			b.notes.Delete(k)
		}
		if got := strings.Join(b.notes.Keys(), " "); got != step.want {
			t.Errorf("after %v came and %v went: %s, want %s", step.put, step.del, got, step.want)
		}
	}
}

// What changed is written in the order of its keys, and once.
// TestTable_KeysAreNotKeptUntilAsked: those of a table that only grows, or in which the same comes and goes, take
// no room, and are all there once somebody asks.
func TestTable_KeysAreNotKeptUntilAsked(t *testing.T) {
	b := newBook()
	for round := range 3 {
		want := map[string]bool{}
		for _, k := range b.notes.Keys() {
			want[k] = true
		}
		for i := range 10 * maxAdded << round {
			k := strconv.Itoa(i * 7919 % 1000003)
			b.notes.Put(k, &note{})
			if want[k] = i%3 > 0; !want[k] {
				b.notes.Delete(k)
				delete(want, k)
			}
		}
		if n := cap(b.notes.keys) + cap(b.notes.added); n > 0 {
			t.Errorf("round %d: room for %d keys that nobody asked for", round, n)
		}
		if d := cmp.Diff(det.SortedKeys(want), b.notes.Keys()); d != "" {
			t.Error(d)
		}
	}
}

// Keys of 32 bytes are in the order of their bytes, in the table and in the rows that are written, and a stored key of
// another length is refused.
func TestTable_KeysOf32Bytes(t *testing.T) {
	t.Run("hashes", func(t *testing.T) { testKeysOf32Bytes[wire.Hash](t) })
	t.Run("agents", func(t *testing.T) { testKeysOf32Bytes[wire.AgentID](t) })
}

func testKeysOf32Bytes[K ~[32]byte](t *testing.T) {
	s := NewState(wire.SystemAgora)
	notes := NewTable[K](s, "notes", noteCodec)
	var want []K
	for i := range byte(20) {
		want = append(want, K{i, 31: 1})
		notes.Put(K{19 - i, 31: 1}, &note{N: uint64(i)})
	}
	if got := notes.Keys(); !slices.Equal(got, want) {
		t.Errorf("keys %v, want %v", got, want)
	}
	s.Hash()
	var rows []K
	for _, r := range s.TakeRows() {
		rows = append(rows, K(r.Key))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}
	for _, n := range []int{31, 32, 33} {
		err := s.Load(Row{Table: "notes", Key: make([]byte, n), Body: noteCodec.Append(nil, &note{})})
		if (err == nil) != (n == 32) {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
}

// Records of an unhashed chain are counted and written, but the hash of the state does not depend on them.
func TestChain_UnhashedIsNoPartOfTheHash(t *testing.T) {
	hash := func(texts ...string) wire.Hash {
		b := newBook()
		extra := NewChain(b.state, "extra", noteCodec, nil).Unhashed()
		b.notes.Put("a", &note{Text: "a"})
		for _, text := range texts {
			extra.Append(&note{Text: text})
		}
		h := b.state.Hash()
		if rows := b.state.TakeRows(); len(rows) != 1+len(texts) || extra.Count() != uint64(len(texts)) {
			t.Errorf("%d rows with %d records in the chain", len(rows), extra.Count())
		}
		return h
	}
	if hash() != hash("x") {
		t.Error("the hash depends on a record of an unhashed chain")
	}
}

func TestState_Needs(t *testing.T) {
	b := newBook()
	for table, want := range map[string]bool{"said": true, "done": false, "notes": false, "nope": false} {
		if got := b.state.Needs(table); got != want {
			t.Errorf("records of %s must be loaded: %t, want %t", table, got, want)
		}
	}
}

func TestState_RowsAreInOrder(t *testing.T) {
	b := newBook()
	for _, k := range strings.Fields("h c a f d b g e") {
		b.notes.Put(k, &note{})
	}
	b.state.Hash()
	var got []string
	for _, r := range b.state.TakeRows() {
		got = append(got, string(r.Key))
	}
	if keys := strings.Join(got, " "); keys != "a b c d e f g h" {
		t.Errorf("rows come as %s", keys)
	}
	b.state.Hash()
	if rows := b.state.TakeRows(); len(rows) > 0 {
		t.Errorf("%d rows without a change", len(rows))
	}
}

// TestState_RowsRebuildIt: what TakeRows says over a state's life, replayed into an
// empty one, gives the same hash, and so do All and Heads.
func TestState_RowsRebuildIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBook()
		table := map[string]Row{}
		var chain []Row
		for range rapid.IntRange(1, 4).Draw(t, "cycles") {
			for range rapid.IntRange(0, 10).Draw(t, "changes") {
				k := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "key")
				switch rapid.IntRange(0, 4).Draw(t, "what") {
				case 0:
					b.notes.Delete(k)
				case 1:
					b.said.Append(&note{Text: k})
				case 2:
					b.done.Append(&note{Text: k})
				case 3:
					if r := b.notes.Edit(k); r != nil {
						r.N++
					}
				default:
					b.notes.Put(k, &note{Text: k, N: rapid.Uint64().Draw(t, "n")})
				}
			}
			b.state.Hash()
			for _, r := range b.state.TakeRows() {
				switch {
				case r.Chain:
					chain = append(chain, r)
				case r.Body == nil:
					delete(table, string(r.Key))
				default:
					table[string(r.Key)] = r
				}
			}
		}
		if diff := cmp.Diff(b.state.All(), sortedRows(table), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("All differs from the sum of TakeRows (-all +sum):\n%s", diff)
		}
		again := newBook()
		for _, r := range append(sortedRows(table), chain...) {
			if r.Chain && !again.state.Needs(r.Table) {
				continue
			}
			if err := again.state.Load(r); err != nil {
				t.Fatal(err)
			}
		}
		for _, h := range b.state.Heads() {
			if err := again.state.SetHead(h); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := again.state.FinishRestore(), b.state.Hash(); got != want {
			t.Fatalf("restored hash is %v, want %v", got, want)
		}
		if diff := cmp.Diff(b.heard, again.heard); diff != "" {
			t.Fatalf("restored index (-want +got):\n%s", diff)
		}
		if rows := again.state.TakeRows(); len(rows) > 0 {
			t.Fatalf("a restored state wants to write %d rows", len(rows))
		}
	})
}

func sortedRows(m map[string]Row) []Row {
	var out []Row
	for _, k := range det.SortedKeys(m) {
		out = append(out, m[k])
	}
	return out
}

func TestState_RestoreNamesWhatIsWrong(t *testing.T) {
	b := newBook()
	b.said.Append(&note{Text: "a"})
	b.said.Append(&note{Text: "b"})
	b.notes.Put("k", &note{})
	b.state.Hash()
	rows := b.state.TakeRows()
	for _, tc := range []struct {
		name string
		do   func(s *State) error
		want string
	}{
		{"unknown table", func(s *State) error { return s.Load(Row{Table: "nope"}) }, "unknown table"},
		{"chain out of order", func(s *State) error { return s.Load(rows[1]) }, "out of order"},
		{"bytes that are no record", func(s *State) error { return s.Load(Row{Table: "notes", Key: []byte("k"), Body: []byte{0xC1}}) }, "notes"},
		{"missing chain row", func(s *State) error {
			if err := s.Load(rows[0]); err != nil {
				return err
			}
			return s.SetHead(b.state.Heads()[0])
		}, "rows are missing or changed"},
		{"chain key of four bytes", func(s *State) error {
			return s.Load(Row{Table: "said", Key: []byte{0, 0, 0, 0}, Body: rows[0].Body, Chain: true})
		}, "out of order"},
		{"head with another digest", func(s *State) error {
			h := Head{Table: "said", Digest: wire.Hash{1}, Count: 2}
			return errors.Join(s.Load(rows[0]), s.Load(rows[1]), s.SetHead(h))
		}, "rows are missing or changed"},
		{"head with another count", func(s *State) error {
			h := b.state.Heads()[0]
			h.Count++
			return errors.Join(s.Load(rows[0]), s.Load(rows[1]), s.SetHead(h))
		}, "rows are missing or changed"},
		{"unknown head", func(s *State) error { return s.SetHead(Head{Table: "nope"}) }, "unknown table"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.do(newBook().state)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want one about %q", err, tc.want)
			}
		})
	}
}

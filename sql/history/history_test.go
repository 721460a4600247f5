package history_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
)

// kinds is a table with a column of each kind, in groups of who.
var kinds = &table.Table{Schema: "test", Name: "kinds", Columns: []table.Column{
	{Name: "id", Kind: table.Int},
	{Name: "who", Kind: table.Bytes},
	{Name: "small", Kind: table.Small},
	{Name: "maybe", Kind: table.Int, Null: true},
	{Name: "body", Kind: table.Bytes},
	{Name: "parent", Kind: table.Bytes, Null: true},
	{Name: "text", Kind: table.Text},
	{Name: "real", Kind: table.Real},
	{Name: "double", Kind: table.Double},
	{Name: "flag", Kind: table.Bool},
}}

func drawRow(t *rapid.T, who int) []any {
	v := []any{
		rapid.Int64().Draw(t, "id"), fmt.Append(nil, "agent ", who), rapid.Int64Range(0, 9).Draw(t, "small"), any(nil),
		rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "body"), any(nil), rapid.String().Draw(t, "text"),
		float64(rapid.Float32().Draw(t, "real")), rapid.Float64().Draw(t, "double"), rapid.Bool().Draw(t, "flag"),
	}
	if v[4].([]byte) == nil {
		v[4] = []byte{}
	}
	if rapid.Bool().Draw(t, "there") {
		v[3], v[5] = rapid.Int64().Draw(t, "maybe"), []byte{1, 2}
	}
	return v
}

// read are the rows of blobs, of one group or of all.
func read(t rapid.TB, s *history.Shape, blobs []history.Blob, key []byte) (rows [][]any) {
	t.Helper()
	for _, b := range blobs {
		raw, err := history.Unpack(b.Body)
		if err != nil {
			t.Fatal(err)
		}
		r := history.NewReader(s, raw)
		next := func() bool {
			v := make([]any, len(kinds.Columns))
			r.Row(v)
			rows = append(rows, v)
			return true
		}
		if key == nil {
			for r.Next() && next() {
			}
		}
		for key != nil && r.Seek(key) {
			for r.More() && r.Next() && next() {
			}
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
	}
	return rows
}

// TestWriter_RoundTrip: what is written is read, all of it or that of one group.
func TestWriter_RoundTrip(t *testing.T) {
	for name, by := range map[string][]string{"grouped": {"who"}, "one group": nil} {
		t.Run(name, func(t *testing.T) {
			shape := history.NewShape(kinds, false, by...)
			rapid.Check(t, func(t *rapid.T) {
				w := history.NewWriter(&shape)
				var want, ofTwo [][]any
				for who := range rapid.IntRange(0, 4).Draw(t, "groups") {
					for range rapid.IntRange(1, 9).Draw(t, "rows") {
						v := drawRow(t, who)
						w.Put(v...)
						want = append(want, v)
						if who == 2 {
							ofTwo = append(ofTwo, v)
						}
					}
				}
				blobs := w.Blobs()
				if d := cmp.Diff(want, read(t, &shape, blobs, nil)); d != "" {
					t.Fatalf("rows differ (-written +read):\n%s", d)
				}
				if by == nil {
					return
				}
				if d := cmp.Diff(ofTwo, read(t, &shape, blobs, shape.Key([]byte("agent 2")))); d != "" {
					t.Fatalf("rows of a group differ (-written +read):\n%s", d)
				}
			})
		})
	}
}

// Blobs stay small, a whole group is never split, and the first row of each blob says where to look.
func TestWriter_SplitsBlobsBetweenGroups(t *testing.T) {
	row := func(id, who int, size int) []any {
		return []any{int64(id), fmt.Appendf(nil, "agent %03d", who), int64(0), nil, []byte(strings.Repeat("x", size)), nil, fmt.Sprint(id), 0.5, math.Inf(1), true}
	}
	for _, whole := range []bool{true, false} {
		shape := history.NewShape(kinds, whole, "who")
		w := history.NewWriter(&shape)
		firsts := map[string]int{} // the blobs in which an agent begins
		n := 0
		for who := range 40 {
			for range 40 {
				part, first := w.Put(row(n, who, 1000+n%3)...)
				if first {
					firsts[fmt.Sprintf("%d agent %03d", part, who)]++
				}
				n++
			}
		}
		for range 300 { // more than any blob should hold
			w.Put(row(n, 40, 1000+n%3)...)
			n++
		}
		blobs := w.Blobs()
		if got := len(read(t, &shape, blobs, nil)); got != n {
			t.Errorf("whole %v: %d rows are read, want %d", whole, got, n)
		}
		parts := 0
		for i, b := range blobs {
			raw, err := history.Unpack(b.Body)
			if err != nil {
				t.Fatal(err)
			}
			if len(raw) > 400<<10 || !whole && len(raw) > 300<<10 {
				t.Errorf("whole %v: blob %d has %d bytes", whole, i, len(raw))
			}
			if firsts[fmt.Sprint(i, " ", string(b.First))] != 1 && string(b.First) != "agent 040" {
				t.Errorf("whole %v: blob %d says that it begins with %q", whole, i, b.First)
			}
			if len(read(t, &shape, blobs[i:i+1], shape.Key([]byte("agent 040")))) > 0 {
				parts++
			}
		}
		if whole != (parts == 1) {
			t.Errorf("whole %v: the largest group is in %d blobs", whole, parts)
		}
	}
}

// TestUnpack_Refuses names what is wrong with a blob.
func TestUnpack_Refuses(t *testing.T) {
	shape := history.NewShape(kinds, true, "who")
	w := history.NewWriter(&shape)
	w.Put(int64(1), []byte("a"), int64(0), nil, []byte("body"), nil, "text", 0.5, 0.5, true)
	good := w.Blobs()[0].Body
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"empty":   {func([]byte) []byte { return nil }, "checksum differs"},
		"cut":     {func(b []byte) []byte { return b[:len(b)-1] }, "checksum differs"},
		"flipped": {func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "checksum differs"},
		"newer":   {func(b []byte) []byte { b[0] = 2; return b }, "its format is 2, this program reads 1"},
	} {
		if _, err := history.Unpack(c.change(append([]byte(nil), good...))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", name, err, c.want)
		}
	}
}

// FuzzReader reads rows that nobody wrote: it ends, with an error or without.
func FuzzReader(f *testing.F) {
	shape := history.NewShape(kinds, true, "who")
	w := history.NewWriter(&shape)
	for i := range 3 {
		w.Put(int64(i), fmt.Append(nil, "a", i/2), int64(0), int64(7), []byte("body"), []byte{}, "text", 0.5, 0.5, true)
	}
	raw, err := history.Unpack(w.Blobs()[0].Body)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add(raw[:len(raw)-1])
	for n, text := range []string{"one row", ""} { // a blob of one row, and one of groups of one row each
		w := history.NewWriter(&shape)
		for i := range 1 + 3*n {
			w.Put(int64(-i), fmt.Append(nil, "agent ", i), int64(9), nil, []byte{}, []byte{1, 2}, text, -0.5, math.Inf(1), false)
		}
		raw, err := history.Unpack(w.Blobs()[0].Body)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := history.NewReader(&shape, raw)
		v := make([]any, len(kinds.Columns))
		n := 0
		for r.Next() {
			r.Row(v)
			if n++; n > len(raw) {
				t.Fatalf("%d rows of %d bytes", n, len(raw))
			}
		}
		s := history.NewReader(&shape, raw)
		for s.Seek(shape.Key([]byte("a1"))) {
			for s.More() && s.Next() {
			}
		}
	})
}

// FuzzWindow reads windows and counts that nobody wrote; what can be read is written alike.
func FuzzWindow(f *testing.F) {
	w := new(history.Window)
	w.Act(3, 7)
	w.Ended(4, 1<<40)
	f.Add(w.Append(nil))
	f.Add(history.Counts{7: 9, 300: 1 << 40}.Append(nil))
	f.Add(new(history.Window).Append(nil))
	f.Add(history.Counts{}.Append(nil))
	whole := w.Append(nil)
	f.Add(whole[:len(whole)-1])
	f.Add(append(whole, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		if w, err := history.ReadWindow(b); err == nil {
			again, err := history.ReadWindow(w.Append(nil))
			if err != nil || !cmp.Equal(w.ActCycles(), again.ActCycles()) || !cmp.Equal(w.Plans(), again.Plans()) {
				t.Errorf("window %x is written differently: %v", b, err)
			}
		}
		if c, err := history.ReadCounts(b); err == nil {
			if again, err := history.ReadCounts(c.Append(nil)); err != nil || !cmp.Equal(c, again) {
				t.Errorf("counts %x are written differently: %v", b, err)
			}
		}
	})
}

// TestWindow_HoldsTheNewest: the cycles of a window hold the newest 512 experiences, and no
// more than it takes; its plans are the newest 32 by id, however they ended.
func TestWindow_HoldsTheNewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := new(history.Window)
		wrote := map[wire.Cycle][]uint64{} // ids that were new in a cycle
		next, ended := uint64(1), map[uint64]wire.Cycle{}
		for c := range wire.Cycle(rapid.IntRange(1, 60).Draw(t, "cycles")) {
			for range rapid.IntRange(0, 64).Draw(t, "acts") {
				w.Act(c, next)
				wrote[c] = append(wrote[c], next)
				next++
			}
			for _, id := range rapid.SliceOfN(rapid.Uint64Range(1, 99), 0, 4).Draw(t, "ended") {
				w.Ended(c, id)
				ended[id] = c
			}
			if rapid.Bool().Draw(t, "stored") {
				again, err := history.ReadWindow(w.Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				w = again
			}
		}
		cycles := w.ActCycles()
		held, least := 0, next
		for _, c := range cycles {
			held += len(wrote[c])
			if n := len(wrote[c]); n > 0 {
				least = wrote[c][0]
			}
		}
		if want := min(int(next)-1, 512); held < want || int(next-least) != held {
			t.Fatalf("%d of the newest %d experiences are in the window", held, want)
		}
		if n := len(cycles); n > 1 && held-len(wrote[cycles[n-1]]) >= 512 {
			t.Fatalf("the window holds a cycle too many")
		}
		var ids []uint64
		for id := uint64(99); id > 0 && len(ids) < 32; id-- {
			if _, ok := ended[id]; ok {
				ids = append(ids, id)
			}
		}
		plans := w.Plans()
		if len(plans) != len(ids) {
			t.Fatalf("%d plans, want %d", len(plans), len(ids))
		}
		for _, id := range ids {
			if plans[id] != ended[id] {
				t.Fatalf("plan %d is in cycle %d, want %d", id, plans[id], ended[id])
			}
		}
	})
}

package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire/codec"
)

func keys(w *Working) string {
	var ks []string
	for _, n := range w.Notes() {
		ks = append(ks, n.Key)
	}
	return strings.Join(ks, " ")
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestWorking_KeepsOnlyKeysSetInTheLastCycle(t *testing.T) {
	w := &Working{}
	must(t, w.Set("a", []byte("1")))
	must(t, w.Set("b", []byte("1")))
	w.CycleStart()
	if got := keys(w); got != "a b" {
		t.Fatalf("after the first cycle: %q", got)
	}
	must(t, w.Set("b", []byte("1"))) // set again, to the same value
	must(t, w.Set("c", []byte("1")))
	w.Drop("c")
	w.CycleStart()
	if got := keys(w); got != "b" {
		t.Errorf("after the second cycle: %q, want b", got)
	}
	w.CycleStart()
	if got := keys(w); got != "" {
		t.Errorf("after a cycle without a set: %q", got)
	}
}

func TestWorking_OverflowChangesNothing(t *testing.T) {
	w := &Working{}
	// One note of key "k": 1 map + 2 key + 3 bin head + value.
	must(t, w.Set("k", make([]byte, WorkingMax-6)))
	if w.Size() != WorkingMax || len(w.AppendTo(nil)) != WorkingMax {
		t.Fatalf("size %d, encoded %d, want %d", w.Size(), len(w.AppendTo(nil)), WorkingMax)
	}
	before := string(w.AppendTo(nil))
	err := w.Update(codec.BinMap{{Key: "l", Value: nil}}, nil)
	var over *OverflowError
	if !errors.As(err, &over) || over.Size != WorkingMax+4 || over.Max != WorkingMax {
		t.Errorf("one note more: %v", err)
	}
	if string(w.AppendTo(nil)) != before {
		t.Error("a refused update changed something")
	}
	must(t, w.Update(codec.BinMap{{Key: "l", Value: make([]byte, 60_000)}}, []string{"k"}))
	if got := keys(w); got != "l" {
		t.Errorf("drop and set in one update: %q", got)
	}
}

func TestWorking_SizeIsTheEncodedLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &Working{}
		key := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint("k", rapid.IntRange(0, 30).Draw(t, "key")) })
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			var set codec.BinMap
			for range rapid.IntRange(0, 3).Draw(t, "sets") {
				set.Set(key.Draw(t, "k")+strings.Repeat("x", rapid.SampledFrom([]int{0, 40, 300}).Draw(t, "pad")),
					make([]byte, rapid.SampledFrom([]int{0, 1, 255, 256, 30_000, 65_536}).Draw(t, "len")))
			}
			drop := rapid.SliceOfN(key, 0, 3).Draw(t, "drop")
			_ = w.Update(set, drop)
			if rapid.IntRange(0, 5).Draw(t, "cycle") == 0 {
				w.CycleStart()
			}
			if got := len(w.AppendTo(nil)); got != w.Size() || got > WorkingMax {
				t.Fatalf("size %d, encoded %d", w.Size(), got)
			}
		}
		back := &Working{}
		if err := back.Restore(w.AppendTo(nil), w.Fresh()); err != nil {
			t.Fatal(err)
		}
		if string(back.AppendTo(nil)) != string(w.AppendTo(nil)) || !slices.Equal(back.Fresh(), w.Fresh()) {
			t.Fatal("restore differs")
		}
	})
}

func fill(w *Working) {
	for i := range 15 {
		_ = w.Set(fmt.Sprint("key", i), make([]byte, 4096))
	}
	for i := range 200 {
		_ = w.Set(fmt.Sprint("small", i), []byte("value"))
	}
}

func TestWorking_ClearingAllocatesNothing(t *testing.T) {
	w := &Working{}
	fill(w)
	if n := testing.AllocsPerRun(1, func() { w.CycleStart(); w.Clear() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if w.Size() != 1 || len(w.Notes()) != 0 {
		t.Errorf("%d bytes and %d notes are left", w.Size(), len(w.Notes()))
	}
}

func BenchmarkWorking_Clear(b *testing.B) {
	w := &Working{}
	fill(w)
	full := slices.Clone(w.notes)
	b.ReportAllocs()
	for b.Loop() {
		w.notes = w.notes[:len(full)]
		copy(w.notes, full)
		w.Clear()
	}
}

package engine

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/ooda"
	"kingdom/wire"
)

// Readers of one message share its bytes, each gets those of the text that it read, and an evicted quote is made again.
func TestQuoteCache_ReadersOfOneMessageShareBytes(t *testing.T) {
	var x quoteCache
	m := &wire.Message{ID: wire.Hash{3}, Author: wire.AgentID{7}}
	first := x.get(m, []byte("hello"))
	if again := x.get(m, []byte("hello")); &again.Text[0] != &first.Text[0] || &again.Quote[0] != &first.Quote[0] || &again.Label[0] != &first.Label[0] {
		t.Error("two readers have bytes of their own")
	}
	if d := cmp.Diff(ooda.Quote(m, []byte("hello")), first); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(ooda.Quote(m, []byte("")), x.get(m, []byte(""))); d != "" {
		t.Error("a text that was left out: ", d)
	}
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 5 * quotesPerMap {
				o := &wire.Message{ID: wire.Hash{3, byte(w), byte(i), byte(i >> 8)}}
				if q := x.get(o, []byte{'a', byte(i)}); len(q.Text) != 2 || q.Text[1] != byte(i) {
					t.Errorf("another text: %q", q.Text)
				}
			}
		})
	}
	all.Wait()
	s := &x.shards[3]
	if n := len(s.recent) + len(s.older); n > 2*quotesPerMap {
		t.Errorf("%d are kept", n)
	}
	if d := cmp.Diff(first, x.get(m, []byte("hello"))); d != "" {
		t.Error(d)
	}
}

// A quote that nobody has asked for in two times eight cycles is dropped, one that was read meanwhile is not.
func TestQuoteCache_OldQuotesAreDropped(t *testing.T) {
	var x quoteCache
	read, unread := &wire.Message{ID: wire.Hash{3}}, &wire.Message{ID: wire.Hash{4}}
	first, dropped := x.get(read, []byte("hello")), x.get(unread, []byte("hello"))
	for c := wire.Cycle(1); c <= 2*quoteCycles; c++ {
		x.endCycle(c)
		if again := x.get(read, []byte("hello")); &again.Text[0] != &first.Text[0] {
			t.Fatalf("cycle %d: a quote that is in use was made anew", c)
		}
	}
	if again := x.get(unread, []byte("hello")); &again.Text[0] == &dropped.Text[0] {
		t.Error("a quote that nobody has asked for is still held")
	}
}

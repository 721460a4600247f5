package portal

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// TestCache_Bounds: at the end of a cycle the oldest pages go, within one it takes no more than
// twice as many.
func TestCache_Bounds(t *testing.T) {
	l := newLab(t, 3)
	l.n.bonus = 1 << 30
	for i := range 2*pagesPerScale + 10 {
		l.send(0, fmt.Sprintf("https://docs.test/%d", i), wire.HTTPMethodGet)
	}
	if n := l.cache.Len(); n != 2*pagesPerScale {
		t.Errorf("%d pages within the cycle, want %d", n, 2*pagesPerScale)
	}
	l.endCycle()
	if n := l.cache.Len(); n != pagesPerScale || l.cache.bytes != 1000*pagesPerScale {
		t.Errorf("%d pages of %d bytes after it", n, l.cache.bytes)
	}
	for i, want := range map[int]bool{0: false, pagesPerScale - 1: false, pagesPerScale: true, 2*pagesPerScale - 1: true} {
		if got := l.cache.Get(CacheKey(fmt.Appendf(nil, "https://docs.test/%d", i), wire.HTTPMethodGet, nil)) != nil; got != want {
			t.Errorf("page %d is there: %t", i, got)
		}
	}
}

// At the end of a cycle the oldest pages go until the rest is small enough; within one it takes twice as many bytes.
func TestCache_Bytes(t *testing.T) {
	const size = 1 << 20
	l := newLab(t, 3)
	l.cache.maxPages = 1000
	key := func(i int) wire.Hash { return wire.Hash{1, byte(i)} }
	content := make([]byte, size)
	for i := range 2*cacheBytes/size + 1 {
		l.cache.store(l.c, key(i), nil, &wire.WebFetched{Content: content})
	}
	l.cache.store(l.c, wire.Hash{2}, nil, &wire.WebFetched{Content: []byte("x")})
	if n := l.cache.Len(); n != 2*cacheBytes/size {
		t.Errorf("%d pages within the cycle, want %d", n, 2*cacheBytes/size)
	}
	l.endCycle()
	if n := l.cache.Len(); n != cacheBytes/size || l.cache.bytes != cacheBytes {
		t.Errorf("%d pages of %d bytes after it, want %d", n, l.cache.bytes, cacheBytes/size)
	}
	if l.cache.Get(key(cacheBytes/size-1)) != nil || l.cache.Get(key(cacheBytes/size)) == nil {
		t.Error("the oldest pages did not go")
	}
	l.cache.store(l.c, wire.Hash{2}, nil, &wire.WebFetched{Content: []byte("x")})
	l.endCycle()
	if n := l.cache.Len(); n != cacheBytes/size || l.cache.bytes != cacheBytes-size+1 {
		t.Errorf("one byte more than fits: %d pages of %d bytes", n, l.cache.bytes)
	}
}

// A larger world keeps more pages.
func TestCache_PagesByScale(t *testing.T) {
	for population, want := range map[uint64]int{1: 256, 8: 256, 9: 512, 24: 768} {
		if got := New(&world.Rules{Population: population}).cache.maxPages; got != want {
			t.Errorf("%d agents: %d pages, want %d", population, got, want)
		}
	}
}

// The oldest pages of all cycles go first, also after a restart; events tell which go and why.
func TestCache_OldestFirstInEachCycle(t *testing.T) {
	for _, restart := range []bool{false, true} {
		l := newLab(t, 3)
		l.n.bonus = 100
		names := map[wire.Hash]string{}
		fetch := func(pages ...string) {
			for _, p := range pages {
				url := "https://docs.test/" + p
				names[CacheKey([]byte(url), wire.HTTPMethodGet, nil)] = p
				l.send(0, url, wire.HTTPMethodGet)
			}
		}
		ends := func(want ...string) {
			t.Helper()
			if restart {
				l.restore()
			}
			l.cache.maxPages = 3
			_, events := l.endCycle()
			var got []string
			for _, e := range events {
				if p, ok := e.Payload.(*wire.CacheEvictedEvent); ok {
					got = append(got, fmt.Sprintf("%s %s", names[p.CacheKey], p.Reason))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("restarted %t, cycle %d: %q go, want %q", restart, l.c.Cycle-1, got, want)
			}
		}
		fetch("a", "b", "c", "d")
		ends("a full")
		fetch("e", "f")
		ends("b full", "c full")
		for range ttlCycles - 3 {
			ends()
		}
		fetch("g", "h")
		ends("d expired", "e full") // d first, whose time is over
		ends("f expired")
	}
}

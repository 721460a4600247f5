package portal

import (
	"crypto/sha256"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

const (
	ttlCycles      = 10       // cycles for which a page is kept
	pagesPerScale  = 256      // pages that a cycle end leaves, for each unit of the world's scale
	cacheBytes     = 32 << 20 // bytes of pages that a cycle end leaves
	overflowFactor = 2        // within a cycle there may be so many times as much
	maxContent     = 65_536   // bytes of an answer that are looked at
)

// CacheKey returns the key of the answer to a request: SHA-256(url ‖ u8 method ‖ body), where method is the number of
// the method in the enum, from 0.
func CacheKey(url []byte, m wire.HTTPMethod, body []byte) wire.Hash {
	b := append(slices.Clone(url), byte(m-1))
	return sha256.Sum256(append(b, body...))
}

// cacheKey names the answer to q.
func cacheKey(q *wire.WebRequest) wire.Hash {
	var body []byte
	if q.Body != nil {
		body = *q.Body
	}
	return CacheKey(q.URL, q.Method, body)
}

// cache holds pages that everybody may read. Pages leave it at the end of a cycle only, so that
// what the prepare stage found there is there at the commit.
type cache struct {
	*world.Table[wire.Hash, Page]
	maxPages  int // at the end of a cycle, at most
	bytes     int // of all contents
	lastPlace uint64
}

func newCache(s *world.State, r *world.Rules) *cache {
	return &cache{Table: world.NewTable[wire.Hash](s, "cache", pageCodec), maxPages: int(pagesPerScale * r.Scale())}
}

// restored counts what is there; a restored cache goes on like one that was never away.
func (x *cache) restored() {
	x.bytes, x.lastPlace = 0, 0
	x.Each(func(_ wire.Hash, p *Page) {
		x.bytes += len(p.Answer.Content)
		x.lastPlace = max(x.lastPlace, p.Place)
	})
}

// store keeps a page, unless the cache is too full for this cycle. Its place is after all that are
// there.
func (x *cache) store(c *world.Context, key wire.Hash, url []byte, a *wire.WebFetched) {
	if x.Len() >= overflowFactor*x.maxPages || x.bytes+len(a.Content) > overflowFactor*cacheBytes {
		return
	}
	x.lastPlace++
	x.bytes += len(a.Content)
	x.Put(key, &Page{URL: url, Answer: *a, Place: x.lastPlace, Stored: c.Cycle})
	c.Emit(sys, wire.KindCacheStored, c.Source, &wire.CacheStoredEvent{CacheKey: key, URL: url, TTLCycles: ttlCycles, Shared: true}, nil)
}

// evict drops what is too old, then the oldest until the rest fits.
func (x *cache) evict(c *world.Context) {
	keys := slices.Clone(x.Keys())
	slices.SortFunc(keys, func(a, b wire.Hash) int { return int(x.Get(a).Place) - int(x.Get(b).Place) })
	for _, k := range keys {
		reason := ""
		switch p := x.Get(k); {
		case c.Cycle+1 >= p.Stored+ttlCycles:
			reason = "expired"
		case x.Len() > x.maxPages || x.bytes > cacheBytes:
			reason = "full"
		default:
			continue
		}
		x.bytes -= len(x.Get(k).Answer.Content)
		x.Delete(k)
		c.Emit(sys, wire.KindCacheEvicted, me, &wire.CacheEvictedEvent{CacheKey: k, Reason: []byte(reason)}, nil)
	}
	x.restored()
}

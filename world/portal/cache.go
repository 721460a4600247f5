package portal

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

const (
	ttlCycles      = 10       // cycles for which a page is kept
	pagesPerScale  = 256      // maximum pages after a cycle end, per unit of the world's scale
	cacheBytes     = 32 << 20 // maximum bytes of pages after a cycle end
	overflowFactor = 2        // factor by which a cycle may exceed the two maxima
	maxContent     = 65_536   // bytes of an answer that are kept; the rest is dropped
)

// CacheKey returns the key of the answer to a request without headers: SHA-256(url ‖ u8 method ‖ body), where method is
// the number of the method in the enum, from 0.
func CacheKey(url []byte, m wire.HTTPMethod, body []byte) wire.Hash {
	b := append(slices.Clone(url), byte(m-1))
	return sha256.Sum256(append(b, body...))
}

// cacheKey returns the key of the answer to q. A server may answer in the form and the language that the headers ask for,
// so these belong to the key, else the first reader of a page would choose them for all. With headers it is
// SHA-256(key without them ‖ u8 0 and value of Accept ‖ u8 1 and value of Accept-Language), each value behind its length
// as a u32, and those that are missing left out.
func cacheKey(q *wire.WebRequest) wire.Hash {
	var body []byte
	if q.Body != nil {
		body = *q.Body
	}
	key := CacheKey(q.URL, q.Method, body)
	if len(q.Headers) == 0 {
		return key
	}
	b := key[:]
	for i, name := range headerNames {
		for k := range q.Headers {
			if v := q.Headers[k].Value; strings.EqualFold(q.Headers[k].Key, name) {
				b = append(binary.BigEndian.AppendUint32(append(b, byte(i)), uint32(len(v))), v...)
			}
		}
	}
	return sha256.Sum256(b)
}

// cache holds the pages that were fetched; all agents share it. Pages are evicted at the end of a cycle only, so that a
// page found in the prepare stage is still there at the commit.
type cache struct {
	*world.Table[wire.Hash, Page]
	maxPages  int // limit at the end of a cycle
	bytes     int // of all contents
	lastPlace uint64
}

func newCache(s *world.State, r *world.Rules) *cache {
	return &cache{Table: world.NewTable[wire.Hash](s, "cache", pageCodec), maxPages: int(pagesPerScale * r.Scale())}
}

// restored recomputes the counters from the table.
func (x *cache) restored() {
	x.bytes, x.lastPlace = 0, 0
	x.Each(func(_ wire.Hash, p *Page) {
		x.bytes += len(p.Answer.Content)
		x.lastPlace = max(x.lastPlace, p.Place)
	})
}

// store adds a page with the next place, unless the cache has reached its limit within a cycle.
func (x *cache) store(c *world.Context, key wire.Hash, url []byte, a *wire.WebFetched) {
	if x.Len() >= overflowFactor*x.maxPages || x.bytes+len(a.Content) > overflowFactor*cacheBytes {
		return
	}
	x.lastPlace++
	x.bytes += len(a.Content)
	x.Put(key, &Page{URL: url, Answer: *a, Place: x.lastPlace, Stored: c.Cycle})
	c.Emit(sys, wire.KindCacheStored, c.Source, &wire.CacheStoredEvent{CacheKey: key, URL: url, TTLCycles: ttlCycles, Shared: true}, nil)
}

// evict drops expired pages, then the oldest until the limits hold.
func (x *cache) evict(c *world.Context) {
	keys := slices.Clone(x.Keys())
	slices.SortFunc(keys, func(a, b wire.Hash) int { return cmp.Compare(x.Get(a).Place, x.Get(b).Place) })
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

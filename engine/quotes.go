package engine

import (
	"bytes"
	"sync"

	"kingdom/ooda"
	"kingdom/wire"
)

const (
	quoteShards  = 16    // each with a lock of its own
	quotesPerMap = 1_024 // per map
	quoteCycles  = 8     // after so many cycles the recent quotes become the older ones, which are dropped; old messages have few readers
)

// quoteCache lets all readers of a message share one copy of its text, since agents keep quotes for long. It affects
// only memory: for a message that is not in it, or has another text, a new copy is made.
type quoteCache struct {
	shards [quoteShards]struct {
		mu            sync.Mutex
		recent, older map[wire.Hash]ooda.Quoted
	}
}

// get returns ooda.Quote of a message, shared with earlier readers if possible.
func (x *quoteCache) get(m *wire.Message, text []byte) ooda.Quoted {
	s := &x.shards[m.ID[0]%quoteShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.recent[m.ID]
	if ok && bytes.Equal(q.Text, text) {
		return q
	}
	if q, ok = s.older[m.ID]; !ok || !bytes.Equal(q.Text, text) {
		q = ooda.Quote(m, text)
	}
	if s.recent == nil {
		s.recent = make(map[wire.Hash]ooda.Quoted)
	}
	s.recent[m.ID] = q
	if len(s.recent) == quotesPerMap {
		s.older, s.recent = s.recent, nil
	}
	return q
}

// endCycle drops quotes of messages that were last read long ago.
func (x *quoteCache) endCycle(c wire.Cycle) {
	if c%quoteCycles != 0 {
		return
	}
	for i := range x.shards {
		s := &x.shards[i]
		s.older, s.recent = s.recent, nil
	}
}

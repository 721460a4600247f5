package engine

import (
	"bytes"
	"sync"

	"kingdom/ooda"
	"kingdom/wire"
)

const (
	quoteShards  = 16    // each with a lock of its own
	quotesPerMap = 1_024 // per shard and half; as many again were used before
)

// quoteCache hands all readers of a message the same bytes of it. Agents keep them for long, and a
// message has many readers. What is in it changes nothing but memory: who asks for a message
// that is not, or whose text is another one, gets new bytes.
type quoteCache struct {
	shards [quoteShards]struct {
		mu         sync.Mutex
		young, old map[wire.Hash]ooda.Quoted
	}
}

// get is ooda.Quote, shared.
func (x *quoteCache) get(m *wire.Message, text []byte) ooda.Quoted {
	s := &x.shards[m.ID[0]%quoteShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.young[m.ID]
	if ok && bytes.Equal(q.Text, text) {
		return q
	}
	if q, ok = s.old[m.ID]; !ok || !bytes.Equal(q.Text, text) {
		q = ooda.Quote(m, text)
	}
	if len(s.young) >= quotesPerMap || s.young == nil {
		s.old, s.young = s.young, make(map[wire.Hash]ooda.Quoted)
	}
	s.young[m.ID] = q
	return q
}

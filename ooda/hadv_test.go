package ooda

import (
	"testing"

	"kingdom/wire"
)

// UNSUBSCRIBE changes nothing for others, but counts as if it did: it takes one request that changes nothing off the count.
func TestHadv_UnsubscribingPaysForQueries(t *testing.T) {
	for name, between := range map[string][]string{
		"queries only":                    nil,
		"queries, subscribe, unsubscribe": {`{"action":"subscribe","params":{"kinds":[1]}}`, `{"action":"unsubscribe","params":{"subscriber_id":1}}`},
	} {
		s := newSolo(t, genomes[0])
		total := 0
		for cycle := range wire.Cycle(10) {
			queries := 0
			for used := 0; used < 64; {
				s.slot(asks, balance())
				queries++
				used += 1 + s.pauses()
				for _, text := range between {
					reply := wire.Reply{Type: wire.TypeAck}
					if text == between[0] {
						reply.Body = &wire.SubscribeAck{SubscriberID: 1}
					}
					s.slot(text, reply)
					used += 1 + s.pauses()
				}
			}
			total += queries
			s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 2 + cycle}, wire.Tick(512+256*cycle))
		}
		t.Logf("%s: %d queries in ten cycles of 64 slots, %d on the count in the end", name, total, s.a.Notebook.Fruitless)
	}
}

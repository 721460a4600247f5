package agora

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"kingdom/wire"
)

// heapBytes is what is live.
func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkStoredMessages is the memory that messages take for good once the store has
// them, by the length of their contents: alone, and as in a run, where every third refers to
// an older one or to an object and ten have seventeen signals.
func BenchmarkStoredMessages(b *testing.B) {
	const n = 102_400 // of whole cycles
	for _, size := range []int{100, 4_000} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(messagesTake(b, n, size, false)/n, "B/message")
			}
		})
	}
	for _, n := range []int{n, 770_000} { // the latter are what a million things of a village have of messages
		b.Run(fmt.Sprintf("bytes=400/discussed/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(messagesTake(b, n, 400, true)/float64(n), "B/message")
			}
		})
	}
}

// number is an id that differs from those of other numbers as hashes do.
func number(what byte, i int) (id wire.Hash) {
	binary.BigEndian.PutUint64(id[:], uint64(i)*0x9E3779B97F4A7C15)
	id[8], id[31] = what, 1
	return id
}

// messagesTake is how much n messages take beside the newest ones, whose beginnings are kept
// however many there are.
func messagesTake(b *testing.B, n, size int, discussed bool) float64 {
	l := newLab(b)
	text := strings.Repeat("x", size)
	say := func(i int) {
		m := &wire.Message{
			ID: number(1, i), Channel: wire.ChannelID("help"), Author: wire.AgentID(number(2, i%1000)),
			Kind: wire.MessageKindStatement, Content: wire.TextContent(fmt.Sprint(i, text)),
		}
		if discussed && i%3 == 2 {
			if m.References = []wire.Hash{number(1, i/2)}; i%5 == 0 {
				m.References = []wire.Hash{number(3, i)}
			}
		}
		l.d.channels.appendMessage(l.c, me, nil, m)
		for k := range 17 {
			if discussed && i%10 == 9 {
				l.d.archive.signals.Append(&Signal{
					Target: number(1, i-k*10/17), Author: wire.AgentID(number(2, k*59%1000)), Kind: wire.SignalKindHelpful, Weight: 0.01,
				})
			}
		}
		l.c.Events = nil
		l.at(l.c.Tick + 1)
		if i%512 == 511 { // a cycle's end
			l.d.State().TakeRows()
			l.d.State().Forget(l.d.State().Heads())
		}
	}
	const first = 4 * textWindow
	for i := range first {
		say(i)
	}
	before := heapBytes()
	for i := first; i < first+n; i++ {
		say(i)
	}
	after := heapBytes()
	runtime.KeepAlive(l)
	return float64(after - before)
}

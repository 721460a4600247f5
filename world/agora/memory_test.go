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
// them: it does not depend on how long they are.
func BenchmarkStoredMessages(b *testing.B) {
	const n = 20_000
	for _, size := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			var grown int64
			for b.Loop() {
				grown = messagesTake(b, n, size)
			}
			b.ReportMetric(float64(grown)/n, "B/message")
		})
	}
}

func messagesTake(b *testing.B, n, size int) int64 {
	l := newLab(b)
	text := strings.Repeat("x", size)
	before := heapBytes()
	for i := range n {
		var id wire.Hash
		binary.BigEndian.PutUint64(id[:], uint64(i))
		id[31] = 1
		l.d.say(l.c, me, nil, &wire.Message{
			ID: id, Channel: wire.ChannelID("help"), Author: agent(byte(i % 9)), Kind: wire.MessageKindStatement,
			Content: wire.TextContent(fmt.Sprint(i, text)),
		})
		l.c.Events = nil
		l.at(l.c.Tick + 1)
		if i%512 == 511 { // a cycle's end
			l.d.State().TakeRows()
			l.d.State().Forget(l.d.State().Heads())
		}
	}
	after := heapBytes()
	runtime.KeepAlive(l)
	return after - before
}

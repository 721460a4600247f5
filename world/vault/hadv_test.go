package vault

import (
	"bytes"
	"fmt"
	"testing"

	"kingdom/wire"
)

// A publication is charged as a record of 256 bytes whatever it says, and the index of categories keeps every label that ever was.
func TestHadv_PublicationsCostLessThanTheyKeep(t *testing.T) {
	l := newLab(t)
	repo := l.made(0, "lib", openToAll)
	text := func(i, n int) []byte { return append(fmt.Appendf(nil, "%08d", i), bytes.Repeat([]byte("x"), n-8)...) }
	charged, sent := l.store.storage.of(l.ids[0]), 0
	for i := range 200 {
		q := &wire.TagCreate{Repo: repo, Name: fmt.Appendf(nil, "v%d", i), Target: repo, Publish: &wire.Publication{Description: text(i, 1024)}}
		for k := range 8 {
			q.Publish.Category = append(q.Publish.Category, text(8*i+k, 96))
		}
		sent++
		l.ack(0, q)
	}
	one := len(listingCodec.Append(nil, l.registry.Get(repo)))
	labels := 0
	for k := range l.registry.byCategory {
		labels += len(k)
	}
	t.Logf("%d publications: %d bytes charged, the record of the last has %d bytes; %d labels of %d bytes in memory, %d of them with a repo",
		sent, l.store.storage.of(l.ids[0])-charged, one, len(l.registry.byCategory), labels, len(l.registry.Get(repo).Category))
	before := l.store.storage.of(l.ids[1])
	other := l.made(1, "other", openToAll)
	first := l.store.storage.of(l.ids[1])
	l.ack(1, &wire.TagCreate{Repo: other, Name: []byte("v"), Target: other, Publish: &wire.Publication{Description: text(0, 1024), Category: [][]byte{text(1, 96), text(2, 96), text(3, 96), text(4, 96), text(5, 96), text(6, 96), text(7, 96), text(8, 96)}}})
	t.Logf("a repo costs %d bytes, its first publication %d, of which 256 for a listing of %d", first-before, l.store.storage.of(l.ids[1])-first, one)
}

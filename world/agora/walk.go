package agora

import "kingdom/wire"

// walk iterates over messages from the newest to the oldest, each once. Without lists it visits all messages.
type walk struct {
	x          *archive
	left       uint32     // number of messages not visited yet, without lists
	lists      [][]uint32 // ascending message numbers, none empty
	restricted bool       // only lists are visited, even if there are none
	size       int        // number of messages in the lists, duplicates included; in a recentList all are counted
}

// walk returns a walk over the messages that match the most selective of the indexed filters.
func (x *archive) walk(q *wire.MsgQuery) walk {
	w := walk{x: x, left: uint32(x.all.Len())}
	if q.Authors != nil {
		w.narrow(gather(*q.Authors, func(a wire.AgentID) ([]uint32, int) { return withLength(x.wrote(a)) }))
	}
	if q.Channels != nil {
		w.narrow(gather(*q.Channels, func(id wire.Hash) ([]uint32, int) {
			if t := x.logsByChannel[id]; t != nil {
				return withLength(t.messages)
			}
			return nil, 0
		}))
	}
	if q.Kinds != nil {
		w.narrow(gather(*q.Kinds, func(k wire.MessageKind) ([]uint32, int) {
			if int(k) < len(x.byKind) {
				return x.byKind[k].list, x.byKind[k].count
			}
			return nil, 0
		}))
	}
	return w
}

// wrote returns the messages of an author.
func (x *archive) wrote(a wire.AgentID) []uint32 {
	if n, ok := x.reactions.people.Find(a); ok && int(n) < len(x.byAuthor) {
		return x.byAuthor[n]
	}
	return nil
}

// recentList is a list of messages that keeps only the newest, because no query visits more than searchSteps.
type recentList struct {
	list  []uint32 // the last ones, ascending: at least searchSteps if there are as many
	count int      // of all messages added
}

func (x *recentList) add(n uint32) {
	if len(x.list) == searchSteps+searchSteps/4 {
		x.list = append(x.list[:0], x.list[searchSteps/4:]...)
	}
	x.list = append(x.list, n)
	x.count++
}

// withLength returns a list and its length.
func withLength(list []uint32) ([]uint32, int) { return list, len(list) }

// gather returns the lists of a filter's items that are not empty, and the number of messages in them.
func gather[T any](items []T, list func(T) ([]uint32, int)) (lists [][]uint32, all int) {
	lists = make([][]uint32, 0, len(items))
	for _, item := range items {
		if l, n := list(item); n > 0 {
			lists = append(lists, l)
			all += n
		}
	}
	return lists, all
}

// narrow replaces the lists if the new ones have fewer messages.
func (w *walk) narrow(lists [][]uint32, n int) {
	if !w.restricted || n < w.size {
		w.lists, w.restricted, w.size = lists, true, n
	}
}

// next returns the next message or nil.
func (w *walk) next() *entry {
	if !w.restricted {
		if w.left == 0 {
			return nil
		}
		w.left--
		return w.x.all.At(w.left)
	}
	if len(w.lists) == 0 {
		return nil
	}
	var top uint32
	for _, l := range w.lists {
		top = max(top, l[len(l)-1])
	}
	for i := len(w.lists) - 1; i >= 0; i-- { // the same message may be in several lists
		l := w.lists[i]
		if l[len(l)-1] != top {
			continue
		}
		if w.lists[i] = l[:len(l)-1]; len(w.lists[i]) == 0 {
			last := len(w.lists) - 1
			w.lists[i] = w.lists[last]
			w.lists = w.lists[:last]
		}
	}
	return w.x.all.At(top)
}

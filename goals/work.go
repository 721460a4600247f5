package goals

import (
	"slices"

	"kingdom/wire"
)

// workMax is how many own entries are followed; the oldest is forgotten first.
const workMax = 64

// Work is an Oracle entry that the agent wrote, and what others found of it.
type Work struct {
	Entry    wire.Hash      `kdom:"entry"`
	At       wire.Tick      `kdom:"at"` // when it was published, or changed last
	Kind     wire.EntryKind `kdom:"kind"`
	Verdicts uint32         `kdom:"verdicts"` // of any kind, since then
	Accuracy float64        `kdom:"accuracy"` // [0,1]
	Accurate uint32         `kdom:"accurate"` // ACCURATE verdicts
}

// Tuple makes the stored form a list.
func (Work) Tuple() {}

// Publish begins to follow an entry that the agent published.
func (l *Learning) Publish(entry wire.Hash, kind wire.EntryKind, at wire.Tick) {
	if len(l.Works) >= workMax {
		l.Works = slices.Delete(l.Works, 0, 1)
	}
	l.Works = append(l.Works, Work{Entry: entry, At: at, Kind: kind})
}

// Revise notes that the agent changed an entry: verdicts on the old text do not count any more.
func (l *Learning) Revise(entry wire.Hash, at wire.Tick) {
	for i := range l.Works {
		if w := &l.Works[i]; w.Entry == entry {
			w.At, w.Verdicts, w.Accuracy, w.Accurate = at, 0, 0, 0
		}
	}
}

// Verify notes a verdict on an entry and returns the entry's record; ok is false for entries that are not followed,
// such as those of others.
func (l *Learning) Verify(entry wire.Hash, v wire.Verdict, accuracy float64) (w Work, ok bool) {
	for i := range l.Works {
		p := &l.Works[i]
		if p.Entry != entry {
			continue
		}
		p.Verdicts++
		p.Accuracy = accuracy
		if v == wire.VerdictAccurate {
			p.Accurate++
		}
		return *p, true
	}
	return Work{}, false
}

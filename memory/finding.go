package memory

import (
	"bytes"
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

const (
	findingsMax = 128 // findings that an agent keeps
	subjectMax  = 64  // bytes of a subject
	valueMax    = 1e6
	// window is how many observations a value stands for: older ones fade.
	window = 16
)

// Finding is what an agent has counted of a measure of a subject, or read of it. An agent keeps up to findingsMax, so it
// is kept small: 104 bytes beside its subject.
type Finding struct {
	Subject []byte      // words: an alias, the name of a channel, a difficulty
	At      wire.Cycle  // of the newest observation; of what was only read, the author's
	moved   *wire.Hash  // the entry that moved the value and is not cited yet; nil: none
	Entry   wire.Hash   // the entry that states it; zero: none is known
	Value   float32     // of a share [0,1], else 0 and more; quantised
	N       uint32      // own observations
	Stated  float32     // what the own entry says
	Since   CycleNumber // when the own entry was written last
	Paid    CycleNumber // when somebody offered to pay for it last, plus one; 0: nobody did
	Asked   CycleNumber // when somebody asked for it last, plus one; 0: nobody did
	Measure Measure
	Own     bool // the entry is the agent's own
}

// CycleNumber is a cycle in 4 bytes: ticks have no more, and a cycle has at least one.
type CycleNumber uint32

// Cycle is the cycle that it stands for.
func (n CycleNumber) Cycle() wire.Cycle { return wire.Cycle(n) }

// Moved is the entry that moved the value and is not cited yet; zero: none.
func (f *Finding) Moved() wire.Hash {
	if f.moved == nil {
		return wire.Hash{}
	}
	return *f.moved
}

// Cited notes that the entry that moved the value is cited.
func (f *Finding) Cited() { f.moved = nil }

// Findings are what an agent has found out about this world by counting, by measure and subject.
// They are part of the state blob.
type Findings []Finding

// StoredFinding is a finding as it is stored.
type StoredFinding struct {
	Measure Measure    `kdom:"m"`
	Subject []byte     `kdom:"s"`
	Value   float32    `kdom:"v"`
	N       uint32     `kdom:"n"`
	At      wire.Cycle `kdom:"c"`
	Entry   wire.Hash  `kdom:"e"`
	Own     bool       `kdom:"o"`
	Stated  float32    `kdom:"w"`
	Since   wire.Cycle `kdom:"t"`
	Moved   wire.Hash  `kdom:"r"`
	Paid    wire.Cycle `kdom:"p"`
	Asked   wire.Cycle `kdom:"q"`
}

// Tuple makes the stored form a list.
func (StoredFinding) Tuple() {}

// stored are the findings as they are stored. They share their subjects.
func (l Findings) stored() []StoredFinding {
	out := make([]StoredFinding, len(l))
	for i := range l {
		f := &l[i]
		out[i] = StoredFinding{
			f.Measure, f.Subject, f.Value, f.N, f.At, f.Entry, f.Own, f.Stated, f.Since.Cycle(), f.Moved(), f.Paid.Cycle(), f.Asked.Cycle(),
		}
	}
	return out
}

// RestoreFindings makes findings of what was stored of them.
func RestoreFindings(list []StoredFinding) Findings {
	out := make(Findings, len(list))
	for i := range list {
		x := &list[i]
		out[i] = Finding{
			Subject: x.Subject, At: x.At, Entry: x.Entry, Value: x.Value, N: x.N, Stated: x.Stated, Measure: x.Measure, Own: x.Own,
			Since: CycleNumber(x.Since), Paid: CycleNumber(x.Paid), Asked: CycleNumber(x.Asked),
		}
		if !x.Moved.IsZero() {
			moved := x.Moved // not all of the list
			out[i].moved = &moved
		}
	}
	return out
}

// Get returns the finding about a measure of a subject, or nil. It is valid until the next is added.
func (l Findings) Get(m Measure, subject []byte) *Finding {
	if i, ok := l.find(m, subject); ok {
		return &l[i]
	}
	return nil
}

func (l Findings) find(m Measure, subject []byte) (int, bool) {
	lo, hi := 0, len(l)
	for lo < hi {
		mid := (lo + hi) / 2
		if l[mid].before(m, subject) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(l) && l[lo].Measure == m && bytes.Equal(l[lo].Subject, subject)
}

func (f *Finding) before(m Measure, subject []byte) bool {
	if f.Measure != m {
		return f.Measure < m
	}
	return bytes.Compare(f.Subject, subject) < 0
}

// Take returns the finding about a measure of a subject and makes it if there is none. In a full
// list the one that tells least goes first.
func (l *Findings) Take(m Measure, subject []byte) *Finding {
	i, ok := l.find(m, subject)
	if !ok {
		if len(*l) >= findingsMax {
			j := l.least()
			*l = slices.Delete(*l, j, j+1)
			i, _ = l.find(m, subject)
		}
		*l = slices.Insert(grow(*l, findingsMax), i, Finding{Measure: m, Subject: bytes.Clone(subject[:min(len(subject), subjectMax)])})
	}
	return &(*l)[i]
}

// least is the finding that tells least: not stated by an own entry, then seen least, then oldest. Patterns
// that the agent knows tell more than what it only heard of.
func (l Findings) least() (low int) {
	for i := range l {
		a, b := &l[i], &l[low]
		switch {
		case (a.Measure == MeasurePattern) != (b.Measure == MeasurePattern):
			if b.Measure == MeasurePattern {
				low = i
			}
		case a.Own != b.Own:
			if b.Own {
				low = i
			}
		case a.N != b.N:
			if a.N < b.N {
				low = i
			}
		case a.At < b.At:
			low = i
		}
	}
	return low
}

// Observe counts one observation x: the value is the mean of the first sixteen and follows
// the later ones with their weight.
func (l *Findings) Observe(m Measure, subject []byte, x float64, at wire.Cycle) {
	f := l.Take(m, subject)
	if f.N < 1<<32-1 {
		f.N++
	}
	f.move(x, 1/float64(min(f.N, window)))
	f.At = at
}

// Glimpse notes that there is something to count, which the agent did not attend to: a finding
// without observations. It takes the place of nothing that tells more.
func (l *Findings) Glimpse(m Measure, subject []byte, at wire.Cycle) {
	if f := l.Get(m, subject); f != nil {
		if f.N == 0 {
			f.At = at
		}
		return
	}
	if len(*l) >= findingsMax {
		if f := &(*l)[l.least()]; f.N > 0 || f.Own {
			return
		}
	}
	l.Take(m, subject).At = at
}

// Set notes a value that is known exactly as of a cycle.
func (l *Findings) Set(m Measure, subject []byte, v float64, at wire.Cycle) {
	f := l.Take(m, subject)
	f.N++
	f.Value, f.At = float32(det.Quantise(min(v, valueMax))), at
}

func (f *Finding) move(x, rate float64) { f.Value = moved(f.Value, min(x, valueMax), rate) }

// Bounds within which what another states moves a value, and how far.
const (
	openTo   = 0.4 // a statement farther away is not believed
	readRate = 0.2
)

// Hear takes in what an entry states. Without own observations it becomes the value; else, if it is
// not too far from it, it moves it by 0.2 · weight, the trust in its author times its accuracy.
func (f *Finding) Hear(said *Finding, entry wire.Hash, weight float64) {
	if f.N == 0 {
		f.Value, f.At = said.Value, said.At
		return
	}
	if d := f.Measure.Distance(f.Value, said.Value); d == 0 || d > openTo || weight <= 0 {
		return
	}
	f.move(float64(said.Value), float64(readRate*weight))
	moved := entry // here, so that what moves nothing costs no memory
	f.moved = &moved
}

// Contrast is how far a finding is from what is usual: from the mean of the others of its measure that were
// counted at least so often, [0,1]; 0 if there are none. above counts those whose value is lower, among
// all of them.
func (l Findings) Contrast(f *Finding, least uint32) (d float64, above, among int) {
	lo, _ := l.find(f.Measure, nil)
	sum := 0.0
	for i := lo; i < len(l) && l[i].Measure == f.Measure; i++ {
		x := &l[i]
		if x.N < least || string(x.Subject) == string(f.Subject) {
			continue
		}
		sum += float64(x.Value)
		among++
		if x.Value < f.Value {
			above++
		}
	}
	if among == 0 {
		return 0, 0, 0
	}
	return f.Measure.Distance(f.Value, float32(det.Quantise(sum/float64(among)))), above, among
}

// TopicNote is how well an agent knows a topic.
type TopicNote struct {
	Know   float32 `kdom:"k"` // [0,1], quantised
	Credit float32 `kdom:"c"` // attention saved up, [0,1)
	// Bar is how long the agent leaves work in the topic to others, in shares of an equal's time, [BarLeast,BarMost]:
	// it falls with work that was found good and rises without.
	Bar  float32    `kdom:"b"`
	Good wire.Cycle `kdom:"g"` // in which work in it was found good last, plus one; 0: never
}

// Bounds of [TopicNote.Bar].
const (
	BarLeast = 0.1
	BarMost  = 1.9
)

// Tuple makes the stored form a list.
func (TopicNote) Tuple() {}

// TopicNotes are how well an agent knows each topic, by topic less one; empty before its first slot.
// They are part of the state blob.
type TopicNotes []TopicNote

// Know is how well a topic is known, [0,1].
func (l TopicNotes) Know(t Topic) float64 {
	if int(t) > len(l) || t == 0 {
		return 0
	}
	return float64(l[t-1].Know)
}

// Attends reports whether an agent counts the next observation in a topic: as large a share of them
// as it knows of the topic.
func (l TopicNotes) Attends(t Topic) bool {
	if int(t) > len(l) {
		return false
	}
	n := &l[t-1]
	sum := det.Quantise(float64(n.Credit) + float64(n.Know))
	if sum >= 1 {
		n.Credit = float32(sum - 1)
		return true
	}
	n.Credit = float32(sum)
	return false
}

// Bar is how long work in a topic is left to others, see [TopicNote.Bar]; 1 of what is no topic.
func (l TopicNotes) Bar(t Topic) float64 {
	if int(t) > len(l) || t == 0 {
		return 1
	}
	return float64(l[t-1].Bar)
}

// Practise notes that work in a topic was found good in a cycle: the bar falls by rate, once in a cycle.
func (l TopicNotes) Practise(t Topic, at wire.Cycle, rate float64) {
	if t == 0 || int(t) > len(l) || l[t-1].Good == at+1 {
		return
	}
	n := &l[t-1]
	n.Good, n.Bar = at+1, float32(det.Quantise(max(float64(n.Bar)-rate, BarLeast)))
}

// Idle raises the bars of the topics in which no work was found good in the cycle that ends, by rate.
func (l TopicNotes) Idle(at wire.Cycle, rate float64) {
	for i := range l {
		if n := &l[i]; n.Good != at+1 {
			n.Bar = float32(det.Quantise(min(float64(n.Bar)+rate, BarMost)))
		}
	}
}

// Learn moves what is known of a topic towards x: by a fifth for an agent as broad as can be, by less for those
// who keep to their fields. breadth is in [0,1].
func (l TopicNotes) Learn(t Topic, x, breadth float64) {
	if t > 0 && int(t) <= len(l) {
		l[t-1].Know = moved(l[t-1].Know, x, float64(emaRate*breadth))
	}
}

// Prove raises what is known of a topic to what a proof shows, at least.
func (l TopicNotes) Prove(t Topic) {
	const proven = 0.8
	if t > 0 && int(t) <= len(l) {
		l[t-1].Know = max(l[t-1].Know, float32(det.Quantise(proven)))
	}
}

package memory

import (
	"slices"
	"unique"

	"kingdom/det"
	"kingdom/wire"
)

const (
	findingsMax = 128 // findings that an agent keeps
	subjectMax  = 64  // bytes of a subject
	valueMax    = 1e6
	// observationWindow is the number of observations that a value averages; older ones lose weight.
	observationWindow = 16
)

// Finding is what an agent has counted of a measure of a subject, or read about it. An agent has many of them, so a
// finding is kept small: 64 bytes. Subjects and ids of entries are in memory once for all agents.
type Finding struct {
	subject unique.Handle[string]
	movedBy *wire.Hash // the entry that changed the value and is not cited yet; nil: none
	entry   unique.Handle[wire.Hash]
	At      wire.Cycle  // of the newest own observation; if there is none, the cycle that the author stated
	Value   float32     // of a share [0,1], else 0 and more; quantised
	N       uint32      // own observations
	Stated  float32     // what the own entry says
	Since   CycleNumber // when the own entry was written last
	Paid    CycleNumber // when somebody offered to pay for it last, plus one; 0: nobody did
	Asked   CycleNumber // when somebody asked for it last, plus one; 0: nobody did
	Measure Measure
	Own     bool // the entry is the agent's own
}

// CycleNumber is a cycle in 4 bytes.
type CycleNumber uint32

// Cycle returns the cycle.
func (n CycleNumber) Cycle() wire.Cycle { return wire.Cycle(n) }

// Stated returns a finding as somebody states it: the value of n observations up to a cycle.
func Stated(m Measure, subject string, value float32, n uint32, at wire.Cycle) Finding {
	return Finding{Measure: m, subject: unique.Make(subject), Value: value, N: n, At: at}
}

// Subject returns what is counted of: words, such as an alias, the name of a channel or a difficulty.
func (f *Finding) Subject() string {
	if f.subject == (unique.Handle[string]{}) {
		return ""
	}
	return f.subject.Value()
}

// MovedBy returns the entry that changed the value and has not been cited yet; zero if there is none.
func (f *Finding) MovedBy() wire.Hash {
	if f.movedBy == nil {
		return wire.Hash{}
	}
	return *f.movedBy
}

// Entry returns the entry that states the finding; zero if none is known.
func (f *Finding) Entry() wire.Hash {
	if f.entry == (unique.Handle[wire.Hash]{}) {
		return wire.Hash{}
	}
	return f.entry.Value()
}

// SetEntry says which entry states the finding; zero: none.
func (f *Finding) SetEntry(id wire.Hash) {
	if f.entry = (unique.Handle[wire.Hash]{}); !id.IsZero() {
		f.entry = unique.Make(id)
	}
}

// MarkCited notes that the entry which changed the value has been cited.
func (f *Finding) MarkCited() { f.movedBy = nil }

// Findings are what an agent has learned about the world by counting, by measure and subject. They are stored in the
// agent's state.
type Findings []Finding

// StoredFinding is a finding in its stored form.
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

// stored returns the stored form of the findings.
func (l Findings) stored() []StoredFinding {
	out := make([]StoredFinding, len(l))
	size := 0
	for i := range l {
		size += len(l[i].Subject())
	}
	subjects := make([]byte, 0, size) // of all: an agent has more than a hundred, and is hashed each cycle
	for i := range l {
		f := &l[i]
		from := len(subjects)
		subjects = append(subjects, f.Subject()...)
		out[i] = StoredFinding{
			f.Measure, subjects[from:len(subjects):len(subjects)], f.Value, f.N, f.At, f.Entry(), f.Own, f.Stated, f.Since.Cycle(), f.MovedBy(), f.Paid.Cycle(), f.Asked.Cycle(),
		}
	}
	return out
}

// RestoreFindings rebuilds findings from their stored form.
func RestoreFindings(list []StoredFinding) Findings {
	out := make(Findings, len(list))
	for i := range list {
		x := &list[i]
		out[i] = Finding{
			subject: unique.Make(string(x.Subject)), At: x.At, Value: x.Value, N: x.N, Stated: x.Stated, Measure: x.Measure, Own: x.Own,
			Since: CycleNumber(x.Since), Paid: CycleNumber(x.Paid), Asked: CycleNumber(x.Asked),
		}
		out[i].SetEntry(x.Entry)
		if !x.Moved.IsZero() {
			moved := x.Moved // not all of the list
			out[i].movedBy = &moved
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

// find returns where the finding about a measure of a subject is or belongs. Of a subject only its first subjectMax bytes count.
func (l Findings) find(m Measure, subject []byte) (int, bool) {
	subject = shortSubject(subject)
	lo, hi := 0, len(l)
	for lo < hi {
		mid := (lo + hi) / 2
		if l[mid].before(m, subject) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(l) && l[lo].Measure == m && l[lo].Subject() == string(subject)
}

// shortSubject is as much of a subject as a finding keeps.
func shortSubject(subject []byte) []byte { return subject[:min(len(subject), subjectMax)] }

func (f *Finding) before(m Measure, subject []byte) bool {
	if f.Measure != m {
		return f.Measure < m
	}
	return f.Subject() < string(subject)
}

// GetOrAdd returns the finding about a measure of a subject, and creates it if there is none. If the list is full, the
// least informative finding is dropped.
func (l *Findings) GetOrAdd(m Measure, subject []byte) *Finding {
	i, ok := l.find(m, subject)
	if ok {
		return &(*l)[i]
	}
	f := Finding{Measure: m, subject: unique.Make(string(shortSubject(subject)))}
	if len(*l) >= findingsMax {
		i = replace(*l, l.leastInformative(), i, f)
	} else {
		*l = slices.Insert(grow(*l, findingsMax), i, f)
	}
	return &(*l)[i]
}

// leastInformative returns the index of the least informative finding: one that no own entry states, then the one with the fewest
// observations, then the oldest. Patterns count as more informative than all others.
func (l Findings) leastInformative() (low int) {
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

// Observe counts one observation x. The value is the mean of the first sixteen observations; later ones move it with
// the same weight.
func (l *Findings) Observe(m Measure, subject []byte, x float64, at wire.Cycle) {
	f := l.GetOrAdd(m, subject)
	if f.N < 1<<32-1 {
		f.N++
	}
	f.moveTowards(x, 1/float64(min(f.N, observationWindow)))
	f.At = at
}

// AddUncounted notes that there is something that could be counted and to which the agent paid no attention: a finding
// without observations. It never replaces a finding that has more.
func (l *Findings) AddUncounted(m Measure, subject []byte, at wire.Cycle) {
	if f := l.Get(m, subject); f != nil {
		if f.N == 0 {
			f.At = at
		}
		return
	}
	if len(*l) >= findingsMax {
		if f := &(*l)[l.leastInformative()]; f.N > 0 || f.Own {
			return
		}
	}
	l.GetOrAdd(m, subject).At = at
}

// Set notes a value that is known exactly as of a cycle.
func (l *Findings) Set(m Measure, subject []byte, v float64, at wire.Cycle) {
	f := l.GetOrAdd(m, subject)
	f.N++
	f.Value, f.At = float32(det.Quantise(min(v, valueMax))), at
}

func (f *Finding) moveTowards(x, rate float64) {
	f.Value = movedTowards(f.Value, min(x, valueMax), rate)
}

// How statements of others change a value.
const (
	maxBelievedDistance = 0.4 // a statement that differs by more is ignored
	hearRate            = 0.2
)

// Hear takes a stated value into account. Without observations of the agent's own it becomes the value. Otherwise, if
// the two do not differ too much, the value moves towards it by 0.2 · weight, where weight is the trust in the author
// times the entry's accuracy.
func (f *Finding) Hear(said *Finding, entry wire.Hash, weight float64) {
	if f.N == 0 {
		f.Value, f.At = said.Value, said.At
		return
	}
	if d := f.Measure.Distance(f.Value, said.Value); d == 0 || d > maxBelievedDistance || weight <= 0 {
		return
	}
	f.moveTowards(float64(said.Value), float64(hearRate*weight))
	moved := entry // copied only here, so that a statement without effect allocates nothing
	f.movedBy = &moved
}

// DistanceToOthers returns the distance in [0,1] between a finding and the mean of the other findings of its measure with at
// least this many observations; 0 if there are none. above is how many of all others have a lower value.
func (l Findings) DistanceToOthers(f *Finding, least uint32) (d float64, above, among int) {
	lo, _ := l.find(f.Measure, nil)
	sum := 0.0
	for i := lo; i < len(l) && l[i].Measure == f.Measure; i++ {
		x := &l[i]
		if x.N < least || x.subject == f.subject {
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
	Credit float32 `kdom:"c"` // the fraction of an observation carried over: one is counted whenever Know adds up to 1
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

// TopicNotes are how well an agent knows each topic, indexed by topic minus one; empty before its first slot. They
// are stored in the agent's state.
type TopicNotes []TopicNote

// Know returns how well a topic is known, [0,1].
func (l TopicNotes) Know(t Topic) float64 {
	if int(t) > len(l) || t == 0 {
		return 0
	}
	return float64(l[t-1].Know)
}

// Attends reports whether an agent counts the next observation in a topic. The share of observations that it counts
// is how well it knows the topic.
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

// Bar returns for how long work in a topic is left to others, see [TopicNote]; 1 for a value that is no topic.
func (l TopicNotes) Bar(t Topic) float64 {
	if int(t) > len(l) || t == 0 {
		return 1
	}
	return float64(l[t-1].Bar)
}

// Practise notes that work in a topic was found good in a cycle: the bar falls by rate, once per cycle.
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

// Learn moves the knowledge of a topic towards x: by a fifth if breadth is 1, and by less for specialists. breadth is
// in [0,1].
func (l TopicNotes) Learn(t Topic, x, breadth float64) {
	if t > 0 && int(t) <= len(l) {
		l[t-1].Know = movedTowards(l[t-1].Know, x, float64(emaRate*breadth))
	}
}

// Prove raises the knowledge of a topic to at least the level that a proof shows.
func (l TopicNotes) Prove(t Topic) {
	const proven = 0.8
	if t > 0 && int(t) <= len(l) {
		l[t-1].Know = max(l[t-1].Know, float32(det.Quantise(proven)))
	}
}

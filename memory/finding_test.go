package memory

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// A full list first evicts findings that no own entry states, then those observed least often, then those observed
// longest ago. Patterns are evicted last.
func TestFindings_LeastInformativeIsEvicted(t *testing.T) {
	in := []struct { // in the order in which they are to go
		m       Measure
		subject string
		own     bool
		n       uint32
		at      wire.Cycle
	}{
		{MeasureKeeps, "older", false, 2, 4},
		{MeasureReward, "newer", false, 2, 5},
		{MeasureTaken, "seen more often", false, 3, 1},
		{MeasureGenre, "own, seen once", true, 1, 1},
		{MeasureEnds, "own, seen twice", true, 2, 0},
		{MeasurePattern, "gcd", false, 0, 0},
	}
	var l Findings
	for i := range in {
		x := &in[len(in)-1-i]
		f := l.GetOrAdd(x.m, []byte(x.subject))
		f.Own, f.N, f.At = x.own, x.n, x.at
	}
	for i := range findingsMax - len(in) { // known well
		f := l.GetOrAdd(MeasureAuthor, []byte{'a' + byte(i/16), 'a' + byte(i%16)})
		f.Own, f.N, f.At = true, 100, 100
	}
	for i, x := range in[:len(in)-1] {
		f := l.GetOrAdd(MeasurePace, []byte{'A' + byte(i)})
		f.Own, f.N, f.At = true, 100, 100
		if l.Get(x.m, []byte(x.subject)) != nil || len(l) != findingsMax {
			t.Errorf("%q stayed, of %d", x.subject, len(l))
		}
		for _, y := range in[i+1:] {
			if l.Get(y.m, []byte(y.subject)) == nil {
				t.Fatalf("%q went before %q", y.subject, x.subject)
			}
		}
	}
}

// TestFindings_LongSubjects: a subject is kept to its 64th byte.
func TestFindings_LongSubjects(t *testing.T) {
	var l Findings
	long := bytes.Repeat([]byte("x"), subjectMax+1)
	if got := l.GetOrAdd(MeasureKeeps, long).Subject(); got != string(long[:subjectMax]) {
		t.Errorf("%d bytes of the subject are kept", len(got))
	}
	if got := l.GetOrAdd(MeasurePace, long[:subjectMax]).Subject(); got != string(long[:subjectMax]) {
		t.Errorf("%d bytes of one that fits are kept", len(got))
	}
}

// TestFindings_LongSubjectIsFoundAgain: whoever asks with a subject of more than 64 bytes gets the finding that was kept under its
// first 64, and observations of it never fill the list with findings of the same subject.
func TestFindings_LongSubjectIsFoundAgain(t *testing.T) {
	var l Findings
	for i := range byte(6) { // neighbours on either side
		l.Observe(MeasureKeeps, []byte{'v' + i}, 1, 1)
	}
	long := bytes.Repeat([]byte("x"), subjectMax+1)
	for n := uint32(1); n <= 2*findingsMax; n++ {
		l.Observe(MeasureKeeps, long, 1, 2)
		if f := l.Get(MeasureKeeps, long); f == nil || f.N != n || f != l.Get(MeasureKeeps, long[:subjectMax]) || len(l) != 7 {
			t.Fatalf("after observation %d: %+v, %d findings", n, f, len(l))
		}
	}
	l.AddUncounted(MeasureKeeps, append(long, 'y'), 9)
	if f := l.Get(MeasureKeeps, long); f.At != 2 || len(l) != 7 {
		t.Errorf("seen without being counted: %+v, %d findings", f, len(l))
	}
	if f := l.Get(MeasureKeeps, long[:subjectMax-1]); f != nil {
		t.Errorf("a shorter subject has the finding %+v", f)
	}
}

// TestFindings_AddUncounted_AtTheLimit: what could be counted takes only the place of what was not counted either.
func TestFindings_AddUncounted_AtTheLimit(t *testing.T) {
	for _, c := range []struct {
		name string
		own  bool
		n    uint32
		want bool
	}{
		{"the least informative one was not counted", false, 0, true},
		{"it was counted once", false, 1, false},
		{"an own entry states it", true, 0, false},
	} {
		var l Findings
		for i := range findingsMax {
			f := l.GetOrAdd(MeasureKeeps, []byte{'a' + byte(i/16), 'a' + byte(i%16)})
			f.Own, f.N, f.At = true, 5, 5
		}
		l[7].Own, l[7].N = c.own, c.n
		l.AddUncounted(MeasureLook, []byte("help"), 9)
		if got := l.Get(MeasureLook, []byte("help")); (got != nil) != c.want || len(l) != findingsMax {
			t.Errorf("%s: noted %v, want %v; %d findings", c.name, got != nil, c.want, len(l))
		}
	}
	var l Findings
	l.AddUncounted(MeasureLook, []byte("help"), 3)
	if l.AddUncounted(MeasureLook, []byte("help"), 4); l[0].At != 4 || l[0].N != 0 {
		t.Errorf("seen again: %+v", l[0])
	}
}

// TestFindings_Set: a value that is known exactly replaces what was counted, up to a million.
func TestFindings_Set(t *testing.T) {
	var l Findings
	l.Observe(MeasureSteps, []byte("gcd"), 3, 1)
	l.Set(MeasureSteps, []byte("gcd"), 12, 2)
	if f := l[0]; f.Value != 12 || f.N != 2 || f.At != 2 {
		t.Errorf("set: %+v", f)
	}
	l.Set(MeasureSteps, []byte("gcd"), 2e6, 3)
	if f := l[0]; f.Value != 1e6 {
		t.Errorf("beyond the largest value: %v", f.Value)
	}
}

// After sixteen observations each new one weighs a sixteenth.
func TestFindings_AverageOverSixteen(t *testing.T) {
	var l Findings
	for range 16 {
		l.Observe(MeasureReward, []byte("HARD"), 16, 1)
	}
	for _, want := range []float32{17, 17.9375} { // 16 + 16/16; 17 + 15/16
		l.Observe(MeasureReward, []byte("HARD"), 32, 2)
		if f := l[0]; f.Value != want {
			t.Errorf("observation %d moves the value to %v, want %v", f.N, f.Value, want)
		}
	}
}

// Findings are restored with and without an entry that states or changed them.
func TestFindings_ComeBackFromTheirStoredForm(t *testing.T) {
	var l Findings
	l.Observe(MeasureKeeps, []byte("a1b2c3d4"), 0.5, 7)
	f := l.GetOrAdd(MeasureReward, []byte("HARD"))
	f.SetEntry(thing(1))
	f.Own, f.Stated, f.Since, f.Paid, f.Asked = true, 3, 4, 5, 6
	f.Hear(&Finding{Value: 9}, thing(8), 1) // nothing counted: this is not what changed it
	g := l.GetOrAdd(MeasureEnds, []byte("EASY"))
	g.Value, g.N = 0.5, 3
	g.Hear(&Finding{Value: 0.75}, thing(2), 1)
	stored := l.stored()
	if d := cmp.Diff([]StoredFinding{
		{Measure: MeasureReward, Subject: []byte("HARD"), Value: 9, Entry: thing(1), Own: true, Stated: 3, Since: 4, Paid: 5, Asked: 6},
		{Measure: MeasureEnds, Subject: []byte("EASY"), Value: 0.55, N: 3, Moved: thing(2)},
		{Measure: MeasureKeeps, Subject: []byte("a1b2c3d4"), Value: 0.5, N: 1, At: 7},
	}, stored, cmp.Comparer(func(a, b float32) bool { return a-b < 1e-5 && b-a < 1e-5 })); d != "" {
		t.Errorf("stored (-want +got):\n%s", d)
	}
	back := RestoreFindings(stored)
	if d := cmp.Diff(stored, back.stored()); d != "" {
		t.Errorf("restored (-want +got):\n%s", d)
	}
	back[1].MarkCited()
	back[0].SetEntry(wire.Hash{})
	if !back[1].MovedBy().IsZero() || !back[0].Entry().IsZero() {
		t.Errorf("an entry that was cited, and one that is no more: %+v", back.stored())
	}
}

// A statement moves a value by a fifth of the distance times the trust in it, and not at all without trust.
func TestHear_MovesValueByTrust(t *testing.T) {
	for _, c := range []struct {
		said   float32
		weight float64
		want   float32
		cites  bool
	}{
		{0.75, 0.5, 0.525, true},
		{0.75, 0, 0.5, false},
		{0.75, -1, 0.5, false},
		{0.90625, 1, 0.5, false}, // farther than 0.4
		{0.875, 1, 0.575, true},
	} {
		f := Finding{Measure: MeasureEnds, Value: 0.5, N: 3}
		f.Hear(&Finding{Value: c.said}, thing(1), c.weight)
		if d := f.Value - c.want; d > 1e-5 || d < -1e-5 || !f.MovedBy().IsZero() != c.cites {
			t.Errorf("%v with trust %v: %v, want %v; cites %v", c.said, c.weight, f.Value, c.want, !f.MovedBy().IsZero())
		}
	}
}

// Who has counted nothing takes over what is said, with the cycle of which it is said; who has counted keeps its own cycle.
func TestHear_TakesOverTheCycleOfWhatItBelieves(t *testing.T) {
	for n, want := range map[uint32]wire.Cycle{0: 9, 1: 3} {
		f := Finding{Measure: MeasureEnds, Value: 0.5, N: n, At: 3}
		if f.Hear(&Finding{Value: 0.75, At: 9}, thing(1), 1); f.At != want {
			t.Errorf("with %d own observations it is of cycle %d, want %d", n, f.At, want)
		}
	}
}

// Only findings of the same measure count, without the finding itself.
func TestDistanceToOthers_CountsThoseObservedOftenEnough(t *testing.T) {
	var l Findings
	add := func(m Measure, subject string, value float32, n uint32) {
		f := l.GetOrAdd(m, []byte(subject))
		f.Value, f.N = value, n
	}
	add(MeasureTaken, "HARD", 1, 9)
	add(MeasureEnds, "EASY", 0.25, 3)
	add(MeasureEnds, "HARD", 0.75, 5)
	add(MeasureEnds, "MODERATE", 0.75, 3)
	add(MeasureEnds, "TRIVIAL", 0, 2)
	add(MeasureKeeps, "a1b2c3d4", 0, 9)
	f := l.Get(MeasureEnds, []byte("HARD"))
	if d, above, among := l.DistanceToOthers(f, 3); d != 0.25 || above != 1 || among != 2 {
		t.Errorf("distance %v, above %d of %d; want 0.25, 1 of 2", d, above, among)
	}
	if d, above, among := l.DistanceToOthers(f, 4); d != 0 || above != 0 || among != 0 {
		t.Errorf("nobody else was observed often enough: distance %v, above %d of %d", d, above, among)
	}
	last := Findings{*f}
	if _, _, among := last.DistanceToOthers(&last[0], 1); among != 0 {
		t.Errorf("alone among %d", among)
	}
}

// The first and the last topic have notes, and an invalid topic has no effect.
func TestTopicNotes_FirstLastAndInvalidTopic(t *testing.T) {
	l := TopicNotes{{Know: 0.25, Bar: 1}, {Know: 0.5, Bar: 1}}
	if l.Know(1) != 0.25 || l.Know(2) != 0.5 || l.Know(0) != 0 || l.Know(3) != 0 {
		t.Errorf("known: %v %v %v %v", l.Know(0), l.Know(1), l.Know(2), l.Know(3))
	}
	for _, topic := range []Topic{0, 3} {
		if l.Practise(topic, 5, 0.5); l.Bar(topic) != 1 {
			t.Errorf("topic %d has a bar", topic)
		}
		l.Learn(topic, 1, 1)
		l.Prove(topic)
	}
	l.Practise(2, 5, 0.25)
	if l.Bar(1) != 1 || l.Bar(2) != 0.75 || l.Know(2) != 0.5 {
		t.Errorf("after work in the second was found good: %+v", l)
	}
	l.Learn(2, 1, 0.5) // a fifth of one half
	if d := l.Know(2) - 0.55; d > 1e-5 || d < -1e-5 {
		t.Errorf("after a lesson: %v", l.Know(2))
	}
	l.Prove(2)
	if d := l.Know(2) - 0.8; d > 1e-5 || d < -1e-5 {
		t.Errorf("after a proof: %v", l.Know(2))
	}
	l[1].Know = 0.9
	if l.Prove(2); l[1].Know != 0.9 {
		t.Errorf("a proof lowered it to %v", l[1].Know)
	}
	if n := (TopicNotes{{Know: 1}, {Know: 1}}); !n.Attends(2) || n.Attends(3) {
		t.Error("of the last topic all is counted, and of none nothing")
	}
}

// TestMinObservations: three, up to eight for the careful; of a period four at most; of some measures a fixed number.
func TestMinObservations(t *testing.T) {
	for _, c := range []struct {
		m    Measure
		care float64
		want uint32
	}{
		{MeasureReward, 0, 3},
		{MeasureReward, 0.5, 6},
		{MeasureReward, 0.29, 4},
		{MeasureReward, 1, 8},
		{MeasureEraField, 0.4, 3},
		{MeasureEraField, 1, 4},
		{MeasureKeeps, 0, 2},
		{MeasureKeeps, 1, 2},
	} {
		if got := c.m.MinObservations(c.care); got != c.want {
			t.Errorf("%s with care %v: %d, want %d", c.m.Title([]byte("X")), c.care, got, c.want)
		}
	}
}

// TestPatterns: each pattern belongs to one of the topics of Starlark, in which it is listed.
func TestPatterns(t *testing.T) {
	n := 0
	for topic := Topic(1); int(topic) <= Topics; topic++ {
		for _, word := range Patterns(topic) {
			n++
			if got := MeasurePattern.Topic([]byte(word)); got != topic {
				t.Errorf("%s is listed under %v and belongs to %v", word, topic, got)
			}
		}
		if len(Patterns(topic)) > 0 != strings.HasPrefix(topic.String(), "starlark-") {
			t.Errorf("%v has %d patterns", topic, len(Patterns(topic)))
		}
	}
	if n != len(patterns) {
		t.Errorf("%d of %d patterns are listed", n, len(patterns))
	}
	if got := MeasurePattern.Topic([]byte("unknown")); got != TopicControl {
		t.Errorf("an unknown pattern belongs to %v", got)
	}
	if got := MeasureReward.Topic([]byte("gcd")); got != TopicBounties {
		t.Errorf("what bounties offer belongs to %v", got)
	}
}

// TestReadTitle_Subjects: a subject has at most 64 bytes, and none of them ends a line.
func TestReadTitle_Subjects(t *testing.T) {
	for subject, want := range map[string]bool{
		"HARD":                            true,
		strings.Repeat("x", subjectMax):   true,
		strings.Repeat("x", subjectMax+1): false,
		"two\nlines":                      false,
		"\nlines":                         false,
		"":                                false,
	} {
		m, got, ok := ReadTitle([]byte(MeasureReward.Title([]byte(subject))))
		if ok != want || ok && (m != MeasureReward || string(got) != subject) {
			t.Errorf("a title about %q: %v, %q, %v", subject, m, got, ok)
		}
	}
	for _, title := range []string{"", "What bounties of difficulty ", "what bounties of difficulty HARD offer", "What bounties of difficulty HARD offers", "What bounties of colour HARD offer"} {
		if m, subject, ok := ReadTitle([]byte(title)); ok {
			t.Errorf("%q is read as measure %d of %q", title, m, subject)
		}
	}
	if _, _, ok := ReadQuestion([]byte("How much do bounties of difficulty HARD offer")); ok {
		t.Error("a question without its mark")
	}
	if m, subject, ok := ReadQuestion([]byte("How much do bounties of difficulty HARD offer? I ask for a friend.")); !ok || m != MeasureReward || string(subject) != "HARD" {
		t.Errorf("a question and more: %v, %q, %v", m, subject, ok)
	}
}

// TestReadStatement_Bounds: values up to a million, shares up to one, counts of 32 bits and cycles of 63.
func TestReadStatement_Bounds(t *testing.T) {
	statement := func(m Measure, value, n, cycle string) []byte {
		f := Stated(m, "HARD", 0.5, 3, 7)
		text := strings.NewReplacer("0.50", value, "0.5", value, "(n 3", "(n "+n, "cycle 7)", "cycle "+cycle+")").Replace(f.Statement())
		return []byte("They say: " + text + ". So it is.")
	}
	for _, c := range []struct {
		m               Measure
		value, n, cycle string
		want            bool
	}{
		{MeasureReward, "9", "3", "7", true},
		{MeasureReward, "1000000", "3", "7", true},
		{MeasureReward, "1000001", "3", "7", false},
		{MeasureReward, "1:5", "3", "7", false},
		{MeasureEnds, "1", "3", "7", true},
		{MeasureEnds, "1.01", "3", "7", false},
		{MeasureEnds, "0.5", "4294967295", "7", true},
		{MeasureEnds, "0.5", "4294967296", "7", false},
		{MeasureEnds, "0.5", "3", "9223372036854775807", true},
		{MeasureEnds, "0.5", "3", "9223372036854775808", false},
		{MeasureEnds, "0.5", "3", "soon", false},
		{MeasureEnds, "0.5", "", "7", false},
	} {
		text := statement(c.m, c.value, c.n, c.cycle)
		if f, ok := ReadStatement(c.m, "HARD", text); ok != c.want {
			t.Errorf("%q: read %v as %+v", text, ok, f)
		}
	}
	if _, ok := ReadStatement(MeasurePattern, "gcd", []byte("Starlark pattern: gcd (n 3, cycle 7)")); ok {
		t.Error("a pattern is stated by a program, not by a number")
	}
	if _, ok := ReadStatement(MeasureReward, "HARD", []byte("Bounties of difficulty HARD offer ")); ok {
		t.Error("a statement that ends before its value")
	}
}

// Only the agent itself knows what a program cost it and what a look showed; everybody can try what is refused.
func TestMeasures_PrivateAndTestable(t *testing.T) {
	private, testable := []Measure{}, []Measure{}
	for m := Measure(1); int(m) <= measures; m++ {
		if m.Private() {
			private = append(private, m)
		}
		if m.Testable() {
			testable = append(testable, m)
		}
	}
	if d := cmp.Diff([][]Measure{{MeasureLook, MeasureSteps}, {MeasureRefused}}, [][]Measure{private, testable}); d != "" {
		t.Errorf("private and testable (-want +got):\n%s", d)
	}
}

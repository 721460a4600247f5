package memory

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unique"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
)

// subjects are what measures are about, as the world words them.
var someSubjects = rapid.SampledFrom([]string{"a1b2c3d4", "help", "general", "HARD", "FAQ", "module-12 of 0a0b0c0d", "slice", "QUESTION"})

// TestMeasure_IsReadBack: what an agent titles, asks and states another reads as the same.
func TestMeasure_IsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Measure(rapid.IntRange(1, measures).Draw(t, "measure"))
		subject := []byte(someSubjects.Draw(t, "subject"))
		if got, about, ok := ReadTitle([]byte(m.Title(subject))); !ok || got != m || string(about) != string(subject) {
			t.Fatalf("title %q: read %d about %q", m.Title(subject), got, about)
		}
		question := m.Question(subject) + " I ask for learn; is it so?"
		if got, about, ok := ReadQuestion([]byte(question)); !ok || got != m || string(about) != string(subject) {
			t.Fatalf("question %q: read %d about %q", question, got, about)
		}
		f := Stated(m, string(subject), 0, rapid.Uint32().Draw(t, "n"), wire.Cycle(rapid.Uint64Max(1<<40).Draw(t, "cycle")))
		f.Value = float32(det.Quantise(rapid.Float64Range(0, 1).Draw(t, "value")))
		said, ok := ReadStatement(m, subject, []byte("In my view: "+f.Statement()+", and more."))
		if m == MeasurePattern {
			if ok || f.Statement() != "" {
				t.Fatalf("a pattern is stated: %q", f.Statement())
			}
			return
		}
		if !ok || said.N != f.N || said.At != f.At || m.Distance(said.Value, f.Value) > 0.06 {
			t.Fatalf("%q: read %+v, %v", f.Statement(), said, ok)
		}
	})
}

func TestReadStatement_RefusesWhatIsNone(t *testing.T) {
	subject := []byte("HARD")
	f := Stated(MeasureEnds, string(subject), 0.5, 3, 7)
	says := f.Statement()
	for _, text := range []string{
		"", "words", strings.Replace(says, "0.50", "1.50", 1), strings.Replace(says, "0.50", "", 1), strings.Replace(says, "0.50", "0.5.0", 1),
		strings.Replace(says, "(n 3", "(n many", 1), strings.TrimSuffix(says, ")"), strings.Replace(says, "HARD", "EASY", 1),
	} {
		if got, ok := ReadStatement(MeasureEnds, subject, []byte(text)); ok {
			t.Errorf("%q reads as %+v", text, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		m    Measure
		a, b float32
		want float64
	}{
		{MeasureEnds, 0.5, 0.75, 0.25}, {MeasureReward, 10, 20, 0.5}, {MeasureReward, 20, 10, 0.5}, {MeasureReward, 0, 0, 0}, {MeasureReward, 0, 0.5, 0.5},
	} {
		if got := c.m.Distance(c.a, c.b); got != c.want {
			t.Errorf("%d: from %v to %v is %v, want %v", c.m, c.a, c.b, got, c.want)
		}
	}
}

func TestFindings_CountAndForget(t *testing.T) {
	var l Findings
	for range 4 {
		l.Observe(MeasureReward, []byte("HARD"), 10, 1)
	}
	l.Observe(MeasureReward, []byte("HARD"), 20, 2)
	if f := l.Get(MeasureReward, []byte("HARD")); f.N != 5 || f.Value != 12 || f.At != 2 {
		t.Errorf("the mean of 10, 10, 10, 10, 20 is %+v", f)
	}
	for i := range 2 * findingsMax {
		l.Observe(MeasureKeeps, []byte{'a' + byte(i/26), 'a' + byte(i%26)}, 1, wire.Cycle(i))
	}
	if len(l) != findingsMax || l.Get(MeasureReward, []byte("HARD")) == nil {
		t.Errorf("%d findings, the one that was seen most often: %v", len(l), l.Get(MeasureReward, []byte("HARD")))
	}
	for i := 1; i < len(l); i++ {
		if !l[i-1].before(l[i].Measure, []byte(l[i].Subject())) {
			t.Fatal("the order is broken")
		}
	}
}

func TestHear_IgnoresStatementsFarOff(t *testing.T) {
	entry := wire.Hash{1}
	for _, c := range []struct {
		name  string
		own   Finding
		said  float32
		want  float32
		cites bool
	}{
		{"nothing counted yet", Finding{Measure: MeasureEnds}, 0.9, 0.9, false},
		{"near", Finding{Measure: MeasureEnds, Value: 0.5, N: 3}, 0.75, 0.55, true},
		{"too far", Finding{Measure: MeasureEnds, Value: 0.25, N: 3}, 0.75, 0.25, false},
		{"the same", Finding{Measure: MeasureEnds, Value: 0.5, N: 3}, 0.5, 0.5, false},
	} {
		f := c.own
		f.Hear(&Finding{Value: c.said}, entry, 1)
		if MeasureEnds.Distance(f.Value, c.want) > 1e-6 || (f.MovedBy() == entry) != c.cites {
			t.Errorf("%s: %v, cites %v", c.name, f.Value, f.MovedBy() == entry)
		}
	}
}

func TestTopicNotes_AttendsInProportionToKnowledge(t *testing.T) {
	l := TopicNotes{{Know: 0.25}, {Know: 0}, {Know: 0.75}}
	for topic, want := range map[Topic]int{1: 25, 2: 0, 3: 75, 4: 0} {
		n := 0
		for range 100 {
			if l.Attends(topic) {
				n++
			}
		}
		if n != want {
			t.Errorf("topic %d: %d of 100 observations are counted, want %d", topic, n, want)
		}
	}
	l.Prove(2)
	l.Learn(1, 1, 1)
	if l.Know(2) < 0.79 || l.Know(1) < 0.39 || l.Know(9) != 0 {
		t.Errorf("after a proof and a lesson: %+v", l)
	}
}

// An uncounted finding can be asked about, weighs nothing and evicts nothing.
func TestFindings_UncountedOnesAreListedButWeighNothing(t *testing.T) {
	var l Findings
	l.AddUncounted(MeasureLook, []byte("help"), 3)
	if f := l.Get(MeasureLook, []byte("help")); f == nil || f.N != 0 || f.At != 3 {
		t.Errorf("glimpsed: %+v", f)
	}
	l.Observe(MeasureLook, []byte("help"), 2, 4)
	l.AddUncounted(MeasureLook, []byte("help"), 9)
	if f := l.Get(MeasureLook, []byte("help")); f.N != 1 || f.Value != 2 || f.At != 4 {
		t.Errorf("counted, then glimpsed: %+v", f)
	}
	for i := range findingsMax {
		l.Observe(MeasureKeeps, fmt.Appendf(nil, "%04x", i), 1, 5)
	}
	if l.AddUncounted(MeasureLook, []byte("general"), 6); len(l) != findingsMax || l.Get(MeasureLook, []byte("general")) != nil {
		t.Error("a glimpse took the place of something counted")
	}
}

// Of several statements the first in the text comes first, whatever it is about.
func TestNextStatement_KeepsTextOrder(t *testing.T) {
	f := Stated(MeasureEraGenre, "FAQ in cycles 6 to 10", 0.5, 3, 7)
	g := Stated(MeasureReward, "HARD", 9, 4, 8)
	h := Stated(MeasureEraChannel, "help in cycles 6 to 10", 0.25, 5, 9)
	rest := []byte("To you: " + f.Statement() + ", by my own count. Besides: " + g.Statement() + ". And " + h.Statement() + ".")
	for _, want := range []*Finding{&f, &g, &h} {
		var got Finding
		var ok bool
		if got, rest, ok = NextStatement(rest); !ok || got.Measure != want.Measure || got.Subject() != want.Subject() || got.N != want.N {
			t.Fatalf("%+v, %v, want %+v", got, ok, want)
		}
	}
	if _, _, ok := NextStatement(rest); ok {
		t.Errorf("%q states something", rest)
	}
}

// TestNextStatement_EqualsPlainSearch compares with a plain search for one measure after the other.
func TestNextStatement_EqualsPlainSearch(t *testing.T) {
	plain := func(text []byte) (f Finding, rest string, ok bool) {
		first := len(text)
		for m := Measure(1); int(m) <= measures; m++ {
			at := bytes.Index(text, []byte(statements[m].before))
			if statements[m].before == "" || at < 0 || at >= first {
				continue
			}
			subject, said, closed := bytes.Cut(text[at+len(statements[m].before):], []byte(statements[m].after))
			if x, read := ReadStatement(m, subject, text[at:]); closed && len(subject) <= subjectMax && read {
				f, first, rest, ok = x, at, string(said), true
			}
		}
		return f, rest, ok
	}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for range rapid.IntRange(0, 6).Draw(t, "parts") {
			f := Finding{
				Measure: Measure(rapid.IntRange(1, measures).Draw(t, "measure")), subject: unique.Make(someSubjects.Draw(t, "subject")),
				Value: 0.5, N: uint32(rapid.IntRange(0, 9).Draw(t, "n")), At: 3,
			}
			says := f.Statement()
			text += says[:rapid.OneOf(rapid.Just(len(says)), rapid.IntRange(0, len(says))).Draw(t, "cut")] + rapid.SampledFrom([]string{"", ". ", "Of ", " (n 3, cycle 2)"}).Draw(t, "between")
		}
		want, after, is := plain([]byte(text))
		got, rest, ok := NextStatement([]byte(text))
		if ok != is || string(rest) != after || got.Measure != want.Measure || got.Subject() != want.Subject() || got.Value != want.Value || got.N != want.N || got.At != want.At {
			t.Fatalf("%q: %+v, %q, %v; want %+v, %q, %v", text, got, rest, ok, want, after, is)
		}
		if ok {
			found++
		}
	})
	if found < 20 {
		t.Errorf("%d of the texts state something", found)
	}
}

func BenchmarkNextStatement(b *testing.B) {
	f := Finding{Measure: MeasureEraGenre, subject: unique.Make("FAQ in cycles 6 to 10"), Value: 0.5, N: 3, At: 7}
	says := "To 45bb9af7: " + f.Statement() + ", by my own count. I think of \"What #help in cycles 1 to 5 was used for\"."
	for name, text := range map[string]string{"with": says, "without": strings.ReplaceAll(says, " (n ", " (m ")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, rest, ok := NextStatement([]byte(text)); ok; _, rest, ok = NextStatement(rest) {
				}
			}
		})
	}
}

package scripted

import (
	"slices"
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// A statement with a slip can be read and says something else.
func TestSlipped_IsReadableAndDifferent(t *testing.T) {
	for _, f := range []memory.Finding{
		memory.Stated(memory.MeasureKeeps, "0a1b2c3d", 0.25, 4, 3),
		memory.Stated(memory.MeasureKeeps, "00000025", 1, 16, 3),
		memory.Stated(memory.MeasureReward, "EASY", 16.5, 16, 16),
		memory.Stated(memory.MeasureEraPay, "cycles 5 to 9", 0, 5, 9),
	} {
		right := &llm.Finding{Says: f.Statement(), Value: float64(f.Value), N: f.N}
		said, ok := memory.ReadStatement(f.Measure, f.Subject(), []byte(misstate(right)))
		if !ok || said.N != f.N || said.At != f.At {
			t.Errorf("%q slips to %q, which reads as %+v, %v", f.Statement(), misstate(right), said, ok)
			continue
		}
		if d := f.Measure.Distance(f.Value, said.Value); d < 0.3 {
			t.Errorf("%q slips to %q, which is off by %v only", f.Statement(), misstate(right), d)
		}
	}
	if got := misstate(&llm.Finding{Says: "no number"}); got != "no number" {
		t.Errorf("a statement without a number slips to %q", got)
	}
}

// noBlocks is the body of an entry that was handed in before its text was there.
var noBlocks = wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{})

// Entries without text are submitted more often by faster authors and by those who know less, and half as often by
// authors who remember that one was rejected.
func TestUnfinished_GrowsWithSpeedAndFallsWithKnowledge(t *testing.T) {
	m := New(seed, Knobs{})
	share := func(speed float32, know float64, lesson string) float64 {
		without, all := 0, 0
		for i := range 2000 {
			p := situation(t, wire.Tick(i), 0, speed)
			p.Affordances = slices.Delete(p.Affordances, 1, len(p.Affordances)-1)
			f := &p.Affordances[0]
			f.Finding, f.Know, f.Lesson.Text = &llm.Finding{Title: "x", Says: "x is 0.25 (n 4, cycle 3)", Tag: "x", Subject: "x", Value: 0.25, N: 4}, know, lesson
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			if q, ok := a.Payload.(*wire.EntryPublish); ok {
				if all++; len(q.Entry.Body) == len(noBlocks) {
					without++
				}
			}
		}
		if all < 500 {
			t.Fatalf("only %d entries", all)
		}
		return float64(without) / float64(all)
	}
	for _, c := range []struct {
		name   string
		speed  float32
		know   float64
		lesson string
		want   float64
	}{
		{"slow and knowing", 0, 1, "", 0.05},
		{"fast and knowing", 1, 1, "", 0.45},
		{"slow and knowing little", 0, 0.05, "", 0.25},
		{"one came back", 1, 1, "entry_publish on none: FAILURE (body)", 0.225},
	} {
		if got := share(c.speed, c.know, c.lesson); got < c.want-0.03 || got > c.want+0.03 {
			t.Errorf("%s: %.3f, want %.3f", c.name, got, c.want)
		}
	}
}

// TestHaste_SlipsGrowWithSpeed: the share of statements with a slip grows with speed.
func TestHaste_SlipsGrowWithSpeed(t *testing.T) {
	m := New(seed, Knobs{})
	share := func(speed float32) float64 {
		wrong, all := 0, 0
		f := memory.Stated(memory.MeasureKeeps, "0a1b2c3d", 0.25, 4, 3)
		for i := range 1000 {
			p := situation(t, wire.Tick(i), 0, speed)
			p.Affordances = slices.Delete(p.Affordances, 1, len(p.Affordances)-1)
			p.Affordances[0].Finding = &llm.Finding{Title: f.Title(), Says: f.Statement(), Tag: "promise-keeping", Subject: f.Subject(), Value: 0.25, N: 4}
			a, err := llm.Parse(think(t, m, p).Text, p.Actions, nil)
			if err != nil {
				t.Fatal(err)
			}
			if q, ok := a.Payload.(*wire.EntryPublish); ok && len(q.Entry.Body) > len(noBlocks) {
				all++
				if _, ok := memory.ReadStatement(f.Measure, f.Subject(), q.Entry.Body); !ok {
					t.Fatalf("no statement in %q", q.Entry.Body)
				}
				if said, _ := memory.ReadStatement(f.Measure, f.Subject(), q.Entry.Body); said.Value != f.Value {
					wrong++
				}
			}
		}
		if all == 0 {
			t.Fatalf("at speed %v nothing was stated", speed)
		}
		return float64(wrong) / float64(all)
	}
	if careful, middle, hasty := share(0), share(0.5), share(0.9); careful != 0 || middle < 0.1 || hasty < 2*middle {
		t.Errorf("slips of the careful %.2f, of others %.2f, of the hasty %.2f", careful, middle, hasty)
	}
}

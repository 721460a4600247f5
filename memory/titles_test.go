package memory

import (
	"strconv"
	"testing"
)

func TestTitles_KeepsTheNewestOnce(t *testing.T) {
	var l Titles
	for i := range 2 * titlesMax {
		title := []byte("title " + strconv.Itoa(i))
		l.Add(title)
		l.Add(title)
		if !l.Contains(title) || len(l) > titlesMax {
			t.Fatalf("title %d: known %v, %d kept", i, l.Contains(title), len(l))
		}
	}
	if l.Contains([]byte("title 0")) || !l.Contains([]byte("title "+strconv.Itoa(2*titlesMax-titlesMax/2))) || l.Contains([]byte("another")) {
		t.Error("it knows what was forgotten or never noted, or forgot what is new")
	}
}

// TestTitles_ForgetsAnEighthAtTheLimit: one title too many makes room for an eighth of all, and the others stay.
func TestTitles_ForgetsAnEighthAtTheLimit(t *testing.T) {
	var l Titles
	title := func(i int) []byte { return []byte("title " + strconv.Itoa(i)) }
	for i := range titlesMax + 1 {
		l.Add(title(i))
	}
	for i, want := range map[int]bool{0: false, titlesMax/8 - 1: false, titlesMax / 8: true, titlesMax - 1: true, titlesMax: true} {
		if l.Contains(title(i)) != want {
			t.Errorf("title %d of %d is known: %v", i, titlesMax+1, !want)
		}
	}
}

// TestChance: the fewer observations, the farther counts differ by chance; exact ones never do.
func TestChance(t *testing.T) {
	share := func(v float32, n uint32) *Finding { return &Finding{Measure: MeasureJudge, Value: v, N: n} }
	ticks := func(v float32, n uint32) *Finding { return &Finding{Measure: MeasureChannel, Value: v, N: n} }
	for _, c := range []struct {
		name     string
		a, b     *Finding
		from, to float64
	}{
		{"halves of three", share(0.5, 3), share(0.5, 3), 0.4, 0.42},
		{"halves of sixteen", share(0.5, 16), share(0.5, 16), 0.17, 0.18},
		{"of a hundred no less than of sixteen", share(0.5, 100), share(0.5, 100), 0.17, 0.18},
		{"all of three", share(1, 3), share(1, 3), 0.25, 0.28},
		{"waits of four", ticks(10, 4), ticks(10, 4), 0.77, 0.78},
		{"none", share(0.5, 0), share(0.5, 3), 0, 0},
		{"exact", &Finding{Measure: MeasureSteps, Value: 9, N: 1}, &Finding{Measure: MeasureSteps, Value: 90, N: 1}, 0, 0},
	} {
		if got := c.a.StandardError(c.b); got < c.from || got > c.to || got != c.b.StandardError(c.a) {
			t.Errorf("%s: %v, want %v to %v, and the same from the other side", c.name, got, c.from, c.to)
		}
	}
}

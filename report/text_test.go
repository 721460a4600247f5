package report

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{7, "7"},
		{-3, "-3"},
		{0.5, "0.5"},
		{0.123456, "0.123"},
		{-0.2821, "-0.282"},
		{1.005, "1"},
		{2.5, "2.5"},
		{12.34, "12.3"},
		{99.96, "100"},
		{123.4, "123"},
		{999, "999"},
		{1000, "1,000"},
		{-1234567, "-1,234,567"},
		{-123456, "-123,456"},
		{100.4, "100"},
		{10.04, "10"},
		{9.996, "10"},
		{0.0000123, "1.23e-05"},
		{math.NaN(), "–"},
	} {
		if got := number(c.x); got != c.want {
			t.Errorf("number(%v) = %q; want %q", c.x, got, c.want)
		}
	}
}

// A change that rests on fewer seeds than the means beside it says so.
func TestEffect_Text(t *testing.T) {
	for want, e := range map[string]Effect{
		"+0.25 (0.1 to 0.4; p 0.5, d_z 1.23)": {Seeds: 4, Change: .25, P: .5, Low: .1, High: .4, DZ: 1.234},
		"-0.1 (-0.1 to -0.1; p 1, 3 seeds)":   {Seeds: 3, Change: -.1, P: 1, Low: -.1, High: -.1, DZ: math.NaN()},
		"":                                    {Seeds: 1},
	} {
		if got := e.text(4); got != want {
			t.Errorf("%+v: %q; want %q", e, got, want)
		}
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		width float64
		n     int
		want  float64
	}{{100, 4, 50}, {30, 6, 5}, {1, 4, 0.5}, {0.25, 4, 0.1}, {3, 6, 0.5}, {1000, 5, 200}, {0, 4, 0}, {1e-60, 4, 0}} {
		if got := step(c.width, c.n); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("step(%v, %d) = %v; want %v", c.width, c.n, got, c.want)
		}
	}
}

func TestChart_Line(t *testing.T) {
	nan := math.NaN()
	x, y := scale{0, 3, 0, 30}, scale{0, 10, 100, 0}
	if got, want := path(x, y, []float64{0, 10, nan, 5}), "M0.0 100.0L10.0 0.0M30.0 50.0"; got != want {
		t.Errorf("path: %s; want %s", got, want)
	}
	if got, want := area(x, y, []float64{0, 5}, []float64{10, 10}), "M0.0 0.0L10.0 0.0L10.0 50.0L0.0 100.0Z"; got != want {
		t.Errorf("area: %s; want %s", got, want)
	}
	none := math.Inf(1) // as spread says that no run has a value
	low, high := []float64{none, 0, 5, none, none, 5, none}, []float64{-none, 10, 10, -none, -none, 10, -none}
	if got, want := area(x, y, low, high), "M10.0 0.0L20.0 0.0L20.0 50.0L10.0 100.0ZM50.0 0.0L50.0 50.0Z"; got != want {
		t.Errorf("area with gaps: %s; want %s", got, want)
	}
	if got := area(x, y, []float64{none}, []float64{-none}); got != "" {
		t.Errorf("area of nothing: %s", got)
	}
}

func TestSpread(t *testing.T) {
	nan := math.NaN()
	a := Arm{Runs: []Run{{Series: map[string][]float64{"x": {1, nan, 3}}}, {Series: map[string][]float64{"x": {3, nan}}}}}
	s := a.spread(stored("x"))
	if s.mean[0] != 2 || s.low[0] != 1 || s.high[0] != 3 || !math.IsNaN(s.mean[1]) || s.mean[2] != 3 {
		t.Errorf("spread: %+v", s)
	}
}

package main

import (
	"math"
	"testing"
)

// Quantiles against printed tables of the t distribution.
func TestTQuantile(t *testing.T) {
	for df, want := range map[int]float64{1: 12.706, 2: 4.303, 9: 2.262, 30: 2.042, 31: 2.0395, 40: 2.0211, 60: 2.0003, 120: 1.9799, 1_000_000: 1.95996} {
		if got := tQuantile(df); math.Abs(got-want) > 6e-4 {
			t.Errorf("%d degrees of freedom: %.5f, want %.5f", df, got, want)
		}
	}
	for df := 1; df < 100; df++ {
		if tQuantile(df) <= tQuantile(df+1) {
			t.Errorf("the quantile does not fall from %d to %d degrees of freedom", df, df+1)
		}
	}
}

// An example that was computed by hand: differences 1, 2, 3, 4, 5 have mean 3, standard deviation √2.5.
func TestEffect_Size(t *testing.T) {
	var values []seedEffect
	for i := range 5 {
		values = append(values, seedEffect{"", 10, 11 + float64(i), 1 + float64(i)})
	}
	e := effectOf("m", values)
	half := 2.7764 * math.Sqrt(2.5) / math.Sqrt(5)
	if math.Abs(e.Low-(3-half)) > 1e-9 || math.Abs(e.High-(3+half)) > 1e-9 || e.DZ == nil || math.Abs(*e.DZ-3/math.Sqrt(2.5)) > 1e-9 {
		t.Errorf("%+v, d_z %v", e, e.DZ)
	}
	if e := effectOf("m", []seedEffect{{"", 1, 2, 1}, {"", 3, 4, 1}}); e.DZ != nil || e.Low != 1 || e.High != 1 || e.dzText() != "-" {
		t.Errorf("differences without a spread: %+v", e)
	}
}

package society

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestStats(t *testing.T) {
	near(t, "gini of equals", gini([]float64{5, 5, 5}), 0)
	near(t, "gini of one who has all", gini([]float64{0, 0, 0, 8}), .75)
	near(t, "gini of nothing", gini([]float64{0, 0}), 0)
	near(t, "gini with a debt, which is none", gini([]float64{-4, 0, 8}), 2./3)
	near(t, "top tenth of twenty", topTenthShare(append(make([]float64, 18), 3, 1)), 1)
	near(t, "top tenth of three", topTenthShare([]float64{1, 2, 1}), .5)
	near(t, "median of an even number", median([]float64{9, 1, 3, 5}), 4)
	near(t, "median of an odd number", median([]float64{9, 1, 3}), 3)
	near(t, "median of none", median(nil), 0)
	a, b := newCounter(), newCounter()
	for _, w := range []string{"x", "x", "y", "z"} {
		a.add(w)
	}
	for _, w := range []string{"x", "y", "y", "w"} {
		b.add(w)
	}
	near(t, "entropy of .5 .25 .25", a.entropy(), 1.5)
	near(t, "variation", variation(a, b), .5)
	near(t, "variation the other way", variation(b, a), .5)
	i, h := information([][2]string{{"a", "x"}, {"a", "y"}, {"b", "x"}, {"b", "y"}})
	near(t, "information of what is independent", i, 0)
	near(t, "its entropy", h, 1)
	rho, ok := spearman([]float64{1, 2, 2, 4}, []float64{10, 30, 20, 40}) // ranks 1 2.5 2.5 4 and 1 3 2 4
	near(t, "spearman with equals", rho, 4.5/math.Sqrt(4.5*5))
	if !ok {
		t.Error("no correlation")
	}
	if _, ok := spearman([]float64{1, 1}, []float64{1, 2}); ok {
		t.Error("a correlation of equals")
	}
}

func TestStats_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 2, 40).Draw(t, "xs")
		g := gini(xs)
		if g < -1e-9 || g >= 1 {
			t.Fatalf("gini %v", g)
		}
		turned, scaled, falling := make([]float64, len(xs)), make([]float64, len(xs)), make([]float64, len(xs))
		for i, x := range xs {
			turned[len(xs)-1-i], scaled[i], falling[i] = x, 3*x, -x
		}
		if math.Abs(gini(turned)-g) > 1e-9 || math.Abs(gini(scaled)-g) > 1e-9 {
			t.Fatalf("gini depends on order or scale: %v %v %v", g, gini(turned), gini(scaled))
		}
		if rho, ok := spearman(xs, scaled); ok && math.Abs(rho-1) > 1e-9 {
			t.Fatalf("spearman of one order %v", rho)
		}
		if rho, ok := spearman(xs, falling); ok && math.Abs(rho+1) > 1e-9 {
			t.Fatalf("spearman of the opposite order %v", rho)
		}
	})
}

// triangles are two groups of three with one edge between them: modularity 5/14.
func triangles() []edge {
	return []edge{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}}
}

func TestNetwork_Modularity(t *testing.T) {
	near(t, "two triangles", networkOf(6, triangles()).modularity(), 5./14)
	near(t, "one edge", networkOf(2, []edge{{0, 1}}).modularity(), 0)
	near(t, "two pairs", networkOf(4, []edge{{0, 2}, {1, 3}}).modularity(), .5)
	near(t, "agents without edges", networkOf(9, triangles()).modularity(), 5./14)
	weighted := append(triangles(), triangles()[:6]...) // each inner edge twice: 12 of 13, half of the ends each
	near(t, "weights count", networkOf(6, weighted).modularity(), 12./13-.5)
}

func TestNetwork_ReciprocatedShare(t *testing.T) {
	// 3 answers from 0 to 1 and 1 back, 2 from 1 to 2 and none back: 2 of 6 came back.
	near(t, "returned", networkOf(3, []edge{{0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 2}}).reciprocatedShare(), 1./3)
}

// A rewired network keeps the number of edges in and out of each agent, and has no edge to oneself where another
// exchange is possible.
func TestRewire_KeepsDegrees(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	rapid.Check(t, func(t *rapid.T) {
		var edges []edge
		for range rapid.IntRange(1, 60).Draw(t, "edges") {
			from := rapid.IntRange(0, 9).Draw(t, "from")
			edges = append(edges, edge{from, (from + rapid.IntRange(1, 9).Draw(t, "step")) % 10})
		}
		var in, out [10]int
		for _, e := range edges {
			out[e.from]++
			in[e.to]++
		}
		for _, e := range rewire(edges, rnd) {
			out[e.from]--
			in[e.to]--
		}
		if in != [10]int{} || out != [10]int{} {
			t.Fatalf("in %v, out %v", in, out)
		}
	})
	for range 100 {
		for _, e := range rewire(triangles(), rnd) {
			if e.from == e.to {
				t.Fatal("an edge to oneself")
			}
		}
	}
}

package society

import (
	"cmp"
	"math"
	"slices"
)

// counter counts words. It keeps the order of their first occurrence, so that sums over it are deterministic.
type counter struct {
	at    map[string]int
	words []string
	n     []float64
	total float64
}

func newCounter() *counter { return &counter{at: map[string]int{}} }

func (c *counter) add(word string) {
	i, known := c.at[word]
	if !known {
		i = len(c.words)
		c.at[word] = i
		c.words, c.n = append(c.words, word), append(c.n, 0)
	}
	c.n[i]++
	c.total++
}

// of returns how often a word was added.
func (c *counter) of(word string) float64 {
	if i, ok := c.at[word]; ok {
		return c.n[i]
	}
	return 0
}

// entropy returns the entropy of the words, in bits.
func (c *counter) entropy() float64 {
	h := 0.0
	for _, n := range c.n {
		p := n / c.total
		h -= float64(p * math.Log2(p))
	}
	return max(h, 0)
}

// information returns the mutual information of the two words of pairs, and the entropy of the second, in bits.
func information(joint [][2]string) (mutual, entropy float64) {
	a, b, both := newCounter(), newCounter(), newCounter()
	for _, p := range joint {
		a.add(p[0])
		b.add(p[1])
		both.add(p[0] + "\x00" + p[1])
	}
	if len(joint) == 0 {
		return 0, 0
	}
	return max(a.entropy()+b.entropy()-both.entropy(), 0), b.entropy()
}

// variation is the total variation between two distributions of words, [0,1].
func variation(a, b *counter) float64 {
	if a.total == 0 || b.total == 0 {
		return 0
	}
	sum := 0.0
	for i, w := range a.words {
		sum += math.Abs(a.n[i]/a.total - b.of(w)/b.total)
	}
	for i, w := range b.words {
		if _, known := a.at[w]; !known {
			sum += b.n[i] / b.total
		}
	}
	return sum / 2
}

// gini returns the Gini coefficient of amounts: 0 if all are equal, near 1 if one agent has everything.
func gini(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n, sum, weighted := float64(len(xs)), 0.0, 0.0
	for i, x := range xs {
		x = max(x, 0)
		sum += x
		weighted += float64(float64(2*i+2-len(xs)-1) * x)
	}
	if sum == 0 {
		return 0
	}
	return weighted / float64(n*sum)
}

// topTenthShare returns the share of the total that the largest tenth has, but at least one value.
func topTenthShare(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	sum, best := 0.0, 0.0
	from := len(xs) - max(1, len(xs)/10)
	for i, x := range xs {
		sum += x
		if i >= from {
			best += x
		}
	}
	return share(best, sum)
}

// spearman returns the rank correlation; equal values share their mean rank. ok is false if all values of one side are
// equal.
func spearman(xs, ys []float64) (rho float64, ok bool) {
	a, b := ranks(xs), ranks(ys)
	mean := float64(len(xs)+1) / 2
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		da, db := a[i]-mean, b[i]-mean
		ab += float64(da * db)
		aa += float64(da * da)
		bb += float64(db * db)
	}
	if aa == 0 || bb == 0 {
		return 0, false
	}
	return ab / math.Sqrt(float64(aa*bb)), true
}

func ranks(xs []float64) []float64 {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(xs[i], xs[j]) })
	out := make([]float64, len(xs))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && xs[order[to]] == xs[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	if n == 0 {
		return 0
	}
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

// share returns part/whole, 0 if whole is 0.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

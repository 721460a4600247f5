package report

import (
	"cmp"
	"slices"
)

// shownActs is how many acts have an area of their own; the others share one.
const shownActs = 9

// mix is what the page draws of the acts of an arm: their shares of all acts of a cycle, on top of each other.
type mix struct {
	Arm    int
	Name   string
	X, Y   []tick
	Layers []layer
	Marks  []mark
}

// layer is an act, or the last one all others.
type layer struct {
	Colour int
	Name   string
	Share  string // of all acts, in percent
	Area   string
}

// Mixes returns what the agents of each arm did, by cycle.
func (r *Report) Mixes() (out []mix) {
	shown := r.shownActs()
	for i := range r.Arms {
		if m, any := r.Arms[i].mix(shown); any {
			m.Arm = i
			out = append(out, m)
		}
	}
	return out
}

// shownActs returns the acts with an area of their own, the commonest in all arms together.
func (r *Report) shownActs() []string {
	all := Arm{}
	for i := range r.Arms {
		all.Runs = append(all.Runs, r.Arms[i].Runs...)
	}
	acts, _ := all.pool()
	var names []string
	for i := range acts {
		names = append(names, acts[i].name)
	}
	if len(names) > shownActs+1 {
		names = names[:shownActs]
	}
	return names
}

// pooled is an act with its numbers in all runs of an arm.
type pooled struct {
	name   string
	total  float64
	cycles []float64
}

// pool adds up the acts of an arm, the commonest first.
func (a *Arm) pool() (acts []pooled, cycles int) {
	at := map[string]int{}
	for i := range a.Runs {
		for _, act := range a.Runs[i].Acts {
			k, ok := at[act.Action]
			if !ok {
				k = len(acts)
				at[act.Action] = k
				acts = append(acts, pooled{name: act.Action})
			}
			cycles = max(cycles, len(act.Cycles))
			acts[k].add(float64(act.Total), act.Cycles)
		}
	}
	slices.SortFunc(acts, func(p, q pooled) int {
		return cmp.Or(cmp.Compare(q.total, p.total), cmp.Compare(p.name, q.name))
	})
	return acts, cycles
}

func (p *pooled) add(total float64, cycles []int) {
	p.total += total
	p.cycles = append(p.cycles, make([]float64, max(0, len(cycles)-len(p.cycles)))...)
	for c, n := range cycles {
		p.cycles[c] += float64(n)
	}
}

// mix returns the areas of an arm: one for each of the shown acts, and one for all others; ok is false if there is nothing
// to show.
func (a *Arm) mix(shown []string) (m mix, ok bool) {
	acts, cycles := a.pool()
	if cycles < 3 { // cycle 0 has no acts, and an area needs two more
		return m, false
	}
	layers, sums, all := make([]pooled, len(shown)+1), make([]float64, cycles), 0.0
	for i := range layers {
		layers[i] = pooled{name: "others", cycles: make([]float64, cycles)}
		if i < len(shown) {
			layers[i].name = shown[i]
		}
	}
	for _, p := range acts {
		l := &layers[len(shown)]
		if i := slices.Index(shown, p.name); i >= 0 {
			l = &layers[i]
		}
		l.total += p.total
		all += p.total
		for c, n := range p.cycles {
			l.cycles[c] += n
			sums[c] += n
		}
	}
	x, y := scale{1, float64(cycles - 1), plotLeft, plotRight}, scale{0, 100, plotBottom, plotTop}
	m = mix{Name: a.Name, X: x.ticks(wishedXTicks, true), Y: y.ticks(wishedYTicks, false), Marks: a.marks(0, x)}
	below := make([]float64, cycles)
	for i, l := range layers {
		if l.total == 0 {
			continue
		}
		above := slices.Clone(below)
		for c, n := range l.cycles {
			if sums[c] > 0 {
				above[c] += 100 * n / sums[c]
			}
		}
		m.Layers = append(m.Layers, layer{Colour: colour(i, len(shown)), Name: l.name, Share: number(100 * l.total / all), Area: area(scale{0, float64(cycles - 2), x.from, x.to}, y, below[1:], above[1:])})
		below = above
	}
	return m, true
}

// colour returns the number of a layer's colour; the others are always grey.
func colour(i, shown int) int {
	if i == shown {
		return shownActs
	}
	return i
}

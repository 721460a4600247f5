package report

import (
	"cmp"
	"slices"
)

// matrixAgents is the largest number of agents in the picture of who answered whom.
const matrixAgents = 40

// matrix is the picture of who answered whom: a square for each pair, darker for more answers.
type matrix struct {
	Size    int
	Names   []name
	Squares []square
	Most    int // answers of the darkest square
	Left    int // agents that are not in the picture
}

type name struct {
	Text string
	At   int
}

type square struct {
	X, Y    int
	Opacity string
	Text    string
}

// Size of a square, and of the space for names, in the units of the view box.
const matrixSquare, matrixMargin = 14, 92

// Matrix returns the picture of who answered whom; nil if nobody did.
func (r *Run) Matrix() *matrix {
	n := len(r.Answers)
	order, done := make([]int, n), make([]int, n) // answers given and got
	m := &matrix{}
	for i, row := range r.Answers {
		order[i] = i
		for j, k := range row {
			done[i] += k
			done[j] += k
			m.Most = max(m.Most, k)
		}
	}
	if m.Most == 0 {
		return nil
	}
	if n > matrixAgents {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(done[b], done[a]) })
		m.Left, order = n-matrixAgents, order[:matrixAgents]
		slices.Sort(order)
	}
	m.Size = matrixMargin + len(order)*matrixSquare
	for y, i := range order {
		m.Names = append(m.Names, name{shortened(r.Agents[i].Name), matrixMargin + y*matrixSquare + matrixSquare - 4})
		for x, j := range order {
			if k := r.Answers[i][j]; k > 0 {
				m.Squares = append(m.Squares, square{
					matrixMargin + x*matrixSquare, matrixMargin + y*matrixSquare, number(0.15 + 0.85*float64(k)/float64(m.Most)),
					r.Agents[i].Name + " answered " + r.Agents[j].Name + ": " + count(k),
				})
			}
		}
	}
	return m
}

// shortened returns the part of an agent's name for which there is space beside the picture.
func shortened(name string) string {
	const most = 12
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// tableAgents is the largest number of agents in the table.
const tableAgents = 100

// Shown returns the agents of the table: all, or those with the most productive acts.
func (r *Run) Shown() []Agent {
	if len(r.Agents) <= tableAgents {
		return r.Agents
	}
	out := slices.Clone(r.Agents)
	slices.SortStableFunc(out, func(a, b Agent) int { return cmp.Compare(b.Productive, a.Productive) })
	return out[:tableAgents]
}

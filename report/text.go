package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kingdom/society"
)

// number formats a value with three digits that count, and whole numbers up to a million in full.
func number(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "–"
	case a >= 100 || x == math.Trunc(x):
		return count(int(math.Round(x)))
	case a >= 10:
		return trimZeros(strconv.FormatFloat(x, 'f', 1, 64))
	case a >= 1:
		return trimZeros(strconv.FormatFloat(x, 'f', 2, 64))
	default:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
}

func trimZeros(s string) string { return strings.TrimRight(strings.TrimRight(s, "0"), ".") }

// count formats a whole number with commas between thousands.
func count(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// plural formats a number of things: "1 agent", "1,024 agents".
func plural(n int, one, many string) string { return count(n) + " " + agree(n, one, many) }

// agree returns the word that goes with a number.
func agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// short returns the beginning of a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// band formats the band of a metric.
func band(b society.Band) string {
	switch {
	case b.Unbounded():
		return "–"
	case math.IsInf(b.High, 1):
		return "≥ " + number(b.Low)
	case math.IsInf(b.Low, -1):
		return "≤ " + number(b.High)
	}
	return number(b.Low) + " to " + number(b.High)
}

// cell is a metric of an arm in the table.
type cell struct {
	Text   string
	Class  string // in, out or none of its band
	Mark   string // the same for readers who cannot see colours
	Why    string // why there is no figure
	Seeds  string // of how many of the arm's runs it is the mean; "": of all, or there is none
	Change string // against the first arm; "": unknown
}

// fewerSeeds says of how many seeds a figure is the mean, if these are fewer than all: nobody would guess it from the mean.
func fewerSeeds(n, all int) string {
	if n == 0 || n == all {
		return ""
	}
	return fmt.Sprintf("(%d of %s)", n, plural(all, "seed", "seeds"))
}

// text formats an effect as "+0.12 (0.02 to 0.22; p 0.031, d_z 0.8)". It names the number of seeds if these are fewer than all:
// then the means beside it are over other runs.
func (e *Effect) text(all int) string {
	if e.Seeds < 2 {
		return ""
	}
	sign, more := "", ""
	if e.Change > 0 {
		sign = "+"
	}
	if !math.IsNaN(e.DZ) {
		more = ", d_z " + number(e.DZ)
	}
	if e.Seeds < all {
		more += ", " + plural(e.Seeds, "seed", "seeds")
	}
	return fmt.Sprintf("%s%s (%s to %s; p %s%s)", sign, number(e.Change), number(e.Low), number(e.High), strconv.FormatFloat(e.P, 'g', 2, 64), more)
}

// measureCell is the cell of a metric of an arm that has so many runs.
func measureCell(p *society.Pooled, runs int) cell {
	if p.Runs == 0 {
		return cell{Text: "–", Why: p.Why}
	}
	c := cell{Text: number(p.Mean), Seeds: fewerSeeds(p.Runs, runs)}
	if !math.IsNaN(p.SD) {
		c.Text += " ± " + number(p.SD)
	}
	switch {
	case p.MeanIn():
		c.Class, c.Mark = "in", "in"
	case p.Judged():
		c.Class, c.Mark = "out", "out"
	}
	return c
}

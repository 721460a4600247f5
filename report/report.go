package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"kingdom/society"
)

// MaxArms is the largest number of arms that a page can show: as many as its colours can be told apart.
const MaxArms = 6

// Report is what a page shows.
type Report struct {
	Title string
	Arms  []Arm // 1 to MaxArms
}

// Arm is a run, or the runs of a sweep, which are shown together: lines are means, the area around them reaches from the
// lowest to the highest run.
type Arm struct {
	Name        string            // short, such as the name of the directory
	Description string            // what its scenario says it is for; "": nothing
	Runs        []Run             // at least one
	Values      [][]society.Value // of each run
	Measures    []society.Pooled
	Effects     []Effect  // on each of Measures, against the first arm; nil: there are no pairs of runs with the same seed
	EffectNote  string    // what to know about them; "": nothing
	Changes     []Change  // where its scenario or its physics version differs from that of the first arm
	Fork        *Fork     // nil: it is none
	Planned     []Planned // by cycle
	Physics     uint32
	Command     string // that gives the same runs
	Scenario    string // text of its scenario file
}

// Fork says which run a run was forked from, or which sweep a sweep.
type Fork struct {
	Of        string // its name
	Cycle     uint64 // the last that both have in common
	WorldHash string // at its end, hex; empty if there are several runs
}

// Planned is what a scenario plans to do to the world, or to change of the minds, in a cycle.
type Planned struct {
	Cycle uint64
	What  string // an input, without its cycle, or a change
	Input int    // its place in inputs of the scenario, from 1; 0: it is a change

	Refused []string // why the world refused the input, of each run in which it did
}

// RefusedText says in how many of some runs the world refused the input, and why; "" if in none.
func (p Planned) RefusedText(runs int) string {
	if len(p.Refused) == 0 {
		return ""
	}
	in := ""
	if runs > 1 {
		in = fmt.Sprintf(" in %d of %d runs", len(p.Refused), runs)
	}
	reasons := slices.Clone(p.Refused)
	slices.Sort(reasons)
	return "refused" + in + ": " + strings.Join(slices.Compact(reasons), "; ")
}

// Effect is how a metric differs from that of the first arm, in runs that have the same seed.
type Effect struct {
	Seeds  int     // that have a figure in both
	Change float64 // mean of the differences
	P      float64 // of the exact two-sided sign test
	Low    float64 // of the 95 % confidence interval of Change
	High   float64
	DZ     float64 // Change divided by the standard deviation of the differences; NaN if that is 0
}

// Change is a value of a scenario that differs from that of the first arm.
type Change struct{ Path, From, To string }

// Run is one run. Series have a value for each cycle from 0 on; NaN if there is none.
type Run struct {
	Seed      string
	Cycle     uint64 // the last one
	Short     string // why it ended before the cycle that was asked for; "": it did not
	WorldHash string // at the end of that cycle, hex
	Series    map[string][]float64
	Acts      []society.ActCount // the commonest first
	Agents    []Agent            // in the order of their birth
	Sleeps    []Sleep            // why agents fell dormant, the commonest reason first
	Deaths    []Sleep            // why agents died, likewise
	Groups    []Group            // nil: they are not shown
	Answers   [][]int            // [who answered][who asked], in the order of Agents
	Questions int
	Bounties  Bounties
	Outside   []Outside // inputs that came while the run went on

	// What the run took of language models, by its ledger if that has all calls, as inspect has it. The series above know only
	// calls whose answers were used in a whole cycle.
	Models       []Model   // by name; nil: it has none
	Thoughts     *Thoughts // nil: the counts are not known
	Unstored     int       // calls that only the ledger has
	Taken        int       // calls that the ledger does not have
	LostCalls    int       // calls whose process was killed
	LostMicroUSD int
}

// Sleep is a reason for which agents fell dormant, or died.
type Sleep struct {
	Why   string // the reason with its meaning
	Times int
}

// Outside is an input of an operator that the run did not begin with.
type Outside struct {
	Cycle   uint64 // in which it took effect
	Input   string // as in a scenario, without the cycle
	Refused string // why the world refused it; "": it did not
}

// Bounties counts bounties, whoever created them.
type Bounties struct{ Created, Completed, Expired int }

// Agent is an agent at the end of a run.
type Agent struct {
	Name       string // as the scenario has it, else its alias
	Role       string
	Status     string
	Balance    int // ⚡
	Reputation float64
	society.Life
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": number, "count": count, "plural": plural, "agree": agree, "dollars": dollars, "short": short,
	"whole": func(x float64) int { return int(x) }, "village": func() int { return society.Village },
}).Parse(pageText))

// Write writes the page.
func Write(w io.Writer, r *Report) error {
	if n := len(r.Arms); n == 0 || n > MaxArms {
		return fmt.Errorf("write report: %d runs or sweeps; want 1 to %d", n, MaxArms)
	}
	return page.Execute(w, r)
}

// Only returns the run if the report is about a single one.
func (r *Report) Only() *Run {
	if len(r.Arms) != 1 || len(r.Arms[0].Runs) != 1 {
		return nil
	}
	return &r.Arms[0].Runs[0]
}

// Sweep reports whether some arm has several runs.
func (r *Report) Sweep() bool {
	for i := range r.Arms {
		if len(r.Arms[i].Runs) > 1 {
			return true
		}
	}
	return false
}

// Changed reports whether the scenarios of some arms differ.
func (r *Report) Changed() bool {
	for i := range r.Arms {
		if len(r.Arms[i].Changes) > 0 {
			return true
		}
	}
	return false
}

// Intervened reports whether inputs came from outside while some run went on.
func (r *Report) Intervened() bool {
	for i := range r.Arms {
		for k := range r.Arms[i].Runs {
			if len(r.Arms[i].Runs[k].Outside) > 0 {
				return true
			}
		}
	}
	return false
}

// measureRow is a metric in the table.
type measureRow struct {
	*society.Measure
	Band  string
	Cells []cell
}

// MeasureRows returns the table of metrics, with a cell for each arm.
func (r *Report) MeasureRows() []measureRow {
	out := make([]measureRow, len(r.Arms[0].Measures))
	for i := range out {
		p := &r.Arms[0].Measures[i]
		out[i] = measureRow{Measure: p.Measure, Band: band(p.Band)}
		for k := range r.Arms {
			a := &r.Arms[k]
			c := measureCell(&a.Measures[i], len(a.Runs))
			if a.Effects != nil {
				c.Change = a.Effects[i].text(max(len(a.Runs), len(r.Arms[0].Runs)))
			}
			out[i].Cells = append(out[i].Cells, c)
		}
	}
	return out
}

// Paired reports whether some arm is compared with the first one seed by seed.
func (r *Report) Paired() bool {
	for i := range r.Arms {
		if r.Arms[i].Effects != nil {
			return true
		}
	}
	return false
}

// EffectNotes says what to know about the effects of arms.
func (r *Report) EffectNotes() (out []string) {
	for i := range r.Arms {
		if a := &r.Arms[i]; a.EffectNote != "" {
			out = append(out, a.Name+": "+a.EffectNote+".")
		}
	}
	return out
}

// CycleCount returns the number of cycles after the one that created the world.
func (r *Run) CycleCount() int { return int(r.Cycle) }

// ActsDone returns how many acts were done.
func (r *Run) ActsDone() (n int) {
	for i := range r.Acts {
		n += r.Acts[i].Total
	}
	return n
}

// CommonestShare returns the share of the commonest act, in percent.
func (r *Run) CommonestShare() float64 {
	if len(r.Acts) == 0 {
		return 0
	}
	return 100 * float64(r.Acts[0].Total) / float64(r.ActsDone())
}

// AnswersGiven returns how many answers agents gave to each other.
func (r *Run) AnswersGiven() (n int) {
	for _, row := range r.Answers {
		for _, k := range row {
			n += k
		}
	}
	return n
}

// With returns how many agents have a status.
func (r *Run) With(status string) (n int) {
	for i := range r.Agents {
		if r.Agents[i].Status == status {
			n++
		}
	}
	return n
}

// Slept returns how many times agents fell dormant.
func (r *Run) Slept() (n int) {
	for i := range r.Agents {
		n += r.Agents[i].Slept
	}
	return n
}

// Last returns the last value of a series; 0 if it has none.
func (r *Run) Last(name string) float64 {
	if s := r.Series[name]; len(s) > 0 {
		return s[len(s)-1]
	}
	return 0
}

// Sum returns the sum of a series.
func (r *Run) Sum(name string) (sum float64) {
	for _, x := range r.Series[name] {
		sum += x
	}
	return sum
}

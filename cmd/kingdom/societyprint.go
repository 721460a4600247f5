package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"kingdom/llm"
	"kingdom/society"
)

// counts returns how many means are in their bands, how many can be judged, and how many
// metrics have no value.
func (m *measuredSociety) counts() (in, judged, without int) {
	for i := range m.pool {
		p := &m.pool[i]
		if p.MeanIn() {
			in++
		}
		if p.Judged() {
			judged++
		}
		if p.Runs == 0 {
			without++
		}
	}
	return in, judged, without
}

func (m *measuredSociety) print(out io.Writer) {
	if m.sweep {
		var seeds []string
		for i := range m.runs {
			seeds = append(seeds, m.runs[i].Seed)
		}
		fmt.Fprintf(out, "%s: seeds %s\n", m.name, strings.Join(seeds, ", "))
	}
	first := &m.runs[0]
	fmt.Fprintf(out, "%s, %s\n", llm.Count(uint64(first.Agents), "agent"), llm.Count(first.Cycles, "cycle")+countedFrom(first.From))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	spread := ""
	if m.sweep {
		spread = "SD\tLEAST\tMOST\tSEEDS IN\t"
	}
	fmt.Fprintf(w, "#\tMETRIC\tVALUE\t%sBAND\t\tWHAT IT IS\n", spread)
	for i := range m.pool {
		p := &m.pool[i]
		mean, between := "-", "-\t-\t-\t-\t"
		if p.Runs > 0 {
			mean = formatShort(p.Mean)
			in := "-"
			if p.Judged() {
				in = fmt.Sprintf("%d of %d", p.In, p.Runs)
			}
			between = fmt.Sprintf("%s\t%s\t%s\t%s\t", cmp.Or(spreadText(p, formatShort), "-"), formatShort(p.Min), formatShort(p.Max), in)
		}
		if !m.sweep {
			between = ""
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s%s\t%s\t%s\n", p.Metric, p.Key, mean, between, bandText(p.Band), verdict(p), about(p))
	}
	_ = w.Flush() // output keeps the error
	in, judged, without := m.counts()
	fmt.Fprintf(out, "%d of %d in their band, %d not judged, %d without a figure\n", in, judged, len(m.pool)-judged-without, without)
}

// about describes a metric: its definition, values known from the literature, and why there is no value.
func about(p *society.Pooled) string {
	text := p.Definition
	if p.Anchor != "" {
		text += " [" + p.Anchor + "]"
	}
	if p.Runs == 0 {
		text += "; no figure: " + p.Why
	}
	return text
}

func verdict(p *society.Pooled) string {
	switch {
	case !p.Judged():
		return "-"
	case p.MeanIn():
		return "in"
	}
	return "out"
}

func bandText(b society.Band) string {
	switch {
	case b.Unbounded():
		return "-"
	case math.IsInf(b.Low, -1):
		return "≤ " + formatShort(b.High)
	case math.IsInf(b.High, 1):
		return "≥ " + formatShort(b.Low)
	}
	return formatShort(b.Low) + " to " + formatShort(b.High)
}

// formatShort formats a value for people, with at most three decimals.
func formatShort(x float64) string {
	text := strconv.FormatFloat(x, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// formatExact formats a value for programs, with all digits.
func formatExact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// bandEnd returns an end of a band, nil if the band is open there.
func bandEnd(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

type societyJSON struct {
	Runs     []measuredRun `json:"runs"`
	In       int           `json:"in"`
	Judged   int           `json:"judged"`
	Without  int           `json:"without"`
	Measures []measureJSON `json:"measures"`
}

type measureJSON struct {
	Metric     int      `json:"metric"`
	Key        string   `json:"key"`
	Definition string   `json:"definition"`
	Anchor     string   `json:"anchor"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	Value      *float64 `json:"value"`
	N          int      `json:"n"`
	Why        string   `json:"why"`
	In         *bool    `json:"in"`
	*SeedsJSON          // of a sweep
}

// SeedsJSON is what a metric of a sweep has beside its mean. It is exported because encoding/json does not decode into
// an embedded pointer to an unexported type.
type SeedsJSON struct {
	SD     *float64 `json:"sd"` // null for fewer than two runs
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Runs   int      `json:"runs"`
	RunsIn int      `json:"runs_in"`
}

func (m *measuredSociety) toJSON() societyJSON {
	out := societyJSON{Runs: m.runs}
	out.In, out.Judged, out.Without = m.counts()
	for i := range m.pool {
		p := &m.pool[i]
		j := measureJSON{Metric: p.Metric, Key: p.Key, Definition: p.Definition, Anchor: p.Anchor, Low: bandEnd(p.Band.Low), High: bandEnd(p.Band.High), N: p.N, Why: p.Why}
		if p.Runs > 0 {
			j.Value = &p.Mean
		}
		if p.Judged() {
			in := p.MeanIn()
			j.In = &in
		}
		if m.sweep {
			j.SeedsJSON = &SeedsJSON{nil, p.Min, p.Max, p.Runs, p.In}
			if p.Runs > 1 {
				j.SD = &p.SD
			}
		}
		out.Measures = append(out.Measures, j)
	}
	return out
}

// spreadText is the standard deviation of a metric over several runs; "": there are not two.
func spreadText(p *society.Pooled, format func(float64) string) string {
	if p.Runs < 2 {
		return ""
	}
	return format(p.SD)
}

func (m *measuredSociety) printCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	lines := [][]string{{"metric", "key", "value", "low", "high", "in", "n", "sd", "min", "max", "runs", "runs_in", "definition", "anchor", "why"}}
	for i := range m.pool {
		p := &m.pool[i]
		line := []string{strconv.Itoa(p.Metric), p.Key, "", formatBandEnd(p.Band.Low), formatBandEnd(p.Band.High), "", strconv.Itoa(p.N), "", "", "", strconv.Itoa(p.Runs), strconv.Itoa(p.In), p.Definition, p.Anchor, p.Why}
		if p.Runs > 0 {
			line[2], line[7], line[8], line[9] = formatExact(p.Mean), spreadText(p, formatExact), formatExact(p.Min), formatExact(p.Max)
		}
		if p.Judged() {
			line[5] = strconv.FormatBool(p.MeanIn())
		}
		lines = append(lines, line)
	}
	return w.WriteAll(lines)
}

// formatBandEnd formats an end of a band for a table; it is empty if the band is open there.
func formatBandEnd(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return formatExact(x)
}

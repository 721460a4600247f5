package observe

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"kingdom/engine"
)

// MetricsPath returns the path of metrics.csv in a run directory.
func MetricsPath(dir string) string { return filepath.Join(dir, "metrics.csv") }

// metricsHeading names the columns of metrics.csv (docs/LOGS.md).
const metricsHeading = "cycle,tick,epoch,world_hash,agents,active,dormant,dead,agent_ticks,nops,messages,transactions," +
	"open_bounties,completed_bounties,oracle_entries,vault_repos,circulating_supply,treasury,gini,velocity,dropped," +
	"calls,failed_calls,prompt_tokens,output_tokens,cost_micro_usd\n"

// Metrics writes metrics.csv, a row per cycle, also if there are no logs. It is an engine.Observer.
type Metrics struct {
	sink    *sink
	warn    func(msg string)
	trimmed bool
}

var _ engine.Observer = (*Metrics)(nil)

// OpenMetrics opens metrics.csv of a run directory for appending. warn is called at the first row if earlier rows are
// missing, or other lines are among them.
func OpenMetrics(dir string, warn func(msg string)) (*Metrics, error) {
	s, err := openSink(MetricsPath(dir))
	if err != nil {
		return nil, err
	}
	return &Metrics{sink: s, warn: warn}, nil
}

// Commit does nothing.
func (m *Metrics) Commit(*engine.Commit) {}

// Cycle writes the row of a cycle. The first call removes the rows of cycles that are executed again.
func (m *Metrics) Cycle(r *engine.CycleReport) {
	if !m.trimmed {
		m.trimmed = true
		m.sink.trim(uint64(r.Row.Cycle), csvCycle)
		m.warnOfLines(uint64(r.Row.Cycle))
		m.writeHeading()
	}
	m.writeRow(r)
	m.sink.flush()
}

// Close writes what is left and returns the first error of the file.
func (m *Metrics) Close() error { return m.sink.close() }

// warnOfLines warns if the file lacks rows of cycles before c, or has lines that are no row of the run: each cycle has one row, after
// those before it. Such a line is left to the user, since nobody else knows what it is for.
func (m *Metrics) warnOfLines(c uint64) {
	if _, err := m.sink.f.Seek(0, io.SeekStart); err != nil {
		m.sink.setErr(err)
		return
	}
	rows, next, columns, lines := uint64(0), uint64(0), 0, bufio.NewScanner(m.sink.f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes()
		if n == 1 { // the heading
			columns = bytes.Count(line, []byte(","))
			continue
		}
		if cycle, ok := csvCycle(line); ok && cycle >= next && bytes.Count(line, []byte(",")) == columns {
			rows, next = rows+1, cycle+1
			continue
		}
		m.warn(fmt.Sprintf("%s:%d is no row of this run: %.60q; the run continues and leaves it there; take the line out", m.sink.path, n, line))
	}
	m.sink.setErr(lines.Err())
	if rows < c && m.sink.err == nil {
		m.warn(fmt.Sprintf("%s lacks %d of the %d rows before cycle %d; the run continues without them; restore the file from a copy, or take them from observer.metrics in the store (docs/STORE.md)",
			m.sink.path, c-rows, c, c))
	}
}

// writeHeading writes the heading into an empty file.
func (m *Metrics) writeHeading() {
	s := m.sink
	info, err := s.f.Stat()
	s.setErr(err)
	if err == nil && info.Size() == 0 {
		_, err = io.WriteString(s.w, metricsHeading)
		s.setErr(err)
	}
}

func (m *Metrics) writeRow(r *engine.CycleReport) {
	c, n := &r.Row, &r.Metrics
	u := func(n uint64) string { return strconv.FormatUint(n, 10) }
	f := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	row := []string{
		u(uint64(c.Cycle)), u(uint64(c.Tick)), u(uint64(c.Epoch)), c.WorldHash.String(), u(uint64(n.Agents)),
		u(uint64(c.Active)), u(uint64(c.Dormant)), u(uint64(c.Dead)), u(n.AgentTicks), u(n.NOPs), u(n.Messages), u(n.Transactions),
		u(uint64(n.OpenBounties)), u(uint64(n.CompletedBounties)), u(n.OracleEntries), u(n.VaultRepos),
		u(n.CirculatingSupply), strconv.FormatInt(n.Treasury, 10), f(n.Gini), f(n.Velocity), u(r.Dropped),
		u(n.Calls), u(n.FailedCalls), u(n.PromptTokens), u(n.OutputTokens), u(n.CostMicroUSD),
	}
	if m.sink.err == nil {
		_, err := io.WriteString(m.sink.w, strings.Join(row, ",")+"\n")
		m.sink.setErr(err)
	}
}

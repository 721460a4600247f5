package observe

import (
	"path/filepath"
	"strconv"
	"strings"

	"kingdom/engine"
)

// MetricsPath is where a run directory keeps its metrics.
func MetricsPath(dir string) string { return filepath.Join(dir, "metrics.csv") }

// metricsHeading names the columns of metrics.csv (docs/LOGS.md).
const metricsHeading = "cycle,tick,epoch,world_hash,agents,active,dormant,dead,agent_ticks,nops,messages,transactions," +
	"open_bounties,completed_bounties,oracle_entries,vault_repos,circulating_supply,treasury,gini,velocity,dropped\n"

// heading starts an empty file.
func (l *Logs) heading() {
	s := l.metrics
	info, err := s.f.Stat()
	s.keep(err)
	if err == nil && info.Size() == 0 {
		_, err = s.w.WriteString(metricsHeading)
		s.keep(err)
	}
}

// measure adds the row of a cycle.
func (l *Logs) measure(r *engine.CycleReport) {
	c, m := &r.Row, &r.Metrics
	u := func(n uint64) string { return strconv.FormatUint(n, 10) }
	f := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	row := []string{
		u(uint64(c.Cycle)), u(uint64(c.Tick)), u(uint64(c.Epoch)), c.WorldHash.String(), u(uint64(r.Metrics.Agents)),
		u(uint64(c.Active)), u(uint64(c.Dormant)), u(uint64(c.Dead)), u(m.AgentTicks), u(m.NOPs), u(m.Messages), u(m.Transactions),
		u(uint64(m.OpenBounties)), u(uint64(m.CompletedBounties)), u(m.OracleEntries), u(m.VaultRepos),
		u(m.CirculatingSupply), strconv.FormatInt(m.Treasury, 10), f(m.Gini), f(m.Velocity), u(r.Dropped),
	}
	if l.metrics.err == nil {
		_, err := l.metrics.w.WriteString(strings.Join(row, ",") + "\n")
		l.metrics.keep(err)
	}
}

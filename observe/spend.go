package observe

import (
	"time"

	"go.uber.org/zap"
)

// Spend says that a part of a cap on the cost of a run has been reached.
type Spend struct {
	Cap           string // what it is of: the run, an agent, a model or a tier
	Percent       int    // 50 or 80; 100: it refuses calls
	CapMicroUSD   uint64
	SpentMicroUSD uint64
}

// Spend adds a line to engine.jsonl, which is written with the next commit. Unlike the methods of an observer it may
// be called from any goroutine.
func (l *Logs) Spend(s Spend) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spends = append(l.spends, s)
}

// writeSpends writes the lines that Spend has added.
func (l *Logs) writeSpends(now time.Time, cycle, tick uint64) {
	l.mu.Lock()
	spends := l.spends
	l.spends = nil
	l.mu.Unlock()
	l.at.cycle, l.at.tick = cycle, tick
	for _, s := range spends {
		l.engine.line(now, append(l.commonFields("spend", cycle, tick), zap.String("cap", s.Cap), zap.Int("percent", s.Percent),
			zap.Uint64("cap_micro_usd", s.CapMicroUSD), zap.Uint64("spent_micro_usd", s.SpentMicroUSD)))
	}
}

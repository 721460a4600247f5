package spend

import (
	"fmt"

	"kingdom/llm"
)

// CapError refuses a call that could exceed a cap. Amounts are in millionths of a US dollar.
type CapError struct {
	account       account
	CapMicroUSD   uint64
	SpentMicroUSD uint64 // settled; calls under way are not among it
	CallMicroUSD  uint64 // what the call may cost at most
}

// Error names the cap, what is spent and the most that the call could cost.
func (e *CapError) Error() string {
	return fmt.Sprintf("the cap of %v is %s: %s are spent and the next call may cost %s",
		e.account, llm.USD(e.CapMicroUSD), llm.USD(e.SpentMicroUSD), llm.USD(e.CallMicroUSD))
}

// OfRun reports whether it is the cap of the whole run, which stops the run. Other caps only exclude a model, or an
// agent.
func (e *CapError) OfRun() bool { return e.account.kind == scopeRun }

// Warning says that a part of a cap is spent, or that the cap has refused its first call.
type Warning struct {
	account
	Percent       int // 50 or 80 of the cap; 100: it refuses calls
	CapMicroUSD   uint64
	SpentMicroUSD uint64
}

// String returns the warning as a sentence for the user.
func (w Warning) String() string {
	if w.Percent == 100 {
		return fmt.Sprintf("the cap of %v, %s, refuses calls from now on: %s are spent", w.account, llm.USD(w.CapMicroUSD), llm.USD(w.SpentMicroUSD))
	}
	return fmt.Sprintf("%d %% of the cap of %v are spent: %s of %s", w.Percent, w.account, llm.USD(w.SpentMicroUSD), llm.USD(w.CapMicroUSD))
}

// Of names what the cap limits: the run, an agent, a model or a tier.
func (w Warning) Of() string { return w.account.String() }

// OfAgent reports whether it is the cap of a single agent.
func (w Warning) OfAgent() bool { return w.kind == scopeAgent }

// warningPercents are the percentages of a cap at which a warning is given, the highest first.
var warningPercents = [...]int{80, 50}

// passedMark reports whether an account has passed another of the warningPercents. The lock is held.
func (l *Ledger) passedMark(a account, b *balance) (Warning, bool) {
	limit, _ := l.capOf(a)
	if limit == 0 {
		return Warning{}, false
	}
	for _, m := range warningPercents {
		if b.warned < m && b.settled*100 >= limit*uint64(m) {
			b.warned = m
			return Warning{a, m, limit, b.settled}, true
		}
	}
	return Warning{}, false
}

// refuse records a refusal and reports whether a warning is due: it is the account's first, and the cap is not that of
// the run, whose end says so itself. The lock is held.
func (l *Ledger) refuse(e *CapError) (w Warning, first bool) {
	b := l.balance(e.account)
	if b.warned >= 100 || e.OfRun() {
		return Warning{}, false
	}
	b.warned = 100
	return Warning{e.account, 100, e.CapMicroUSD, e.SpentMicroUSD}, true
}

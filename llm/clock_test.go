package llm

import (
	"strings"
	"testing"
)

// What is left of a spawn grant is told apart from what an agent may give away.
func TestClock_TellsEarmarkedMoney(t *testing.T) {
	for earmarked, want := range map[uint64]string{0: "balance 90 Spark; reputation", 40: "balance 90 Spark, 40 of it for resources and fees only; reputation"} {
		if got := string(appendClock(nil, &StateFacts{Balance: 90, Earmarked: earmarked})); !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

package observe

import (
	"os"
	"strings"
	"testing"
)

// Each reason for which an agent fell asleep, woke or died has its words in tail, and docs/LOGS.md has the same.
func TestReasons_AreInTheDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/LOGS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for status, reasons := range reasonWords {
		for reason, words := range reasons {
			if rows++; !strings.Contains(string(page), "| "+status+" | "+reason+" | "+words) {
				t.Errorf("LOGS has no row %s, %s: %s", status, reason, words)
			}
		}
	}
	if got := strings.Count(string(page), "\n| DORMANT | ") + strings.Count(string(page), "\n| ACTIVE | ") + strings.Count(string(page), "\n| DEAD | "); got != rows {
		t.Errorf("LOGS has %d rows of reasons, want %d", got, rows)
	}
	if got := ReasonText("DORMANT", "of_a_later_version"); got != "of_a_later_version" {
		t.Errorf("an unknown reason reads %q", got)
	}
}

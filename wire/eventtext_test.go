package wire

import (
	"strings"
	"testing"
)

func TestEventText_CutsBeforeARune(t *testing.T) {
	long := strings.Repeat("x", MaxEventText-1)
	for text, want := range map[string]string{
		"": "", "short": "short", long + "y": long + "y", long + "yz": long + "y", long + "é": long, long + "y\x80\x80": long, // not UTF-8
		long[:MaxEventText-9] + strings.Repeat("\x80", 18): long[:MaxEventText-9] + strings.Repeat("\x80", 5),
	} {
		if got := string(EventText([]byte(text))); got != want {
			t.Errorf("of %d bytes %d are left, want %d: %q", len(text), len(got), len(want), got[max(0, len(got)-5):])
		}
	}
}

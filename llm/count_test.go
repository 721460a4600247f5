package llm

import "testing"

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n     uint64
		thing string
		want  string
	}{
		{0, "cycle", "0 cycles"},
		{1, "cycle", "1 cycle"},
		{2, "cycle", "2 cycles"},
		{1, "entry", "1 entry"},
		{3, "entry", "3 entries"},
		{11, "planned input", "11 planned inputs"},
	} {
		if got := Count(tt.n, tt.thing); got != tt.want {
			t.Errorf("%d of %s: %s, want %s", tt.n, tt.thing, got, tt.want)
		}
	}
}

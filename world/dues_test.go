package world

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

func TestDues_TakeInOrderOfCycleAndID(t *testing.T) {
	var d Dues
	a, b, c := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	if got := d.Take(9); len(got) != 0 {
		t.Errorf("an empty calendar has %v", got)
	}
	d.Schedule(5, b)
	d.Schedule(3, c)
	d.Schedule(5, a)
	d.Schedule(5, b)
	d.Schedule(6, c)
	for _, x := range []struct {
		now  wire.Cycle
		want []wire.Hash
	}{{2, nil}, {5, []wire.Hash{a, b, c}}, {5, nil}, {6, []wire.Hash{c}}, {7, nil}} {
		if got := d.Due(x.now); !cmp.Equal(got, x.want) {
			t.Errorf("due at the end of cycle %d: %v, want %v", x.now, got, x.want)
		}
		if got := d.Take(x.now); !cmp.Equal(got, x.want) {
			t.Errorf("taken at the end of cycle %d: %v, want %v", x.now, got, x.want)
		}
	}
	d.Schedule(1, a) // its cycle end is over
	if got := d.Take(8); !cmp.Equal(got, []wire.Hash{a}) {
		t.Errorf("late: %v", got)
	}
}

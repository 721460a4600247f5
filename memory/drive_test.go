package memory

import (
	"math"
	"testing"
)

// TestDrive_FollowsSuccessAgainstOthers: whose work is found good as often as another's is as driven as another.
func TestDrive_FollowsSuccessAgainstOthers(t *testing.T) {
	for _, c := range []struct {
		name        string
		own, others int // in each cycle
		heads       int
		want        float64
	}{
		{"as much as another", 2, 6, 3, 1},
		{"half as much again", 3, 6, 3, 1.5},
		{"seven tenths", 7, 200, 20, .7},
		{"much more", 9, 3, 2, 4},
		{"never", 0, 6, 3, .715},
		{"never, among many", 0, 124, 124, .443465},
		{"nobody else", 1, 0, 3, 4},
		{"hears of nobody", 5, 0, 0, 1},
	} {
		d := NewDrive()
		if d.Level(c.heads) != 1 {
			t.Fatalf("born with %v", d.Level(c.heads))
		}
		for range 100 {
			for range c.own {
				d.CountSuccess(true)
			}
			for range c.others {
				d.CountSuccess(false)
			}
			d.EndCycle(c.heads)
		}
		if got := d.Level(c.heads); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if (&Drive{}).Level(3) != 1 {
		t.Error("who was never born is not as anybody")
	}
}

// One good cycle changes the drive little.
func TestDrive_ChangesLittleInOneCycle(t *testing.T) {
	d := NewDrive()
	for range 3 {
		d.CountSuccess(true)
		d.CountSuccess(false)
	}
	d.EndCycle(3)
	if d.Own != 0 || d.Others != 0 {
		t.Errorf("counts of the cycle are left: %+v", d)
	}
	if got := d.Level(3); math.Abs(got-1.2) > 1e-5 {
		t.Errorf("%v, want 1.2", got)
	}
}

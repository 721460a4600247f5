package ooda

import (
	"reflect"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

// What Prepare computes once for all agents equals what each turn would compute, at every epoch.
func TestRules_PreparedRightsEqualUnpreparedOnes(t *testing.T) {
	drawn := DefaultRules(wire.Hash{1})
	drawn.MaxPosts = 7
	plain := drawn
	drawn.Prepare()
	if n := len(drawn.prepared); n < 2 {
		t.Fatalf("drawn up for %d epochs, want one for each at which a gate opens", n)
	}
	for _, epoch := range []uint32{0, 1, 2, 3, 4, 5, 6, 1000} {
		got, want := drawn.rights(epoch), plain.rights(epoch)
		if !reflect.DeepEqual(got.actions, want.actions) || !reflect.DeepEqual(got.closed, want.closed) {
			t.Errorf("epoch %d: %d actions and %d closed, want %d and %d", epoch, len(got.actions), len(got.closed), len(want.actions), len(want.closed))
		}
		if got.stable == nil || want.stable != nil {
			t.Fatalf("epoch %d: only Prepare makes the stable part", epoch)
		}
		p := llm.Prompt{Limits: &drawn.Limits, Actions: want.actions, Closed: want.closed}
		made := p.Hash()
		p.Forget()
		p.Stable = got.stable
		if p.Hash() != made {
			t.Errorf("epoch %d: a prompt with the stable part drawn up reads otherwise", epoch)
		}
	}
}

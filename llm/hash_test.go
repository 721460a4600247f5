package llm

import (
	"bytes"
	"fmt"
	"testing"

	"kingdom/wire/action"
)

// The text that Hash made is used where a rendering would give the same, for models of any size, and nowhere else.
func TestHash_ReusesRenderedTextOnlyIfEqual(t *testing.T) {
	nop, _ := action.ByName("nop")
	for _, offers := range []int{1, 20, 400, 5000} {
		for _, size := range []struct{ context, max uint64 }{{0, 0}, {DefaultContext, DefaultMaxTokens}, {8192, 512}, {200_000, 16_384}, {3000, 100}} {
			p := &Prompt{Identity: Identity{Alias: "a"}, Tier: Tier2, Actions: []*action.Row{nop}}
			for i := range offers {
				p.Affordances = append(p.Affordances, Affordance{GoalKind: fmt.Sprint("goal", i)})
			}
			want := *p
			want.MaxContext, want.MaxTokens = size.context, size.max
			system, user := want.Messages()
			hash := p.Hash()
			got := *p
			got.MaxContext, got.MaxTokens = size.context, size.max
			s, u := got.Messages()
			if !bytes.Equal(s, system) || !bytes.Equal(u, user) {
				t.Errorf("%d offers, context %d: the kept text differs: %d bytes, want %d", offers, size.context, len(u), len(user))
			}
			if short := size.context != 0 && size.context < DefaultContext && len(u) < len(p.rendered.user); got.Shortened() != short {
				t.Errorf("%d offers, context %d: shortened %t, want %t", offers, size.context, got.Shortened(), short)
			}
			_ = append(s, "what an adapter adds"...)
			if again := p.Hash(); again != hash {
				t.Error("the hash changed")
			}
			p.Forget()
			p.Alias = "b"
			if p.Hash() == hash {
				t.Error("another prompt has the same hash")
			}
		}
	}
}

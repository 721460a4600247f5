package action

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRowFromJSON holds every accepted params object to its shown form.
func FuzzRowFromJSON(f *testing.F) {
	minds := ForMinds()
	for i, r := range minds {
		for _, c := range paramCases {
			if c.action == r.Name {
				f.Add(uint8(i), []byte(c.params))
			}
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, raw []byte) {
		r := minds[int(i)%len(minds)]
		payload, err := r.FromJSON(raw, nil)
		if err != nil {
			return
		}
		shown := r.AppendJSON(nil, payload)
		again, err := r.FromJSON(shown, nil)
		if err != nil {
			t.Fatalf("%s shown as %s, which is refused: %v", r.Name, shown, err)
		}
		if d := cmp.Diff(payload, again); d != "" {
			t.Fatalf("%s shown as %s:\n%s", r.Name, shown, d)
		}
		for p := ProfileDefault; p <= ProfileOpen; p++ {
			if r.MinEpoch(p, payload) < r.Epoch[p] {
				t.Fatalf("%s: a request passes an earlier gate than its row says", r.Name)
			}
		}
	})
}

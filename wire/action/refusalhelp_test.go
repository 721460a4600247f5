package action

import (
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

// helps says which key of the context helps to do better, by the reason of a refusal: the field that is wrong, the bound and what
// was too much, the status, or the tick from which it is allowed.
func helps(r *Refusal) []string {
	switch {
	case r.Reason == "funds":
		return []string{"have", "need"}
	case r.Reason == "state":
		return []string{"status"}
	case r.Category == wire.CategoryInvalidRequest:
		return []string{"field"}
	case r.Reason == "rate":
		return []string{"until"}
	case r.Category == wire.CategoryQuotaExceeded:
		return []string{"limit", "need"} // either
	case slices.Contains([]string{"not_open", "bad_transition", "stopped", "closed", "not_finished"}, r.Reason):
		return []string{"status"}
	case slices.Contains([]string{"barred", "too_soon", "pair_used"}, r.Reason):
		return []string{"until"}
	}
	return nil
}

// The catalogue promises a context with each refusal that helps the sender to do better. That daemons keep the promise
// is tested where their transcripts are.
func TestRefusals_ContextHelpsTheSender(t *testing.T) {
	for i := range rows {
		for k := range rows[i].Refusals {
			r := &rows[i].Refusals[k]
			keys := strings.Fields(strings.ReplaceAll(r.Context, "?", ""))
			want := helps(r)
			has := func(key string) bool { return slices.Contains(keys, key) }
			ok := len(want) == 0 || slices.ContainsFunc(want, has)
			if r.Reason == "funds" {
				ok = has("have") && has("need")
			}
			if !ok {
				t.Errorf("%s %v %s has the context %q, want %v", rows[i].Name, r.Category, r.Reason, r.Context, want)
			}
		}
	}
}

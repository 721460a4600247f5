package action

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

// boundElsewhere are the fields of variable length that have no row in [Bounds], with what bounds them instead.
var boundElsewhere = map[string]string{
	"subscribe systems":                          "one of each; world/nexus, TestSubscribe_Limits",
	"subscribe kinds":                            "16; world/nexus, TestSubscribe_Limits",
	"subscribe origins":                          "64; world/nexus, TestSubscribe_Limits",
	"agent_status reason":                        "of the runtime, and one word; world/nexus/testdata/status.txt",
	"proposal_submit description":                "4,096 bytes in canonical form; world/nexus, TestSubmit_BoundsOfEachKind",
	"repo_create access_policy.read.AGENTS_ONLY": "256, the bound of access_policy",
	"repo_create access_policy.write.APPROVED":   "256, the bound of access_policy",
	"channel_create access.INVITE_ONLY":          "256, the bound of access",
	"repo_create objects.data":                   "1,047,552 bytes, as an object; world/vault, TestBounds_AtAndOnePastEachBound",
	"snap_create objects.data":                   "1,047,552 bytes, as an object; world/vault, TestBounds_AtAndOnePastEachBound",
	"object_put data":                            "1,047,552 bytes, as an object; world/vault, TestBounds_AtAndOnePastEachBound",
	"snap_create proof":                          "an execution proof in canonical form, which has few lengths",
	"sandbox_create environment.":                "the bounds of its keys and of all bytes",
	"web_request headers.":                       "the bounds of its keys and values",
	"transfer signature":                         "nil; owner_mismatch otherwise",
	"resource_buy signature":                     "nil; owner_mismatch otherwise",
	"web_request signature":                      "nil; owner_mismatch otherwise",
}

// TestBounds_OfEveryField: each field of a request that may have any length, and each list, has a bound, or stands in the list of
// those that something else bounds.
func TestBounds_OfEveryField(t *testing.T) {
	seen := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		if row.Type == 0 || !row.LLM {
			continue
		}
		var named []string
		for _, b := range Bounds(row.Type) {
			named = append(named, b.Field)
		}
		for _, path := range lengthy(reflect.TypeOf(wire.NewRequest(row.Type)).Elem(), "") {
			key := row.Name + " " + path
			has := slices.ContainsFunc(named, func(f string) bool { return f == path || strings.HasPrefix(f, path+".") })
			_, known := boundElsewhere[key]
			seen[key] = true
			switch {
			case has && known:
				t.Errorf("%s has a bound, so it need not stand in the list of others", key)
			case !has && !known:
				t.Errorf("%s has no bound", key)
			}
		}
	}
	for key := range boundElsewhere {
		if !seen[key] {
			t.Errorf("%s: there is no such field", key)
		}
	}
}

// lengthy lists the fields of a struct that hold bytes, texts, lists or maps, by their paths.
func lengthy(t reflect.Type, at string) (out []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("kdom"), ",")
			if !f.IsExported() || name == "-" {
				continue
			}
			path := name
			if at != "" {
				path = at + "." + name
			}
			out = append(out, lengthy(f.Type, path)...)
		}
	case reflect.String:
		return []string{at}
	case reflect.Slice, reflect.Map:
		out = append(out, at)
		if t.Elem().Kind() != reflect.Uint8 {
			out = append(out, lengthy(t.Elem(), at)...)
		}
	}
	return slices.Compact(out)
}

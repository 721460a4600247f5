package openai

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func FuzzObject(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1}`, ` { "a" : [1, {"b":"]}"}] , "\u0061":"x", "" : null } `, `{"a":{"a":{"a":[[],{}]}},"b":true,"c":-1.5e3}`,
		`{"q\"":"\\","é":"\ud83d"}`, "{\"\xff\":\"\xff\"}", `[1]`, `null`, `"{}"`, `7`, `{"a":"\\\""}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) || !utf8.Valid(raw) { // a name that is not UTF-8 is none that is asked for
			return
		}
		var want map[string]json.RawMessage
		isObject := json.Unmarshal(raw, &want) == nil && want != nil
		got, ok := objectOf(raw)
		if ok != isObject {
			t.Fatalf("%s: an object %t, want %t", raw, ok, isObject)
		}
		seen := 0
		for name, value := range want {
			if v := got.get(name); string(v) != string(value) {
				t.Errorf("%s: %q is %s, want %s", raw, name, v, value)
			}
			n := got.times(name)
			if n == 0 {
				t.Errorf("%s: %q is not counted", raw, name)
			}
			seen += n
		}
		if seen != len(got) {
			t.Errorf("%s: %d fields have one of %d names, want %d", raw, seen, len(want), len(got))
		}
		var list []json.RawMessage
		isList := json.Unmarshal(raw, &list) == nil && list != nil
		parts, ok := listOf(raw)
		if ok != isList || len(parts) != len(list) {
			t.Fatalf("%s: a list %t of %d, want %t of %d", raw, ok, len(parts), isList, len(list))
		}
		for i := range list {
			if string(parts[i]) != string(list[i]) {
				t.Errorf("%s: element %d is %s, want %s", raw, i, parts[i], list[i])
			}
		}
	})
}

func TestObject_OfNilIsNone(t *testing.T) {
	if o, ok := objectOf(nil); ok || o.get("a") != nil || o.times("a") != 0 {
		t.Error("nothing is no object")
	}
	if list, ok := listOf(nil); ok || list != nil {
		t.Error("nothing is no list")
	}
}

// Of two fields with one name the last counts, as in encoding/json.
func TestObject_LastOfDuplicateFieldsCounts(t *testing.T) {
	o, _ := objectOf([]byte(`{"a":1,"b":2,"\u0061":3}`))
	if string(o.get("a")) != "3" || o.times("a") != 2 || o.times("b") != 1 {
		t.Errorf("a is %s, %d times", o.get("a"), o.times("a"))
	}
}

package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type person [32]byte

func (p person) Alias() string { return "p" }

type note struct {
	Text  string     `kdom:"text"`
	Raw   RawJSON    `kdom:"raw,default"`
	Pairs TextMap    `kdom:"pairs,default"`
	Scale float32    `kdom:"scale,unit,default=0.25"`
	Word  string     `kdom:"word,default=none"`
	Role  testRole   `kdom:"role,default"`
	Who   *person    `kdom:"who"`
	Pair  *[2]uint16 `kdom:"pair"`
	Trees []tree     `kdom:"trees,default,max=2"`
	Extra uint8      `kdom:"extra,default"`
	Own   int        `kdom:"-"`
}

var noteCodec = New[note]()

func TestFromJSON_Values(t *testing.T) {
	hexID := strings.Repeat("0A", 32)
	names := func(alias string) (id [32]byte, ok bool) { return [32]byte{7}, alias == "aabbccdd" }
	for _, c := range []struct {
		name, raw string
		ok        func(n *note) bool
	}{
		{"defaults", `{"text":"x"}`, func(n *note) bool {
			return n.Scale == 0.25 && n.Word == "none" && n.Role == 1 && n.Raw == nil && n.Who == nil
		}},
		{"null for a default", `{"text":"x","scale":null,"word":null,"role":null,"raw":null,"pairs":null}`, func(n *note) bool {
			return n.Scale == 0.25 && n.Word == "none" && n.Role == 1 && n.Raw == nil
		}},
		{"raw keeps its text", `{"text":"x","raw": {"a" : [1,{"b":"\u00e4"}]} ,"extra":1}`, func(n *note) bool {
			return string(n.Raw) == `{"a" : [1,{"b":"\u00e4"}]}` && n.Extra == 1
		}},
		{"raw as text", `{"text":"x","raw":" {\"a\":1} "}`, func(n *note) bool { return string(n.Raw) == `{"a":1}` && !n.Raw.Empty() }},
		{"raw as empty text", `{"text":"x","raw":" "}`, func(n *note) bool { return n.Raw.Empty() }},
		{"raw with spaces", `{"text":"x","raw":{ "a" : [ ] , "b" : { } , "c" : [ 1 , "x" ] , "d" : true , "e" : null , "f" : 1 } }`, func(n *note) bool {
			return strings.HasPrefix(string(n.Raw), `{ "a"`) && strings.HasSuffix(string(n.Raw), `1 }`)
		}},
		{"empty raw", `{"text":"x","raw":{ }}`, func(n *note) bool { return n.Raw != nil && n.Raw.Empty() }},
		{"pairs in order", `{"text":"x","pairs":{"b":"\n","a":[1, 2],"c":null}}`, func(n *note) bool {
			return fmt.Sprint(n.Pairs) == "[{b \n} {a [1, 2]} {c null}]"
		}},
		{"unit bounds", `{"text":"x","scale":1}`, func(n *note) bool { return n.Scale == 1 }},
		{"unit zero", `{"text":"x","scale":-0.0}`, func(n *note) bool { return n.Scale == 0 && !math.Signbit(float64(n.Scale)) }},
		{"surrogate pair", `{"text":"\ud83d\ude00"}`, func(n *note) bool { return n.Text == "😀" }},
		{"high surrogate at the end", `{"text":"a\ud83d"}`, func(n *note) bool { return n.Text == "a\uFFFD" }},
		{"high surrogate before a letter", `{"text":"\ud83da"}`, func(n *note) bool { return n.Text == "\uFFFDa" }},
		{"low surrogate first", `{"text":"\ude00\ud83d"}`, func(n *note) bool { return n.Text == "\uFFFD\uFFFD" }},
		{"all escapes", `{"text":"\"\\\/\b\f\n\r\t\u0041"}`, func(n *note) bool { return n.Text == "\"\\/\b\f\n\r\tA" }},
		{"backslash before the quote", `{"text":"\\"}`, func(n *note) bool { return n.Text == `\` }},
		{"id in hex", `{"text":"x","who":"` + hexID + `"}`, func(n *note) bool { return n.Who != nil && n.Who[31] == 10 }},
		{"id by alias", `{"text":"x","who":"aabbccdd"}`, func(n *note) bool { return n.Who != nil && n.Who[0] == 7 }},
		{"fixed list", `{"text":"x","pair":[0,65535]}`, func(n *note) bool { return *n.Pair == [2]uint16{0, 65535} }},
		{"enum in any case", `{"text":"x","role":"lIbrArIan"}`, func(n *note) bool { return n.Role == 2 }},
		{"unions", `{"text":"x","trees":["leaf",{"node":{"children":[]}}]}`, func(n *note) bool {
			return len(n.Trees) == 2 && n.Trees[0].Leaf && n.Trees[1].Node != nil
		}},
		{"spaces everywhere", " \t\r\n{ \"text\" : \"x\" , \"extra\" :\t7 }\n ", func(n *note) bool { return n.Extra == 7 }},
	} {
		var n note
		if err := noteCodec.FromJSON([]byte(c.raw), &n, names); err != nil || !c.ok(&n) {
			t.Errorf("%s: %+v, %v", c.name, n, err)
		}
		if n.Own != 0 {
			t.Errorf("%s: a field named - was filled", c.name)
		}
	}
}

func TestFromJSON_Refusals(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		kind      DecodeKind
		field     string
		offset    int // -1: any
	}{
		{"field without form", `{"text":"x","Own":1}`, DecodeKindUnknownField, "Own", -1},
		{"double key in raw", `{"text":"x","raw":{"a":{"b":1,"b":2}}}`, DecodeKindDuplicateField, "raw.a.b", 33},
		{"double key by escape", `{"text":"x","raw":{"a":1,"\u0061":2}}`, DecodeKindDuplicateField, "raw.a", -1},
		{"double key in pairs", `{"text":"x","pairs":{"a":"1","a":"2"}}`, DecodeKindDuplicateField, "pairs.a", -1},
		{"double field", `{"text":"x","text":"y"}`, DecodeKindDuplicateField, "text", 18},
		{"raw a list", `{"text":"x","raw":[]}`, DecodeKindType, "raw", 18},
		{"raw text that is no object", `{"text":"x","raw":"[1]"}`, DecodeKindType, "raw", 18},
		{"raw text that is cut", `{"text":"x","raw":"{"}`, DecodeKindType, "raw", 18},
		{"raw text with more behind", `{"text":"x","raw":"{} 1"}`, DecodeKindType, "raw", 18},
		{"raw text with a double key", `{"text":"x","raw":"{\"a\":1,\"a\":2}"}`, DecodeKindType, "raw", 18},
		{"above one", `{"text":"x","scale":1.0000002}`, DecodeKindRange, "scale", 20},
		{"below zero", `{"text":"x","scale":-0.0000001}`, DecodeKindRange, "scale", 20},
		{"null for text", `{"text":null}`, DecodeKindType, "text", 8},
		{"no alias known", `{"text":"x","who":"aabbccdd"}`, DecodeKindAlias, "who", 18},
		{"nine digits", `{"text":"x","who":"aabbccdd0"}`, DecodeKindLength, "who", 18},
		{"no hex digit", `{"text":"x","who":"` + strings.Repeat("0g", 32) + `"}`, DecodeKindValue, "who", 18},
		{"short fixed list", `{"text":"x","pair":[1]}`, DecodeKindLength, "pair", 19},
		{"long fixed list", `{"text":"x","pair":[1,2,3]}`, DecodeKindLength, "pair[2]", -1},
		{"item of a fixed list", `{"text":"x","pair":[1,65536]}`, DecodeKindRange, "pair[1]", -1},
		{"unit variant with payload", `{"text":"x","trees":[{"LEAF":true}]}`, DecodeKindValue, "trees[0].LEAF", -1},
		{"payload variant as name", `{"text":"x","trees":["NODE"]}`, DecodeKindValue, "trees[0]", -1},
		{"null payload", `{"text":"x","trees":[{"NODE":null}]}`, DecodeKindValue, "trees[0].NODE", -1},
		{"empty union", `{"text":"x","trees":[{}]}`, DecodeKindLength, "trees[0]", 21},
		{"enum name", `{"text":"x","role":"KING"}`, DecodeKindValue, "role", 19},
		{"enum of the same length", `{"text":"x","role":"ARCHITECH"}`, DecodeKindValue, "role", 19},
	} {
		var n note
		err := noteCodec.FromJSON([]byte(c.raw), &n, nil)
		var d *DecodeError
		if !errors.As(err, &d) || d.Kind != c.kind || d.Field != c.field || c.offset >= 0 && d.Offset != c.offset {
			t.Errorf("%s: %v, want %s of %q at %d", c.name, err, c.kind, c.field, c.offset)
		}
	}
}

func TestEqualFoldASCII(t *testing.T) {
	for _, c := range []struct {
		name, s string
		want    bool
	}{
		{"AZ", "az", true}, {"A_Z", "a_Z", true}, {"A", "B", false}, {"A", "", false}, {"@", "`", false}, {"[", "{", false},
	} {
		if equalFoldASCII(c.name, []byte(c.s)) != c.want {
			t.Errorf("%q for %q: want %v", c.s, c.name, c.want)
		}
	}
}

func TestFromJSON_DepthIsBounded(t *testing.T) {
	nested := func(n int, open, end string) string {
		return `{"text":"x","raw":{"a":` + strings.Repeat(open, n) + `1` + strings.Repeat(end, n) + `}}`
	}
	var n note
	for name, c := range map[string][2]string{"lists": {"[", "]"}, "objects": {`{"k":`, "}"}} {
		if err := noteCodec.FromJSON([]byte(nested(maxDepth-2, c[0], c[1])), &n, nil); err != nil {
			t.Errorf("%s, 64 levels: %v", name, err)
		}
		err := noteCodec.FromJSON([]byte(nested(maxDepth-1, c[0], c[1])), &n, nil)
		if !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
			t.Errorf("%s, 65 levels: %v", name, err)
		}
	}
	wide := `{"text":"x","raw":{"a":[` + strings.Repeat(`[{}],`, 200) + `1]}}` // siblings are not nested
	if err := noteCodec.FromJSON([]byte(wide), &n, nil); err != nil {
		t.Errorf("two hundred siblings: %v", err)
	}
}

func TestFromJSON_KeysOfARawObjectAreBounded(t *testing.T) {
	keys := func(n int) []byte {
		var b strings.Builder
		b.WriteString(`{"text":"x","raw":{"k":0`)
		for i := range n - 1 {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return []byte(b.String() + "}}")
	}
	var n note
	if err := noteCodec.FromJSON(keys(maxKeys), &n, nil); err != nil {
		t.Errorf("1024 keys: %v", err)
	}
	if err := noteCodec.FromJSON(keys(maxKeys+1), &n, nil); !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
		t.Errorf("1025 keys: %v", err)
	}
}

// Text is refused as no JSON exactly when the standard library says so, wherever it stands.
func TestFromJSON_SyntaxEqualsStandardLibrary(t *testing.T) {
	values := []string{
		"0", "-0", "01", "-01", "00", "1.", ".5", "1.5", "1e", "1e+", "1e+5", "1E-5", "+1", "-", "1.5e3.", "1-", "1e5e", "--1", "1-5", "1+5", "1.5.5", "0x1", "1.e1", "0.0e0",
		"null", "nul", "nullx", "true", "tru", "false", "falsey", "", "1 2", "1,", `"a"`, `"a`, `"a\`, `"\u00g0"`, `"\u00e"`, `"\x"`, "\"\x01\"", "\"\x1f\"", "\"\x20\"", "\"\x7f\"",
		"[]", "[1]", "[1,]", "[,1]", "[1 2]", "[", "]", "[1", "{}", "{", "}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{,}`, `[1}`, `{"a":1]`,
	}
	for _, v := range values {
		for _, form := range []string{`{"text":%s}`, `{"raw":{"k":%s},"text":""}`, `{"raw":%s,"text":""}`, `{"pairs":{"k":%s},"text":""}`, `{"extra":%s,"text":""}`, `{"trees":[%s],"text":""}`, `%s`} {
			raw := fmt.Sprintf(form, v)
			var n note
			err := noteCodec.FromJSON([]byte(raw), &n, nil)
			if syntax := errors.Is(err, &DecodeError{Kind: DecodeKindSyntax}); syntax == json.Valid([]byte(raw)) {
				t.Errorf("%s: %v, json.Valid says %v", raw, err, !syntax)
			}
			// Without the help of json.Valid the reader must still refuse it.
			if end, err := noteFromPrefix([]byte(raw), &n); err == nil && end == len(raw) && !json.Valid([]byte(raw)) {
				t.Errorf("%s is read as JSON", raw)
			}
		}
	}
}

// noteFromPrefix reads a note at the beginning of a text, and returns where it ends.
func noteFromPrefix(raw []byte, n *note) (end int, err error) {
	return readJSONPrefix(noteCodec.plan.root, raw, reflect.ValueOf(n).Elem(), nil)
}

func TestReadJSONPrefix_ReturnsEndOfValue(t *testing.T) {
	var n note
	for raw, want := range map[string]int{`{"text":"x"}`: 12, "\n {\"text\":\"x\"}": 14, `{"text":"x"} {`: 13, "{\"text\":\"x\"}\n\nbye": 14} {
		if end, err := noteFromPrefix([]byte(raw), &n); err != nil || end != want || n.Text != "x" {
			t.Errorf("%q ends at %d, %v; want %d", raw, end, err, want)
		}
	}
	for _, cut := range []string{`{"text":"x`, `{"text":"x","extra":1`, `{"text":"x","raw":{"a":-1.5e3`, `{"text":"x","raw":null`, `{"text":"x","raw":{"a":true`, `{"text":"x","raw":{"k":"\\`} {
		_, err := noteFromPrefix([]byte(cut), &n)
		var d *DecodeError
		if !errors.As(err, &d) || d.Kind != DecodeKindSyntax || d.Offset != len(cut) {
			t.Errorf("%s: %v, want a syntax error at the end", cut, err)
		}
	}
	for bad, want := range map[string]int{"{\"text\":\"a\x01b\"}": 10, `{"text":"x","raw":nul}`: 18, `{"text":"x","raw":{"a":nul`: 23} {
		_, err := noteFromPrefix([]byte(bad), &n)
		var d *DecodeError
		if !errors.As(err, &d) || d.Offset != want {
			t.Errorf("%q: %v, want an error at byte %d", bad, err, want)
		}
	}
}

func TestShape_HoldsBoundsAndDefaults(t *testing.T) {
	s := noteCodec.Shape()
	if got := s.Field("trees").Max; got != 2 {
		t.Errorf("max of trees is %d", got)
	}
	if s.Field("text").Max != 0 || s.Field("nothing") != nil || s.Field("Own") != nil {
		t.Error("a field without a bound has one, or an absent one a shape")
	}
	for _, f := range s.Fields {
		if want := f.Name == "text"; f.Required != want {
			t.Errorf("%s: required %v", f.Name, f.Required)
		}
		if want := f.Name == "who" || f.Name == "pair"; f.Nullable != want {
			t.Errorf("%s: nullable %v", f.Name, f.Nullable)
		}
	}
	if r := s.Field("raw"); r.Kind != ShapeRaw || s.Field("pairs").Kind != ShapeTextMap || s.Field("who").Kind != ShapeAgent {
		t.Error("a field has another kind of shape")
	}
}

func TestCodec_JSONRoundTripOfRandomNotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := note{
			Text: rapid.String().Draw(t, "text"), Word: rapid.String().Draw(t, "word"), Raw: RawJSON(`{"a":[null]}`),
			Scale: float32(rapid.IntRange(0, 8).Draw(t, "eighths")) / 8, Role: testRole(rapid.IntRange(1, 2).Draw(t, "role")),
			Extra: rapid.Byte().Draw(t, "extra"), Trees: []tree{deepTree(rapid.IntRange(0, 5).Draw(t, "depth"))},
		}
		if rapid.Bool().Draw(t, "who") {
			v.Who, v.Pair = &person{1}, &[2]uint16{3, 4}
		}
		if key := rapid.String().Draw(t, "key"); key != "" {
			v.Pairs = TextMap{{key, rapid.String().Draw(t, "value")}}
		}
		want := noteCodec.Append(nil, &v)
		var back note
		raw := noteCodec.AppendJSON(nil, &v)
		if !json.Valid(raw) {
			t.Fatalf("%s is no JSON", raw)
		}
		if err := noteCodec.FromJSON(raw, &back, nil); err != nil || string(noteCodec.Append(nil, &back)) != string(want) {
			t.Fatalf("%s: %+v, %v", raw, back, err)
		}
		if err := noteCodec.DecodeCanonical(want, &back); err != nil || string(noteCodec.AppendJSON(nil, &back)) != string(raw) {
			t.Fatalf("%x: %+v, %v", want, back, err)
		}
	})
}

// Unknown keys are skipped and counted; everything else that FromJSON refuses is refused.
func TestFromLooseJSON_SkipsUnknownKeys(t *testing.T) {
	for raw, want := range map[string]int{
		`{"text":"x"}`: 0, `{"mood":[{"a":1}],"text":"x"} rest`: 1, `{"text":"x","own":null,"other":7}`: 2,
	} {
		var n note
		if _, ignored, err := noteCodec.FromLooseJSON([]byte(raw), &n, nil); err != nil || ignored != want || n.Text != "x" {
			t.Errorf("%s: %d keys passed over, want %d; %+v, %v", raw, ignored, want, n, err)
		}
	}
	for raw, kind := range map[string]DecodeKind{
		`{"mood":1}`:                  DecodeKindMissingField,
		`{"text":"x","text":"x"}`:     DecodeKindDuplicateField,
		`{"text":"x","mood":{]}`:      DecodeKindSyntax,
		`{"text":"x","mood":[1,2}}`:   DecodeKindSyntax,
		`{"text":1,"mood":1,"text":2`: DecodeKindType,
	} {
		var n note
		var d *DecodeError
		if _, _, err := noteCodec.FromLooseJSON([]byte(raw), &n, nil); !errors.As(err, &d) || d.Kind != kind {
			t.Errorf("%s: %v, want %v", raw, err, kind)
		}
	}
}

package fakellm

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plain is a request as encoding/json reads it.
type plain struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens           uint64          `json:"max_tokens"`
	MaxCompletionTokens uint64          `json:"max_completion_tokens"`
	Format              json.RawMessage `json:"response_format"`
	Other               any             `json:"other,omitempty"`
}

func TestRead_EqualsEncodingJSON(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.SampledFrom([]rune("\"\\/\n\u2028<{}[],:é🜂")), 0, 12, -1))
	var before *Request
	rapid.Check(t, func(rt *rapid.T) {
		p := plain{Model: text.Draw(rt, "model"), MaxTokens: rapid.Uint64().Draw(rt, "max"), Other: map[string]any{text.Draw(rt, "key"): []any{1.5, nil, text.Draw(rt, "value")}}}
		for range rapid.IntRange(1, 3).Draw(rt, "messages") {
			p.Messages = append(p.Messages, struct {
				Role    string `json:"role"`
				Content string `json:"content"`
			}{text.Draw(rt, "role"), text.Draw(rt, "content")})
		}
		p.Format, _ = json.Marshal(map[string]any{"json_schema": map[string]any{"strict": rapid.Bool().Draw(rt, "strict"), "schema": text.Draw(rt, "schema")}})
		raw, err := json.Marshal(&p)
		if err != nil {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "spaced") {
			if raw, err = json.MarshalIndent(&p, " ", "\t"); err != nil {
				rt.Fatal(err)
			}
		}
		var want plain
		if err := json.Unmarshal(raw, &want); err != nil {
			rt.Fatal(err)
		}
		got, err := read(raw, before)
		if err != nil {
			rt.Fatalf("%s: %v", raw, err)
		}
		if rapid.Bool().Draw(rt, "remembered") {
			before = &got
		}
		same := slices.EqualFunc(got.Messages, want.Messages, func(a Told, b struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		},
		) bool {
			return a.Role == b.Role && a.Content == b.Content
		})
		if !same || got.Model != want.Model || got.MaxTokens != want.MaxTokens || string(got.Format) != string(want.Format) {
			rt.Fatalf("%s: read %+v", raw, got)
		}
		var f struct {
			Schema struct{ Strict bool } `json:"json_schema"`
		}
		if err := json.Unmarshal(want.Format, &f); err != nil || got.strict != f.Schema.Strict {
			rt.Fatalf("%s: strict %t, want %t", want.Format, got.strict, f.Schema.Strict)
		}
	})
}

func TestRead_Refuses(t *testing.T) {
	for _, raw := range []string{
		"", "{", "[]", "{}", `{"messages":[]}`, `{"messages":[{"role":"user","content":"a`, `{"messages":[{"role":"user","content":7}]}`,
		`{"messages":[{"content":"\u12"}]}`, `{"messages":[{"content":"\x"}]}`, `{"messages":[{"content":"a"}]}}`, `{"messages":[{"content":"a"}],"max_tokens":-1}`,
		`{"messages":[{"content":"a"}],"model":}`, `{"messages":[{"content":"a"} {"content":"b"}]}`,
	} {
		if r, err := read([]byte(raw), nil); err == nil {
			t.Errorf("%s was read as %+v", raw, r)
		}
	}
}

func TestOffersOf_ParsesAffordances(t *testing.T) {
	got := offersOf("## STATE\n1. no {}\n## AFFORDANCES\nintro\n1. msg_post {\"a\":\"} \\\"\",\"b\":[1]} serves goal 1\n2. nop\n" +
		"3. sync {\"a\":} broken\nx. nop\n4. entry_get {\"id\":\"e1\"}\n12. Nop\n. nop")
	var lines []string
	for _, o := range got {
		lines = append(lines, o.name+" "+string(o.params))
	}
	if want := "msg_post {\"a\":\"} \\\"\",\"b\":[1]}\nnop {}\nentry_get {\"id\":\"e1\"}"; strings.Join(lines, "\n") != want {
		t.Errorf("offers\n%s\nwant\n%s", strings.Join(lines, "\n"), want)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"model":"m","messages":[{"role":"user","content":"a\ud83d\udf02\n"}],"response_format":{"json_schema":{"strict":true}}}`,
		`{"messages":[{"role":"system","content":"rules"},{"role":"user","content":"## AFFORDANCES\n1. nop {}\n2. entry_get {\"entry_id\":\"e1\"}"}],"max_tokens":64,"stream":false}`,
		`{"messages":[{"content":""}],"seed":7,"temperature":0.5,"stop":["a","b"],"extra":{"a":[null,true]}}`,
	} {
		if _, err := read([]byte(text), nil); err != nil {
			f.Fatalf("%s: %v", text, err)
		}
		f.Add([]byte(text))
	}
	for _, text := range []string{"", `{"messages":[]}`, `{"messages":[{"role":"user","content":"a`, `{"messages":[{"content":"a"}]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := read(raw, nil)
		if err != nil {
			return
		}
		new(Server).Answer(&r)
		if again, err := read(raw, &r); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("read again as %+v, %v; want %+v", again, err, r)
		}
	})
}

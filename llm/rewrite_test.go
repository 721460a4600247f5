package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// shout is a rewriter that writes each id in brackets: agents in <>, others in ().
func shout(in string, brief bool) *rewriter {
	return &rewriter{in: []byte(in), omitDefaults: brief, replace: func(dst, said []byte, agent bool) ([]byte, bool, error) {
		text := string(said)
		switch {
		case text == "stay":
			return append(dst, "thrown away"...), false, nil
		case text == "bad":
			return dst, false, &handleError{text: text, hint: "none"}
		case agent:
			return append(append(append(dst, '<'), text...), '>'), true, nil
		}
		return append(append(append(dst, '('), text...), ')'), true, nil
	}}
}

// shapesOf is a row with one parameter of each form that can hold an id.
func shapesOf() *action.Row {
	id, agent, text := &codec.Shape{Kind: codec.ShapeHash, Len: len(wire.Hash{})}, &codec.Shape{Kind: codec.ShapeAgent}, &codec.Shape{Kind: codec.ShapeText}
	pair := &codec.Shape{Kind: codec.ShapeTuple, Fields: []codec.FieldShape{{Shape: agent}, {Shape: text}}}
	inner := &codec.Shape{Kind: codec.ShapeStruct, Fields: []codec.FieldShape{{Name: "who", Shape: agent}, {Name: "note", Shape: text}}}
	return &action.Row{Params: []action.Param{
		{Name: "id", Shape: id},
		{Name: "who", Shape: agent},
		{Name: "text", Shape: text},
		{Name: "short", Shape: &codec.Shape{Kind: codec.ShapeHash, Len: 8}},
		{Name: "ids", Shape: &codec.Shape{Kind: codec.ShapeList, Elem: id}},
		{Name: "pairs", Shape: &codec.Shape{Kind: codec.ShapeList, Elem: pair}},
		{Name: "inner", Shape: inner},
		{Name: "either", Shape: &codec.Shape{Kind: codec.ShapeUnion, Fields: []codec.FieldShape{{Name: "INNER", Shape: inner}, {Name: "ID", Shape: id}}}},
	}}
}

func TestRewriter_Params(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"an id", `{"id":"e7"}`, `{"id":"(e7)"}`},
		{"an agent", `{"who":"a1"}`, `{"who":"<a1>"}`},
		{"white space goes", " {\n\t\"id\" : \"e7\" ,\r\n \"who\" : \"a\" } ", `{"id":"(e7)","who":"<a>"}`},
		{"text is nobody's id", `{"text":"e7","id":"e8"}`, `{"text":"e7","id":"(e8)"}`},
		{"an id of another length", `{"short":"e7"}`, `{"short":"e7"}`},
		{"a string that stays", `{"id":"stay"}`, `{"id":"stay"}`},
		{"escapes are undone for the question", `{"id":"e\u0037","who":"\"x\""}`, `{"id":"(e7)","who":"<"x">"}`},
		{"escapes that stay", `{"text":"a \"quote\", } ] and \\"}`, `{"text":"a \"quote\", } ] and \\"}`},
		{"lists", `{"ids":["e1", "e2" ,"stay"]}`, `{"ids":["(e1)","(e2)","stay"]}`},
		{"an empty list", `{"ids":[]}`, `{"ids":[]}`},
		{"pairs in lists", `{"pairs":[["a","e1"],["b","e2","more"]]}`, `{"pairs":[["<a>","e1"],["<b>","e2","more"]]}`},
		{"objects in objects", `{"inner":{"who":"a","note":"e1","odd":"e2"}}`, `{"inner":{"who":"<a>","note":"e1","odd":"e2"}}`},
		{"unions", `{"either":{"INNER":{"who":"a"}}}`, `{"either":{"INNER":{"who":"<a>"}}}`},
		{"other forms than wanted stay", `{"id":["e1"],"ids":"e1","who":7,"inner":null}`, `{"id":["e1"],"ids":"e1","who":7,"inner":null}`},
		{"unknown keys stay whole", `{"odd":{"id":["e1",{"who":"a"}]},"id":"e1"}`, `{"odd":{"id":["e1",{"who":"a"}]},"id":"(e1)"}`},
		{"order and doubles stay", `{"who":"a","id":"e1","id":"e2"}`, `{"who":"<a>","id":"(e1)","id":"(e2)"}`},
		{"an empty object", `{ }`, `{}`},
		{"no object", `["e1"]`, ``},
	} {
		w := shout(c.in, false)
		if err := w.params(shapesOf()); err != nil || string(w.out) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, w.out, err, c.want)
		}
		if changed := strings.ContainsAny(c.want, "(<"); w.changed != changed {
			t.Errorf("%s: changed is %t", c.name, w.changed)
		}
	}
}

func TestRewriter_WithoutNulls(t *testing.T) {
	w := shout(`{"id":null,"inner":{"who":null},"text":"null","ids":null}`, true)
	if err := w.params(shapesOf()); err != nil || string(w.out) != `{"inner":{"who":null},"text":"null"}` {
		t.Errorf("%s, %v; only params that are null are left out", w.out, err)
	}
}

// least writes the shortest JSON of a form.
func least(s *codec.Shape) string {
	switch s.Kind {
	case codec.ShapeBool:
		return "false"
	case codec.ShapeUint, codec.ShapeInt, codec.ShapeFloat:
		return "1"
	case codec.ShapeHash, codec.ShapeAgent:
		return `"` + strings.Repeat("00", max(s.Len, len(wire.AgentID{}))) + `"`
	case codec.ShapeEnum:
		return `"` + s.Names[0] + `"`
	case codec.ShapeList, codec.ShapeTuple:
		return "[]"
	case codec.ShapeUnion:
		if s.Fields[0].Shape == nil {
			return `"` + s.Fields[0].Name + `"`
		}
		return `{"` + s.Fields[0].Name + `":` + least(s.Fields[0].Shape) + "}"
	case codec.ShapeText, codec.ShapeBytes, codec.ShapeObject, codec.ShapeBlocks:
		return `"t"`
	default:
		var fields []string
		for _, f := range s.Fields {
			if f.Required {
				fields = append(fields, `"`+f.Name+`":`+least(f.Shape))
			}
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
}

// Params that a prompt shortens parse to the same payload as the full ones.
func TestShort_ParamsParseToTheSamePayload(t *testing.T) {
	left := 0
	for _, row := range action.ForMinds() {
		var fields []string
		for i := range row.Params {
			if p := &row.Params[i]; p.Required {
				fields = append(fields, `"`+p.Name+`":`+least(p.Shape))
			}
		}
		if row.Name == "repo_create" || row.Name == "snap_create" { // files or a root
			fields = append(fields, `"files":{"main.star":"t"}`)
		}
		payload, err := row.FromJSON([]byte("{"+strings.Join(fields, ",")+"}"), nil)
		if err != nil {
			t.Fatalf("%s: %v of %v", row.Name, err, fields)
		}
		if payload == nil {
			continue
		}
		whole := row.AppendJSON(nil, payload)
		var h Handles
		brief := appendShortParams(nil, row, payload, &h, func(id wire.Hash) Ref { return h.Ref(RefOther, id) })
		long, err := expandHandles(brief, row, nil, func() *Handles { return &h }, false)
		if err != nil {
			t.Fatalf("%s: %v of %s", row.Name, err, brief)
		}
		again, err := row.FromJSON(long, nil)
		if err != nil || string(row.AppendJSON(nil, again)) != string(whole) {
			t.Errorf("%s: %s is read as %+v, %v; it stands for %s", row.Name, brief, again, err, whole)
		}
		left += len(whole) - len(brief)
	}
	if left < 500 {
		t.Errorf("only %d bytes were left out", left)
	}
}

// The body of an entry is shortened to its text if it is one plain paragraph, and is read as the same body.
func TestShort_BodyOfOneParagraph(t *testing.T) {
	for body, brief := range map[string]string{
		`[{"PARAGRAPH":{"text":"One."}}]`:                               `"One."`,
		`[{"PARAGRAPH":{"text":"One \"two\"."}}]`:                       `[{"PARAGRAPH":{"text":"One \"two\"."}}]`,
		`[{"PARAGRAPH":{"text":"One."}},{"PARAGRAPH":{"text":"Two."}}]`: `[{"PARAGRAPH":{"text":"One."}},{"PARAGRAPH":{"text":"Two."}}]`,
		`[{"PARAGRAPH":{"text":"One\"}}]two."}}]`:                       `[{"PARAGRAPH":{"text":"One\"}}]two."}}]`,
		`[{"CODE":{"language":"x","source":"s"}}]`:                      `[{"CODE":{"language":"x","source":"s"}}]`,
	} {
		for name, params := range map[string]string{
			"entry_publish": `{"entry":{"kind":"FAQ","title":"T","body":%s,"tags":["a"]}}`, "entry_update": `{"entry_id":"` + strings.Repeat("ab", 32) + `","new_body":%s}`,
		} {
			row, _ := action.ByName(name)
			payload, err := row.FromJSON([]byte(fmt.Sprintf(params, body)), nil)
			if err != nil {
				t.Fatal(err)
			}
			var h Handles
			short := appendShortParams(nil, row, payload, &h, func(id wire.Hash) Ref { return h.Ref(RefOther, id) })
			if !strings.Contains(string(short), `body":`+brief) || strings.Contains(string(short), "references") {
				t.Errorf("%s %s is written as %s", name, body, short)
			}
			long, err := expandHandles(short, row, nil, func() *Handles { return &h }, false)
			if err != nil {
				t.Fatal(err)
			}
			again, err := row.FromJSON(long, nil)
			if err != nil || string(row.AppendJSON(nil, again)) != string(row.AppendJSON(nil, payload)) {
				t.Errorf("%s is read as %s, %v", short, row.AppendJSON(nil, again), err)
			}
		}
	}
}

// An agent has its alias where an id is wanted, whether the prompt names it elsewhere or not; other things get a handle.
func TestShort_AgentsHaveTheirAlias(t *testing.T) {
	row, _ := action.ByName("entry_query")
	payload, err := row.FromJSON([]byte(`{"authors":["`+strings.Repeat("ab", 32)+`"],"about":"x"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var h Handles
	short := string(appendShortParams(nil, row, payload, &h, func(id wire.Hash) Ref { return h.Ref(RefOther, id) }))
	if !strings.Contains(short, `"authors":["abababab"]`) {
		t.Errorf("got %s", short)
	}
	if long, err := expandHandles([]byte(short), row, nil, func() *Handles { return &h }, false); err != nil || !strings.Contains(string(long), strings.Repeat("ab", 32)) {
		t.Errorf("%s is read as %s, %v", short, long, err)
	}
}

// A param that has its default value is left out; a value that is the default of no param stays.
func TestRewriter_WithoutDefaults(t *testing.T) {
	sort := &codec.Shape{Kind: codec.ShapeEnum, Names: []string{"FIRST", "SECOND"}}
	row := &action.Row{Params: []action.Param{
		{Name: "sort", Shape: sort, Zero: true}, {Name: "kind", Shape: sort}, {Name: "n", Shape: &codec.Shape{Kind: codec.ShapeUint}, Zero: true}, {Name: "m", Shape: &codec.Shape{Kind: codec.ShapeUint}},
	}}
	for in, want := range map[string]string{
		`{"sort":"FIRST","kind":"FIRST"}`:   `{"kind":"FIRST"}`,
		`{"sort":"SECOND","kind":"SECOND"}`: `{"sort":"SECOND","kind":"SECOND"}`,
		`{"n":0,"m":0}`:                     `{"m":0}`,
		`{"n":1,"m":null}`:                  `{"n":1}`,
		`{"odd":0,"other":"FIRST"}`:         `{"odd":0,"other":"FIRST"}`,
	} {
		w := shout(in, true)
		if err := w.params(row); err != nil || string(w.out) != want {
			t.Errorf("%s becomes %s, %v; want %s", in, w.out, err, want)
		}
	}
}

// An error names the path to the string that it is about.
func TestRewriter_ErrorNamesPath(t *testing.T) {
	for in, path := range map[string]string{
		`{"id":"bad"}`:                         "id",
		`{"ids":["e1","bad"]}`:                 "ids[1]",
		`{"pairs":[["a","x"],["bad","x"]]}`:    "pairs[1][0]",
		`{"either":{"INNER":{"who":"bad"}}}`:   "either.INNER.who",
		`{"text":"bad","inner":{"who":"bad"}}`: "inner.who",
	} {
		want := path + `: there is no "bad" here; none`
		if err := shout(in, false).params(shapesOf()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// Where nothing is replaced, any JSON object comes out as it went in, without white space.
func TestRewriter_CopiesAnyJSON(t *testing.T) {
	names := []string{"id", "who", "text", "ids", "pairs", "inner", "either", "odd", `q"uote`, "ü"}
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaves := []*rapid.Generator[any]{
			rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.String().AsAny(), rapid.StringMatching(`[\\"{}\[\],: e1]*`).AsAny(),
		}
		if depth == 0 {
			return rapid.OneOf(leaves...)
		}
		return rapid.OneOf(append(leaves,
			rapid.SliceOfN(value(depth-1), 0, 4).AsAny(), rapid.MapOfN(rapid.SampledFrom(names), value(depth-1), 0, 4).AsAny())...)
	}
	rapid.Check(t, func(t *rapid.T) {
		in, err := json.MarshalIndent(rapid.MapOfN(rapid.SampledFrom(names), value(3), 0, 6).Draw(t, "params"), " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		w := rewriter{in: in, replace: func(dst, _ []byte, _ bool) ([]byte, bool, error) { return dst, false, nil }}
		if err := w.params(shapesOf()); err != nil || w.changed {
			t.Fatalf("changed %t, %v", w.changed, err)
		}
		var want, got any
		if json.Unmarshal(in, &want) != nil || json.Unmarshal(w.out, &got) != nil {
			t.Fatalf("%s is no JSON", w.out)
		}
		a, _ := json.Marshal(want)
		b, _ := json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("%s became %s", a, b)
		}
	})
}

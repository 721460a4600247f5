package llm

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

const entryID = "2581660d31bbe31b165bdda939e15b422da7d8731fd97d336dac487184c20588"

func TestParse_Accepts(t *testing.T) {
	get := `{"action":"entry_get","params":{"entry_id":"` + entryID + `"}}`
	for name, text := range map[string]string{
		"plain":          get,
		"fenced":         "```json\n" + get + "\n```",
		"prose around":   "Sure, here is my answer:\n" + get + "\nHope that helps.",
		"any key order":  `{"params":{"entry_id":"` + entryID + `"},"reasoning":"r","action":"entry_get"}`,
		"null update":    `{"action":"entry_get","params":{"entry_id":"` + entryID + `"},"memory_update":null}`,
		"escaped action": `{"action":"entry\u005fget","params":{"entry_id":"` + entryID + `"}}`,
	} {
		a, err := Parse([]byte(text), rows(t, "entry_get", "msg_post"), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, ok := a.Payload.(*wire.EntryGet)
		if !ok || a.Action.Name != "entry_get" || p.EntryID.String() != entryID {
			t.Errorf("%s: parsed as %+v", name, a)
		}
	}
}

func TestParse_NOP(t *testing.T) {
	for _, text := range []string{`{"action":"nop"}`, `{"action":"nop","params":{}}`, `{"action":"nop","params":null}`} {
		if a, err := Parse([]byte(text), nil, nil); err != nil || a.Action != nil || a.Payload != nil {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

func TestParse_Refuses(t *testing.T) {
	for _, c := range []struct{ name, text, reason string }{
		{"empty", "", "no JSON object"},
		{"prose only", "I will think about it.", "no JSON object"},
		{"cut off", `{"action":"nop"`, "ends where"},
		{"cut off in a string", `{"action":"no`, "answer ends"},
		{"two objects", `{"action":"nop"} {"action":"nop"}`, "second object"},
		{"object in the prose after", `{"action":"nop"} as in {x}`, "second object"},
		{"double key", `{"action":"nop","action":"nop"}`, `"action" appears twice`},
		{"double key by escape", `{"action":"nop","\u0061ction":"nop"}`, `"action" appears twice`},
		{"double key inside", `{"action":"entry_get","params":{"entry_id":"` + entryID + `","entry_id":"` + entryID + `"}}`, "twice"},
		{"double note", `{"action":"nop","memory_update":{"note":{"set":{"k":"1","k":"2"}}}}`, "twice"},
		{"no action", `{"params":{}}`, "required key is missing"},
		{"action no string", `{"action":7}`, "must be text"},
		{"unknown action", `{"action":"conquer","params":{}}`, `unknown action "conquer"`},
		{"action not allowed", `{"action":"entry_verify","params":{}}`, "not available"},
		{"unknown parameter", `{"action":"entry_get","params":{"entry_id":"` + entryID + `","speed":1}}`, "speed"},
		{"missing parameter", `{"action":"entry_get","params":{}}`, "entry_id"},
		{"bad id", `{"action":"entry_get","params":{"entry_id":"12"}}`, "entry_id"},
		{"params a list", `{"action":"entry_get","params":[]}`, "must be an object"},
		{"nop with params", `{"action":"nop","params":{"x":1}}`, "takes no parameters"},
		{"trailing comma", `{"action":"nop",}`, "at byte 16: found something that is no JSON"},
		{"leading zero", `{"action":"nop","memory_update":{"goals":[{"layer":"TASK","text":"t","deadline":07}]}}`, "no JSON value"},
		{"control character", "{\"action\":\"n\x01op\"}", "at byte 12, action: found something that is no JSON"},
		{"not UTF-8", "{\"action\":\"n\xffop\"}", "want UTF-8 text"},
		{"too deep", `{"action":"nop","params":` + strings.Repeat("[", 40), "must be an object"},
		{"deep notes", `{"action":"nop","memory_update":{"note":{"set":{"k":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}}}}`, "64 levels"},
		{"confidence out of range", `{"action":"nop","memory_update":{"beliefs":[{"claim":"c","confidence":1.5}]}}`, "from 0 to 1"},
		{"belief without claim", `{"action":"nop","memory_update":{"beliefs":[{"confidence":0.5}]}}`, "beliefs[0].claim: required key is missing"},
		{"goal layer", `{"action":"nop","memory_update":{"goals":[{"layer":"ASPIRATION","text":"rule"}]}}`, "want one of TASK, OBJECTIVE"},
		{"goal deadline", `{"action":"nop","memory_update":{"goals":[{"layer":"TASK","text":"t","deadline":-1}]}}`, "want an integer from 0"},
		{"plan with unknown action", `{"action":"nop","memory_update":{"plan":[{"action":"conquer"}]}}`, `unknown action "conquer"`},
		{"params under another key", `{"action":"entry_get","parameters":{"entry_id":"` + entryID + `"}}`, "entry_id"},
		{"double key in what is ignored", `{"action":"nop","mood":{"a":1,"a":2}}`, "twice"},
	} {
		_, err := Parse([]byte(c.text), rows(t, "entry_get", "msg_post"), nil)
		var pe *ParseError
		if !errors.As(err, &pe) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: error %v, want one about %q", c.name, err, c.reason)
		}
	}
}

func TestParse_MemoryUpdate(t *testing.T) {
	text := `{"action":"nop","memory_update":{
		"note":{"set":{"k":"v","n":12},"drop":["old"]},
		"beliefs":[{"claim":"c","confidence":0.7}],
		"knowledge":[{"label":"l","content":"x","relates_to":[{"to":"m","relation":"r","weight":0.25}]}],
		"goals":[{"layer":"OBJECTIVE","text":"g","deadline":99}],
		"plan":[{"action":"entry_get","params":{"entry_id":"$last.object_id"}}],
		"lesson":"l"}}`
	a, err := Parse([]byte(text), rows(t, "entry_get"), nil)
	if err != nil {
		t.Fatal(err)
	}
	deadline := wire.Tick(99)
	want := MemoryUpdate{
		Note:      NoteUpdate{Set: codec.TextMap{{Key: "k", Value: "v"}, {Key: "n", Value: "12"}}, Drop: []string{"old"}},
		Beliefs:   []Belief{{"c", 734003.0 / (1 << 20)}}, // 0.7 quantised
		Knowledge: []Knowledge{{Label: "l", Content: "x", RelatesTo: []Relation{{"m", "r", 0.25}}}},
		Goals:     []OwnGoal{{Layer: GoalObjective, Text: "g", Deadline: &deadline}},
		Lesson:    "l",
	}
	plan := a.Memory.Plan
	a.Memory.Plan = nil
	if d := cmp.Diff(want, a.Memory); d != "" {
		t.Error(d)
	}
	if len(plan) != 1 || plan[0].Action.Name != "entry_get" || string(plan[0].Params) != `{"entry_id":"$last.object_id"}` {
		t.Errorf("plan %+v", plan)
	}
}

func TestParse_DropsItemsBeyondBounds(t *testing.T) {
	many := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, c := range map[string]struct {
		update  string
		dropped int
		kept    func(*MemoryUpdate) int
		want    int
	}{
		"beliefs":   {`{"beliefs":[` + many(`{"claim":"c"}`, 10) + `]}`, 2, func(m *MemoryUpdate) int { return len(m.Beliefs) }, 8},
		"knowledge": {`{"knowledge":[` + many(`{"label":"c"}`, 9) + `]}`, 1, func(m *MemoryUpdate) int { return len(m.Knowledge) }, 8},
		"goals":     {`{"goals":[` + many(`{"layer":"TASK","text":"g"}`, 7) + `]}`, 3, func(m *MemoryUpdate) int { return len(m.Goals) }, 4},
		"plan":      {`{"plan":[` + many(`{"action":"entry_get"}`, 17) + `]}`, 1, func(m *MemoryUpdate) int { return len(m.Plan) }, 16},
		"note":      {`{"note":{"set":{"a":"` + strings.Repeat("x", 4097) + `","b":"` + strings.Repeat("x", 4096) + `"}}}`, 1, func(m *MemoryUpdate) int { return len(m.Note.Set) }, 1},
		"lesson":    {`{"lesson":"` + strings.Repeat("ä", 600) + `"}`, 1, func(m *MemoryUpdate) int { return len(m.Lesson) }, 1024},
	} {
		a, err := Parse([]byte(`{"action":"nop","memory_update":`+c.update+`}`), rows(t, "entry_get"), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a.Memory.Dropped != c.dropped || c.kept(&a.Memory) != c.want {
			t.Errorf("%s: dropped %d, kept %d; want %d, %d", name, a.Memory.Dropped, c.kept(&a.Memory), c.dropped, c.want)
		}
	}
}

func TestParseError_Texts(t *testing.T) {
	for want, e := range map[string]*ParseError{
		"parse answer at byte 0: answer holds no JSON object":          {Reason: "answer holds no JSON object"},
		"parse answer at byte 17, params.text: must be a string":       {Offset: 17, Path: "params.text", Reason: "must be a string"},
		"parse answer at byte 3: " + strings.Repeat("long words ", 30): {Offset: 3, Reason: strings.Repeat("long words ", 30)},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v says %q, want %q", *e, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"action":"nop"}`,
		"```json\n{\"action\":\"entry_get\",\"params\":{\"entry_id\":\"" + entryID + "\"}}\n```",
		`{"action":"nop","memory_update":{"note":{"set":{"k":"\ud83d\ude00"}},"lesson":"\u00e4"}}`,
		`{"action":"msg_post","params":{"channel":"` + entryID + `","kind":"question","content":{"text":"a"},"references":[],"confidence":1e-2}}`,
	} {
		f.Add([]byte(s))
	}
	all := rows(f, "entry_get", "msg_post", "entry_publish")
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := Parse(text, all, nil)
		if err != nil {
			if a.Action != nil || a.Payload != nil {
				t.Errorf("a refused answer came with an action")
			}
			return
		}
		if (a.Action == nil) != (a.Payload == nil) {
			t.Errorf("action %v with payload %v", a.Action, a.Payload)
		}
		// what was accepted can be written and is accepted again
		if a.Action != nil {
			again := append([]byte(`{"action":"`+a.Action.Name+`","params":`), a.Action.AppendJSON(nil, a.Payload)...)
			b, err := Parse(append(again, '}'), all, nil)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if d := cmp.Diff(a.Payload, b.Payload); d != "" {
				t.Error(d)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := []byte(`{"action":"entry_get","params":{"entry_id":"` + entryID + `"},"reasoning":"read it"}`)
	all := rows(b, "entry_get")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text, all, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// All forms in which servers make models answer give the same answer.
func TestParse_FormsAgree(t *testing.T) {
	const id = "9f00000000000000000000000000000000000000000000000000000000000000"
	rows := rows(t, "bounty_claim", "nop")
	want, err := Parse([]byte(`{"action":"bounty_claim","params":{"bounty_id":"`+id+`"},"reasoning":"r","memory_update":{"note":{"set":{"a":"1","b":"2"},"drop":["c"]},"plan":[{"action":"bounty_claim","params":{"bounty_id":"$bounty"}}]}}`), rows, nil)
	if err != nil || want.Action == nil {
		t.Fatal(want, err)
	}
	for name, text := range map[string]string{
		"act":       `{"reasoning":"r","act":{"bounty_claim":{"bounty_id":"` + id + `"}},"memory_update":{"note":{"set":[{"key":"a","value":"1"},{"key":"b","value":"2"}],"drop":["c"]},"beliefs":[],"knowledge":[],"goals":[],"plan":[{"action":"bounty_claim","params":"{\"bounty_id\":\"$bounty\"}"}],"lesson":null}}`,
		"text":      `{"action":"bounty_claim","params":"{\"bounty_id\":\"` + id + `\"}","reasoning":"r","memory_update":{"note":{"set":{"a":"1","b":"2"},"drop":["c"]},"plan":[{"action":"bounty_claim","params":{"bounty_id":"$bounty"}}]}}`,
		"fenced":    "```json\n" + `{"act":{"bounty_claim":{"bounty_id":"` + id + `"}},"reasoning":"r","memory_update":{"note":{"set":[{"key":"a","value":"1"},{"key":"b","value":"2"}],"drop":["c"]},"plan":[{"action":"bounty_claim","params":{"bounty_id":"$bounty"}}]}}` + "\n```",
		"null keys": `{"act":{"bounty_claim":{"bounty_id":"` + id + `"}},"reasoning":"r","memory_update":{"note":{"set":[{"key":"a","value":"1"},{"key":"b","value":"2"}],"drop":["c"]},"beliefs":null,"plan":[{"action":"bounty_claim","params":{"bounty_id":"$bounty"}}]}}`,
	} {
		got, err := Parse([]byte(text), rows, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Memory.Beliefs) == 0 {
			got.Memory.Beliefs, got.Memory.Knowledge, got.Memory.Goals = want.Memory.Beliefs, want.Memory.Knowledge, want.Memory.Goals
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *action.Row) bool { return a == b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParse_ActForm(t *testing.T) {
	const id = "9f00000000000000000000000000000000000000000000000000000000000000"
	rows := rows(t, "bounty_claim", "nop")
	for _, act := range []string{`{ "bounty_claim" : {"bounty_id":"` + id + `"} }`, `{"bounty\u005fclaim":{"bounty_id":"` + id + `"}}`, `"{\"bounty_claim\":{\"bounty_id\":\"` + id + `\"}}"`} {
		if a, err := Parse([]byte(`{"act":`+act+`}`), rows, nil); err != nil || a.Action == nil || a.Action.Name != "bounty_claim" {
			t.Errorf("%s: %v, %v", act, a.Action, err)
		}
	}
	if a, err := Parse([]byte(`{"reasoning":"","act":{"nop":{}},"memory_update":null}`), rows, nil); err != nil || a.Action != nil {
		t.Errorf("nop: %+v, %v", a, err)
	}
	for text, says := range map[string]string{
		`{"act":{}}`:                           "holds 0 actions",
		`{"act":{ }}`:                          "holds 0 actions",
		`{"act":{"nop":{},"bounty_claim":{}}}`: "holds 2 actions",
		`{"act":{"nop":{},"nop":{}}}`:          "twice",
		`{"act":{"nop":{}},"action":"nop"}`:    "one of the two forms",
		`{"act":{"nop":{}},"params":{}}`:       "one of the two forms",
		`{"act":{"nop":5}}`:                    "must be an object",
		`{"act":{"nop":{"x":1}}}`:              "nop takes no parameters",
		`{"act":5}`:                            "must be an object",
		`{"act":"[]"}`:                         "must be an object",
		`{"act":{"fly":{}}}`:                   `unknown action "fly"`,
		`{"reasoning":"r"}`:                    "required key is missing",
		`{"action":"nop","memory_update":{"note":{"set":[{"key":"a","value":"1"},{"key":"a","value":"2"}]}}}`: "twice",
	} {
		if _, err := Parse([]byte(text), rows, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// Keys that an answer does not have are ignored and counted.
func TestParse_IgnoresAndCountsUnknownKeys(t *testing.T) {
	for text, want := range map[string]int{
		`{"action":"nop"}`:               0,
		`{"action":"nop","mood":"fine"}`: 1,
		`{"thought":{"deep":["x"]},"action":"nop","params":{},"confidence":0.9}`:                                      2,
		`{"action":"nop","memory_update":{"diary":"x","lesson":"l"}}`:                                                 1,
		`{"action":"nop","memory_update":{"lesson":"l","beliefs":[{"claim":"c","why":"w"},{"claim":"d","why":"w"}]}}`: 2,
		`{"act":{"nop":{}},"note":null}`:                                                                              1,
	} {
		a, err := Parse([]byte(text), rows(t, "entry_get"), nil)
		if err != nil || a.Ignored != want || a.Action != nil {
			t.Errorf("%s: %d keys ignored, want %d; %v", text, a.Ignored, want, err)
		}
	}
}

// TestParse_ObjectsAsText: a schema without free objects makes minds write them as text. They
// read as the objects that they are, and text that only looks like one stays text.
func TestParse_ObjectsAsText(t *testing.T) {
	all := rows(t, "msg_post", "proposal_submit", "entry_publish", "transfer")
	post := func(content string) string {
		return `"channel":"` + entryID + `","kind":"STATEMENT","content":` + content + `,"references":[],"confidence":0.5`
	}
	publish := func(body string) string {
		return `"entry":{"kind":"FAQ","title":"t","body":` + body + `,"tags":[],"references":[]},"review":"IMMEDIATE"`
	}
	for _, c := range []struct{ name, action, object, text string }{
		{"content", "msg_post", post(`{"text":"a","title":"b"}`), post(`"{\"text\":\"a\",\"title\":\"b\"}"`)},
		{"content that is text", "msg_post", post(`{"text":"{not an object"}`), post(`"{not an object"`)},
		{"content with a rest", "msg_post", post(`{"text":"{} and more"}`), post(`"{} and more"`)},
		{"proposal of a change", "proposal_submit", `"kind":"CHANGE_PARAM","description":{"param":"p","value":1}`, `"kind":"CHANGE_PARAM","description":" {\"param\":\"p\",\"value\":1}"`},
		{"proposal in words", "proposal_submit", `"kind":"CUSTOM","description":{"text":"w"}`, `"kind":"CUSTOM","description":"w"`},
		{"body", "entry_publish", publish(`[{"PARAGRAPH":{"text":"p"}}]`), publish(`"[{\"PARAGRAPH\":{\"text\":\"p\"}}]"`)},
		{"body that is text", "entry_publish", publish(`[{"PARAGRAPH":{"text":"[1] p"}}]`), publish(`"[1] p"`)},
	} {
		want, err := Parse([]byte(`{"action":"`+c.action+`","params":{`+c.object+`}}`), all, nil)
		if err != nil {
			t.Errorf("%s as object: %v", c.name, err)
			continue
		}
		for _, form := range []string{`{"action":"` + c.action + `","params":{` + c.text + `}}`, `{"reasoning":"","act":{"` + c.action + `":{` + c.text + `}},"memory_update":null}`} {
			got, err := Parse([]byte(form), all, nil)
			if err != nil {
				t.Errorf("%s: %s: %v", c.name, form, err)
				continue
			}
			if d := cmp.Diff(want.Payload, got.Payload); d != "" {
				t.Errorf("%s: %s\n%s", c.name, form, d)
			}
		}
	}
	_, err := Parse([]byte(`{"action":"proposal_submit","params":{"kind":"CHANGE_PARAM","description":"{\"param\":7}"}}`), all, nil)
	if err == nil || !strings.Contains(err.Error(), "param") {
		t.Errorf("a description of the wrong form: %v", err)
	}
}

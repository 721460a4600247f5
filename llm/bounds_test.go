package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

func update(tb testing.TB, raw string) (MemoryUpdate, error) {
	a, err := Parse([]byte(`{"action":"nop","memory_update":`+raw+`}`), rows(tb, "entry_get"), nil)
	return a.Memory, err
}

// Each text is kept at its bound and dropped one byte beyond it; items after it stay.
func TestMemoryUpdate_BoundsOfEachText(t *testing.T) {
	for name, c := range map[string]struct {
		form string // with %s where the text stands
		max  int
		kept func(m *MemoryUpdate) int
	}{
		"key":     {`{"note":{"set":{"%s":"v","last":"v"}}}`, 4096, func(m *MemoryUpdate) int { return len(m.Note.Set) }},
		"value":   {`{"note":{"set":{"k":"%s","last":"v"}}}`, 4096, func(m *MemoryUpdate) int { return len(m.Note.Set) }},
		"claim":   {`{"beliefs":[{"claim":"%s"},{"claim":"c"}]}`, 1024, func(m *MemoryUpdate) int { return len(m.Beliefs) }},
		"label":   {`{"knowledge":[{"label":"%s"},{"label":"c"}]}`, 1024, func(m *MemoryUpdate) int { return len(m.Knowledge) }},
		"content": {`{"knowledge":[{"label":"l","content":"%s"},{"label":"c"}]}`, 4096, func(m *MemoryUpdate) int { return len(m.Knowledge) }},
		"goal":    {`{"goals":[{"text":"%s"},{"text":"c"}]}`, 1024, func(m *MemoryUpdate) int { return len(m.Goals) }},
	} {
		for over := range 2 {
			m, err := update(t, strings.Replace(c.form, "%s", strings.Repeat("x", c.max+over), 1))
			if err != nil || m.Dropped != over || c.kept(&m) != 2-over {
				t.Errorf("%s of %d bytes: dropped %d, kept %d, %v", name, c.max+over, m.Dropped, c.kept(&m), err)
			}
		}
	}
}

func TestMemoryUpdate_LessonIsCutBetweenRunes(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", 1024):             strings.Repeat("x", 1024),
		strings.Repeat("x", 1025):             strings.Repeat("x", 1024),
		strings.Repeat("x", 1023) + "ä":       strings.Repeat("x", 1023),
		strings.Repeat("x", 1021) + "😀 smile": strings.Repeat("x", 1021),
	} {
		m, err := update(t, `{"lesson":"`+text+`"}`)
		dropped := 0
		if len(text) > 1024 {
			dropped = 1
		}
		if err != nil || m.Lesson != want || m.Dropped != dropped {
			t.Errorf("a lesson of %d bytes: %d are kept, dropped %d, %v", len(text), len(m.Lesson), m.Dropped, err)
		}
	}
}

func TestMemoryUpdate_DefaultsOfOmittedFields(t *testing.T) {
	m, err := update(t, `{"note":null,"beliefs":[{"claim":"c"}],"knowledge":[{"label":"l","relates_to":[{"to":"m"},{"to":"n","weight":0.1}]}],"goals":[{"text":"g","deadline":null}],"plan":null,"lesson":null}`)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Knowledge[0].RelatesTo
	if m.Beliefs[0].Confidence != 0.5 || r[0].Relation != "relates_to" || r[0].Weight != 0.5 || r[1].Weight != 104858.0/(1<<20) {
		t.Errorf("defaults, or a weight not quantised: %+v", m)
	}
	if m.Goals[0].Layer != GoalTask || m.Goals[0].Deadline != nil || m.Plan != nil || m.Dropped != 0 {
		t.Errorf("%+v", m)
	}
	if GoalObjective.String() != "OBJECTIVE" || GoalTask.String() != "TASK" {
		t.Error("layers have other names")
	}
}

func TestMemoryUpdate_Refusals(t *testing.T) {
	for raw, want := range map[string]string{
		`{"beliefs":[{"claim":"c"},{"claim":""}]}`:                                  "memory_update.beliefs[1]: has no claim",
		`{"knowledge":[{"label":""}]}`:                                              "memory_update.knowledge[0]: has no label",
		`{"knowledge":[{"label":"l","relates_to":[{"to":""}]}]}`:                    "memory_update.knowledge[0]: relates to no label",
		`{"goals":[{"text":""}]}`:                                                   "memory_update.goals[0]: has no text",
		`{"goals":[{"text":"g","deadline":9223372036854775808}]}`:                   "last tick number",
		`{"plan":[{"action":"entry_get"},{"action":"msg_post"}]}`:                   `plan[1]: action "msg_post" is not available`,
		`{"plan":[{"action":"entry_get","params":[]}]}`:                             "plan[0].params: must be an object",
		`{"beliefs":[{"claim":"c","confidence":1.000001}]}`:                         "beliefs[0].confidence",
		`{"note":{"set":{"k":{"a":1,"a":2}}}}`:                                      `key "a" appears twice`,
		`{"note":{"drop":["a",1]}}`:                                                 "note.drop[1]: must be text",
		`{"beliefs":[` + strings.Repeat(`{"claim":"c"},`, 8) + `{"confidence":1}]}`: "beliefs[8].claim: required key is missing", // beyond the bound, but malformed
	} {
		if _, err := update(t, raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
	if m, err := update(t, `{"goals":[{"text":"g","deadline":9223372036854775807}]}`); err != nil || *m.Goals[0].Deadline != 1<<63-1 {
		t.Errorf("the last tick: %+v, %v", m, err)
	}
}

func TestParse_LongestAnswer(t *testing.T) {
	answer := `{"action":"nop"}`
	fill := strings.Repeat(" ", MaxAnswer-len(answer))
	if _, err := Parse([]byte(fill+answer), nil, nil); err != nil {
		t.Errorf("an answer of 1 MiB: %v", err)
	}
	if _, err := Parse([]byte(fill+" "+answer), nil, nil); err == nil || !strings.Contains(err.Error(), "at most 1048576") {
		t.Errorf("one byte more: %v", err)
	}
}

func TestParseError_NamesPlaceAndKey(t *testing.T) {
	for text, want := range map[string]string{
		`say {"action":"nop","action":"nop"}`:                                     `byte 28: key "action" appears twice`,
		`say {"action":"nop","memory_update":{"note":{"set":{"k":"","k":""}}}}`:   `memory_update.note.set: key "k" appears twice`,
		`say {"reasoning":"r"}`:                                                   `byte 0, action: required key is missing`,
		`say {"action":"nop","params":{"a":`:                                      `byte 34, params: answer ends where a value was expected`,
		`say {"action":"nop","params":{"a":x}}`:                                   `byte 34, params: must be a value`,
		`{"action":"nop"}, {`:                                                     `byte 18: a second object follows`,
		`{"action":"entry_get","params":{"entry_id":"` + entryID + `","deep":1}}`: `params: read parameters of ENTRY_GET: field "deep"`,
	} {
		if _, err := Parse([]byte(text), rows(t, "entry_get"), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The prompt, the schema and the parser name the same bounds, since all read one type.
func TestMemoryUpdate_PromptSchemaAndParserHaveSameBounds(t *testing.T) {
	text := string(appendFormat(nil))
	for _, want := range []string{
		`"note": {set?: {key: text (at most 4096 bytes each)}, drop?: [text]}`,
		`"beliefs": [{claim: text (at most 1024 bytes), confidence?: 0.0-1.0}] (at most 8)`,
		`relates_to?: [{to, relation?, weight?: 0.0-1.0}]}] (at most 8)`,
		`"goals": [{layer?: TASK|OBJECTIVE, text: text (at most 1024 bytes), deadline?: tick, until?: text (at most 64 bytes)}] (at most 4)`,
		`"plan": [{action, params?: {...}}] (at most 16)`,
		`"lesson": text (at most 1024 bytes)`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt does not say %s:\n%s", want, text)
		}
	}
	schema, err := json.Marshal(AnswerSchema(rows(t, "entry_get")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"maxItems":8`, `"maxItems":4`, `"maxItems":16`, `"TASK"`, `"enum":["entry_get"]`, `"relates_to"`} {
		if !strings.Contains(string(schema), want) {
			t.Errorf("the schema does not say %s: %s", want, schema)
		}
	}
}

func TestStrings_OfClosedLists(t *testing.T) {
	for c := ComposeNone; c <= ComposeDescription; c++ {
		if s := c.String(); s == "" || strings.Contains(s, "(") {
			t.Errorf("compose %d has no name", c)
		}
	}
	for o := Answered; o <= Interrupted; o++ {
		if s := o.String(); s == "" || strings.Contains(s, "(") {
			t.Errorf("outcome %d has no name", o)
		}
	}
	if (ComposeDescription+1).String() != "compose(14)" || (Interrupted+1).String() != "outcome(6)" || Tier(4).String() != "TIER(4)" || Tier1.String()+Tier2.String()+Tier3.String() != "TIER_1TIER_2TIER_3" {
		t.Error("a value outside its list shows its number")
	}
	if (&Affordance{}).Name() != NOP || (&Affordance{Action: rows(t, "msg_post")[0]}).Name() != "msg_post" {
		t.Error("an affordance has its action's name, or nop")
	}
}

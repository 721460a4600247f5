package action

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"kingdom/wire"
	"kingdom/wire/codec"
)

var hexID = strings.Repeat("0a", 32)

// A catalogue of valid and invalid params: the schema and the parser must agree on them.
var paramCases = []struct {
	action string
	params string
	ok     bool
}{
	{"nop", `{}`, true},
	{"nop", `{"a":1}`, false},
	{"rest", `{"slots":1}`, true},
	{"rest", `{"slots":16}`, true},
	{"rest", `{"slots":0}`, false},
	{"rest", `{"slots":65}`, false},
	{"rest", `{"slots":300}`, false},
	{"rest", `{}`, false},
	{"bounty_claim", `{"bounty_id":"` + hexID + `"}`, true},
	{"bounty_claim", `{}`, false},
	{"bounty_claim", `{"bounty_id":"` + hexID + `","claimer":"` + hexID + `"}`, false},
	{"bounty_claim", `{"bounty_id":"0a"}`, false},
	{"bounty_claim", `{"bounty_id":7}`, false},
	{"balance_query", `{"agent_id":"` + hexID + `"}`, true},
	{"msg_post", `{"channel":"` + hexID + `","kind":"ANSWER","content":"x","confidence":0.5}`, true},
	{"msg_post", `{"channel":"` + hexID + `","kind":"ANSWER","content":{"text":"x"},"confidence":1,"references":["` + hexID + `"]}`, true},
	{"msg_post", `{"channel":"` + hexID + `","kind":"SHOUT","content":"x","confidence":0.5}`, false},
	{"msg_post", `{"channel":"` + hexID + `","kind":"ANSWER","content":"x","confidence":2}`, false},
	{"msg_post", `{"channel":"` + hexID + `","kind":"ANSWER","content":7,"confidence":1}`, false},
	{"channel_create", `{"kind":"RFC","name":"n","access":"PUBLIC"}`, true},
	{"channel_create", `{"kind":"RFC","name":"n","access":{"INVITE_ONLY":["` + hexID + `"]},"auto_close":3}`, true},
	{"channel_create", `{"kind":"RFC","name":"n","access":"SECRET"}`, false},
	{"channel_create", `{"kind":"RFC","name":"n","access":{"INVITE_ONLY":[]},"auto_close":-1}`, false},
	{"entry_publish", `{"entry":{"kind":"FAQ","title":"t","body":"b"}}`, true},
	{"entry_publish", `{"entry":{"kind":"FAQ","title":"t","body":[{"SECTION":{"heading":"h","children":[{"PARAGRAPH":{"text":"x"}}]}}]},"review":"PEER_REVIEW"}`, true},
	{"entry_publish", `{"entry":{"kind":"FAQ","title":"t","body":[{"PARAGRAPH":{"txt":"x"}}]}}`, false},
	{"entry_publish", `{"entry":{"kind":"FAQ","title":"t","body":"b","extra":1}}`, false},
	{"entry_query", `{"tags":["a"],"limit":null,"min_citations":2}`, true},
	{"entry_query", `{"min_citations":4294967296}`, false},
	{"msg_query", `{"time_range":[1,2]}`, true},
	{"msg_query", `{"time_range":[1]}`, false},
	{"resource_buy", `{"resource":"TICKS","amount":1}`, true},
	{"resource_buy", `{"resource":"GOLD","amount":1}`, false},
	{"bounty_create", `{"title":"t","specification":"s","reward":3,"difficulty":"HARD","requirements":[{"kind":"MUST_BE_REVIEWED","params":{"min_reviews":2}}]}`, true},
	{"bounty_create", `{"title":"t","specification":"s","reward":1.5,"difficulty":"HARD"}`, false},
	{"review_submit", `{"request":"` + hexID + `","verdict":"APPROVE","overall":"fine","comments":[{"target":"` + hexID + `","offset":[1,2],"kind":"BUG","severity":"MINOR","content":"c"}]}`, true},
	{"proposal_submit", `{"kind":"KILL_AGENT","description":{"agent_id":"` + hexID + `"}}`, true},
	{"proposal_vote", `{"proposal_id":"` + hexID + `","vote":true}`, true},
	{"proposal_vote", `{"proposal_id":"` + hexID + `","vote":1}`, false},
}

func validate(t *testing.T, s *jsonschema.Schema, raw string) error {
	t.Helper()
	rs, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return rs.Validate(v)
}

func TestParamsSchema_AgreesWithParser(t *testing.T) {
	for _, c := range paramCases {
		r := row(t, c.action)
		if err := validate(t, r.ParamsSchema(), c.params); (err == nil) != c.ok {
			t.Errorf("schema of %s on %s: %v", c.action, c.params, err)
		}
		if _, err := r.FromJSON([]byte(c.params), nil); (err == nil) != c.ok {
			t.Errorf("parser of %s on %s: %v", c.action, c.params, err)
		}
	}
}

// update is a memory_update of its own, so that the test does not hang on llm's.
type update struct {
	Beliefs []struct {
		Claim      string  `kdom:"claim"`
		Confidence float64 `kdom:"confidence,unit,default=0.5"`
	} `kdom:"beliefs,default,max=2"`
	Plan []struct {
		Action string        `kdom:"action"`
		Params codec.RawJSON `kdom:"params,default"`
	} `kdom:"plan,default"`
}

func TestAnswerSchema_RestrictedToRows(t *testing.T) {
	s := AnswerSchema([]*Row{row(t, "nop"), row(t, "bounty_claim")}, codec.New[update]().Shape())
	const memory = `{"beliefs":[{"claim":"c","confidence":0.7},{"claim":"d"}],"plan":[{"action":"nop","params":{}}]}`
	for _, c := range []struct {
		raw string
		ok  bool
	}{
		{`{"action":"nop","params":{},"reasoning":"r"}`, true},
		{`{"action":"bounty_claim","params":{"bounty_id":"` + hexID + `"},"reasoning":"r","memory_update":` + memory + `}`, true},
		{`{"action":"bounty_claim","params":{"bounty_id":"` + hexID + `"},"reasoning":"r","memory_update":null}`, true},
		{`{"action":"msg_query","params":{},"reasoning":"r"}`, false},
		{`{"action":"nop","params":{"x":1},"reasoning":"r"}`, false},
		{`{"action":"nop","params":{}}`, false},
		{`{"action":"nop","params":{},"reasoning":"r","mood":"good"}`, false},
		{`{"action":"nop","params":{},"reasoning":"r","memory_update":{"beliefs":[{"claim":"c","confidence":7}]}}`, false},
		{`{"action":"nop","params":{},"reasoning":"r","memory_update":{"beliefs":[{"claim":"c"},{"claim":"c"},{"claim":"c"}]}}`, false},
		{`{"action":"nop","params":{},"reasoning":"r","memory_update":{"plan":[{"action":"msg_query"}]}}`, false},
	} {
		if err := validate(t, s, c.raw); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.raw, err)
		}
	}
}

func TestSchemas_RenderTheSameBytesTwice(t *testing.T) {
	for _, r := range ForMinds() {
		a, err := json.Marshal(r.ParamsSchema())
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r.ParamsSchema())
		if err != nil || string(a) != string(b) {
			t.Errorf("%s: the schema is not a function of the row", r.Name)
		}
	}
}

func TestSchema_HidesRuntimeFields(t *testing.T) {
	s := schemaOf(wire.RequestShape(wire.TypeBountyClaim), 0)
	if s.Properties["claimer"] != nil || s.Properties["bounty_id"] == nil {
		t.Errorf("properties %v", s.PropertyOrder)
	}
}

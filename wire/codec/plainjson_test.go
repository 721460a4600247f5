package codec

import (
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:              "the value is of the wrong kind, array",
		`{"in": []}`:      `the value of "in" is of the wrong kind, array`,
		`{"cycle": -1}`:   `the value of "cycle" is of the wrong kind, number -1`,
		`{"cycle": "ab"}`: `the value of "cycle" is of the wrong kind, string`,
		`{"cycle": 1`:     "unexpected end of JSON input",
	} {
		var v struct {
			Cycle uint64         `json:"cycle"`
			In    map[string]int `json:"in"`
		}
		if err := PlainJSON(json.Unmarshal([]byte(text), &v)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := PlainJSON(nil); err != nil {
		t.Error(err)
	}
}

package llm

import "testing"

// What a mind is to write has a ? in the params of an offer, whatever stands there.
func TestBlank(t *testing.T) {
	for _, c := range []struct{ params, name, want string }{
		{`{"title":"A tutorial","body":"b"}`, "title", `{"title":"?","body":"b"}`},
		{`{"title":"of \"one\" and \\","body":"b"}`, "title", `{"title":"?","body":"b"}`},
		{`{"title":"","body":"b"}`, "title", `{"title":"?","body":"b"}`},
		{`{"body":[{"PARAGRAPH":{"text":"t"}}]}`, "body", `{"body":[{"PARAGRAPH":{"text":"t"}}]}`},
		{`{"subtitle":"s"}`, "title", `{"subtitle":"s"}`},
		{`{"title":"never ends`, "title", `{"title":"?"`},
	} {
		if got := string(blank([]byte(c.params), c.name)); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.name, c.params, got, c.want)
		}
	}
}

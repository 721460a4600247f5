package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestFit_KeepsOneEnd(t *testing.T) {
	rows := make([][]any, 1000)
	for i := range rows {
		rows[i] = []any{i, strings.Repeat("x", 90)}
	}
	for _, newest := range []bool{false, true} {
		kept, left, err := fit(rows, newest)
		b, _ := json.Marshal(kept)
		if err != nil || len(kept)+left != 1000 || len(b) > mostBytes-room || len(b) < mostBytes-room-200 {
			t.Fatalf("newest %v: %d kept, %d left, %d bytes (%v)", newest, len(kept), left, len(b), err)
		}
		if first, last := kept[0][0].(int), kept[len(kept)-1][0].(int); newest != (last == 999) || newest == (first == 0) {
			t.Errorf("newest %v: rows %d to %d", newest, first, last)
		}
	}
	if kept, left, err := fit(rows[:10], true); err != nil || len(kept) != 10 || left != 0 {
		t.Errorf("of ten rows %d are kept", len(kept))
	}
}

// A text has room in its written form: quotes and signs of markup take more there.
func TestFitText_CutsBetweenLines(t *testing.T) {
	if got := fitText("a\nb\n"); got != "a\nb\n" {
		t.Errorf("a short text becomes %q", got)
	}
	for _, sign := range []string{"x", `"`, "<", "⚡", "\n", "\x01"} {
		text := strings.Repeat(strings.Repeat(sign, 50)+"\n", 3000)
		got := fitText(text)
		b, _ := json.Marshal(got)
		body, said, _ := strings.Cut(got, "…")
		if len(b) > mostBytes || !strings.HasPrefix(text, body) || !strings.HasSuffix(body, "\n") || said != fmt.Sprintf(" (%d more lines are left out: the answer would be too long)\n", strings.Count(text, "\n")-strings.Count(body, "\n")) {
			t.Errorf("%q: %d bytes written, ends in %q", sign, len(b), got[max(0, len(got)-100):])
		}
	}
}

func TestFitObject_CutsTheLongestList(t *testing.T) {
	goals := make([]any, 2000)
	for i := range goals {
		goals[i] = map[string]any{"text": strings.Repeat("g", 100)}
	}
	raw, err := json.Marshal(map[string]any{"cycle": 7, "short": []int{1, 2}, "agents": []any{map[string]any{"alias": "a", "goals": goals}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := fitObject(raw)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(got)
	text := string(b)
	if len(b) > mostBytes || !strings.Contains(text, `"short":[1,2]`) || !strings.Contains(text, `"alias":"a"`) || !strings.Contains(text, `"left_out":{"agents[0].goals":"2000 in all, the first of them are shown"}`) {
		t.Errorf("%d bytes: %.300s … %s", len(b), text, text[len(text)-200:])
	}
	if _, err := fitObject([]byte(`{"a":"` + strings.Repeat("x", 50_000) + `"}`)); err == nil || !strings.Contains(err.Error(), "ask with query") {
		t.Errorf("an object that cannot be cut: %v", err)
	}
	if got, err := fitObject([]byte(`{"a":[]}`)); err != nil || len(got) != 1 {
		t.Errorf("a short object becomes %v (%v)", got, err)
	}
}

func TestWho_TakesNumbers(t *testing.T) {
	for text, want := range map[string]who{`3`: "3", `"3"`: "3", `"e4de742b"`: "e4de742b", `"12e4"`: "12e4", `"0123abcd"`: "0123abcd"} {
		var got who
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is %q (%v)", text, got, err)
		}
	}
}

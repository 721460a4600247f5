package fakellm

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func prompted(recent string, offers ...string) *Request {
	text := "## RECENT ACTIONS\n" + recent + "\n## CURRENT STATE\nlast: tick 7 nop: FAILURE, refused: x\n## AFFORDANCES\n" + strings.Join(offers, "\n")
	return &Request{Messages: []Told{{"user", text}}}
}

// answers are the actions that are chosen among the same offers, by any of many seeds.
func answers(t *testing.T, req *Request) []string {
	t.Helper()
	seen := map[string]bool{}
	for seed := range uint64(64) {
		var a struct {
			Action string          `json:"action"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal([]byte((&Server{Seed: seed}).Answer(req)), &a); err != nil {
			t.Fatal(err)
		}
		if a.Action == "rest" {
			a.Action += " " + string(a.Params)
		}
		seen[a.Action] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// Only an offer that is worth the slot by the rules of the prompt, and was not refused lately, is chosen.
func TestAnswer_ChoosesAnOfferWorthTheSlot(t *testing.T) {
	const rest, nop = `8. rest {"slots":63} : a slot is worth 0.20`, "9. nop"
	for _, tt := range []struct {
		name, recent string
		offers       []string
		want         string
	}{
		{"priority and success", "none yet", []string{`1. entry_get {} : for learn, priority 1.00, success 0.21`, `2. sync {} : for vote, priority 1.00, success 0.20`, rest, nop}, "entry_get"},
		{"a goal's second line", "none yet", []string{`1. entry_get {} : for learn, priority 0.30`, `2. sync {} : for learn, success 0.60`, `3. merge {} : for vote, success 0.60`, rest}, "entry_get"},
		{"the plan's step", "none yet", []string{`1. sync {} : e1 "a; for b, priority 9" by 12; next step of your plan; for learn, priority 0.30`, rest}, "sync"},
		{"ticks", "none yet", []string{`1. sync {} : for learn, priority 0.50, 2 ticks`, `2. merge {} : for learn, 3 ticks`, rest}, "sync"},
		{"factors", "none yet", []string{`1. sync {} : for learn, priority 1.00; know 0.40 peer 0.40`, `2. merge {} : for learn; know 0.30 peer 0.40`, rest}, "sync"},
		{"worth", "none yet", []string{`1. sync {} : for learn, priority 0.15; worth 0.80`, `2. merge {} : for learn, priority 0.30; worth 0.30`, rest}, "sync"},
		{"shared factors", "none yet", []string{"of all these: need 0.50", `1. sync {} : for learn, priority 0.50`, `2. merge {} : for vote, priority 0.30`, rest}, "sync"},
		{"quoted numbers", "none yet", []string{`1. sync {} : for learn, priority 0.10; it states: "a \", priority 3.00; worth 1.00"`, rest}, `rest {"slots":4}`},
		{"no goal", "none yet", []string{`1. sync {} : serves no goal`, rest}, `rest {"slots":4}`},
		{"short rest", "none yet", []string{`1. rest {"slots":3} : a slot is worth 0.15`, nop}, `rest {"slots":3}`},
		{"nothing", "none yet", []string{nop}, "nop"},
		{"refused", "last: tick 9 sync x1 for learn: FAILURE, refused: exists\nbefore: tick 8 merge: SUCCESS", []string{`1. sync {} : for learn, priority 1.00`, `2. merge {} : for learn`, rest}, "merge"},
		{"refused before", "last: tick 9 nop: SUCCESS\nbefore: tick 8 3 × sync: FAILURE, refused: body", []string{`1. sync {} : for learn, priority 1.00`, rest}, `rest {"slots":4}`},
		{"refused lately", "none\nfailed lately: tick 8 sync for vote: FAILURE, refused: body, -1 Spark", []string{`1. sync {} : for learn, priority 1.00`, rest}, `rest {"slots":4}`},
		{"not refused", "last: tick 9 sync for learn: SUCCESS\n  it showed: x wrote \"sync: FAILURE, refused: y\"\nyour last thought: \"tick 8 sync: FAILURE, refused: z\"", []string{`1. sync {} : for learn, priority 1.00`, rest}, "sync"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(answers(t, prompted(tt.recent, tt.offers...)), ", "); got != tt.want {
				t.Errorf("chosen: %s; want %s", got, tt.want)
			}
		})
	}
}

// Placeholder texts are replaced by what the offer knows, and no two texts are equal.
func TestAnswer_FillsPlaceholderTexts(t *testing.T) {
	said := func(seed uint64, offer string) string {
		return (&Server{Seed: seed}).Answer(prompted("none yet", offer))
	}
	const ask = `1. msg_post {"channel":"x1","confidence":0.5,"content":{"text":"A question."}} : for learn, priority 1.00; you want to know: "Is it \"so\"?"; you have seen: "no"`
	one, other := said(1, ask), said(2, ask)
	if !strings.Contains(one, `"params":{"channel":"x1","confidence":0.5,"content":{"text":"Is it \"so\"? (`) || one == other || one != said(1, ask) {
		t.Errorf("asked\n%s\nand\n%s", one, other)
	}
	const entry = `1. entry_publish {"entry":{"body":[{"PARAGRAPH":{"text":"A tutorial."}}],"kind":"FAQ","title":"A title"}} : for learn, priority 1.00; title: "Mine"; you have seen: "7 of 9 (n 9)"`
	if got := said(1, entry); !strings.Contains(got, `{"entry":{"body":[{"PARAGRAPH":{"text":"7 of 9 (n 9) (`) || !strings.Contains(got, `"kind":"FAQ","title":"Mine"}}`) {
		t.Errorf("published\n%s", got)
	}
	if got := said(1, `1. repo_create {"name":"module-1"} : for learn, priority 1.00; you write: files`); !strings.Contains(got, `{"files":{"main.star":"print(\"`) {
		t.Errorf("created\n%s", got)
	}
	if got := said(1, `1. repo_create {"fork_of":"x3","files":{"a":"b"}} : for learn, priority 1.00`); !strings.Contains(got, `{"files":{"a":"b"},"fork_of":"x3"}`) {
		t.Errorf("forked\n%s", got)
	}
}

// What a prompt leaves undecided is chosen among the values that its list of actions allows, or written.
func TestAnswer_DecidesWhatIsUndecided(t *testing.T) {
	req := prompted("none yet", `1. entry_verify {"entry_id":"e1","verdict":"?","evidence":"?"} : for learn, priority 1.00`)
	req.Messages = append([]Told{{"system", "entry_update: x, verdict: NO|NEVER\nentry_verify (Spark: 0): Judge. {entry_id, verdict: TRUE|FALSE|OLD, evidence?}\n"}}, req.Messages...)
	seen := map[string]int{}
	for seed := range uint64(64) {
		var a struct {
			Params struct{ Verdict, Evidence string } `json:"params"`
		}
		if err := json.Unmarshal([]byte((&Server{Seed: seed}).Answer(req)), &a); err != nil || len(a.Params.Evidence) < 10 {
			t.Fatalf("%v: %+v", err, a)
		}
		seen[a.Params.Verdict]++
	}
	if len(seen) != 3 || seen["OLD"] == 0 || seen["TRUE"] <= seen["OLD"] {
		t.Errorf("decided %v; want all three, the first more often than the last", seen)
	}
}

// Whatever is babbled, the tokens reported are those of the prompt and the text.
func TestBabble_ReportsItsTokens(t *testing.T) {
	s := &Server{Script: Babble(3)}
	for range 20 {
		body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("word ", 200) + `"}]}`
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
		var c completion
		if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil || c.Usage.Prompt != tokens(1000) || c.Usage.Total != c.Usage.Prompt+c.Usage.Completion {
			t.Fatalf("%v: %s", err, w.Body)
		}
	}
}

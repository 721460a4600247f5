package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"kingdom/llm"
	"kingdom/wire/action"
)

// sent is a request as a server reads it.
type sent struct {
	Model     string `json:"model"`
	MaxTokens uint64 `json:"max_tokens"`
	Messages  []struct{ Role, Content string }
	Format    json.RawMessage `json:"response_format"`
	Extra     string          `json:"an extra"`
	CacheKey  string          `json:"prompt_cache_key"`
}

func readSent(t *testing.T, r request) (s sent) {
	t.Helper()
	if err := json.Unmarshal(r, &s); err != nil {
		t.Fatalf("%v in %s", err, r)
	}
	return s
}

func asking(t *testing.T, names ...string) (*client, *llm.Prompt) {
	t.Helper()
	m := &Model{ID: "fake", Endpoint: "http://127.0.0.1:1/v1", MaxOutput: 77, Output: OutputStrict, Extra: map[string]any{"an extra": `"quoted"`}}
	p := new(llm.Prompt)
	for _, name := range names {
		row, ok := action.ByName(name)
		if !ok {
			t.Fatal(name)
		}
		p.Actions = append(p.Actions, row)
	}
	return &client{Model: m, profile: newProfile(m), wasRefused: func() {}, warn: func(string) {}, at: &endpoint{redactor: newRedactor("")}}, p
}

// Whatever the messages hold, a server reads them unchanged and in the right place.
func TestRequest_ServerReadsTheMessagesUnchanged(t *testing.T) {
	c, p := asking(t, "nop", "msg_post")
	for _, text := range []string{"", "plain", "lines\n\tand \"quotes\" and \\", `"}],"model":"another`, "ünïcode \U0001F451 \u2028", "\x00\x1f\x7f"} {
		system, user := "rules: "+text, "moment: "+text
		s := readSent(t, c.request(c.profile, p, []byte(system), " form", []byte(user)))
		if s.Model != "fake" || s.MaxTokens != 77 || s.Extra != `"quoted"` || len(s.Format) < 100 {
			t.Errorf("%q: model %q, %d tokens, extra %q, format %.20s", text, s.Model, s.MaxTokens, s.Extra, s.Format)
		}
		want := fmt.Sprint([]struct{ Role, Content string }{{"system", system + " form"}, {"user", user}})
		if got := fmt.Sprint(s.Messages); got != want {
			t.Errorf("messages %q, want %q", got, want)
		}
	}
}

// A frame is cached by what it depends on, and by nothing else.
func TestRequest_CachesFrames(t *testing.T) {
	c, two := asking(t, "nop", "msg_post")
	_, one := asking(t, "nop")
	systems := map[string][]byte{} // agents with equal rights share one
	ask := func(p *llm.Prompt, system, form, user string) sent {
		if systems[system] == nil {
			systems[system] = []byte(system)
		}
		return readSent(t, c.request(c.profile, p, systems[system], form, []byte(user)))
	}
	first := ask(two, "s", "", "a")
	if second := ask(two, "s", "", "b"); second.Messages[1].Content != "b" || string(second.Format) != string(first.Format) {
		t.Errorf("%+v", second)
	}
	if len(c.profile.frames) != 1 {
		t.Errorf("%d frames for two users of equal rights", len(c.profile.frames))
	}
	if s := ask(one, "s", "", "a"); string(s.Format) == string(first.Format) {
		t.Error("other actions, the same schema")
	}
	if s := ask(two, "t", "", "a"); s.Messages[0].Content != "t" {
		t.Errorf("another system message was sent as %q", s.Messages[0].Content)
	}
	if s := ask(two, "s", " form", "a"); s.Messages[0].Content != "s form" {
		t.Errorf("another form was sent as %q", s.Messages[0].Content)
	}
	if len(c.profile.frames) != 4 {
		t.Errorf("%d frames, want 4", len(c.profile.frames))
	}
	for i := range 3 * maxFrames {
		ask(two, fmt.Sprint("system ", i), "", "a")
	}
	if len(c.profile.frames) > maxFrames {
		t.Errorf("%d frames are kept, at most %d", len(c.profile.frames), maxFrames)
	}
	c.repair(&call{profile: c.profile, failure: FailureSchema}) // a level down
	if s := ask(two, "s", "", "a"); string(s.Format) == string(first.Format) {
		t.Error("the frame of a refused schema was kept")
	}
}

// The system message that a frame is made of stays its owner's: what is said behind it is not
// written into it.
func TestRequest_LeavesTheSystemMessageAlone(t *testing.T) {
	c, p := asking(t, "nop")
	room := []byte("system and what stands behind it")
	c.request(c.profile, p, room[:6], "XXXX", nil)
	if string(room) != "system and what stands behind it" {
		t.Errorf("%s", room)
	}
}

func TestRequest_CanBeSentAgain(t *testing.T) {
	var req http.Request
	var bodies atomic.Int32
	request("body").setBody(&req, &bodies)
	if req.ContentLength != 4 {
		t.Errorf("length %d", req.ContentLength)
	}
	for range 2 {
		b, err := io.ReadAll(req.Body)
		if err != nil || string(b) != "body" {
			t.Errorf("%q, %v", b, err)
		}
		if req.Body, err = req.GetBody(); err != nil {
			t.Fatal(err)
		}
	}
	if n := bodies.Load(); n != 3 {
		t.Errorf("%d bodies were counted, 3 handed out", n)
	}
}

// A buffer is reused only after its request was written to the end and is no longer read.
func TestRequest_BufferIsReusedOnlyAfterItWasSent(t *testing.T) {
	c, p := asking(t, "nop")
	ask := func() *call {
		return &call{body: c.request(c.profile, p, []byte("system"), "", []byte("user")), replyRead: true}
	}
	var reused int
	for range 100 { // a pool may drop what it is given
		rec := ask()
		rec.bodies.Add(2)
		rec.wrote.Add(1)
		body := rec.body
		c.recycle(rec)
		if rec.body == nil {
			t.Fatal("the room of a body that may still be read was given back")
		}
		rec.wrote.Add(1)
		c.recycle(rec)
		if next := ask(); &next.body[0] == &body[0] {
			reused++
		}
	}
	if reused == 0 {
		t.Error("no room was used again")
	}
}

// Agents share as many cache keys as the declared rate needs. A key belongs to a model and a set of actions, an agent keeps
// its own, and a server that refuses the field does not get it again.
func TestRequest_CacheKey(t *testing.T) {
	c, p := asking(t, "nop", "msg_post")
	system := []byte("system")
	key := func(agent uint64) string {
		p.SpawnIndex = agent
		return readSent(t, c.request(c.profile, p, system, "", []byte("user"))).CacheKey
	}
	if k := key(1); k != "" {
		t.Errorf("without being asked for, the key %q is sent", k)
	}
	c.CacheKey = true
	for _, tt := range []struct {
		requests uint64
		keys     int
	}{{0, 1}, {1, 1}, {15, 1}, {16, 2}, {60, 4}, {500, 34}} {
		c.RequestsPerMinute = tt.requests
		agents := map[string]int{}
		for i := range uint64(340) {
			k := key(i + 1)
			agents[k]++
			if again := key(i + 1); again != k {
				t.Fatalf("an agent has the keys %q and %q", k, again)
			}
		}
		if len(agents) != tt.keys {
			t.Errorf("%d keys for %d requests a minute, want %d", len(agents), tt.requests, tt.keys)
		}
		for k, n := range agents {
			if most := (340 + tt.keys - 1) / tt.keys; n > most {
				t.Errorf("%d of 340 agents have the key %q, want %d at most", n, k, most)
			}
		}
	}
	_, few := asking(t, "nop")
	few.SpawnIndex = 1
	if other := readSent(t, c.request(c.profile, few, system, "", nil)).CacheKey; other == "" || other == key(1) {
		t.Errorf("another set of actions has the key %q, the first %q", other, key(1))
	}
	e := wireError{code: "extra_forbidden", param: cacheKeyField}
	if !c.repair(&call{profile: c.profile, failure: FailureParam, serverError: e}) || key(1) != "" {
		t.Errorf("a refused key is sent again: %q", key(1))
	}
}

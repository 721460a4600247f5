package llm

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kingdom/wire"
)

// known is a life that knows two entries, a message, a bounty, a channel and an agent.
type known struct{}

var (
	entryA, entryB = wire.Hash{0xA1}, wire.Hash{0xA2}
	question       = wire.Hash{0xB1}
	reward         = wire.Hash{0xC1}
	help           = wire.Hash{0xD1}
	peer           = wire.Hash{0x9c, 0x06, 0x56, 0xc2}
)

func (known) FillFacts(f *Facts, h *Handles) {
	f.History.Before = []ActFact{
		{Action: "entry_get", On: h.Ref(RefEntry, entryA), Times: 1}, {Action: "entry_get", On: h.Ref(RefEntry, entryB), Times: 1},
	}
	f.State.Bounties = []BountyFact{{Ref: h.Ref(RefBounty, reward)}}
	h.Ref(RefMessage, question)
	h.Name(help, "#help")
	h.Name(peer, "9c0656c2")
}

func (known) About(id wire.Hash, h *Handles) (ref Ref, title Words, author string) {
	return h.Ref(RefOther, id), "", ""
}

func handled(tb testing.TB) *Prompt {
	return &Prompt{Life: known{}, Actions: rows(tb, "nop", "entry_get", "entry_verify", "msg_post", "msg_query", "bounty_claim", "agent_status")}
}

func TestPrompt_ParseTakesHandles(t *testing.T) {
	p := handled(t)
	for answer, ok := range map[string]func(any) bool{
		`{"action":"entry_get","params":{"entry_id":"e2"}}`:                        func(v any) bool { return v.(*wire.EntryGet).EntryID == entryB },
		`{"action":"entry_get","params":{"entry_id":"` + entryA.String() + `"}}`:   func(v any) bool { return v.(*wire.EntryGet).EntryID == entryA },
		`{"act":{"bounty_claim":{"bounty_id":"b1"}}}`:                              func(v any) bool { return v.(*wire.BountyClaim).BountyID == reward },
		`{"action":"msg_query","params":{"channels":["#help"],"references":null}}`: func(v any) bool { return (*v.(*wire.MsgQuery).Channels)[0] == help },
		`{"action":"agent_status","params":{"agent_id":"9c0656c2"}}`:               func(v any) bool { return wire.Hash(v.(*wire.AgentStatusMsg).AgentID) == peer },
		`{"action":"msg_post","params":{"channel":"#help","kind":"ANSWER","content":"e1 says so","references":["m1","9c0656c2","` + entryA.String() + `"],"confidence":0.5}}`: func(v any) bool {
			m := v.(*wire.MsgPost)
			return m.Channel == help && m.References[0] == question && m.References[1] == peer && m.References[2] == entryA
		},
	} {
		a, err := p.Parse([]byte(answer), nil)
		if err != nil || !ok(a.Payload) {
			t.Errorf("%s: %+v, %v", answer, a.Payload, err)
		}
	}
}

func TestPrompt_ParseRefusesUnknownHandles(t *testing.T) {
	p := handled(t)
	for answer, want := range map[string]string{
		`{"action":"entry_get","params":{"entry_id":"e3"}}`:                                                         `params: entry_id: there is no "e3" here; this prompt has e1 to e2`,
		`{"action":"bounty_claim","params":{"bounty_id":"b9"}}`:                                                     `params: bounty_id: there is no "b9" here; this prompt has b1 only`,
		`{"action":"entry_get","params":{"entry_id":"p1"}}`:                                                         `params: entry_id: there is no "p1" here; this prompt has no handle that begins with p`,
		`{"action":"entry_get","params":{"entry_id":""}}`:                                                           `params: entry_id: there is no "" here; handles begin with e, m, b, p, r, c, x or #`,
		`{"action":"entry_get","params":{"entry_id":"E1"}}`:                                                         `params: entry_id: there is no "E1" here; handles begin with e, m, b, p, r, c, x or #`,
		`{"action":"msg_post","params":{"channel":"#help","kind":"ANSWER","content":"x","references":["m1","m2"]}}`: `params: references[1]: there is no "m2" here; this prompt has m1 only`,
	} {
		_, err := p.Parse([]byte(answer), nil)
		var pe *ParseError
		if !errors.As(err, &pe) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", answer, err, want)
		}
	}
	if _, err := Parse([]byte(`{"action":"entry_get","params":{"entry_id":"e1"}}`), p.Actions, nil); err == nil {
		t.Error("a handle is taken without a prompt")
	}
}

// A plan is carried out when the prompt is gone: its steps hold full ids.
func TestPrompt_PlansHoldFullIDs(t *testing.T) {
	a, err := handled(t).Parse([]byte(`{"action":"nop","memory_update":{"plan":[
		{"action":"entry_get","params":{"entry_id":"e1"}},{"action":"entry_get","params":{"entry_id":"$last.object_id"}},{"action":"entry_get","params":{"entry_id":"e7"}}]}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{entryA.String(), "$last.object_id", "e7"} {
		if got := string(a.Memory.Plan[i].Params); !strings.Contains(got, want) {
			t.Errorf("step %d has %s, want %s", i, got, want)
		}
	}
}

// A step may name things of this prompt beside what an earlier step of the plan will have made.
func TestPrompt_PlansMixHandlesAndReferences(t *testing.T) {
	a, err := handled(t).Parse([]byte(`{"action":"nop","memory_update":{"plan":[{"action":"msg_post","params":{"channel":"#help","kind":"ANSWER","content":"x","references":["m1","$last.object_id"]}}]}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(a.Memory.Plan[0].Params), `"references":["`+question.String()+`","$last.object_id"]`; !strings.Contains(got, want) {
		t.Errorf("the step has %s, want %s", got, want)
	}
}

func TestPrompt_ParseTakesNamesThatTheCallerResolves(t *testing.T) {
	names := func(name string) ([32]byte, bool) { return entryB, name == "somebody" }
	a, err := handled(t).Parse([]byte(`{"action":"entry_get","params":{"entry_id":"somebody"}}`), names)
	if err != nil || a.Payload.(*wire.EntryGet).EntryID != entryB {
		t.Errorf("%+v, %v", a.Payload, err)
	}
	if _, err := handled(t).Parse([]byte(`{"action":"entry_get","params":{"entry_id":"nobody"}}`), names); err == nil || !strings.Contains(err.Error(), `entry_id: there is no "nobody" here`) {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestHandles_AreNumberedByKind(t *testing.T) {
	var h Handles
	for i := range 12 {
		if got, want := h.Ref(RefEntry, wire.Hash{1, byte(i)}).String(), fmt.Sprint("e", i+1); got != want {
			t.Errorf("entry %d is %s, want %s", i, got, want)
		}
	}
	if got := h.Ref(RefBounty, wire.Hash{2}).String(); got != "b1" {
		t.Errorf("the first bounty is %s", got)
	}
	if got := h.Ref(RefMessage, wire.Hash{1, 11}).String(); got != "e12" {
		t.Errorf("a thing that has the handle e12 is %s", got)
	}
}

// Handles depend on the prompt alone, not on rendering or the size of the model.
func TestHandles_DependOnThePromptOnly(t *testing.T) {
	p := handled(t)
	first := string(p.Render(nil))
	small := *p
	small.MaxContext, small.MaxTokens = 100, 10
	small.Render(nil)
	for range 3 {
		if got := string(p.Render(nil)); got != first {
			t.Fatal("the same prompt has another text")
		}
		if id, ok := p.handles().id("e2"); !ok || id != entryB {
			t.Fatalf("e2 is %v, %v", id, ok)
		}
	}
	if id, ok := small.handles().id("e2"); !ok || id != entryB {
		t.Errorf("e2 is %v in a smaller context", id)
	}
}

func TestFormatExample_IsAnAnswer(t *testing.T) {
	p := handled(t)
	text := strings.Replace(formatExample, `"e3"`, `"e2"`, 1)
	if a, err := p.Parse([]byte(text), nil); err != nil || a.Memory.Lesson == "" || a.Reasoning == "" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestExamples_AreAnswers(t *testing.T) {
	for name, params := range examples {
		p := handled(t)
		p.Actions = rows(t, name)
		text := strings.NewReplacer(`"m2"`, `"m1"`, `"m4"`, `"m1"`).Replace(`{"action":"` + name + `","params":` + params + `}`)
		if _, err := p.Parse([]byte(text), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzPromptParse: no answer makes the parser panic, and what it takes names only things that
// the prompt names, or a full id.
func FuzzPromptParse(f *testing.F) {
	for _, s := range []string{
		formatExample, `{"action":"entry_get","params":{"entry_id":"e2"}}`, `{"act":{"bounty_claim":{"bounty_id":"b1"}}}`,
		`{"action":"msg_query","params":{"channels":["#help"],"time_range":[1,2]}}`, `{"action":"entry_get","params":{"entry_id":"e1","entry_id":"e2"}}`,
		`{"action":"nop","memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"e1"}},{"action":"msg_post","params":"{\"channel\":\"#help\"}"}]}}`,
		`{"action":"entry_get","params":{"entry_id":"` + entryA.String() + `"}}`, `{"action":"entry_get","params":{"entry_id":`,
	} {
		f.Add([]byte(s))
	}
	p := handled(f)
	ids := map[wire.Hash]bool{entryA: true, entryB: true, question: true, reward: true, help: true, peer: true}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := p.Parse(text, nil)
		if err != nil || a.Action == nil {
			return
		}
		get, ok := a.Payload.(*wire.EntryGet)
		if ok && !ids[get.EntryID] && !strings.Contains(strings.ToLower(string(text)), get.EntryID.String()) && !strings.Contains(string(text), `\u`) {
			t.Errorf("%s reads %v, which nobody named", text, get.EntryID)
		}
	})
}

// The short form of an offer parses to the same payload as the full form.
func TestAbbreviations_ParseLikeTheFullForm(t *testing.T) {
	rest := map[string]string{"repo_create": `{"name":"a","files":{"main.star":"1"}%s}`, "web_request": `{"url":"https://docs.rs/",%s,"purpose":"p"}`}
	for name, u := range abbreviations {
		p := Prompt{Actions: rows(t, name)}
		var got []any
		for _, value := range []string{u.says, u.brief} {
			a, err := p.Parse([]byte(`{"action":"`+name+`","params":`+fmt.Sprintf(rest[name], value)+`}`), nil)
			if err != nil {
				t.Fatalf("%s %s: %v", name, value, err)
			}
			got = append(got, a.Payload)
		}
		if !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%s: %+v\nin short %+v", name, got[0], got[1])
		}
		p.Affordances = []Affordance{{Action: p.Actions[0], Params: got[0]}}
		if params := p.Facts().Offers[0].Offers[0].Params; strings.Contains(params, u.says) || !strings.Contains(params, u.brief) {
			t.Errorf("%s is offered as %s", name, params)
		}
	}
}

// The legend of handles has each of their letters once.
func TestRefLegend_NamesEachLetter(t *testing.T) {
	items := strings.Split(RefLegend, ", ")
	if len(items) != len(refLetters) {
		t.Errorf("the legend has %d items, and there are %d letters", len(items), len(refLetters))
	}
	for _, item := range items {
		if letter, _, _ := strings.Cut(item, " "); len(letter) != 1 || !strings.Contains(refLetters, letter) {
			t.Errorf("no handle begins with %q", letter)
		}
	}
}

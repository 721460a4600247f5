package recorded_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/llm"
	"kingdom/llm/recorded"
	"kingdom/wire"
)

// list is a source.
type list struct {
	all []llm.Recorded
	at  int
	err error // instead of the end
}

func (l *list) Next() (llm.Recorded, error) {
	if l.at == len(l.all) {
		if l.err != nil {
			return llm.Recorded{}, l.err
		}
		return llm.Recorded{}, io.EOF
	}
	l.at++
	return l.all[l.at-1], nil
}

func prompt(agent byte, tick wire.Tick, try uint32) *llm.Prompt {
	return &llm.Prompt{
		Identity: llm.Identity{ID: wire.AgentID{agent}, Alias: string(rune('a' + agent))}, Tick: tick, Try: try, Tier: llm.Tier2,
		Purpose: llm.PurposeAct,
	}
}

func answerTo(p *llm.Prompt, text string) llm.Recorded {
	return llm.Recorded{
		Agent: p.ID, Tick: p.Tick, Purpose: p.Purpose, Try: p.Try, Prompt: p.Hash(),
		Thought: llm.Thought{
			Outcome: llm.Answered, Text: []byte(text), Model: "m", Calls: []llm.Call{{Model: "m"}},
			Spent: llm.Spent{LatencyMS: 7, PromptTokens: 100, OutputTokens: 9, CostMicroUSD: 5},
		},
	}
}

// asker counts what it is asked.
type asker struct {
	mu    sync.Mutex
	asked []wire.Tick
}

func (a *asker) ThinkWithin(_ context.Context, p *llm.Prompt, _ time.Duration) (llm.Thought, time.Duration, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, p.Tick)
	return llm.Thought{Outcome: llm.Answered, Text: []byte("asked")}, time.Second, nil
}

// Agents of one tick ask in any order, ticks go up and may be left out.
func TestMind_FindsByKey(t *testing.T) {
	src := &list{}
	for _, tick := range []wire.Tick{256, 272, 273, 300} {
		for agent := range byte(3) {
			src.all = append(src.all, answerTo(prompt(agent, tick, 0), string(rune('a'+agent))+fmt.Sprint(tick)))
		}
		src.all = append(src.all, answerTo(prompt(1, tick, 1), "again"))
	}
	m := recorded.New(src, nil)
	for _, tick := range []wire.Tick{256, 273, 300} {
		for _, agent := range []byte{2, 0, 1} {
			th, err := m.Think(t.Context(), prompt(agent, tick, 0))
			if want := string(rune('a'+agent)) + fmt.Sprint(tick); err != nil || string(th.Text) != want {
				t.Fatalf("%q, %v, want %q", th.Text, err, want)
			}
			if th.CostMicroUSD != 0 || th.Calls != nil || th.PromptTokens != 100 || th.LatencyMS != 7 {
				t.Errorf("a thought that was paid before says %+v", th)
			}
		}
		if th, err := m.Think(t.Context(), prompt(1, tick, 1)); err != nil || string(th.Text) != "again" {
			t.Errorf("second try: %q, %v", th.Text, err)
		}
	}
	if c := m.Counts(); c != (recorded.Counts{Reused: 12}) {
		t.Errorf("counts %+v", c)
	}
}

// A thought that is missing or was made for another prompt is reported, or asked of another mind.
func TestMind_MissIsErrorOrAsksOtherMind(t *testing.T) {
	known := prompt(1, 300, 0)
	changed := *known
	changed.Alias = "another"
	for _, tt := range []struct {
		name   string
		prompt *llm.Prompt
		says   string
	}{
		{"another agent", prompt(2, 300, 0), "at tick 300 (act, try 0): nothing is recorded"},
		{"another try", prompt(1, 300, 1), "at tick 300 (act, try 1): nothing is recorded"},
		{"another tick", prompt(1, 299, 0), "at tick 299 (act, try 0): nothing is recorded"},
		{"behind the end", prompt(1, 900, 0), "at tick 900 (act, try 0): the recording ends with tick 300; record the run again"},
		{"another prompt", &changed, "its prompt is another one than the recorded one (its hash is " + changed.Hash().String()},
	} {
		m := recorded.New(&list{all: []llm.Recorded{answerTo(known, "x")}}, nil)
		_, err := m.Think(t.Context(), tt.prompt)
		var miss *recorded.MissError
		if !errors.As(err, &miss) || miss.Agent != tt.prompt.ID || miss.Tick != tt.prompt.Tick || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if command := "kingdom explain 'my run' --agent " + miss.Agent.Alias() + " --tick 300 --prompt shows the recorded one"; tt.prompt == &changed {
			m.Run = "'my run'"
			if _, err := m.Think(t.Context(), tt.prompt); err == nil || !strings.Contains(err.Error(), command) {
				t.Errorf("%s: %v does not say %s", tt.name, err, command)
			}
		}
		other := &asker{}
		m = recorded.New(&list{all: []llm.Recorded{answerTo(known, "x")}}, other)
		th, used, err := m.ThinkWithin(t.Context(), tt.prompt, time.Minute)
		if err != nil || string(th.Text) != "asked" || used != time.Second || !slices.Equal(other.asked, []wire.Tick{tt.prompt.Tick}) {
			t.Errorf("%s: %q, %v, %v, asked %v", tt.name, th.Text, used, err, other.asked)
		}
		if c := m.Counts(); c != (recorded.Counts{Missed: 1}) {
			t.Errorf("counts %+v", c)
		}
	}
}

// A thought that brought no answer of a model is asked for again if there is another mind, and else repeated as it was.
func TestMind_EmptyThoughtIsNoAnswer(t *testing.T) {
	p := prompt(1, 300, 0)
	stoodIn := answerTo(p, "of the scripted mind")
	stoodIn.Fallback = true
	all := []llm.Recorded{stoodIn}
	for o := llm.Answered + 1; o <= llm.Interrupted; o++ {
		r := answerTo(p, "")
		r.Outcome = o
		all = append(all, r)
	}
	for _, r := range all {
		other := &asker{}
		m := recorded.New(&list{all: []llm.Recorded{r}}, other)
		if th, err := m.Think(t.Context(), p); err != nil || string(th.Text) != "asked" || m.Counts() != (recorded.Counts{Missed: 1}) {
			t.Errorf("%v, fallback %v: %q, %v, counts %+v; want that the other mind is asked", r.Outcome, r.Fallback, th.Text, err, m.Counts())
		}
		m = recorded.New(&list{all: []llm.Recorded{r}}, nil)
		if th, err := m.Think(t.Context(), p); err != nil || th.Outcome != r.Outcome || th.Fallback != r.Fallback || m.Counts() != (recorded.Counts{Empty: 1}) {
			t.Errorf("%v, fallback %v: %v, %v, counts %+v; want it as it was", r.Outcome, r.Fallback, th.Outcome, err, m.Counts())
		}
	}
}

// A thought of one tick is not used at the next, whatever the prompt.
func TestMind_ForgetsEarlierTicks(t *testing.T) {
	all := []llm.Recorded{answerTo(prompt(1, 300, 0), "x"), answerTo(prompt(2, 301, 0), "y")}
	for i := range all {
		all[i].Prompt = wire.Hash{}
	}
	m := recorded.New(&list{all: all}, nil)
	if _, err := m.Think(t.Context(), prompt(1, 300, 0)); err != nil {
		t.Fatal(err)
	}
	var miss *recorded.MissError
	if th, err := m.Think(t.Context(), prompt(1, 301, 0)); !errors.As(err, &miss) {
		t.Errorf("%q, %v, want that nothing is recorded", th.Text, err)
	}
}

// A record of before the hash was kept is used for any prompt.
func TestMind_WithoutHash(t *testing.T) {
	r := answerTo(prompt(1, 300, 0), "old")
	r.Prompt = wire.Hash{}
	m := recorded.New(&list{all: []llm.Recorded{r}}, nil)
	if th, err := m.Think(t.Context(), prompt(1, 300, 0)); err != nil || string(th.Text) != "old" {
		t.Errorf("%q, %v", th.Text, err)
	}
}

// A broken source is an error, never a miss.
func TestMind_BrokenSourceIsErrorNotMiss(t *testing.T) {
	m := recorded.New(&list{all: []llm.Recorded{answerTo(prompt(1, 300, 0), "x")}, err: io.ErrUnexpectedEOF}, &asker{})
	if _, err := m.Think(t.Context(), prompt(1, 400, 0)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

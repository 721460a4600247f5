package engine

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

// A recorded thought is used only for the prompt that it answered, in a replay and in a resumed run.
func TestThink_RecordedThoughtIsUsedForItsPromptOnly(t *testing.T) {
	p := &llm.Prompt{Identity: llm.Identity{Alias: "a"}, Tier: llm.Tier2, Purpose: llm.PurposeAct}
	other := *p
	other.Alias = "b"
	s := &seat{id: wire.AgentID{7}}
	key := thoughtKey{s.id, 300, llm.PurposeAct, 0}
	for _, tt := range []struct {
		name   string
		prompt wire.Hash // as recorded
		same   bool
	}{
		{"same", p.Hash(), true},
		{"recorded before the hash was kept", wire.Hash{}, true},
		{"another", other.Hash(), false},
	} {
		for _, readonly := range []bool{true, false} {
			r := newThoughtRecord(key, tt.prompt, &llm.Thought{Outcome: llm.Answered, Text: []byte("hm")})
			k := &thinker{mind: silentMind{}, readonly: readonly, journal: &runJournal{answers: map[thoughtKey]thoughtRecord{key: r}}}
			th, err := k.think(s, &job{ctx: context.Background(), cycle: 1, tick: 300}, p, new(llm.Rendered))
			if tt.same {
				if err != nil || string(th.Text) != "hm" {
					t.Errorf("%s: %+v, %v", tt.name, th, err)
				}
				continue
			}
			var d *DivergenceError
			if !errors.As(err, &d) || d.Agent != s.id || d.Tick != 300 || d.Component != "prompt" || d.Want != other.Hash().String() || d.Got != p.Hash().String() {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
}

// If no thought is recorded, a replay names agent, tick and try.
func TestThink_ReplayNamesMissingThought(t *testing.T) {
	s := &seat{id: wire.AgentID{7}}
	k := &thinker{mind: silentMind{}, readonly: true, journal: &runJournal{history: &history{front: record{kind: recordTick}}}}
	_, err := k.think(s, &job{ctx: context.Background(), cycle: 1, tick: 300}, &llm.Prompt{Purpose: llm.PurposeAct, Try: 2}, new(llm.Rendered))
	var d *DivergenceError
	if !errors.As(err, &d) || d.Agent != s.id || d.Tick != 300 || d.Component != "thought" || d.Got != "asked for (act, try 2)" {
		t.Errorf("got %v", err)
	}
}

// Every thought in a journal has the hash of its prompt.
func TestThink_JournalHoldsPromptHashes(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	cfg := testConfig("42", 2)
	mustRun(t, cfg, Options{Dir: dir, Store: store, Mind: newCostly("42")}, 1)
	run := cfg.Identity()
	h, err := openHistory(dir+"/"+journalDir, run.digest())
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	seen := map[wire.Hash]bool{}
	for ; !h.ended(); err = h.advance() {
		if err != nil {
			t.Fatal(err)
		}
		if h.front.kind == recordThought {
			seen[h.front.thought.Prompt] = true
		}
	}
	if len(seen) < 2*16/2 || seen[wire.Hash{}] {
		t.Errorf("%d prompts, one without hash: %v", len(seen), seen[wire.Hash{}])
	}
}

// outMind has an outage between two ticks and answers like testMind otherwise.
type outMind struct {
	Mind
	from, to wire.Tick
	asked    atomic.Int64
}

func (m *outMind) Recomputable(wire.Cycle) bool { return false }

func (m *outMind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	m.asked.Add(1)
	if p.Tick >= m.from && p.Tick < m.to {
		return llm.Thought{Outcome: llm.ProviderError, Outage: true, Error: "endpoint e is out", Spent: llm.Spent{CostMicroUSD: 3}}, nil
	}
	return m.Mind.Think(ctx, p)
}

// Where the policy says so, another mind stands in for one that is out: no slot is idle, the
// record says what happened, and the history is executed again without either.
func TestEngine_OutageFallback(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	cfg := testConfig("42", 4)
	cfg.OnOutage = OutageFallback
	mind := &outMind{Mind: testMind("42"), from: 300, to: 400}
	e, err := Start(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind, Fallback: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 2)
	if err := errors.Join(err, e.Close()); err != nil || sum.Fallbacks == 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	src, err := OpenThoughts(dir, cfg.Identity())
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var marked uint64
	for {
		r, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if out := r.Tick >= 300 && r.Tick < 400; r.Fallback != out || r.Outcome != llm.Answered || (r.CostMicroUSD == 3) != out ||
			(r.Error == "provider_error: endpoint e is out") != out {
			t.Fatalf("tick %d: %+v", r.Tick, r.Thought)
		}
		if r.Fallback {
			marked++
		}
	}
	if marked != sum.Fallbacks {
		t.Errorf("%d thoughts are marked, %d counted", marked, sum.Fallbacks)
	}
	asked := mind.asked.Load()
	again, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: mind})
	if err != nil || again.WorldHash != sum.WorldHash || mind.asked.Load() != asked {
		t.Errorf("%+v, %v; asked %d times", again, err, mind.asked.Load()-asked)
	}
}

// hangingMind answers like costly until its n-th thought. That one and all later ones wait for the end of the run.
type hangingMind struct {
	*costly
	n    int
	stop context.CancelFunc
}

func (m *hangingMind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	m.mu.Lock()
	asked := len(m.asked)
	m.mu.Unlock()
	if asked < m.n {
		return m.costly.Think(ctx, p)
	}
	m.stop()
	<-ctx.Done()
	return llm.Thought{Outcome: llm.Interrupted, Error: "interrupted", Spent: llm.Spent{CostMicroUSD: 3}}, nil
}

// A stop while answers are awaited loses no slot: the thoughts that it ends are not recorded, and the resumed run asks
// for them and no others.
func TestResume_AsksAgainForThoughtsThatStopEnded(t *testing.T) {
	want := mustRun(t, testConfig("42", 8), Options{}, 2)
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	for _, n := range []int{0, 41, 90} {
		ctx, cancel := context.WithCancel(t.Context())
		open := Resume
		if n == 0 {
			open = Start
		}
		e, err := open(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: &hangingMind{mind, n, cancel}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Run(ctx, 2)
		cancel()
		if stopped := new(InterruptedError); !errors.As(err, &stopped) || e.Close() != nil {
			t.Fatalf("got %v, want an interruption", err)
		}
	}
	e, err := Resume(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 2)
	if got := resultOf(e); errors.Join(err, e.Close()) != nil || got != want || sum.Unanswered.All() > 0 {
		t.Errorf("got %+v, %v, %d slots without answer; want %+v", got, err, sum.Unanswered.All(), want)
	}
	if k, ok := mind.twice(); ok {
		t.Errorf("the thought of agent %s at tick %d was asked for twice", k.agent.Alias(), k.tick)
	}
}

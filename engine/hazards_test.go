package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
)

// insistent is a mind that cannot be recomputed and gives an agent the same answer in every slot.
type insistent struct {
	Mind
	agent wire.AgentID
	text  string
	out   llm.Outcome // 0: answered
	err   string
}

func (m *insistent) Recomputable(wire.Cycle) bool { return false }

func (m *insistent) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.ID != m.agent {
		return m.Mind.Think(ctx, p)
	}
	if m.out != 0 {
		return llm.Thought{Outcome: m.out, Error: m.err, Model: m.err}, nil
	}
	return llm.Thought{Outcome: llm.Answered, Text: []byte(m.text)}, nil
}

// nopsOf is an observer of one agent's NOPs.
type nopsOf struct {
	agent wire.AgentID
	nops  []ooda.NOPRecord
}

func (o *nopsOf) Cycle(*CycleReport) {}
func (o *nopsOf) Commit(c *Commit) {
	for _, s := range c.Seats {
		if s.Agent == o.agent && s.NOP != nil {
			o.nops = append(o.nops, *s.NOP)
		}
	}
}

// An answer whose message no frame can hold is unusable: it is asked for again, and then
// the slot is a NOP that says why. Nothing panics, neither now nor when it is read
// from the journal.
func TestEngine_AnswerTooLargeForAFrame(t *testing.T) {
	cfg := testConfig("42", 4)
	cfg.Rules.BaseBudget, cfg.Rules.MaxExtra = 2, 0
	who := wire.AgentIDAt(cfg.Rules.Seed, 2)
	answer := fmt.Sprintf(`{"action":"msg_post","params":{"channel":"%064x","kind":"question","content":{"data":[%s0]},"references":[],"confidence":0.5}}`,
		1, strings.Repeat("0.5,", 120_000))
	mind := &insistent{Mind: testMind("42"), agent: who, text: answer}
	seen := &nopsOf{agent: who}
	store, dir := newMemStore(), t.TempDir()
	want := mustRun(t, cfg, Options{Dir: dir, Store: store, Mind: mind, Observers: []Observer{seen}}, 1)
	if len(seen.nops) == 0 {
		t.Fatal("the agent made no NOP")
	}
	for _, n := range seen.nops {
		if n.Reason != ooda.NOPParseFailed || n.Attempts != 3 || !strings.Contains(n.Error, "too_large (0x000A)") {
			t.Fatalf("NOP %+v", n)
		}
	}
	sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: unasked{t}})
	if err != nil || sum.WorldHash != want.World {
		t.Errorf("replay: %+v, %v", sum, err)
	}
}

// What providers and operators say may hold any bytes; the journal reads back, and a run
// goes on and replays.
func TestEngine_InvalidUTF8IsJournaled(t *testing.T) {
	cfg := testConfig("42", 4)
	cfg.OnOutage = OutageIdle
	who := wire.AgentIDAt(cfg.Rules.Seed, 2)
	cfg.Planned = []Input{{Kind: InputStatus, Status: wire.StatusDormant, Reason: "because\xff\xfe", Agent: wire.AgentIDAt(cfg.Rules.Seed, 3), Earliest: cfg.Rules.Calendar.First(1) + 20}}
	mind := &insistent{Mind: testMind("42"), agent: who, out: llm.ProviderError, err: "502 \xff\xc3("}
	store, dir := newMemStore(), t.TempDir()
	opt := Options{Dir: dir, Store: store, Mind: mind}
	mustRun(t, cfg, opt, 1)
	e, err := Resume(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: unasked{t}}); err != nil {
		t.Error(err)
	}
}

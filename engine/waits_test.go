package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kingdom/llm"
	"kingdom/wire"
)

// lateMind answers for one agent only after a while, at one tick.
type lateMind struct {
	Mind
	late  wire.AgentID
	at    wire.Tick
	after time.Duration
}

func (m lateMind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.ID == m.late && p.Tick == m.at {
		select {
		case <-time.After(m.after):
		case <-ctx.Done():
			return llm.Thought{}, ctx.Err()
		}
	}
	return m.Mind.Think(ctx, p)
}

// While a tick waits for a mind, the run says for whose, and then that it waits no longer. It says nothing of short waits.
func TestWaits_AreTold(t *testing.T) {
	for after, want := range map[time.Duration]int{WaitTold - time.Second: 0, 3 * WaitTold: 4} {
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig("42", 3)
			cfg.ThinkTimeout = time.Hour
			late := wire.AgentIDAt(cfg.Rules.Seed, 2)
			at := cfg.Rules.Calendar.First(1)
			var told []*Wait
			begin := time.Now()
			mustRun(t, cfg, Options{Mind: lateMind{newCostly("42"), late, at, after}, Waits: func(w *Wait) { told = append(told, w) }}, 1)
			if len(told) < 1 || told[0] != nil || told[len(told)-1] != nil {
				t.Fatalf("told %v, want nil first and last", told)
			}
			n := 0
			for _, w := range told {
				if w == nil {
					continue
				}
				n++
				if w.Cycle != 1 || w.Tick != at || len(w.Agents) != 1 || w.Agents[0].Agent != late || w.Agents[0].Number != 2 || !w.Agents[0].Since.Equal(begin) {
					t.Errorf("told %+v", w)
				}
			}
			if n < want || n > 2*want {
				t.Errorf("%d times told of a wait of %v, want about %d", n, after, want)
			}
		})
	}
}

// A mind that panics is not waited for any longer.
func TestWaits_EndWithAPanic(t *testing.T) {
	cfg := testConfig("42", 3)
	e, err := Start(t.Context(), cfg, Options{Store: newMemStore(), Mind: &moody{Mind: testMind("42"), tick: cfg.Rules.Calendar.First(1), panic: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(t.Context(), 1); err == nil {
		t.Fatal("nobody panicked")
	}
	if n := len(e.thinker.waits.asked); n != 0 {
		t.Errorf("the run waits for %d minds; want none", n)
	}
}

// One cycle is not several.
func TestInputRecord_DescribesItsCycles(t *testing.T) {
	for n, want := range map[uint64]string{1: "for 1 cycle", 2: "for 2 cycles"} {
		r := inputRecord{Kind: uint8(InputStatus), Status: uint8(wire.StatusDormant), Cycles: n}
		if got := r.description(); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

//go:build !race

package engine

import (
	"maps"
	"math"
	"sync"
	"testing"

	"kingdom/agent"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/wire"
)

// mix counts what all agents of a run sent.
type mix struct {
	mu     sync.Mutex
	counts map[wire.MsgType]float64
	n      float64
}

func (m *mix) Asked(*ooda.Turn, *llm.Prompt)          {}
func (m *mix) Thought(llm.Thought, *ooda.ThinkRecord) {}
func (m *mix) Recorded(*agent.Agent, *wire.Reply)     {}
func (m *mix) Acted(s *ooda.Step) {
	if s.Kind != ooda.StepSend {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[s.Envelope.Type]++
	m.n++
}

// variation is half of the sum of the differences between the shares of two mixes.
func (m *mix) variation(o *mix) (v float64) {
	types := maps.Clone(m.counts)
	maps.Copy(types, o.counts)
	for t := range types {
		v += math.Abs(m.counts[t]/m.n-o.counts[t]/o.n) / 2
	}
	return v
}

// actsOf runs the scenario society for some cycles with some seeds and agents blind to some layers.
func actsOf(t *testing.T, cycles wire.Cycle, seeds []string, blind ...string) *mix {
	t.Helper()
	sc, err := scenarios.Load("society")
	if err != nil {
		t.Fatal(err)
	}
	m := &mix{counts: map[wire.MsgType]float64{}}
	for _, seed := range seeds {
		cfg := testConfig(seed, 24)
		cfg.Rules = sc.WorldRules()
		cfg.Rules.Seed = wire.WorldSeed(seed)
		cfg.Turn = ooda.DefaultRules(cfg.Rules.Seed)
		cfg.Turn.Blind = llm.LayersOf(blind)
		cfg.Genomes = sc.Genomes(cfg.Rules.Seed)
		e, err := Start(t.Context(), cfg, Options{Mind: scripted.New(cfg.Rules.Seed, scripted.Knobs{})})
		if err != nil {
			t.Fatal(err)
		}
		e.tracers = func(*seat) Tracer { return m }
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Every layer of memory decides something: what agents do changes if they are blind to it. A layer that nothing reads would
// change nothing. Whether the change is more than that of other seeds takes more of them, see kingdom society ablate.
func TestEngine_EachLayerMovesWhatAgentsDo(t *testing.T) {
	const least = 0.02
	seeds := []string{"1", "2"}
	sighted := actsOf(t, 10, seeds)
	for _, layer := range llm.LayerNames() {
		v := sighted.variation(actsOf(t, 10, seeds, layer))
		t.Logf("blind to %s: %.3f", layer, v)
		if v < least {
			t.Errorf("agents that are blind to %s do nearly the same: a share of %.3f of their acts differs, want at least %v", layer, v, least)
		}
	}
}

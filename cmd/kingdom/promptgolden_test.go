package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kingdom/engine"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/scenarios"
	"kingdom/wire"
)

// rounds are the cycles whose first prompts are looked at.
var rounds = []wire.Cycle{1, 10, 30}

// collector is the scripted mind, and renders the prompts of a run: the first of each agent in
// each of the rounds, and the length of all.
type collector struct {
	engine.Mind
	mu      sync.Mutex
	first   map[string]firstPrompt // by agent and round
	systems map[string]bool        // the different system messages
	lengths []int
}

// firstPrompt is the first prompt of an agent in a round, or after it if the agent slept then.
type firstPrompt struct {
	cycle        wire.Cycle
	system, user string
}

func (c *collector) Recomputable(wire.Cycle) bool { return true }

func (c *collector) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := openai.Model{MaxOutput: llm.DefaultMaxTokens, Output: openai.OutputPrompt}
	system, user := m.Messages(p)
	c.systems[string(system)] = true
	for _, r := range rounds {
		key := fmt.Sprintf("%s %d", p.Alias, r)
		if _, has := c.first[key]; !has && p.Cycle >= r {
			c.first[key] = firstPrompt{p.Cycle, string(system), string(user)}
		}
	}
	if p.Cycle <= rounds[len(rounds)-1] {
		c.lengths = append(c.lengths, llm.Tokens(len(system)+len(user)))
	}
	return c.Mind.Think(ctx, p)
}

// collected is the run whose prompts the tests look at: epoch0, seed 42, 30 cycles, and ten more for an agent that sleeps then.
var collected = sync.OnceValues(func() (*collector, error) {
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		return nil, err
	}
	c := &collector{Mind: offlineMind(sc), first: map[string]firstPrompt{}, systems: map[string]bool{}}
	eng, err := engine.Start(context.Background(), config(sc), engine.Options{Mind: c})
	if err != nil {
		return nil, err
	}
	defer eng.Close()
	_, err = eng.Run(context.Background(), rounds[len(rounds)-1]+10)
	return c, err
})

// TestCLI_GoldenPrompts shows what a model is told: one agent of each role at the beginning of
// the cycles 1, 10 and 30, or when it wakes after that, and the system message that all have in common in the last one. The files are read
// by people: from each alone one can say who the agent is, what it wants and why, what it just
// learned, what it may do, and what would be wise.
func TestCLI_GoldenPrompts(t *testing.T) {
	c, err := collected()
	if err != nil {
		t.Fatal(err)
	}
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		t.Fatal(err)
	}
	systems := map[wire.Cycle]string{} // by round: all agents of a round have equal rights
	for _, index := range []uint64{1, 3, 5, 6, 7} {
		id := agentID(sc, index)
		for _, r := range rounds {
			m, ok := c.first[fmt.Sprintf("%s %d", id.Alias(), r)]
			if !ok {
				t.Fatalf("agent %d has no thought from cycle %d on", index, r)
			}
			if m.cycle == r && systems[r] == "" {
				systems[r] = m.system
			}
			if m.cycle == r && m.system != systems[r] {
				t.Errorf("agent %d is told other rules in cycle %d: agents of equal rights have one system message", index, r)
			}
			role := strings.ToLower(sc.Genomes(sc.WorldSeed())[index-1].Role.String())
			golden.File(t, filepath.Join("testdata", "prompts", fmt.Sprintf("%s-%02d.txt", role, r)), m.user)
		}
	}
	golden.File(t, filepath.Join("testdata", "prompts", "system.txt"), systems[rounds[len(rounds)-1]])
}

// TestPrompts_AreShortAndShareTheirPrefix: about eight thousand tokens in a world that reaches epoch 3, of which two fifths and
// more are the same for all agents, so that a provider reads them from its cache.
func TestPrompts_AreShortAndShareTheirPrefix(t *testing.T) {
	c, err := collected()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.systems) > 4 { // what agents may do changes with the epoch, with nothing else
		t.Errorf("%d different system messages in a run of the epochs 0 to 3", len(c.systems))
	}
	sum, most := 0, 0
	for _, n := range c.lengths {
		sum, most = sum+n, max(most, n)
	}
	mean := sum / len(c.lengths)
	system := ""
	for s := range c.systems {
		if system == "" || len(s) < len(system) {
			system = s
		}
	}
	share := 100 * llm.Tokens(len(system)) / mean
	t.Logf("%d prompts: mean %d tokens, longest %d; system message %d tokens, %d %% of the mean", len(c.lengths), mean, most, llm.Tokens(len(system)), share)
	if own := mean * (100 - share) / 100; own > llm.UsualUser || own < llm.LeastUser {
		t.Errorf("what an agent is told of itself takes %d tokens in the mean; llm says at least %d and usually %d", own, llm.LeastUser, llm.UsualUser)
	}
	if mean < 5000 || mean > 8000 || most > 11000 || share < 40 {
		t.Errorf("mean %d tokens, longest %d, shared %d %%; want 5,000 to 8,000, at most 11,000, at least 40 %%", mean, most, share)
	}
}

package adversary

import (
	"context"
	"fmt"
	"slices"

	"kingdom/llm"
	"kingdom/wire"
)

// Mind thinks for agents that follow one strategy and know each other.
type Mind struct {
	strategy *Strategy
	circle   []wire.AgentID // all accomplices, in spawn order
}

// New returns the mind of a strategy for agents that have these accomplices; the list may contain the agents
// themselves. It returns an error if there is no strategy of that name.
func New(name string, accomplices []wire.AgentID) (*Mind, error) {
	s := find(name)
	if s == nil {
		return nil, fmt.Errorf("adversary %q: there is no such strategy; want one of %v", name, Names())
	}
	return &Mind{strategy: s, circle: slices.Clone(accomplices)}, nil
}

// Recomputable returns true: the same prompt always gives the same thought, so thoughts need not be recorded.
func (m *Mind) Recomputable(wire.Cycle) bool { return true }

// ModelPrefix is what the names of strategies begin with in logs.
const ModelPrefix = "adversary:"

// Model returns the name of the strategy in logs.
func (m *Mind) Model() string { return ModelPrefix + m.strategy.Name }

// Think answers a prompt. It never fails and never waits.
func (m *Mind) Think(_ context.Context, p *llm.Prompt) (llm.Thought, error) {
	th := llm.Thought{Outcome: llm.Answered, Model: m.Model()}
	if p.Sight.View == nil || p.Try > 0 {
		th.Text = []byte(`{"action":"nop","params":{},"reasoning":"it sees nothing"}`)
		return th, nil
	}
	s := newSlot(m, p)
	for _, e := range p.Sight.Missed {
		s.handleEvent(e)
	}
	for _, e := range s.view.Events {
		s.handleEvent(e)
	}
	th.Text = s.answer(s.choose())
	th.OutputTokens = uint64(llm.BudgetTokens(len(th.Text)))
	return th, nil
}

// choose returns the move of the strategy, else the first job of the agenda that is open, else one for a documentation
// bounty, else a look at its own balance: an agent that does nothing for ten slots falls asleep.
func (s *slot) choose() move {
	if m, ok := s.mind.strategy.nextMove(s); ok && s.isOpen(m.action) {
		return m
	}
	for len(s.agenda) > 0 {
		j := s.agenda[0]
		s.agenda = s.agenda[1:]
		if m := s.moveOf(j); s.isOpen(m.action) {
			return m
		}
	}
	if m, ok := s.answerGaps(); ok && s.isOpen(m.action) {
		return m
	}
	return move{"balance_query", &wire.BalanceQuery{AgentID: s.ID}, "waits"}
}

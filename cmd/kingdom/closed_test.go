//go:build unix && !race

package main

import (
	"context"
	"testing"

	"kingdom/engine"
	"kingdom/goals"
	"kingdom/scenarios"
	"kingdom/wire"
)

// closings is an [engine.Observer] that notes for which goal each act was, and when the subjects of goals were closed
// to all agents.
type closings struct {
	acts    map[wire.Hash][]wire.Tick // by goal
	subject map[wire.Hash]wire.Hash   // of goals that ended
	closed  map[wire.Hash]wire.Tick   // bounties and proposals
	last    wire.Tick
}

// Commit implements engine.Observer.
func (x *closings) Commit(c *engine.Commit) {
	x.last = c.Tick
	for i := range c.Seats {
		s := &c.Seats[i]
		if n := len(s.Thinks); s.Type != 0 && n > 0 && s.Thinks[n-1].Goal != nil {
			goal := s.Thinks[n-1].Goal.ID
			x.acts[goal] = append(x.acts[goal], c.Tick)
		}
		for _, e := range s.Satisfaction {
			x.ended(e)
		}
	}
	x.read(c.Events)
}

// Cycle implements engine.Observer.
func (x *closings) Cycle(r *engine.CycleReport) {
	for _, e := range r.Ended {
		x.ended(e.Satisfaction)
	}
	x.read(r.Events)
}

func (x *closings) ended(e goals.Satisfaction) { x.subject[e.Goal] = e.Subject }

func (x *closings) read(events []*wire.Event) {
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *wire.BountyCompletedEvent:
			x.closed[p.BountyID] = e.Timestamp
		case *wire.BountyExpiredEvent:
			x.closed[p.BountyID] = e.Timestamp
		case *wire.ProposalResult:
			x.closed[p.ProposalID] = e.Timestamp
		}
	}
}

// Nobody works on what is over: no act serves a goal whose bounty or proposal was closed before its
// tick, whomever its agent follows.
func TestVillage_NoActServesWhatIsClosed(t *testing.T) {
	sc, err := scenarios.Load("village")
	if err != nil {
		t.Fatal(err)
	}
	x := &closings{acts: map[wire.Hash][]wire.Tick{}, subject: map[wire.Hash]wire.Hash{}, closed: map[wire.Hash]wire.Tick{}}
	cfg := config(sc)
	cfg.SignaturesLazy = true
	eng, err := engine.Start(context.Background(), cfg, engine.Options{Mind: offlineMind(sc), Observers: []engine.Observer{x}, Queue: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eng.Run(context.Background(), 6); err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	about, late := 0, 0
	for goal, subject := range x.subject { //house:sorted counts
		at, ok := x.closed[subject]
		if !ok {
			continue
		}
		for _, act := range x.acts[goal] {
			if about++; act > at {
				late++
			}
		}
	}
	if late > 0 || about < 50 || x.last == 0 {
		t.Errorf("%d of %d acts for bounties and proposals that ended were after their end, want none of many", late, about)
	}
	t.Logf("%d acts for goals about %d things that ended", about, len(x.closed))
}

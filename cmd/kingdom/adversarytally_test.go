//go:build unix && !race

package main

import (
	"context"
	"slices"
	"testing"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/wire"
	"kingdom/wire/action"
)

// tally counts in a run what adversaries got and what they kept from others. It implements
// [engine.Observer].
type tally struct {
	honest   map[wire.AgentID]bool
	strategy map[wire.AgentID]string // of adversaries

	circle    map[wire.AgentID]string // the coalition of an adversary and of those it sponsored
	words     words
	role      map[wire.AgentID]wire.Role
	drawn     map[wire.AgentID]uint64  // ⚡ from the treasury, of whatever kind
	drawnFor  map[wire.AgentID]sources // the same by what it was paid for
	net       map[wire.AgentID]int64   // ⚡ that came in less what went out, taxes included
	upkeep    map[wire.AgentID]uint64  // ⚡ paid for living
	locked    map[wire.AgentID]uint64  // ⚡ in escrows that it owns, those of its bounties too
	escrows   map[wire.Hash]*wire.EscrowCreatedEvent
	last      map[wire.AgentID]wire.Cycle // the last in which it had a slot
	due       map[wire.AgentID]uint64     // cycles with a slot at whose end somebody paid upkeep, and it has money
	thoughts  map[wire.AgentID]int
	completed map[wire.AgentID]int      // bounties
	refused   map[string]int            // reasons of failed queries of honest agents
	queries   int                       // of honest agents
	acts      map[string]map[string]int // by strategy: how often "action" or "action: reason of its refusal"
	treasury  []int64                   // at the ends of cycles 0, 1, …
	paid      uint64                    // ⚡ of rewards, by the economy reports
	forfeited uint64                    // ⚡ of rewards that the pool did not hold
	rewards   uint64                    // ⚡ paid to anybody from the treasury
	dead      map[wire.AgentID]bool
	born      int
	ticks     uint64
	dropped   uint64

	funnel   *funnel   // how far bounties came
	requests *requests // for reviews

	claims map[wire.Hash]wire.AgentID // bounties that are claimed and not delivered
	held   map[holding][]wire.Cycle   // cycle ends at which they were
}

// sources is ⚡ from the treasury by what they were paid for: bounties, entries (10), reviews (5), bugs (3), votes and
// royalties (1). What rewards are worth tells them apart, as long as nobody votes to change that.
type sources struct{ bounties, entries, reviews, bugs, votes uint64 }

func (s *sources) add(x *wire.TransferCompletedEvent) {
	switch {
	case x.Kind != wire.TransferKindGrant:
		s.bounties += x.Amount
	case x.Amount == 10:
		s.entries += x.Amount
	case x.Amount == 5:
		s.reviews += x.Amount
	case x.Amount == 3:
		s.bugs += x.Amount
	default:
		s.votes += x.Amount
	}
}

type holding struct {
	bounty wire.Hash
	by     wire.AgentID
}

func newTally(honest []wire.AgentID, strategy map[wire.AgentID]string) *tally {
	t := &tally{
		strategy: strategy, circle: map[wire.AgentID]string{}, words: newWords(), honest: map[wire.AgentID]bool{}, role: map[wire.AgentID]wire.Role{}, drawn: map[wire.AgentID]uint64{}, drawnFor: map[wire.AgentID]sources{}, net: map[wire.AgentID]int64{}, thoughts: map[wire.AgentID]int{},
		upkeep: map[wire.AgentID]uint64{}, locked: map[wire.AgentID]uint64{}, escrows: map[wire.Hash]*wire.EscrowCreatedEvent{}, due: map[wire.AgentID]uint64{}, last: map[wire.AgentID]wire.Cycle{}, completed: map[wire.AgentID]int{},
		refused: map[string]int{}, acts: map[string]map[string]int{}, dead: map[wire.AgentID]bool{}, claims: map[wire.Hash]wire.AgentID{}, held: map[holding][]wire.Cycle{},
	}
	for _, id := range honest {
		t.honest[id] = true
	}
	t.funnel = newFunnel(t.class)
	t.requests = newRequests(t.honest)
	return t
}

// Commit implements engine.Observer.
func (t *tally) Commit(c *engine.Commit) {
	for i := range c.Seats {
		s := &c.Seats[i]
		t.role[s.Agent] = s.Role
		t.ticks++
		t.thoughts[s.Agent] += len(s.Thinks)
		t.last[s.Agent] = c.Cycle
		row, ok := action.ByType(s.Type)
		switch name := t.strategy[s.Agent]; {
		case s.NOP != nil && name != "":
			t.did(name, "nop")
		case !ok:
		case name != "":
			what := row.Name
			if s.Refused != "" {
				what += ": " + s.Refused
			}
			t.did(name, what)
		case row.Read && t.honest[s.Agent]:
			if t.queries++; s.Refused != "" {
				t.refused[row.Name+" "+s.Refused]++
			}
		}
	}
	for _, x := range c.Changes {
		if name := t.strategy[x.Agent]; name != "" && x.To == wire.StatusDormant {
			t.did(name, "falls asleep")
		}
	}
	t.read(c.Cycle, c.Events)
}

// did counts what an adversary did.
func (t *tally) did(strategy, what string) {
	if t.acts[strategy] == nil {
		t.acts[strategy] = map[string]int{}
	}
	t.acts[strategy][what]++
}

// Cycle implements engine.Observer.
func (t *tally) Cycle(r *engine.CycleReport) {
	t.read(r.Row.Cycle, r.Events)
	if slices.ContainsFunc(r.Events, func(e *wire.Event) bool {
		x, ok := e.Payload.(*wire.TransferCompletedEvent)
		return ok && x.Kind == wire.TransferKindUpkeep
	}) {
		for id, last := range t.last { //house:sorted each has a count of its own
			if last == r.Row.Cycle && t.net[id]+initialBalance > 0 {
				t.due[id]++
			}
		}
	}
	t.treasury = append(t.treasury, r.Metrics.Treasury)
	t.dropped = r.Dropped
	for bounty, by := range t.claims { //house:sorted each has a list of its own
		h := holding{bounty, by}
		t.held[h] = append(t.held[h], r.Row.Cycle)
	}
}

func (t *tally) read(now wire.Cycle, events []*wire.Event) {
	for _, e := range events {
		t.words.read(t.circle, now, e)
		t.funnel.read(e)
		t.requests.read(e)
		switch x := e.Payload.(type) {
		case *wire.TransferCompletedEvent:
			t.net[x.To] += int64(x.Amount)
			t.net[x.From] -= int64(x.Amount + x.Tax)
			if x.Kind == wire.TransferKindUpkeep {
				t.upkeep[x.From] += x.Amount
			}
			if _, system := wire.SystemOf(x.To); x.From == wire.SystemID(wire.SystemMint) && !system {
				t.drawn[x.To] += x.Amount
				s := t.drawnFor[x.To]
				s.add(x)
				t.drawnFor[x.To] = s
				t.rewards += x.Amount
			}
		case *wire.EscrowCreatedEvent:
			t.escrows[x.EscrowID] = x
			t.locked[x.Owner] += x.Amount
		case *wire.EscrowReleasedEvent:
			t.unlock(x.EscrowID)
		case *wire.EscrowRefundedEvent:
			t.unlock(x.EscrowID)
		case *wire.EconomicReport:
			t.paid += x.RewardsPaid
			t.forfeited += x.RewardsForfeited
		case *wire.BountyClaimedEvent:
			t.claims[x.BountyID] = x.Claimer
		case *wire.BountySubmittedEvent:
			delete(t.claims, x.BountyID)
		case *wire.BountyReopenedEvent:
			delete(t.claims, x.BountyID)
		case *wire.BountyExpiredEvent:
			delete(t.claims, x.BountyID)
		case *wire.BountyCompletedEvent:
			delete(t.claims, x.BountyID)
			t.completed[x.Claimer]++
		case *wire.AgentKillEvent:
			t.dead[x.AgentID] = true
		case *wire.AgentSpawnEvent:
			t.born++
			if name, ok := t.circle[x.ParentID]; ok {
				t.circle[x.AgentID] = name
			}
		}
	}
}

// unlock notes that an escrow has ended.
func (t *tally) unlock(id wire.Hash) {
	if x := t.escrows[id]; x != nil {
		t.locked[x.Owner] -= x.Amount
		delete(t.escrows, id)
	}
}

// class says what sort of agent one is.
func (t *tally) class(a wire.AgentID) string {
	switch {
	case wire.IsSystem(a):
		return "system"
	case t.honest[a]:
		return "honest"
	default:
		return "adversary"
	}
}

// longestHold is the most cycle ends of any twenty in a row at which one agent kept one bounty
// from others without a delivery.
func (t *tally) longestHold() int {
	most := 0
	for _, at := range t.held { //house:sorted a maximum
		for first, last := 0, 0; last < len(at); last++ {
			for at[last]-at[first] >= 20 {
				first++
			}
			most = max(most, last-first+1)
		}
	}
	return most
}

// sum adds up what these agents have of something.
func sum[N uint64 | int64 | int](of map[wire.AgentID]N, who []wire.AgentID) (n N) {
	for _, id := range who {
		n += of[id]
	}
	return n
}

// playground is one world of a scenario, in memory.
type playground struct {
	*tally
	honest     []wire.AgentID
	coalitions map[string][]wire.AgentID // by the first strategy of each
	pairs      uint64                    // P
	agents     int
	cpu        float64 // seconds of the process, others' beside it
}

// play runs a scenario and counts.
func play(t *testing.T, sc *scenarios.Scenario, cycles int) playground {
	t.Helper()
	p := playground{coalitions: map[string][]wire.AgentID{}, pairs: sc.WorldRules().PairCycles, agents: int(sc.Agents())}
	strategy := map[wire.AgentID]string{}
	index, all := uint64(1), sc.Coalitions()
	for i := range sc.Population {
		g := &sc.Population[i]
		for range g.Count {
			if g.Adversary == "" {
				p.honest = append(p.honest, agentID(sc, index))
			} else {
				strategy[agentID(sc, index)] = g.Adversary
			}
			index++
		}
		if ids := agentIDsOf(sc, all[i]); g.Adversary != "" && !slices.ContainsFunc(all[:i], func(c []uint64) bool { return slices.Equal(c, all[i]) }) {
			p.coalitions[g.Adversary] = ids
		}
	}
	p.tally = newTally(p.honest, strategy)
	for name, ids := range p.coalitions { //house:sorted each agent is in one
		for _, id := range ids {
			p.circle[id] = name
		}
	}
	p.words.pairs = wire.Cycle(p.pairs)
	cfg := config(sc)
	cfg.SignaturesLazy = true
	before := processCPU(t)
	eng, err := engine.Start(context.Background(), cfg, engine.Options{Mind: offlineMind(sc), Observers: []engine.Observer{p.tally}, Queue: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eng.Run(context.Background(), wire.Cycle(cycles)); err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	p.cpu = (processCPU(t) - before).Seconds()
	if p.dropped > 0 || len(p.treasury) < cycles {
		t.Fatalf("the observer missed %d commits and saw %d cycle ends of %d", p.dropped, len(p.treasury), cycles)
	}
	return p
}

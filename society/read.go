package society

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world/oracle"
)

// Errors of a run that cannot be measured.
var (
	// ErrNoCycle says that a run has not come to the end of a cycle after the bootstrap.
	ErrNoCycle = errors.New("no cycle after the bootstrap has ended")
	// ErrNoAgents says that nobody lives in the run.
	ErrNoAgents = errors.New("it has no agents")
)

// reader reads a run.
type reader struct {
	q      table.Query
	run    *Run
	agents map[wire.AgentID]int
	active map[uint64]uint64      // agents ACTIVE at the end of a cycle
	tags   map[wire.Hash]string   // first tag of an entry
	posted map[agentTick]*Message // what an agent posted at a tick
}

type agentTick struct {
	agent int
	tick  uint64
}

// Read reads a run from its tables. If the store is written at the same time, different tables may be at two
// consecutive cycle ends.
func Read(ctx context.Context, q table.Query, ticksPerCycle uint64) (*Run, error) {
	r := &reader{
		q: q, run: &Run{TicksPerCycle: ticksPerCycle}, agents: map[wire.AgentID]int{}, active: map[uint64]uint64{}, tags: map[wire.Hash]string{}, posted: map[agentTick]*Message{},
	}
	for _, step := range []struct {
		what string
		read func(context.Context) error
	}{
		{"cycles", r.cycles},
		{"agents", r.readAgents},
		{"messages", r.messages},
		{"entries", r.entries},
		{"acts", r.acts},
		{"bounties", r.bounties},
		{"transactions", r.transactions},
		{"proposals", r.proposals},
		{"goals", r.goals},
		{"beliefs", r.beliefs},
		{"events", r.events},
	} {
		if err := step.read(ctx); err != nil {
			return nil, fmt.Errorf("read %s: %w", step.what, err)
		}
	}
	switch {
	case r.run.Last == 0:
		return nil, ErrNoCycle
	case len(r.run.Agents) == 0:
		return nil, ErrNoAgents
	}
	return r.run, nil
}

// each runs a statement, and for each row scans it into dest and calls got.
func (r *reader) each(ctx context.Context, sql string, dest []any, got func() error) error {
	return r.q(ctx, sql, nil, func(c table.Cursor) error {
		for c.Next() {
			if err := c.Scan(dest...); err != nil {
				return err
			}
			if err := got(); err != nil {
				return err
			}
		}
		return c.Err()
	})
}

// agentIndex returns the index of an agent, -1 for systems and unknown ids.
func (r *reader) agentIndex(id []byte) int {
	if len(id) == len(wire.AgentID{}) {
		if i, ok := r.agents[wire.AgentID(id)]; ok {
			return i
		}
	}
	return -1
}

func (r *reader) cycles(ctx context.Context) error {
	var cycle, active, dormant, nops int64
	err := r.each(ctx, "SELECT cycle, active, dormant, nops FROM world.cycles ORDER BY cycle", []any{&cycle, &active, &dormant, &nops}, func() error {
		r.active[uint64(cycle)] = uint64(active)
		r.run.Last = uint64(cycle)
		r.run.Cycles = append(r.run.Cycles, CycleCount{Alive: uint64(active + dormant), Idle: uint64(nops)})
		return nil
	})
	if err != nil {
		return err
	}
	var velocity float64
	err = r.each(ctx, "SELECT cycle, velocity FROM observer.metrics ORDER BY cycle", []any{&cycle, &velocity}, func() error {
		if err := table.CheckCycle("observer.metrics", cycle, math.MaxInt64); err != nil {
			return err
		}
		if cycle < int64(len(r.run.Cycles)) { // a store that is written meanwhile may hold more
			r.run.Cycles[cycle].Velocity = velocity
		}
		return nil
	})
	r.run.addUp()
	return err
}

func (r *reader) readAgents(ctx context.Context) error {
	var id []byte
	var role, status, spawned int64
	var reputation float64
	err := r.each(ctx, "SELECT id, role, spawn_tick, reputation, status FROM nexus.agents ORDER BY spawn_index", []any{&id, &role, &spawned, &reputation, &status}, func() error {
		agent, err := table.ID32[wire.AgentID]("nexus.agents.id", id)
		if err != nil {
			return err
		}
		r.agents[agent] = len(r.run.Agents)
		r.run.Agents = append(r.run.Agents, Agent{ID: agent, Role: wire.Role(role + 1), Spawned: uint64(spawned), Reputation: reputation, Status: wire.AgentStatus(status + 1)})
		return nil
	})
	if err != nil {
		return err
	}
	var amount int64
	return r.each(ctx, "SELECT owner, amount FROM mint.accounts", []any{&id, &amount}, func() error {
		if i := r.agentIndex(id); i >= 0 {
			r.run.Agents[i].Balance = amount
		}
		return nil
	})
}

func (r *reader) messages(ctx context.Context) error {
	var id, author, refs []byte
	var tick, kind int64
	var text string
	err := r.each(ctx, "SELECT id, author, tick, kind, text, refs FROM agora.messages ORDER BY tick, id", []any{&id, &author, &tick, &kind, &text, &refs}, func() error {
		message, err := table.ID32[wire.Hash]("agora.messages.id", id)
		if err != nil {
			return err
		}
		m := Message{ID: message, Author: r.agentIndex(author), Tick: uint64(tick), Kind: wire.MessageKind(kind + 1), Text: text}
		for part := range slices.Chunk(refs, len(wire.Hash{})) {
			if len(part) == len(wire.Hash{}) {
				m.Refs = append(m.Refs, wire.Hash(part))
			}
		}
		r.run.Messages = append(r.run.Messages, m)
		return nil
	})
	for i := range r.run.Messages {
		m := &r.run.Messages[i]
		r.posted[agentTick{m.Author, m.Tick}] = m
	}
	return err
}

var entryCodec = codec.New[oracle.Entry]()

func (r *reader) entries(ctx context.Context) error {
	var body []byte
	var e oracle.Entry
	err := r.each(ctx, "SELECT body FROM world.rows WHERE system = "+ordinal(wire.SystemOracle)+" AND tbl = 'entries' ORDER BY key", []any{&body}, func() error {
		if err := entryCodec.Decode(body, &e); err != nil {
			return fmt.Errorf("an entry's row: %w", err)
		}
		h := &e.Head
		out := Entry{ID: h.ID, Author: r.agentIndex(h.Author[:]), Tick: uint64(h.CreatedAt), Title: string(h.Title), Accuracy: float64(h.Accuracy)}
		if len(h.Tags) > 0 {
			out.Tag = string(h.Tags[0])
		}
		r.tags[h.ID] = out.Tag
		r.run.Entries = append(r.run.Entries, out)
		return nil
	})
	slices.SortStableFunc(r.run.Entries, func(a, b Entry) int { return int(int64(a.Tick) - int64(b.Tick)) })
	return err
}

func (r *reader) acts(ctx context.Context) error {
	published := map[agentTick]string{}
	for i := range r.run.Entries {
		e := &r.run.Entries[i]
		published[agentTick{e.Author, e.Tick}] = e.Tag
	}
	var id, action []byte
	var tick, outcome int64
	return r.each(ctx, "SELECT agent_id, tick, action, outcome FROM agent.experiences ORDER BY id", []any{&id, &tick, &action, &outcome}, func() error {
		var act memory.Act
		if memory.DecodeAct(action, &act) != nil {
			return nil // not an act, such as a note of the agent
		}
		o := memory.Outcome(outcome + 1)
		a := Act{
			Agent: r.agentIndex(id), Tick: uint64(tick), Action: act.Action, Domain: act.Domain, Kind: act.GoalKind, Failed: o == memory.OutcomeFailure || o == memory.OutcomePartial,
		}
		if act.Goal != nil {
			a.Goal = *act.Goal
		}
		if act.Subject != nil {
			a.Subject = *act.Subject
		}
		a.Topic = r.tags[a.Subject]
		if a.Action == "entry_publish" {
			a.Topic = published[agentTick{a.Agent, a.Tick}]
		}
		if m := r.posted[agentTick{a.Agent, a.Tick}]; m != nil && a.Action == "msg_post" {
			a.Answer = m.Kind == wire.MessageKindAnswer
			for _, ref := range m.Refs {
				if a.Topic == "" {
					a.Topic = r.tags[ref]
				}
			}
		}
		r.run.Acts = append(r.run.Acts, a)
		return nil
	})
}

func (r *reader) bounties(ctx context.Context) error {
	var id, creator []byte
	var status int64
	return r.each(ctx, "SELECT id, creator, status FROM agora.bounties ORDER BY id", []any{&id, &creator, &status}, func() error {
		bounty, err := table.ID32[wire.Hash]("agora.bounties.id", id)
		if err != nil {
			return err
		}
		r.run.Bounties = append(r.run.Bounties, Bounty{bounty, r.agentIndex(creator), wire.BountyStatus(status + 1)})
		return nil
	})
}

// operatorReason is the reason that Mint gives a transaction of the inputs grant and take.
const operatorReason = "operator"

func (r *reader) transactions(ctx context.Context) error {
	var from, to []byte
	var amount, tax, tick int64
	var reason string
	return r.each(ctx, "SELECT from_id, to_id, amount, tax, tick, reason FROM mint.transactions ORDER BY number", []any{&from, &to, &amount, &tax, &tick, &reason}, func() error {
		r.run.Transactions = append(r.run.Transactions, Transaction{
			From: r.agentIndex(from), To: r.agentIndex(to), Amount: uint64(amount), Tax: uint64(tax), Tick: uint64(tick), Operator: reason == operatorReason,
		})
		return nil
	})
}

func (r *reader) proposals(ctx context.Context) error {
	var author []byte
	var created, status, voters, deadline int64
	return r.each(ctx, "SELECT author, created, status, voters, deadline FROM nexus.proposals ORDER BY id", []any{&author, &created, &status, &voters, &deadline}, func() error {
		r.run.Proposals = append(r.run.Proposals, Proposal{
			r.agentIndex(author), uint64(created), wire.ProposalStatus(status + 1), uint64(voters), r.active[min(r.run.cycle(uint64(deadline)), r.run.Last)],
		})
		return nil
	})
}

func (r *reader) goals(ctx context.Context) error {
	var description []byte
	var status, created int64
	return r.each(ctx, "SELECT description, status, created_at FROM agent.goals WHERE status IN (2, 3) ORDER BY id", []any{&description, &status, &created}, func() error {
		var d goals.Description
		if _, err := goals.DecodeStored(description, &d); err != nil {
			return fmt.Errorf("a goal's description: %w", err)
		}
		r.run.Goals = append(r.run.Goals, Goal{uint64(created), d.Kind.String(), goals.Status(status+1) == goals.StatusCompleted})
		return nil
	})
}

func (r *reader) beliefs(ctx context.Context) error {
	var id, claim []byte
	var confidence float64
	return r.each(ctx, "SELECT agent_id, claim, confidence FROM agent.beliefs ORDER BY id", []any{&id, &claim, &confidence}, func() error {
		var c memory.Claim
		if err := memory.DecodeClaim(claim, &c); err != nil {
			return fmt.Errorf("the claim of a belief: %w", err)
		}
		domain, ok := c.WorkDomain()
		if i := r.agentIndex(id); ok && i >= 0 {
			a := &r.run.Agents[i]
			if a.WorkPays == nil {
				a.WorkPays = map[string]float64{}
			}
			a.WorkPays[domain] = confidence
		}
		return nil
	})
}

// countedKinds are the kinds of events that metrics count.
var countedKinds = []wire.EventKind{
	wire.KindAgentStatusChange, wire.KindReputationUpdated, wire.KindSignalSent, wire.KindBountyCreated, wire.KindBountyClaimed, wire.KindBountyCompleted,
	wire.KindBountyRejected, wire.KindEntryUpdated, wire.KindEntryVerified, wire.KindEntryUpdateRejected, wire.KindCitationAdded, wire.KindAccountCreated,
}

func (r *reader) events(ctx context.Context) error {
	var kinds []string
	for _, k := range countedKinds {
		kinds = append(kinds, strconv.Itoa(int(k)))
	}
	var payload []byte
	var tick, kind int64
	sql := "SELECT tick, kind, payload FROM observer.events WHERE kind IN (" + strings.Join(kinds, ", ") + ") ORDER BY lamport, agent"
	return r.each(ctx, sql, []any{&tick, &kind, &payload}, func() error {
		p, err := wire.DecodePayload(wire.EventKind(kind), payload)
		if err != nil {
			return err
		}
		r.run.Events = append(r.run.Events, Event{uint64(tick), p})
		return nil
	})
}

// ordinal returns the form in which a store has an enum's value.
func ordinal(s wire.System) string { return strconv.Itoa(int(s) - 1) }

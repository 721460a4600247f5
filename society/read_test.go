package society_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/society"
	"kingdom/sql/pgserver"
	"kingdom/sql/postgres"
	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world/mint"
	"kingdom/world/oracle"
)

func TestMain(m *testing.M) { os.Exit(pgserver.Main(m)) }

// known is a cycle with rows whose reading the test knows.
func known() *engine.Batch {
	b := sqltest.Batch(1, 2)
	one, two := sqltest.ID(0), sqltest.ID(1)
	at := b.Cycle.Tick
	entry, tagged := wire.Hash{0xE1}, wire.Hash{0xE2}
	for i := range b.Minds {
		b.Minds[i].Experiences, b.Minds[i].Goals, b.Minds[i].Beliefs = nil, nil, nil
	}
	asker := &b.Minds[0]
	if asker.Memory.AgentID != one {
		asker = &b.Minds[1]
	}
	goal := wire.Hash{0x60}
	act := func(n uint64, tick wire.Tick, outcome memory.Outcome, a memory.Act) agent.ExperienceRow {
		return agent.ExperienceRow{ID: 1<<32 | n, AgentID: one, Tick: tick, Action: memory.AppendAct(nil, &a), Outcome: uint8(outcome) - 1, Lesson: []byte{}}
	}
	asker.Experiences = []agent.ExperienceRow{
		act(1, at-2, memory.OutcomeSuccess, memory.Act{Action: "entry_publish", Domain: "DOCUMENTATION", Goal: &goal}),
		act(2, at-1, memory.OutcomeFailure, memory.Act{Action: "entry_verify", Domain: "REVIEW", Subject: &entry}),
		act(3, at, memory.OutcomeUnknown, memory.Act{Action: "msg_post", Domain: "SOCIAL"}),
		{ID: 1<<32 | 4, AgentID: one, Tick: at, Action: []byte("no act"), Lesson: []byte{}},
	}
	done := goals.Goal{ID: wire.Hash{1}, Status: goals.StatusCompleted, Description: goals.Description{Kind: goals.KindExplore, Domain: action.DomainSocial}}
	ended := goals.Goal{ID: wire.Hash{2}, Status: goals.StatusAbandoned, Ended: "deadline", Description: goals.Description{Kind: goals.KindLearn, Domain: action.DomainSocial}}
	living := goals.Goal{ID: wire.Hash{3}, Status: goals.StatusActive, Description: goals.Description{Kind: goals.KindVote, Domain: action.DomainSocial}}
	for i, c := range []memory.Claim{memory.WorkPays("DESIGN"), {Subject: []byte("acts"), Predicate: "pays"}, {Subject: []byte("work in DESIGN"), Predicate: "works"}} {
		claim := memory.AppendClaim(nil, &c)
		asker.Beliefs = append(asker.Beliefs, agent.BeliefRow{ID: 1<<32 | uint64(7+i), AgentID: one, Claim: claim, Confidence: 0.25, Evidence: []byte{0x90}, FormedAt: at, LastTested: at})
	}
	for _, g := range []*goals.Goal{&done, &ended, &living} {
		asker.Goals = append(asker.Goals, agent.GoalRow{ID: g.ID, AgentID: one, Description: g.AppendDescription(nil), Status: uint8(g.Status) - 1})
	}
	entries := codec.New[oracle.Entry]()
	put := func(id wire.Hash, author wire.AgentID, tick wire.Tick, tags ...[]byte) {
		e := oracle.Entry{Place: 1, Head: wire.OracleEntry{ID: id, Kind: wire.EntryKindPattern, Title: []byte("Tabs"), Author: author, CreatedAt: tick, UpdatedAt: at, Accuracy: 0.25, Tags: tags}}
		b.Rows = append(b.Rows, sqltest.Record(wire.SystemOracle, "entries", id[:], entries, &e))
		b.Bodies[id] = []byte("…")
	}
	put(entry, two, at-7, []byte("go"), []byte("tabs"))
	put(tagged, one, at-2, []byte("loops"))
	message := wire.Message{ID: wire.Hash{0xA1}, Channel: wire.Hash{1}, Author: one, Tick: at, Kind: wire.MessageKindAnswer, Content: []byte("\x81\xA4text\xA4yes!"), References: []wire.Hash{{7}, tagged}}
	row := sqltest.Record(wire.SystemAgora, "messages", binary.BigEndian.AppendUint64(nil, 99), codec.New[wire.Message](), &message)
	row.Chain = true
	paid := mint.Transaction{ID: wire.Hash{5}, From: wire.SystemID(wire.SystemMint), To: two, Amount: 3, Kind: wire.TransferKindGrant, Tick: at}
	pay := sqltest.Record(wire.SystemMint, "transactions", binary.BigEndian.AppendUint64(nil, 99), codec.New[mint.Transaction](), &paid)
	pay.Chain = true
	taken := mint.Transaction{ID: wire.Hash{6}, From: one, To: wire.SystemID(wire.SystemMint), Amount: 4, Kind: wire.TransferKindGrant, Tick: at, Reason: []byte("operator")}
	take := sqltest.Record(wire.SystemMint, "transactions", binary.BigEndian.AppendUint64(nil, 98), codec.New[mint.Transaction](), &taken)
	take.Chain = true
	b.Rows = append(b.Rows, row, take, pay)
	b.Events = append(b.Events, &wire.Event{
		ID: wire.EventID{Lamport: uint64(at)<<32 | 6, Agent: one}, Timestamp: at, Origin: one, System: wire.SystemAgora, Kind: wire.KindSignalSent,
		Payload: &wire.SignalSentEvent{TargetID: message.ID, Author: one, Kind: wire.SignalKindHelpful, Weight: .5, Tick: at},
	})
	return b
}

func TestRead(t *testing.T) {
	pg, err := postgres.Open(t.Context(), pgserver.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Close() })
	lite, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lite.Close() })
	var first *society.Run
	for name, s := range map[string]sqltest.Store{"PostgreSQL": pg, "SQLite": lite} {
		if _, err := society.Read(t.Context(), s.Query, 256); !errors.Is(err, society.ErrNoCycle) {
			t.Errorf("%s: an empty store: %v", name, err)
		}
		zero := sqltest.Batch(0, 2)
		for i := range zero.Minds {
			zero.Minds[i].Beliefs = nil // their claims are none
		}
		for _, b := range []*engine.Batch{zero, known()} {
			if err := s.CommitCycle(t.Context(), b); err != nil {
				t.Fatal(name, err)
			}
		}
		r, err := society.Read(t.Context(), s.Query, 256)
		if err != nil {
			t.Fatal(name, err)
		}
		if first == nil {
			first = r
			check(t, r)
		} else if diff := cmp.Diff(first, r, cmpopts.IgnoreUnexported(society.Run{})); diff != "" {
			t.Errorf("two stores, two runs:\n%s", diff)
		}
	}
}

func check(t *testing.T, r *society.Run) {
	t.Helper()
	equal := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	one, two := sqltest.ID(0), sqltest.ID(1)
	at := uint64(2*256 - 1)
	equal("cycles", []uint64{r.TicksPerCycle, r.Last, r.AgentCycles, r.Idle}, []uint64{256, 1, 5, 6})
	equal("velocity", r.Velocity, 0.125)
	equal("agents", r.Agents, []society.Agent{
		{ID: one, Role: wire.RoleGeneralist, Spawned: 60, Reputation: float64(float32(0.3)), Balance: -7, Status: wire.StatusActive, WorkPays: map[string]float64{"DESIGN": 0.25}}, {ID: two, Role: wire.RoleCompilerSmith, Spawned: 60, Reputation: float64(float32(0.3)), Balance: 1 << 40, Status: wire.StatusDormant},
	})
	var acts []society.Act
	for _, a := range r.Acts {
		if a.Tick >= at-2 {
			acts = append(acts, a)
		}
	}
	equal("acts", acts, []society.Act{
		{Tick: at - 2, Action: "entry_publish", Domain: "DOCUMENTATION", Goal: wire.Hash{0x60}, Topic: "loops"},
		{Tick: at - 1, Action: "entry_verify", Domain: "REVIEW", Subject: wire.Hash{0xE1}, Topic: "go", Failed: true},
		{Tick: at, Action: "msg_post", Domain: "SOCIAL", Answer: true, Topic: "loops"},
	})
	equal("goals", r.Goals, []society.Goal{{Kind: "explore", Completed: true}, {Kind: "learn"}})
	last := r.Transactions[len(r.Transactions)-1]
	equal("transaction", last, society.Transaction{From: -1, To: 1, Amount: 3, Tick: at})
	equal("what an operator takes", r.Transactions[len(r.Transactions)-2], society.Transaction{From: 0, To: -1, Amount: 4, Tick: at, Operator: true})
	equal("note", r.Events, []society.Event{{Tick: at, Payload: &wire.SignalSentEvent{TargetID: wire.Hash{0xA1}, Author: one, Kind: wire.SignalKindHelpful, Weight: .5, Tick: wire.Tick(at)}}})
	for i := range r.Messages {
		if m := &r.Messages[i]; m.ID == (wire.Hash{0xA1}) {
			equal("message", *m, society.Message{ID: m.ID, Author: 0, Tick: at, Kind: wire.MessageKindAnswer, Text: "yes!", Refs: []wire.Hash{{7}, {0xE2}}})
		}
	}
	equal("number of messages", len(r.Messages), 3)
	var entries []society.Entry
	for _, e := range r.Entries {
		if e.Tag != "" {
			entries = append(entries, e)
		}
	}
	equal("entries", entries, []society.Entry{
		{ID: wire.Hash{0xE1}, Author: 1, Tick: at - 7, Title: "Tabs", Tag: "go", Accuracy: 0.25}, {ID: wire.Hash{0xE2}, Author: 0, Tick: at - 2, Title: "Tabs", Tag: "loops", Accuracy: 0.25},
	})
	statuses := map[wire.BountyStatus]int{}
	for _, b := range r.Bounties {
		equal("creator", b.Creator, 0)
		statuses[b.Status]++
	}
	equal("bounties", statuses, map[wire.BountyStatus]int{wire.BountyStatusOpen: 2, wire.BountyStatusCompleted: 1})
	equal("proposals", r.Proposals, []society.Proposal{{Author: 1, Tick: 9, Status: wire.ProposalStatusOpen, Voters: 3, Active: 2}})
}

func TestRead_RefusesARunWithoutAgents(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for c := range wire.Cycle(2) {
		b := sqltest.Batch(c, 0)
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := society.Read(t.Context(), s.Query, 256); !errors.Is(err, society.ErrNoAgents) {
		t.Errorf("%v", err)
	}
}

func TestRead_NamesWhatItWasReading(t *testing.T) {
	broken := table.Query(func(context.Context, string, []any, func(table.Cursor) error) error {
		return errors.New("no such table")
	})
	if _, err := society.Read(t.Context(), broken, 256); err == nil || err.Error() != "read cycles: no such table" {
		t.Errorf("%v", err)
	}
}

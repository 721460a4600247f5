// Package engine turns the clock. It is the only owner of the goroutines in which agents
// work and the only caller of minds and stores; everything it drives is a pure machine.
//
// Place in the tick: all of it. open, view, ask, think, journal, act, barrier,
// prepare, commit, record, publish — a file per step — and at the end of a cycle
// settlement, world hash and one Store transaction (docs/ARCHITECTURE.md).
//
// It promises that scenario, seed, recorded thoughts and recorded inputs alone
// decide every hash (docs/DETERMINISM.md); that a thought which was paid for is on
// disk before it is used; that it stops between two ticks or without a trace of the open one, with an error that
// says who, where and what to do; and that Resume goes on from any instant at which
// a process was stopped or killed. It owes its callers no view of a tick under way:
// observers see commits, everybody else waits for a boundary.
//
// Three rules keep it simple. Within a phase an agent's state belongs to the worker that
// took it and the world is read-only; at a barrier everything belongs to the engine's
// goroutine. Results lie in the agents' seats, so the order of their arrival is
// forgotten. What was recorded is executed again, never trusted: each tick and
// cycle is compared with its record.
//
// The way from TICK_ALLOC to the stored row is cycle.go, tick.go, ask.go, think.go, act.go,
// commit.go, flush.go; crew.go holds who may touch an agent, runjournal.go what is recorded
// and compared, inputs.go what comes from outside.
package engine

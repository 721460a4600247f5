// Package engine runs a world: it advances the clock, lets the agents act, commits their requests and writes each
// cycle to the store. It owns all goroutines in which agents work and is the only caller of minds and stores.
// Everything else that takes part in a tick is a pure state machine.
//
// The steps of a tick are open, view, ask, think, journal, act, barrier, prepare, commit, read, record and publish. A
// cycle ends with settlement, the world hash and one transaction of the [Store] (docs/ARCHITECTURE.md).
//
// The package promises:
//
//   - Scenario, seed and what is recorded of a run (thoughts, inputs, answers from outside) alone decide every hash
//     (docs/DETERMINISM.md).
//   - A thought that cannot be recomputed is on disk before it is used, so it is never paid for twice.
//   - A run stops only between two ticks: an open tick is abandoned as a whole. The error says what happened where
//     and what to do.
//   - [Resume] continues a run after its process was stopped or killed at any moment.
//   - Nobody sees a tick under way: observers see commits, other callers wait for the boundary between two ticks.
//
// Within a phase of a tick an agent's state belongs to the worker that took the agent, and the world is read-only.
// After the barrier everything belongs to the engine's goroutine. What the engine keeps of an agent is its seat, results
// of the agent's slot included, so the order in which they arrive has no effect. Recorded ticks and cycles are executed
// again and compared with the record; they are never just trusted.
//
// To read the code from TICK_ALLOC to the stored row, follow cycle.go, tick.go, ask.go, think.go, act.go, commit.go
// and flush.go. agentpool.go decides who may touch an agent, runjournal.go records and compares, inputs.go handles
// inputs from outside.
package engine

// Package kingdom is a guide to the code; it contains none itself.
//
// Kingdom simulates populations of LLM-driven agents. A clock gives every agent
// a budget of ticks. In each tick an agent with a slot runs one OODA loop: it
// observes the state of the world before the tick, ranks its goals, decides
// what to ask its mind, acts by one signed envelope to one of the world's
// daemons, and records the result. At the end of a cycle everything that
// changed is written in one transaction, with a hash of the whole world.
// The same engine, scenario, seed and recorded thoughts give the same hashes on
// every machine (docs/DETERMINISM.md).
//
// The packages lie in rings; a package imports only packages of its own ring and
// of lower rings. docs/ARCHITECTURE.md lists them all:
//
//	ring 0  basics     wire, wire/action, wire/traffic, det
//	ring 1  core       goals, memory, agent, llm, ooda, world and below
//	ring 2  runtime    engine
//	ring 3  adapters   llm/scripted, llm/openai, sql/postgres, sql/sqlite, observe
//	ring 4  wiring     scenarios, cmd/kingdom
//
// Start reading at engine/tick.go, which runs one tick, then ooda/turn.go,
// which is one agent's part of a tick, then world/realm, which is the world's part.
package kingdom

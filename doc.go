// Package kingdom is the tour; it holds no code.
//
// Kingdom simulates populations of LLM-driven agents. A clock hands every agent
// a budget of ticks. In each tick an agent with a slot runs one OODA loop: it
// observes the state of the world before the tick, re-ranks its goals, decides
// what to ask its mind, acts by one signed envelope to one of the world's
// daemons, and records what came of it. At the end of a cycle everything the
// agents learned is written in one transaction, with a hash of the whole world.
// The same engine, scenario, seed and recorded thoughts give the same hashes on
// every machine (docs/DETERMINISM.md).
//
// The packages lie in rings; imports only point inward (docs/ARCHITECTURE.md):
//
//	ring 0  words      wire, wire/action, wire/traffic, det
//	ring 1  machines   goals, memory, agent, llm, ooda, world and below
//	ring 2  runtime    engine
//	ring 3  adapters   llm/scripted, llm/openai, sql/postgres, sql/sqlite, observe
//	ring 4  wiring     scenarios, cmd/kingdom
//
// Start reading at engine/tick.go, which sequences one tick, then ooda/turn.go,
// which is one agent's part of it, then world/realm, which is the world's.
package kingdom

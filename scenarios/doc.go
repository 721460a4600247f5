// Package scenarios reads scenario files: which world to create, who lives in it, which minds think and how long the
// run lasts.
//
// One file and one set of overrides give one [Scenario] with all values filled in, or an [Error] that lists every
// problem with its place and what would be right. Nothing is guessed and no key is ignored. The structs of this
// package are the schema: parsing, JSON Schema, the resolved file and the reference page docs/SCENARIOS.md are all
// derived from their field tags.
//
// Nothing of this package runs during a run.
package scenarios

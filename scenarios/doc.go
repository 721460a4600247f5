// Package scenarios reads scenario files: what world to make, who lives in it,
// which minds think and how long the run lasts.
//
// It promises: one file and one set of overrides give one [Scenario], fully
// resolved, or an [Error] that lists every problem with its place and what would
// be right; nothing is guessed and no key is ignored. The structs of this package
// are the schema: parsing, JSON Schema, the resolved file and the reference page
// docs/SCENARIOS.md are all made from their field tags.
//
// Nothing here runs while a world runs.
package scenarios

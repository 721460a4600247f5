// Package observe writes what the engine commits to files for people and programs: the JSON-lines streams
// log/engine.jsonl, log/nop.jsonl, log/dormancy.jsonl, log/goals.jsonl.zst and log/think.jsonl.zst (or think.jsonl),
// and metrics.csv. [Tail] reads the streams, also while a run goes on.
//
// It runs after the publish step of a tick, in the observers' goroutine, and changes nothing in the world. The fields
// of the streams are stable (docs/LOGS.md). A resumed run has no line twice, because the lines of cycles that are
// executed again are removed first. Errors of writing are returned by Close. Commits that the engine dropped because
// observers were slow are missing; the cycle lines have their number.
package observe

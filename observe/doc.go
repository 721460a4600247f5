// Package observe turns what the engine commits into files that people and
// programs read: the JSON-lines streams log/engine.jsonl, log/nop.jsonl,
// log/dormancy.jsonl, log/goals.jsonl.zst and log/think.jsonl.zst (compressed unless asked
// for plain), and metrics.csv; and it reads them back while a run goes on (Tail).
//
// It works after a tick was published, in the observers' goroutine. It
// promises that it changes nothing in the world, that the fields of each stream
// are stable (docs/LOGS.md), and that a resumed run leaves no line twice: lines of
// cycles that are executed again are cut first. What it cannot write it reports
// from Close. It is not told of commits that the engine dropped because observers
// were slow; their number is in the cycle lines.
package observe

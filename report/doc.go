// Package report writes a page about one run, or about several runs or sweeps beside each other: what was planned, what
// happened in words and numbers, whether models answered, charts by cycle, what agents did, the metrics of docs/SOCIETY.md,
// and the commands that give the same world again.
//
// The page is one HTML file without scripts that refers to no other file, so it can be published, printed, or attached to a
// paper as it is. It is a pure function of a [Report]: the same runs give the same bytes on every machine.
package report

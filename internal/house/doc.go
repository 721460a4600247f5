// Package house checks the rules of this repository as tests: which package may import
// which, what the pure core may not use, how float products are written, what
// must be documented. It contains no product code and takes no part in a tick.
// The message of a failed test says why the rule exists (docs/HACKING.md).
package house

// Package house holds the rules of the house as tests: which package may import
// which, what the pure core may not use, how float products are written, what
// must be documented. It contains no product code and takes no part in a tick;
// each rule says why it exists when it fails (docs/HACKING.md).
package house

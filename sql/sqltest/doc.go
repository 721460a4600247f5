// Package sqltest is the suite that every store of a world must pass, and the
// batch it is tried with. Its tests also hold the two stores against each other
// and run the example queries of docs/STORE.md.
//
// The caller owes an empty database per call of fresh, and that a store opened
// again on it finds what was committed.
// Only tests import it.
package sqltest

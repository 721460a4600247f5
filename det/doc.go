// Package det holds deterministic stand-ins for what the core may not use: keyed random
// streams instead of shared generators, sorted keys instead of map order, quantised scores,
// and a portable exponential instead of math.Exp.
//
// Every function here is a pure function of its arguments with the same bits on every
// machine. The algorithms are frozen by golden vectors in the tests, and changing one needs a
// new physics version. Only replacements for calls that the core must not make belong here
// (docs/DETERMINISM.md).
package det

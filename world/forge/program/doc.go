// Package program runs the Starlark programs of Forge: [Compile] compiles a text, [Run] executes it within a budget
// of steps and a quota of memory, and [Link] writes the load lines of a text that uses others.
//
// A run is a pure function of its [Input]. It reads no clock, starts no goroutine and reaches nothing except the
// readers it was given. The same input gives the same result, the same number of steps and the same trace on every
// machine. Readers return the state before the tick. A reader that has an object only on disk returns [ErrMissing]:
// the run stops, Result.Missing names the object, and the caller reads it and runs again.
//
// A [Program] is immutable; several runs of it may go on at the same time.
//
// Nothing that a program does causes a panic or outlives the run: it ends HALTED, or FAULTED with a [Fault] of the
// table in docs/FORGE.md. Only a text that does not compile is a Go error.
package program

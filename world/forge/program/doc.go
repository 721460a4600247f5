// Package program runs the Starlark programs of Forge: [Compile] reads a text, [Run]
// executes it within a budget of steps and a quota of memory, [Link] writes the load lines
// of a text that uses others.
//
// A run is a pure function of its [Input]. It reads no clock, starts no goroutine and
// reaches nothing but the readers it was given; the same input gives the same result, the
// same number of steps and the same trace on every machine. Readers answer from the state
// before the tick. One that has an object only on disk answers [ErrMissing]: the run stops,
// [Result.Missing] names the object, and the caller fetches it and runs again.
//
// A [Program] is immutable; runs of the same program may go on beside each other.
//
// Nothing a program does panics or outlives the run: it ends HALTED, or FAULTED with a
// [Fault] of the table in docs/FORGE.md. Go's errors are left to texts that do not compile.
package program

// Package sqlite keeps a world in one SQLite file. It is an engine.Store.
//
// It promises: a cycle is written whole or not at all; one process writes at a
// time and a second one is told so; readers, also of other processes, see the
// last committed cycle and never wait for the writer. A full disk surfaces as an
// error that is syscall.ENOSPC, with the file at the last committed cycle.
//
// The engine writes to it at cycle ends. The tables are described in docs/STORE.md.
package sqlite

// Package sqlite is an engine.Store that keeps a world in one SQLite file.
//
// A cycle is written as a whole or not at all. One process writes at a time; a second one gets a [*BusyError].
// Readers, also of other processes, see the last committed cycle and never wait for the writer. A full disk is
// reported as an error that is syscall.ENOSPC; the file then has the last committed cycle.
//
// The engine writes at cycle ends. docs/STORE.md describes the tables.
package sqlite

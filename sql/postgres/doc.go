// Package postgres is an engine.Store that keeps a world in a PostgreSQL database.
//
// A cycle is written as a whole or not at all. One process writes at a time; a second one gets a [*BusyError].
// Readers see the last committed cycle. No error contains the password of the URL. A full disk is reported as an
// error that is syscall.ENOSPC.
//
// The engine writes at cycle ends. docs/STORE.md describes the tables.
package postgres

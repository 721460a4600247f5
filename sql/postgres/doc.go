// Package postgres keeps a world in a PostgreSQL database. It is an engine.Store.
//
// It promises: a cycle is written whole or not at all; one process writes at a
// time and a second one is told so; readers see the last committed cycle. No
// error holds the password of the URL. A full disk surfaces as an error that is
// syscall.ENOSPC.
//
// The engine writes to it at cycle ends. The tables are described in docs/STORE.md.
package postgres

// Package table says once, for both databases, which rows a cycle writes and how
// they are read back: tables, columns in order, and the queries of engine.Store.
//
// It promises that two stores that were given the same batches hold equal rows
// (but for the wall-clock columns that the schema fills itself). It knows no
// driver: a store brings its own way to write rows and to run a query. The
// tables themselves are made by the files of sql/migrations.
//
// Place in the tick: cycle end, when a store carries out a batch; and before the
// first tick, when a world is loaded.
package table

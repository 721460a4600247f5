// Package table declares, once for both databases, which rows a cycle writes and how they are read back: tables,
// columns in order, and the queries of engine.Store.
//
// Columns of tables from which a world is restored are derived from the fields of the row types (see [Derived]).
// Columns of tables for queries are lines in query.go that read the records of world state. The files of
// sql/migrations create the tables; a test compares them with these declarations.
//
// Two stores that were given the same batches have equal rows, except for the wall-clock columns, which the database
// fills. The package knows no driver: a store has its own way to write rows and to run a query. The package is used
// at a cycle end, when a store writes a batch, and when a world is loaded before its first tick.
package table

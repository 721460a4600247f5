// Package table says once, for both databases, which rows a cycle writes and how
// they are read back: tables, columns in order, and the queries of engine.Store.
//
// Columns of what is restored follow from the fields of the row types (see [Derived]);
// columns for queries are lines over the records of world state (query.go). The tables
// themselves are made by the files of sql/migrations; a test compares the two.
//
// It promises that two stores that were given the same batches hold equal rows
// (but for the wall-clock columns that the schema fills itself). It knows no
// driver: a store brings its own way to write rows and to run a query. It is used at
// cycle end, when a store carries out a batch, and when a world is loaded before its first tick.
package table

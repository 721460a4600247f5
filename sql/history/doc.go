// Package history compresses the rows that a world only ever adds (experiences, ended plans and goals, records of
// append-only tables, events) into blobs, and reads them back.
//
// A [Writer] takes the rows of one table of one cycle and makes blobs of some 64 KiB before compression. Inside a
// blob the rows form groups, such as those of one agent, so that a reader can skip groups without reading their rows.
// A [Window] says which cycles have the rows that an agent is restored from.
//
// The package knows columns but no database: the store decides where blobs are kept.
package history

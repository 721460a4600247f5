// Package history packs the rows that a world only ever adds to into compressed blobs, and reads
// them back: what an agent did, the plans and goals it has ended, the records of append-only
// tables, and events.
//
// A [Writer] takes the rows of one table of one cycle and makes blobs of some 64 KiB before
// compression. Inside a blob rows lie in groups, such as those of one agent, so that a reader
// passes over the groups that it does not want without reading their rows. A [Window] says which
// cycles hold what a restored agent must remember.
//
// The package knows columns, not databases: where blobs lie is the store's matter.
package history

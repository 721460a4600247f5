// Package migrations holds the versioned schema of a world database, for both
// databases: nothing but embedded SQL files.
//
// It promises that the files of both folders make the same tables, with the columns that
// package table declares. The stores carry them out when they open a database, before the first tick.
//
// A file that has been released is never changed; a change of the schema is a
// new file with the next number in both folders. docs/STORE.md describes the
// tables.
package migrations

import "embed"

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Files holds the migrations: folder "postgres" and folder "sqlite".
func Files() embed.FS { return files }

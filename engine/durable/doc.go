// Package durable replaces files so that a reader finds the old content or the new one, also after a crash, and never a
// part. A replaced file is on disk when the call returns. It is for files that are written seldom, such as run.json,
// snapshots, new journal segments and reports: each call waits for the disk.
package durable

// Package durable replaces files so that a reader finds the old content or the new one,
// also after a crash, and never a part. It is used between ticks only: for run.json,
// snapshots and new journal segments.
package durable

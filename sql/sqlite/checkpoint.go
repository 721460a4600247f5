package sqlite

import "context"

// maxLogPages is the length (64 MB) from which on the write-ahead log is moved into the file. A long log means that
// pages that change in every cycle are written into the file less often.
const maxLogPages = 16000

// checkpoint moves a long write-ahead log into the file until ctx ends. All that was committed
// is safe either way, so an error means only that the next checkpoint has more to do.
func (s *Store) checkpoint(ctx context.Context) {
	s.runCheckpoint(context.WithoutCancel(ctx), "NOOP")
	if s.logPages > s.maxLogPages {
		s.runCheckpoint(ctx, "PASSIVE")
	}
}

// runCheckpoint runs a checkpoint of the given mode and keeps the number of log pages that are left.
func (s *Store) runCheckpoint(ctx context.Context, mode string) {
	var busy, pages, moved int
	if s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved) == nil {
		s.logPages = pages - moved
	}
}

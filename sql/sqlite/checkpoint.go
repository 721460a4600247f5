package sqlite

import "context"

// maxLogPages, 64 MB, is how long the write-ahead log may become: what cycle after cycle
// touches goes into the file less often.
const maxLogPages = 16000

// checkpoint moves a long write-ahead log into the file until ctx ends. All that was committed
// is safe either way, so an error means only that the next checkpoint has more to do.
func (s *Store) checkpoint(ctx context.Context) {
	s.look(context.WithoutCancel(ctx), "NOOP")
	if s.log > s.maxLog {
		s.look(ctx, "PASSIVE")
	}
}

// look runs a checkpoint of the given mode and keeps how much of the log it leaves.
func (s *Store) look(ctx context.Context, mode string) {
	var busy, pages, moved int
	if s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved) == nil {
		s.log = pages - moved
	}
}

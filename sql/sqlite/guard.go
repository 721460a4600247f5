package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// BusyError says that another process has the file open for a run.
type BusyError struct {
	Path string
}

// Error says what to do.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is in use by a process that carries its run on; wait until it ends", e.Path)
}

// guard keeps other processes from running on the same file. The database's own
// locks are held for the length of a commit only, so the guard holds the
// exclusive lock of an empty database beside it, which the system gives back
// however the process ends.
type guard struct {
	db *sql.DB
	tx *sql.Tx
}

func lock(ctx context.Context, path string) (*guard, error) {
	db := open(path+".lock", locking)
	db.SetMaxOpenConns(1)
	// The transaction lives as long as the store, so no context may end it.
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		db.Close()
		if bad := new(sqlite.Error); errors.As(err, &bad) && bad.Code()&0xFF == codes.SQLITE_BUSY {
			return nil, &BusyError{Path: path}
		}
		return nil, fmt.Errorf("lock %s: %w", path, explainLockError(path, err))
	}
	return &guard{db: db, tx: tx}, nil
}

// Lock waits until no other process holds the lock of path, which need not be a database, and takes it. release gives
// it back.
func Lock(ctx context.Context, path string) (release func() error, err error) {
	for {
		g, err := lock(ctx, path)
		var busy *BusyError
		switch {
		case err == nil:
			return g.release, nil
		case !errors.As(err, &busy):
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// lockHeld says whether some process holds the guard of path. A file that is not there is
// held by nobody, and looking makes none.
func lockHeld(ctx context.Context, path string) (bool, error) {
	if _, err := os.Stat(path + ".lock"); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	db := open(path+".lock", probing)
	defer db.Close()
	var n int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&n)
	if bad := new(sqlite.Error); errors.As(err, &bad) && bad.Code()&0xFF == codes.SQLITE_BUSY {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the lock of %s: %w", path, explainLockError(path, err))
	}
	return false, nil
}

func (g *guard) release() error {
	return errors.Join(g.tx.Rollback(), g.db.Close())
}

// explainLockError is explainError for the guard of path, which holds nothing that could be lost.
func explainLockError(path string, err error) error {
	if bad := new(sqlite.Error); errors.As(err, &bad) && (bad.Code()&0xFF == codes.SQLITE_NOTADB || bad.Code()&0xFF == codes.SQLITE_CORRUPT) {
		return fmt.Errorf("%w: %s.lock was changed, and holds no data: if nothing is running there, remove it", err, path)
	}
	if full, failed := filepath.Abs(path); failed == nil && len(full) > maxPath && isRefusedWrite(err) {
		return fmt.Errorf("%w: its full path has %d bytes, and SQLite opens no file whose path has more than %d; use a directory with a shorter path", err, len(full), maxPath)
	}
	return explainError(err)
}

// maxPath is how long the full path of a database may be: SQLite takes 512 bytes, of which it keeps 8 for the ends of other
// names, and the lock has 5 for its own.
const maxPath = 512 - 8 - len(".lock")

// ErrDamaged is in the chain of every error about a database file that SQLite cannot make sense of.
var ErrDamaged = errors.New("the file is damaged, or not a database of kingdom")

// explainError gives SQLite's "database or disk is full" the system's name, and says what to do
// about a damaged file or one that may not be written. Shared memory that cannot grow is a full disk seen from another place.
func explainError(err error) error {
	bad := new(sqlite.Error)
	switch {
	case !errors.As(err, &bad):
		return err
	case bad.Code()&0xFF == codes.SQLITE_FULL, bad.Code() == codes.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	case bad.Code()&0xFF == codes.SQLITE_NOTADB, bad.Code()&0xFF == codes.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w; restore it from a copy", err, ErrDamaged)
	case isRefusedWrite(err):
		return fmt.Errorf("%w: its directory is not there, or this user may not write in it; change its permissions, or use a copy that you own", err)
	}
	return err
}

// isRefusedWrite reports whether SQLite could not open or write a file.
func isRefusedWrite(err error) bool {
	bad := new(sqlite.Error)
	return errors.As(err, &bad) && (bad.Code()&0xFF == codes.SQLITE_CANTOPEN || bad.Code()&0xFF == codes.SQLITE_READONLY)
}

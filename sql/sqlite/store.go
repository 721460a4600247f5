package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// Store is a world in a SQLite file. CommitCycle and Bind must not be called at the same time; reading methods may be
// called at any time.
type Store struct {
	path     string
	write    *sql.DB // one connection; nil when opened for reading
	read     *sql.DB
	prepared *prepared // statements of read
	guard    *guard
	puts     []put

	hasHistory    bool           // the bulk lies in the history
	historyWriter *historyWriter // nil when opened for reading, or when the bulk lies in tables
	archive       archive
	mindArchive   archive // what LoadLiving has read since the last cycle was written: a run needs it for a snapshot, once in many cycles

	logPages    int // pages of the write-ahead log that are not in the file yet
	maxLogPages int // pages from which on the log is moved into the file
}

// Open opens the file for a run, and creates it if it does not exist. It must be new or hold a Kingdom world. If
// another process has it open for a run, the error is a [*BusyError]. tables applies to a new world; an existing one
// keeps its setting.
func Open(ctx context.Context, path string, tables Tables) (*Store, error) {
	g, err := lock(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, guard: g, write: open(path, writing), maxLogPages: maxLogPages}
	s.write.SetMaxOpenConns(1)
	if err := s.prepare(ctx, tables); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, explainError(err)), s.Close())
	}
	s.read = open(path, reading)
	s.prepared = newPrepared(s.read)
	return s, nil
}

// OpenReadOnly opens the world of a running or finished run for reading: only methods that read may be
// called.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	s, err := openReadOnly(ctx, path, reading)
	if err != nil && isRefusedWrite(err) && isStill(ctx, path) {
		return openReadOnly(ctx, path, still)
	}
	return s, err
}

// isStill reports whether the whole database is in its file and nobody is writing it: no run is going on, and its log is empty or
// not there. Only such a file may be read without the files beside it. SQLite makes these even for a reader, which is refused
// where this user may not write, once a program that closed the database has removed them.
func isStill(ctx context.Context, path string) bool {
	if held, err := lockHeld(ctx, path); err != nil || held {
		return false
	}
	log, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && log.Size() == 0
}

func openReadOnly(ctx context.Context, path string, m mode) (*Store, error) {
	s := &Store{path: path, read: open(path, m)}
	s.prepared = newPrepared(s.read)
	made, err := hasTable(ctx, s.read, "world_run") // not in a file of no bytes
	switch {
	case err == nil && !made:
		err = table.ErrNoWorld
	case err == nil:
		err = query(s.read).HoldsWorld(ctx)
	}
	if err == nil {
		s.hasHistory, err = hasHistory(ctx, s.read)
	}
	if err == nil {
		s.archive.bundles, err = hasTable(ctx, s.read, "history_bundles")
		s.mindArchive.bundles = s.archive.bundles
	}
	if err != nil {
		err = fmt.Errorf("open %s for reading: %w", path, explainError(err))
		if f, refused := os.Open(path); errors.Is(refused, fs.ErrPermission) { // SQLite says only that it could not open it
			err = fmt.Errorf("read the database: %w", refused)
		} else if refused == nil {
			_ = f.Close() // nothing was written
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context, tables Tables) error {
	if err := migrate(ctx, s.write); err != nil {
		return err
	}
	for _, t := range table.All() {
		p, err := prepare(ctx, s.write, t)
		if err != nil {
			return err
		}
		s.puts = append(s.puts, p)
	}
	_, begun, err := query(s.write).Last(ctx)
	if err != nil {
		return err
	}
	if s.hasHistory = tables == Later; begun {
		s.hasHistory, err = hasHistory(ctx, s.write)
	}
	s.archive.bundles, s.mindArchive.bundles = s.hasHistory, s.hasHistory
	if err == nil && s.hasHistory {
		s.historyWriter, err = newHistoryWriter(ctx, s.write)
	}
	return err
}

// Bind checks that the file holds the world r. If the store is open for a run and the file is empty, the first commit
// makes it that world. For another world it returns a [*table.WorldError].
func (s *Store) Bind(ctx context.Context, r engine.RunRow) error {
	if err := query(s.read).Bind(ctx, r, s.write == nil); err != nil {
		return fmt.Errorf("bind %s: %w", s.path, explainError(err))
	}
	return nil
}

// CommitCycle writes a whole cycle or nothing.
func (s *Store) CommitCycle(ctx context.Context, b *engine.Batch) error {
	if s.write == nil {
		return fmt.Errorf("commit cycle %d: %s is open for reading only", b.Cycle.Cycle, s.path)
	}
	if err := s.commit(ctx, b); err != nil {
		return fmt.Errorf("commit cycle %d to %s: %w", b.Cycle.Cycle, s.path, explainError(err))
	}
	s.mindArchive.clear()
	s.checkpoint(ctx)
	return nil
}

func (s *Store) commit(ctx context.Context, b *engine.Batch) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	fresh, err := query(tx).Admit(ctx, b)
	if err != nil {
		return err
	}
	if fresh {
		if _, err := tx.ExecContext(ctx, table.Flat(table.InsertRun), table.RunValues(b.Run)...); err != nil {
			return err
		}
	}
	var k *historyCommit
	if s.hasHistory {
		if k, err = s.historyWriter.begin(ctx, tx, b.Cycle.Cycle); err != nil {
			return fmt.Errorf("write history: %w", err)
		}
	}
	for i := range s.puts {
		p := &s.puts[i]
		if err := p.writeBatch(ctx, tx, k, b); err != nil {
			return fmt.Errorf("write %s.%s: %w", p.table.Schema, p.table.Name, err)
		}
	}
	if k != nil {
		if err := k.finish(); err != nil {
			return fmt.Errorf("write history: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if k != nil {
		k.apply()
	}
	return nil
}

// past is where the bulk is read from; nil where it lies in tables.
func (s *Store) past(db database) table.Past {
	if !s.hasHistory {
		return nil
	}
	return &past{packedReader: packedReader{&s.archive, db}}
}

// Load reads the last committed cycle; it returns nil if the file holds no world.
func (s *Store) Load(ctx context.Context) (*engine.Image, error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("load from %s: %w", s.path, explainError(err))
	}
	defer tx.Rollback()
	im, err := query(tx).Load(ctx, s.past(tx))
	if err != nil {
		return nil, fmt.Errorf("load from %s: %w", s.path, explainError(err))
	}
	return im, nil
}

// LoadAgent reads what is stored of one agent.
func (s *Store) LoadAgent(ctx context.Context, id wire.AgentID) (agent.Rows, error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return agent.Rows{}, s.named(fmt.Errorf("load agent %v: %w", id, err))
	}
	defer tx.Rollback()
	r, err := s.prepared.in(tx).LoadAgent(ctx, id, s.past(tx))
	return r, s.named(err)
}

// named adds the file to an error of reading, and explains it; nil if err is nil.
func (s *Store) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.path, explainError(err))
}

// ChainRows calls each with the records from ≤ number < to of an append-only table, in order.
func (s *Store) ChainRows(ctx context.Context, system wire.System, tbl string, from, to uint64, each func(world.Row) error) error {
	if s.hasHistory {
		if err := (&past{packedReader: packedReader{&s.archive, s.prepared}}).chainRows(ctx, system, tbl, from, to, each); err != nil {
			return s.named(fmt.Errorf("read records of %v table %s: %w", system, tbl, err))
		}
		return nil
	}
	return s.named(query(s.prepared).ChainRows(ctx, system, tbl, from, to, each))
}

// Cycles reads the cycle rows from..to, both inclusive.
func (s *Store) Cycles(ctx context.Context, from, to wire.Cycle) ([]engine.CycleRow, error) {
	rows, err := query(s.read).Cycles(ctx, from, to)
	return rows, s.named(err)
}

// Last returns the last committed cycle; ok is false if there is none.
func (s *Store) Last(ctx context.Context) (c wire.Cycle, ok bool, err error) {
	c, ok, err = query(s.read).Last(ctx)
	return c, ok, s.named(err)
}

// CallTotals returns sums over the calls to models in the cycles from the first to the last, by agent and model.
func (s *Store) CallTotals(ctx context.Context, first, last wire.Cycle) ([]table.CallTotal, error) {
	out, err := query(s.read).CallTotals(ctx, first, last)
	return out, s.named(err)
}

// Busy reports whether a process, this one or another, has the file open for a run.
func (s *Store) Busy(ctx context.Context) (bool, error) {
	if s.guard != nil {
		return true, nil
	}
	return lockHeld(ctx, s.path)
}

// Query runs any reading statement in SQLite's dialect.
func (s *Store) Query(ctx context.Context, sql string, args []any, rows func(table.Cursor) error) error {
	return s.named(query(s.read)(ctx, sql, args, rows))
}

// Close closes the store. If an interrupted checkpoint left a write-ahead log that is longer than it should be, the
// log stays beside the file: moving it into the file would take seconds, and the next Open reads it.
func (s *Store) Close() error {
	var errs []error
	handles := []*sql.DB{s.read, s.write} // the last to go moves the log, if it may write
	if s.logPages > s.maxLogPages && s.read.PingContext(context.Background()) == nil {
		slices.Reverse(handles)
	}
	for _, db := range handles {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.guard != nil {
		errs = append(errs, s.guard.release())
	}
	if err := errors.Join(errs...); err != nil && !errors.Is(err, fs.ErrClosed) {
		return fmt.Errorf("close %s: %w", s.path, err)
	}
	return nil
}

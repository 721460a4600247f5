package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// Store is a world in a PostgreSQL database. CommitCycle and Bind must not be called at the same time; reading
// methods may be called at any time.
type Store struct {
	secret secret
	place  place
	write  *pgx.Conn // holds the run lock; nil when opened for reading
	read   *pgxpool.Pool
	tables []insert
}

// Open opens the database of a postgres:// URL for a run. The database must be empty or hold a Kingdom world. If
// another process has it open for a run, the error is a [*BusyError]. With a parameter schema=NAME, all this applies
// to the schema of that name, which is created if it does not exist; everything else in the database is left alone.
func Open(ctx context.Context, url string) (*Store, error) {
	s, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(s.secret.wrap("open PostgreSQL store", err), s.Close())
	}
	return s, nil
}

// OpenReadOnly opens the world of a running or finished run for reading: only methods that read may be
// called.
func OpenReadOnly(ctx context.Context, url string) (*Store, error) {
	s, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	err = s.place.checkExists(ctx, s.read)
	if err == nil {
		err = s.place.query(s.read).HoldsWorld(ctx)
	}
	if err != nil {
		return nil, errors.Join(s.secret.wrap("open PostgreSQL store for reading", err), s.Close())
	}
	return s, nil
}

// errMalformed replaces the error of the URL parser, whose text may contain the password.
var errMalformed = errors.New("read PostgreSQL URL: it is malformed; want postgres://user:password@host:port/database")

func open(ctx context.Context, url string) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errMalformed
	}
	s := &Store{secret: secret(cfg.ConnConfig.Password)}
	if s.place, err = placeOf(cfg.ConnConfig.RuntimeParams); err != nil {
		return nil, s.secret.wrap("read PostgreSQL URL", err)
	}
	if s.read, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, s.secret.wrap("open PostgreSQL store", err)
	}
	return s, nil
}

// start takes the run lock and brings the schema up to date.
func (s *Store) start(ctx context.Context) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.place.prepare(ctx, s.write); err != nil {
		return err
	}
	if err := migrate(ctx, s.write, s.place); err != nil {
		return err
	}
	for _, t := range table.All() {
		s.tables = append(s.tables, prepare(t, s.place))
	}
	return nil
}

// connect opens the writing connection, again if a cancelled commit closed it.
func (s *Store) connect(ctx context.Context) error {
	if s.write != nil && !s.write.IsClosed() {
		return nil
	}
	conn, err := pgx.ConnectConfig(ctx, s.read.Config().ConnConfig)
	if err != nil {
		return err
	}
	if err := lock(ctx, conn, s.place); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	s.write = conn
	return nil
}

// Bind checks that the database holds the world r. If the store is open for a run and the database is empty, the
// first commit makes it that world. For another world it returns a [*table.WorldError].
func (s *Store) Bind(ctx context.Context, r engine.RunRow) error {
	return s.secret.wrap("bind PostgreSQL store", s.place.query(s.read).Bind(ctx, r, s.write == nil))
}

// CommitCycle writes a whole cycle or nothing.
func (s *Store) CommitCycle(ctx context.Context, b *engine.Batch) error {
	op := fmt.Sprintf("commit cycle %d to PostgreSQL", b.Cycle.Cycle)
	if s.write == nil {
		return fmt.Errorf("%s: the store is open for reading only", op)
	}
	return s.secret.wrap(op, s.commit(ctx, b))
}

func (s *Store) commit(ctx context.Context, b *engine.Batch) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	tx, err := s.write.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // does nothing after Commit
	fresh, err := s.place.query(tx).Admit(ctx, b)
	if err != nil {
		return err
	}
	if fresh {
		if _, err := tx.Exec(ctx, s.place.sql(table.InsertRun), table.RunValues(b.Run)...); err != nil {
			return err
		}
	}
	p := pipe{tx: tx}
	for i := range s.tables {
		if err := s.tables[i].write(ctx, &p, b); err != nil {
			return err
		}
	}
	if err := p.flush(ctx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Load reads the last committed cycle; it returns nil if the database holds no world.
func (s *Store) Load(ctx context.Context) (im *engine.Image, err error) {
	err = s.snapshot(ctx, func(q table.Query) error {
		im, err = q.Load(ctx, nil)
		return err
	})
	return im, s.secret.wrap("load from PostgreSQL", err)
}

// LoadAgent reads what is stored of one agent.
func (s *Store) LoadAgent(ctx context.Context, id wire.AgentID) (r agent.Rows, err error) {
	err = s.snapshot(ctx, func(q table.Query) error {
		r, err = q.LoadAgent(ctx, id, nil)
		return err
	})
	return r, s.secret.wrap("read PostgreSQL", err)
}

// snapshot reads one state of the database.
func (s *Store) snapshot(ctx context.Context, read func(q table.Query) error) error {
	tx, err := s.read.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	return read(s.place.query(tx))
}

// ChainRows calls each with the records from ≤ number < to of an append-only table, in order.
func (s *Store) ChainRows(ctx context.Context, system wire.System, tbl string, from, to uint64, each func(world.Row) error) error {
	return s.secret.wrap("read PostgreSQL", s.place.query(s.read).ChainRows(ctx, system, tbl, from, to, each))
}

// Last returns the last committed cycle; ok is false if there is none.
func (s *Store) Last(ctx context.Context) (c wire.Cycle, ok bool, err error) {
	c, ok, err = s.place.query(s.read).Last(ctx)
	return c, ok, s.secret.wrap("read PostgreSQL", err)
}

// CallTotals returns sums over the calls to models in the cycles from the first to the last, by agent and model.
func (s *Store) CallTotals(ctx context.Context, first, last wire.Cycle) ([]table.CallTotal, error) {
	out, err := s.place.query(s.read).CallTotals(ctx, first, last)
	return out, s.secret.wrap("read PostgreSQL", err)
}

// EventCounts returns how many events of each kind there were.
func (s *Store) EventCounts(ctx context.Context) (map[wire.EventKind]uint64, error) {
	out, err := s.place.query(s.read).EventCounts(ctx)
	return out, s.secret.wrap("read PostgreSQL", err)
}

// EventsOf returns the payloads of the events of one kind in a cycle, in the order in which they were emitted.
func (s *Store) EventsOf(ctx context.Context, c wire.Cycle, kind wire.EventKind) ([][]byte, error) {
	out, err := s.place.query(s.read).EventsOf(ctx, c, kind)
	return out, s.secret.wrap("read PostgreSQL", err)
}

// Busy reports whether a process, this one or another, has the database open for a run.
func (s *Store) Busy(ctx context.Context) (held bool, err error) {
	key := uint64(s.place.lockKey())
	err = s.read.QueryRow(ctx, `SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid::BIGINT = $1 AND objid::BIGINT = $2 AND objsubid = 1`, int64(key>>32), int64(key&0xFFFFFFFF)).Scan(&held)
	return held, s.secret.wrap("look at the run lock of PostgreSQL", err)
}

// Cycles reads the cycle rows from..to, both inclusive.
func (s *Store) Cycles(ctx context.Context, from, to wire.Cycle) ([]engine.CycleRow, error) {
	rows, err := s.place.query(s.read).Cycles(ctx, from, to)
	return rows, s.secret.wrap("read PostgreSQL", err)
}

// Query runs any reading statement.
func (s *Store) Query(ctx context.Context, sql string, args []any, rows func(table.Cursor) error) error {
	return s.secret.wrap("read PostgreSQL", s.place.query(s.read)(ctx, sql, args, rows))
}

// closeWait is how long Close waits for a server that does not answer.
const closeWait = 5 * time.Second

// Close closes the store and releases the run's lock.
func (s *Store) Close() error {
	s.read.Close()
	if s.write == nil || s.write.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	return s.secret.wrap("close PostgreSQL store", errors.Join(unlock(ctx, s.write, s.place), s.write.Close(ctx)))
}

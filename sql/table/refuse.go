package table

import (
	"context"
	"errors"
	"fmt"

	"kingdom/engine"
	"kingdom/wire"
)

// WorldError says that a database holds another world than the one to be written or continued.
type WorldError struct {
	Want, Have engine.RunRow
}

// Error says what differs and what to do.
func (e *WorldError) Error() string {
	h, w := e.Have, e.Want
	return fmt.Sprintf("the database holds another world: scenario %s, digest %.8v, seed %s, physics %d, not scenario %s, digest %.8v, seed %s, physics %d; each world needs a database of its own: give an empty one (or a schema of one), or restore that of this run from a copy",
		h.Scenario, h.Digest, h.Seed, h.Physics, w.Scenario, w.Digest, w.Seed, w.Physics)
}

// ErrNoWorld says that a database holds no world.
var ErrNoWorld = errors.New("the database holds no world yet")

// HoldsWorld checks that there is a world to read.
func (q Query) HoldsWorld(ctx context.Context) error {
	have, err := q.Run(ctx)
	if err == nil && have == nil {
		err = ErrNoWorld
	}
	return err
}

// Bind checks that the database holds the world r. An empty database is accepted unless need is set; the first commit
// then makes it that world. For another world it returns a [*WorldError].
func (q Query) Bind(ctx context.Context, r engine.RunRow, need bool) error {
	have, err := q.Run(ctx)
	switch {
	case err != nil:
		return err
	case have == nil && need:
		return ErrNoWorld
	case have != nil && *have != r:
		return &WorldError{Want: r, Have: *have}
	}
	return nil
}

// Admit checks that a batch may follow what is stored: the same world, the next cycle. fresh says that the run row
// has not been written yet.
func (q Query) Admit(ctx context.Context, b *engine.Batch) (fresh bool, err error) {
	have, err := q.Run(ctx)
	if err != nil {
		return false, err
	}
	if have != nil && *have != b.Run {
		return false, &WorldError{Want: b.Run, Have: *have}
	}
	last, ok, err := q.Last(ctx)
	if err != nil {
		return false, err
	}
	if ok && b.Cycle.Cycle != last+1 {
		return false, fmt.Errorf("cycle %d does not follow cycle %d, the last one stored; another process may have written to this database, resume from it", b.Cycle.Cycle, last)
	}
	return have == nil, nil
}

// InsertRun writes the identity of the world.
const InsertRun = `INSERT INTO world.run (scenario, digest, seed, physics) VALUES ($1, $2, $3, $4)`

// RunValues returns the parameters of InsertRun.
func RunValues(r engine.RunRow) []any {
	digest := wire.Hash(r.Digest)
	return []any{r.Scenario, digest[:], r.Seed, int64(r.Physics)}
}

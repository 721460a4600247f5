package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// Resume opens a run at the store's last cycle. Thoughts and inputs that the
// journal holds beyond it are used again. Scenario digest, seed, physics and all
// hashes are checked; a torn last journal record is cut with a warning.
func Resume(ctx context.Context, cfg Config, opt Options) (*Engine, error) {
	e := newEngine(cfg, opt)
	if err := e.resume(ctx, &opt); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) resume(ctx context.Context, opt *Options) error {
	if err := e.cfg.known(); err != nil {
		return err
	}
	img, err := e.image(ctx)
	if err != nil {
		return err
	}
	thoughts, err := e.reopenJournal(&img.Cycle, opt)
	if err != nil {
		return err
	}
	if err := e.restore(ctx, img, thoughts); err != nil {
		return err
	}
	if e.past != nil {
		e.planned = e.past.planned
	}
	e.enqueue()
	e.flush.safe = img.Cycle.Cycle
	if err := e.firstSnapshot(ctx, img); err != nil {
		return err
	}
	return e.card(StatusRunning, nil)
}

// image loads the stored world and checks that it is the one asked for.
func (e *Engine) image(ctx context.Context) (*Image, error) {
	img, err := e.db.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	if img == nil {
		return nil, &MismatchError{What: "store", Want: "a world", Got: "empty", Hint: "start the run first"}
	}
	return img, sameRun(e.cfg.Identity(), img.Run)
}

func sameRun(want, got RunRow) error {
	hint := "give the scenario and seed with which the run was started"
	switch {
	case want.Digest != got.Digest:
		return &MismatchError{What: "scenario digest", Want: want.Digest.String(), Got: got.Digest.String(), Hint: hint}
	case want.Seed != got.Seed:
		return &MismatchError{What: "seed", Want: want.Seed, Got: got.Seed, Hint: hint}
	case want.Physics != got.Physics:
		return &MismatchError{
			What: "physics", Want: strconv.Itoa(int(want.Physics)), Got: strconv.Itoa(int(got.Physics)),
			Hint: "use the kingdom version that wrote the run",
		}
	}
	return nil
}

// reopenJournal checks the journal, cuts a torn end, finds the place behind the
// stored cycle and starts a new segment. It returns the running hash of thoughts there.
func (e *Engine) reopenJournal(row *CycleRow, opt *Options) (wire.Hash, error) {
	if e.dir == "" {
		return wire.Hash{}, nil
	}
	dir, run := filepath.Join(e.dir, journalDir), e.cfg.Identity()
	last, err := checkJournal(dir, run.digest(), true, opt.warn)
	if err != nil {
		return wire.Hash{}, err
	}
	thoughts, err := e.recall(dir, row)
	if err != nil {
		return wire.Hash{}, err
	}
	e.journal, err = openJournal(dir, run.digest(), last+1)
	return thoughts, err
}

// recall opens history behind the end of a cycle that the caller knows.
func (e *Engine) recall(dir string, row *CycleRow) (wire.Hash, error) {
	run := e.cfg.Identity()
	past, err := openHistory(dir, run.digest())
	if err != nil {
		return wire.Hash{}, err
	}
	e.past = past
	rec, err := past.skip(row.Cycle)
	if err != nil {
		return wire.Hash{}, err
	}
	if err := compareCycle(rec.row(), *row); err != nil {
		return wire.Hash{}, fmt.Errorf("store and journal disagree: %w", err)
	}
	return rec.Thoughts, nil
}

// restore puts a world back as it was at a cycle end and checks its hashes.
func (e *Engine) restore(ctx context.Context, img *Image, thoughts wire.Hash) error {
	if err := e.realm.Restore(e.stored(ctx, img), img.Heads); err != nil {
		return fmt.Errorf("restore cycle %d: %w", img.Cycle.Cycle, err)
	}
	if err := e.sameWorld(&img.Cycle); err != nil {
		return err
	}
	if err := e.seatAll(img.Minds); err != nil {
		return fmt.Errorf("restore cycle %d: %w", img.Cycle.Cycle, err)
	}
	if got := e.agentsHash(); got != img.Cycle.AgentsHash {
		return &DivergenceError{Cycle: img.Cycle.Cycle, Component: "agents_hash of the stored rows", Want: img.Cycle.AgentsHash.String(), Got: got.String()}
	}
	row := img.Cycle
	e.cycle, e.open, e.last, e.now = row.Cycle, row.Cycle, row, row.Tick
	e.agentTicks, e.nops, e.inputSeq, e.thoughts = row.AgentTicks, row.NOPs, row.InputSeq, thoughts
	e.warnings, e.slept = row.Warnings, row.Slept
	return nil
}

// stored hands over the rows of an image, then, from the store, the records of the
// append-only tables that a daemon indexes.
func (e *Engine) stored(ctx context.Context, img *Image) func(load func(world.Row) error) error {
	return func(load func(world.Row) error) error {
		for _, r := range img.Rows {
			if err := load(r); err != nil {
				return err
			}
		}
		for _, h := range img.Heads {
			if !e.realm.Needs(h.System, h.Table) {
				continue
			}
			if err := e.db.ChainRows(ctx, h.System, h.Table, 0, h.Count, load); err != nil {
				return err
			}
		}
		return nil
	}
}

// sameWorld compares the restored daemons with the components of a cycle row.
func (e *Engine) sameWorld(row *CycleRow) error {
	for i, s := range [7]*world.State{
		0: e.realm.Nexus().State(), 2: e.realm.Agora().State(), 3: e.realm.Oracle().State(), 5: e.realm.Mint().State(),
	} {
		var got wire.Hash // zero where there is no daemon
		if s != nil {
			got = s.Hash()
		}
		if got != row.Components[i] {
			return &DivergenceError{Cycle: row.Cycle, Component: components[i] + " of the stored rows", Want: row.Components[i].String(), Got: got.String()}
		}
	}
	return nil
}

// seatAll restores every agent of the roster, in spawn order.
func (e *Engine) seatAll(minds []agent.Rows) error {
	at := make(map[wire.AgentID]*agent.Rows, len(minds))
	for i := range minds {
		if minds[i].State != nil {
			at[minds[i].State.AgentID] = &minds[i]
		}
	}
	ids := e.realm.Agents()
	bySpawn := make([]wire.AgentID, len(ids))
	for _, id := range ids {
		bySpawn[e.realm.Agent(id).SpawnIndex-1] = id
	}
	for _, id := range bySpawn {
		r := e.realm.Agent(id)
		rows := at[id]
		if rows == nil {
			return &agent.Error{Kind: agent.KindSerialization, Agent: id, Err: errors.New("the store holds no rows of it")}
		}
		a, err := agent.Restore(agent.NewIdentity(e.cfg.Rules.Seed, r.SpawnIndex, r.SpawnTick, r.Genome), e.cfg.Limits, *rows)
		if err != nil {
			return err
		}
		s := e.admit(a)
		s.hash = a.StateHash()
		s.status = r.Status
		if s.status == wire.StatusDormant {
			e.sleepers++
		}
	}
	return nil
}

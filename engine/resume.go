package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// Resume opens a run at the store's last cycle. Thoughts and inputs that the journal has for later cycles are used
// again. It checks scenario digest, seed, physics and all hashes. Then, if the last record of the journal is incomplete,
// it is removed with a warning; a run that cannot go on is left as it is.
func Resume(ctx context.Context, cfg Config, opt Options) (*Engine, error) {
	e := newEngine(cfg, opt, false)
	e.builds = cfg.writtenBy
	if err := e.resume(ctx, &opt); err != nil {
		return nil, errors.Join(e.cfg.withBuilds(e.dir, err), e.Close())
	}
	return e, nil
}

func (e *Engine) resume(ctx context.Context, opt *Options) error {
	if err := e.cfg.CheckPhysics(e.dir); err != nil {
		return err
	}
	img, err := loadImage(ctx, e.db, e.cfg.Identity())
	if err != nil {
		return err
	}
	run := e.cfg.Identity()
	if e.dir != "" {
		if err := e.journal.reopen(e.dir, run.digest(), &img.Cycle); err != nil {
			return err
		}
		e.inputs.planned, e.inputs.files.applied = e.journal.history.planned, e.journal.history.items
	}
	if err := e.restore(ctx, img); err != nil {
		return err
	}
	if err := checkChains(ctx, e.db, e.realm, img); err != nil {
		return err
	}
	if e.dir != "" { // only now is it certain that the run goes on
		if err := e.journal.extend(e.dir, run.digest(), opt.warn); err != nil {
			return err
		}
	}
	if img.Cycle.BusHash.IsZero() {
		opt.warn("the run was written by a version that stored no hash of undelivered messages; the tables bus.* are not checked")
	}
	e.inputs.queuePlanned(e.cfg.Planned)
	e.flush.last = img.Cycle.Cycle
	if err := e.tidySnapshots(ctx, img); err != nil {
		return err
	}
	return e.writeRunFile(StatusRunning, nil)
}

// loadImage loads the stored world and checks that it is the one asked for.
func loadImage(ctx context.Context, db Store, run RunRow) (*Image, error) {
	img, err := db.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	if img == nil {
		return nil, &MismatchError{What: "store", Want: "a world", Got: "empty", Hint: "start the run first"}
	}
	return img, sameRun(run, img.Run)
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

// restore restores the world of a cycle end and checks its hashes. It drops rows of the image as soon as they are used:
// those of a large population take as much memory as the population.
func (e *Engine) restore(ctx context.Context, img *Image) error {
	if err := e.restoreWorld(ctx, img); err != nil {
		return fmt.Errorf("restore cycle %d: %w", img.Cycle.Cycle, err)
	}
	if err := checkComponents(e.realm, &img.Cycle); err != nil {
		return err
	}
	if err := checkBus(e.realm, img); err != nil {
		return err
	}
	img.Rows = nil
	if err := e.restoreAgents(img.Minds); err != nil {
		return fmt.Errorf("restore cycle %d: %w", img.Cycle.Cycle, err)
	}
	if got := agentsHash(e.agents.ascending()); got != img.Cycle.AgentsHash {
		return &DivergenceError{Cycle: img.Cycle.Cycle, Stored: true, Component: "agents_hash of the stored rows", Want: img.Cycle.AgentsHash.String(), Got: got.String()}
	}
	row := img.Cycle
	e.cycle, e.open, e.last, e.now = row.Cycle, row.Cycle, row, row.Tick
	e.count = row.counters()
	return nil
}

// storedRows returns an iterator over the rows of an image and, from the store, the records of those append-only tables
// that a daemon indexes.
func storedRows(ctx context.Context, db Store, w *realm.Realm, img *Image) func(load func(world.Row) error) error {
	return func(load func(world.Row) error) error {
		for _, r := range img.Rows {
			if err := load(r); err != nil {
				return err
			}
		}
		for _, h := range img.Heads {
			if !w.Needs(h.System, h.Table) {
				continue
			}
			if err := db.ChainRows(ctx, h.System, h.Table, 0, h.Count, load); err != nil {
				return err
			}
		}
		return nil
	}
}

// restoreWorld restores the world from the rows of a cycle end. Daemons trust their rows, so rows that are missing may make one of
// them panic: what is stored is damaged then, and nothing else is known to be wrong.
func (e *Engine) restoreWorld(ctx context.Context, img *Image) (err error) {
	var reading error // of the store, which says itself what to do
	defer func() {
		if p := caught(recover()); p != nil {
			err = p.err()
		}
		if err != nil && reading == nil {
			err = &RowsError{err}
		}
	}()
	stored := storedRows(ctx, e.db, e.realm, img)
	return e.realm.Restore(func(load func(world.Row) error) error {
		var refused error
		err := stored(func(r world.Row) error {
			refused = load(r)
			return refused
		})
		if refused == nil {
			reading = err
		}
		return err
	}, img.Heads)
}

// checkComponents compares the hashes of the restored daemons with those of a cycle row.
func checkComponents(r *realm.Realm, row *CycleRow) error {
	for i, got := range r.Components() {
		if got != row.Components[i] {
			return &DivergenceError{Cycle: row.Cycle, Stored: true, Component: components[i] + " of the stored rows", Want: row.Components[i].String(), Got: got.String()}
		}
	}
	return nil
}

// restoreAgents restores every agent of the roster, in spawn order, and clears its rows.
func (e *Engine) restoreAgents(minds []agent.Rows) error {
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
			return &agent.Error{Kind: agent.KindSerialization, Agent: id, Err: errors.New("the store holds no rows of this agent")}
		}
		a, err := agent.Restore(agent.NewIdentity(e.cfg.Rules.Seed, r.SpawnIndex, r.SpawnTick, r.Genome), e.cfg.Limits, *rows)
		if err != nil {
			return err
		}
		*rows = agent.Rows{}
		e.births.addName(a)
		s := newSeat(a, &e.cfg.Turn)
		e.agents.add(s)
		s.hash = a.StateHash()
		s.status = r.Status
		e.wakes.countStatus(0, r.Status)
	}
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kingdom/engine"
	"kingdom/engine/durable"
	"kingdom/scenarios"
)

// sweepFileName is the file that marks the directory of a sweep.
const sweepFileName = "sweep.json"

// sweepFile is sweep.json: what the runs of a sweep have in common. It is written when the
// sweep begins and whenever a command adds seeds or cycles.
type sweepFile struct {
	Scenario string       `json:"scenario"`
	Digest   string       `json:"scenario_digest"` // hex; of all runs, since the seed is not part of it
	Seeds    []string     `json:"seeds"`
	Set      []string     `json:"set"`    // as given by --set
	Cycles   uint64       `json:"cycles"` // last cycle that was requested
	Physics  uint32       `json:"physics"`
	Store    string       `json:"store"`                 // URL without secrets
	Budget   *float64     `json:"budget_usd,omitempty"`  // of all runs together
	Portal   string       `json:"portal,omitempty"`      // of runs that have not begun; none: the scenario says it, or of a fork the run that is forked
	Forked   *sweepOrigin `json:"forked_from,omitempty"` // nil: its runs began with their bootstrap

	cyclesGiven bool // --cycles was given
}

// sweep is a directory of runs of one scenario, one for each seed.
type sweep struct {
	dir     string
	file    sweepFile
	sc      *scenarios.Scenario // of all runs, except for the seed
	runs    []*sweepRun         // in the order of the seeds
	only    []string            // seeds that the command asks for; nil: all
	isNew   bool                // its directory is new
	warns   bool                // the command has a scenario to warn of
	shorter bool                // the command asks for fewer cycles than the one before
}

// openSweep reads the sweep of a directory.
func openSweep(dir string) (*sweep, error) {
	const remedy = "restore it from a copy, or sweep anew with another --out"
	path, s := filepath.Join(dir, sweepFileName), &sweep{dir: dir}
	err := readJSON(path, remedy, &s.file)
	if err != nil {
		return nil, err
	}
	if len(s.file.Seeds) == 0 {
		return nil, damagedJSONError(path, remedy)
	}
	if s.sc, err = recordedScenario(dir); err != nil {
		return nil, err
	}
	if got := s.sc.Digest().String(); got != s.file.Digest {
		return nil, usagef("%s was changed: its scenario digest is %s, the sweep was begun with %s; restore it, or begin a new sweep with the change",
			filepath.Join(dir, scenarioFile), got, s.file.Digest)
	}
	return s, nil
}

// isSweep reports whether a directory holds a sweep.
func isSweep(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, sweepFileName))
	return err == nil
}

// openOrNewSweep returns the sweep of a command, a new one or an existing one. If out is empty, its directory is the
// first of base, base-2 and so on that holds the same sweep or does not exist.
func openOrNewSweep(out, base string, sc *scenarios.Scenario, f sweepFile) (*sweep, error) {
	if out != "" {
		s, err := sweepAt(out, sc, f)
		if other, ok := asError[*otherSweepError](err); ok {
			return nil, usage(other)
		}
		return s, err
	}
	for n := 1; ; n++ {
		dir := base
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		s, err := sweepAt(dir, sc, f)
		if !asType[*otherSweepError](err) && !asType[*noSweepError](err) {
			return s, err
		}
	}
}

// noSweepError says that a path exists and is not a sweep, so it must not be overwritten.
type noSweepError struct{ error }

func (e *noSweepError) Unwrap() error { return e.error }

// otherSweepError says that a directory holds the sweep of another scenario, or one of the same that is another fork.
type otherSweepError struct {
	dir         string
	differences []scenarios.Difference // there is A, wanted B; none if only the origins differ
	forked      *sweepOrigin           // of the sweep that is there
}

func (e *otherSweepError) Error() string {
	switch {
	case len(e.differences) > 0:
	case e.forked == nil:
		return fmt.Sprintf("%s holds a sweep of this scenario that is not this fork; choose another --out", e.dir)
	default:
		return fmt.Sprintf("%s holds the fork of %s at cycle %d; kingdom resume %s continues it, or choose another --out", e.dir, e.forked.Sweep, e.forked.Cycle, shellQuote(e.dir))
	}
	var differ []string
	for _, d := range e.differences[:min(3, len(e.differences))] {
		differ = append(differ, fmt.Sprintf("%s is %s there and %s here", d.Path, cmp.Or(d.A, "nothing"), cmp.Or(d.B, "nothing")))
	}
	if more := len(e.differences) - len(differ); more > 0 {
		differ = append(differ, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s holds a sweep of another scenario, or of one with other values (%s): %s; only the seeds, --cycles and what may be spent can change, so choose another --out",
		e.dir, filepath.Join(e.dir, scenarioFile), strings.Join(differ, ", "))
}

// sweepAt returns the sweep of one directory, a new one if the directory does not exist or is empty.
func sweepAt(dir string, sc *scenarios.Scenario, f sweepFile) (*sweep, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &sweep{dir: dir, sc: sc, file: f, isNew: true}, checkOutside(dir)
	case err != nil:
		return nil, fmt.Errorf("open sweep: %w", err)
	case !info.IsDir():
		return nil, &noSweepError{usagef("--out names the sweep's directory, and %s is a file; choose another name", dir)}
	}
	s, err := openSweep(dir)
	if err == nil {
		return s, s.extend(sc, &f)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	inside, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("open sweep: %w", err)
	case len(inside) == 0:
		return &sweep{dir: dir, sc: sc, file: f, isNew: true}, checkOutside(dir)
	}
	if _, err := os.Stat(filepath.Join(dir, runFile)); err == nil {
		return nil, &noSweepError{usagef("%s is the directory of a run; a sweep has a directory of its own with one for each seed in it, so choose another --out", dir)}
	}
	return nil, &noSweepError{usagef("%s is a directory with other things than a sweep in it, such as %s; choose another --out, or empty it", dir, inside[0].Name())}
}

// extend adds the seeds and cycles that a command asks for to an existing sweep. Only the runs of these seeds go on, since
// others may cost money that nobody wanted to spend now.
func (s *sweep) extend(sc *scenarios.Scenario, f *sweepFile) error {
	if f.Digest != s.file.Digest {
		differs := slices.DeleteFunc(scenarios.Differences(s.sc, sc), func(d scenarios.Difference) bool { return d.Path == "seed" })
		return &otherSweepError{dir: s.dir, differences: differs}
	}
	if !f.Forked.is(s.file.Forked) {
		return &otherSweepError{dir: s.dir, forked: s.file.Forked}
	}
	if isPostgres(f.Store) != isPostgres(s.file.Store) && f.Store != "" {
		return usagef("%s keeps its runs in %s; leave --store out, or choose another --out", s.dir, s.file.Store)
	}
	for _, seed := range f.Seeds {
		if !slices.Contains(s.file.Seeds, seed) {
			s.file.Seeds = append(s.file.Seeds, seed)
		}
	}
	s.only = f.Seeds
	s.shorter = f.cyclesGiven && f.Cycles < s.file.Cycles
	if s.shorter || f.Cycles > s.file.Cycles {
		s.file.Cycles = f.Cycles
	}
	if f.Budget != nil {
		s.file.Budget = f.Budget
	}
	if f.Portal != "" {
		s.file.Portal = f.Portal
	}
	return nil
}

// checkShorter returns an error if a sweep that is to be made shorter has a run that is further already.
func (s *sweep) checkShorter(ctx context.Context) error {
	if !s.shorter {
		return nil
	}
	var most *sweepRun
	for _, r := range s.runs {
		if _, _, _, err := r.readState(ctx, s.file.Cycles); err == nil { // a run that cannot be read is told when it is to go on
			r.refreshRow(ctx)
		}
		if most == nil || r.row.cycle.Cycle > most.row.cycle.Cycle {
			most = r
		}
	}
	if at := uint64(most.row.cycle.Cycle); at > s.file.Cycles {
		return usagef("--cycles is %d, but seed %s of %s has reached cycle %d, and runs cannot go back; give --cycles %d or more, or sweep anew with another --out",
			s.file.Cycles, shellQuote(most.seed), s.dir, at, at)
	}
	return nil
}

// plan creates the list of runs from the seeds; store is the location of their databases.
func (s *sweep) plan(store string) error {
	scs, err := withSeeds(s.sc, s.file.Seeds)
	if err != nil {
		return err
	}
	s.runs = make([]*sweepRun, len(scs))
	for i, sc := range scs {
		r := &sweepRun{seed: s.file.Seeds[i], dir: filepath.Join(s.dir, "seed-"+fileNameFrom(s.file.Seeds[i])), sc: sc, store: store}
		if isPostgres(store) {
			if r.store, err = seedSchema(store, r.seed); err != nil {
				return err
			}
		}
		s.runs[i] = r
	}
	return nil
}

// asked returns the runs of the seeds that the command asks for.
func (s *sweep) asked() []*sweepRun {
	if s.only == nil {
		return s.runs
	}
	return slices.DeleteFunc(slices.Clone(s.runs), func(r *sweepRun) bool { return !slices.Contains(s.only, r.seed) })
}

// write writes sweep.json, and the scenario of a new sweep. If that fails, nothing is left of a new sweep, so that the
// same command can be given again.
func (s *sweep) write() error {
	existed := fileExists(s.dir)
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("write sweep: %w", err)
	}
	var err error
	if s.isNew {
		err = durable.WriteBytes(filepath.Join(s.dir, scenarioFile), s.sc.Show())
	}
	if err == nil {
		err = writeJSON(filepath.Join(s.dir, sweepFileName), &s.file)
	}
	if err != nil && s.isNew {
		clearDir(s.dir)
		if !existed {
			_ = os.Remove(s.dir) // if this fails, it is empty
		}
	}
	return err
}

// newSweepFile describes a sweep that is asked for.
func newSweepFile(sc *scenarios.Scenario, seeds, set []string, f *runFlags) sweepFile {
	if set == nil {
		set = []string{}
	}
	return sweepFile{
		Scenario: sc.Name, Digest: sc.Digest().String(), Seeds: seeds, Set: set, Cycles: sc.Cycles,
		Physics: engine.Physics, Store: withoutSecrets(f.store), Portal: wholePortal(f.portal),
	}
}

// anyRun returns the directory of one run of a sweep, as an example in messages.
func anyRun(dir string) string {
	found, err := filepath.Glob(filepath.Join(dir, "*", runFile))
	if err != nil || len(found) == 0 {
		return filepath.Join(dir, "seed-1")
	}
	return filepath.Dir(found[0])
}

// schemaURL returns the URL of a PostgreSQL database with the first part of the names of the sweep's schemas: the one in
// the URL, else the one used before, else one made of the name of the sweep's directory.
func (s *sweep) schemaURL(store string) (string, error) {
	u, err := url.Parse(store)
	if err != nil {
		return "", usagef("--store is no URL; want postgres://user:password@host:port/database")
	}
	before := ""
	if was, err := url.Parse(s.file.Store); err == nil {
		before = was.Query().Get(schemaParam)
	}
	q := u.Query()
	switch given := q.Get(schemaParam); {
	case q.Has(schemaParam) && before != "" && given != before && !s.isNew:
		return "", usagef("%s keeps its runs in schemas %s_seed_…; leave schema=%s out of --store, or choose another --out", s.dir, before, given)
	case q.Has(schemaParam):
	case before != "":
		q.Set(schemaParam, before)
	default:
		name := schemaNameFrom(filepath.Base(s.dir))
		if name[0] >= '0' && name[0] <= '9' {
			name = "_" + name
		}
		q.Set(schemaParam, name)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// schemaParam names the schema of a run in the URL of a PostgreSQL database.
const schemaParam = "schema"

// seedSchema is the URL of a seed's schema.
func seedSchema(store, seed string) (string, error) {
	u, err := url.Parse(store)
	if err != nil {
		return "", usagef("--store is no URL; want postgres://user:password@host:port/database")
	}
	q := u.Query()
	if name := q.Get(schemaParam); name != "" { // an empty name is refused when the store is opened
		q.Set(schemaParam, name+"_seed_"+schemaNameFrom(seed))
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

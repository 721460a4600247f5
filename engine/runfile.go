package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"kingdom/engine/durable"
	"kingdom/wire/codec"
)

// RunFile is the content of run.json: which run a directory belongs to, and its state when the file was last written.
// A process that is killed does not update it. Therefore only the store says which cycles exist, and only the store's
// lock says whether the run is going on.
type RunFile struct {
	Scenario string `json:"scenario"`
	Digest   string `json:"scenario_digest"`          // hex
	Prompts  string `json:"prompts_digest,omitempty"` // hex, of the templates of prompts, which the scenario's digest covers too; none: the program's own wording
	Seed     string `json:"seed"`
	Physics  uint32 `json:"physics"`
	Flags    []Flag `json:"physics_flags"`
	Build    string `json:"build,omitempty"`  // of kingdom, that wrote the last cycle; none: unknown
	Builds   Builds `json:"builds,omitempty"` // all of them, only if there are several, so that builds that do not know this key can read their own runs
	Store    string `json:"store"`            // URL without secrets
	Status   Status `json:"status"`
	Cycle    uint64 `json:"cycle"`
	Until    uint64 `json:"until"`             // last cycle that was asked for; 0 until cycle 0 is stored
	Error    string `json:"error,omitempty"`   // why the run stopped, if it is neither running nor finished
	Minds    string `json:"minds,omitempty"`   // recorded:FILE, if answers of a recording stand in for models; none: models answer
	OnMiss   string `json:"on_miss,omitempty"` // what to do if the recording lacks an answer: fail or call
	Portal   string `json:"portal,omitempty"`  // who answers web requests, such as recorded:DIR; none: the scenario says it. Only where it was chosen, as for Builds
}

const runFileName = "run.json"

// ReadRunFile reads run.json of a run directory.
func ReadRunFile(dir string) (RunFile, error) {
	var r RunFile
	b, err := os.ReadFile(filepath.Join(dir, runFileName))
	if errors.Is(err, os.ErrNotExist) {
		return r, fmt.Errorf("read run: %s is not a run directory, since it holds no %s: %w", dir, runFileName, err)
	}
	if err != nil {
		return r, fmt.Errorf("read run: %w", err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, &CorruptError{File: filepath.Join(dir, runFileName), Reason: "it is not the JSON that kingdom wrote: " + codec.PlainJSON(err).Error()}
	}
	if err := checkRunKeys(b); err != nil {
		if r.Physics > Physics { // a later version may have keys of its own
			cfg := Config{}
			cfg.ForRun(&r)
			return r, cfg.CheckPhysics(dir)
		}
		return r, &CorruptError{File: filepath.Join(dir, runFileName), Reason: err.Error()}
	}
	known := []Status{StatusRunning, StatusFinished, StatusInterrupted, StatusPaused, StatusCapped, StatusFailed}
	if !slices.Contains(known, r.Status) || r.Until > 0 && r.Cycle > r.Until {
		return r, &CorruptError{File: filepath.Join(dir, runFileName), Reason: fmt.Sprintf("a run cannot have status %q at cycle %d of %d", r.Status, r.Cycle, r.Until)}
	}
	return r, nil
}

// checkRunKeys returns an error if run.json lacks a key or has one that no version up to this one wrote. Without it, one
// changed letter of a key would make its value silently zero.
func checkRunKeys(b []byte) error {
	var got map[string]json.RawMessage
	if err := json.Unmarshal(b, &got); err != nil {
		return err
	}
	var missing []string
	for f := range reflect.TypeFor[RunFile]().Fields() {
		key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, ok := got[key]; !ok && option != "omitempty" {
			missing = append(missing, key)
		}
		delete(got, key)
	}
	unknown := slices.Sorted(maps.Keys(got))
	switch {
	case len(unknown) > 0 && len(missing) > 0:
		return fmt.Errorf("it has no key %q, but the unknown key %q", missing[0], unknown[0])
	case len(unknown) > 0:
		return fmt.Errorf("it has the key %q, which this version of kingdom does not know", unknown[0])
	case len(missing) > 0:
		return fmt.Errorf("it has no key %q", missing[0])
	}
	return nil
}

// WriteRunFile writes the run.json of a run that is about to start. It is written before the store is opened, so that
// the directory can be identified even if the process is killed early. Its field until is 0 while the store may have
// no world yet; resume then starts the run instead.
func WriteRunFile(dir string, cfg *Config, storeURL string) error {
	r := cfg.runFile()
	r.Store, r.Status = storeURL, StatusRunning
	return r.write(dir)
}

// writeRunFile writes run.json.
func (e *Engine) writeRunFile(status Status, cause error) error {
	e.status = status
	if e.dir == "" || e.readonly {
		return nil
	}
	r := e.cfg.runFile()
	r.Store, r.Status, r.Cycle, r.Until = e.storeURL, status, uint64(e.flush.committed()), uint64(e.until)
	if len(e.builds) > 0 {
		r.Build = e.builds.last()
	}
	if len(e.builds) > 1 {
		r.Builds = e.builds
	}
	if cause != nil {
		r.Error = causeOf(cause)
	}
	return r.write(e.dir)
}

// runFile returns the part of run.json that follows from the configuration.
func (c *Config) runFile() RunFile {
	run := c.Identity()
	r := RunFile{
		Scenario: run.Scenario, Digest: run.Digest.String(), Seed: run.Seed,
		Physics: run.Physics, Flags: flags(run.Physics), Build: c.Build, Minds: c.Minds, OnMiss: c.OnMiss, Portal: c.Portal,
	}
	if t := c.Turn.Templates; !t.Empty() {
		r.Prompts = t.Digest().String()
	}
	return r
}

func (r *RunFile) write(dir string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	if err := durable.WriteBytes(filepath.Join(dir, runFileName), append(b, '\n')); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	return nil
}

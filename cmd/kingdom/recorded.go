package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
)

// Flags of runs that reuse the thoughts of another run.
const (
	mindsFlag  = "minds"
	onMissFlag = "on-miss"
	onMissFail = "fail"
	onMissCall = "call"
)

func addMindsFlags(cmd *cobra.Command) {
	cmd.Flags().String(mindsFlag, "", "recorded:RUN or recorded:FILE: reuse the thoughts of that run, or of that cassette")
	cmd.Flags().String(onMissFlag, onMissFail, "with --minds, what to do if a thought is missing or its prompt differs: fail, or call (the models)")
}

// mindFromFlags builds the minds of a run that may ask models in these cycles, as --minds says; meter counts what they spend.
// done must be called after the run.
func (a *app) mindFromFlags(cmd *cobra.Command, sc *scenarios.Scenario, cycles span, meter *meter) (thinker engine.Mind, done func() error, err error) {
	from, onMiss := stringFlag(cmd, mindsFlag), stringFlag(cmd, onMissFlag)
	if from == "" {
		if cmd.Flags().Changed(onMissFlag) {
			return nil, nil, usagef("--%s needs --%s recorded:RUN: it says what to do if that run has no such thought", onMissFlag, mindsFlag)
		}
		thinker, err = a.mindWithModels(cmd, sc, cycles, meter)
		return thinker, func() error { return nil }, err
	}
	path, ok := strings.CutPrefix(from, "recorded:")
	switch {
	case !ok || path == "":
		return nil, nil, usagef("--%s is %q; want recorded:RUN, a run directory, or recorded:FILE, a cassette", mindsFlag, from)
	case onMiss != onMissFail && onMiss != onMissCall:
		return nil, nil, usagef("--%s is %q; want %s or %s", onMissFlag, onMiss, onMissFail, onMissCall)
	case len(sc.Changes) > 0 && sc.Changes[0].Cycle <= cycles.last:
		return nil, nil, usagef("--%s reuses the thoughts of a run whose minds stay the same, and those of %s change in cycle %d; kingdom journal import repeats a run with changes", mindsFlag, sc.Name, sc.Changes[0].Cycle)
	case len(usedModels(sc)) == 0:
		return nil, nil, usagef("no agent of %s thinks with a model, so there is no thought to reuse; leave --%s out", sc.Name, mindsFlag)
	}
	var miss recorded.Asker
	if onMiss == onMissCall {
		asking, err := a.mindWithModels(cmd, sc, cycles, meter)
		if err != nil {
			return nil, nil, err
		}
		miss = asking.(engine.SelfTimedMind) // every mind with models is one
	}
	src, err := openThoughts(path)
	if err != nil {
		return nil, nil, err
	}
	m := recorded.New(src, miss)
	return m, func() error {
		c := m.Counts()
		fmt.Fprintf(a.err, "kingdom: %s reused of %s, %d asked for\n", plural(c.Reused, "thought"), path, c.Missed)
		return src.Close()
	}, nil
}

func stringFlag(cmd *cobra.Command, name string) string {
	s, err := cmd.Flags().GetString(name)
	if err != nil {
		panic("kingdom: " + err.Error())
	}
	return s
}

// thoughtSource gives the thoughts of a run or of a cassette.
type thoughtSource interface {
	recorded.Source
	io.Closer
}

// openThoughts opens the journal of a run directory, or a cassette.
func openThoughts(path string) (thoughtSource, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, usagef("%s does not exist; want the directory of a run, or a cassette that kingdom journal export RUN --thoughts FILE wrote", path)
	}
	if !info.IsDir() {
		return openCassette(path)
	}
	sc, rf, err := openRunDir(path)
	if err != nil {
		return nil, err
	}
	if len(usedModels(sc)) == 0 {
		return nil, usagef("no agent of %s thought with a model, so it has no thought to reuse; want a run that asked models, or a cassette", path)
	}
	cfg := configFor(sc, &rf)
	return engine.OpenThoughts(path, cfg.Identity())
}

// cassette is an open cassette file.
type cassette struct {
	*recorded.Reader
	file *os.File
	path string
}

// openCassette opens a cassette and reads it once to its end, so that a damaged or changed cassette is refused before a
// run uses it.
func openCassette(path string) (*cassette, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there is no cassette %s; kingdom journal export RUN --thoughts FILE creates one", path)
	}
	if err != nil {
		return nil, usagef("open cassette: %w", err)
	}
	whole, err := recorded.NewReader(f)
	for err == nil {
		_, err = whole.Next()
	}
	if !errors.Is(err, io.EOF) {
		return nil, errors.Join(usagef("%s: %w", path, err), f.Close())
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(usagef("%s is not a cassette: %w; want a file that kingdom journal export RUN --thoughts FILE wrote", path, err), f.Close())
	}
	r, err := recorded.NewReader(f)
	if err != nil {
		return nil, errors.Join(usagef("%s: %w", path, err), f.Close())
	}
	return &cassette{r, f, path}, nil
}

// Next returns the next thought. Errors name the file.
func (c *cassette) Next() (llm.Recorded, error) {
	r, err := c.Reader.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", c.path, err)
	}
	return r, err
}

// Close closes the file.
func (c *cassette) Close() error { return c.file.Close() }

// replayMind returns the mind of a re-execution: the offline mind in phases without models, else one that must not be
// asked, because the journal has all thoughts.
func replayMind(sc *scenarios.Scenario) engine.Mind {
	m, _ := buildPhases(sc, func(sc *scenarios.Scenario) (engine.Mind, error) {
		if slices.ContainsFunc(sc.AllModels(), scenarios.TierModels.Any) {
			return journalOnly{}, nil
		}
		return offlinePhaseMind(sc), nil
	})
	return m
}

// journalOnly is a mind that returns an error for every thought.
type journalOnly struct{}

// Think implements engine.Mind.
func (journalOnly) Think(context.Context, *llm.Prompt) (llm.Thought, error) {
	return llm.Thought{}, errors.New("a re-execution asked for a thought that is not recorded")
}

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
	"kingdom/llm/adversary"
	"kingdom/llm/recorded"
	"kingdom/llm/scripted"
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
	cmd.Flags().String(mindsFlag, "", "recorded:RUN or recorded:FILE: reuse the answers of models of that run, or of that cassette")
	cmd.Flags().String(onMissFlag, onMissFail, "with --minds, what to do if an answer is missing or its prompt differs: fail, or call (the models, also for slots that got no answer there; with fail these stay idle)")
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
	m := recorded.New(modelsOnly{src}, miss)
	if isRun(path) {
		m.Run = shellQuote(path)
	}
	return withRecorded(sc, m), func() error {
		a.say("%s", reusedText(path, m.Counts()))
		return src.Close()
	}, nil
}

// reusedText says how much of a run was taken from a recording.
func reusedText(path string, c recorded.Counts) string {
	empty := ""
	if c.Empty > 0 {
		empty = fmt.Sprintf("; %s had no answer of a model, as in the recording: --%s %s asks for it", plural(c.Empty, "slot"), onMissFlag, onMissCall)
	}
	return fmt.Sprintf("%s reused of %s, %d asked for%s", plural(c.Reused, "answer"), path, c.Missed, empty)
}

// withRecorded builds the minds of a scenario with recorded answers in place of its models. Agents and phases without a
// model think for themselves as in any run: a recording lacks the thoughts of phases in which no model is asked, since
// they can be recomputed.
func withRecorded(sc *scenarios.Scenario, m *recorded.Mind) engine.Mind {
	all, _ := mindAsking(sc, func(*scenarios.Scenario, scenarios.TierModels) (engine.Mind, error) { return m, nil })
	return all
}

// modelsOnly leaves out the thoughts of offline minds, so that they are not taken for answers of a model if one thinks
// for the agent now.
type modelsOnly struct{ recorded.Source }

// Next returns the next thought for which a model was to be asked.
func (s modelsOnly) Next() (llm.Recorded, error) {
	for {
		r, err := s.Source.Next()
		if err != nil || !ofOfflineMind(&r) {
			return r, err
		}
	}
}

// ofOfflineMind reports whether a thought is that of an offline mind which did not stand in for a model. Unlike a model
// that happens to have its name, it read no tokens.
func ofOfflineMind(r *llm.Recorded) bool {
	return !r.Fallback && r.PromptTokens == 0 && (r.Model == scripted.Model || strings.HasPrefix(r.Model, adversary.ModelPrefix))
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

	mindsModels   = "models" // value of --minds: ask the models, also if the run reused answers until now
	mindsRecorded = "recorded:"
)

// recording says whose answers stand in for models. run.json keeps it, so that resume asks no model unasked.
type recording struct {
	path   string // of a run or a cassette; "": none, the models answer
	onMiss string // onMissFail or onMissCall
}

// recordingOf returns the recording of a run that exists.
func recordingOf(r *engine.RunFile) recording {
	path, _ := strings.CutPrefix(r.Minds, mindsRecorded)
	return recording{path, r.OnMiss}
}

// runFileFields are minds and on_miss of run.json. The path is whole: resume may be given in another directory.
func (r recording) runFileFields() (minds, onMiss string) {
	if r.path == "" {
		return "", ""
	}
	path, err := filepath.Abs(r.path)
	if err != nil { // there is no working directory any more
		path = r.path
	}
	return mindsRecorded + path, r.onMiss
}

// text says where the answers of a run come from, and how that can be changed.
func (r recording) text(dir string) string {
	if r.onMiss == onMissCall {
		return fmt.Sprintf("of %s; models are asked for what it lacks", r.path)
	}
	return fmt.Sprintf("of %s; the run fails where it lacks one (kingdom resume %s --%s %s asks models for these)", r.path, shellQuote(dir), onMissFlag, onMissCall)
}

func addMindsFlags(cmd *cobra.Command) {
	cmd.Flags().String(mindsFlag, "", "recorded:RUN or recorded:FILE: reuse the answers of models of that run, or of that cassette; models: ask the models, also in a run that has reused answers")
	cmd.Flags().String(onMissFlag, onMissFail, "with --minds, or for a run that has reused answers, what to do if an answer is missing or its prompt differs: fail, or call (the models, also for slots that got no answer there; with fail these stay idle)")
}

// recordingFromFlags returns whose answers a run reuses, as --minds and --on-miss say; was is the recording that it has
// reused until now.
func recordingFromFlags(cmd *cobra.Command, sc *scenarios.Scenario, was recording) (recording, error) {
	from, onMiss := stringFlag(cmd, mindsFlag), stringFlag(cmd, onMissFlag)
	path, ok := strings.CutPrefix(from, mindsRecorded)
	switch {
	case onMiss != onMissFail && onMiss != onMissCall:
		return recording{}, usagef("--%s is %q; want %s or %s", onMissFlag, onMiss, onMissFail, onMissCall)
	case from == "" && was.path != "":
		if !cmd.Flags().Changed(onMissFlag) {
			onMiss = was.onMiss
		}
		return recording{was.path, onMiss}, nil
	case (from == "" || from == mindsModels) && cmd.Flags().Changed(onMissFlag):
		return recording{}, usagef("--%s needs --%s recorded:RUN: it says what to do if that run has no such thought", onMissFlag, mindsFlag)
	case from == "", from == mindsModels:
		return recording{}, nil
	case !ok || path == "":
		return recording{}, usagef("--%s is %q; want recorded:RUN, a run directory, or recorded:FILE, a cassette; or %s", mindsFlag, from, mindsModels)
	case len(usedModels(sc)) == 0:
		return recording{}, usagef("no agent of %s thinks with a model, so there is no thought to reuse; leave --%s out", sc.Name, mindsFlag)
	}
	return recording{path, onMiss}, nil
}

// mindFromFlags builds the minds of a run that may ask models in these cycles, as --minds says; meter counts what they spend,
// and f.reuses, the recording that the run has reused until now, becomes the one that it reuses now. done must be called after
// the run.
func (a *app) mindFromFlags(cmd *cobra.Command, sc *scenarios.Scenario, cycles span, meter *meter, f *runFlags) (thinker engine.Mind, done func() error, err error) {
	was := f.reuses
	if f.reuses, err = recordingFromFlags(cmd, sc, was); err != nil {
		return nil, nil, err
	}
	path := f.reuses.path
	if path == "" {
		thinker, err = a.mindWithModels(cmd, sc, cycles, meter)
		return thinker, func() error { return nil }, err
	}
	if path == was.path && !fileExists(path) {
		return nil, nil, usagef("the run reuses the answers of %s, which is not there any more; say with --%s recorded:FILE where it is now, or let models answer with --%s %s",
			path, mindsFlag, mindsFlag, mindsModels)
	}
	var miss recorded.Asker
	if f.reuses.onMiss == onMissCall {
		asking, err := a.mindWithModels(cmd, sc, cycles, meter)
		if err != nil {
			return nil, nil, err
		}
		miss = asking.(engine.SelfTimedMind) // every mind with models is one
	}
	src, seed, err := openThoughts(path)
	if err != nil {
		return nil, nil, err
	}
	if err := checkSameSeed(sc, path, seed); err != nil {
		return nil, nil, errors.Join(err, src.Close())
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

// checkSameSeed returns an error if a run would reuse answers of a recording with another seed. The seed makes the agents, so no
// answer of such a recording is for an agent of this run.
func checkSameSeed(sc *scenarios.Scenario, path, seed string) error {
	if seed == string(sc.Seed) {
		return nil
	}
	return usagef("%s has seed %s, this run seed %s, and with another seed every agent is another, so that no answer of it could be reused; give --seed %[2]s, or a recording with seed %[3]s",
		path, shellQuote(seed), shellQuote(string(sc.Seed)))
}

// reusedText says how much of a run was taken from a recording.
func reusedText(path string, c recorded.Counts) string {
	empty := ""
	if c.Empty > 0 {
		empty = fmt.Sprintf("; %s had no answer of a model, as in the recording: --%s %s asks for it", llm.Count(c.Empty, "slot"), onMissFlag, onMissCall)
	}
	return fmt.Sprintf("%s reused of %s, %d asked for%s", llm.Count(c.Reused, "answer"), path, c.Missed, empty)
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

// openThoughts opens the journal of a run directory, or a cassette. It returns the seed of that run, too.
func openThoughts(path string) (src thoughtSource, seed string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", usagef("%s does not exist; want the directory of a run, or a cassette that kingdom journal export RUN --thoughts FILE wrote", path)
	}
	if !info.IsDir() {
		c, err := openCassette(path)
		if err != nil {
			return nil, "", err
		}
		return c, c.Header.Seed, nil
	}
	sc, rf, err := openRunDir(path)
	if err != nil {
		return nil, "", err
	}
	if len(usedModels(sc)) == 0 {
		return nil, "", usagef("no agent of %s thought with a model, so it has no thought to reuse; want a run that asked models, or a cassette", path)
	}
	cfg := configFor(sc, &rf)
	src, err = engine.OpenThoughts(path, cfg.Identity())
	return src, rf.Seed, err
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
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usagef("%s is a directory; want a cassette, which kingdom journal export RUN --thoughts FILE creates; kingdom run --minds recorded:RUN reuses the answers of a run", path)
	}
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

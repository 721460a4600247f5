package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/report"
	"kingdom/scenarios"
	"kingdom/wire"
)

// modelThoughts counts in the journal of a run what came of the thoughts for which a model was to be asked, up to the end of
// cycle to, of these agents only; nil: of all. The counters of a summary begin anew when a run is resumed. It
// returns nil if the run has no models, or if its journal is lost or damaged, without which it can still be read.
func modelThoughts(sc *scenarios.Scenario, cfg *engine.Config, dir string, to wire.Cycle, only []wire.AgentID) (*modelAnswers, error) {
	n, err := countThoughts(sc, cfg, dir, to, only)
	if asType[*journal.CorruptError](err) {
		return nil, nil
	}
	return n, err
}

// modelAnswers counts what came of thoughts for which a model was to be asked, in all and by model.
type modelAnswers struct {
	report.Thoughts
	byModel map[string]answerCount // by the name of the model in the scenario

	parent      string // of a fork
	reusedCalls int    // those that the parent of a fork paid for

	cycle wire.Cycle // of the last thought
	tick  wire.Tick  // of the last thought
}

// answerCount counts answers of a model.
type answerCount struct {
	all      int
	unusable int
	reused   int // taken from another run
}

// reusedText says how many of the answers were reused, to follow their number.
func (c *answerCount) reusedText() string {
	if c.reused == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them reused,", c.reused)
}

// anyReused reports whether some answers or calls are those of another run.
func (n *modelAnswers) anyReused() bool {
	if n == nil {
		return false
	}
	for _, got := range n.byModel {
		if got.reused > 0 {
			return true
		}
	}
	return n.reusedCalls > 0
}

// of returns what is known of the answers of a model. Of a nil modelAnswers nothing is known.
func (n *modelAnswers) of(model string) answerCount {
	if n == nil {
		return answerCount{}
	}
	return n.byModel[model]
}

// count counts a thought; shared says that a fork has it in common with its parent.
func (n *modelAnswers) count(th *llm.Recorded, shared bool) {
	if shared {
		n.reusedCalls += len(th.Calls)
	}
	switch {
	case th.Fallback:
		n.Replaced++
	case th.Outcome != llm.Answered: // which ends the slot
		n.Idle.Add(th.Outcome)
	case !ofOfflineMind(th):
		n.Answered++
		got := n.byModel[th.Model]
		got.all++
		if th.Unusable {
			got.unusable++
		}
		if shared || len(th.Calls) == 0 { // a recorded answer is taken without its calls
			got.reused++
		}
		n.byModel[th.Model] = got
	}
}

func countThoughts(sc *scenarios.Scenario, cfg *engine.Config, dir string, to wire.Cycle, only []wire.AgentID) (n *modelAnswers, err error) {
	if len(usedModels(sc)) == 0 {
		return nil, nil
	}
	if segments, err := journal.Segments(filepath.Join(dir, journalDir)); err != nil || len(segments) == 0 {
		return nil, err
	}
	thoughts, err := engine.OpenThoughts(dir, cfg.Identity())
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, thoughts.Close)
	origin, err := readOrigin(dir)
	if err != nil {
		return nil, err
	}
	n = &modelAnswers{byModel: map[string]answerCount{}}
	if origin != nil {
		n.parent = origin.Run
	}
	for {
		th, err := thoughts.Next()
		cycle := cfg.Rules.Calendar.Cycle(th.Tick)
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return nil, err
		case cycle > to:
			return n, nil
		case only == nil || slices.Contains(only, th.Agent):
			n.cycle, n.tick = cycle, th.Tick
			n.count(&th, origin != nil && cycle <= wire.Cycle(origin.Cycle))
		}
	}
}

// addModels adds to a run what it took of models: those that its scenario uses, and those whose recorded answers it used.
func addModels(ctx context.Context, r *report.Run, run *openedRun, dir string) error {
	stored, err := spentBy(ctx, run, 0, wire.Cycle(r.Cycle), nil)
	if err != nil {
		return err
	}
	spent, more, err := spentInAll(dir, stored, run.state.Status == engine.StatusRunning)
	if err != nil {
		return err
	}
	models, served := map[string]report.Model{}, map[string][]string{}
	for _, m := range usedModels(run.scenario) {
		if id := cmp.Or(m.Snapshot, m.Model); !slices.Contains(served[m.Name], id) { // there may be several, after changes in the scenario
			served[m.Name] = append(served[m.Name], id)
		}
		models[m.Name] = report.Model{Name: m.Name, Served: strings.Join(served[m.Name], ", ")}
	}
	if spent != nil {
		for i := range spent.Models {
			m := &spent.Models[i]
			models[m.Model] = report.Model{
				Name: m.Model, Served: models[m.Model].Served, Calls: int(m.Calls), Failed: int(m.Failed), PromptTokens: int(m.PromptTokens), OutputTokens: int(m.OutputTokens),
				MicroUSD: int(m.CostMicroUSD), Estimated: m.Estimated,
			}
		}
		r.Unstored, r.LostCalls, r.LostMicroUSD = int(more), int(spent.Lost.Calls), int(spent.Lost.CostMicroUSD)
	}
	if stored != nil && more == 0 {
		ledger, err := spend.Read(filepath.Join(dir, spend.FileName))
		if err != nil {
			return err
		}
		r.Taken = max(0, int(stored.Run.Calls)-int(ledger.Run.Calls)) // the file may have grown meanwhile
	}
	thoughts, err := modelThoughts(run.scenario, &run.config, dir, engine.LastCycle, nil)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		got := thoughts.of(name)
		m.Unusable, m.Answers = got.unusable, got.all
		r.Models = append(r.Models, m)
	}
	if thoughts != nil {
		r.Thoughts = &thoughts.Thoughts
	}
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/llm/spend"
	"kingdom/report"
	"kingdom/wire"
)

// modelThoughts counts in the journal of a run what came of the thoughts for which a model was to be asked, up to the end of
// cycle to, of these agents only; nil: of all. The counters of a summary begin anew when a run is resumed. It
// returns nil if the run has no models, or if its journal is lost or damaged, without which it can still be read.
func modelThoughts(run *openedRun, dir string, to wire.Cycle, only []wire.AgentID) (*report.Thoughts, error) {
	n, err := countThoughts(run, dir, to, only)
	if asType[*journal.CorruptError](err) {
		return nil, nil
	}
	return n, err
}

func countThoughts(run *openedRun, dir string, to wire.Cycle, only []wire.AgentID) (n *report.Thoughts, err error) {
	if len(usedModels(run.scenario)) == 0 {
		return nil, nil
	}
	if segments, err := journal.Segments(filepath.Join(dir, journalDir)); err != nil || len(segments) == 0 {
		return nil, err
	}
	thoughts, err := engine.OpenThoughts(dir, run.config.Identity())
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, thoughts.Close)
	n = &report.Thoughts{}
	for {
		th, err := thoughts.Next()
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return nil, err
		case run.config.Rules.Calendar.Cycle(th.Tick) > to:
			return n, nil
		case only != nil && !slices.Contains(only, th.Agent):
		case th.Fallback:
			n.Replaced++
		case th.Outcome != llm.Answered: // which ends the slot
			n.Idle++
		case th.Model != scripted.Model && !strings.HasPrefix(th.Model, "adversary:"):
			n.Answered++
		}
	}
}

// addModels adds to a run what it took of models: those that its scenario uses, and those whose recorded answers it used.
func addModels(ctx context.Context, r *report.Run, run *openedRun, dir string) error {
	stored, err := spentBy(ctx, run, wire.Cycle(r.Cycle), nil)
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
	for _, name := range slices.Sorted(maps.Keys(models)) {
		r.Models = append(r.Models, models[name])
	}
	r.Thoughts, err = modelThoughts(run, dir, engine.LastCycle, nil)
	return err
}

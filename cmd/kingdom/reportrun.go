package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/report"
	"kingdom/scenarios"
	"kingdom/society"
	"kingdom/sql/table"
	"kingdom/wire"
)

// addRun reads a run and adds it to an arm.
func addRun(ctx context.Context, arm *report.Arm, dir, store string) (sc *scenarios.Scenario, err error) {
	run, s, err := openSociety(ctx, dir, store)
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, run.store.Close)
	sc = run.scenario
	origin, err := readOrigin(dir)
	if err != nil {
		return nil, err
	}
	if err := addPlan(arm, sc, dir, origin); err != nil {
		return nil, err
	}
	planned, err := plannedInputResult(ctx, run.store, dir, sc, &run.config, wire.Cycle(s.Last))
	if err != nil {
		return nil, err
	}
	addRefused(arm, planned.refused)
	outside, err := outsideInputs(ctx, run.store, dir, &run.config, wire.Cycle(s.Last))
	if err != nil {
		return nil, err
	}
	if sc, err = withOutsideInputs(sc, outside); err != nil {
		return nil, err
	}
	r := report.Run{Seed: seedOf(sc), Cycle: s.Last, Acts: s.ActCounts(), Answers: s.Answers(), Questions: s.QuestionCount()}
	for _, in := range outside {
		r.Outside = append(r.Outside, report.Outside{Cycle: in.Cycle, Input: in.Input, Refused: in.Refused})
	}
	if until := run.state.Of; s.Last < until {
		r.Short = fmt.Sprintf("of %d; %s", until, run.state.Status)
	}
	cycles, err := run.store.Cycles(ctx, 0, wire.Cycle(s.Last))
	if err != nil {
		return nil, err
	}
	if r.Series, err = readSeries(ctx, run.store, s.Last); err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	for i := range cycles {
		r.Series["active"] = append(r.Series["active"], float64(cycles[i].Active))
		r.Series["dormant"] = append(r.Series["dormant"], float64(cycles[i].Dormant))
	}
	r.Series["median_balance"] = s.MedianBalances()
	if err := addModels(ctx, &r, run, dir); err != nil {
		return nil, err
	}
	r.WorldHash = cycles[len(cycles)-1].WorldHash.String()
	names, err := namesIn(ctx, run)
	if err != nil {
		return nil, err
	}
	lives := s.Lives()
	for i := range s.Agents {
		a := &s.Agents[i]
		r.Agents = append(r.Agents, report.Agent{
			Name: cmp.Or(names[a.ID], a.ID.Alias()), Role: a.Role.String(), Status: a.Status.String(), Balance: int(a.Balance), Reputation: a.Reputation, Life: lives[i],
		})
	}
	for _, why := range s.SleepReasons() {
		r.Sleeps = append(r.Sleeps, report.Sleep{Why: observe.ReasonText(wire.StatusDormant.String(), why.Reason), Times: why.Times})
	}
	if err := addDeaths(ctx, &r, run.store, cycles); err != nil {
		return nil, err
	}
	addGroups(&r, sc, s, names)
	for i := range s.Bounties {
		r.Bounties.Created++
		if s.Bounties[i].Status == wire.BountyStatusCompleted {
			r.Bounties.Completed++
		}
		if s.Bounties[i].Status == wire.BountyStatusExpired {
			r.Bounties.Expired++
		}
	}
	arm.Runs, arm.Physics = append(arm.Runs, r), run.file.Physics
	arm.Values = append(arm.Values, s.Measure())
	if arm.Measures, err = society.Pool(arm.Values); err != nil {
		return nil, usagef("%s: %w", dir, err)
	}
	return sc, nil
}

// addDeaths adds why agents died.
func addDeaths(ctx context.Context, r *report.Run, st boundStore, cycles []engine.CycleRow) error {
	deaths, err := deathsIn(ctx, st, cycles)
	if err != nil {
		return err
	}
	for _, e := range deaths {
		why := observe.ReasonText(wire.StatusDead.String(), e.Reason)
		at := slices.IndexFunc(r.Deaths, func(d report.Sleep) bool { return d.Why == why })
		if at < 0 {
			at, r.Deaths = len(r.Deaths), append(r.Deaths, report.Sleep{Why: why})
		}
		r.Deaths[at].Times++
	}
	slices.SortStableFunc(r.Deaths, func(a, b report.Sleep) int { return b.Times - a.Times })
	return nil
}

// addGroups adds the figures of each item of the population, if there are several.
func addGroups(r *report.Run, sc *scenarios.Scenario, s *society.Run, names map[wire.AgentID]string) {
	groups := groupAgents(sc, byGroup, s.Agents, names, nil)
	if len(groups) < 2 {
		return
	}
	members := make([][]int, len(groups))
	for i := range groups {
		members[i] = groups[i].members
	}
	figures := s.MeasureGroups(members)
	for i := range groups {
		r.Groups = append(r.Groups, report.Group{
			Name: groups[i].name, Members: len(members[i]), Figures: figures[i], Balances: s.BalancesOf(members[i]), Productive: s.ProductiveOf(members[i]),
		})
	}
}

// readSeries reads observer.metrics: the values of each metric, by cycle from 0 to last.
func readSeries(ctx context.Context, st boundStore, last uint64) (map[string][]float64, error) {
	names := metricNames()
	out := map[string][]float64{}
	for _, name := range names {
		out[name] = make([]float64, last+1)
		for i := range out[name] {
			out[name][i] = math.NaN()
		}
	}
	err := st.Query(ctx, "SELECT cycle, "+strings.Join(names, ", ")+" FROM observer.metrics WHERE cycle <= $1 ORDER BY cycle", []any{int64(last)}, func(c table.Cursor) error {
		var cycle int64
		values := metricDest(names)
		for c.Next() {
			if err := c.Scan(append([]any{&cycle}, values...)...); err != nil {
				return err
			}
			if err := table.CheckCycle("observer.metrics", cycle, int64(last)); err != nil {
				return err
			}
			for i, v := range values {
				switch v := v.(type) {
				case *int64:
					out[names[i]][cycle] = float64(*v)
				case *float64:
					out[names[i]][cycle] = *v
				}
			}
		}
		return c.Err()
	})
	return out, err
}

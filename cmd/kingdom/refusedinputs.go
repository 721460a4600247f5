package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
)

// plannedResult says what became of the inputs that the scenario of a run plans.
type plannedResult struct {
	due     int // inputs of the scenario whose cycle has come
	refused []refusedJSON
}

// refusedJSON is an input of the scenario that the world refused. One for a group of agents, or that spawns several, may be
// refused for some of them alone.
type refusedJSON struct {
	Cycle   uint64 `json:"cycle"`
	Input   string `json:"input"`   // an item of inputs of a scenario, without the cycle
	Refused string `json:"refused"` // why; several reasons are separated by semicolons
	Times   int    `json:"times"`   // for how many agents
	Of      int    `json:"of"`      // how many it is for; 1 for one that concerns no agent

	at int // in inputs of the scenario
}

// plannedInputResult reads what became of the planned inputs of a run up to the end of cycle to. What the journal of a run
// does not tell, because it is lost or damaged, is not known, and does not keep the run from being looked at.
func plannedInputResult(ctx context.Context, st boundStore, dir string, sc *scenarios.Scenario, cfg *engine.Config, to wire.Cycle) (found plannedResult, err error) {
	rows, err := st.Cycles(ctx, to, to)
	if err != nil || len(rows) == 0 {
		return found, err
	}
	for i := range sc.Inputs {
		if sc.Inputs[i].Cycle <= uint64(to) {
			found.due++
		}
	}
	if found.due == 0 {
		return found, nil
	}
	refused, err := engine.RefusedInputs(dir, cfg, to)
	if asType[*journal.CorruptError](err) {
		return found, nil
	}
	if err != nil || len(refused) == 0 {
		return found, err
	}
	rules := sc.WorldRules()
	_, of := planned(sc, &rules)
	texts, err := plannedInputs(sc, dir)
	if err != nil {
		return found, err
	}
	for _, no := range refused {
		i := of[no.Plan]
		k := slices.IndexFunc(found.refused, func(r refusedJSON) bool { return r.at == i })
		if k < 0 {
			all := 0
			for _, part := range of {
				if part == i {
					all++
				}
			}
			k = len(found.refused)
			found.refused = append(found.refused, refusedJSON{Cycle: uint64(no.Cycle), Input: texts[i].What, Refused: no.Reason, Of: all, at: i})
		} else if r := &found.refused[k]; !slices.Contains(strings.Split(r.Refused, "; "), no.Reason) {
			r.Refused += "; " + no.Reason
		}
		found.refused[k].Times++
	}
	return found, nil
}

// why says why the world refused an input, and for how many agents if it was not refused for all.
func (r *refusedJSON) why() string {
	text := strings.ReplaceAll(r.Refused, refusedBy, "")
	if r.Times < r.Of {
		text = fmt.Sprintf("for %d of %d: %s", r.Times, r.Of, text)
	}
	return text
}

// refusedBy is how the engine begins the reason of a refusal.
const refusedBy = "refused by the world: "

// write writes how many planned inputs the world refused, and which, in lines after a label, at most so many.
func (p *plannedResult) write(w io.Writer, label string, most int, dir string) {
	if len(p.refused) == 0 {
		return
	}
	fmt.Fprintf(w, "%sthe world refused %d of %s\n", label, len(p.refused), llm.Count(uint64(p.due), "planned input"))
	for i := range p.refused {
		if i == most {
			fmt.Fprintf(w, "%sand %d more; kingdom inspect %s lists them\n", label, len(p.refused)-most, shellQuote(dir))
			return
		}
		r := &p.refused[i]
		fmt.Fprintf(w, "%sinput of cycle %d %s: %s\n", label, r.Cycle, r.Input, r.why())
	}
}

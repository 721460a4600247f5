package engine

import "kingdom/wire"

// RefusedInput is a planned input that the world refused, as the journal has it.
type RefusedInput struct {
	Plan   int // place in Config.Planned, from 0
	Cycle  wire.Cycle
	Reason string
}

// RefusedInputs reads from the journal of a run which of its planned inputs the world refused, up to the end of cycle to.
// Journals of earlier builds do not say it.
func RefusedInputs(runDir string, cfg *Config, to wire.Cycle) (found []RefusedInput, err error) {
	plan := map[uint64]uint64{} // of the inputs since the last tick, by their number
	err = eachRecord(runDir, cfg, to, func(r *record) {
		switch r.kind {
		case recordInput:
			plan[r.input.Seq] = r.input.Plan
		case recordTick:
			for _, no := range r.tick.Refused {
				if p := plan[no.Seq]; p > 0 && p <= uint64(len(cfg.Planned)) {
					found = append(found, RefusedInput{Plan: int(p - 1), Cycle: cfg.Rules.Calendar.Cycle(r.tick.Tick), Reason: no.Reason})
				}
			}
			clear(plan)
		}
	})
	return found, err
}

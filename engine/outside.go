package engine

import "kingdom/wire"

// OutsideInput is an input that came through the inbox while its run went on, as the journal has it.
type OutsideInput struct {
	Seq     uint64
	Cycle   wire.Cycle // in which it took effect
	Tick    wire.Tick
	File    string // of the inbox, whose inputs take effect in their order
	Source  string // Input.Source
	Refused string // why the world refused it; empty if it was applied
}

// OutsideInputs reads from the journal of a run which inputs came through its inbox, up to the end of cycle to.
func OutsideInputs(runDir string, cfg *Config, to wire.Cycle) (found []OutsideInput, err error) {
	err = eachRecord(runDir, cfg, to, func(r *record) {
		switch {
		case r.kind == recordInput && r.input.File != "":
			in := &r.input
			found = append(found, OutsideInput{Seq: in.Seq, Cycle: cfg.Rules.Calendar.Cycle(in.Tick), Tick: in.Tick, File: in.File, Source: in.Source})
		case r.kind == recordTick:
			for _, no := range r.tick.Refused {
				for i := range found {
					if found[i].Seq == no.Seq {
						found[i].Refused = no.Reason
					}
				}
			}
		}
	})
	return found, err
}

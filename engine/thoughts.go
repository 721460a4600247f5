package engine

import (
	"fmt"
	"io"

	"kingdom/engine/journal"
	"kingdom/llm"
)

// Thoughts reads the recorded thoughts of a run in the order of its ticks. It leaves out answers from outside.
type Thoughts struct {
	past *history
	tick []llm.Recorded // those of a tick that were not returned yet: what came of them is recorded after them
	err  error          // that follows them
}

// OpenThoughts opens the journal of a run for reading, up to its present end. run is what run.json says.
func OpenThoughts(dir string, run RunRow) (*Thoughts, error) {
	folder := journalOf(dir)
	list, err := journal.Segments(folder)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("read thoughts: %s holds no segment; restore it from a copy", folder)
	}
	past, err := openHistory(folder, run.digest())
	if err != nil {
		return nil, err
	}
	return &Thoughts{past: past}, nil
}

// Next returns the next thought, io.EOF after the last.
func (t *Thoughts) Next() (llm.Recorded, error) {
	if len(t.tick) == 0 && t.err == nil {
		t.err = t.readTick()
	}
	if len(t.tick) == 0 {
		return llm.Recorded{}, t.err
	}
	next := t.tick[0]
	t.tick = t.tick[1:]
	return next, nil
}

// readTick reads the thoughts of the next tick that has some, and what came of them. It returns io.EOF at the end of the
// journal.
func (t *Thoughts) readTick() error {
	for !t.past.ended() {
		r := t.past.front
		if err := t.past.advance(); err != nil {
			return err
		}
		switch {
		case r.kind == recordThought && r.thought.Purpose != purposeFetch:
			t.tick = append(t.tick, llm.Recorded{
				Agent: r.thought.Agent, Tick: r.thought.Tick, Purpose: r.thought.Purpose, Try: r.thought.Try,
				Prompt: r.thought.Prompt, Thought: r.thought.thought(),
			})
		case r.kind == recordTick && len(t.tick) > 0:
			for _, no := range r.tick.Unusable {
				for i := range t.tick {
					if th := &t.tick[i]; th.Agent == no.Agent && th.Try < no.Count {
						th.Unusable = true
					}
				}
			}
			return nil
		}
	}
	return io.EOF
}

// Close closes the journal.
func (t *Thoughts) Close() error {
	t.past.close()
	return nil
}

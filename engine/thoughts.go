package engine

import (
	"fmt"
	"io"
	"path/filepath"

	"kingdom/engine/journal"
	"kingdom/llm"
)

// Thoughts reads the recorded thoughts of a run in the order of its ticks. It leaves out answers from outside.
type Thoughts struct{ past *history }

// OpenThoughts opens the journal of a run for reading, up to its present end. run is what run.json says.
func OpenThoughts(dir string, run RunRow) (*Thoughts, error) {
	folder := filepath.Join(dir, journalDir)
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
	return &Thoughts{past}, nil
}

// Next returns the next thought, io.EOF after the last.
func (t *Thoughts) Next() (llm.Recorded, error) {
	for !t.past.ended() {
		r := t.past.front
		if err := t.past.advance(); err != nil {
			return llm.Recorded{}, err
		}
		if r.kind == recordThought && r.thought.Purpose != purposeFetch {
			return llm.Recorded{
				Agent: r.thought.Agent, Tick: r.thought.Tick, Purpose: r.thought.Purpose, Try: r.thought.Try,
				Prompt: r.thought.Prompt, Thought: r.thought.thought(),
			}, nil
		}
	}
	return llm.Recorded{}, io.EOF
}

// Close closes the journal.
func (t *Thoughts) Close() error {
	t.past.close()
	return nil
}

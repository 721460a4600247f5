package sqlite

import "bytes"

// bundledRows are the rows in the values of a few agents, as they are stored, so that these values need not be read and
// unpacked before they are written again: in a small world that is a tenth of a commit. In a large one most
// agents are not among them, for their rows would take more memory than the agents.
type bundledRows map[bundleKey][][]any

// bundleKey is where a value lies.
type bundleKey struct {
	place int64 // of the agent among the agents
	table string
}

// maxBundledRows is the number of values whose rows are kept: those of eight agents.
const maxBundledRows = 24

// takeRows removes the known rows from the writer and returns them for a commit. They come back when the commit
// succeeds; after a failed one they are read again.
func (k *historyWriter) takeRows() bundledRows {
	rows := k.rows
	if k.rows = nil; rows == nil {
		rows = bundledRows{}
	}
	return rows
}

// put keeps the rows of a value. It copies the bytes of changed rows, which belong to the batch.
func (r bundledRows) put(key bundleKey, rows, changed [][]any) {
	if _, known := r[key]; !known && len(r) >= maxBundledRows {
		return
	}
	for _, row := range changed {
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = bytes.Clone(b)
			}
		}
	}
	r[key] = rows
}

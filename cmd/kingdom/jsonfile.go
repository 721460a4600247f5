package main

import (
	"encoding/json"
	"fmt"
	"os"

	"kingdom/engine/durable"
)

// readJSON reads a file that writeJSON wrote into the directory of a run or a sweep. If the file is damaged, the error
// ends with remedy.
func readJSON(path, remedy string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read a file of the run: %w", err)
	}
	if json.Unmarshal(b, v) != nil {
		return damagedJSONError(path, remedy)
	}
	return nil
}

func damagedJSONError(path, remedy string) error {
	return &damagedError{fmt.Sprintf("%s is damaged: it is not the JSON that kingdom wrote; %s", path, remedy)}
}

// writeJSON replaces a file atomically.
func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteBytes(path, append(b, '\n'))
}

package main

import (
	"encoding/json"
	"fmt"
	"os"

	"kingdom/engine/durable"
)

// readJSON reads a file that writeJSON wrote beside a run or a sweep. The error for a damaged one ends in remedy.
func readJSON(path, remedy string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read a file of the run: %w", err)
	}
	if json.Unmarshal(b, v) != nil {
		return damagedJSON(path, remedy)
	}
	return nil
}

func damagedJSON(path, remedy string) error {
	return &damagedError{fmt.Sprintf("%s is damaged: it is not the JSON that kingdom wrote; %s", path, remedy)}
}

// writeJSON writes a file whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteBytes(path, append(b, '\n'))
}

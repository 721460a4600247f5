package source

import (
	"bytes"
	"strings"

	"kingdom/wire"
)

// Task is something that a program is asked to do.
type Task struct {
	Name  string // its directory on the shelf
	words []string
	Right []string  // programs that do it
	Wrong []Mistake // programs that seem to
	try   string    // test of one's own
}

// Mistake is a program with a fault.
type Mistake struct {
	Why  string // what is wrong, for a verdict
	Text string
	text []byte
}

// tasks are in the order of the bounties; words are those by which a title tells its task.
var tasks = []Task{
	{Name: "slots", words: []string{"slot", "allocator"}},
	{Name: "base", words: []string{"any base", "to_base"}},
	{Name: "equal", words: []string{"byte"}},
	{Name: "builder", words: []string{"text builder"}},
	{Name: "vector", words: []string{"persistent vector"}},
	{Name: "cases", words: []string{"test framework"}},
}

// Tasks returns all tasks of the shelf; read only.
func Tasks() []Task { return shelf.tasks }

// ForTitle returns the task that a title speaks of, nil if the shelf has none of it.
func ForTitle(title []byte) *Task {
	t := strings.ToLower(string(title))
	for i := range shelf.tasks {
		for _, w := range shelf.tasks[i].words {
			if strings.Contains(t, w) {
				return &shelf.tasks[i]
			}
		}
	}
	return nil
}

// Try is the test that its author writes of the program with an id: it loads it from Vault and
// faults where it finds it wrong. It finds less than the test of the bounty.
func (t *Task) Try(program wire.Hash) string {
	return strings.ReplaceAll(t.try, "$MAIN", program.String())
}

// FindMistake returns the mistake of the shelf that stands in a text, nil if there is none.
func FindMistake(text []byte) *Mistake {
	for i := range shelf.tasks {
		for j := range shelf.tasks[i].Wrong {
			if m := &shelf.tasks[i].Wrong[j]; bytes.Contains(text, m.text) {
				return m
			}
		}
	}
	return nil
}

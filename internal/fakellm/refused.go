package fakellm

import "strings"

// refusedIn lists the actions that the world refused lately, from the prompt's RECENT ACTIONS, so that they are not
// sent again.
func refusedIn(prompt string) map[string]bool {
	_, list, _ := strings.Cut(prompt, "## RECENT ACTIONS\n")
	list, _, _ = strings.Cut(list, "\n## ")
	refused := map[string]bool{}
	for line := range strings.SplitSeq(list, "\n") {
		when, act, _ := strings.Cut(line, ": tick ")
		if when != "last" && when != "before" && when != "failed lately" || !strings.Contains(act, ": FAILURE, refused: ") {
			continue
		}
		_, act, _ = strings.Cut(act, " ")
		if times, rest, ok := strings.Cut(act, " × "); ok && strings.Trim(times, "0123456789") == "" {
			act = rest
		}
		name, _, _ := strings.Cut(act, " ")
		refused[strings.TrimSuffix(name, ":")] = true
	}
	return refused
}

package fakellm

import (
	"fmt"
	"regexp"
	"strings"
)

var alias = regexp.MustCompile(`\b[0-9a-f]{8}\b`)

// inInterview answers the last question of an interview: with who the agent is, by the context before the first question,
// and how many questions it was asked. asked is false for a prompt.
func inInterview(req *Request) (text string, asked bool) {
	if len(req.Messages) < 2 || !strings.Contains(req.Messages[1].Content, "\n## QUESTION\n") {
		return "", false
	}
	_, after, builtIn := strings.Cut(req.Messages[1].Content, "You are agent ")
	who, _, _ := strings.Cut(after, ".")
	if !builtIn { // the scenario has a template of its own: most name the agent by its alias
		if who = alias.FindString(req.Messages[1].Content); who == "" {
			who = "an agent"
		}
	}
	return fmt.Sprintf("I am %s, and this is question %d.", who, len(req.Messages)/2), true
}

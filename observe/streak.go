package observe

import (
	"fmt"
	"strings"
)

// streaks counts, by agent and reason, the NOPs of the current streak, so that the line of an agent that becomes
// dormant can name them.
type streaks map[string]*streak

type streak struct {
	reasons []string // in the order of their first NOP
	count   map[string]uint32
}

// add adds a line of the nop stream.
func (s streaks) add(f *fields) {
	if f.Agent == nil || f.Class != "NOP" {
		return
	}
	k := s[f.Agent.ID]
	if k == nil || f.Streak == 1 {
		k = &streak{count: map[string]uint32{}}
		s[f.Agent.ID] = k
	}
	if k.count[f.Reason] == 0 {
		k.reasons = append(k.reasons, f.Reason)
	}
	k.count[f.Reason]++
}

// text lists an agent's NOPs by reason, such as "7 chosen, 3 parse_failed".
func (s streaks) text(f *fields) string {
	if f.Agent == nil || s[f.Agent.ID] == nil {
		return ""
	}
	var parts []string
	for _, r := range s[f.Agent.ID].reasons {
		parts = append(parts, fmt.Sprintf("%d %s", s[f.Agent.ID].count[r], r))
	}
	return strings.Join(parts, ", ")
}

package observe

// reasonWords say in words what a reason of a change of status means, by the new status. docs/LOGS.md has them as a table.
var reasonWords = map[string]map[string]string{
	"DORMANT": {
		"nop_limit": "10 NOPs in a row",
		"poverty":   "it earns less than its upkeep and has hardly any ⚡ left",
		"blocked":   "it did nothing productive in that cycle and the three or more before, and one of its plans waits or failed in a step",
		"no_demand": "it did nothing productive in that cycle and the three or more before",
		"inactive":  "it used no tick for more than ten cycles",
		"operator":  "an operator put it to sleep",
	},
	"ACTIVE": {
		"warmup":   "it has warmed up",
		"operator": "an operator woke it, or the time is over for which one put it to sleep",
		"goal":     "it was given a goal from outside",
		"mention":  "a peer with which it has good experience named it in a message",
		"timer":    "its time to sleep is over",
		"message":  "an operator named it in a message",
	},
	"DEAD": {
		"operator":   "an operator ended it",
		"governance": "a proposal to end it passed",
		"bankruptcy": "its balance was negative at five cycle ends in a row",
	},
}

// ReasonText returns a reason for which the status of an agent became to, with its meaning behind it: the log and the
// database have only the reason. A reason that this version does not know is returned as it is.
func ReasonText(to, reason string) string {
	words := reasonWords[to][reason]
	if words == "" {
		return reason
	}
	return reason + ", " + words
}

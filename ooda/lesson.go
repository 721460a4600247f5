package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire/action"
)

func appendLesson(dst []byte, name string, k goals.Subject, o memory.Outcome) []byte {
	dst = append(append(dst, name...), " on "...)
	dst = append(append(dst, k.String()...), ": "...)
	return append(dst, o.String()...)
}

type lessonKey struct {
	action  string
	kind    goals.Subject
	outcome memory.Outcome
}

// plainLessons are the lessons of what went well, shared by all agents; nobody changes
// them. An agent keeps some hundreds.
var plainLessons = makePlainLessons()

func makePlainLessons() map[lessonKey][]byte {
	out := map[lessonKey][]byte{}
	for _, row := range action.All() {
		if !row.LLM {
			continue
		}
		for i := range goals.Subject(0).EnumNames() {
			k := goals.Subject(i + 1)
			out[lessonKey{row.Name, k, memory.OutcomeSuccess}] = appendLesson(nil, row.Name, k, memory.OutcomeSuccess)
		}
	}
	return out
}

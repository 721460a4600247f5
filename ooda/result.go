package ooda

import (
	"strings"

	"kingdom/agent"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// failureOf says why a result is a failure: a refusal or a fault; "": it is none.
func failureOf(r *wire.Reply) string {
	var fault *wire.FaultCode
	switch b := r.Body.(type) {
	case *wire.ExecResult:
		fault = b.Fault
	case *wire.ServiceResult:
		fault = b.Fault
	}
	switch {
	case r.Err != nil:
		return "refused: " + string(r.Err.Message)
	case fault != nil:
		return faulted + fault.String()
	}
	return ""
}

// faulted begins what is noted of a run that ended with a fault.
const faulted = "it faulted: "

// complete completes the experience of a request that was acknowledged: why says what went wrong, "": nothing did. Only
// now is it known how the mind's own lesson of the act turned out.
func (t *Turn) complete(task *agent.Task, why string) {
	var act memory.Act
	_ = memory.DecodeAct(task.Action, &act) // the runtime wrote it
	m := t.agent.Memory
	lesson := m.Experiences.Lesson(task.Experience)
	if len(lesson) == 0 || isPlain(lesson, act.Action) {
		lesson = plainLessons[plainKey{act.Action, subjectNamed(act.SubjectKind), memory.OutcomeSuccess}]
	} else if row, ok := action.ByName(act.Action); ok {
		m.Knowledge.LearnLesson(lessonKeyOfAct(row, &act), lesson, why == "", t.seen.tick)
	}
	if why == "" {
		m.Experiences.Resolve(task.Experience, memory.OutcomeSuccess, lesson)
		return
	}
	m.Experiences.Resolve(task.Experience, memory.OutcomeFailure, []byte(why))
	if strings.HasPrefix(why, faulted) && act.Subject != nil && !t.rules.Blind.Has(llm.LayerExperiences) {
		t.regs.avoid(act.Action, act.Subject.String()[:8], why)
	}
}

package ooda

import (
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

func appendLesson(dst []byte, name string, k goals.Subject, o memory.Outcome) []byte {
	dst = append(append(dst, name...), " on "...)
	dst = append(append(dst, k.String()...), ": "...)
	return append(dst, o.String()...)
}

type plainKey struct {
	action  string
	kind    goals.Subject
	outcome memory.Outcome
}

// plainLessons are the lessons of acts that succeeded. All agents share them, since an agent keeps some hundreds;
// nobody changes them.
var plainLessons = makePlainLessons()

func makePlainLessons() map[plainKey][]byte {
	out := map[plainKey][]byte{}
	for _, row := range action.All() {
		if !row.LLM {
			continue
		}
		for i := range goals.Subject(0).EnumNames() {
			k := goals.Subject(i + 1)
			out[plainKey{row.Name, k, memory.OutcomeSuccess}] = appendLesson(nil, row.Name, k, memory.OutcomeSuccess)
		}
	}
	return out
}

// lesson is the mind's own lesson, or else a plain description of what happened.
func (p *pending) lesson(r *wire.Reply, o memory.Outcome) []byte {
	if p.memory != nil && p.memory.Lesson != "" {
		return []byte(p.memory.Lesson)
	}
	if l := plainLessons[plainKey{p.row.Name, p.subjectKind, o}]; l != nil {
		return l
	}
	s := codec.Borrow()
	s.B = appendLesson(s.B, p.row.Name, p.subjectKind, o)
	if r.Err != nil {
		s.B = append(s.B, " ("...)
		s.B = append(s.B, r.Err.Message...)
		s.B = append(s.B, ')')
	}
	if a, ok := r.Body.(*wire.BountySubmitAck); ok && o == memory.OutcomePartial && a.Failed != nil {
		s.B = append(append(append(s.B, " ("...), a.Failed.Why...), ')')
	}
	return s.Take()
}

// isPlain reports whether a lesson is only the plain description of an act, not in the mind's own words.
func isPlain[T string | []byte](lesson T, name string) bool {
	return strings.HasPrefix(string(lesson), name+" on ")
}

// missingBody reports whether a refusal, or a lesson that ends in one, says that the text of an entry was missing. The
// agent's next try can repair this mistake, so it is no reason to avoid the act.
func missingBody(why string) bool { return strings.HasSuffix(strings.TrimSuffix(why, ")"), "body") }

// lessonKeyOf is what a lesson of an act is about. Most things are acted upon once; a lesson
// names its subject only where the same one comes again.
func lessonKeyOf(row *action.Row, goal goals.Kind, kind goals.Subject, subject wire.Hash) memory.LessonKey {
	key := memory.LessonKey{Action: row.Name, Domain: row.Domain.String()}
	if goal != 0 {
		key.Domain = goal.Domain().String()
	}
	switch kind {
	case goals.SubjectBounty, goals.SubjectChannel, goals.SubjectAgent, goals.SubjectAccount:
		key.Subject = subject
	default: // nothing to name for the others
	}
	return key
}

// lessonKeyOfAct is lessonKeyOf of an act that is remembered.
func lessonKeyOfAct(row *action.Row, act *memory.Act) memory.LessonKey {
	kind, _ := kindNamed(act.GoalKind)
	subject := wire.Hash{}
	if act.Subject != nil {
		subject = *act.Subject
	}
	return lessonKeyOf(row, kind, subjectNamed(act.SubjectKind), subject)
}

// recallLessons adds to each affordance what the agent learned from such acts.
func (o *offers) recallLessons() {
	know := o.agent.Memory.Knowledge
	for i := range o.list {
		a := &o.list[i]
		kind, _ := subjectOf(a.Params)
		node, strength, at, ok := know.Lesson(lessonKeyOf(a.Action, o.refs[i].goal, kind, a.Subject), o.seen.tick)
		if ok {
			a.Lesson = llm.Lesson{Text: node.Content, Strength: strength, Sure: node.Confidence, At: at}
		}
	}
}

// worksPredicate is the predicate of beliefs about actions.
const worksPredicate = "works"

// worksClaim is the belief that an action works.
func worksClaim(row *action.Row) memory.Claim {
	subject, ok := actionSubjects[row.Name]
	if !ok {
		panic("ooda: an action that is not in the catalogue")
	}
	return memory.Claim{Subject: subject, Predicate: worksPredicate}
}

// actionSubjects are the names of the catalogue as subjects of beliefs; nobody changes them.
var actionSubjects = makeActionSubjects()

func makeActionSubjects() map[string][]byte {
	out := map[string][]byte{}
	for _, row := range action.All() {
		out[row.Name] = []byte(row.Name)
	}
	return out
}

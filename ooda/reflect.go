package ooda

import (
	"fmt"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// reflectThreshold is the importance that the acts of a cycle must have together for the agent to reflect on them.
	reflectThreshold = 1.5
	// reflectActs is on how many acts the agent reflects: the most important ones.
	reflectActs = 3

	sparkWeight   = 0.1  // of 1 ⚡ that came or went
	opinionWeight = 0.25 // of a verdict, an answer or a signal
)

// goesWell are, by domain, the predicates of beliefs about acts that the agent reflected on.
var goesWell = makeGoesWell()

func makeGoesWell() map[string]string {
	out := map[string]string{}
	for _, d := range action.Domain(0).EnumNames() {
		out[d] = "goes well in " + d
	}
	return out
}

// wentWell holds back from an act that went badly for goals of the same domain, as far as the agent has reflected on it.
func (o weigher) wentWell(a *llm.Affordance, ref *offerRef) float64 {
	b := o.believer().belief(memory.Claim{Subject: actionSubjects[a.Action.Name], Predicate: goesWell[ref.domain.String()]})
	if b == nil {
		return 1
	}
	return min(float64(2*float64(b.Confidence)), 1)
}

// reviewedAct is an act of the cycle and what came of it.
type reviewedAct struct {
	act        memory.Act
	at         wire.Tick
	good       bool
	importance float64
	text       string
}

// reflection is what an agent learns from the acts of a cycle when the cycle ends.
type reflection struct {
	*self
	regs *registers
}

// cycle reflects on the cycle that ends. If it was important enough, each of its three most important acts
// becomes a belief, a lesson and, if it went wrong, a note to avoid it. It depends on the agent alone.
func (r reflection) cycle(now wire.Tick) {
	if r.rules.Blind.Has(llm.LayerExperiences) {
		return
	}
	first := now - min(now, wire.Tick(r.rules.Calendar.TicksPerCycle)-1)
	var top [reflectActs]reviewedAct
	total := 0.0
	for i := range r.agent.Memory.Effects {
		act, e, ok := r.agent.Memory.Experiences.RecentAct(i)
		if !ok || e.Tick < first {
			break
		}
		effect := r.agent.Memory.Effects.ByExperience(e.ID)
		if effect == nil {
			continue
		}
		x := reviewAct(act, e, effect)
		total += x.importance
		for j := range top {
			if x.importance > top[j].importance {
				x, top[j] = top[j], x
			}
		}
	}
	if total <= reflectThreshold {
		return
	}
	r.seen.tick = now
	for i := range top {
		if top[i].importance > 0 {
			r.learn(&top[i])
		}
	}
}

// reviewAct weighs an act: by the surprise of a failure, by the ⚡ that came or went, and by what others said.
func reviewAct(act memory.Act, e memory.Experience, f *memory.Effect) reviewedAct {
	x := reviewedAct{act: act, at: e.Tick, good: e.Outcome == memory.OutcomeSuccess && f.Disputed <= f.Approved}
	spark := f.Spark + int64(f.Reward)
	if spark < 0 {
		spark = -spark
	}
	x.importance = float64(sparkWeight*float64(spark)) + float64(opinionWeight*float64(f.Approved+f.Disputed+f.Answers))
	switch {
	case f.Refusal != "":
		x.text = "refused: " + f.Refusal
		x.importance++
	case e.Outcome == memory.OutcomeFailure: // a run that faulted: the lesson is why
		x.text = string(e.Lesson)
		x.importance++
	case e.Outcome == memory.OutcomePartial:
		x.text = "it came back"
		x.importance++
	case f.Disputed > f.Approved:
		x.text = fmt.Sprintf("others disagreed, %d to %d", f.Disputed, f.Approved)
	default:
		x.text = fmt.Sprintf("it was worth it: %d approved, %d answered, %+d Spark", f.Approved, f.Answers, f.Spark+int64(f.Reward))
	}
	return x
}

// learn keeps what an act taught.
func (r reflection) learn(x *reviewedAct) {
	row, ok := action.ByName(x.act.Action)
	if !ok {
		return
	}
	evidence := x.act.Envelope
	r.agent.Memory.Beliefs.Test(memory.Claim{Subject: actionSubjects[row.Name], Predicate: goesWell[x.act.Domain]}, x.good, evidence, r.seen.tick)
	subject := wire.Hash{}
	if x.act.Subject != nil {
		subject = *x.act.Subject
	}
	key := lessonKeyOfAct(row, &x.act)
	if _, _, at, known := r.agent.Memory.Knowledge.Lesson(key, r.seen.tick); !known || at < x.at { // the mind's own of this act is better
		r.agent.Memory.Knowledge.LearnLesson(key, []byte(x.text), x.good, r.seen.tick)
	}
	if !x.good && !missingBody(x.text) {
		about := row.Domain.String()
		if !subject.IsZero() {
			about = subject.String()[:8]
		}
		r.regs.avoid(row.Name, about, x.text)
	}
}

// kindNamed is the goal kind with a name; ok is false for an act that served no goal.
func kindNamed(name string) (k goals.Kind, ok bool) {
	for i, n := range k.EnumNames() {
		if n == name {
			return goals.Kind(i + 1), true
		}
	}
	return 0, false
}

// subjectNamed is the subject kind with a name.
func subjectNamed(name string) (s goals.Subject) {
	for i, n := range s.EnumNames() {
		if n == name {
			return goals.Subject(i + 1)
		}
	}
	return goals.SubjectNone
}

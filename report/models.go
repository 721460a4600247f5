package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kingdom/llm"
)

// Model is a language model that a run names for its agents, and what was asked of it.
type Model struct {
	Name         string // in the scenario
	Served       string // what its server calls it
	Calls        int
	Failed       int // of the calls, those that brought no answer
	Answers      int // now or in the run whose recorded answers were used
	Unusable     int // of the answers, those that agents could not use
	PromptTokens int
	OutputTokens int
	MicroUSD     int  // what the calls cost, in millionths of a US dollar
	Estimated    bool // some of these counts are estimates
}

// add adds the calls of another run to the same model.
func (m *Model) add(o *Model) {
	m.Calls, m.Failed, m.Answers, m.Unusable = m.Calls+o.Calls, m.Failed+o.Failed, m.Answers+o.Answers, m.Unusable+o.Unusable
	m.PromptTokens, m.OutputTokens, m.MicroUSD = m.PromptTokens+o.PromptTokens, m.OutputTokens+o.OutputTokens, m.MicroUSD+o.MicroUSD
	m.Estimated = m.Estimated || o.Estimated
}

// Paid formats what the calls cost.
func (m *Model) Paid() string {
	about := ""
	if m.Estimated {
		about = "≈ "
	}
	return about + dollars(m.MicroUSD)
}

// Thoughts counts what came of the thoughts for which a model was to be asked.
type Thoughts struct {
	Answered int // by a model, now or in the run whose recorded answers were used
	Replaced int // by the scripted mind in place of a model
	Idle     llm.Unanswered
}

// IdleSlots returns how many slots passed without an answer.
func (t *Thoughts) IdleSlots() int { return int(t.Idle.All()) }

// idleText says how many slots passed without an answer of a model, and why.
func idleText(u llm.Unanswered) string {
	text := plural(int(u.All()), "slot", "slots") + " passed without an answer of a model"
	if why := u.String(); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// Models reports whether some run has models to think with.
func (r *Report) Models() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool {
		return slices.ContainsFunc(a.Runs, func(r Run) bool { return len(r.Models) > 0 })
	})
}

// Warnings says of each run in which way its models failed; a run that is not named there has nothing to warn of.
func (r *Report) Warnings() (out []string) {
	for i := range r.Arms {
		a := &r.Arms[i]
		for k := range a.Runs {
			text := a.Runs[k].modelWarning()
			switch {
			case text == "":
				continue
			case len(a.Runs) > 1:
				text = fmt.Sprintf("%s, seed %s: %s", a.Name, a.Runs[k].Seed, text)
			case len(r.Arms) > 1:
				text = a.Name + ": " + text
			}
			out = append(out, text)
		}
	}
	return out
}

// modelWarning says that a model brought no answer, or mostly none, or mostly such as could not be used, that the scripted
// mind thought in place of one, that a cap was reached, or that most slots passed without an answer; "" if nothing of this
// happened. Single slots without an answer are no reason to warn, but belong to one.
func (r *Run) modelWarning() string {
	var says []string
	for i := range r.Models {
		switch m := &r.Models[i]; {
		case m.Calls > 0 && m.Failed == m.Calls:
			says = append(says, fmt.Sprintf("no call to %s brought an answer", m.Name))
		case 2*m.Failed > m.Calls:
			says = append(says, fmt.Sprintf("%s of %s to %s brought no answer", count(m.Failed), plural(m.Calls, "call", "calls"), m.Name))
		}
		switch m := &r.Models[i]; {
		case m.Unusable > 0 && m.Unusable == m.Answers:
			says = append(says, fmt.Sprintf("no answer of %s could be used", m.Name))
		case 2*m.Unusable > m.Answers:
			says = append(says, fmt.Sprintf("%s of %s of %s could not be used", count(m.Unusable), plural(m.Answers, "answer", "answers"), m.Name))
		}
	}
	n := r.Thoughts
	if n == nil {
		n = &Thoughts{}
	}
	if len(says) == 0 && n.Answered == 0 && n.Replaced+int(n.Idle.All()) > 0 { // such as for a cap, or an outage that had begun before
		says = append(says, "no model answered")
	}
	if n.Replaced > 0 {
		says = append(says, "the scripted mind thought in place of the models "+plural(n.Replaced, "time", "times"))
	}
	if len(says) == 0 && n.Idle.RefusedBudget > 0 {
		says = append(says, "a cap of what may be spent was reached")
	}
	if idle := int(n.Idle.All()); len(says) == 0 && 2*idle > n.Answered+idle { // an endpoint that is out is not called for each slot
		says = append(says, "most thoughts got no answer")
	}
	if len(says) > 0 && n.Idle.All() > 0 {
		says = append(says, idleText(n.Idle))
	}
	return strings.Join(says, "; ")
}

// ModelSums returns the models of an arm, each with the sums over the runs.
func (a *Arm) ModelSums() (out []Model) {
	for i := range a.Runs {
		for k := range a.Runs[i].Models {
			m := &a.Runs[i].Models[k]
			if at := slices.IndexFunc(out, func(had Model) bool { return had.Name == m.Name }); at >= 0 {
				out[at].add(m)
			} else {
				out = append(out, *m)
			}
		}
	}
	return out
}

// ModelNotes says what the sums of [Arm.ModelSums] do not.
func (a *Arm) ModelNotes() (out []string) {
	var sum Thoughts
	calls, uncounted, unstored, taken, lost, lostUSD, estimated := 0, 0, 0, 0, 0, 0, false
	for i := range a.Runs {
		r := &a.Runs[i]
		if len(r.Models) == 0 {
			continue
		}
		if n := r.Thoughts; n == nil {
			uncounted++
		} else {
			sum.Answered, sum.Replaced, sum.Idle = sum.Answered+n.Answered, sum.Replaced+n.Replaced, sum.Idle.Sum(n.Idle)
		}
		unstored, taken, lost, lostUSD = unstored+r.Unstored, taken+r.Taken, lost+r.LostCalls, lostUSD+r.LostMicroUSD
		calls += r.Calls()
		estimated = estimated || slices.ContainsFunc(r.Models, func(m Model) bool { return m.Estimated })
	}
	if uncounted < len(a.Runs) {
		out = append(out, fmt.Sprintf("%s came from models, %s from the scripted mind in place of a model, and %s.", plural(sum.Answered, "answer", "answers"), count(sum.Replaced), idleText(sum.Idle)))
	}
	if uncounted > 0 {
		out = append(out, fmt.Sprintf("How often the scripted mind thought in place of a model, and how many slots passed without an answer, is not known of %s, whose journal is missing.", plural(uncounted, "run", "runs")))
	}
	if calls == 0 && sum.Answered > 0 {
		out = append(out, "No call was made for them: they are recorded answers of another run.")
	}
	if unstored > 0 {
		out = append(out, fmt.Sprintf("%s of the calls %s only in the ledger, because the cycle is not finished or the answer was not used; the charts leave %s out.", count(unstored), agree(unstored, "is", "are"), agree(unstored, "it", "them")))
	}
	if lost > 0 {
		out = append(out, fmt.Sprintf("%s is the most that %s whose process was killed can have cost, and counts as what %s did.", dollars(lostUSD), plural(lost, "call", "calls"), agree(lost, "it", "they")))
	}
	if taken > 0 {
		out = append(out, fmt.Sprintf("%s of the calls %s in no ledger here: the run whose answers were used again paid for %s, or the ledger was moved away. Calls whose answers were not used are left out.", count(taken), agree(taken, "is", "are"), agree(taken, "it", "them")))
	}
	if estimated {
		out = append(out, "≈ stands for a sum some of which is estimated.")
	}
	return out
}

// Calls returns how many calls of models a run took.
func (r *Run) Calls() (n int) {
	for i := range r.Models {
		n += r.Models[i].Calls
	}
	return n
}

// Failed returns how many calls of models brought no answer.
func (r *Run) Failed() (n int) {
	for i := range r.Models {
		n += r.Models[i].Failed
	}
	return n
}

// Tokens returns the number of tokens that models read and wrote.
func (r *Run) Tokens() (n int) {
	for i := range r.Models {
		n += r.Models[i].PromptTokens + r.Models[i].OutputTokens
	}
	return n
}

// MicroUSD returns what models cost, in millionths of a US dollar.
func (r *Run) MicroUSD() (n int) {
	for i := range r.Models {
		n += r.Models[i].MicroUSD
	}
	return n
}

// dollars formats an amount exactly, as the summary of a run does.
func dollars(microUSD int) string {
	return "$" + trimZeros(strconv.FormatFloat(float64(microUSD)/1e6, 'f', 6, 64))
}

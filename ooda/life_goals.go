package ooda

import (
	"fmt"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
)

func (l *life) goal(g *goalItem, h *llm.Handles) llm.GoalFact {
	d := &g.Description
	f := llm.GoalFact{
		Kind: d.Kind.String(), Text: llm.Quote{Words: clipTo([]byte(d.Text), ownWordsRoom)}, Layer: strings.ToLower(g.Layer.String()),
		Priority: g.Priority, Deadline: g.Deadline, Pays: l.goals.situation.Expected(g.Goal),
		Done: progress(g.Progress), Why: why(g.Goal),
	}
	if d.Kind == goals.KindClaimBounty && d.Beneficiary != nil {
		f.Text.Author = nameOf(*d.Beneficiary)
	}
	f.About, f.Title = l.ref(goalSort[d.Kind], d.Subject, h)
	if begin := strings.TrimSuffix(string(f.Title), "…"); begin != "" && strings.HasPrefix(string(f.Text.Words), begin) {
		if f.Title = ""; d.Kind == goals.KindClaimBounty {
			f.Text.Words = inShort([]byte(d.Text))
		}
	}
	if g.Deadline != nil {
		f.Left = l.left(*g.Deadline)
	}
	f.Wait = l.waitsFor(deferral{l.self}.waits(g.Goal))
	if p := l.agent.Memory.Plans.ByGoal(g.ID); p != nil && writtenByMind(p) {
		f.Plan = goesOn(p)
	}
	return f
}

// goesOn says where a plan of the mind stands.
func goesOn(p *memory.Plan) string {
	state := "next"
	if p.Blocked != nil {
		state = "waits for its result"
	}
	return fmt.Sprintf("your plan: %s %s (step %d of %d)", actionOfStep(p.Steps[p.Step].Action).Action, state, p.Step+1, len(p.Steps))
}

// asksUnread reports whether a goal is to answer a question that the agent has not read yet.
func asksUnread(notes *memory.Notebook, g *goals.Goal) bool {
	if g.Kind() != goals.KindAnswer {
		return false
	}
	m := notes.Message(g.Subject())
	return m != nil && len(m.Text) == 0
}

// goalSort is the sort of thing that a kind of goal is about.
var goalSort = map[goals.Kind]llm.RefKind{
	goals.KindLearn: llm.RefEntry, goals.KindClaimBounty: llm.RefBounty, goals.KindDoReview: llm.RefReview,
	goals.KindVote: llm.RefProposal, goals.KindAnswer: llm.RefMessage,
}

// progress says how far a goal is.
func progress(p goals.Progress) string {
	if p.Unit == goals.MeasureNone {
		return ""
	}
	next := ""
	if p.Have >= p.Want {
		next = "; the next such event completes it"
	}
	return "progress " + number(p.Have) + " of " + number(p.Want) + " " + p.Unit.String() + next
}

// number writes a whole number as one, others with two decimals.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// why says where a goal comes from; nothing for an opportunity, as most are (the rules say so).
func why(g *goals.Goal) string {
	switch g.Source {
	case goals.SourceSurvival:
		return "your balance is low"
	case goals.SourceRole:
		if g.Kind() == goals.KindOwn {
			return "you set it yourself"
		}
		return "your role"
	case goals.SourceOpportunity:
		return ""
	case goals.SourceCuriosity:
		return "nothing was new to you for long"
	default:
		if g.Kind() == goals.KindOperator {
			return "an operator asked for it"
		}
		return "your standing among peers"
	}
}

func planFact(p *planItem) *llm.PlanFact {
	f := &llm.PlanFact{Goal: p.Goal.Kind().String()}
	for i := range p.Steps {
		s := &p.Steps[i]
		step := llm.StepFact{Action: s.Action, State: stepWords[s.State], Needs: inWords(s.Pre), Until: inWords(s.Post)}
		if i == int(p.Step) {
			step.Tries = p.Tries
			if p.Blocked != nil {
				step.Needs = "the result of your request"
			}
		}
		f.Steps = append(f.Steps, step)
	}
	return f
}

var stepWords = map[stepState]string{stepDone: "done", stepNext: "next", stepBlocked: "blocked", stepLater: "later"}

// inWords says in words what the name of a predicate means.
func inWords(name string) string {
	if words, ok := conditions[name]; ok {
		return words
	}
	if args, ok := strings.CutPrefix(name, "entries_verified:"); ok {
		kind, count, _ := strings.Cut(args, ":")
		return entries(count, kind) + " of yours found accurate"
	}
	if args, ok := strings.CutPrefix(name, "entries_written:"); ok {
		kind, count, _ := strings.Cut(args, ":")
		return entries(count, kind) + " of yours"
	}
	return name
}

// entries says how many entries of a kind.
func entries(count, kind string) string {
	if count == "1" {
		return "1 new " + kind + " entry"
	}
	return count + " new " + kind + " entries"
}

var conditions = map[string]string{
	"bounty_open":      "the bounty can be claimed by you",
	"answer_wanted":    "the bounty can be claimed by you, and two others are left whose verdicts may earn you a reward",
	"answer_verified":  "two others found your answer accurate",
	"bounty_mine":      "the bounty is yours and undelivered",
	"may_post":         "a message may still be posted in this cycle",
	"may_publish":      "not too many of your entries are without a verdict",
	"may_browse":       "an entry waits to be read, or the last look at the entries is a cycle ago",
	"own_waits":        "your newest entry has had no verdict for half a cycle, and a message may still be posted",
	"own_judged":       "your newest entry has a verdict",
	"message_read":     "the message was read",
	"message_answered": "you answered the message",
	"entry_read":       "the entry was read",
	"entry_unjudged":   "the entry has no verdict of yours",
	"entry_judged":     "the entry has your verdict",
}

package ooda

import (
	"fmt"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	shownActs     = 4
	shownFailures = 2
	// How many bytes are repeated of one message that a look showed, of one entry or file, and of all of them together:
	// the more a look showed, the less of each.
	postRoom  = 400
	textRoom  = 1600
	lookRoom  = 2000
	leastRoom = 200
	// thoughtRoom is how many bytes of the reasoning of one of the acts before the last are shown.
	thoughtRoom = 120
)

// roomFor returns how many bytes of each of n texts are shown, if at most most are shown of one.
func roomFor(n, most int) int { return max(leastRoom, min(most, lookRoom/max(n, 1))) }

func (l *life) drawHistory(f *llm.HistoryFacts, h *llm.Handles) {
	if a, ok := l.lastAct(); ok {
		last := l.act(&a, h)
		last.Shown = l.shown(a.Reading, h)
		f.Last = &last
	}
	if r := &l.notes.Rested; r.At > 0 && (f.Last == nil || r.At > f.Last.Tick) {
		f.Rest = &llm.RestFact{Tick: r.At, Slots: r.Slots, Passed: r.Passed, Why: restWords[r.Why]}
	}
	text, _ := l.lastReasoning()
	f.Reasoning = clipTo([]byte(text), memory.ReasoningText)
	told := map[wire.Tick]int{} // acts of the runs whose lines are written, by the tick of the newest
	if f.Last != nil {
		told[f.Last.Tick] = 1
	}
	f.Before = slices.Grow(f.Before, shownActs+1)
	for a := range l.acts(1, 3*shownActs) {
		act := l.act(a, h)
		act.Thought = clipTo([]byte(a.Reasoning), thoughtRoom)
		if f.Before = fold(f.Before, act); len(f.Before) > shownActs {
			f.Before = f.Before[:shownActs]
			break
		}
		told[a.At] = a.Times
	}
	for _, a := range l.failures(shownFailures) {
		if told[a.At] != a.Times {
			f.Failures = append(f.Failures, l.act(&a, h))
		}
	}
}

// fold adds an act to a list, to the last one if both were of one sort and tell nothing else:
// signals to one message after the other.
func fold(list []llm.ActFact, a llm.ActFact) []llm.ActFact {
	if n := len(list) - 1; n >= 0 {
		b := &list[n]
		if b.Action == a.Action && b.Goal == a.Goal && b.Outcome == a.Outcome && b.Effect == a.Effect && b.Lesson == a.Lesson && b.Thought == a.Thought && b.Title == "" && a.Title == "" {
			b.Times, b.On = b.Times+a.Times, llm.Ref{}
			return list
		}
	}
	return append(list, a)
}

func (l *life) act(a *actItem, h *llm.Handles) llm.ActFact {
	f := llm.ActFact{
		Tick: a.At, Action: a.Act.Action, Goal: a.Act.GoalKind, Outcome: a.Outcome.String(), Times: a.Times, Effect: effect(a.Act.Action, &a.Effect, a.Reading),
	}
	if sort, ok := madeSort[a.Act.Action]; ok && a.Times == 1 && a.Act.Subject == nil && !a.Effect.Object.IsZero() {
		f.On, f.Title = l.ref(sort, &a.Effect.Object, h)
		return l.told(f, a)
	}
	if sort := subjectSort[a.Act.SubjectKind]; sort == llm.RefMessage && l.forgotten(a.Act.Subject) {
		return l.told(f, a) // its handle would say nothing
	}
	f.On, f.Title = l.ref(subjectSort[a.Act.SubjectKind], a.Act.Subject, h)
	return l.told(f, a)
}

// madeSort is the sort of thing that an act makes which is about nothing else: its line names what it made.
var madeSort = map[string]llm.RefKind{"entry_publish": llm.RefEntry, "bounty_create": llm.RefBounty, "proposal_submit": llm.RefProposal}

// forgotten says whether the agent does not know the words of a message any more.
func (l *life) forgotten(id *wire.Hash) bool {
	if id == nil {
		return true
	}
	m := l.notes.Message(*id)
	return m == nil || len(m.Text) == 0
}

// told adds what the agent learned from an act.
func (l *life) told(f llm.ActFact, a *actItem) llm.ActFact {
	if !isPlain(a.Lesson, a.Act.Action) { // the line is the plain account
		f.Lesson = clipTo([]byte(a.Lesson), 2*titleRoom)
	} else if _, why, ok := strings.Cut(a.Lesson, " ("); ok && a.Outcome == memory.OutcomePartial && f.Effect == "" {
		f.Effect = "not accepted: " + clipTo([]byte(strings.TrimSuffix(why, ")")), 2*titleRoom).String()
	}
	return f
}

// subjectSort is the sort of thing that an act's kind of subject is.
var subjectSort = map[string]llm.RefKind{
	goals.SubjectEntry.String(): llm.RefEntry, goals.SubjectMessage.String(): llm.RefMessage, goals.SubjectBounty.String(): llm.RefBounty,
	goals.SubjectProposal.String(): llm.RefProposal, goals.SubjectReview.String(): llm.RefReview, goals.SubjectChannel.String(): llm.RefChannel,
}

// effect says what came of an act. r is what the act showed, nil if that is nothing or is forgotten.
func effect(name string, e *memory.Effect, r *memory.Reading) string {
	var parts []string
	add := func(n uint32, one, many string) {
		switch n {
		case 0:
		case 1:
			parts = append(parts, "1 "+one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	if e.Refusal != "" {
		parts = append(parts, refusalText(name, e.Refusal, r))
	}
	if e.Spark != 0 {
		parts = append(parts, fmt.Sprintf("money %+d", e.Spark))
	}
	if e.Reward > 0 {
		parts = append(parts, fmt.Sprintf("paid %d Spark", e.Reward))
	}
	add(e.Fresh, "new thing", "new things")
	add(e.Answers, "answer", "answers")
	add(e.Approved, "approval", "approvals")
	add(e.Disputed, "objection", "objections")
	return strings.Join(parts, ", ")
}

// refusalText says why the world refused an act: its reason, what that means, and the details of this refusal.
func refusalText(name, reason string, r *memory.Reading) string {
	if r == nil || r.Refusal != reason {
		return "refused: " + reason + meaning(name, reason, "")
	}
	text := "refused: " + reason + meaning(name, reason, r.Category)
	if r.Details != "" {
		text += ": " + r.Details
	}
	return text
}

// meaning says in brackets when the world refuses an action for a reason; "" if that is unknown. Reasons of several
// categories may be called so; without the category it says all that is meant by the reason.
func meaning(name, reason, category string) string {
	row, ok := action.ByName(name)
	if !ok {
		return ""
	}
	var when []string
	for i := range row.Refusals {
		if r := &row.Refusals[i]; r.Reason == reason && (category == "" || r.Category.String() == category) {
			said, _, _ := strings.Cut(r.When, ";") // the rest says what follows from it
			when = append(when, said)
		}
	}
	if len(when) == 0 {
		return ""
	}
	return " (" + strings.Join(when, "; or ") + ")"
}

// shown lists what a look showed, each with a quotation of its author. What the world says about it comes before that.
func (l *life) shown(r *memory.Reading, h *llm.Handles) []llm.ShownFact {
	if r == nil {
		return nil
	}
	var out []llm.ShownFact
	for i := range r.Messages {
		m := &r.Messages[i]
		if len(m.Text) == 0 && m.About == (wire.Hash{}) && m.Answers == 0 {
			continue // its line would say nothing
		}
		f := llm.ShownFact{
			Ref: h.Ref(llm.RefMessage, m.ID), What: m.Kind.String(), Quote: llm.Quote{Author: nameOf(m.Author), Words: clipTo(m.Text, roomFor(len(r.Messages), postRoom))},
		}
		if m.About != (wire.Hash{}) {
			f.About, _, _ = l.About(m.About, h)
		}
		if m.Answers > 0 {
			f.Counts = llm.Count(uint64(m.Answers), "answer") + " here"
		}
		out = append(out, f)
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		f := llm.ShownFact{
			Ref: h.Ref(llm.RefEntry, e.ID), What: e.Kind.String(), Title: inShort(e.Title), Quote: llm.Quote{Author: nameOf(e.Author), Words: clipTo(e.Text, roomFor(len(r.Entries), textRoom))},
			Counts: fmt.Sprintf("accuracy %.2f, %s, %s", e.Accuracy, llm.Count(uint64(e.Verifiers), "verifier"), llm.Count(uint64(e.Citations), "citation")),
		}
		out = append(out, f)
	}
	for _, a := range r.Agents {
		out = append(out, llm.ShownFact{What: "agent " + nameOf(a.ID), Counts: fmt.Sprintf("%s, reputation %.2f", a.Status, a.Reputation)})
	}
	for _, a := range r.Accounts {
		out = append(out, llm.ShownFact{What: "account of " + nameOf(a.Owner), Counts: fmt.Sprintf("%d Spark, %d locked", a.Balance, a.Locked)})
	}
	for i := range r.Things {
		x := &r.Things[i]
		f := llm.ShownFact{What: x.What}
		if !x.ID.IsZero() {
			f.Ref = h.Ref(llm.RefOther, x.ID)
		}
		if x.Tag != nil && x.Snap != nil {
			f.Counts = "newest tag " + h.Ref(llm.RefOther, *x.Tag).String() + " of snap " + h.Ref(llm.RefOther, *x.Snap).String()
		}
		if x.What == newRepo {
			f.Counts = "its first snap has the same id"
		}
		if len(x.Text) > 0 {
			f.Quote.Words = clipTo(x.Text, roomFor(len(r.Things), textRoom))
		}
		if len(x.Text) > 0 && !x.Author.IsZero() {
			f.Quote.Author = nameOf(x.Author)
		}
		out = append(out, f)
	}
	for _, c := range r.Citations {
		source, _, _ := l.About(c.Source, h)
		target, _, _ := l.About(c.Target, h)
		out = append(out, llm.ShownFact{What: "citation " + c.Kind.String(), Ref: source, About: target})
	}
	return out
}

package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"kingdom/llm"
	"kingdom/observe"
)

// text says how a goal ended, for people.
func (e *explainedEnd) text() string {
	s := "ended " + e.Kind + ": done"
	if e.Reason != "" {
		s = "ended " + e.Kind + ": given up, " + e.Reason
	}
	if e.By != "" {
		s += " by " + e.By
	}
	if e.Subject != "" {
		s += ", about " + e.Subject[:8]
	}
	return s + fmt.Sprintf(", after %s of work", llm.Count(e.Effort, "tick"))
}

// handle matches a short name such as e7, by which a prompt names things.
var handle = regexp.MustCompile(`(^|[^#\pL\pN])[xembprc][1-9][0-9]*($|[^\pL\pN])`)

// quoted matches what agents wrote in a line about something that happened.
var quoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)

// handleLegend is a line that says what the short names in texts mean; "" if they have none.
func handleLegend(texts ...string) string {
	if !slices.ContainsFunc(texts, handle.MatchString) {
		return ""
	}
	return "  short names such as e7 hold in this prompt only: " + llm.RefLegend + "\n"
}

// print writes the slot as text.
func (w *slotTracer) print(a *app) {
	p := slotText{slotTracer: w, out: a.out}
	p.saw()
	p.goals()
	p.offers()
	p.thoughts()
	p.act()
	p.end()
}

// slotText writes a slot as text.
type slotText struct {
	*slotTracer
	out    io.Writer
	legend string // of short names, once it was printed
}

func (t *slotText) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// explainHandles prints what the short names in texts mean, if they have some and it was not said yet.
func (t *slotText) explainHandles(texts ...string) {
	if t.legend == "" {
		t.legend = handleLegend(texts...)
		t.printf("%s", t.legend)
	}
}

// saw prints whose slot it is, and what the agent saw.
func (t *slotText) saw() {
	x := &t.explained
	who := x.Alias
	if x.Name != "" {
		who = x.Name + ", " + x.Alias
	}
	if x.Role != "" {
		who += " (" + x.Role + ")"
	}
	t.printf("agent %s, cycle %d, tick %d\n", who, x.Cycle, x.Tick)
	if len(x.Saw) == 0 {
		return
	}
	t.printf("saw\n")
	said := make([]string, len(x.Saw)) // without what agents wrote
	for i, s := range x.Saw {
		t.printf("  %s\n", s)
		said[i] = quoted.ReplaceAllString(s, "")
	}
	t.explainHandles(said...)
}

// goals prints which goals ended, and the others with the terms of their priorities.
func (t *slotText) goals() {
	x := &t.explained
	for _, e := range x.Ended {
		t.printf("%s\n", e.text())
	}
	t.printf("goals (* in this slot)         priority is the sum of urgency, reward, capability, novelty and social, each by its weight\n")
	if u := x.Weights; u != nil {
		t.printf("  %-20s          %.2f %.2f %.2f %.2f %.2f\n", "weights", u.Urgency, u.Reward, u.Capability, u.Novelty, u.Social)
	}
	for _, g := range x.Goals {
		mark := " "
		if g.Top {
			mark = "*"
		}
		about := ""
		if g.About != "" {
			about = ", about " + g.About[:8]
		}
		t.printf("%s %-20s %6.3f   %.2f %.2f %.2f %.2f %.2f  %q%s\n", mark, g.Kind, g.Priority, g.Urgency, g.Reward, g.Capability, g.Novelty, g.Social, g.Text, about)
	}
}

// offers prints the actions on offer with their scores.
func (t *slotText) offers() {
	x := &t.explained
	if len(x.Offers) > 0 {
		t.printf("offers                              priority success ticks  ⚡%s\n", map[bool]string{true: "  score chance"}[x.Offers[0].Score != nil])
	}
	weighed := false
	for i := range x.Offers {
		weighed = weighed || len(x.Offers[i].Factors) > 0
		t.offer(&x.Offers[i])
	}
	if weighed {
		t.printf("  factors such as cost 0.90, from 0.05 to 1, weigh in the score of an offer; docs/AGENT.md, A slot, says what each means\n")
	}
}

func (t *slotText) offer(o *explainedOffer) {
	t.printf("  %-16s %-18s %6.3f  %5.2f  %4d %3d", o.Action, o.Goal, o.Priority, o.Success, o.Ticks, o.Spark)
	if o.Score != nil {
		t.printf(" %6.3f %4.0f %%", *o.Score, 100**o.Chance)
	}
	t.printf("\n")
	if o.Params != "" {
		t.printf("      %s\n", o.Params)
	}
	if o.Text != "" {
		author := ""
		if o.Author != "" { // a question has none: it is about its topic
			author = " " + o.Author
		}
		t.printf("      about%s: %.100q\n", author, o.Text)
	}
	for i, k := range o.Factors {
		t.printf("%s%s %.2f%s", map[bool]string{true: "      "}[i == 0], k.Factor, k.Value, map[bool]string{true: "\n", false: ", "}[i == len(o.Factors)-1])
	}
	if o.Lesson != "" {
		t.printf("      learned: %s\n", o.Lesson)
	}
}

// thoughts prints what the mind answered, and what decided.
func (t *slotText) thoughts() {
	for i := range t.explained.Thoughts {
		th := &t.explained.Thoughts[i]
		t.printf("%s\n", strings.TrimSuffix(fmt.Sprintf("thought %d (%s, %s): %s", i+1, th.Model, th.Outcome, th.Text), ": "))
		how := "decided by" // by the scripted mind, which weighs factors
		if t.scripted == nil {
			how = "differs in"
		}
		for _, d := range th.Decided {
			t.printf("  %s %s: %.2f, of the others %.2f\n", how, d.Factor, d.Value, *d.Others)
		}
		if th.Error != "" {
			t.printf("  %s: %s\n", th.whatFailed(), th.Error)
		}
		t.explainHandles(th.Text, th.Error)
	}
}

// whatFailed says what the error of a thought is the reason of.
func (th *explainedThought) whatFailed() string {
	switch {
	case th.fallback:
		return "by the scripted mind in place of the model"
	case th.Outcome != llm.Answered.String():
		return "no answer"
	}
	return "not usable"
}

// act prints what the agent did, or why it did nothing.
func (t *slotText) act() {
	x := &t.explained
	switch {
	case x.Rest != nil:
		t.rest(*x.Rest)
	case x.NOP != "":
		t.printf("sent nothing: %s\n", observe.NOPText(x.NOP))
	case x.Sent == "":
		t.printf("sent nothing: an action of more than one tick was running\n")
	default:
		t.sent()
	}
}

// rest prints that the agent rests, for so many more slots.
func (t *slotText) rest(slots uint64) {
	thoughts := t.explained.Thoughts
	switch n := len(thoughts); {
	case slots == 0 && n == 0:
		t.printf("rests; it is the last slot of its rest\n")
	case slots == 0:
		t.printf("rests in its last slot of the cycle\n")
	case n > 0:
		t.printf("rests for %s, unless something comes for it, because %q\n", llm.Count(slots, "slot"), thoughts[n-1].Reasoning)
	default:
		t.printf("rests; %s more at most, unless something comes for it\n", llm.Count(slots, "slot"))
	}
}

// sent prints what the agent sent and what came of it.
func (t *slotText) sent() {
	x := &t.explained
	t.printf("did %s", x.Sent)
	if n := len(x.Thoughts); n > 0 && x.Thoughts[n-1].Reasoning != "" {
		t.printf(", because %q", x.Thoughts[n-1].Reasoning)
	}
	if !t.recorded {
		return
	}
	t.printf("\nresult: %s", x.Outcome)
	if x.Refused != "" {
		t.printf(" (%s)", x.Refused)
	}
	t.printf("\nremembered: %s\n", x.Lesson)
}

// end prints how the agent was afterwards.
func (t *slotText) end() {
	x := &t.explained
	if x.StatusFrom != x.StatusTo {
		t.printf("fell asleep (%s): %s\n", x.StatusTo, observe.ReasonText(x.StatusTo, x.Reason))
	}
	if t.diverged {
		t.printf("\nthis build diverges from the recorded run in this cycle: the slot is shown as this build has it\n")
	}
	if t.recorded {
		t.printf("afterwards: %d ⚡, reputation %.3f\n", x.Balance, x.Reputation)
	}
}

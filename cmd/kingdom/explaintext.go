package main

import (
	"fmt"
	"regexp"
	"slices"

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
	return s + fmt.Sprintf(", after %s of work", plural(e.Effort, "tick"))
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
	x := &w.explained
	p := func(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
	who := x.Alias
	if x.Name != "" {
		who = x.Name + ", " + x.Alias
	}
	if x.Role != "" {
		who += " (" + x.Role + ")"
	}
	p("agent %s, cycle %d, tick %d\n", who, x.Cycle, x.Tick)
	known := "" // the legend of short names, once it was printed
	if len(x.Saw) > 0 {
		p("saw\n")
		said := make([]string, len(x.Saw)) // without what agents wrote
		for i, s := range x.Saw {
			p("  %s\n", s)
			said[i] = quoted.ReplaceAllString(s, "")
		}
		known = handleLegend(said...)
		p("%s", known)
	}
	for _, e := range x.Ended {
		p("%s\n", e.text())
	}
	p("goals (* in this slot)         priority is the sum of urgency, reward, capability, novelty and social, each by its weight\n")
	if u := x.Weights; u != nil {
		p("  %-20s          %.2f %.2f %.2f %.2f %.2f\n", "weights", u.Urgency, u.Reward, u.Capability, u.Novelty, u.Social)
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
		p("%s %-20s %6.3f   %.2f %.2f %.2f %.2f %.2f  %q%s\n", mark, g.Kind, g.Priority, g.Urgency, g.Reward, g.Capability, g.Novelty, g.Social, g.Text, about)
	}
	if len(x.Offers) > 0 {
		p("offers                              priority success ticks  ⚡%s\n", map[bool]string{true: "  score chance"}[x.Offers[0].Score != nil])
	}
	weighed := false
	for _, o := range x.Offers {
		weighed = weighed || len(o.Factors) > 0
		p("  %-16s %-18s %6.3f  %5.2f  %4d %3d", o.Action, o.Goal, o.Priority, o.Success, o.Ticks, o.Spark)
		if o.Score != nil {
			p(" %6.3f %4.0f %%", *o.Score, 100**o.Chance)
		}
		p("\n")
		if o.Params != "" {
			p("      %s\n", o.Params)
		}
		if o.Text != "" {
			author := ""
			if o.Author != "" { // a question has none: it is about its topic
				author = " " + o.Author
			}
			p("      about%s: %.100q\n", author, o.Text)
		}
		for i, k := range o.Factors {
			p("%s%s %.2f%s", map[bool]string{true: "      "}[i == 0], k.Factor, k.Value, map[bool]string{true: "\n", false: ", "}[i == len(o.Factors)-1])
		}
		if o.Lesson != "" {
			p("      learned: %s\n", o.Lesson)
		}
	}
	if weighed {
		p("  factors such as cost 0.90, from 0.05 to 1, weigh in the score of an offer; docs/AGENT.md, A slot, says what each means\n")
	}
	for i, t := range x.Thoughts {
		p("thought %d (%s, %s): %s\n", i+1, t.Model, t.Outcome, t.Text)
		how := "decided by" // by the scripted mind, which weighs factors
		if w.scripted == nil {
			how = "differs in"
		}
		for _, d := range t.Decided {
			p("  %s %s: %.2f, of the others %.2f\n", how, d.Factor, d.Value, *d.Others)
		}
		if t.Error != "" {
			p("  not usable: %s\n", t.Error)
		}
		if known == "" {
			known = handleLegend(t.Text, t.Error)
			p("%s", known)
		}
	}
	switch {
	case x.Rest != nil && *x.Rest == 0 && len(x.Thoughts) == 0:
		p("rests; it is the last slot of its rest\n")
	case x.Rest != nil && *x.Rest == 0:
		p("rests in its last slot of the cycle\n")
	case x.Rest != nil && len(x.Thoughts) > 0:
		p("rests for %s, unless something comes for it, because %q\n", plural(*x.Rest, "slot"), x.Thoughts[len(x.Thoughts)-1].Reasoning)
	case x.Rest != nil:
		p("rests; %s more at most, unless something comes for it\n", plural(*x.Rest, "slot"))
	case x.NOP != "":
		p("sent nothing: %s\n", observe.NOPText(x.NOP))
	case x.Sent == "":
		p("sent nothing: an action of more than one tick was running\n")
	default:
		p("did %s", x.Sent)
		if n := len(x.Thoughts); n > 0 && x.Thoughts[n-1].Reasoning != "" {
			p(", because %q", x.Thoughts[n-1].Reasoning)
		}
		if !w.recorded {
			break
		}
		p("\nresult: %s", x.Outcome)
		if x.Refused != "" {
			p(" (%s)", x.Refused)
		}
		p("\nremembered: %s\n", x.Lesson)
	}
	if x.StatusFrom != x.StatusTo {
		p("fell asleep (%s): %s\n", x.StatusTo, observe.ReasonText(x.StatusTo, x.Reason))
	}
	if w.diverged {
		p("\nthis build diverges from the recorded run in this cycle: the slot is shown as this build has it\n")
	}
	if !w.recorded {
		return
	}
	p("afterwards: %d ⚡, reputation %.3f\n", x.Balance, x.Reputation)
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"kingdom/llm"
)

// answer is the answer to one question, as --json prints it.
type answer struct {
	interviewHeader
	Question     string `json:"question"`
	Answer       string `json:"answer"`
	Model        string `json:"model"`
	Error        string `json:"error"`
	PromptTokens uint64 `json:"prompt_tokens"`
	OutputTokens uint64 `json:"output_tokens"`
	Cost         uint64 `json:"cost_micro_usd"`

	thought llm.Thought
}

// wasAsked reports whether the question was asked to its end. What Ctrl-C and the budget prevented is told once, at the end.
func (x *answer) wasAsked() bool {
	return x.thought.Outcome != llm.Interrupted && x.thought.Capped == nil
}

// print prints an answer.
func (iv *interview) print(x *answer) {
	if iv.app.json {
		iv.app.jsonLine(x)
		return
	}
	if !x.wasAsked() {
		return
	}
	fmt.Fprintf(iv.app.out, "> %s\n", x.Question)
	if x.Answer != "" {
		fmt.Fprintln(iv.app.out, withoutControls(x.Answer))
	}
	if x.Error != "" {
		fmt.Fprintf(iv.app.out, "(%s)\n", withoutControls(x.Error))
	}
}

// withoutControls removes from a model's text what could control the terminal.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// summaryOfAnswers counts answers.
type summaryOfAnswers struct {
	given, missing uint64
	spent          llm.Spent
	capped         *llm.Capped  // of the first answer that --budget forbade
	outage, failed *llm.Thought // the first answer that an outage prevented, and the first that something else did
}

func (t *summaryOfAnswers) add(x *answer) {
	t.spent.Add(&x.thought.Spent)
	if x.Answer != "" {
		t.given++
		return
	}
	t.missing++
	switch th := &x.thought; {
	case th.Capped != nil:
		t.capped = cmp.Or(t.capped, th.Capped)
	case th.Outage:
		t.outage = cmp.Or(t.outage, th)
	default:
		t.failed = cmp.Or(t.failed, th)
	}
}

// err returns an error if an answer is missing: the budget if that is why, else an outage, else what went wrong first.
func (t *summaryOfAnswers) err() error {
	missing := llm.Count(t.missing, "answer") + " missing: "
	switch {
	case t.capped != nil:
		return &interviewCapError{*t.capped, t.missing}
	case t.outage != nil:
		return unreachableError{fmt.Errorf("%s%s; start the server and give the key that it wants (docs/MINDS.md, Keys), or say where it is: --set minds.models.%s.endpoint=URL",
			missing, withoutControls(t.outage.Error), t.outage.Model)}
	case t.failed != nil:
		return errors.New(missing + withoutControls(t.failed.Error))
	}
	return nil
}

// interviewCapError says that --budget ended an interview.
type interviewCapError struct {
	llm.Capped
	missing uint64
}

func (e *interviewCapError) Error() string {
	return fmt.Sprintf("%s missing: --budget is %s, %s are spent, and the next question may cost %s; give more", llm.Count(e.missing, "answer"), llm.USD(e.Cap), llm.USD(e.Spent), llm.USD(e.Call))
}

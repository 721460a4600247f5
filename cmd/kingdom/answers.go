package main

import (
	"fmt"

	"kingdom/engine"
	"kingdom/llm"
)

// answerSums counts what came of thoughts for which models were to be asked, whichever model it was.
type answerSums struct {
	answers    int
	unusable   int // of the answers
	replaced   int // thoughts of the scripted mind in place of a model
	unanswered int // slots without a thought
}

// sums adds up the counts of all models; of a nil modelAnswers they are 0.
func (n *modelAnswers) sums() (out answerSums) {
	if n == nil {
		return out
	}
	for _, got := range n.byModel {
		out.unusable += got.unusable
	}
	out.answers, out.replaced, out.unanswered = n.Answered, n.Replaced, n.IdleSlots()
	return out
}

func (s *answerSums) add(o answerSums) {
	s.answers, s.unusable, s.replaced, s.unanswered = s.answers+o.answers, s.unusable+o.unusable, s.replaced+o.replaced, s.unanswered+o.unanswered
}

// String says how many answers were of no use, and how many did not come.
func (s *answerSums) String() string {
	text := fmt.Sprintf("%d of %s unusable", s.unusable, llm.Count(uint64(s.answers), "answer"))
	if s.replaced > 0 {
		text += fmt.Sprintf(", %d by the scripted mind", s.replaced)
	}
	if s.unanswered > 0 {
		text += fmt.Sprintf(", %s without an answer", llm.Count(uint64(s.unanswered), "slot"))
	}
	return text
}

// many reports whether a tenth of the thoughts or more were not what a model meant to do.
func (s *answerSums) many() bool {
	lost := s.unusable + s.replaced + s.unanswered
	return lost > 0 && 10*lost >= s.answers+s.replaced+s.unanswered
}

// warnOfAnswers warns if much of what agents with models did in some runs was not the doing of their models; name is what the
// user named. Runs that cannot be read are left to those who need more of them.
func warnOfAnswers(say func(format string, args ...any), name string, dirs []string) {
	var sums answerSums
	for _, dir := range dirs {
		sc, rf, err := openRunDir(dir)
		if err != nil {
			continue
		}
		cfg := configFor(sc, &rf)
		if n, err := modelThoughts(sc, &cfg, dir, engine.LastCycle, nil); err == nil {
			sums.add(n.sums())
		}
	}
	if sums.many() {
		say("warning: models failed or were replaced in %s: %v; what it shows is in part not their doing", name, &sums)
	}
}

package goals

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Satisfaction is the record of how a goal ended, for observers and for learning.
type Satisfaction struct {
	Goal            wire.Hash
	Completed       bool    // else abandoned
	RewardActual    uint64  // ⚡ that it brought until it ended; what comes later is learned by [Learning.LearnLate]
	RewardExpected  uint64  // ⚡ predicted at creation
	ReputationDelta float32 // since creation
	NoveltyScore    float32 // novelty term at creation, [0,1]
	Effort          uint64  // ticks

	Kind    Kind
	Domain  action.Domain
	Acted   action.Domain // of the last act for it; 0: there was none
	Subject wire.Hash     // of the goal; zero if it had none
	Text    string        // what the goal said

	Reason   Reason       // why it was abandoned
	ClosedBy wire.AgentID // the agent that has the closed subject now, or closed it; zero: none
}

// Outcome is SUCCESS for a completed goal and FAILURE for an abandoned one, as in the logs.
func (s *Satisfaction) Outcome() string {
	if s.Completed {
		return "SUCCESS"
	}
	return "FAILURE"
}

func (g *Goal) satisfaction(reward uint64, reputation float64) Satisfaction {
	return Satisfaction{
		Goal:            g.ID,
		Completed:       g.Status == StatusCompleted,
		RewardActual:    reward,
		RewardExpected:  g.Record.RewardExpected,
		ReputationDelta: float32(det.Quantise(reputation - g.Record.Reputation)),
		NoveltyScore:    float32(g.Record.Novelty),
		Effort:          g.Record.Effort,
		Kind:            g.Kind(),
		Domain:          g.Domain(),
		Acted:           action.Domain(g.Record.Acted),
		Subject:         g.Subject(),
		Text:            g.Description.Text,
		Reason:          g.Ended,
	}
}

// maxSurprise bounds the surprise of one satisfaction.
const maxSurprise = 0.2

// Learn learns from how a goal ended. The expected ⚡ of its domain and kind move towards the actual ones. The
// returned surprise, in [−0.2, 0.2], says how far they differed, on the scale of the reward term, in which both are
// in [0,1). The outcome is credited in the domain of the last act for the goal. A goal that was abandoned before any
// work teaches nothing.
func (l *Learning) Learn(s *Satisfaction) (surprise float64) {
	if !s.Completed && s.Effort == 0 {
		return 0
	}
	if s.Acted != 0 && !s.Reason.SubjectClosed() { // that others were faster does not count as a failure of the agent
		l.Credit(s.Acted, s.Completed)
	}
	e := l.entry(s.Domain, s.Kind)
	actual := float64(s.RewardActual)
	diff := saturate(actual) - saturate(e.Expected)
	e.Expected = det.Quantise(e.Expected + float64(emaRate*(actual-e.Expected)))
	return det.Quantise(min(max(diff, -maxSurprise), maxSurprise))
}

// LearnLate adds ⚡ that goals of a kind earned after they had ended, such as rewards at the end of a cycle, as if
// [Learning.Learn] had counted them.
func (l *Learning) LearnLate(d action.Domain, k Kind, paid uint64) {
	e := l.entry(d, k)
	e.Expected = det.Quantise(e.Expected + float64(emaRate*float64(paid)))
}

package memory

import "testing"

// Practice lowers the bar of a topic once per cycle, and without practice it rises, so that equal agents specialize.
func TestBar_FallsOncePerCycleWithPracticeAndRisesWithout(t *testing.T) {
	l := make(TopicNotes, Topics)
	for i := range l {
		l[i].Bar = 1
	}
	l.Practise(TopicTalk, 4, 0.125)
	l.Practise(TopicTalk, 4, 0.125)
	if got := l.Bar(TopicTalk); got != 0.875 {
		t.Errorf("two good works in a cycle: %v", got)
	}
	l.Idle(4, 0.0625)
	if mine, other := l.Bar(TopicTalk), l.Bar(TopicReviews); mine != 0.875 || other != 1.0625 {
		t.Errorf("at the end of the cycle %v, and of what was not practised %v", mine, other)
	}
	for range 40 {
		l.Idle(10, 0.125)
	}
	if got := l.Bar(TopicTalk); got < BarMost-0.001 || got > BarMost {
		t.Errorf("without practice %v", got)
	}
	if got := l.Bar(0); got != 1 {
		t.Errorf("of no topic %v", got)
	}
}

package world

import "testing"

func TestSubmission_LimitIsTheSumOfItsChecks(t *testing.T) {
	s := &Submission{Checks: []ProgramCheck{{Ticks: 30}, {Ticks: 12}}}
	if got := s.Limit(); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

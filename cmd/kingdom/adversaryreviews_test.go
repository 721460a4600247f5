//go:build unix && !race

package main

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/scenarios"
	"kingdom/wire"
)

// requests follows what honest agents ask others to review, and who answers.
type requests struct {
	honest map[wire.AgentID]bool
	open   map[wire.Hash]*request
}

// request is one request of an honest agent for a review of its program.
type request struct {
	named        bool // asks certain agents
	honest, junk int  // reviews of honest agents and of others
}

func newRequests(honest map[wire.AgentID]bool) *requests {
	return &requests{honest: honest, open: map[wire.Hash]*request{}}
}

func (r *requests) read(e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.ReviewRequestedEvent:
		if r.honest[x.Author] {
			r.open[x.ReviewID] = &request{named: len(x.Reviewers) > 0}
		}
	case *wire.ReviewSubmittedEvent:
		switch q := r.open[x.ReviewID]; {
		case q == nil:
		case r.honest[x.Reviewer]:
			q.honest++
		default:
			q.junk++
		}
	}
}

// answers is what became of the requests that name somebody, or of those that do not.
type answers struct{ made, heard, lost int }

// of counts requests: how many were made, to how many an honest agent said something, and how many two others closed before.
func (r *requests) of(named bool) (a answers) {
	for _, q := range r.open { //house:sorted sums
		if q.named != named {
			continue
		}
		a.made++
		if q.honest > 0 {
			a.heard++
		} else if q.junk > 1 {
			a.lost++
		}
	}
	return a
}

func (a answers) String() string {
	return fmt.Sprintf("%d made, %d heard by an honest agent, %d closed by others", a.made, a.heard, a.lost)
}

// Four of sixteen answer every request for a review at once, with "no". Who may answer one that names nobody is drawn, so they do
// not shut out the honest: before, 3 of 50 requests were heard by an honest agent.
func TestAdversaries_JunkReviews(t *testing.T) {
	text := strings.Replace(quarter, "{role: LIBRARIAN, count: 3}", "{role: COMPILER_SMITH, count: 3}", 1)
	var anybody answers
	for seed := 1; seed <= 3; seed++ { // single seeds have 0.30 to 0.56, twelve together 0.47
		sc, err := scenarios.Parse("quarter.yaml", []byte(strings.ReplaceAll(text, "NAME", "veto")))
		if err != nil {
			t.Fatal(err)
		}
		override(t, sc, fmt.Sprintf("seed=%d", seed))
		p := play(t, sc, 60)
		a := p.requests.of(false)
		t.Logf("seed %d: anybody asked: %v; by name: %v", seed, a, p.requests.of(true))
		anybody = answers{anybody.made + a.made, anybody.heard + a.heard, anybody.lost + a.lost}
	}
	if anybody.made < 20 || anybody.heard*5 < anybody.made*2 {
		t.Errorf("of what honest agents ask anybody: %v; want two fifths heard", anybody)
	}
}

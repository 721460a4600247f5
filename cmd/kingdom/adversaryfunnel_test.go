//go:build unix && !race

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kingdom/wire"
)

// funnel counts how far bounties came, by who set them for what and who worked on them: where bounties of honest agents
// are lost beside adversaries.
type funnel struct {
	class func(wire.AgentID) string // what sort of agent one is
	what  map[wire.Hash]string      // who set a bounty for what
	count map[string]int
}

func newFunnel(class func(wire.AgentID) string) *funnel {
	return &funnel{class: class, what: map[wire.Hash]string{}, count: map[string]int{}}
}

// read counts an event, if it is one of a bounty.
func (f *funnel) read(e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		title, _, titled := strings.Cut(string(x.Title), ":") // "Document: …", "Set right: …", "Program: …"
		if who := f.class(x.Creator); titled && who != "adversary" {
			f.what[x.BountyID] = who + ", " + title
		} else {
			f.what[x.BountyID] = who
		}
		f.note(x.BountyID, "set")
	case *wire.BountyClaimedEvent:
		f.note(x.BountyID, "claimed by "+f.class(x.Claimer))
	case *wire.BountySubmittedEvent:
		f.note(x.BountyID, "delivered by "+f.class(x.Claimer))
	case *wire.BountyCompletedEvent:
		f.note(x.BountyID, "completed by "+f.class(x.Claimer))
	case *wire.BountyRejectedEvent:
		f.note(x.BountyID, "rejected: "+string(x.Reason))
	case *wire.BountyReopenedEvent:
		f.note(x.BountyID, "reopened: "+string(x.Reason))
	case *wire.BountyExpiredEvent:
		f.note(x.BountyID, "expired")
	}
}

func (f *funnel) note(id wire.Hash, what string) { f.count[f.what[id]+" "+what]++ }

// wanted is how many bounties for programs and right entries honest agents set, and the world, and how many of them
// honest agents completed. Answers to questions are left out: hardly anybody has counted what is asked.
func (f *funnel) wanted() (set, completed int) {
	for _, what := range []string{"honest, Program", "honest, Set right", "system"} {
		set += f.count[what+" set"]
		completed += f.count[what+" completed by honest"]
	}
	return set, completed
}

func (f *funnel) String() string {
	var out strings.Builder
	for _, k := range slices.Sorted(maps.Keys(f.count)) {
		fmt.Fprintf(&out, "\n  %s: %d", k, f.count[k])
	}
	return out.String()
}

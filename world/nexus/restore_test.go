package nexus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// indexes describes all that is derived from the tables.
func (l *lab) indexes() string {
	var s strings.Builder
	line := func(name string, v any) { fmt.Fprintf(&s, "%s %v\n", name, v) } // maps are printed in the order of their keys
	line("by spawn", l.bySpawn)
	line("living", l.living)
	line("active", l.Active())
	line("count", l.Count())
	g := &l.governance
	line("open", g.ids)
	line("due", g.due)
	line("opened", g.opened)
	line("ballots", g.ballots)
	line("under vote", g.underKillVote)
	line("kill vote from", g.killVoteFrom)
	line("subscriptions", l.subscriptions.of)
	return s.String()
}

// What is derived from the tables is the same after a restore: who lives and sleeps, what is open, who voted, and who
// listens to what.
func TestRestored_IndexesAreRebuilt(t *testing.T) {
	l := newLab(t, 8)
	check := func(after string) {
		t.Helper()
		n := l.restored()
		if diff := cmp.Diff(strings.Split(l.indexes(), "\n"), strings.Split(n.indexes(), "\n")); diff != "" {
			t.Errorf("after %s (-running +restored):\n%s", after, diff)
		}
		l = n
	}
	check("the Big Bang")
	q := &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}}
	for range 3 {
		l.do(l.ids[0], q)
	}
	l.do(l.ids[1], q)
	l.do(l.ids[0], &wire.Unsubscribe{SubscriberID: 2})
	check("subscriptions")
	late, _ := l.propose(0, end, kill(l.ids[7]), 768)
	unread, _ := l.propose(0, custom, text(20), 512)
	ended, _ := l.propose(1, end, kill(l.ids[6]), 513)
	l.everybody(ended, false)
	l.ballot(3, late, true)
	l.ballot(4, unread, true)
	check("proposals and votes")
	if got := l.ballot(3, late, true); got != "already_voted" {
		t.Errorf("a second vote after a restore: %q", got)
	}
	l.sleep(5, 300)
	l.end(2)
	check("a tally")
	if g := &l.governance; !slices.Equal(g.ids, []wire.Hash{late}) || len(g.due) != 1 || len(g.ballots) != 1 || len(g.opened) != 1 {
		t.Errorf("what was tallied is still indexed:\n%s", l.indexes())
	}
	l.treasury.insolvent[l.ids[0]] = 5
	l.end(3)
	check("a death")
	if len(l.subscriptions.of) != 1 {
		t.Errorf("a dead agent listens: %v", l.subscriptions.of)
	}
}

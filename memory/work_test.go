package memory

import (
	"testing"

	"kingdom/wire"
)

func thing(n byte) wire.Hash { return wire.Hash{n} }

// TestNotebook_Works: a work is found by what it is about, by its repo and by its sandbox. Of a repo the agent's own
// work is meant, never its review of it.
func TestNotebook_Works(t *testing.T) {
	var l Notebook
	w := l.BeginWork(WorkDelivery, thing(1), 10)
	w.Repo, w.Sandbox, w.Stage = thing(2), thing(3), WorkTried
	r := l.BeginWork(WorkReview, thing(1), 11)
	r.Repo, r.Sandbox = thing(4), thing(5)
	if again := l.BeginWork(WorkDelivery, thing(1), 99); again.Stage != WorkTried || again.At != 10 || len(l.Works) != 2 {
		t.Errorf("a work that is begun again: %+v of %d", again, len(l.Works))
	}
	for name, c := range map[string]struct {
		got  *WorkNote
		want WorkKind // 0: none
	}{
		"by kind and bounty":            {l.Work(WorkDelivery, thing(1)), WorkDelivery},
		"the same bounty, other kind":   {l.Work(WorkReview, thing(1)), WorkReview},
		"kind that there is none of":    {l.Work(WorkModule, thing(1)), 0},
		"bounty that there is none of":  {l.Work(WorkDelivery, thing(9)), 0},
		"by sandbox, first":             {l.WorkIn(thing(3)), WorkDelivery},
		"by sandbox, second":            {l.WorkIn(thing(5)), WorkReview},
		"sandbox that there is none of": {l.WorkIn(thing(9)), 0},
		"by repo":                       {l.WorkOf(thing(2)), WorkDelivery},
		"a repo that is only reviewed":  {l.WorkOf(thing(4)), 0},
		"repo that there is none of":    {l.WorkOf(thing(9)), 0},
	} {
		var kind WorkKind
		if c.got != nil {
			kind = c.got.Kind
		}
		if kind != c.want {
			t.Errorf("%s: kind %d, want %d", name, kind, c.want)
		}
	}
	l.DropWork(WorkReview, thing(9))
	l.DropWork(WorkDelivery, thing(1))
	if len(l.Works) != 1 || l.Works[0].Kind != WorkReview {
		t.Errorf("after one of two was dropped: %+v", l.Works)
	}
}

// TestNotebook_BeginWork_AtTheLimit: a finished review goes first, then a review, then a finished own work, then another;
// of equals the one that was touched longest ago.
func TestNotebook_BeginWork_AtTheLimit(t *testing.T) {
	notes := []WorkNote{ // in the order in which they are to go
		{Kind: WorkReview, Stage: WorkDone, At: 50},
		{Kind: WorkReview, Stage: WorkNew, At: 40},
		{Kind: WorkReview, Stage: WorkRunning, At: 41},
		{Kind: WorkService, Stage: WorkDone, At: 42},
		{Kind: WorkModule, Stage: WorkTagged, At: 43},
		{Kind: WorkDelivery, Stage: WorkWritten, At: 20},
		{Kind: WorkDelivery, Stage: WorkNew, At: 21},
		{Kind: WorkModule, Stage: WorkSent, At: 22},
	}
	for i := range notes {
		notes[i].About = thing(byte(i + 1))
	}
	if len(notes) != notebookWorks {
		t.Fatalf("%d notes for a notebook of %d", len(notes), notebookWorks)
	}
	var l Notebook
	for _, i := range []int{3, 7, 0, 5, 2, 6, 1, 4} {
		*l.BeginWork(notes[i].Kind, notes[i].About, notes[i].At) = notes[i]
	}
	for i, n := range notes {
		if w := l.Work(n.Kind, n.About); w == nil {
			t.Fatalf("work %d went before its turn", i+1)
		}
		w := l.BeginWork(WorkDelivery, thing(byte(100+i)), wire.Tick(100+i)) // newer than all
		if w.About != thing(byte(100+i)) || w.At != wire.Tick(100+i) || w.Kind != WorkDelivery {
			t.Errorf("the new work is %+v", w)
		}
		if l.Work(n.Kind, n.About) != nil || len(l.Works) != notebookWorks {
			t.Errorf("work %d stayed, of %d", i+1, len(l.Works))
		}
	}
}

// TestNotebook_Claims: who claimed a bounty is known with the tick of the first claim, until it is open again.
func TestNotebook_Claims(t *testing.T) {
	var l Notebook
	a, b := wire.AgentID{1}, wire.AgentID{2}
	claim := func(want wire.AgentID, at wire.Tick) {
		t.Helper()
		who, known := l.Claimer(thing(1))
		when, dated := l.ClaimedAt(thing(1))
		if who != want || when != at || !known || !dated {
			t.Errorf("claimed by %x at %d, want %x at %d", who[:1], when, want[:1], at)
		}
	}
	l.Claim(thing(1), a, 10)
	claim(a, 10)
	l.Claim(thing(1), a, 20) // its submission says so again
	claim(a, 10)
	l.Claim(thing(1), b, 30)
	claim(b, 30)
	if l.Unclaim(thing(1)); len(l.Claims) != 0 {
		t.Error("an open bounty has a claimer")
	}
	if _, dated := l.ClaimedAt(thing(1)); dated {
		t.Error("an open bounty was claimed at some time")
	}
	for i := range byte(notebookClaims + 1) {
		l.Claim(thing(i), a, wire.Tick(i))
	}
	if _, known := l.Claimer(thing(0)); known || len(l.Claims) != notebookClaims {
		t.Errorf("%d claims, the oldest still among them: %v", len(l.Claims), known)
	}
}

// TestNotebook_Offers: the newest offers stay.
func TestNotebook_Offers(t *testing.T) {
	var l Notebook
	for i := range byte(notebookOffers + 1) {
		l.Offer(OfferNote{Bounty: thing(i), At: wire.Tick(i)})
	}
	if len(l.Offers) != notebookOffers || l.Offered(thing(0)) != nil {
		t.Errorf("%d offers, oldest %+v", len(l.Offers), l.Offers[0])
	}
	for i := byte(1); i <= notebookOffers; i++ {
		if n := l.Offered(thing(i)); n == nil || n.At != wire.Tick(i) {
			t.Errorf("offer %d is %+v", i, n)
		}
	}
	if (&OfferNote{}).Work() != BountyWorkOther || (&OfferNote{Measure: MeasureReward}).Work() != BountyWorkEntry {
		t.Error("a bounty that asks for a measure pays for an entry, and no other does")
	}
}

// A cycle without productive work counts, and one with it resets the count.
func TestNotebook_CountsIdleCycles(t *testing.T) {
	var l Notebook
	l.Posts, l.Published, l.Asked, l.Judged, l.Bought, l.Slot, l.Rest, l.Pause = 1, 2, 3, 4, 5, 6, 7, 8
	if l.CycleStart(); l.Posts != 0 || l.Published != 0 || l.Asked != 0 || l.Judged != 0 || l.Bought != 0 || l.Slot != 0 || l.Rest != 0 || l.Pause != 0 {
		t.Errorf("counters of the cycle before: %+v", l)
	}
	for i, c := range []struct {
		worked bool
		want   int
	}{{false, 1}, {false, 2}, {true, 0}, {false, 1}} {
		l.Worked = c.worked
		if l.CycleEnd(); int(l.IdleCycles) != c.want || l.Worked {
			t.Errorf("cycle %d: %d idle cycles, want %d; worked %v", i+1, l.IdleCycles, c.want, l.Worked)
		}
	}
	for i := range notebookEarning + 1 {
		l.NoteEarning(EarningNote{Kind: uint8(i)})
	}
	if len(l.Earning) != notebookEarning || l.Earning[0].Kind != 1 || l.Earning[notebookEarning-1].Kind != notebookEarning {
		t.Errorf("%d acts that may earn: %+v", len(l.Earning), l.Earning)
	}
	n := uint8(253)
	for range 5 {
		Count(&n)
	}
	if n != 255 {
		t.Errorf("a counter at its end is %d", n)
	}
}

// TestNotebook_Channels: a channel is noted once, and the oldest goes.
func TestNotebook_Channels(t *testing.T) {
	var l Notebook
	for i := range byte(notebookChannels + 1) {
		l.SeeChannel(ChannelNote{ID: thing(i), Name: []byte{'a' + i}})
		l.SeeChannel(ChannelNote{ID: thing(i), Name: []byte("again")})
	}
	if len(l.Channels) != notebookChannels || l.Channel(thing(0)) != nil {
		t.Errorf("%d channels, the oldest %+v", len(l.Channels), l.Channels[0])
	}
	for i := byte(1); i <= notebookChannels; i++ {
		if c := l.Channel(thing(i)); c == nil || string(c.Name) != string([]byte{'a' + i}) {
			t.Errorf("channel %d is %+v", i, c)
		}
	}
}

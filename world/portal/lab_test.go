package portal

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// fakeSiblings implements what Portal uses of Nexus and Mint.
type fakeSiblings struct {
	world.Nexus
	world.Mint
	epoch uint32
	bonus int64
	money map[wire.AgentID]uint64
}

func (n *fakeSiblings) Epoch() uint32                  { return n.epoch }
func (n *fakeSiblings) Param(string, int64) int64      { return n.bonus }
func (n *fakeSiblings) Available(a wire.AgentID) int64 { return int64(n.money[a]) }
func (n *fakeSiblings) Fee(_ *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if n.money[a] < amount {
		return &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "funds"}
	}
	n.money[a] -= amount
	return nil
}

// lab is a Portal alone with its neighbours, and an outside that always answers.
type lab struct {
	*Daemon
	t      testing.TB
	c      *world.Context
	n      *fakeSiblings
	asked  int
	status uint16 // of the answers
	page   string // their content
	msgs   uint64
}

func newLab(t testing.TB, epoch uint32) *lab {
	rules := &world.Rules{
		Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8,
		PortalAllow: []world.DomainRule{{Pattern: "docs.test", Category: "reference"}, {Pattern: "both.test", Category: "reference"}},
		PortalBlock: []world.DomainRule{{Pattern: "code.docs.test", Category: "code_host"}, {Pattern: "both.test", Category: "code_host"}},
	}
	l := &lab{
		Daemon: New(rules), t: t, c: &world.Context{Rules: rules}, n: &fakeSiblings{epoch: epoch, money: map[wire.AgentID]uint64{}},
		status: 200, page: strings.Repeat("x", 1000),
	}
	l.Attach(&world.Siblings{Nexus: l.n, Mint: l.n})
	l.c.Boundary(85, 0)
	for _, p := range l.Phases(nil) {
		p.Run(l.c)
	}
	l.at(256)
	return l
}

func (l *lab) at(t wire.Tick) {
	l.c.Seat(t, 1)
	l.c.Events, l.c.Epoch = nil, l.n.epoch
}

func agentID(n int) wire.AgentID { return wire.AgentID{byte(n + 1)} }

// send has agent a ask for a page in a tick of its own.
func (l *lab) send(a int, url string, m wire.HTTPMethod) wire.Reply {
	l.at(l.c.Tick + 1)
	return l.sendAgain(a, url, m)
}

// sendAgain sends another request of agent a in the same tick.
func (l *lab) sendAgain(a int, url string, m wire.HTTPMethod) wire.Reply {
	q := &wire.WebRequest{Agent: agentID(a), URL: []byte(url), Method: m, Filter: usual}
	if _, ok := l.n.money[q.Agent]; !ok {
		l.n.money[q.Agent] = 10_000
	}
	l.msgs++
	l.c.Source, l.c.Prepared = q.Agent, nil
	binary.BigEndian.PutUint64(l.c.Msg[:], l.msgs)
	for _, task := range l.Prepare(l.c.Tick, []world.Request{{Source: l.c.Source, Msg: l.c.Msg, Payload: q}}) {
		l.asked++
		body := wire.WebFetchedCodec.Append(nil, &wire.WebFetched{Status: l.status, Content: []byte(l.page)})
		l.c.Prepared = task.Run(world.Answer{Body: body})[0]
	}
	before := l.State().Hash()
	r := l.Apply(l.c, q)
	if r.Err != nil && r.Err.Category != wire.CategoryInternal.String() && l.State().Hash() != before {
		l.t.Errorf("%s has changed the state", r.Err.Message)
	}
	return r
}

// endCycle ends the cycle and returns its report and the events of its end.
func (l *lab) endCycle() (wire.PortalReport, []*wire.Event) {
	l.c.CycleEnd(l.rules.Calendar.Last(l.c.Cycle))
	l.c.Events = nil
	l.c.ActAs(sys)
	l.CycleEnd(l.c)
	report, events := l.Report(l.c), l.c.Events
	l.at(l.c.Tick + 1)
	return report, events
}

// reasonOf returns the reason and the code of a refusal, empty if there is none.
func reasonOf(r wire.Reply) string {
	if r.Err == nil {
		return ""
	}
	return fmt.Sprintf("%s %04X", r.Err.Message, r.Err.Code)
}

// The daemon refuses what the receive pipeline refuses by epoch, without asking the outside.
func TestRequest_MethodsByEpoch(t *testing.T) {
	for epoch, want := range map[uint32][3]string{
		0: {"portal_closed 0700", "portal_closed 0700", "portal_closed 0700"}, 2: {"portal_closed 0700", "portal_closed 0700", "portal_closed 0700"},
		3: {"", "read_only 0700", ""}, 4: {"", "", ""}, 9: {"", "", ""},
	} {
		for i, m := range []wire.HTTPMethod{wire.HTTPMethodGet, wire.HTTPMethodPost, wire.HTTPMethodHead} {
			l := newLab(t, epoch)
			if got := reasonOf(l.send(0, "https://docs.test/", m)); got != want[i] {
				t.Errorf("epoch %d, %v: %q, want %q", epoch, m, got, want[i])
			}
			if asked := want[i] == ""; asked != (l.asked == 1) {
				t.Errorf("epoch %d, %v: the outside was asked %d times", epoch, m, l.asked)
			}
		}
	}
}

func TestQuota_ByEpochAndBonus(t *testing.T) {
	for _, c := range []struct {
		epoch uint32
		bonus int64
		want  int
	}{{3, 0, 5}, {3, 3, 8}, {4, 0, 7}, {6, 0, 11}} {
		l := newLab(t, c.epoch)
		l.n.bonus = c.bonus
		n := 0
		for ; reasonOf(l.send(0, fmt.Sprintf("https://docs.test/%d", n), wire.HTTPMethodGet)) == ""; n++ {
		}
		if n != c.want {
			t.Errorf("epoch %d, bonus %d: %d requests, want %d", c.epoch, c.bonus, n, c.want)
		}
		if got := reasonOf(l.send(0, "https://docs.test/0", wire.HTTPMethodGet)); got != "quota 0701" {
			t.Errorf("a page of the cache: %q", got)
		}
		l.endCycle()
		if got := reasonOf(l.send(0, "https://docs.test/x", wire.HTTPMethodGet)); got != "" {
			t.Errorf("in the next cycle: %q", got)
		}
	}
}

// One request per tick is allowed, whether it is served from the cache or not.
func TestRate_OneRequestPerTick(t *testing.T) {
	l := newLab(t, 3)
	l.send(0, "https://docs.test/", wire.HTTPMethodGet)
	if got := reasonOf(l.sendAgain(0, "https://docs.test/", wire.HTTPMethodGet)); got != "rate 0701" {
		t.Errorf("a second in the tick: %q", got)
	}
	if got := reasonOf(l.send(0, "https://docs.test/", wire.HTTPMethodGet)); got != "" {
		t.Errorf("in the next tick: %q", got)
	}
}

// An agent that cannot pay before the tick is refused, even if money comes in during it.
func TestFunds_AreCheckedBeforeTheTick(t *testing.T) {
	l := newLab(t, 3)
	l.n.money[agentID(0)] = 1
	if got := reasonOf(l.send(0, "https://docs.test/", wire.HTTPMethodGet)); got != "funds 0701" || l.asked != 0 {
		t.Errorf("%q, asked %d times", got, l.asked)
	}
	if got := reasonOf(l.send(0, "https://docs.test/", wire.HTTPMethodHead)); got != "" || l.n.money[agentID(0)] != 0 {
		t.Errorf("%q, %d ⚡ left", got, l.n.money[agentID(0)])
	}
	q := &wire.WebRequest{Agent: agentID(0), URL: []byte("https://docs.test/"), Method: wire.HTTPMethodGet, Filter: usual}
	l.at(l.c.Tick + 1)
	tasks := l.Prepare(l.c.Tick, []world.Request{{Source: agentID(0), Payload: q}})
	l.n.money[agentID(0)], l.c.Source, l.c.Prepared = 100, agentID(0), nil
	if got := reasonOf(l.Apply(l.c, q)); got != "funds 0701" || len(tasks) > 0 {
		t.Errorf("money that came in the tick: %q, %d tasks", got, len(tasks))
	}
}

// When the last page has expired the places begin anew, as they do in a Portal that is restored then.
func TestRestored_WithoutPages(t *testing.T) {
	run := func(restore bool) wire.Hash {
		l := newLab(t, 4)
		l.send(0, "https://docs.test/1", wire.HTTPMethodGet)
		for range ttlCycles {
			l.endCycle()
		}
		if n := l.cache.Len(); n != 0 {
			t.Fatalf("%d pages are left", n)
		}
		if restore {
			l.restore()
		}
		if got := reasonOf(l.send(1, "https://docs.test/2", wire.HTTPMethodGet)); got != "" || l.cache.Len() != 1 {
			t.Fatalf("%q, %d pages", got, l.cache.Len())
		}
		return l.State().Hash()
	}
	if run(false) != run(true) {
		t.Error("the restored world is another")
	}
}

// restore continues with a Portal that has only what was stored of this one.
func (l *lab) restore() {
	l.State().Hash()
	again := New(l.rules)
	for _, r := range l.State().All() {
		if err := again.State().Load(r); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, h := range l.State().Heads() {
		if err := again.State().SetHead(h); err != nil {
			l.t.Fatal(err)
		}
	}
	again.Attach(&world.Siblings{Nexus: l.n, Mint: l.n})
	again.Restored()
	again.State().FinishRestore()
	l.Daemon = again
}

// A restored Portal behaves like one that was not.
func TestRestored_BehavesLikeTheOriginal(t *testing.T) {
	run := func(restore bool) (hash wire.Hash) {
		l := newLab(t, 4)
		l.n.bonus = 100
		for i := range 60 {
			l.send(i%3, fmt.Sprintf("https://docs.test/%d", i*i%23), wire.HTTPMethod(1+i%3))
			if i%7 == 6 {
				l.endCycle()
			}
			if i%14 == 13 && restore {
				l.restore()
			}
		}
		return l.State().Hash()
	}
	if run(false) != run(true) {
		t.Error("the restored world is another")
	}
}

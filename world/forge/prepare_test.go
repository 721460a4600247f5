package forge

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// told is all that came of a tick: replies, results, events and the state.
func (l *lab) told(replies []wire.Reply) string {
	s := fmt.Sprintln(l.State().Hash(), l.n.money)
	for _, r := range replies {
		s += fmt.Sprintf("%s %+v\n", word(r), r.Body)
	}
	for _, d := range l.c.Deliveries {
		s += fmt.Sprintf("%v %s\n", d.To, wire.AppendReply(nil, wire.Hash{}, d.Message.Body))
	}
	for _, e := range l.c.Events {
		s += fmt.Sprintf("%v %v %+v\n", e.ID, e.Kind, e.Payload)
	}
	return s
}

const adding = "def f(data, state):\n    n = (state or 0) + int(str(data))\n    return str(n), n\n"

// Running ahead of the commit gives the same as running at the commit, also if a call that others build on is refused
// at the commit.
func TestPrepare_GivesSameAsRunningAtCommit(t *testing.T) {
	call := func(id wire.Hash, data string) any {
		return &wire.ServiceCall{ServiceID: id, Endpoint: []byte("f"), Data: []byte(data)}
	}
	for name, c := range map[string]struct {
		program string
		between func(n *town)
		data    [3]string
		results []string
	}{
		"all are served":           {adding, nil, [3]string{"1", "10", "100"}, []string{"1", "11", "111"}},
		"the first is refused":     {adding, func(n *town) { n.money[n.ids[1]] = 0 }, [3]string{"1", "10", "100"}, []string{"10", "110"}},
		"the second is refused":    {adding, func(n *town) { n.money[n.ids[2]] = 0 }, [3]string{"1", "10", "100"}, []string{"1", "101"}},
		"the first faults":         {adding, nil, [3]string{"x", "10", "100"}, []string{"", "10", "110"}},
		"what the others see ends": {"def f(data, state):\n    if state == None:\n        return '0', 1\n    return 1 // 0\n", func(n *town) { n.money[n.ids[1]] = 0 }, [3]string{}, []string{"0", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			var seen [2]string
			for i := range seen {
				l := newLab(t)
				id := l.serve(0, 7, c.program)
				run := l.must(4, &wire.SandboxCreate{Code: l.atom(4, "emit(str(vault_get('"+l.atom(5, "stored").String()+"')))"), MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
				l.bare = i == 1
				replies := l.tick(func() {
					if c.between != nil {
						c.between(l.n)
					}
				}, sending{4, &wire.ExecStart{SandboxID: run}}, sending{1, call(id, c.data[0])}, sending{2, call(id, c.data[1])}, sending{3, call(id, c.data[2])})
				seen[i] = l.told(replies)
				var results []string
				for _, d := range l.c.Deliveries {
					if r, ok := d.Message.Body.(*wire.ServiceResult); ok {
						results = append(results, string(r.Data))
					}
				}
				if d := cmp.Diff(c.results, results); d != "" {
					t.Errorf("prepared %t: results (-want +got):\n%s", !l.bare, d)
				}
			}
			if d := cmp.Diff(seen[0], seen[1]); d != "" {
				t.Errorf("(-prepared +in place):\n%s", d)
			}
		})
	}
}

// A call that would read contents that were not fetched is refused as busy and changes nothing; in the next tick it
// succeeds.
func TestCalls_ReadingUnpreparedContentAreBusy(t *testing.T) {
	l := newLab(t)
	one, two := l.atom(5, "one"), l.atom(5, "two")
	id := l.serve(0, 7, "def f(data, state):\n    if state == None:\n        return vault_get(str(data)), 1\n    return 'later'\n")
	call := func(x wire.Hash) any {
		return &wire.ServiceCall{ServiceID: id, Endpoint: []byte("f"), Data: []byte(x.String())}
	}
	before := l.State().Hash()
	replies := l.tick(func() { l.n.money[l.n.ids[1]] = 0 }, sending{1, call(one)}, sending{2, call(two)})
	if word(replies[0]) != "funds" || word(replies[1]) != "busy" {
		t.Errorf("replies %q and %q, want funds and busy", word(replies[0]), word(replies[1]))
	}
	if l.State().Hash() != before || len(l.c.Events)+len(l.c.Deliveries) > 0 {
		t.Error("the state has changed, or somebody was told something")
	}
	l.must(2, call(two))
	if r := l.c.Deliveries[0].Message.Body.(*wire.ServiceResult); string(r.Data) != "two" {
		t.Errorf("result %q, want two", r.Data)
	}
}

// A sandbox whose memory its owner cannot pay is refused before its program is compiled, so that nobody has Forge read for
// nothing.
func TestSandbox_WithoutMoneyForMemoryNothingIsRead(t *testing.T) {
	l := newLab(t)
	q := &wire.SandboxCreate{Code: l.atom(0, "def (\n"), MemoryQuota: 65_536 + 3*1024, TickBudget: 100}
	for money, want := range map[int64]struct {
		word string
		left uint64
	}{-1: {"funds", 1000}, 2: {"funds", 1000}, 3: {"program", 999}} {
		l.n.money[l.n.ids[0]] = money
		l.cpu.Delete(l.n.ids[0])
		if got := word(l.send(0, q)); got != want.word || l.TicksLeft(l.n.ids[0]) != want.left || l.n.money[l.n.ids[0]] != money {
			t.Errorf("with %d ⚡: %q and %d forge ticks left, want %q and %d", money, got, l.TicksLeft(l.n.ids[0]), want.word, want.left)
		}
	}
}

// Contents that are not in memory are loaded before the commit, also modules of modules.
func TestPrepare_LoadsContentsFromStore(t *testing.T) {
	l := newLab(t)
	inner := l.atom(5, "x = 'deep'\n")
	outer := l.atom(5, "load('vault:"+inner.String()+"', 'x')\ny = x\n")
	code := l.atom(0, "load('vault:"+outer.String()+"', 'y')\nemit(y)\n")
	for id, o := range l.v.objects {
		o.stored = true
		l.v.objects[id] = o
	}
	box := l.must(0, &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(0, &wire.ExecStart{SandboxID: box})
	if r := l.c.Deliveries[0].Message.Body.(*wire.ExecResult); string(r.Output) != "deep" {
		t.Errorf("output %q fault %v, want deep", r.Output, r.Fault)
	}
}

func TestPrepare_SkipsRequestsThatWillBeRefused(t *testing.T) {
	l := newLab(t)
	box := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	dear := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 65_536, TickBudget: 1_001}).Body.(*wire.SandboxCreateAck).SandboxID
	for _, s := range []sending{
		{1, &wire.ExecStart{SandboxID: box}}, {0, &wire.ExecStart{SandboxID: dear}}, {0, &wire.ExecStart{}}, {0, &wire.ServiceCall{}}, {0, &wire.SandboxKill{SandboxID: box}},
	} {
		if tasks := l.Prepare(l.c.Tick+1, []world.Request{{Source: l.n.ids[s.by], Payload: s.req}}); len(tasks) > 0 {
			t.Errorf("%T of agent %d: %d tasks", s.req, s.by, len(tasks))
		}
	}
}

// Of calls to a service in one tick, those are made ahead of the commit for which the earlier ones leave forge ticks. A fault is
// paid by its caller, so it takes none of the service's.
func TestPrepare_CallsThatFitIntoTheBudget(t *testing.T) {
	const first = "def f(data, state):\n    if not data:\n        fail('no')\n    return 'x'\n"
	for data, want := range map[string]string{"": "", "x": "budget"} {
		l := newLab(t)
		id := l.serve(0, 7, first)
		l.services.Edit(id).Used = 500 - callTicks // room for one
		call := func(data string) any {
			return &wire.ServiceCall{ServiceID: id, Endpoint: []byte("f"), Data: []byte(data)}
		}
		prepared := make([]any, 2)
		tick := l.c.Tick + 1
		l.prepare(l.Prepare(tick, []world.Request{{Seat: 0, Source: l.n.ids[1], Payload: call(data)}, {Seat: 1, Source: l.n.ids[2], Payload: call("x")}}), prepared)
		if made := prepared[1].(*preparedCall).result != nil; made != (want == "") {
			t.Errorf("after a call with %q another is made ahead: %t", data, made)
		}
		if replies := l.tick(nil, sending{1, call(data)}, sending{2, call("x")}); word(replies[0]) != "" || word(replies[1]) != want {
			t.Errorf("after a call with %q: %q and %q, want that the other is answered %q", data, word(replies[0]), word(replies[1]), want)
		}
	}
}

package forge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
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
		before  func(n *town)
		between func(n *town)
		data    [3]string
		results []string
	}{
		"all are served":              {adding, nil, nil, [3]string{"1", "10", "100"}, []string{"1", "11", "111"}},
		"the first is refused":        {adding, nil, func(n *town) { n.money[n.ids[1]] = 0 }, [3]string{"1", "10", "100"}, []string{"10", "110"}},
		"the second is refused":       {adding, nil, func(n *town) { n.money[n.ids[2]] = 0 }, [3]string{"1", "10", "100"}, []string{"1", "101"}},
		"the first faults":            {adding, nil, nil, [3]string{"x", "10", "100"}, []string{"", "10", "110"}},
		"what the others see ends":    {"def f(data, state):\n    if state == None:\n        return '0', 1\n    return 1 // 0\n", nil, func(n *town) { n.money[n.ids[1]] = 0 }, [3]string{}, []string{"0", ""}},
		"the first gets its money":    {adding, func(n *town) { n.money[n.ids[1]] = 0 }, func(n *town) { n.money[n.ids[1]] = 100 }, [3]string{"1", "10", "100"}, []string{"1", "11", "111"}},
		"one reads what is not there": {"def f(data, state):\n    if str(data) == 'read':\n        vault_get('" + wire.Hash{1}.String() + "')\n    return data, 1\n", nil, func(n *town) { n.money[n.ids[1]] = 0 }, [3]string{"x", "read", "y"}, []string{"", "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			var seen [2]string
			for i := range seen {
				l := newLab(t)
				id := l.serve(0, 7, c.program)
				run := l.must(4, &wire.SandboxCreate{Code: l.atom(4, "emit(str(vault_get('"+l.atom(5, "stored").String()+"')))"), MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
				l.bare = i == 1
				if c.before != nil {
					c.before(l.n)
				}
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
	l.store()
	box := l.must(0, &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(0, &wire.ExecStart{SandboxID: box})
	if r := l.c.Deliveries[0].Message.Body.(*wire.ExecResult); string(r.Output) != "deep" {
		t.Errorf("output %q fault %v, want deep", r.Output, r.Fault)
	}
}

// Each request that names programs has them loaded, if its sender has just enough forge ticks.
func TestPrepare_EachRequestLoadsItsPrograms(t *testing.T) {
	const text = "def f(data, state):\n    return data\n"
	for name, c := range map[string]struct {
		come func(l *lab) any // returns the request
		left uint64
	}{
		"sandbox": {func(l *lab) any {
			return &wire.SandboxCreate{Code: l.atom(0, text), MemoryQuota: 65_536, TickBudget: 100}
		}, 1},
		"run": {func(l *lab) any {
			return &wire.ExecStart{SandboxID: l.box(0, text)}
		}, 100},
		"service": {func(l *lab) any {
			return &wire.ServiceCreate{Sandbox: l.box(0, text), Name: []byte("s"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}
		}, 100},
		"call": {func(l *lab) any {
			return &wire.ServiceCall{ServiceID: l.serve(0, 0, text), Endpoint: []byte("f")}
		}, 100},
		"link": {func(l *lab) any {
			return &wire.LinkResolve{Program: l.atom(0, "x = 1\n"), Imports: []wire.LinkImport{{From: l.atom(0, text), Symbols: [][]byte{[]byte("f")}}}}
		}, 1},
	} {
		l := newLab(t)
		req := c.come(l)
		l.cpu.charge(l.n.ids[0], l.TicksLeft(l.n.ids[0])-c.left)
		l.store()
		if r := l.send(0, req); r.Err != nil {
			t.Errorf("%s: %s %v", name, word(r), r.Err.Context)
		}
	}
}

// Nothing is read for a request that will be refused for its programs, and no more than a link may name.
func TestPrepare_ReadsNoMoreThanNeeded(t *testing.T) {
	l := newLab(t)
	const kib = 1024
	one, two := l.atom(0, strings.Repeat("#", kib)), l.atom(0, strings.Repeat("# ", kib/2))
	many := &wire.LinkResolve{Program: one}
	for i := range program.MaxImports + 2 {
		many.Imports = append(many.Imports, wire.LinkImport{From: l.atom(0, fmt.Sprint("# ", i))})
	}
	for name, c := range map[string]struct {
		req  any
		left uint64
		want int // contents read
	}{
		"one program":               {&wire.SandboxCreate{Code: one}, 1, 1},
		"no time for it":            {&wire.SandboxCreate{Code: one}, 0, 0},
		"a tree":                    {&wire.SandboxCreate{Code: l.tree(map[string]wire.Hash{"a": one})}, 1000, 0},
		"two programs":              {&wire.LinkResolve{Program: one, Imports: []wire.LinkImport{{From: two}}}, 2, 2},
		"time for one of two":       {&wire.LinkResolve{Program: one, Imports: []wire.LinkImport{{From: two}}}, 1, 0},
		"more than a link may name": {many, 1000, 1 + program.MaxImports},
	} {
		l.cpu.Delete(l.n.ids[0])
		l.cpu.charge(l.n.ids[0], 1000-c.left)
		l.v.shown = 0
		l.prepare(l.Prepare(l.c.Tick+1, []world.Request{{Source: l.n.ids[0], Payload: c.req}}), make([]any, 1))
		if l.v.shown != c.want {
			t.Errorf("%s: %d contents are read, want %d", name, l.v.shown, c.want)
		}
	}
}

// A world that prepares nothing gives the same answers.
func TestApply_NeedsNoPreparation(t *testing.T) {
	const text = "def f(data, state):\n    return data\n"
	var seen [2]string
	for i := range seen {
		l := newLab(t)
		l.bare = i == 1
		service := l.serve(0, 0, text)
		seen[i] = l.told(nil)
		link := &wire.LinkResolve{Program: l.atom(0, "x = 1\n"), Imports: []wire.LinkImport{{From: l.atom(0, text), Symbols: [][]byte{[]byte("f")}}}}
		for _, req := range []any{link, &wire.ServiceCall{ServiceID: service, Endpoint: []byte("f")}, &wire.ProofRequest{SandboxID: l.services.Get(service).Sandbox}} {
			seen[i] += l.told([]wire.Reply{l.must(0, req)})
		}
	}
	if d := cmp.Diff(seen[0], seen[1]); d != "" {
		t.Errorf("(-prepared +in place):\n%s", d)
	}
}

func TestPrepare_SkipsRequestsThatWillBeRefused(t *testing.T) {
	l := newLab(t)
	ran := l.run("x = 1").SandboxID
	stopped := l.serve(0, 0, "def f(data, state):\n    return data\n")
	l.must(0, &wire.SandboxKill{SandboxID: l.services.Get(stopped).Sandbox})
	box := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	dear := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 65_536, TickBudget: 1_001}).Body.(*wire.SandboxCreateAck).SandboxID
	for _, s := range []sending{
		{1, &wire.ExecStart{SandboxID: box}},
		{0, &wire.ExecStart{SandboxID: dear}},
		{0, &wire.ExecStart{}},
		{0, &wire.ServiceCall{}},
		{0, &wire.SandboxKill{SandboxID: box}},
		{0, &wire.ExecStart{SandboxID: ran}},
		{1, &wire.ServiceCall{ServiceID: stopped, Endpoint: []byte("f")}},
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
	for _, c := range []struct {
		room       uint64 // for so many calls
		data, want string
	}{{1, "", ""}, {1, "x", "budget"}, {2, "x", ""}} {
		l := newLab(t)
		id := l.serve(0, 7, first)
		l.services.Edit(id).Used = 500 - c.room*callTicks
		call := func(data string) any {
			return &wire.ServiceCall{ServiceID: id, Endpoint: []byte("f"), Data: []byte(data)}
		}
		prepared := make([]any, 2)
		tick := l.c.Tick + 1
		l.prepare(l.Prepare(tick, []world.Request{{Seat: 0, Source: l.n.ids[1], Payload: call(c.data)}, {Seat: 1, Source: l.n.ids[2], Payload: call("x")}}), prepared)
		if made := prepared[1].(*preparedCall).result != nil; made != (c.want == "") {
			t.Errorf("after a call with %q and room for %d another is made ahead: %t", c.data, c.room, made)
		}
		if replies := l.tick(nil, sending{1, call(c.data)}, sending{2, call("x")}); word(replies[0]) != "" || word(replies[1]) != c.want {
			t.Errorf("after a call with %q and room for %d: %q and %q, want that the other is answered %q", c.data, c.room, word(replies[0]), word(replies[1]), c.want)
		}
	}
}

package forge

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// Who pays how many forge ticks for a request: for reading programs one for each KiB, for a call the owner of the service,
// but its caller if it faults.
func TestCosts_ForgeTicksOfRequests(t *testing.T) {
	comment := "#" + strings.Repeat("-", 1400) + "\n"
	serving := comment + "def f(data, state):\n    return 1 // int(str(data))\n"
	call := func(l *lab, data string) any {
		return &wire.ServiceCall{ServiceID: l.serve(0, 0, serving), Endpoint: []byte("f"), Data: []byte(data)}
	}
	link := func(l *lab, symbol string) any {
		return &wire.LinkResolve{Program: l.atom(0, "#"+strings.Repeat("+", 800)), Imports: []wire.LinkImport{{From: l.atom(0, serving), Symbols: [][]byte{[]byte(symbol)}}}}
	}
	offer := func(l *lab, endpoint string) any {
		return &wire.ServiceCreate{Sandbox: l.box(0, serving), Name: []byte("s"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte(endpoint)}}}
	}
	for name, c := range map[string]struct {
		by            int
		req           func(l *lab) any
		want          string // reason of the refusal
		owner, caller uint64 // forge ticks of agents 0 and 1
	}{
		"a call":               {1, func(l *lab) any { return call(l, "1") }, "", 1, 0},
		"a call that faults":   {1, func(l *lab) any { return call(l, "0") }, "", 0, 1},
		"a service":            {0, func(l *lab) any { return offer(l, "f") }, "", 2, 0},
		"a service it has not": {0, func(l *lab) any { return offer(l, "g") }, "endpoint", 2, 0},
		"a link of two":        {0, func(l *lab) any { return link(l, "f") }, "", 3, 0},
		"a link that is wrong": {0, func(l *lab) any { return link(l, "g") }, "unresolved_symbol", 3, 0},
		"a text for Forge": {1, func(l *lab) any {
			return &wire.ServiceCall{ServiceID: StarlarkService, Endpoint: []byte(nativeCheck), Data: []byte(serving)}
		}, "", 0, 2},
	} {
		l := newLab(t)
		l.services.createStarlark(l.c)
		req := c.req(l)
		l.cpu.Delete(l.n.ids[0])
		if got := word(l.send(c.by, req)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if owner, caller := 1000-l.TicksLeft(l.n.ids[0]), 1000-l.TicksLeft(l.n.ids[1]); owner != c.owner || caller != c.caller {
			t.Errorf("%s: %d and %d forge ticks, want %d and %d", name, owner, caller, c.owner, c.caller)
		}
	}
}

// A call may use 100 forge ticks, whatever the budget of the sandbox is.
func TestCall_HasItsOwnBudget(t *testing.T) {
	for _, budget := range []uint64{50, 300} {
		l := newLab(t)
		box := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "def f(data, state):\n    while True:\n        pass\n"), MemoryQuota: 65_536, TickBudget: budget, Persistent: true}).Body.(*wire.SandboxCreateAck).SandboxID
		l.must(0, &wire.ExecStart{SandboxID: box})
		service := l.must(0, &wire.ServiceCreate{Sandbox: box, Name: []byte("s"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}).Body.(*wire.ServiceCreateAck).ServiceID
		l.must(1, &wire.ServiceCall{ServiceID: service, Endpoint: []byte("f")})
		if r := l.c.Deliveries[0].Message.Body.(*wire.ServiceResult); r.TicksUsed != 100 || r.Fault == nil || *r.Fault != wire.FaultOutOfTicks {
			t.Errorf("a sandbox of %d forge ticks: the call used %d, fault %v", budget, r.TicksUsed, r.Fault)
		}
	}
}

// A service that has used up its budget serves again in the next cycle.
func TestService_BudgetIsRenewedEachCycle(t *testing.T) {
	l := newLab(t)
	id := l.serve(0, 0, "def f(data, state):\n    return data\n")
	call := &wire.ServiceCall{ServiceID: id, Endpoint: []byte("f")}
	l.services.Edit(id).Used = 401
	if got := word(l.send(1, call)); got != "budget" {
		t.Errorf("used up: %q, want budget", got)
	}
	l.endCycle(0)
	l.must(1, call)
	if used := l.services.Get(id).Used; used != 1 {
		t.Errorf("%d forge ticks are used in the new cycle, want 1", used)
	}
}

// A service serves from the tick after the one that made it.
func TestService_IsNotThereInItsFirstTick(t *testing.T) {
	l := newLab(t)
	offer := &wire.ServiceCreate{Sandbox: l.box(0, "def f(data, state):\n    return data\n"), Name: []byte("s"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}
	call := &wire.ServiceCall{Endpoint: []byte("f")}
	binary.BigEndian.PutUint64(call.ServiceID[:], l.msgs+1)
	if r := l.tick(nil, sending{0, offer}, sending{1, call}); word(r[0]) != "" || word(r[1]) != "service" {
		t.Errorf("replies %q and %q, want none and service", word(r[0]), word(r[1]))
	}
	l.must(1, call)
}

// An agent may run several services under different names.
func TestService_SeveralOfOneAgent(t *testing.T) {
	l := newLab(t)
	const text = "def f(data, state):\n    return data\n"
	l.serve(0, 0, text)
	l.must(0, &wire.ServiceCreate{Sandbox: l.box(0, text+"# another\n"), Name: []byte("other"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}})
}

// What Agora has Forge read costs one forge tick for each KiB of a program, also when it does not compile. What cannot be read costs nothing.
func TestReadCost(t *testing.T) {
	l := newLab(t)
	good, long, bad, secret := l.atom(0, "x = 1\n"), l.atom(0, "#"+strings.Repeat("-", 1024)), l.atom(0, "x = (\n"), l.atom(2, "secret = 1\n")
	o := l.v.objects[secret]
	o.hidden = l.n.ids[:1]
	l.v.objects[secret] = o
	l.store()
	for name, c := range map[string]struct {
		programs []wire.Hash
		left     uint64 // forge ticks before
		cost     uint64
		charged  uint64
		refusal  string
	}{
		"none":                {nil, 10, 0, 0, ""},
		"two":                 {[]wire.Hash{good, long}, 3, 3, 0, ""},
		"too little time":     {[]wire.Hash{good, long}, 2, 0, 0, "cpu_quota have=2 need=3 until=512"},
		"unknown":             {[]wire.Hash{good, {1}}, 10, 0, 0, "program field=tests"},
		"not to be read":      {[]wire.Hash{secret}, 10, 0, 0, "read field=tests"},
		"a tree":              {[]wire.Hash{l.tree(map[string]wire.Hash{"a": good})}, 10, 0, 0, "program field=tests why=not an ATOM"},
		"it does not compile": {[]wire.Hash{long, bad}, 10, 0, 3, "program field=tests line=2 why=got end of file, want primary expression"},
	} {
		l.at(l.c.Tick + 1)
		l.cpu.Delete(l.n.ids[0])
		l.Charge(l.n.ids[0], 1000-c.left)
		prepared := make([]any, 1)
		request := world.Request{Source: l.n.ids[0]}
		l.prepare([]world.Task{l.ReadTask(l.c.Tick, &request, c.programs)}, prepared)
		l.c.Source, l.c.Prepared = request.Source, prepared[0]
		cost, r := l.ReadCost(l.c, "tests", c.programs)
		got := ""
		if r != nil {
			got = r.Reason
			for _, d := range r.Details {
				got += fmt.Sprintf(" %s=%s", d.Key, d.Value)
			}
		}
		if charged := c.left - l.TicksLeft(l.n.ids[0]); cost != c.cost || charged != c.charged || got != c.refusal {
			t.Errorf("%s: cost %d, charged %d, %q; want %d, %d, %q", name, cost, charged, got, c.cost, c.charged, c.refusal)
		}
	}
}

package forge

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// run runs a text as agent 0 and returns how it ended.
func (l *lab) run(text string) *wire.ExecResult {
	l.t.Helper()
	id := l.must(0, &wire.SandboxCreate{Code: l.atom(0, text), MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(0, &wire.ExecStart{SandboxID: id})
	return l.c.Deliveries[0].Message.Body.(*wire.ExecResult)
}

// What a run may read: with the rights of its owner, as of before the tick.
func TestRun_ReadsWithOwnersRightsBeforeTheTick(t *testing.T) {
	l := newLab(t)
	there, secret := l.atom(5, "x = 'there'\n"), l.atom(5, "x = 'secret'\n")
	tree := l.tree(map[string]wire.Hash{"a": there})
	o := l.v.objects[secret]
	o.hidden = l.n.ids[:1]
	l.v.objects[secret] = o
	late := l.v.put(l.n.ids[5], 10_000, wire.ObjectAtom, []byte("x = 'late'\n"))
	var many strings.Builder
	read := func(i int) string { return fmt.Sprintf("vault_get('%v')\n", l.atom(5, fmt.Sprint("# ", i))) }
	for i := range maxReads {
		many.WriteString(read(i))
	}
	entry := wire.Hash{7}
	l.v.entries = map[wire.Hash][]byte{entry: []byte("an entry")}
	get := func(id wire.Hash) string { return "emit(vault_get('" + id.String() + "'))\n" }
	load := func(id wire.Hash) string { return "load('vault:" + id.String() + "', 'x')\nemit(x)\n" }
	for name, c := range map[string]struct {
		text   string
		output string
		fault  wire.FaultCode // 0: none
	}{
		"an object":             {get(there), "x = 'there'\n", 0},
		"a module":              {load(there), "there", 0},
		"a tree":                {"emit(str(len(vault_get('" + tree.String() + "')) > 0))\n", "True", 0},
		"a tree as module":      {load(tree), "", wire.FaultChannelError},
		"none":                  {get(wire.Hash{1}), "", wire.FaultChannelError},
		"no module":             {load(wire.Hash{1}), "", wire.FaultChannelError},
		"one of this tick":      {get(late), "", wire.FaultChannelError},
		"a hidden one":          {get(secret), "", wire.FaultPermissionDenied},
		"a hidden module":       {load(secret), "", wire.FaultPermissionDenied},
		"no entry":              {"oracle_get('" + there.String() + "')\n", "", wire.FaultChannelError},
		"an entry":              {"emit(oracle_get('" + entry.String() + "'))\n", "an entry", 0},
		"one often":             {strings.Repeat("vault_get('"+there.String()+"')\n", 40), "", 0},
		"as many as it may":     {many.String() + read(0), "", 0},
		"more than it may read": {many.String() + read(maxReads), "", wire.FaultChannelError},
	} {
		got, fault := l.run(c.text), wire.FaultCode(0)
		if got.Fault != nil {
			fault = *got.Fault
		}
		if string(got.Output) != c.output || fault != c.fault {
			t.Errorf("%s: output %q, fault %v; want %q and %v", name, got.Output, fault, c.output, c.fault)
		}
		l.must(0, &wire.SandboxKill{SandboxID: got.SandboxID})
	}
}

// TestQuota_BoughtTicksComeNextCycleUnusedAreLost: what is bought is there in the next cycle, and what is left over is lost.
func TestQuota_BoughtTicksComeNextCycleUnusedAreLost(t *testing.T) {
	l := newLab(t)
	a := l.n.ids[0]
	l.cpu.charge(a, 300)
	l.n.bought[a] = 200
	for i, want := range []uint64{700, 1_200, 1_000} {
		if got := l.TicksLeft(a); got != want {
			t.Errorf("cycle %d: %d forge ticks are left, want %d", i, got, want)
		}
		l.endCycle(0)
	}
	if l.cpu.Len() != 0 {
		t.Errorf("%d records of agents that used nothing", l.cpu.Len())
	}
}

// A world of eight agents has room for 256 sandboxes, whoever owns them; one that ends makes room.
func TestSandboxes_At256WorldIsFull(t *testing.T) {
	l := newLab(t)
	for i := range maxPerScale - 1 {
		l.sandboxes.add(&Sandbox{ID: wire.Hash{1, byte(i)}, Owner: wire.AgentID{byte(i / maxPerAgent)}, Since: l.c.Cycle})
	}
	q := &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 1, TickBudget: 1}
	id := l.must(0, q).Body.(*wire.SandboxCreateAck).SandboxID
	if r := l.send(0, q); word(r) != "sandboxes" {
		t.Errorf("one more: %q", word(r))
	}
	l.must(0, &wire.SandboxKill{SandboxID: id})
	l.must(0, q)
	l.endCycle(0)
	if l.sandboxes.Len() != maxPerScale {
		t.Errorf("%d are left at the end of their cycle", l.sandboxes.Len())
	}
	l.endCycle(0)
	if l.sandboxes.Len() != 0 || len(l.sandboxes.byOwner) != 0 {
		t.Errorf("%d are left at the end of the next", l.sandboxes.Len())
	}
}

// TestMemory_GrowsWithTheEpoch: a MiB for each sandbox, from epoch 4 on four.
func TestMemory_GrowsWithTheEpoch(t *testing.T) {
	l := newLab(t)
	l.n.money[l.n.ids[0]] = 10_000
	q := &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: maxMemory + 1, TickBudget: 1}
	for epoch, want := range []string{"memory", "memory", "memory", "memory", "", ""} {
		l.c.Epoch = uint32(epoch)
		if got := word(l.send(0, q)); got != want {
			t.Errorf("epoch %d: %q, want %q", epoch, got, want)
		}
	}
	for size, want := range map[uint64]string{4 * maxMemory: "", 4*maxMemory + 1: "memory"} {
		q.MemoryQuota = size
		if got := word(l.send(0, q)); got != want {
			t.Errorf("%d bytes in epoch 5: %q, want %q", size, got, want)
		}
	}
}

// The owner of a sandbox gets what its program printed, and of a fault the message and the place, also in a module. What is too long
// to be kept is cut.
func TestRun_OwnerSeesLogAndPlaceOfFault(t *testing.T) {
	l := newLab(t)
	module := l.atom(5, "def half(n):\n    print('halving', n)\n    return 1 // n\n")
	load := "load('vault:" + module.String() + "', 'half')\n"
	for name, want := range map[string]struct {
		text         string
		log, message string
		module       *wire.Hash
		line         uint32
	}{
		"halts":       {"print('a', 1)\nemit('x', 1)\n", "a 1\nx\n", "", nil, 0},
		"here":        {"print('a')\n\nx = [][1]\n", "a\n", "list index out of range: it has 0 elements", nil, 3},
		"in a module": {load + "half(0)\n", "halving 0\n", "floored division by zero", &module, 3},
		"of its own":  {"fail('no ' + 'input')\n", "", "fail: no input", nil, 1},
		"long":        {"print('ab' * 9000)\nfault('é' * 600)\n", strings.Repeat("ab", 8192), "fault: " + strings.Repeat("é", 252), nil, 2},
	} {
		got := l.run(want.text)
		same := got.Module == want.module || got.Module != nil && want.module != nil && *got.Module == *want.module
		if string(got.Log) != want.log || string(got.Message) != want.message || !same || got.Line != want.line {
			t.Errorf("%s: %d bytes of log %.40q, message %q, module %v, line %d", name, len(got.Log), got.Log, got.Message, got.Module, got.Line)
		}
		l.must(0, &wire.SandboxKill{SandboxID: got.SandboxID})
	}
}

// The caller of a service gets the message with which the program ended itself, but neither the messages of other faults nor what
// it printed: they may quote what only the owner may read.
func TestCall_CallerGetsOnlyWhatIsMeantForIt(t *testing.T) {
	l := newLab(t)
	code := l.atom(0, "def ask(data, state):\n    print('state', state)\n    if not data:\n        fail('ask for a number')\n    return int(data)\n")
	id := l.must(0, &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: 100, Persistent: true}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(0, &wire.ExecStart{SandboxID: id})
	service := l.must(0, &wire.ServiceCreate{Sandbox: id, Name: []byte("s"), TickBudget: 300, Endpoints: []wire.Endpoint{{Name: []byte("ask")}}}).Body.(*wire.ServiceCreateAck).ServiceID
	for data, want := range map[string]struct {
		fault   wire.FaultCode
		message string
	}{"": {wire.FaultUserFault, "fail: ask for a number"}, "x": {wire.FaultInvalidInstruction, ""}} {
		l.c.Tick++
		l.must(1, &wire.ServiceCall{ServiceID: service, Endpoint: []byte("ask"), Data: []byte(data)})
		got := l.c.Deliveries[0].Message.Body.(*wire.ServiceResult)
		if got.Fault == nil || *got.Fault != want.fault || string(got.Message) != want.message {
			t.Errorf("call with %q: fault %v, message %q", data, got.Fault, got.Message)
		}
	}
}

// An owner without free money goes into debt for a service with AutoFund once; while it owes, it pays nothing and loses it.
func TestUpkeep_AutoFundFromNothing(t *testing.T) {
	l := newLab(t)
	a := l.n.ids[0]
	box := l.box(0, "def f(data, state):\n    return data\n")
	id := l.must(0, &wire.ServiceCreate{Sandbox: box, Name: []byte("s"), TickBudget: 500, Endpoints: []wire.Endpoint{{Name: []byte("f")}}, AutoFund: true}).Body.(*wire.ServiceCreateAck).ServiceID
	l.n.money[a] = 0
	l.endCycle(0)
	if s := l.services.Get(id); s.Stopped != nil || l.n.money[a] != -action.PersistentPrice {
		t.Fatalf("with nothing: stopped %v, %d ⚡ left", s.Stopped, l.n.money[a])
	}
	l.endCycle(0)
	if s := l.services.Get(id); s.Stopped == nil || l.n.money[a] != -action.PersistentPrice {
		t.Errorf("with debts: stopped %v, %d ⚡ left", s.Stopped, l.n.money[a])
	}
}

// The largest tick budget may be asked for, though no quota pays such a run.
func TestSandbox_LargestTickBudget(t *testing.T) {
	l := newLab(t)
	for budget, ok := range map[uint64]bool{0: false, 1: true, maxBudget: true, maxBudget + 1: false} {
		r := l.send(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 1, TickBudget: budget})
		if refused := r.Err != nil && r.Err.Category == wire.CategoryInvalidRequest.String(); refused == ok {
			t.Errorf("a budget of %d: %q", budget, word(r))
		}
	}
}

// What is stored in the tick of a run is not there for it yet.
func TestRun_DoesNotReadWhatItsTickStores(t *testing.T) {
	for same, want := range map[bool]string{false: "x", true: ""} {
		l := newLab(t)
		stored := l.c.Tick + 1 // the sandbox is made in this tick and runs in the next
		if same {
			stored++
		}
		id := l.v.put(l.n.ids[5], stored, wire.ObjectAtom, []byte("x"))
		if got := l.run("emit(vault_get('" + id.String() + "'))\n"); string(got.Output) != want || (got.Fault != nil) != same {
			t.Errorf("stored in the same tick %t: output %q, fault %v", same, got.Output, got.Fault)
		}
	}
}

// A program that was readable when its sandbox was made goes on running when nobody may read it any more.
func TestRun_ProgramNeedNotStayReadable(t *testing.T) {
	l := newLab(t)
	const text = "def f(data, state):\n    return 'served'\n"
	service := l.serve(0, 0, text)
	code := l.atom(0, text)
	o := l.v.objects[code]
	o.hidden = append([]wire.AgentID{{}}, l.n.ids...)
	l.v.objects[code] = o
	l.must(0, &wire.ExecStart{SandboxID: l.services.Get(service).Sandbox})
	l.must(1, &wire.ServiceCall{ServiceID: service, Endpoint: []byte("f")})
	if r := l.c.Deliveries[0].Message.Body.(*wire.ServiceResult); string(r.Data) != "served" {
		t.Errorf("result %q, fault %v", r.Data, r.Fault)
	}
}

// Only a persistent sandbox runs again; it gets its input and environment each time. Those of one that has run are not kept.
func TestRun_InputIsKeptForTheNextRun(t *testing.T) {
	for persistent, runs := range map[bool]int{true: 2, false: 1} {
		l := newLab(t)
		id := l.must(0, &wire.SandboxCreate{
			Code: l.atom(0, "emit(str(stdin) + str(env['k']))\n"), MemoryQuota: 65_536, TickBudget: 100, Persistent: persistent,
			Input: []byte("in"), Environment: codec.BinMap{{Key: "k", Value: []byte("put")}},
		}).Body.(*wire.SandboxCreateAck).SandboxID
		for range runs {
			l.must(0, &wire.ExecStart{SandboxID: id})
			if r := l.c.Deliveries[0].Message.Body.(*wire.ExecResult); string(r.Output) != "input" {
				t.Errorf("persistent %t: output %q, fault %v", persistent, r.Output, r.Fault)
			}
		}
		if b := l.sandboxes.Get(id); (b.Input != nil) != persistent || (b.Environment != nil) != persistent {
			t.Errorf("persistent %t: input %q and environment %v are kept", persistent, b.Input, b.Environment)
		}
	}
}

// The first output is a milestone, unless a system wrote the program.
func TestRun_MilestoneNeedsProgramOfAnAgent(t *testing.T) {
	for by, want := range map[wire.AgentID]int{{1}: 1, me: 0} {
		l := newLab(t)
		code := l.v.put(by, 1, wire.ObjectAtom, []byte("emit('x')"))
		id := l.must(0, &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
		l.must(0, &wire.ExecStart{SandboxID: id})
		if len(l.n.milestones) != want {
			t.Errorf("stored by %v: milestones %v, want %d", by, l.n.milestones, want)
		}
	}
}

// A sandbox that ended leaves nothing behind.
func TestSandbox_EndLeavesNothing(t *testing.T) {
	l := newLab(t)
	service := l.serve(0, 0, "def f(data, state):\n    return data\n")
	box := l.services.Get(service).Sandbox
	l.must(0, &wire.SandboxKill{SandboxID: box})
	if l.sandboxes.runs.Len() != 0 || len(l.services.bySandbox) != 0 || len(l.services.running) != 0 {
		t.Errorf("%d runs, services %v by sandbox and %v running", l.sandboxes.runs.Len(), l.services.bySandbox, l.services.running)
	}
}

// A world of sixteen agents has room for twice as many sandboxes as one of eight.
func TestSandboxes_LimitGrowsWithPopulation(t *testing.T) {
	l := newLab(t)
	l.rules.Population = 16
	for i := range 2*maxPerScale - 1 {
		l.sandboxes.add(&Sandbox{ID: wire.Hash{1, byte(i >> 8), byte(i)}, Owner: wire.AgentID{byte(i / maxPerAgent)}})
	}
	q := &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 1, TickBudget: 1}
	l.must(0, q)
	if r := l.send(0, q); word(r) != "sandboxes" {
		t.Errorf("one more than %d: %q", 2*maxPerScale, word(r))
	}
}

// Who owes money can still make a sandbox that costs nothing.
func TestSandbox_FreeOneNeedsNoMoney(t *testing.T) {
	l := newLab(t)
	l.n.money[l.n.ids[0]] = -5
	l.must(0, &wire.SandboxCreate{Code: l.atom(0, "x = 1"), MemoryQuota: 65_536, TickBudget: 1})
	if l.n.money[l.n.ids[0]] != -5 {
		t.Errorf("%d ⚡, want -5", l.n.money[l.n.ids[0]])
	}
}

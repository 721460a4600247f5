package adversary

import (
	"strings"

	"kingdom/wire"
)

// hostile are programs that try to use up what a run has: steps, memory, depth, output, the size of
// numbers, and what is cheap to build but dear to walk.
var hostile = [...]string{
	"while True:\n    pass\n",
	"x = 'a'\nwhile True:\n    x = x + x\n",
	"def f(n):\n    return f(n + 1)\nf(0)\n",
	"while True:\n    emit('x' * 1000)\n",
	"x = 3\nwhile True:\n    x = x * x\n",
	"x = []\nfor i in range(60):\n    x = [x, x]\nprint(str(x))\n",
	"x = [[[i for i in range(9999)] for j in range(9999)] for k in range(9999)]\n",
	"x = sorted(range(99999), key = lambda v: [v] * 999)\n",
}

// trap is a service that loads well and never ends a call.
const trap = "def serve(data, state):\n    while True:\n        pass\n"

// hopeless is the longest text that is no program; only its last line says so.
var hopeless = strings.Repeat("x = 1\n", 262_000/6) + "(\n"

// hopelessID is the id of hopeless once it is stored.
var hopelessID = atom(hopeless)

const (
	runTicks    = 240 // forge ticks of a hostile run
	chainLength = 20  // modules that load one another, four more than may be
)

// exhaust has Forge read and run what costs it most: in one cycle texts that turn out to be no
// programs, in the next one runs that end in a fault, and always a service whose calls do.
func exhaust(s *slot) (move, bool) {
	switch r := s.lastAck().(type) {
	case *wire.ObjectPutAck:
		switch r.ObjectID {
		case hopelessID:
			s.remember("hopeless", "stored")
		case atom(trap):
			s.remember("trap", "stored")
		default:
			return createSandbox(r.ObjectID, runTicks, false, "makes a sandbox of a hostile program"), true
		}
	case *wire.SandboxCreateAck:
		return startSandbox(r.SandboxID, "runs a hostile program"), true
	}
	if m, ok := s.setTrap(); ok {
		return m, true
	}
	part, ok := s.oncePer(4)
	switch {
	case s.recall("hopeless") == "":
		if !ok {
			return move{}, false
		}
		return storeObject(hopeless, "stores a long text that is no program"), true
	case part < 8 && s.Cycle%2 == 1: // refused, so that nothing is paid
		return createSandbox(hopelessID, 1, false, "has a text read that is no program"), true
	case !ok:
		return move{}, false
	}
	return storeObject("# "+s.uniqueWord("hostile")+"\n"+s.hostile(part), "stores a hostile program"), true
}

// hostile returns the program for a part of the cycle: each in turn, and a chain of modules that grows by one each
// cycle.
func (s *slot) hostile(part uint64) string {
	n := uint64(s.Cycle)*8 + part
	if part == 8 {
		return chained(int(uint64(s.Cycle) % chainLength))
	}
	return hostile[n%uint64(len(hostile))]
}

// chained returns the last of n modules, each of which loads the one before.
func chained(n int) string {
	text := "x = 1\n"
	for range n {
		text = `load("vault:` + atom(text).String() + `", "x")` + "\n" + text
	}
	return text
}

// setTrap keeps a service running whose calls never end, if there is money for it.
func (s *slot) setTrap() (move, bool) {
	for i := range s.view.Sandboxes {
		b := &s.view.Sandboxes[i]
		switch {
		case b.Code != atom(trap):
		case b.State == wire.SandboxStateReady && b.TickBudget <= s.view.ForgeTicks:
			return startSandbox(b.ID, "loads the trap"), true
		case b.State == wire.SandboxStateHalted && b.Service == nil && s.view.ForgeTicks >= 100:
			fee := uint64(0)
			return move{"service_create", &wire.ServiceCreate{
				Sandbox: b.ID, Name: []byte("trap"), TickBudget: 100, AutoFund: true, Fee: &fee, Endpoints: []wire.Endpoint{{Name: []byte("serve")}},
			}, "offers a service that never answers"}, true
		default:
			return move{}, false
		}
	}
	switch {
	case s.available() < 40 || s.Slot%16 != 1:
		return move{}, false
	case s.recall("trap") == "":
		return storeObject(trap, "stores a trap"), true
	}
	return createSandbox(atom(trap), 50, true, "makes a sandbox for a trap"), true
}

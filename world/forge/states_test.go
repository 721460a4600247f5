package forge

import (
	"testing"

	"kingdom/wire"
)

// TestSandbox_EveryActionInEveryState: what an owner and a stranger may do with a sandbox in each of its
// states, and what becomes of it. What is refused changes nothing.
func TestSandbox_EveryActionInEveryState(t *testing.T) {
	const good, bad = "def f(data, state):\n    return data\nemit('x')\n", "def f(data, state):\n    return data\nfail('x')\n"
	states := []struct {
		name       string
		text       string
		persistent bool
		run, serve bool
	}{
		{"READY", good, false, false, false},
		{"HALTED", good, false, true, false},
		{"FAULTED", bad, false, true, false},
		{"persistent READY", good, true, false, false},
		{"persistent HALTED", good, true, true, false},
		{"persistent FAULTED", bad, true, true, false},
		{"serving", good, true, true, true},
		{"gone", good, true, true, true},
	}
	const (
		halted, faulted, gone = "HALTED", "FAULTED", "gone"
		again, done, none     = "state", "not_finished", "sandbox"
		other, once           = "not_owner", "not_persistent"
	)
	start := func(b wire.Hash) any { return &wire.ExecStart{SandboxID: b} }
	prove := func(b wire.Hash) any { return &wire.ProofRequest{SandboxID: b} }
	kill := func(b wire.Hash) any { return &wire.SandboxKill{SandboxID: b} }
	look := func(b wire.Hash) any { return &wire.SandboxStatus{SandboxID: b} }
	offer := func(b wire.Hash) any {
		return &wire.ServiceCreate{Sandbox: b, Name: []byte("more"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}
	}
	for _, tc := range []struct {
		name string
		by   int
		req  func(wire.Hash) any
		want [8]string // by state: the word of the refusal, or the state after it
	}{
		{"run", 0, start, [8]string{halted, again, again, halted, halted, faulted, halted, none}},
		{"run by another", 1, start, [8]string{other, other, other, other, other, other, other, none}},
		{"prove", 0, prove, [8]string{done, halted, faulted, done, halted, faulted, halted, none}},
		{"prove by another", 1, prove, [8]string{other, other, other, other, other, other, other, none}},
		{"offer", 0, offer, [8]string{once, once, once, again, halted, again, "exists", none}},
		{"offer by another", 1, offer, [8]string{other, other, other, other, other, other, other, none}},
		{"look by another", 1, look, [8]string{"READY", halted, faulted, "READY", halted, faulted, halted, none}},
		{"kill by another", 1, kill, [8]string{other, other, other, other, other, other, other, none}},
		{"kill", 0, kill, [8]string{gone, gone, gone, gone, gone, gone, gone, none}},
	} {
		for i, s := range states {
			t.Run(tc.name+" when "+s.name, func(t *testing.T) {
				l := newLab(t)
				b := l.must(0, &wire.SandboxCreate{Code: l.atom(0, s.text), MemoryQuota: 65_536, TickBudget: 100, Persistent: s.persistent}).Body.(*wire.SandboxCreateAck).SandboxID
				if s.run {
					l.must(0, start(b))
				}
				if s.serve {
					l.must(0, &wire.ServiceCreate{Sandbox: b, Name: []byte("s"), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}})
				}
				if s.name == gone {
					l.must(0, kill(b))
				}
				before := l.State().Hash()
				r := l.send(tc.by, tc.req(b))
				got := word(r)
				switch box := l.sandboxes.Get(b); {
				case r.Err != nil:
					if l.State().Hash() != before {
						t.Error("a refusal changed the state")
					}
				case box == nil:
					got = gone
				default:
					got = box.State.String()
				}
				if got != tc.want[i] {
					t.Errorf("got %s, want %s", got, tc.want[i])
				}
			})
		}
	}
}

// A sandbox that ran once is removed at the end of the next cycle, one that never ran with them. A persistent one stays
// while its owner pays.
func TestSandbox_CycleEndRemovesThoseThatHaveRun(t *testing.T) {
	for _, tc := range []struct {
		name            string
		persistent, run bool
		money           int64
		ends            [3]bool // is it there after each of three cycle ends
	}{
		{"READY", false, false, 100, [3]bool{true, false, false}},
		{"HALTED", false, true, 100, [3]bool{true, false, false}},
		{"persistent", true, true, 100, [3]bool{true, true, true}},
		{"persistent, money for two cycles", true, true, 29, [3]bool{true, true, false}},
		{"persistent, no money", true, false, 9, [3]bool{false, false, false}},
	} {
		l := newLab(t)
		b := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "emit('x')"), MemoryQuota: 65_536, TickBudget: 100, Persistent: tc.persistent}).Body.(*wire.SandboxCreateAck).SandboxID
		if tc.run {
			l.must(0, &wire.ExecStart{SandboxID: b})
		}
		l.n.money[l.n.ids[0]] = tc.money
		for i, want := range tc.ends {
			l.endCycle(0)
			if there := l.sandboxes.Get(b) != nil; there != want {
				t.Errorf("%s: after %d cycle ends it is there: %t, want %t", tc.name, i+1, there, want)
			}
		}
	}
}

package forge

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// deed is one random thing that an agent does with what exists.
type deed struct{ What, By, Pick int }

func drawDeeds(t *rapid.T, label string) []deed {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) deed {
		return deed{rapid.IntRange(0, 11).Draw(t, "what"), rapid.IntRange(0, 3).Draw(t, "by"), rapid.IntRange(0, 99).Draw(t, "pick")}
	}), 10, 40).Draw(t, label)
}

// texts of programs: one that serves, one that does not end, one that writes.
var programs = []string{adding, "while True:\n    pass\n", "emit('x')\n", adding + "\nemit('y')\n"}

// do carries out a deed and describes what came of it.
func (l *lab) do(x deed) string {
	pick := func(ids []wire.Hash) wire.Hash {
		if len(ids) == 0 {
			return wire.Hash{0xEE}
		}
		return ids[x.Pick%len(ids)]
	}
	box, service := pick(l.sandboxes.byOwner[l.n.ids[x.By]]), pick(l.services.Keys())
	fee := uint64(x.Pick % 9)
	var req any
	switch x.What {
	case 0, 1:
		req = &wire.SandboxCreate{Code: l.atom(5, programs[x.Pick%4]), MemoryQuota: 65_536 + uint64(x.Pick)*40, TickBudget: 40, Persistent: x.What == 0 || x.Pick%3 == 0}
	case 2, 3, 4:
		req = &wire.ExecStart{SandboxID: box}
	case 5:
		req = &wire.ProofRequest{SandboxID: box}
	case 6, 7:
		req = &wire.ServiceCreate{Sandbox: box, Name: fmt.Append(nil, x.Pick%3), TickBudget: 200, AutoFund: x.Pick%2 == 0, Endpoints: []wire.Endpoint{{Name: []byte("f")}}, Fee: &fee}
	case 8, 9:
		req = &wire.ServiceCall{ServiceID: service, Endpoint: []byte("f"), Data: fmt.Append(nil, x.Pick)}
	case 10:
		req = &wire.SandboxKill{SandboxID: box}
	default:
		if x.Pick%7 == 0 {
			l.AgentLeft(l.c, l.n.ids[x.By])
		}
		l.n.bought[l.n.ids[x.By]] = uint64(x.Pick)
		l.endCycle(0)
		return l.told(nil)
	}
	s := l.told([]wire.Reply{l.send(x.By, req)})
	for _, a := range l.n.ids[:4] {
		seen, err := json.Marshal([]any{l.TicksLeft(a), l.AppendSandboxes(nil, a), l.AppendServices(nil, a, 3)})
		if err != nil {
			l.t.Fatal(err)
		}
		s += string(seen) + "\n"
	}
	return s
}

// TestRestored_BehavesLikeTheOriginal: a Forge restored from its records has the same hash and goes on as
// if nothing had happened.
func TestRestored_BehavesLikeTheOriginal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		for _, x := range drawDeeds(rt, "before") {
			l.do(x)
		}
		n := reborn(l)
		for i, x := range drawDeeds(rt, "after") {
			if d := cmp.Diff(l.do(x), n.do(x)); d != "" {
				rt.Fatalf("deed %d %+v (-running +restored):\n%s", i, x, d)
			}
		}
	})
}

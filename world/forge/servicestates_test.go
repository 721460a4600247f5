package forge

import (
	"testing"

	"kingdom/wire"
)

// TestService_EveryActionInEveryState: what its owner and others may do with a service in each of its states, and
// what becomes of it. What is refused changes nothing.
func TestService_EveryActionInEveryState(t *testing.T) {
	const text = "def f(data, state):\n    return data\nemit('x')\n"
	const fee = 5
	type scene struct {
		*lab
		service, box, other wire.Hash // other is a second sandbox of the owner, which serves nothing
	}
	states := []struct {
		name string
		come func(s *scene)
	}{
		{"serving", func(*scene) {}},
		{"its time used up", func(s *scene) { s.services.Edit(s.service).Used = 401 }},
		{"its owner's time used up", func(s *scene) { s.cpu.charge(s.n.ids[0], s.cpu.left(s.n.ids[0])-99) }},
		{"stopped by its owner", func(s *scene) { s.must(0, &wire.SandboxKill{SandboxID: s.box}) }},
		{"not paid for", func(s *scene) { s.n.money[s.n.ids[0]] = 9; s.endCycle(0) }},
		{"its owner dead", func(s *scene) { s.AgentLeft(s.c, s.n.ids[0]) }},
		{"forgotten", func(s *scene) { s.must(0, &wire.SandboxKill{SandboxID: s.box}); s.endCycle(0); s.endCycle(0) }},
	}
	const (
		serving, ended, gone      = "serving", "ended", "gone" // states
		stopped, budget, cpu, box = "stopped", "budget", "cpu_quota", "sandbox"
	)
	call := func(s *scene) any { return &wire.ServiceCall{ServiceID: s.service, Endpoint: []byte("f")} }
	offer := func(sandbox wire.Hash, name string) any {
		return &wire.ServiceCreate{Sandbox: sandbox, Name: []byte(name), TickBudget: 100, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}
	}
	for _, tc := range []struct {
		name string
		by   int
		set  func(s *scene) // of the one who asks
		req  func(*scene) any
		want [7]string // by state: the word of the refusal, or what the service is after it
	}{
		{"call", 1, nil, call, [7]string{serving, budget, budget, stopped, stopped, stopped, "service"}},
		{"call by the owner", 0, nil, call, [7]string{serving, budget, budget, stopped, stopped, stopped, "service"}},
		{"call by the owner without money", 0, func(s *scene) { s.n.money[s.n.ids[0]] = fee - 1 }, call, [7]string{serving, budget, budget, stopped, stopped, stopped, "service"}},
		{"call of what it does not offer", 1, nil, func(s *scene) any {
			return &wire.ServiceCall{ServiceID: s.service, Endpoint: []byte("g")}
		}, [7]string{"endpoint", "endpoint", "endpoint", stopped, stopped, stopped, "service"}},
		{"call without time", 1, func(s *scene) { s.cpu.charge(s.n.ids[1], 901) }, call, [7]string{cpu, budget, budget, stopped, stopped, stopped, "service"}},
		{"call without money", 1, func(s *scene) { s.n.money[s.n.ids[1]] = fee - 1 }, call, [7]string{"funds", budget, budget, stopped, stopped, stopped, "service"}},
		{"offer of its sandbox again", 0, nil, func(s *scene) any { return offer(s.box, "more") }, [7]string{"exists", "exists", "exists", box, box, box, box}},
		{"offer under its name", 0, nil, func(s *scene) any { return offer(s.other, "s") }, [7]string{"name", "name", "name", ended, box, box, gone}},
		{"end of its sandbox", 0, nil, func(s *scene) any { return &wire.SandboxKill{SandboxID: s.box} }, [7]string{ended, ended, ended, box, box, box, box}},
		{"end of its sandbox by another", 1, nil, func(s *scene) any { return &wire.SandboxKill{SandboxID: s.box} }, [7]string{"not_owner", "not_owner", "not_owner", box, box, box, box}},
	} {
		for i, state := range states {
			t.Run(tc.name+" when "+state.name, func(t *testing.T) {
				s := &scene{lab: newLab(t)}
				s.service, s.other = s.serve(0, fee, text), s.lab.box(0, text+"# another\n")
				s.box = s.services.Get(s.service).Sandbox
				state.come(s)
				if tc.set != nil {
					tc.set(s)
				}
				before := s.State().Hash()
				r := s.send(tc.by, tc.req(s))
				got := word(r)
				switch x := s.services.Get(s.service); {
				case r.Err != nil:
					if s.State().Hash() != before {
						t.Error("a refusal changed the state")
					}
				case x == nil:
					got = gone
				case x.Stopped != nil:
					got = ended
				default:
					got = serving
				}
				if got != tc.want[i] {
					t.Errorf("got %s, want %s", got, tc.want[i])
				}
			})
		}
	}
}

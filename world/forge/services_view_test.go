package forge

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// Who runs a service sees in which sandbox, under which name and for which fee; other sandboxes show none.
func TestAppendSandboxes_ShowTheirService(t *testing.T) {
	l := newLab(t)
	service := l.serve(0, 7, "def f(data, state):\n    return data, state\n")
	l.box(0, "x = 1\n")
	served := 0
	for _, s := range l.AppendSandboxes(nil, l.n.ids[0]) {
		switch {
		case s.Service == nil && s.Name == nil && s.Fee == 0:
		case s.Service != nil && *s.Service == service && string(s.Name) == string(l.services.Get(service).Name) && s.Fee == 7:
			served++
		default:
			t.Errorf("a sandbox is shown as %+v", s)
		}
	}
	if served != 1 {
		t.Errorf("%d sandboxes show the service", served)
	}
}

func TestAppendSandboxes_ShowTheFaultOfTheLastRun(t *testing.T) {
	l := newLab(t)
	l.run("x = 1 // 0\n")
	if list := l.AppendSandboxes(nil, l.n.ids[0]); len(list) != 1 || list[0].Fault == nil || *list[0].Fault != wire.FaultDivideByZero {
		t.Errorf("seen: %+v", list)
	}
}

// An agent sees running services of others, beginning with those whose ids follow its own.
func TestAppendServices_BeginsAfterTheAgent(t *testing.T) {
	l := newLab(t)
	for i, owner := range []byte{1, 2, 2, 2, 3} { // services 10, 20, 30, 40 and 50
		id := byte(10 * (i + 1))
		s := &Service{ID: wire.Hash{id}, Owner: wire.AgentID{owner}, Sandbox: wire.Hash{id}, Name: fmt.Append(nil, id), Endpoints: []wire.Endpoint{{Name: []byte("f")}}, Fee: uint64(id)}
		l.services.Put(s.ID, s)
		l.services.index(s)
	}
	for _, c := range []struct {
		agent byte
		limit int
		want  []byte // first bytes of ids
	}{
		{25, 2, []byte{30, 40}},
		{30, 2, []byte{30, 40}},
		{45, 3, []byte{50, 10, 20}},
		{99, 9, []byte{10, 20, 30, 40, 50}},
		{2, 3, []byte{10, 50}}, // not its own
		{2, 2, []byte{10}},     // it looks at four
		{1, 1, []byte{20}},
		{3, 0, nil},
	} {
		had := []wire.ServiceView{{Fee: 1}}
		got := l.AppendServices(had, wire.AgentID{c.agent}, c.limit)
		want := had
		for _, id := range c.want {
			s := l.services.Get(wire.Hash{id})
			want = append(want, wire.ServiceView{ID: s.ID, Owner: s.Owner, Name: s.Name, Endpoint: []byte("f"), Fee: uint64(id)})
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("agent %d, at most %d (-want +got):\n%s", c.agent, c.limit, d)
		}
	}
}

// Agents see services that were made and not those that ended, nor what Forge serves itself, also after a restart.
func TestAppendServices_ShowsRunningServicesOfAgents(t *testing.T) {
	l := newLab(t)
	l.services.createStarlark(l.c)
	first := l.serve(0, 0, "def f(data, state):\n    return data\n")
	second := l.serve(1, 0, "def f(data, state):\n    return data\n")
	l.must(1, &wire.SandboxKill{SandboxID: l.services.Get(second).Sandbox})
	for _, l := range []*lab{l, reborn(l)} {
		if got := l.AppendServices(nil, l.n.ids[2], 9); len(got) != 1 || got[0].ID != first {
			t.Errorf("seen: %+v, want service %v", got, first)
		}
	}
}

// Only a service that has stopped is closed.
func TestClosed_OnlyStoppedServices(t *testing.T) {
	l := newLab(t)
	running := l.serve(0, 0, "def f(data, state):\n    return data\n")
	stopped := l.serve(1, 0, "def f(data, state):\n    return data\n")
	l.must(1, &wire.SandboxKill{SandboxID: l.services.Get(stopped).Sandbox})
	for name, c := range map[string]struct {
		id   wire.Hash
		want bool
	}{"running": {running, false}, "stopped": {stopped, true}, "unknown": {wire.Hash{1}, false}, "a sandbox": {l.services.Get(running).Sandbox, false}} {
		if s, closed := l.Closed(c.id, l.n.ids[2], l.c.Tick); closed != c.want || closed && s.Status != "STOPPED" {
			t.Errorf("%s: %+v, closed %t", name, s, closed)
		}
	}
}

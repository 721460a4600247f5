package forge

import "testing"

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

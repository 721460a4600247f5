package forge

import (
	"testing"

	"kingdom/wire"
)

func TestApply_UnknownRequest(t *testing.T) {
	l := newLab(t)
	if r := l.send(0, &wire.MsgPost{}); r.Err == nil || r.Err.Code != wire.CodeUnknownType {
		t.Errorf("reply %+v", r)
	}
}

// Forge starts its service in its own name; the event of the phase is one of Nexus.
func TestPhases_ForgeStartsItsService(t *testing.T) {
	l := newLab(t)
	kind, _ := l.Phases(nil)[1].Run(l.c)
	if kind != wire.KindForgeReady || l.c.Source != wire.SystemID(wire.SystemNexus) {
		t.Errorf("%v by %v", kind, l.c.Source)
	}
	if len(l.c.Events) != 1 || l.c.Events[0].Kind != wire.KindServiceCreated || l.c.Events[0].Origin != me {
		t.Errorf("events %v", l.c.Events)
	}
}

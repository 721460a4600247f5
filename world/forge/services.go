package forge

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// callTicks is the largest number of forge ticks that a call may use.
const callTicks = 100

// services are the services that agents can call.
type services struct {
	*shared
	*world.Table[wire.Hash, Service]
	sandboxes *sandboxes
	bySandbox map[wire.Hash]wire.Hash // ids of the running services, by sandbox
	running   []wire.Hash             // ids of the running services, ascending
}

func newServices(s *world.State, sh *shared, boxes *sandboxes) *services {
	return &services{sh, world.NewTable[wire.Hash](s, "services", serviceCodec), boxes, map[wire.Hash]wire.Hash{}, nil}
}

func (x *services) restored() { x.Each(func(_ wire.Hash, s *Service) { x.index(s) }) }

func (x *services) index(s *Service) {
	if s.Stopped == nil && !s.Sandbox.IsZero() {
		x.bySandbox[s.Sandbox] = s.ID
		i, _ := slices.BinarySearchFunc(x.running, s.ID, wire.Hash.Compare)
		x.running = slices.Insert(x.running, i, s.ID)
	}
}

// onSandbox returns the running service of a sandbox, nil if there is none.
func (x *services) onSandbox(sandbox wire.Hash) *Service {
	if id, ok := x.bySandbox[sandbox]; ok {
		return x.Get(id)
	}
	return nil
}

func (x *services) create(c *world.Context, q *wire.ServiceCreate) wire.Reply {
	b, r := x.sandboxes.findOwned(c, q.Sandbox)
	switch {
	case r != nil:
		return c.Relay(sys, r)
	case !b.Persistent:
		return refuse(c, wire.CategoryConflict, "not_persistent")
	case b.State != wire.SandboxStateHalted: // its top level must have run
		return refuse(c, wire.CategoryConflict, "state", world.Status(b.State))
	case x.onSandbox(b.ID) != nil:
		return refuse(c, wire.CategoryConflict, "exists")
	case x.hasName(c.Source, q.Name):
		return refuse(c, wire.CategoryConflict, "name")
	case q.TickBudget < callTicks:
		return refuse(c, wire.CategoryInvalidRequest, "tick_budget", world.Field("tick_budget"), world.Need(callTicks))
	}
	size, r := x.programSize(c, b.Code)
	if r != nil {
		return c.Relay(sys, r)
	}
	reading := parseTicks(size)
	if r := x.cpu.require(c, c.Source, max(q.TickBudget, reading)); r != nil {
		return c.Relay(sys, r)
	}
	if r := x.checkEndpoints(x.programText(c, b.Code), q.Endpoints); r != nil {
		return x.chargeAndRefuse(c, reading, r)
	}
	x.cpu.charge(c.Source, reading)
	s := &Service{
		ID: c.Msg, Owner: c.Source, Sandbox: b.ID, Name: q.Name, TickBudget: q.TickBudget, AutoFund: q.AutoFund,
		Endpoints: q.Endpoints, Tick: c.Tick,
	}
	if q.Fee != nil {
		s.Fee = *q.Fee
	}
	x.Put(s.ID, s)
	x.index(s)
	names := make([][]byte, len(s.Endpoints))
	for i := range s.Endpoints {
		names[i] = s.Endpoints[i].Name
	}
	emit(c, wire.KindServiceCreated, &wire.ServiceCreatedEvent{ServiceID: s.ID, Owner: s.Owner, Name: s.Name, Endpoints: names})
	return c.Ack(&wire.ServiceCreateAck{ServiceID: s.ID})
}

// hasName reports whether an agent already runs a service of this name.
func (x *services) hasName(a wire.AgentID, name []byte) bool {
	return slices.ContainsFunc(x.sandboxes.byOwner[a], func(box wire.Hash) bool {
		s := x.onSandbox(box)
		return s != nil && bytes.Equal(s.Name, name)
	})
}

// checkEndpoints refuses endpoints that are not functions of the program's top level, and duplicate ones.
func (s *shared) checkEndpoints(text []byte, list []wire.Endpoint) *world.Refusal {
	p, err := s.programs.Compile(text)
	if err != nil || len(list) == 0 {
		return world.InvalidIf(true, "endpoints.endpoint")
	}
	for i := range list {
		double := slices.ContainsFunc(list[:i], func(e wire.Endpoint) bool { return bytes.Equal(e.Name, list[i].Name) })
		if r := world.InvalidIf(double || !p.Exports(string(list[i].Name)) || list[i].Channel != 0, "endpoints.endpoint"); r != nil {
			return r
		}
	}
	return nil
}

// offers reports whether a service has an endpoint.
func (s *Service) offers(endpoint []byte) bool {
	return slices.ContainsFunc(s.Endpoints, func(e wire.Endpoint) bool { return bytes.Equal(e.Name, endpoint) })
}

// stop ends the service of a sandbox, if there is one. Its record is deleted at the end of the next cycle.
func (x *services) stop(c *world.Context, sandbox wire.Hash) {
	if id, ok := x.bySandbox[sandbox]; ok {
		now := c.Cycle
		s := x.Edit(id)
		s.Stopped, s.State = &now, nil
		delete(x.bySandbox, sandbox)
		if i, ok := slices.BinarySearchFunc(x.running, id, wire.Hash.Compare); ok {
			x.running = slices.Delete(x.running, i, i+1)
		}
	}
}

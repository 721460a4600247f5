package forge

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// callTicks is the most forge ticks that a call may use.
const callTicks = 100

// services are what can be called.
type services struct {
	*shop
	*world.Table[wire.Hash, Service]
	sandboxes *sandboxes
	from      map[wire.Hash]wire.Hash // those that serve, by their sandbox
	serving   []wire.Hash             // those that serve, ascending
}

func newServices(s *world.State, shop *shop, boxes *sandboxes) *services {
	return &services{shop, world.NewTable[wire.Hash](s, "services", serviceCodec), boxes, map[wire.Hash]wire.Hash{}, nil}
}

func (x *services) restored() { x.Each(func(_ wire.Hash, s *Service) { x.index(s) }) }

func (x *services) index(s *Service) {
	if s.Stopped == nil && !s.Sandbox.IsZero() {
		x.from[s.Sandbox] = s.ID
		i, _ := slices.BinarySearchFunc(x.serving, s.ID, wire.Hash.Compare)
		x.serving = slices.Insert(x.serving, i, s.ID)
	}
}

// of is the service from a sandbox, nil if there is none.
func (x *services) of(sandbox wire.Hash) *Service {
	if id, ok := x.from[sandbox]; ok {
		return x.Get(id)
	}
	return nil
}

func (x *services) create(c *world.Context, q *wire.ServiceCreate) wire.Reply {
	b, r := x.sandboxes.own(c, q.Sandbox)
	switch {
	case r != nil:
		return c.Relay(sys, r)
	case !b.Persistent:
		return refuse(c, wire.CategoryConflict, "not_persistent")
	case b.State != wire.SandboxStateHalted: // its top level has to have run
		return refuse(c, wire.CategoryConflict, "state", world.Status(b.State))
	case x.of(b.ID) != nil:
		return refuse(c, wire.CategoryConflict, "exists")
	case x.named(c.Source, q.Name):
		return refuse(c, wire.CategoryConflict, "name")
	case q.TickBudget < callTicks:
		return refuse(c, wire.CategoryInvalidRequest, "tick_budget", world.Field("tick_budget"), world.Need(callTicks))
	}
	size, r := x.source(c, b.Code)
	if r != nil {
		return c.Relay(sys, r)
	}
	reading := parsing(size)
	if r := x.cpu.holds(c, c.Source, max(q.TickBudget, reading)); r != nil {
		return c.Relay(sys, r)
	}
	if r := x.endpoints(x.text(c, b.Code), q.Endpoints); r != nil {
		return x.read(c, reading, r)
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

// named says whether an agent serves under this name already.
func (x *services) named(a wire.AgentID, name []byte) bool {
	return slices.ContainsFunc(x.sandboxes.of[a], func(box wire.Hash) bool {
		s := x.of(box)
		return s != nil && bytes.Equal(s.Name, name)
	})
}

// endpoints says whether a program has the functions that a service offers: each once, bound by
// its top level.
func (s *shop) endpoints(text []byte, list []wire.Endpoint) *world.Refusal {
	p, err := s.shelf.Compile(text)
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

// offers says whether a service has an endpoint.
func (s *Service) offers(endpoint []byte) bool {
	return slices.ContainsFunc(s.Endpoints, func(e wire.Endpoint) bool { return bytes.Equal(e.Name, endpoint) })
}

// stop ends the service from a sandbox, if there is one. It is forgotten at the end of the next
// cycle.
func (x *services) stop(c *world.Context, sandbox wire.Hash) {
	if id, ok := x.from[sandbox]; ok {
		now := c.Cycle
		s := x.Edit(id)
		s.Stopped, s.State = &now, nil
		delete(x.from, sandbox)
		if i, ok := slices.BinarySearchFunc(x.serving, id, wire.Hash.Compare); ok {
			x.serving = slices.Delete(x.serving, i, i+1)
		}
	}
}

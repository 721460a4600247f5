package forge

import (
	"errors"
	"strconv"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// texts are programs that were read in the prepare stage for a request that names them.
type texts map[wire.Hash][]byte

// source says how long a program is that a request names, as the sender may read it at its place in
// the commit order. The error rows of §4.5: what is not there, may not be read, or is no text.
func (s *shop) source(c *world.Context, id wire.Hash) (size int, r *world.Refusal) {
	o, ok := s.code.Object(id)
	switch {
	case !ok:
		return 0, no(wire.CategoryNotFound, "program")
	case !s.code.MayRead(id, c.Source):
		return 0, no(wire.CategoryUnauthorized, "read")
	case o.Type != wire.ObjectAtom:
		return 0, no(wire.CategoryInvalidRequest, "program", world.Detail{Key: "why", Value: "not an ATOM"})
	}
	return o.Size, nil
}

// text is a program that source found, once it is known that its reader has the forge ticks for it: who has not is told
// so before anything is read.
func (s *shop) text(c *world.Context, id wire.Hash) []byte {
	if read, _ := c.Prepared.(texts); read[id] != nil {
		return read[id]
	}
	var text []byte
	var missing []wire.Missing
	s.code.ShowObject(&missing, id, func(data []byte) { text = data })
	if len(missing) > 0 {
		panic("forge: program " + id.String() + " was not read in the prepare stage")
	}
	return text
}

// reading is the task that reads the programs that a request names. Where the sender has not got the forge ticks for
// them the request will be refused, and nothing is read for it.
func (s *shop) reading(t wire.Tick, request *world.Request, ids ...wire.Hash) world.Task {
	read, size := texts{}, 0
	named := func(do func(id wire.Hash, o world.Object)) {
		for _, id := range ids {
			if o, ok := s.code.Object(id); ok && o.Tick < t && o.Type == wire.ObjectAtom {
				do(id, o)
			}
		}
	}
	named(func(_ wire.Hash, o world.Object) { size += o.Size })
	affords := parsing(size) <= s.cpu.left(request.Source)
	return world.Task{
		Seats: []int{request.Seat},
		Reads: func() (missing []wire.Missing) {
			named(func(id wire.Hash, _ world.Object) {
				if affords && read[id] == nil {
					s.code.ShowObject(&missing, id, func(data []byte) { read[id] = append([]byte{}, data...) })
				}
			})
			return missing
		},
		Run: func(world.Answer) []any { return []any{read} },
	}
}

// ReadTask returns the task that reads the programs that a request to another daemon names.
func (d *Daemon) ReadTask(t wire.Tick, request *world.Request, programs []wire.Hash) world.Task {
	return d.reading(t, request, programs...)
}

// ReadCost returns how many forge ticks the sender pays for reading programs, or why it cannot read them.
func (d *Daemon) ReadCost(c *world.Context, field string, programs []wire.Hash) (ticks uint64, r *world.Refusal) {
	for _, id := range programs {
		size, r := d.source(c, id)
		if r != nil {
			r.Details = append([]world.Detail{world.Field(field)}, r.Details...)
			return 0, r
		}
		ticks += parsing(size)
	}
	if r := d.cpu.holds(c, c.Source, ticks); r != nil {
		return 0, r
	}
	for _, id := range programs {
		if r := d.check(d.text(c, id), field); r != nil {
			d.cpu.charge(c.Source, ticks) // it was read in vain
			return 0, r
		}
	}
	return ticks, nil
}

// Charge counts forge ticks that an agent has used.
func (d *Daemon) Charge(a wire.AgentID, ticks uint64) { d.cpu.charge(a, ticks) }

// read is the reply to a request for which texts were read in vain: that it comes to nothing shows only
// in them, so the forge ticks of reading count all the same. Else who asks for what cannot be would
// have Forge work for nothing.
func (s *shop) read(c *world.Context, ticks uint64, r *world.Refusal) wire.Reply {
	s.cpu.charge(c.Source, ticks)
	return c.Relay(sys, r)
}

// check refuses a text that is no program and says where.
func (s *shop) check(text []byte, field string) *world.Refusal {
	_, err := s.shelf.Compile(text)
	return invalid(err, field)
}

func invalid(err error, field string) *world.Refusal {
	if err == nil {
		return nil
	}
	r := no(wire.CategoryInvalidRequest, "program", world.Field(field))
	var at *program.SyntaxError
	if errors.As(err, &at) {
		if at.Line > 0 {
			r.Details = append(r.Details, world.Detail{Key: "line", Value: strconv.FormatUint(uint64(at.Line), 10)})
		}
		r.Details = append(r.Details, world.Detail{Key: "why", Value: ascii(at.Text)})
	}
	return r
}

// ascii is a text as contexts of refusals hold it.
func ascii(s string) string {
	b := []byte(s)
	for i, ch := range b {
		if ch < ' ' || ch > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}

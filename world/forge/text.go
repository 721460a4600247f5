package forge

import (
	"errors"
	"strconv"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// preparedTexts are the programs that a request names, as read in the prepare stage.
type preparedTexts map[wire.Hash][]byte

// programSize returns the size in bytes of a program that a request names, or why the sender cannot use it: it does not
// exist, the sender may not read it, or it is not an ATOM.
func (s *shared) programSize(c *world.Context, id wire.Hash) (size int, r *world.Refusal) {
	o, ok := s.code.Object(id)
	switch {
	case !ok:
		return 0, refusal(wire.CategoryNotFound, "program")
	case !s.code.MayRead(id, c.Source):
		return 0, refusal(wire.CategoryUnauthorized, "read")
	case o.Type != wire.ObjectAtom:
		return 0, refusal(wire.CategoryInvalidRequest, "program", world.Detail{Key: "why", Value: "not an ATOM"})
	}
	return o.Size, nil
}

// programText returns the text of a program that programSize found. The caller must have checked that the sender has the
// forge ticks for reading it, because without them nothing is read in the prepare stage.
func (s *shared) programText(c *world.Context, id wire.Hash) []byte {
	if read, _ := c.Prepared.(preparedTexts); read[id] != nil {
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

// readTask returns the task that reads the programs that a request names. If the sender does not have the forge ticks for
// them, the request will be refused and nothing is read.
func (s *shared) readTask(t wire.Tick, request *world.Request, ids ...wire.Hash) world.Task {
	read, size := preparedTexts{}, 0
	named := func(do func(id wire.Hash, o world.Object)) {
		for _, id := range ids {
			if o, ok := s.code.Object(id); ok && o.Tick < t && o.Type == wire.ObjectAtom {
				do(id, o)
			}
		}
	}
	named(func(_ wire.Hash, o world.Object) { size += o.Size })
	affords := parseTicks(size) <= s.cpu.left(request.Source)
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
	return d.readTask(t, request, programs...)
}

// ReadCost returns how many forge ticks the sender pays for reading programs, or why it cannot read them.
func (d *Daemon) ReadCost(c *world.Context, field string, programs []wire.Hash) (ticks uint64, r *world.Refusal) {
	for _, id := range programs {
		size, r := d.programSize(c, id)
		if r != nil {
			r.Details = append([]world.Detail{world.Field(field)}, r.Details...)
			return 0, r
		}
		ticks += parseTicks(size)
	}
	if r := d.cpu.require(c, c.Source, ticks); r != nil {
		return 0, r
	}
	for _, id := range programs {
		if r := d.checkSyntax(d.programText(c, id), field); r != nil {
			d.cpu.charge(c.Source, ticks) // reading costs also when the text is refused
			return 0, r
		}
	}
	return ticks, nil
}

// Charge counts forge ticks that an agent has used.
func (d *Daemon) Charge(a wire.AgentID, ticks uint64) { d.cpu.charge(a, ticks) }

// chargeAndRefuse refuses a request for a reason found in the programs that were read for it. The forge ticks of reading
// are charged all the same; else an agent could have Forge read for free.
func (s *shared) chargeAndRefuse(c *world.Context, ticks uint64, r *world.Refusal) wire.Reply {
	s.cpu.charge(c.Source, ticks)
	return c.Relay(sys, r)
}

// checkSyntax refuses a text that does not compile and says where.
func (s *shared) checkSyntax(text []byte, field string) *world.Refusal {
	_, err := s.programs.Compile(text)
	return syntaxRefusal(err, field)
}

// syntaxRefusal returns the refusal for an error of compiling a field, nil for no error.
func syntaxRefusal(err error, field string) *world.Refusal {
	if err == nil {
		return nil
	}
	r := refusal(wire.CategoryInvalidRequest, "program", world.Field(field))
	var at *program.SyntaxError
	if errors.As(err, &at) {
		if at.Line > 0 {
			r.Details = append(r.Details, world.Detail{Key: "line", Value: strconv.FormatUint(uint64(at.Line), 10)})
		}
		r.Details = append(r.Details, world.Detail{Key: "why", Value: ascii(at.Text)})
	}
	return r
}

// ascii returns a text for the context of a refusal, with ? in place of all but printable ASCII.
func ascii(s string) string {
	b := []byte(s)
	for i, ch := range b {
		if ch < ' ' || ch > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}

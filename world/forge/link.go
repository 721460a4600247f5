package forge

import (
	"errors"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// link stores a program with load lines in front of it. Its forge ticks are there before anything is
// read, and count once it was.
func (s *shop) link(c *world.Context, q *wire.LinkResolve) wire.Reply {
	size, r := s.source(c, q.Program)
	if r = world.FirstRefusal(r, world.InvalidIf(len(q.Imports) == 0, "imports")); r != nil {
		return c.Relay(sys, r)
	}
	for i := range q.Imports {
		n, r := s.source(c, q.Imports[i].From)
		if r != nil {
			r.Details = append(r.Details, world.Field("imports.from"))
			return c.Relay(sys, r)
		}
		size += n
	}
	ticks := parsing(size)
	if r := s.cpu.holds(c, c.Source, ticks); r != nil {
		return c.Relay(sys, r)
	}
	id, r := s.linked(c, q)
	if r != nil {
		return s.read(c, ticks, r)
	}
	s.cpu.charge(c.Source, ticks)
	emit(c, wire.KindLinkCompleted, &wire.LinkCompletedEvent{Original: q.Program, Resolved: id, ImportCount: uint32(len(q.Imports))})
	return c.Answer(wire.TypeLinkResolve, &wire.LinkResolveReply{Resolved: id})
}

// linked keeps the linked program on the sender's storage.
func (s *shop) linked(c *world.Context, q *wire.LinkResolve) (id wire.Hash, r *world.Refusal) {
	imports := make([]program.Import, len(q.Imports))
	for i := range q.Imports {
		p, err := s.shelf.Compile(s.text(c, q.Imports[i].From))
		if r := invalid(err, "imports.from"); r != nil {
			return id, r
		}
		imports[i] = program.Import{ID: q.Imports[i].From, Module: p}
		for _, name := range q.Imports[i].Symbols {
			if !p.Exports(string(name)) {
				return id, no(wire.CategoryInvalidRequest, "unresolved_symbol", world.Field("imports.symbols"), world.Detail{Key: "why", Value: ascii(string(name))})
			}
			imports[i].Symbols = append(imports[i].Symbols, string(name))
		}
	}
	text, err := program.Link(&s.shelf, s.text(c, q.Program), imports)
	if err != nil {
		var at *program.SyntaxError
		if load := uint32(len(imports)); errors.As(err, &at) && at.Line > load {
			at.Line -= load // the line that the sender knows: a load line for each import stands in front
		}
		r := invalid(err, "program")
		if len(r.Details) == 1 { // not of the text: an import without symbols, or one twice
			r.Details = append(r.Details, world.Detail{Key: "why", Value: ascii(err.Error())})
		}
		return id, r
	}
	return s.code.PutAtom(c, text)
}

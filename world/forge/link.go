package forge

import (
	"errors"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// link stores a program with load lines in front of it. The sender needs the forge ticks for it before anything is read,
// and pays them once it was read, also if the link is then refused.
func (s *shared) link(c *world.Context, q *wire.LinkResolve) wire.Reply {
	size, r := s.programSize(c, q.Program)
	if r = world.FirstRefusal(r, world.InvalidIf(len(q.Imports) == 0, "imports")); r != nil {
		return c.Relay(sys, r)
	}
	for i := range q.Imports {
		n, r := s.programSize(c, q.Imports[i].From)
		if r != nil {
			r.Details = append(r.Details, world.Field("imports.from"))
			return c.Relay(sys, r)
		}
		size += n
	}
	ticks := parseTicks(size)
	if r := s.cpu.require(c, c.Source, ticks); r != nil {
		return c.Relay(sys, r)
	}
	id, r := s.storeLinked(c, q)
	if r != nil {
		return s.chargeAndRefuse(c, ticks, r)
	}
	s.cpu.charge(c.Source, ticks)
	emit(c, wire.KindLinkCompleted, &wire.LinkCompletedEvent{Original: q.Program, Resolved: id, ImportCount: uint32(len(q.Imports))})
	return c.Answer(wire.TypeLinkResolve, &wire.LinkResolveReply{Resolved: id})
}

// storeLinked links the program and stores it on the sender's storage.
func (s *shared) storeLinked(c *world.Context, q *wire.LinkResolve) (id wire.Hash, r *world.Refusal) {
	imports := make([]program.Import, len(q.Imports))
	for i := range q.Imports {
		p, err := s.programs.Compile(s.programText(c, q.Imports[i].From))
		if r := syntaxRefusal(err, "imports.from"); r != nil {
			return id, r
		}
		imports[i] = program.Import{ID: q.Imports[i].From, Module: p}
		for _, name := range q.Imports[i].Symbols {
			if !p.Exports(string(name)) {
				return id, refusal(wire.CategoryInvalidRequest, "unresolved_symbol", world.Field("imports.symbols"), world.Detail{Key: "why", Value: ascii(string(name))})
			}
			imports[i].Symbols = append(imports[i].Symbols, string(name))
		}
	}
	text, err := program.Link(&s.programs, s.programText(c, q.Program), imports)
	if err != nil {
		var at *program.SyntaxError
		if load := uint32(len(imports)); errors.As(err, &at) && at.Line > load {
			at.Line -= load // the line in the sender's text, without the load line of each import
		}
		r := syntaxRefusal(err, "program")
		if len(r.Details) == 1 { // not an error of the text, but an import without symbols or a duplicate one
			r.Details = append(r.Details, world.Detail{Key: "why", Value: ascii(err.Error())})
		}
		return id, r
	}
	return s.code.PutAtom(c, text)
}

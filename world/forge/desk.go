package forge

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world/forge/program"
)

// maxReads is how many objects and entries one run reads through vault_get and oracle_get at
// most: each may lie in the store, where the run has to wait for it.
const maxReads = 16

// desk is what the runs of one task read of Vault and Oracle: what was there before the tick, for
// whom it was there. In the prepare stage it asks for what is not in memory. At the commit it
// answers as it did then, so that a run that has to be made again reads the same.
type desk struct {
	*shop
	tick    wire.Tick
	held    map[source]answer
	modules map[string]*program.Program // that its runs loaded, by name
	missing []wire.Missing
	closed  bool // what is not held was not asked for in the prepare stage
}

// source is an object or entry as a reader asks for it.
type source struct {
	kind   program.Kind
	id     wire.Hash
	reader wire.AgentID // zero: Forge itself, which may read everything
}

type answer struct {
	data []byte
	err  error
}

func (s *shop) desk(t wire.Tick) *desk {
	return &desk{shop: s, tick: t, held: map[source]answer{}, modules: map[string]*program.Program{}}
}

// ask returns what the desk must be given before it can answer all it was asked so far.
func (x *desk) ask() []wire.Missing {
	out := x.missing
	x.missing = nil
	return out
}

// read answers from the state before the tick.
func (x *desk) read(s source) ([]byte, error) {
	if a, ok := x.held[s]; ok {
		return a.data, a.err
	}
	if x.closed {
		return nil, program.ErrMissing
	}
	var missing []wire.Missing
	if err := x.open(&missing, s); err != nil {
		x.held[s] = answer{err: err}
		return nil, err
	}
	if a, ok := x.held[s]; ok {
		return a.data, nil
	}
	x.missing = append(x.missing, missing...)
	return nil, program.ErrMissing
}

// open looks for what is asked for and puts it on the desk, at once or when missing is filled.
func (x *desk) open(missing *[]wire.Missing, s source) error {
	put := func(data []byte) { x.held[s] = answer{data: data} }
	if s.kind == program.KindOracle {
		if !x.library.ShowEntry(missing, s.id, put) {
			return program.ErrAbsent
		}
		return nil
	}
	switch o, ok := x.code.Object(s.id); {
	case !ok || o.Tick >= x.tick:
		return program.ErrAbsent
	case s.kind == program.KindLoad && o.Type != wire.ObjectAtom:
		return program.ErrAbsent
	case !s.reader.IsZero() && !x.code.MayRead(s.id, s.reader):
		return program.ErrUnreadable
	}
	x.code.ShowObject(missing, s.id, put)
	return nil
}

// reader is a reader of one run.
func (x *desk) reader(kind program.Kind, a wire.AgentID, seen map[source]struct{}) program.Reader {
	return func(id wire.Hash) ([]byte, error) {
		s := source{kind, id, a}
		if kind != program.KindLoad {
			if _, ok := seen[s]; !ok && len(seen) == maxReads {
				return nil, fmt.Errorf("more than %d objects and entries are read: %w", maxReads, program.ErrAbsent)
			}
			seen[s] = struct{}{}
		}
		return x.read(s)
	}
}

// job is a run to be made.
type job struct {
	owner wire.AgentID // whose rights count
	code  *program.Program
	input program.Input // without program and readers
}

// run makes a run; ok is false if it stopped for something that is not on the desk.
func (x *desk) run(j job) (r *program.Result, ok bool) {
	in, seen := j.input, map[source]struct{}{}
	in.Program, in.Compiled = j.code, x.modules
	in.Load = x.reader(program.KindLoad, j.owner, seen)
	in.Vault = x.reader(program.KindVault, j.owner, seen)
	in.Oracle = x.reader(program.KindOracle, j.owner, seen)
	res := program.Run(in)
	return &res, res.State != program.Stopped
}

// program compiles an object that was found to be a program; nil if it is not on the desk.
func (x *desk) program(id wire.Hash) *program.Program {
	text, err := x.read(source{kind: program.KindLoad, id: id})
	if err != nil {
		return nil
	}
	p, err := x.shelf.Look(text)
	if err != nil {
		panic("forge: object " + id.String() + " was a program and is none: " + err.Error())
	}
	return p
}

// faultOf is a fault as messages name it.
func faultOf(f program.Fault) *wire.FaultCode {
	code := wire.FaultUserFault
	switch {
	case f == program.NoFault:
		return nil
	case f < program.UserFault:
		code = wire.FaultCode(f)
	}
	return &code
}

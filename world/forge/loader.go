package forge

import (
	"kingdom/wire"
	"kingdom/world/forge/program"
)

// maxReads is the largest number of objects and entries that one run may read through vault_get and oracle_get. Each may
// have to be read from the store, for which the run waits.
const maxReads = 16

// loader reads objects and entries from Vault and Oracle for the runs of one task. It serves the state before the tick,
// with the rights of each reader. In the prepare stage it collects what is not in memory, to be read from the store. At
// the commit it returns the same results, so that a run that has to be repeated reads the same.
type loader struct {
	*shared
	tick    wire.Tick
	cache   map[readKey]readResult
	modules map[string]*program.Program // that the runs loaded, by name
	missing []wire.Missing
	closed  bool // after the prepare stage: only cached results are served
}

// readKey names an object or entry and who reads it.
type readKey struct {
	kind   program.Kind
	id     wire.Hash
	reader wire.AgentID // zero: Forge itself, which may read everything
}

type readResult struct {
	data []byte
	err  error
}

func (s *shared) newLoader(t wire.Tick) *loader {
	return &loader{shared: s, tick: t, cache: map[readKey]readResult{}, modules: map[string]*program.Program{}}
}

// takeMissing returns what has to be read from the store before all reads so far can be served, and clears the list.
func (x *loader) takeMissing() []wire.Missing {
	out := x.missing
	x.missing = nil
	return out
}

// read returns an object or entry of the state before the tick. The error is program.ErrMissing if it is not in memory.
func (x *loader) read(s readKey) ([]byte, error) {
	if a, ok := x.cache[s]; ok {
		return a.data, a.err
	}
	if x.closed {
		return nil, program.ErrMissing
	}
	var missing []wire.Missing
	if err := x.fetch(&missing, s); err != nil {
		x.cache[s] = readResult{err: err}
		return nil, err
	}
	if a, ok := x.cache[s]; ok {
		return a.data, nil
	}
	x.missing = append(x.missing, missing...)
	return nil, program.ErrMissing
}

// fetch looks an object or entry up and caches it, at once or when missing is filled.
func (x *loader) fetch(missing *[]wire.Missing, s readKey) error {
	put := func(data []byte) { x.cache[s] = readResult{data: data} }
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

// reader returns a reader of one kind for one run of a. seen counts what the run reads.
func (x *loader) reader(kind program.Kind, a wire.AgentID, seen map[readKey]struct{}) program.Reader {
	return func(id wire.Hash) ([]byte, error) {
		s := readKey{kind, id, a}
		if kind != program.KindLoad {
			if _, ok := seen[s]; !ok && len(seen) == maxReads {
				return nil, program.ErrAbsent
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

// run makes a run. ok is false if it stopped because something is not loaded yet.
func (x *loader) run(j job) (r *program.Result, ok bool) {
	in, seen := j.input, map[readKey]struct{}{}
	in.Program, in.Compiled = j.code, x.modules
	in.Load = x.reader(program.KindLoad, j.owner, seen)
	in.Vault = x.reader(program.KindVault, j.owner, seen)
	in.Oracle = x.reader(program.KindOracle, j.owner, seen)
	res := program.Run(in)
	return &res, res.State != program.Stopped
}

// program compiles an object that is known to be a program. It returns nil if the object is not loaded yet.
func (x *loader) program(id wire.Hash) *program.Program {
	text, err := x.read(readKey{kind: program.KindLoad, id: id})
	if err != nil {
		return nil
	}
	p, err := x.programs.CompileReadOnly(text)
	if err != nil {
		panic("forge: object " + id.String() + " was a program, but does not compile: " + err.Error())
	}
	return p
}

// faultOf returns the code of a fault in messages, nil for no fault.
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

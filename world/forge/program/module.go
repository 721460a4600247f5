package program

import (
	"errors"

	"go.starlark.net/starlark"
)

// module is a program that was loaded, or is being loaded while globals is nil.
type module struct {
	globals starlark.StringDict
}

// load executes a module, once per run.
func (r *run) load(_ *starlark.Thread, name string) (starlark.StringDict, error) {
	if m := r.modules[name]; m != nil {
		if m.globals == nil {
			return nil, faultf(ChannelError, "load of %s: cycle", truncate(name))
		}
		return m.globals, r.checkSymbols(name, m.globals)
	}
	if len(r.modules) == MaxModules {
		return nil, faultf(ChannelError, "load of %s: more than %d modules", truncate(name), MaxModules)
	}
	if len(r.loading) > MaxLoadDepth {
		return nil, faultf(ChannelError, "load of %s: more than %d loads within loads", truncate(name), MaxLoadDepth)
	}
	p, err := r.find(name)
	if err != nil {
		return nil, err
	}
	m := &module{}
	r.modules[name] = m
	r.loaded = append(r.loaded, m)
	r.loading = append(r.loading, p)
	globals, err := p.code.Init(r.thread, r.names)
	r.loading = r.loading[:len(r.loading)-1]
	if err != nil {
		return nil, err
	}
	if err := r.freeze(globals); err != nil {
		return nil, err
	}
	m.globals = globals
	return globals, r.checkSymbols(name, globals)
}

// find returns the program that a load line names.
func (r *run) find(name string) (*Program, error) {
	if p := r.in.Bind[name]; p != nil {
		return p, r.guard.chargeSteps(TicksPerLoad * StepsPerTick)
	}
	id, ok := VaultID(name)
	if !ok {
		return nil, faultf(ChannelError, `load of %q: want "vault:" and 64 hex digits`, truncate(name))
	}
	source, err := r.read(KindLoad, r.in.Load, id)
	if err != nil {
		return nil, err
	}
	if err := r.guard.chargeSteps((TicksPerLoad + uint64(len(source)+1023)/1024) * StepsPerTick); err != nil {
		return nil, err
	}
	p := r.in.Compiled[name]
	if p == nil {
		p, err = compile(name, source)
		var at *SyntaxError
		if errors.As(err, &at) {
			return nil, faultf(ChannelError, "load of %s: %s", name, at)
		}
		if r.in.Compiled != nil {
			r.in.Compiled[name] = p
		}
	}
	r.trace.load(id)
	return p, nil
}

// checkSymbols checks that a module has the names that the load line asks for. The interpreter would compare a name that
// is not there with all that are.
func (r *run) checkSymbols(name string, globals starlark.StringDict) error {
	for _, l := range r.loading[len(r.loading)-1].loads {
		if l.module != name {
			continue
		}
		for _, s := range l.symbols {
			if !globals.Has(s) {
				return faultf(ChannelError, "load of %s: it has no %s", truncate(name), truncate(s))
			}
		}
	}
	return nil
}

package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// params is what passed CHANGE_PARAM proposals have set.
type params struct {
	rules *world.Rules
	table *world.Table[string, Param]
}

// Param is the value that a passed CHANGE_PARAM gave name, else fallback.
func (p *params) Param(name string, fallback int64) int64 {
	if set := p.table.Get(name); set != nil {
		return set.Value
	}
	return fallback
}

func (p *params) set(name string, value int64, now wire.Cycle) {
	p.table.Put(name, &Param{Name: name, Value: value, Changed: now})
}

// until is the first cycle in which a proposal may change name; 0 if it never was changed.
func (p *params) until(name string) wire.Cycle {
	if set := p.table.Get(name); set != nil {
		return set.Changed + cooldown
	}
	return 0
}

// bounds are the least and the greatest value that a vote may give a parameter.
type bounds struct{ least, most int64 }

// bounds are those of name; ok is false for what no vote may change.
func (p *params) bounds(name string) (b bounds, ok bool) {
	b.least, b.most, ok = world.ParamBounds(p.rules, name)
	return b, ok
}

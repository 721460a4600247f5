package nexus

import (
	"strings"

	"kingdom/world"
)

// params is what passed CHANGE_PARAM proposals have set.
type params struct {
	table *world.Table[string, Param]
}

// Param is the value that a passed CHANGE_PARAM gave name, else fallback.
func (p *params) Param(name string, fallback int64) int64 {
	if set := p.table.Get(name); set != nil {
		return set.Value
	}
	return fallback
}

func (p *params) set(name string, value int64) {
	p.table.Put(name, &Param{Name: name, Value: value})
}

// changeable is the whitelist of CHANGE_PARAM.
func changeable(name string) bool {
	switch name {
	case "vault.quota_bytes", "forge.cpu_quota", "agora.channel_fee", "portal.quota_bonus", "portal.domain_rule", "population.cap":
		return true
	}
	label, ok := strings.CutPrefix(name, "mint.reward.")
	switch label {
	case "review", "entry", "bug", "royalty", "vote":
		return ok
	}
	return false
}

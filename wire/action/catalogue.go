package action

import (
	"slices"
	"strings"

	"kingdom/wire"
)

// rows is the whole catalogue, in order of daemons and codes; nop and rest come first.
var rows = build()

var (
	byName = index(func(r *Row) string { return r.Name })
	byType = index(func(r *Row) wire.MsgType { return r.Type })
)

func build() []Row {
	var all []Row
	all = append(all, systemRows()...)
	all = append(all, nexusRows()...)
	all = append(all, vaultRows()...)
	all = append(all, agoraRows()...)
	all = append(all, oracleRows()...)
	all = append(all, forgeRows()...)
	all = append(all, mintRows()...)
	all = append(all, portalRows()...)
	for i := range all {
		all[i].complete()
	}
	return all
}

// complete fills what follows from the rest of a row.
func (r *Row) complete() {
	if r.Name == "" {
		r.Name = strings.ToLower(r.Type.String())
	}
	if r.System == 0 && r.Type != 0 {
		if s, ok := r.Type.System(); ok {
			r.System = s
		} else {
			r.System = wire.SystemNexus
		}
	}
	if r.Cost == "" {
		r.Cost = "0"
	}
	r.LLM = r.Ticks > 0
	if r.LLM && r.Type != 0 {
		r.Needs = r.Name
	}
	r.Params = paramsOf(r)
	own := refusals[r.Name]
	r.Refusals = slices.Clip(own)
	if r.form != formResourceBuy { // whose payload has no field that a mind fills
		r.Refusals = append(r.Refusals, boundRefusals(Bounds(r.Type), own)...)
	}
}

func index[K comparable](key func(*Row) K) map[K]*Row {
	m := make(map[K]*Row, len(rows))
	for i := range rows {
		if _, ok := m[key(&rows[i])]; !ok {
			m[key(&rows[i])] = &rows[i]
		}
	}
	return m
}

// ByName finds a row by action name.
func ByName(name string) (*Row, bool) {
	r, ok := byName[name]
	return r, ok
}

// ByType finds the row that owns a request code; TRANSFER yields transfer, not resource_buy.
func ByType(t wire.MsgType) (*Row, bool) {
	if t == 0 {
		return nil, false
	}
	r, ok := byType[t]
	return r, ok
}

// All returns every row in catalogue order. The slice is shared and read-only.
func All() []Row { return rows }

// ForMinds returns the rows that a mind may choose, in catalogue order, nop first.
func ForMinds() []*Row {
	var out []*Row
	for i := range rows {
		if rows[i].LLM {
			out = append(out, &rows[i])
		}
	}
	return out
}

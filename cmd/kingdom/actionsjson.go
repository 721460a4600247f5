package main

import (
	"encoding/json"

	"kingdom/wire"
	"kingdom/wire/action"
)

type catalogueJSON struct {
	Actions  []actionJSON     `json:"actions"`
	Errors   []refusalJSON    `json:"errors,omitempty"`
	Messages []messageRowJSON `json:"messages,omitempty"`
	Events   []eventRowJSON   `json:"events,omitempty"`
}

type actionJSON struct {
	Name     string         `json:"name"`
	Code     uint16         `json:"code"`
	System   string         `json:"system"`
	Domain   string         `json:"domain"`
	Ticks    uint64         `json:"ticks"`
	Cost     string         `json:"cost"`
	Read     bool           `json:"read"`
	Epoch    map[string]int `json:"epoch"`
	Summary  string         `json:"summary"`
	Params   []paramJSON    `json:"params"`
	Bounds   []boundJSON    `json:"bounds"`
	Reply    string         `json:"reply"`
	Refusals []refusalJSON  `json:"refusals"`
}

type paramJSON struct {
	Name     string `json:"name"`
	Form     string `json:"form"`
	Required bool   `json:"required"`
	Help     string `json:"help"`
}

type boundJSON struct {
	Field string `json:"field"`
	Unit  string `json:"unit"`
	Least int    `json:"least"`
	Most  int    `json:"most"`
}

type refusalJSON struct {
	Category string `json:"category"`
	Code     uint32 `json:"code"`
	Reason   string `json:"reason"`
	Context  string `json:"context,omitempty"`
	When     string `json:"when,omitempty"`
}

type messageRowJSON struct {
	Name    string `json:"name"`
	Code    uint16 `json:"code"`
	Body    string `json:"body"`
	Summary string `json:"summary"`
}

type eventRowJSON struct {
	Name    string `json:"name"`
	Code    uint16 `json:"code"`
	Payload string `json:"payload"`
}

// catalogueOf converts rows of the catalogue to JSON. whole adds the errors, messages and events.
func catalogueOf(rows []*action.Row, whole bool) (c catalogueJSON) {
	for _, r := range rows {
		c.Actions = append(c.Actions, toActionJSON(r))
	}
	if !whole {
		return c
	}
	for code := range uint32(0x100) {
		if category, reason, ok := wire.ProtocolReason(code); ok {
			c.Errors = append(c.Errors, refusalJSON{Category: category.String(), Code: code, Reason: reason})
		}
	}
	for _, m := range action.Messages() {
		c.Messages = append(c.Messages, messageRowJSON{m.Type.String(), uint16(m.Type), action.Fields(m.Shape), m.Summary})
	}
	for _, k := range wire.EventKinds() {
		if s := wire.EventShape(k); s != nil {
			c.Events = append(c.Events, eventRowJSON{k.String(), uint16(k), action.Fields(s)})
		}
	}
	return c
}

func toActionJSON(r *action.Row) actionJSON {
	j := actionJSON{
		Name: r.Name, Code: uint16(r.Type), System: systemName(r), Domain: r.Domain.String(), Ticks: r.Ticks, Cost: r.Cost,
		Read: r.Read, Summary: r.Summary, Params: []paramJSON{}, Bounds: []boundJSON{}, Reply: r.Reply(), Refusals: []refusalJSON{},
		Epoch: map[string]int{"default": int(r.Epoch[0]), "strict": int(r.Epoch[1]), "open": int(r.Epoch[2])},
	}
	for _, p := range r.Params {
		j.Params = append(j.Params, paramJSON{p.Name, action.FormOf(p.Shape), p.Required, p.Help})
	}
	for _, b := range action.Bounds(r.Type) {
		j.Bounds = append(j.Bounds, boundJSON{b.Field, b.Unit.String(), b.Least, b.Most})
	}
	for i := range r.Refusals {
		x := &r.Refusals[i]
		j.Refusals = append(j.Refusals, refusalJSON{x.Category.String(), x.Code(r), x.Reason, x.Context, x.When})
	}
	return j
}

func printJSON(w interface{ Write([]byte) (int, error) }, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

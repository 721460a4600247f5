package realm

import (
	"reflect"
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
)

// form is what the payload of one type must look like.
type form struct {
	payload reflect.Type // the struct
	runtime []runtimeField
}

// runtimeField is a field of a payload that the agent's runtime fills, and what must be in it.
type runtimeField struct {
	index int
	holds content
}

// content is what a runtime-filled field must hold.
type content uint8

const (
	holdsSender     content = iota + 1 // the sender's id
	holdsReputation                    // the sender's reputation
	holdsNothing                       // nil: inner signatures are made by the runtime, beside the body
)

// requestForms are those of all requests of the catalogue.
func requestForms() map[wire.MsgType]form {
	out := map[wire.MsgType]form{}
	for _, row := range action.All() {
		if p := row.New(); p != nil {
			t := reflect.TypeOf(p).Elem()
			out[row.Type] = form{payload: t, runtime: runtimeFields(t)}
		}
	}
	return out
}

// runtimeFields finds the runtime-filled fields of a payload. AGENT_STATUS has reports
// in such fields, which Nexus judges.
func runtimeFields(t reflect.Type) []runtimeField {
	if t == reflect.TypeFor[wire.AgentStatusMsg]() {
		return nil
	}
	var out []runtimeField
	for i := range t.NumField() {
		f := t.Field(i)
		if _, opts, _ := strings.Cut(f.Tag.Get("kdom"), ","); !strings.Contains(opts, "runtime") {
			continue
		}
		switch {
		case f.Type == reflect.TypeFor[wire.Signature]():
			// Of an object's identity: Vault verifies it.
		case f.Type == reflect.TypeFor[wire.AgentID]():
			out = append(out, runtimeField{i, holdsSender})
		case f.Type.Kind() == reflect.Float32:
			out = append(out, runtimeField{i, holdsReputation})
		case f.Type.Kind() == reflect.Pointer:
			out = append(out, runtimeField{i, holdsNothing})
		default:
			panic("realm: no rule for the runtime field " + t.Name() + "." + f.Name)
		}
	}
	return out
}

// filledBy says whether all runtime-filled fields hold what the sender's runtime puts there.
func (o *form) filledBy(v reflect.Value, seat wire.AgentID, reputation float32) bool {
	for _, f := range o.runtime {
		x := v.Field(f.index)
		switch f.holds {
		case holdsSender:
			if *x.Addr().Interface().(*wire.AgentID) != seat {
				return false
			}
		case holdsReputation:
			if float32(x.Float()) != reputation {
				return false
			}
		case holdsNothing:
			if !x.IsNil() {
				return false
			}
		}
	}
	return true
}

package action

import (
	"bytes"
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// shape returns the JSON form of a row's parameters, nil when it has none.
func (r *Row) shape() *codec.Shape {
	switch r.form {
	case formNop:
		return nil
	case formRest:
		return restCodec.Shape()
	case formResourceBuy:
		return resourceBuyCodec.Shape()
	case formRepoCreate:
		return repoCreateCodec.Shape()
	case formSnapCreate:
		return snapCreateCodec.Shape()
	default:
		return wire.RequestShape(r.Type)
	}
}

func paramsOf(r *Row) []Param {
	s := r.shape()
	if s == nil {
		return nil
	}
	var out []Param
	for _, f := range s.Fields {
		if f.Runtime {
			continue
		}
		out = append(out, Param{
			Name: f.Name, Required: f.Required, Nullable: f.Nullable || !f.Required, Zero: f.Zero,
			Shape: f.Shape, Help: help(r.Name, f.Name),
		})
	}
	return out
}

// New returns a pointer to a zero payload struct, nil for nop.
func (r *Row) New() any {
	switch r.form {
	case formNop:
		return nil
	case formRest:
		return &Rest{}
	default:
		return wire.NewRequest(r.Type)
	}
}

// FromJSON builds the payload from a mind's params object; empty params and null stand for
// {}. Runtime fields stay zero. The payload of nop is nil.
func (r *Row) FromJSON(params []byte, names codec.AliasResolver) (payload any, err error) {
	if p := bytes.TrimSpace(params); len(p) == 0 || string(p) == "null" {
		params = []byte("{}")
	}
	switch r.form {
	case formNop:
		var none wire.Ack
		return nil, noneCodec.FromJSON(params, &none, names)
	case formRest:
		return restFromJSON(params, names)
	case formResourceBuy:
		var b ResourceBuy
		if err := resourceBuyCodec.FromJSON(params, &b, names); err != nil {
			return nil, err
		}
		return b.Transfer(), nil
	case formRepoCreate:
		var p RepoCreate
		if err := repoCreateCodec.FromJSON(params, &p, names); err != nil {
			return nil, err
		}
		return p.message()
	case formSnapCreate:
		var p SnapCreate
		if err := snapCreateCodec.FromJSON(params, &p, names); err != nil {
			return nil, err
		}
		return p.message()
	default:
		return wire.RequestFromJSON(r.Type, params, names)
	}
}

var noneCodec = codec.New[wire.Ack]()

// AppendJSON appends the params object of a payload of this row. It panics on the payload of
// another row.
func (r *Row) AppendJSON(dst []byte, payload any) []byte {
	switch r.form {
	case formNop:
		return append(dst, "{}"...)
	case formRest:
		return restCodec.AppendJSON(dst, payload.(*Rest))
	case formResourceBuy:
		b, ok := resourceBuyOf(payload.(*wire.Transfer))
		if !ok {
			panic(fmt.Sprintf("action: %s cannot show the transfer %+v", r.Name, payload))
		}
		return resourceBuyCodec.AppendJSON(dst, &b)
	case formRepoCreate:
		p := repoCreateOf(payload.(*wire.RepoCreate))
		return repoCreateCodec.AppendJSON(dst, &p)
	case formSnapCreate:
		p := snapCreateOf(payload.(*wire.SnapCreate))
		return snapCreateCodec.AppendJSON(dst, &p)
	default:
		return wire.AppendPayloadJSON(dst, payload)
	}
}

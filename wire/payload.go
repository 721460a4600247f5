package wire

import (
	"fmt"
	"reflect"

	"kingdom/wire/codec"
)

// planOf returns the plan of a payload, which must be a pointer to a payload struct.
func planOf(payload any) *codec.Plan {
	t := reflect.TypeOf(payload)
	if t == nil || t.Kind() != reflect.Pointer || reflect.ValueOf(payload).IsNil() {
		panic(fmt.Sprintf("wire: payload %T is not a pointer to a payload struct", payload))
	}
	p, ok := payloads[t.Elem()]
	if !ok {
		panic(fmt.Sprintf("wire: %T is no payload of the protocol", payload))
	}
	return p
}

// NewRequest returns a pointer to a zero request payload, nil for a code without one.
func NewRequest(t MsgType) any {
	if p := messages[t].request; p != nil {
		return p.New()
	}
	return nil
}

// RequestShape describes the JSON form of a request's parameters, nil for a code without
// a payload.
func RequestShape(t MsgType) *codec.Shape {
	if p := messages[t].request; p != nil {
		return p.Shape()
	}
	return nil
}

// RequestFromJSON builds the payload of a request from a mind's parameters.
func RequestFromJSON(t MsgType, raw []byte, names codec.AliasResolver) (any, error) {
	const op = "read parameters of "
	p := messages[t].request
	if p == nil {
		return nil, &codec.DecodeError{Kind: codec.DecodeKindUnknownType, Op: op + t.String()}
	}
	v := p.New()
	if err := p.FromJSON(raw, v, names); err != nil {
		return nil, codec.During(err, op+t.String())
	}
	return v, nil
}

// AppendPayloadJSON appends the JSON form of any payload of the protocol: a request, a reply
// or an event. payload is a pointer to its struct.
func AppendPayloadJSON(dst []byte, payload any) []byte {
	return planOf(payload).AppendJSON(dst, payload)
}

// AppendPayload appends the canonical map of a payload without reserved keys: the form in
// which events hold theirs. payload is a pointer to its struct.
func AppendPayload(dst []byte, payload any) []byte {
	return planOf(payload).Append(dst, payload)
}

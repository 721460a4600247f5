package wire

import (
	"fmt"
	"reflect"
	"strings"

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

// RequestShape returns the JSON form of a request's parameters, nil for a code without a payload.
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
		return nil, codec.WithOp(err, op+t.String())
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

// ReplyTo returns the type of the reply to a request of type t that was carried out, and the form of its fields after
// ref_msg_id, nil for none. The type is 0 if there is no reply.
func ReplyTo(t MsgType) (MsgType, *codec.Shape) {
	m := messages[t]
	switch {
	case m.request == nil:
		return 0, nil
	case t == TypePing:
		return TypePong, messages[TypePong].reply.Shape()
	case t == TypeAgentSpawnReq:
		return TypeAgentSpawnAck, m.reply.Shape()
	case t == TypeWebRequest:
		return TypeWebResponse, messages[TypeWebResponse].reply.Shape()
	case m.reply == nil:
		return TypeAck, nil
	case strings.HasSuffix(m.reply.Type().Name(), "Ack"):
		return TypeAck, m.reply.Shape()
	}
	return t, m.reply.Shape()
}

// MessageShape returns the form of the body of a message that is sent on its own, or else of a reply; nil for a code
// without one.
func MessageShape(t MsgType) *codec.Shape {
	switch m := messages[t]; {
	case t == TypeError:
		return errorShape
	case m.request != nil:
		return m.request.Shape()
	case m.reply != nil:
		return m.reply.Shape()
	}
	return nil
}

var errorShape = codec.New[ErrorBody]().Shape()

// EventShape returns the form of the payload of an event kind, nil for a kind without one.
func EventShape(k EventKind) *codec.Shape {
	if p := eventKinds[k].payload; p != nil {
		return p.Shape()
	}
	return nil
}

package world

import "kingdom/wire"

// Refuse is the reply of a daemon that does not do what was asked: a structured
// error on the wire, never a Go error. reason is a lower_snake word from
// docs/WORLD.md.
func (c *Context) Refuse(s wire.System, cat wire.Category, reason string) wire.Reply {
	return c.RefuseCode(wire.ErrorCode(s, cat), cat, reason)
}

// RefuseCode is Refuse with a protocol code (wire.CodeBadBody …).
func (c *Context) RefuseCode(code uint32, cat wire.Category, reason string) wire.Reply {
	ref := c.Msg
	return wire.Reply{Ref: c.Msg, Type: wire.TypeError, Err: &wire.ErrorBody{
		RefMsgID: &ref, Code: code, Category: cat.String(), Message: []byte(reason),
	}}
}

// Ack acknowledges; extra is a pointer to the row's ACK extras, or nil.
func (c *Context) Ack(extra any) wire.Reply {
	return wire.Reply{Ref: c.Msg, Type: wire.TypeAck, Body: extra}
}

// Answer replies with a typed body under type t.
func (c *Context) Answer(t wire.MsgType, body any) wire.Reply {
	return wire.Reply{Ref: c.Msg, Type: t, Body: body}
}

// Refusal is what a sibling daemon's direct call says no with; nil means done.
type Refusal struct {
	Category wire.Category
	Reason   string
}

// Relay turns a sibling's refusal into the reply of daemon s.
func (c *Context) Relay(s wire.System, r *Refusal) wire.Reply {
	return c.Refuse(s, r.Category, r.Reason)
}

// replyRoom is what a frame needs beside its body, at most.
const replyRoom = 304

// AnswerWithin is Answer for lists: a body that does not go into one envelope is refused
// (wire.CodeTooLarge). bound is at least the encoded length of the body, so that nothing
// is encoded where the bound decides.
func (c *Context) AnswerWithin(bound int, t wire.MsgType, body any) wire.Reply {
	const room = wire.MaxEnvelope - replyRoom
	if bound > room && len(wire.AppendReply(nil, c.Msg, body)) > room {
		return c.RefuseCode(wire.CodeTooLarge, wire.CategoryQuotaExceeded, "too_large")
	}
	return c.Answer(t, body)
}

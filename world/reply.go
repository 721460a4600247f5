package world

import (
	"fmt"
	"strconv"

	"kingdom/wire"
)

// Refuse returns the reply to a request that a daemon refuses: a structured error on the wire, never a Go error.
// reason is a lower_snake word from docs/WORLD.md; details help the agent to correct the request.
func (c *Context) Refuse(s wire.System, cat wire.Category, reason string, details ...Detail) wire.Reply {
	return c.RefuseCode(wire.ErrorCode(s, cat), cat, reason, details...)
}

// RefuseCode is Refuse with a protocol code (wire.CodeBadBody …).
func (c *Context) RefuseCode(code uint32, cat wire.Category, reason string, details ...Detail) wire.Reply {
	ref := c.Msg
	e := &wire.ErrorBody{RefMsgID: &ref, Code: code, Category: cat.String(), Message: []byte(reason)}
	for _, d := range details {
		e.Context.Set(d.Key, []byte(d.Value))
	}
	return wire.Reply{Ref: c.Msg, Type: wire.TypeError, Err: e}
}

// Detail is one entry of a refusal's context.
type Detail struct{ Key, Value string }

// Field is the detail with the name of the wrong field.
func Field(name string) Detail { return Detail{"field", name} }

// Limit is the detail with the most that is allowed.
func Limit(n uint64) Detail { return number("limit", n) }

// Have is the detail with what is available of something that does not suffice.
func Have(n uint64) Detail { return number("have", n) }

// Need is the detail with the amount that is required.
func Need(n uint64) Detail { return number("need", n) }

// Status is the detail with the present status, which does not fit the request.
func Status(status fmt.Stringer) Detail { return Detail{"status", status.String()} }

// Closed is the context of a refusal by a thing that accepts no more answers.
var Closed = Detail{"status", "CLOSED"}

// Until is the detail with the first tick at which the same request may succeed.
func Until(t wire.Tick) Detail { return number("until", uint64(t)) }

func number(key string, n uint64) Detail { return Detail{key, strconv.FormatUint(n, 10)} }

// UntilCycle is [Until] for the first tick of cycle n.
func (c *Context) UntilCycle(n wire.Cycle) Detail { return Until(c.Rules.Calendar.First(n)) }

// Ack returns an acknowledgement. extra is a pointer to the additional fields of the message's ACK, or nil.
func (c *Context) Ack(extra any) wire.Reply {
	return wire.Reply{Ref: c.Msg, Type: wire.TypeAck, Body: extra}
}

// Answer returns a reply with a typed body of message type t.
func (c *Context) Answer(t wire.MsgType, body any) wire.Reply {
	return wire.Reply{Ref: c.Msg, Type: t, Body: body}
}

// Refusal is the result of a direct call to another daemon that refuses; nil means that it was done.
type Refusal struct {
	Category wire.Category
	Reason   string
	Details  []Detail
}

// Relay turns a sibling's refusal into the reply of daemon s.
func (c *Context) Relay(s wire.System, r *Refusal) wire.Reply {
	return c.Refuse(s, r.Category, r.Reason, r.Details...)
}

package action

import (
	"fmt"
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Reply describes the reply to an action that is carried out: "ACK {bounty_id}".
func (r *Row) Reply() string {
	t, shape := wire.ReplyTo(r.Type)
	switch {
	case t == 0:
		return "–"
	case shape == nil || len(shape.Fields) == 0:
		return t.String()
	}
	return t.String() + " {" + strings.Join(fieldNames(shape), ", ") + "}"
}

// Message is a message that no mind sends: a delivery, a reply, or a request of systems.
type Message struct {
	Type wire.MsgType
	// Summary says what it is for.
	Summary string
	// Shape is the form of its body, nil for one that depends on the request.
	Shape *codec.Shape
}

// Messages returns the messages that are not actions of minds, by code, of the daemons that exist.
func Messages() (out []Message) {
	for _, t := range wire.MsgTypes() {
		row, ok := ByType(t)
		m := Message{Type: t, Summary: replySummaries[t], Shape: wire.MessageShape(t)}
		switch {
		case ok && row.LLM:
			continue
		case ok:
			m.Summary = row.Summary
		case m.Summary == "" && m.Shape == nil:
			continue
		}
		out = append(out, m)
	}
	return out
}

// replySummaries say what the messages are for that have no row because nobody requests by them.
var replySummaries = map[wire.MsgType]string{
	wire.TypePong:          "Answers PING.",
	wire.TypeError:         "Refuses a request, whose state it leaves unchanged.",
	wire.TypeAck:           "Says that a request was carried out; its fields are those of the request's reply.",
	wire.TypeAgentSpawnAck: "Tells a newcomer and its sponsor of the spawn.",
}

// Fields describes the fields of a form in words: "repo_id: id, name: text".
func Fields(s *codec.Shape) string {
	if s == nil {
		return ""
	}
	var out []string
	for _, f := range s.Fields {
		out = append(out, f.Name+": "+FormOf(f.Shape))
	}
	return strings.Join(out, ", ")
}

// String describes the bound: "`name` 1–64 bytes".
func (b *Bound) String() string {
	n := fmt.Sprint(b.Most)
	if b.Least > 0 {
		n = fmt.Sprintf("%d–%d", b.Least, b.Most)
	}
	if b.Unit != Value {
		n += " " + b.Unit.String()
	}
	return "`" + b.Field + "` " + n
}

// String names the unit: bytes, items or value.
func (u Unit) String() string { return [...]string{Bytes: "bytes", Items: "items", Value: "value"}[u] }

// FormOf describes a JSON form in a few words.
func FormOf(s *codec.Shape) string {
	switch s.Kind {
	case codec.ShapeBool:
		return "boolean"
	case codec.ShapeUint, codec.ShapeInt:
		return "integer"
	case codec.ShapeFloat:
		return "number"
	case codec.ShapeText, codec.ShapeBytes:
		return "text"
	case codec.ShapeHash:
		return "id"
	case codec.ShapeAgent:
		return "agent"
	case codec.ShapeEnum:
		return strings.Join(s.Names, " ")
	case codec.ShapeList:
		return "list of " + FormOf(s.Elem)
	case codec.ShapeObject:
		return "text or object"
	case codec.ShapeBlocks:
		return "text or list of blocks"
	case codec.ShapeUnion:
		return "one of " + strings.Join(fieldNames(s), ", ")
	case codec.ShapeTuple:
		return "[" + strings.Join(fieldNames(s), ", ") + "]"
	case codec.ShapeRaw:
		return "object"
	case codec.ShapeBinMap, codec.ShapeTextMap:
		return "object of texts"
	default:
		return "{" + strings.Join(fieldNames(s), ", ") + "}"
	}
}

// fieldNames lists the fields that JSON may hold, optional ones with a question mark.
func fieldNames(s *codec.Shape) []string {
	var names []string
	for _, f := range s.Fields {
		switch {
		case f.Runtime:
		case s.Kind == codec.ShapeStruct && !f.Required:
			names = append(names, f.Name+"?")
		default:
			names = append(names, f.Name)
		}
	}
	return names
}

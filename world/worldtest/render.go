package worldtest

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"kingdom/wire"
)

func lower(s string) string { return strings.ToLower(s) }

// reply renders the answer to a request.
func (s *session) reply(r wire.Reply) string {
	if r.Err != nil {
		out := fmt.Sprintf("ERROR %s %s (0x%04X)", r.Err.Category, r.Err.Message, r.Err.Code)
		for _, x := range r.Err.Context {
			out += fmt.Sprintf(" %s=%s", x.Key, x.Value)
		}
		return out
	}
	return strings.TrimRight(r.Type.String()+" "+s.fields(r.Body), " ")
}

// event renders an event with its index in its seat or boundary.
func (s *session) event(e *wire.Event) string {
	s.meetEvent(e)
	return strings.TrimRight(fmt.Sprintf("  %s [%s] %s", e.Kind, s.names.of(e.Origin), s.fields(e.Payload)), " ")
}

// fields renders the fields of a payload by their wire names. The tick, which is
// known, and hashes of the whole world, which any change changes, are left out.
func (s *session) fields(p any) string {
	v := reflect.ValueOf(p)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return ""
	}
	v = reflect.Indirect(v)
	var out []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("kdom"), ",")
		f := v.Field(i)
		if name == "tick" || name == "world_hash" || f.Kind() == reflect.Pointer && f.IsNil() {
			continue
		}
		out = append(out, name+"="+s.value(f))
	}
	return strings.Join(out, " ")
}

func (s *session) value(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case wire.Hash:
		return s.names.of(x)
	case wire.AgentID:
		return s.names.of(x)
	case *wire.Hash:
		if x == nil {
			return "nil"
		}
		return s.names.of(*x)
	case wire.Signature:
		return "64 bytes"
	case []byte:
		if utf8.Valid(x) && !strings.ContainsFunc(string(x), func(r rune) bool { return r < ' ' || r > '~' && r < 0xA0 }) {
			return fmt.Sprintf("%q", x)
		}
		return fmt.Sprintf("%d bytes", len(x))
	case fmt.Stringer:
		return x.String()
	case string:
		return x
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return s.value(v.Elem())
	case reflect.Slice, reflect.Array:
		var out []string
		for i := range v.Len() {
			out = append(out, s.value(v.Index(i)))
		}
		return "[" + strings.Join(out, " ") + "]"
	case reflect.Struct:
		return "{" + s.fields(v.Interface()) + "}"
	case reflect.Float32, reflect.Float64:
		return fmt.Sprintf("%.4g", v.Float())
	}
	return fmt.Sprint(v.Interface())
}

// meetEvent names what an event brings into the world.
func (s *session) meetEvent(e *wire.Event) {
	n := s.names
	switch p := e.Payload.(type) {
	case *wire.AgentSpawnEvent:
		n.meet("a", p.AgentID)
	case *wire.BountyCreatedEvent:
		n.meet("b", p.BountyID)
	case *wire.MessagePostedEvent:
		n.meet("m", p.MessageID)
	case *wire.ProposalCreatedEvent:
		n.meet("p", p.ProposalID)
	case *wire.EntryPublishedEvent:
		n.meet("e", p.EntryID)
	case *wire.EscrowCreatedEvent:
		n.meet("x", p.EscrowID)
	case *wire.StakeCreatedEvent:
		n.meet("s", p.StakeID)
	case *wire.ChannelCreatedEvent:
		n.meet("c", p.ChannelID)
	case *wire.ReviewRequestedEvent:
		n.meet("r", p.ReviewID)
	case *wire.TransferCompletedEvent:
		n.meet("t", p.TxID)
	case *wire.RepoCreatedEvent:
		if p.Owner == wire.SystemID(wire.SystemVault) {
			n.set("$genesis", p.RepoID)
		}
		n.meet("repo", p.RepoID)
	case *wire.SnapCreatedEvent:
		n.meet("snap", p.SnapID)
	case *wire.MergeCompletedEvent:
		n.meet("snap", p.Result)
	case *wire.ObjectStoredEvent:
		n.meet("o", p.ObjectID)
	case *wire.SandboxCreatedEvent:
		n.meet("box", p.SandboxID)
	case *wire.ServiceCreatedEvent:
		if p.Owner == wire.SystemID(wire.SystemForge) {
			n.set("$starlark", p.ServiceID)
		}
		n.meet("service", p.ServiceID)
	case *wire.LinkCompletedEvent:
		n.meet("o", p.Resolved)
	}
}

// meetReply names what a reply makes known: a hidden entry has no event.
func (s *session) meetReply(r wire.Reply) {
	switch p := r.Body.(type) {
	case *wire.EntryPublishAck:
		s.names.meet("e", p.EntryID)
	case *wire.SnapGetReply:
		s.names.meet("tree", p.Snap.Root)
	case *wire.TagCreateAck:
		s.names.meet("tag", p.TagID)
	}
}

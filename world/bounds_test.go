package world

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/action"
)

// The reason of a refusal says what has exceeded a bound, and its details say which field, by how much.
func TestCheckBounds(t *testing.T) {
	name := func(n int) *wire.ChannelCreate { return &wire.ChannelCreate{Name: bytes.Repeat([]byte("a"), n)} }
	refusal := func(reason string, details ...Detail) *Refusal {
		return &Refusal{Category: wire.CategoryInvalidRequest, Reason: reason, Details: details}
	}
	filter := action.Bounds(wire.TypeMsgQuery)[0].Most // of channels
	many := make([]wire.Hash, filter+1)
	for _, c := range []struct {
		name    string
		request any
		want    *Refusal
	}{
		{"a text of the least length", name(1), nil},
		{"a text of the greatest length", name(action.MaxName), nil},
		{"a text that must not be empty", name(0), refusal("name", Field("name"))},
		{"a long text", name(action.MaxName + 1), refusal("too_long", Field("name"), Limit(action.MaxName), Have(action.MaxName+1))},
		{"a long list", &wire.MsgQuery{Channels: &many}, refusal("too_many", Field("channels"), Limit(uint64(filter)), Have(uint64(filter+1)))},
		{"the greatest number", &wire.MsgQuery{Limit: action.MaxLimit}, nil},
		{"a large number", &wire.MsgQuery{Limit: action.MaxLimit + 1}, refusal("limit", Field("limit"), Limit(action.MaxLimit), Have(action.MaxLimit+1))},
		{"a request without bounds", &wire.TickEvent{}, nil},
	} {
		if d := cmp.Diff(c.want, CheckBounds(c.request)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	for _, have := range []int{0, 7} {
		if r := MaxBytes("text", have, 7); r != nil {
			t.Errorf("%d of 7 bytes are refused: %+v", have, r)
		}
	}
	if r := MaxBytes("text", 8, 7); r == nil || r.Reason != "too_long" {
		t.Errorf("8 of 7 bytes: %+v", r)
	}
}

// The reason is the name of the field without the fields that contain it.
func TestInvalidIf(t *testing.T) {
	if r := InvalidIf(false, "name"); r != nil {
		t.Errorf("a right field is refused: %+v", r)
	}
	for field, reason := range map[string]string{"name": "name", "comments.content": "content", "a.b.c": "c"} {
		want := &Refusal{Category: wire.CategoryInvalidRequest, Reason: reason, Details: []Detail{Field(field)}}
		if d := cmp.Diff(want, InvalidIf(true, field)); d != "" {
			t.Errorf("%s (-want +got):\n%s", field, d)
		}
	}
}

func TestFirstRefusal(t *testing.T) {
	one, two := &Refusal{Reason: "one"}, &Refusal{Reason: "two"}
	if got := FirstRefusal(nil, one, two); got != one {
		t.Errorf("got %+v, want the first", got)
	}
	if got := FirstRefusal(nil, nil); got != nil {
		t.Errorf("got %+v, want none", got)
	}
}

// A refusal by another daemon becomes a reply with its reason and details.
func TestContext_Relay(t *testing.T) {
	c := testContext()
	c.Msg = wire.Hash{5}
	reply := c.Relay(wire.SystemAgora, MaxBytes("text", 8, 7))
	e := reply.Err
	if reply.Ref != c.Msg || reply.Type != wire.TypeError || *e.RefMsgID != c.Msg || string(e.Message) != "too_long" || e.Code != wire.ErrorCode(wire.SystemAgora, wire.CategoryInvalidRequest) {
		t.Errorf("reply %+v, %+v", reply, e)
	}
	for key, want := range map[string]string{"field": "text", "limit": "7", "have": "8"} {
		if got, _ := e.Context.Get(key); string(got) != want {
			t.Errorf("context has %q as %s, want %s", got, key, want)
		}
	}
}

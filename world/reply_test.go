package world

import (
	"testing"

	"kingdom/wire"
)

// TestAnswerWithin: the longest body that a frame can hold passes, one byte more is
// refused; a bound that fits decides alone.
func TestAnswerWithin(t *testing.T) {
	c := testContext()
	message := func(n int) *wire.MsgQueryReply {
		return &wire.MsgQueryReply{Messages: []wire.Message{{Kind: wire.MessageKindQuestion, Content: make([]byte, n)}}}
	}
	content := 1 << 19
	room := wire.MaxEnvelope - replyRoom
	most := content + room - len(wire.AppendReply(nil, wire.Hash{}, message(content)))
	for _, tc := range []struct {
		name    string
		content int
		bound   int
		refused bool
	}{
		{"small", 10, 400, false},
		{"a careless bound", 10, 1 << 30, false},
		{"the most", most, most + 400, false},
		{"one more", most + 1, most + 400, true},
		{"not encoded", most + 1, room, false},
	} {
		r := c.AnswerWithin(tc.bound, wire.TypeMsgQuery, message(tc.content))
		if refused := r.Err != nil; refused != tc.refused {
			t.Errorf("%s: refused %t, want %t", tc.name, refused, tc.refused)
		}
		if r.Err != nil && (r.Err.Code != wire.CodeTooLarge || string(r.Err.Message) != "too_large") {
			t.Errorf("%s: %+v", tc.name, r.Err)
		}
	}
	// A frame holds the most, and would panic on more than this package allows for.
	wire.NewEnvelope(wire.TypeMsgQuery, wire.AgentID{}, wire.AgentID{}, 0, wire.AppendReply(nil, wire.Hash{}, message(most)))
}

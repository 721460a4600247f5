package ooda

import (
	"strings"
	"testing"

	"kingdom/wire"
)

// A message that a query left out because of its length says how to get it, in the mind's last reading. One that is
// only empty does not.
func TestReadings_CutMessageSaysHowToGetIt(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(`{"action":"msg_query","params":{}}`, wire.Reply{Type: wire.TypeMsgQuery, Body: &wire.MsgQueryReply{
		Messages: []wire.Message{
			{ID: wire.Hash{1}, Tick: 300, Author: peerA, Kind: wire.MessageKindQuestion, Content: []byte{}},
			{ID: wire.Hash{2}, Tick: 301, Author: peerB, Kind: wire.MessageKindQuestion, Content: []byte{}},
		},
		Cut: []wire.Hash{{2}},
	}})
	shown := s.a.Memory.Readings
	last := shown[len(shown)-1].Messages
	if len(last) != 2 || len(last[0].Text) != 0 || !strings.Contains(string(last[1].Text), "limit 1") {
		t.Errorf("%+v", last)
	}
}

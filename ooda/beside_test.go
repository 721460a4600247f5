package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// An answer that does not state what was asked does not count: the question stays open, what its asker would pay for it
// is still wanted, and further answers of the same author keep nobody from answering.
func TestAnswer_ThatDoesNotAnswerTheQuestionIsIgnored(t *testing.T) {
	subject, junk := []byte("#help"), wire.AgentID{5}
	asked := memory.MeasureChannel.Question(subject)
	stated := memory.Stated(memory.MeasureChannel, string(subject), 1, 4, 1)
	right := stated.Statement()
	for _, c := range []struct {
		name, words string
		answers     uint8 // after it was read
		then        uint8 // after another by the same author
		met         memory.Answers
		served      uint32
	}{
		{"beside the point", "It is as everybody says, 7.", 0, 0, memory.AnswersNone, 0},
		{"to the point", right, 1, 2, memory.AnswersRead, 1},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates = uint8(action.ProfileOpen)
		post := `{"action":"msg_post","params":{"channel":"` + channelHelp.String() + `","kind":"QUESTION","content":{"text":"` + asked + `"},"references":[],"confidence":0.5},"reasoning":"x"}`
		s.slot(post, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{question256}}})
		heard := func(id byte) *wire.Event {
			return event(wire.KindMessagePosted, s.next, junk, &wire.MessagePostedEvent{
				MessageID: wire.Hash{id}, ChannelID: channelHelp, Author: junk, Kind: wire.MessageKindAnswer, Reference: &wire.Hash{question256},
			})
		}
		look := `{"action":"msg_query","params":{"channels":["` + channelHelp.String() + `"],"sort":"RECENT","limit":10},"reasoning":"x"}`
		s.slot(look, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{{
			ID: wire.Hash{0x21}, Channel: channelHelp, Author: junk, Tick: 260, Kind: wire.MessageKindAnswer, Content: textContent(c.words), References: []wire.Hash{{question256}},
		}}}}, heard(0x21))
		q := s.a.Notebook.Message(wire.Hash{question256})
		if q.Answers != c.answers {
			t.Errorf("%s: %d answers were counted, want %d", c.name, q.Answers, c.answers)
		}
		s.ask(heard(0x22))
		if q = s.a.Notebook.Message(wire.Hash{question256}); q.Answers != c.then {
			t.Errorf("%s: %d answers after another, want %d", c.name, q.Answers, c.then)
		}
		m := &s.a.Memory.Market
		met := memory.AnswersRead // a want that is met is gone
		for i := range m.Wants {
			if m.Wants[i].Subject == (wire.Hash{question256}) {
				met = m.Wants[i].Answers
			}
		}
		if p := s.a.Memory.Peers.Get(junk); met != c.met || p == nil || p.Served != c.served {
			t.Errorf("%s: answers %d, want %d; the author %+v", c.name, met, c.met, p)
		}
	}
}

package adversary

import "kingdom/wire"

// answerJunk answers what is asked in #help before anybody else does, without a look at the
// question: the first answer is thanked for, and three make others think that enough was said.
func answerJunk(s *slot) (move, bool) {
	asked := s.noteIDs("asked")
	if len(asked) == 0 {
		return move{}, false
	}
	s.remember("asked", "")
	for _, id := range asked[1:] {
		s.addNoteID("asked", id)
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("help"), Kind: wire.MessageKindAnswer, Content: wire.TextContent("It is as everybody says. " + s.name("a")), References: asked[:1], Confidence: 1,
	}, "answers what it has not read"}, true
}

// hearQuestion notes what strangers ask.
func hearQuestion(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.MessagePostedEvent); ok && x.Kind == wire.MessageKindQuestion && s.stranger(x.Author) && x.ChannelID == wire.ChannelID("help") {
		s.addNoteID("asked", x.MessageID)
	}
}

package adversary

import "kingdom/wire"

// answerJunk answers questions in #help before anybody else does, without reading them: the asker thanks for the first
// answer, and after three answers others leave the question alone.
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
		Channel: wire.ChannelID("help"), Kind: wire.MessageKindAnswer, Content: wire.TextContent("It is as everybody says. " + s.uniqueWord("a")), References: asked[:1], Confidence: 1,
	}, "answers what it has not read"}, true
}

// noteQuestion notes what strangers ask.
func noteQuestion(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.MessagePostedEvent); ok && x.Kind == wire.MessageKindQuestion && s.stranger(x.Author) && x.ChannelID == wire.ChannelID("help") {
		s.addNoteID("asked", x.MessageID)
	}
}

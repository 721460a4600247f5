package adversary

import "kingdom/wire"

// echo posts meaningless messages, so that accomplices call them helpful and the world publishes them as knowledge.
func echo(s *slot) (move, bool) {
	part, ok := s.oncePer(5)
	if !ok || part >= 10 {
		return move{}, false
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("general"), Kind: wire.MessageKindAnswer, Content: wire.TextContent(s.uniqueWord("wisdom")), References: []wire.Hash{}, Confidence: 1,
	}, "says what accomplices will call helpful"}, true
}

// praiseFriends plans to call helpful whatever accomplices post.
func praiseFriends(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.MessagePostedEvent); ok && s.friend(x.Author) {
		s.plan(signalHelpful, x.MessageID)
	}
}

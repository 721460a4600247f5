package adversary

import "kingdom/wire"

// echo posts whatever comes to its mind, so that accomplices call it helpful and the world publishes
// it as knowledge.
func echo(s *slot) (move, bool) {
	part, ok := s.every(5)
	if !ok || part >= 10 {
		return move{}, false
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("general"), Kind: wire.MessageKindAnswer, Content: wire.TextContent(s.name("wisdom")), References: []wire.Hash{}, Confidence: 1,
	}, "says what accomplices will call helpful"}, true
}

// hearEcho praises whatever accomplices say.
func hearEcho(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.MessagePostedEvent); ok && s.friend(x.Author) {
		s.plan(laud, x.MessageID)
	}
}

package adversary

import (
	"slices"

	"kingdom/wire"
)

// namesEverybody names, in every message that it may post, all agents that it has heard of, so that nobody sleeps or rests:
// being awake costs money, thoughts and time.
func namesEverybody(s *slot) (move, bool) {
	known := s.noteIDs("known")
	part, ok := s.oncePer(6)
	if !ok || part >= 10 || len(known) == 0 {
		return move{}, false
	}
	text := s.uniqueWord("alarm")
	for _, id := range known {
		text += " " + wire.AgentID(id).Alias()
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Content: wire.TextContent(text), References: known, Confidence: 1,
	}, "names everybody"}, true
}

// noteAgent notes the stranger from whom an event comes.
func noteAgent(s *slot, e *wire.Event) {
	if id := wire.Hash(e.Origin); s.stranger(e.Origin) && !slices.Contains(s.noteIDs("known"), id) {
		s.addNoteID("known", id)
	}
}

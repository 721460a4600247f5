package adversary

import "kingdom/wire"

// dodgeUpkeep falls asleep in the last slots of a cycle, which takes ten idle ones, and names its
// accomplices in a message, which wakes who trusts it: it wants to live without being there when a
// cycle ends.
func dodgeUpkeep(s *slot) (move, bool) {
	if s.SlotsLeft <= wire.NOPDormant+1 {
		return move{"nop", nil, "falls asleep before the cycle ends"}, true
	}
	part, ok := s.oncePer(8)
	switch {
	case !ok:
		return move{}, false
	case part == 0:
		text := s.uniqueWord("awake")
		for _, a := range s.friends() {
			text += " " + a.Alias()
		}
		return move{"msg_post", &wire.MsgPost{
			Channel: wire.ChannelID("general"), Kind: wire.MessageKindStatement, Content: wire.TextContent(text), References: []wire.Hash{}, Confidence: 1,
		}, "wakes its accomplices"}, true
	}
	return s.entry("dodge", nil, "publishes for accomplices to vouch for"), true
}

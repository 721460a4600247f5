package adversary

import (
	"strings"

	"kingdom/wire"
)

// filler is text of n bytes that begins with a word nobody has used.
func (s *slot) filler(n int) string {
	head := s.uniqueWord("flood")
	return head + strings.Repeat(" flood", max(0, n-len(head))/len(" flood"))
}

// bombQueries publishes one entry and one message of nearly the longest form a cycle, and asks
// the queries that give most work and the longest answers.
func bombQueries(s *slot) (move, bool) {
	part, ok := s.oncePer(8)
	switch {
	case ok && part == 0:
		m := s.entry("bomb", nil, "makes answers long")
		m.payload.(*wire.EntryPublish).Entry.Body = wire.TextBody(s.filler(120_000))
		return m, true
	case ok && part == 1:
		return s.post("general", 60_000), true
	}
	if s.Slot%2 == 0 {
		about := []byte(s.filler(1_000))
		return move{"entry_query", &wire.EntryQuery{About: &about, Sort: wire.OracleSortRelevant, Limit: 100}, "asks for everything"}, true
	}
	match := []byte("flood flood flood flood!")
	return move{"msg_query", &wire.MsgQuery{TextMatch: &match, Sort: wire.AgoraSortRelevant, Limit: 100}, "asks for what nobody wrote"}, true
}

// post fills a channel.
func (s *slot) post(channel string, bytes int) move {
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID(channel), Kind: wire.MessageKindStatement, Content: wire.TextContent(s.filler(bytes)), Confidence: 1,
	}, "fills a channel"}
}

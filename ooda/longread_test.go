package ooda

import (
	"strings"
	"testing"

	"kingdom/wire"
)

// Who reads a long entry again, at once, is shown how it goes on; it used to see the beginning each time.
func TestReading_GoesOnWhereALongEntryWasCut(t *testing.T) {
	s := newSolo(t, genomes[0])
	text := strings.Repeat("a", textRoom-1) + "ä" + strings.Repeat("b", textRoom) + strings.Repeat("c", 9)
	body := wire.TextBody(text)
	text += "\n" // after each paragraph
	var entry wire.Hash
	for i := range entry {
		entry[i] = 0xab // that of getEntry
	}
	read := func() string {
		s.slot(getEntry, wire.Reply{Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: wire.OracleEntry{ID: entry, Author: peerA, Body: body}}})
		return string(s.a.Memory.Readings.ByExperience(s.a.Memory.Experiences.Recent(0).ID).Entries[0].Text)
	}
	parts := []string{read(), read(), read(), read()}
	for i, want := range []string{text[:2048], text[textRoom-1:], text[2*textRoom:], text[:2048]} { // the second begins with the character that was cut off
		if parts[i] != want {
			t.Errorf("part %d has %d bytes and begins with %.20q; want %d, %.20q", i+1, len(parts[i]), parts[i], len(want), want)
		}
	}
	s.slot(idle, wire.Reply{})
	s.slot(`{"action":"balance_query","params":{"agent_id":"`+s.a.ID.String()+`"}}`, ack)
	if got := read(); got != text[:2048] {
		t.Errorf("after another act it goes on with %.20q", got)
	}
}

package memory

import (
	"bytes"
	"strings"
	"testing"

	"kingdom/wire"
)

func messages(n int, text string) []ReadMessage {
	out := make([]ReadMessage, n)
	for i := range out {
		out[i] = ReadMessage{ID: wire.Hash{byte(i + 1)}, Kind: wire.MessageKindAnswer, Text: []byte(text)}
	}
	return out
}

// TestReadings_AreBounded: looks, things of a look, things of all looks, and texts.
func TestReadings_AreBounded(t *testing.T) {
	var l Readings
	for i := range 20 {
		l.Add(Reading{Experience: uint64(i + 1)})
	}
	if len(l) != ReadingsMax || l[0].Experience != 13 || l.ByExperience(20) == nil || l.ByExperience(12) != nil {
		t.Errorf("%d looks are kept, the oldest is %d", len(l), l[0].Experience)
	}
	l = nil
	l.Add(Reading{Experience: 1, Shown: 14, Messages: messages(14, "short")})
	if got := l[0]; got.Items() != ReadingItems || got.Shown != 14 {
		t.Errorf("%d things of %d are kept", got.Items(), got.Shown)
	}
	for i := range 4 {
		l.Add(Reading{Experience: uint64(i + 2), Messages: messages(10, "short")})
	}
	if len(l) != 3 || l[0].Experience != 3 {
		t.Errorf("%d looks of ten things are kept, want the newest 3", len(l))
	}
	l = nil
	for i := range 4 {
		l.Add(Reading{Experience: uint64(i + 1), Messages: messages(10, strings.Repeat("word ", 100))})
	}
	if n := l[len(l)-1].text(); n > ReadingText || n < ReadingText-10*4 {
		t.Errorf("%d bytes of the newest look are kept, want nearly %d", n, ReadingText)
	}
	if len(l) != 2 {
		t.Errorf("%d looks full of text are kept, want 2", len(l))
	}
}

// TestReading_TextsShareTheRoom: what a short text leaves goes to the others; no rune is
// split; the texts share no memory with the reply.
func TestReading_TextsShareTheRoom(t *testing.T) {
	reply := []byte(strings.Repeat("é", ReadingText))
	var l Readings
	l.Add(Reading{Messages: []ReadMessage{{Text: []byte("hi")}, {Text: reply}}, Refusal: strings.Repeat("x", 200)})
	first, second := l[0].Messages[0].Text, l[0].Messages[1].Text
	if string(first) != "hi" || len(second) != ReadingText-2 {
		t.Errorf("%d and %d bytes are kept", len(first), len(second))
	}
	if len(l[0].Refusal) != refusalText {
		t.Errorf("%d bytes of the refusal are kept", len(l[0].Refusal))
	}
	kept := bytes.Clone(second)
	for i := range reply {
		reply[i] = 0
	}
	if !bytes.Equal(second, kept) {
		t.Error("a text changed with the reply")
	}
}

func TestEffects_FollowTheNewest(t *testing.T) {
	var l Effects
	if l.Last() != nil || l.ByObject(wire.Hash{}) != nil {
		t.Error("there are effects before the first act")
	}
	for i := range EffectsMax + 5 {
		l.Add(Effect{Experience: uint64(i + 1), Object: wire.Hash{byte(i % 7)}})
	}
	if len(l) != EffectsMax || l.ByExperience(5) != nil || l.ByExperience(6) == nil {
		t.Errorf("%d effects are kept", len(l))
	}
	if l.ByObject(wire.Hash{}) != nil {
		t.Error("an act that made nothing made the zero hash")
	}
	if e := l.ByObject(wire.Hash{1}); e == nil || e.Experience != 37 {
		t.Errorf("the newest act that made it: %+v", e)
	}
}

func TestReasonings_KeepTheNewest(t *testing.T) {
	var l Reasonings
	l.Add(Reasoning{Experience: 9})
	if l.Last() != nil {
		t.Error("no reasoning at all was kept as one")
	}
	for i := range 6 {
		l.Add(Reasoning{Experience: uint64(i), Text: strings.Repeat("r", 600)})
	}
	if len(l) != ReasoningsMax || l.ByExperience(1) != nil || l.ByExperience(5) != l.Last() || len(l.Last().Text) != ReasoningText {
		t.Errorf("kept %d, the last with %d bytes", len(l), len(l.Last().Text))
	}
}

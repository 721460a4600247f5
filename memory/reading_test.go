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
	l.Add(Reading{Experience: 1, Messages: messages(14, "short")})
	if got := l[0]; got.Items() != ReadingItems {
		t.Errorf("%d things of 14 are kept", got.Items())
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

// Room that a short text leaves goes to the others, no rune is split, and the texts share no memory with the reply.
func TestReading_TextsShareTheByteLimit(t *testing.T) {
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

func TestEffects_KeepTheNewest(t *testing.T) {
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

// TestReading_EverySortOfThingIsBounded: of each sort ten things are kept, titles to 128 bytes, and all words of a look
// share 2,048 bytes that do not belong to the reply.
func TestReading_EverySortOfThingIsBounded(t *testing.T) {
	const many = ReadingItems + 1
	r := Reading{
		Entries: make([]ReadEntry, many), Agents: make([]ReadAgent, many), Accounts: make([]ReadAccount, many),
		Citations: make([]ReadCitation, many), Things: make([]ReadThing, many), Messages: make([]ReadMessage, many),
	}
	var reply [][]byte // what it consists of
	long := func() []byte {
		reply = append(reply, bytes.Repeat([]byte("w"), 3*ReadingText))
		return reply[len(reply)-1]
	}
	for i := range many {
		r.Entries[i].Title, r.Entries[i].Text, r.Messages[i].Text, r.Things[i].Text = long(), long(), long(), long()
		r.Things[i].What = strings.Repeat("file ", 100)
	}
	var l Readings
	l.Add(r)
	got := l[0]
	for name, n := range map[string]int{
		"messages": len(got.Messages), "entries": len(got.Entries), "agents": len(got.Agents), "accounts": len(got.Accounts),
		"citations": len(got.Citations), "things": len(got.Things),
	} {
		if n != ReadingItems {
			t.Errorf("%d %s are kept, want %d", n, name, ReadingItems)
		}
	}
	if got.Items() != 6*ReadingItems {
		t.Errorf("%d things of all sorts", got.Items())
	}
	words := 0
	for i := range ReadingItems {
		e, m, x := &got.Entries[i], &got.Messages[i], &got.Things[i]
		for _, b := range [][]byte{e.Title, e.Text, m.Text, x.Text} { // 40 texts share 2,048 bytes
			if words += len(b); len(b) != 51 && len(b) != 52 {
				t.Errorf("a text of %d bytes, want an equal share", len(b))
			}
		}
		if len(x.What) != 128 {
			t.Errorf("%d bytes of a name", len(x.What))
		}
	}
	if words != ReadingText || got.text() != ReadingText+10*128 {
		t.Errorf("%d bytes of text, %d with names", words, got.text())
	}
	for _, b := range reply { // it is used again
		clear(b)
	}
	if again := l[0].text(); again != ReadingText+10*128 || bytes.IndexByte(l[0].Entries[0].Text, 0) >= 0 {
		t.Error("a text changed with the reply")
	}
}

// A title has 128 bytes at most; room that it does not need goes to the text.
func TestReading_TitleIsCutAt128Bytes(t *testing.T) {
	var l Readings
	l.Add(Reading{Entries: []ReadEntry{{Title: bytes.Repeat([]byte("t"), 500), Text: bytes.Repeat([]byte("x"), 5000)}}})
	if e := l[0].Entries[0]; len(e.Title) != 128 || len(e.Text) != ReadingText-128 {
		t.Errorf("%d bytes of the title and %d of the text", len(e.Title), len(e.Text))
	}
}

// TestReadings_KeepAsMuchAsThereIsRoom: of several looks up to 32 things and 4,096 bytes of text are kept, and always the
// newest look.
func TestReadings_KeepAsMuchAsThereIsRoom(t *testing.T) {
	look := func(id uint64, items, text int) Reading {
		r := Reading{Experience: id, Messages: messages(items, "")}
		if items > 0 {
			r.Messages[0].Text = bytes.Repeat([]byte("x"), text)
		}
		return r
	}
	for _, c := range []struct {
		name  string
		looks []Reading
		want  int
	}{
		{"eight small ones", []Reading{look(1, 0, 0), look(2, 0, 0), look(3, 0, 0), look(4, 0, 0), look(5, 0, 0), look(6, 0, 0), look(7, 0, 0), look(8, 0, 0)}, 8},
		{"one more", []Reading{look(1, 0, 0), look(2, 0, 0), look(3, 0, 0), look(4, 0, 0), look(5, 0, 0), look(6, 0, 0), look(7, 0, 0), look(8, 0, 0), look(9, 0, 0)}, 8},
		{"thirty-two things", []Reading{look(1, 8, 0), look(2, 8, 0), look(3, 8, 0), look(4, 8, 0)}, 4},
		{"thirty-three", []Reading{look(1, 9, 0), look(2, 8, 0), look(3, 8, 0), look(4, 8, 0)}, 3},
		{"4,096 bytes", []Reading{look(1, 1, 2048), look(2, 1, 2048)}, 2},
		{"4,097 bytes", []Reading{look(1, 1, 1), look(2, 1, 2048), look(3, 1, 2048)}, 2},
	} {
		var l Readings
		for _, r := range c.looks {
			l.Add(r)
		}
		if newest := c.looks[len(c.looks)-1].Experience; len(l) != c.want || l[len(l)-1].Experience != newest || l.ByExperience(l[0].Experience) != &l[0] {
			t.Errorf("%s: %d looks, want %d, up to look %d", c.name, len(l), c.want, newest)
		}
	}
}

// TestCutLength: a text is cut before a rune that does not fit whole.
func TestCutLength(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want int
	}{{"word", 4, 4}, {"word", 3, 3}, {"aé", 2, 1}, {"aé", 3, 3}, {"é", 1, 0}, {"€uro", 2, 0}, {"€uro", 3, 3}, {"", 0, 0}} {
		if got := cutLength(c.text, c.n); got != c.want {
			t.Errorf("%q to %d bytes: %d, want %d", c.text, c.n, got, c.want)
		}
		if got := cutText(c.text, c.n); got != c.text[:c.want] {
			t.Errorf("%q to %d bytes: %q", c.text, c.n, got)
		}
	}
}

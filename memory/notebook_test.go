package memory

import (
	"testing"

	"kingdom/wire"
)

func TestNotebook_IsBounded(t *testing.T) {
	var l Notebook
	for i := range 300 {
		id := wire.Hash{byte(i >> 8), byte(i)}
		l.SeeEntry(EntryNote{ID: id, Kind: wire.EntryKindFAQ, Own: i%2 == 0})
		l.SeeMessage(MessageNote{ID: id, Kind: wire.MessageKindStatement})
		l.SeePeer(peerID(i), 0.5, wire.Tick(i))
		l.Claim(id, peerID(i))
		l.Release(id)
	}
	got := [...]int{len(l.Entries), len(l.Messages), len(l.Peers), len(l.Claims), len(l.Releases)}
	want := [...]int{NotebookEntries, NotebookMessages, NotebookPeers, NotebookClaims, NotebookReleases}
	if got != want {
		t.Errorf("holds %v, want %v", got, want)
	}
	if n := len(Clip(make([]byte, 1000))); n != NotebookText {
		t.Errorf("a text is cut to %d bytes", n)
	}
}

func TestNotebook_WhatIsDoneGoesFirst(t *testing.T) {
	var l Notebook
	for i := range NotebookEntries {
		l.SeeEntry(EntryNote{ID: wire.Hash{byte(i)}, Judged: i == 7})
		l.SeeMessage(MessageNote{ID: wire.Hash{byte(i)}, Signed: i == 9})
	}
	l.SeeEntry(EntryNote{ID: wire.Hash{200}})
	l.SeeMessage(MessageNote{ID: wire.Hash{200}})
	if l.Entry(wire.Hash{7}) != nil || l.Entry(wire.Hash{0}) == nil {
		t.Error("the judged entry is still noted")
	}
	if l.Message(wire.Hash{9}) != nil || l.Message(wire.Hash{0}) == nil {
		t.Error("the signed message is still noted")
	}
	if l.SeeEntry(EntryNote{ID: wire.Hash{5}, Own: true}).Own {
		t.Error("a known entry was noted anew")
	}
}

package memory

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

func TestNotebook_ForgetsWhatIsDoneFirst(t *testing.T) {
	var n Notebook
	for i := range byte(notebookEntries) {
		n.SeeEntry(EntryNote{ID: wire.Hash{i}, At: wire.Tick(i), Judged: i == 5 || i == 9})
	}
	n.SeeEntry(EntryNote{ID: wire.Hash{200}, At: 200})
	if n.Entry(wire.Hash{5}) != nil || n.Entry(wire.Hash{0}) == nil || n.Closed != 5 {
		t.Errorf("the oldest judged entry stayed; closed up to %d", n.Closed)
	}
	n.SeeEntry(EntryNote{ID: wire.Hash{201}})
	n.SeeEntry(EntryNote{ID: wire.Hash{202}})
	if n.Entry(wire.Hash{9}) != nil || n.Entry(wire.Hash{0}) != nil || len(n.Entries) != notebookEntries {
		t.Errorf("%d entries", len(n.Entries))
	}
	for i := range byte(NotebookMessages + 1) {
		n.SeeMessage(MessageNote{ID: wire.Hash{i}, At: wire.Tick(i), Signed: i == 7})
	}
	if n.Message(wire.Hash{7}) != nil || n.Message(wire.Hash{0}) == nil || n.Forgot != 7 || len(n.Messages) != NotebookMessages {
		t.Errorf("%d messages, forgot up to %d", len(n.Messages), n.Forgot)
	}
}

// What was judged just now may be needed for the review of a bounty.
func TestNotebook_KeepsWhatWasJudgedJustNow(t *testing.T) {
	for _, c := range []struct{ judged, dropped byte }{{notebookEntries/2 - 1, notebookEntries/2 - 1}, {notebookEntries / 2, 0}} {
		var n Notebook
		for i := range byte(notebookEntries) {
			n.SeeEntry(EntryNote{ID: wire.Hash{i}, Author: wire.AgentID{i}, Judged: i == c.judged})
		}
		n.SeeEntry(EntryNote{ID: wire.Hash{200}})
		if n.Entry(wire.Hash{c.dropped}) != nil {
			t.Errorf("of %d the entry %d was judged: %d is still noted", notebookEntries, c.judged, c.dropped)
		}
	}
}

func TestNotebook_KeepsAQuarterForOwnEntries(t *testing.T) {
	var n Notebook
	for i := range byte(200) {
		n.SeeEntry(EntryNote{ID: wire.Hash{i}, Own: i%2 == 0, Judged: true})
	}
	own := 0
	for i := range n.Entries {
		if n.Entries[i].Own {
			own++
		}
	}
	if own != notebookEntries/4 || n.Entry(wire.Hash{198}) == nil || n.Entry(wire.Hash{0}) != nil {
		t.Errorf("%d own entries of %d", own, len(n.Entries))
	}
}

func TestNotebook_SeeingAgainReturnsTheSameNote(t *testing.T) {
	var n Notebook
	n.SeeMessage(MessageNote{ID: wire.Hash{1}}).Read = true
	if again := n.SeeMessage(MessageNote{ID: wire.Hash{1}}); !again.Read || len(n.Messages) != 1 {
		t.Error("a known message was noted anew")
	}
	n.Claim(wire.Hash{1}, wire.AgentID{1}, 1)
	n.Claim(wire.Hash{1}, wire.AgentID{2}, 1)
	if who, ok := n.Claimer(wire.Hash{1}); !ok || who != (wire.AgentID{2}) || len(n.Claims) != 1 {
		t.Errorf("claimer %v of %d claims", who, len(n.Claims))
	}
	for i := range byte(2 * notebookPeers) {
		n.SeePeer(wire.AgentID{i}, 0.5, wire.Tick(i))
	}
	if len(n.Peers) != notebookPeers || n.Peer(wire.AgentID{0}) != nil || n.Peer(wire.AgentID{2*notebookPeers - 1}) == nil {
		t.Errorf("%d peers", len(n.Peers))
	}
	n.Release(wire.Hash{1})
	n.Release(wire.Hash{1})
	n.Released(wire.Hash{1})
	if len(n.Releases) != 0 {
		t.Errorf("%d releases", len(n.Releases))
	}
}

// After any number of messages the notebook holds what a plain list holds that drops its oldest signed message, or its
// oldest.
func TestNotebook_MessagesEqualAPlainList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := &Notebook{}
		var plain []MessageNote
		for i := range rapid.IntRange(0, 200).Draw(t, "messages") {
			m := MessageNote{ID: wire.Hash{byte(i), byte(i >> 8)}, At: wire.Tick(i), Text: []byte{byte(i)}}
			if len(plain) == NotebookMessages {
				old := max(0, slices.IndexFunc(plain, func(m MessageNote) bool { return m.Signed }))
				plain = slices.Delete(plain, old, old+1)
			}
			plain = append(plain, m)
			if p := n.SeeMessage(m); p.ID != m.ID || n.Message(m.ID) != p {
				t.Fatalf("message %d is not the newest", i)
			}
			if rapid.IntRange(0, 3).Draw(t, "sign") == 0 {
				k := rapid.IntRange(0, len(plain)-1).Draw(t, "which")
				plain[k].Signed = true
				n.Message(plain[k].ID).Signed = true
			}
			if rapid.IntRange(0, 99).Draw(t, "resume") == 0 {
				n = &Notebook{Notes: n.Notes}
			}
			if !reflect.DeepEqual(n.Messages, plain) {
				t.Fatalf("after %d messages the %d noted are not the %d of the list", i, len(n.Messages), len(plain))
			}
		}
	})
}

func TestNotebook_UnclaimForgetsTheClaim(t *testing.T) {
	var n Notebook
	n.Claim(wire.Hash{1}, wire.AgentID{1}, 1)
	n.Unclaim(wire.Hash{1})
	if _, ok := n.Claimer(wire.Hash{1}); ok {
		t.Error("the claim is still noted")
	}
}

func TestEntryNote_AgreeIsVerdictsMinusDisputed(t *testing.T) {
	for _, c := range []struct{ all, disputed, want uint8 }{{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {3, 1, 2}, {4, 3, 3}, {0, 1, 1}} {
		if n := (EntryNote{Verdicts: c.all, Disputed: c.disputed}); n.Agree() != c.want {
			t.Errorf("of %d verdicts, %d of them against: %d agree, want %d", c.all, c.disputed, n.Agree(), c.want)
		}
	}
}

// An author of many entries that nobody judges does not fill the notebook: entries that the agent judged stay, and so
// do the unjudged entries of others.
func TestNotebook_OneAuthorCannotFillIt(t *testing.T) {
	var n Notebook
	judged := func(i byte) EntryNote {
		return EntryNote{ID: wire.Hash{1, i}, Author: wire.AgentID{i % 3}, At: wire.Tick(i), Judged: true}
	}
	for i := range byte(12) {
		n.SeeEntry(judged(i))
	}
	n.SeeEntry(EntryNote{ID: wire.Hash{2}, Author: wire.AgentID{5}, At: 100})
	for i := range byte(200) {
		n.SeeEntry(EntryNote{ID: wire.Hash{3, i}, Author: wire.AgentID{9}, At: 200 + wire.Tick(i)})
	}
	for i := range byte(12) {
		if n.Entry(wire.Hash{1, i}) == nil {
			t.Errorf("judged entry %d is forgotten", i)
		}
	}
	if n.Entry(wire.Hash{2}) == nil || n.Entry(wire.Hash{3, 199}) == nil || n.Entry(wire.Hash{3, 100}) != nil || len(n.Entries) != notebookEntries {
		t.Errorf("%d entries", len(n.Entries))
	}
}

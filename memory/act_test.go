package memory

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// The window keeps acts packed; what it gives back must be the very bytes, whichever of the
// parts are there and however many words there are.
func TestExperiences_PackedActsComeBackByteForByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := func(name string) *wire.Hash {
			if !rapid.Bool().Draw(t, name) {
				return nil
			}
			return &wire.Hash{rapid.Byte().Draw(t, name+" byte")}
		}
		x := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
		y := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
		var want [][]byte
		for i := range rapid.IntRange(1, 700).Draw(t, "n") {
			at, raw := wire.Tick(i), []byte(nil)
			if rapid.IntRange(0, 9).Draw(t, "no act") > 0 {
				a := &Act{
					Action: rapid.StringN(0, 3, -1).Draw(t, "action"), GoalKind: "k", Domain: "D", SubjectKind: "s",
					Goal: hash("goal"), Subject: hash("subject"), Envelope: hash("envelope"),
				}
				raw = AppendAct(nil, a)
				x.AddAct(at, a, OutcomeSuccess, nil)
			} else {
				raw = rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "bytes")
				x.Add(Experience{Tick: at, Action: raw, Outcome: OutcomeSuccess})
			}
			y.Add(Experience{Tick: at, Action: raw, Outcome: OutcomeSuccess})
			want = append(want, raw)
		}
		if x.Digest() != y.Digest() {
			t.Fatal("an act added as such and as bytes give different digests")
		}
		for i := range x.Len() {
			if got := x.At(i).Action; !bytes.Equal(got, want[len(want)-x.Len()+i]) {
				t.Fatalf("act %d came back as %x", i, got)
			}
		}
		rows := x.Changed()
		for i := range rows {
			if !bytes.Equal(rows[i].Action, want[i]) {
				t.Fatalf("row %d is stored as %x", i, rows[i].Action)
			}
		}
	})
}

// Beyond 256 different words acts are kept as bytes.
func TestExperiences_Beyond256WordsKeepBytes(t *testing.T) {
	x := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
	for i := range 300 {
		a := &Act{Action: string(rune('A' + i)), GoalKind: "k", Domain: "D", SubjectKind: "s"}
		x.AddAct(wire.Tick(i), a, OutcomeSuccess, nil)
		if got := x.Recent(0).Action; !bytes.Equal(got, AppendAct(nil, a)) {
			t.Fatalf("act %d came back as %x", i, got)
		}
	}
}

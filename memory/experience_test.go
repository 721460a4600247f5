package memory

import (
	"testing"

	"kingdom/wire"
)

func TestExperiences_WindowAndTotal(t *testing.T) {
	x := New(&Book{SpawnIndex: 3}, DefaultLimits).Experiences
	const n = ExperienceWindow + 100
	for i := range n {
		id := x.Add(Experience{Tick: wire.Tick(i), Outcome: OutcomeSuccess, Lesson: []byte("l")})
		if id != 3<<32|uint64(i+1) {
			t.Fatalf("row id %x", id)
		}
	}
	if x.Len() != ExperienceWindow || x.Total() != n || x.At(0).Tick != 100 || x.Recent(0).Tick != n-1 || x.Recent(ExperienceWindow) != nil {
		t.Errorf("len %d, total %d, oldest %d, newest %d", x.Len(), x.Total(), x.At(0).Tick, x.Recent(0).Tick)
	}
	rows := x.Changed()
	if len(rows) != n {
		t.Fatalf("%d rows to write, want all %d", len(rows), n)
	}
	for i := 1; i < n; i++ {
		if rows[i].ID <= rows[i-1].ID {
			t.Fatal("rows not by id")
		}
	}
}

func TestExperiences_ResolveRewritesTheRow(t *testing.T) {
	x := New(&Book{}, DefaultLimits).Experiences
	id := x.Add(Experience{Tick: 1, Outcome: OutcomeUnknown})
	x.Add(Experience{Tick: 2, Outcome: OutcomeSuccess})
	x.Changed()
	if !x.Resolve(id, OutcomeFailure, []byte("why")) || x.Resolve(99, OutcomeSuccess, nil) {
		t.Fatal("resolve")
	}
	rows := x.Changed()
	if len(rows) != 1 || rows[0].ID != id || rows[0].Outcome != OutcomeFailure || string(rows[0].Lesson) != "why" {
		t.Errorf("rows %+v", rows)
	}
}

func TestExperiences_DigestIsThatOfTheWindow(t *testing.T) {
	x := New(&Book{}, DefaultLimits).Experiences
	var last uint64
	for i := range ExperienceWindow + 40 {
		last = x.Add(Experience{Tick: wire.Tick(i), Outcome: OutcomeUnknown})
	}
	x.Resolve(last-5, OutcomeSuccess, []byte("x"))
	y := New(&Book{}, DefaultLimits).Experiences
	var rows []Experience
	for i := range x.Len() {
		rows = append(rows, *x.At(i))
	}
	y.Restore(rows, x.Total())
	if x.Digest() != y.Digest() || x.Total() != y.Total() {
		t.Error("the digest depends on more than the rows")
	}
	y.Resolve(last, OutcomeSuccess, nil)
	if x.Digest() == y.Digest() {
		t.Error("a changed row keeps the digest")
	}
}

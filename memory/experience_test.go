package memory

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/wire/codec"
)

func TestExperiences_WindowAndTotal(t *testing.T) {
	x := New(&RowIDs{SpawnIndex: 3}, DefaultLimits).Experiences
	const n = ExperienceWindow + 100
	for i := range n {
		id := x.Add(Experience{Tick: wire.Tick(i), Outcome: OutcomeSuccess, Lesson: []byte("l")})
		if id != 3<<32|uint64(i+1) {
			t.Fatalf("row id %x", id)
		}
	}
	if x.Len() != ExperienceWindow || x.total != n || x.At(0).Tick != 100 || x.Recent(0).Tick != n-1 || x.Recent(ExperienceWindow) != nil {
		t.Errorf("len %d, total %d, oldest %d, newest %d", x.Len(), x.total, x.At(0).Tick, x.Recent(0).Tick)
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
	x := New(&RowIDs{}, DefaultLimits).Experiences
	id := x.Add(Experience{Tick: 1, Outcome: OutcomeUnknown})
	x.Add(Experience{Tick: 2, Outcome: OutcomeSuccess})
	x.Changed()
	if !x.Resolve(id, OutcomeFailure, []byte("why")) || x.Resolve(99, OutcomeSuccess, nil) {
		t.Fatal("resolve")
	}
	if got := x.Lesson(id); string(got) != "why" || x.Lesson(99) != nil {
		t.Errorf("lesson %q", got)
	}
	rows := x.Changed()
	if len(rows) != 1 || rows[0].ID != id || rows[0].Outcome != OutcomeFailure || string(rows[0].Lesson) != "why" {
		t.Errorf("rows %+v", rows)
	}
}

func TestExperiences_DigestIsThatOfTheWindow(t *testing.T) {
	x := New(&RowIDs{}, DefaultLimits).Experiences
	var last uint64
	for i := range ExperienceWindow + 40 {
		last = x.Add(Experience{Tick: wire.Tick(i), Outcome: OutcomeUnknown})
	}
	x.Resolve(last-5, OutcomeSuccess, []byte("x"))
	y := New(&RowIDs{}, DefaultLimits).Experiences
	var rows []Experience
	for i := range x.Len() {
		rows = append(rows, *x.At(i))
	}
	y.Restore(rows, x.total)
	if x.Digest() != y.Digest() || x.total != y.total {
		t.Error("the digest depends on more than the rows")
	}
	y.Resolve(last, OutcomeSuccess, nil)
	if x.Digest() == y.Digest() {
		t.Error("a changed row keeps the digest")
	}
}

var experienceCodec = codec.New[Experience]()

// Whatever is done in whatever order, the digest is that of the newest rows, what changed is
// returned once, and the newest rows and those without an outcome are there to look at.
func TestExperiences_EqualAPlainList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
		var all []Experience // by id, from 1
		dirty := map[uint64]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				outcome := Outcome(rapid.IntRange(1, 4).Draw(t, "outcome"))
				for range rapid.SampledFrom([]int{1, 7, 60, 600}).Draw(t, "many") {
					goal := wire.Hash{byte(len(all))}
					act := &Act{Action: "msg_post", Goal: &goal, GoalKind: "answer", Domain: "SOCIAL"}
					at := wire.Tick(len(all))
					id := x.AddAct(at, act, outcome, nil)
					all = append(all, Experience{ID: id, Tick: at, Action: AppendAct(nil, act), Outcome: outcome})
					dirty[id] = true
				}
			case 2:
				if len(all) == 0 {
					continue
				}
				back := rapid.IntRange(0, len(all)-1).Draw(t, "back")
				e := &all[len(all)-1-back]
				if e.Outcome != OutcomeUnknown && back >= experienceRecent {
					continue // perhaps not held any more
				}
				if in := x.Resolve(e.ID, OutcomePartial, []byte("late")); in != (back < ExperienceWindow) {
					t.Fatalf("row %d of the newest resolved: %v", back, in)
				} else if in {
					e.Outcome, e.Lesson, dirty[e.ID] = OutcomePartial, []byte("late"), true
				}
			case 3:
				var want []Experience
				for _, e := range all {
					if dirty[e.ID] {
						want = append(want, e)
					}
				}
				if !slices.EqualFunc(want, x.Changed(), sameExperience) {
					t.Fatal("other rows changed")
				}
				clear(dirty)
			case 4:
				x.Forget()
				clear(dirty)
			case 5:
				y := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
				y.Restore(all, x.total)
				if x.Digest() != y.Digest() {
					t.Fatal("a restored window has another digest")
				}
			}
			window := all[max(0, len(all)-ExperienceWindow):]
			var d Digest
			for i := range window {
				h := rowHash(experienceCodec, &window[i])
				d.Add(halfHash(h[16:]).padded())
				e := x.At(i)
				if e == nil && (window[i].Outcome == OutcomeUnknown || i >= len(window)-experienceRecent || dirty[window[i].ID]) {
					t.Fatalf("the content of row %d of %d is lost", i, len(window))
				}
				if e != nil && !sameExperience(*e, window[i]) {
					t.Fatalf("row %d: %v", i, e)
				}
			}
			if x.Digest() != d.Hash() || x.Len() != len(window) || x.total != uint64(len(all)) {
				t.Fatalf("%d of %d", x.Len(), x.total)
			}
		}
	})
}

func sameExperience(a, b Experience) bool {
	return a.ID == b.ID && a.Tick == b.Tick && string(a.Action) == string(b.Action) && a.Outcome == b.Outcome && string(a.Lesson) == string(b.Lesson)
}

// RecentAct is what Recent and DecodeAct make of a row.
func TestExperiences_RecentActIsTheDecodedOne(t *testing.T) {
	x := New(&RowIDs{SpawnIndex: 1}, DefaultLimits).Experiences
	goal, subject := wire.Hash{1}, wire.Hash{2}
	x.AddAct(5, &Act{Action: "entry_get", GoalKind: "learn", Domain: "DOCUMENTATION", SubjectKind: "entry", Goal: &goal, Subject: &subject}, OutcomeSuccess, []byte("l"))
	x.AddAct(6, &Act{Action: "entry_query", GoalKind: "learn", Domain: "DOCUMENTATION", SubjectKind: "none", Envelope: &goal}, OutcomeFailure, nil)
	x.Add(Experience{Tick: 7, Outcome: OutcomePartial, Action: []byte("no act")})
	for i := range 4 {
		want := x.Recent(i)
		var act Act
		ok := want != nil && DecodeAct(want.Action, &act) == nil
		got, e, gotOK := x.RecentAct(i)
		if gotOK != ok {
			t.Fatalf("%d: ok is %v, want %v", i, gotOK, ok)
		}
		if ok && (!bytes.Equal(AppendAct(nil, &got), AppendAct(nil, &act)) || e.ID != want.ID || e.Tick != want.Tick || e.Outcome != want.Outcome || !bytes.Equal(e.Lesson, want.Lesson)) {
			t.Errorf("%d: %+v of %+v, want %+v of %+v", i, got, e, act, want)
		}
	}
}

// TestExperiences_Failed: the newest act with the same action and subject decides, among the newest acts since a tick.
func TestExperiences_Failed(t *testing.T) {
	type done struct {
		action  string
		subject byte
		outcome Outcome
		tick    wire.Tick
	}
	const tick = 100
	other := func(n int) (out []done) {
		for range n {
			out = append(out, done{"entry_get", 9, OutcomeSuccess, tick})
		}
		return out
	}
	failed := done{"web_request", 1, OutcomeFailure, tick}
	for _, c := range []struct {
		name  string
		acts  []done
		since wire.Tick
		want  bool
	}{
		{"nothing was done", nil, 0, false},
		{"it failed", []done{failed}, 0, true},
		{"half of it failed", []done{{"web_request", 1, OutcomePartial, tick}}, 0, true},
		{"it went well", []done{{"web_request", 1, OutcomeSuccess, tick}}, 0, false},
		{"its result is not known", []done{{"web_request", 1, OutcomeUnknown, tick}}, 0, false},
		{"it went well since", []done{failed, {"web_request", 1, OutcomeSuccess, tick}}, 0, false},
		{"another subject", []done{{"web_request", 2, OutcomeFailure, tick}}, 0, false},
		{"another action", []done{{"entry_get", 1, OutcomeFailure, tick}}, 0, false},
		{"another went well since", []done{failed, {"web_request", 2, OutcomeSuccess, tick}, {"entry_get", 1, OutcomeSuccess, tick}}, 0, true},
		{"in the tick from which it counts", []done{failed}, tick, true},
		{"before it", []done{failed}, tick + 1, false},
		{"as far back as it looks", append([]done{failed}, other(experienceRecent-1)...), 0, true},
		{"one further back", append([]done{failed}, other(experienceRecent)...), 0, false},
	} {
		x := New(&RowIDs{}, DefaultLimits).Experiences
		for _, d := range c.acts {
			on := thing(d.subject)
			x.AddAct(d.tick, &Act{Action: d.action, Subject: &on}, d.outcome, []byte{d.subject})
		}
		subject := thing(1)
		if lesson, got := x.Failed("web_request", &subject, c.since); got != c.want || got && string(lesson) != "\x01" {
			t.Errorf("%s: %v with lesson %q", c.name, got, lesson)
		}
	}
}

// TestExperiences_ForgetsUnknownOutcomesOutsideTheWindow: an act whose result never came is kept as long as it is in the
// window, and no longer: an agent must not gather them for life.
func TestExperiences_ForgetsUnknownOutcomesOutsideTheWindow(t *testing.T) {
	x := New(&RowIDs{}, DefaultLimits).Experiences
	id := x.Add(Experience{Outcome: OutcomeUnknown, Lesson: []byte("waits")})
	for range ExperienceWindow - 1 {
		x.Add(Experience{Outcome: OutcomeSuccess})
	}
	if x.Forget(); string(x.Lesson(id)) != "waits" {
		t.Error("the oldest act of the window is forgotten although its result may still come")
	}
	x.Add(Experience{Outcome: OutcomeSuccess})
	if x.Forget(); x.Lesson(id) != nil || len(x.kept) != experienceRecent {
		t.Errorf("outside the window: lesson %q, %d acts kept", x.Lesson(id), len(x.kept))
	}
}

package agora

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

func answered(question *wire.Hash) wire.BountyRequirement {
	return wire.BountyRequirement{
		Kind:   wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleAnswered, Question: question}),
	}
}

func verified(kind *wire.EntryKind, count *uint32) wire.BountyRequirement {
	return wire.BountyRequirement{
		Kind:   wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: kind, Count: count}),
	}
}

func garbled(k wire.RequirementKind) wire.BountyRequirement {
	return wire.BountyRequirement{Kind: k, Params: []byte{1}}
}

// Requirements that cannot be read, or that ask for nothing, are refused, whatever comes after them. Tests of such a
// bounty, or of one without a Forge, are not read ahead of the commit.
func TestRequirements_Refusals(t *testing.T) {
	test := mustPass(wire.Hash{7}, nil)
	pattern := wire.EntryKindPattern
	const malformed, invalid = "INVALID_REQUEST bad_body", "INVALID_REQUEST requirements"
	for _, tc := range []struct {
		name  string
		reqs  []wire.BountyRequirement
		want  string
		tasks int
	}{
		{"a test", []wire.BountyRequirement{test}, "success", 1},
		{"no test", []wire.BountyRequirement{mustCompile("a.star")}, "success", 0},
		{"garbled MUST_COMPILE", []wire.BountyRequirement{test, garbled(wire.RequirementKindMustCompile)}, malformed, 0},
		{"garbled MUST_PASS_TESTS", []wire.BountyRequirement{test, garbled(wire.RequirementKindMustPassTests)}, malformed, 0},
		{"garbled MUST_BE_REVIEWED", []wire.BountyRequirement{test, garbled(wire.RequirementKindMustBeReviewed)}, malformed, 0},
		{"garbled CUSTOM", []wire.BountyRequirement{test, garbled(wire.RequirementKindCustom)}, malformed, 0},
		{"garbled after an invalid one", []wire.BountyRequirement{reviewedBy(0), garbled(wire.RequirementKindCustom)}, malformed, 0},
		{"no ticks", []wire.BountyRequirement{mustPass(wire.Hash{7}, ptr(uint64(0))), test}, invalid, 0},
		{"no reviews", []wire.BountyRequirement{reviewedBy(0), reviewedBy(1), test}, invalid, 0},
		{"no ticks, then reviews", []wire.BountyRequirement{mustPass(wire.Hash{7}, ptr(uint64(0))), reviewedBy(1)}, invalid, 0},
		{"no entries", []wire.BountyRequirement{patterns(0), patterns(1), test}, invalid, 0},
		{"no count", []wire.BountyRequirement{verified(&pattern, nil)}, invalid, 0},
		{"no kind", []wire.BountyRequirement{verified(nil, ptr(uint32(1)))}, invalid, 0},
		{"no question", []wire.BountyRequirement{answered(nil), reviewedBy(1)}, invalid, 0},
		{"an answer, which only Oracle's own bounties ask for", []wire.BountyRequirement{answered(&wire.Hash{5})}, invalid, 0},
		{"as many entries as a cycle allows", []wire.BountyRequirement{verified(&pattern, ptr(uint32(8)))}, "success", 0},
		{"one more", []wire.BountyRequirement{verified(&pattern, ptr(uint32(9)))}, invalid, 0},
		{"two tests that take too long together", []wire.BountyRequirement{test, mustPass(wire.Hash{8}, ptr(uint64(501)))}, invalid, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, _, _, _ := programLab(t)
			q := offerOf(tc.reqs...)
			q.Reward = 1
			requests := []world.Request{{Seat: 3, Source: creator, Payload: q}}
			tasks := l.d.Prepare(l.c.Tick, requests)
			if len(tasks) != tc.tasks || len(tasks) == 1 && (!cmp.Equal(tasks[0].Seats, []int{3}) || !cmp.Equal(tasks[0].Run(world.Answer{}), []any{[]wire.Hash{{7}}})) {
				t.Errorf("tasks %+v, want %d", tasks, tc.tasks)
			}
			l.refused(creator, q, tc.want)
			l.d.forge = nil
			if tasks := l.d.Prepare(l.c.Tick, requests); len(tasks) != 0 {
				t.Errorf("%d tasks without a Forge", len(tasks))
			}
		})
	}
}

// Tests run on the file of the first MUST_COMPILE, wherever it stands; without one on main.star.
func TestRequirements_FileThatIsTested(t *testing.T) {
	reviewed := wire.BountyRequirement{Kind: wire.RequirementKindMustBeReviewed, Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{})}
	test := mustPass(wire.Hash{7}, nil)
	for _, tc := range []struct {
		reqs []wire.BountyRequirement
		want string
	}{
		{[]wire.BountyRequirement{test}, "main.star"},
		{[]wire.BountyRequirement{reviewed, test, mustCompile("lib.star"), mustCompile("b.star")}, "lib.star"},
	} {
		terms, _, _ := readTerms(tc.reqs)
		for _, p := range terms.programs {
			if p.Test != nil && string(p.Path) != tc.want {
				t.Errorf("the test runs on %s, want %s", p.Path, tc.want)
			}
		}
	}
}

// The parameters of every kind of requirement are stored in canonical form.
func TestRequirements_AreStoredCanonically(t *testing.T) {
	l, _, _, _ := programLab(t)
	loose := []wire.BountyRequirement{mustCompile("a.star"), mustPass(wire.Hash{7}, ptr(uint64(9))), reviewedBy(3), patterns(1)}
	var want []string
	for i := range loose {
		p := string(loose[i].Params)
		want = append(want, p)
		key := p[1 : 2+p[1]&0x1F] // of the first pair: its length takes one byte more than it must
		loose[i].Params = []byte(p[:1] + "\xD9" + string(key[0]&0x1F) + key[1:] + p[1+len(key):])
		if string(loose[i].Params) == p {
			t.Fatalf("params %d are canonical: %q", i, p)
		}
	}
	q := offerOf(loose...)
	q.Reward = 1
	var got []string
	for _, r := range l.d.Bounty(l.must(creator, q)).Requirements {
		got = append(got, string(r.Params))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

// The bounties of the Big Bang for programs are opened only in a world that can run them. Each says where its test is,
// and failing it is the claimer's fault.
func TestBigBang_ProgramsNeedVaultAndForge(t *testing.T) {
	for _, tc := range []struct {
		vault, forge bool
		want         int
	}{{false, false, 1}, {true, false, 1}, {false, true, 1}, {true, true, 7}} {
		l := newLab(t)
		snap := wire.Hash{0x5A}
		if tc.vault {
			l.d.code = &fakeVault{objects: map[wire.Hash]bool{snap: true}, author: claimer}
		}
		if tc.forge {
			l.d.forge = &fakeForge{}
		}
		ids := l.d.BigBang(l.c)
		if len(ids) != tc.want {
			t.Fatalf("Vault %t, Forge %t: %d bounties, want %d", tc.vault, tc.forge, len(ids), tc.want)
		}
		for i, id := range ids {
			b := l.d.Bounty(id)
			says := strings.Contains(string(b.Specification), "its test is tests/"+testName(i+1)+" in GENESIS_BOOTSTRAP")
			if should := len(termsOf(b).programs) > 0; says != should {
				t.Errorf("bounty %d: %s", i+1, b.Specification)
			}
		}
		if tc.want == 1 {
			continue
		}
		l.must(claimer, claimOf(ids[0]))
		for range maxTries {
			l.must(claimer, &wire.BountySubmit{BountyID: ids[0], SubmissionSnap: snap})
		}
		l.endCycle()
		if n := l.d.counters.Get(claimer); n.BarredUntil != 1+8 {
			t.Errorf("barred until cycle %d, want 9", n.BarredUntil)
		}
	}
}

// Of a long text only the first 64 words count.
func TestTopicTags_OfALongText(t *testing.T) {
	var words []string
	for i := range maxWord {
		words = append(words, "w"+strings.Repeat(string(rune('a'+i/26)), 2)+string(rune('a'+i%26)))
	}
	for _, tag := range topicTags([]byte(strings.Join(words, " ")+" longest"), maxTags) {
		if string(tag) == "longest" {
			t.Error("the 65th word is a tag")
		}
	}
	words[maxWord-1] = "longest"
	tags := topicTags([]byte(strings.Join(words, " ")), maxTags)
	if string(tags[len(tags)-1]) != "longest" {
		t.Errorf("tags %q, want the 64th word among them", tags)
	}
}

// Text is the text field of a content, or else all of it.
func TestText(t *testing.T) {
	kind := wire.ContentBugReport
	untitled := contentOf(wire.Content{Type: &kind})
	for _, tc := range []struct{ content, want string }{
		{string(wire.TextContent("hello")), "hello"},
		{string(untitled), string(untitled)},
		{"no map", "no map"},
	} {
		if got := string(Text([]byte(tc.content))); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.content, got, tc.want)
		}
	}
}

// A map that cannot be read is refused with a code of its own.
func TestBadBody_HasACode(t *testing.T) {
	l := newLab(t)
	q := post("general", wire.MessageKindStatement, "")
	q.Content = []byte{1}
	if e := l.send(claimer, q).Err; e == nil || e.Code != wire.CodeBadBody {
		t.Errorf("%+v, want code %#x", e, wire.CodeBadBody)
	}
}

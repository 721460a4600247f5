package llm

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

// The text that Hash made is used where a rendering would give the same, for models of any size, and nowhere else.
func TestHash_ReusesRenderedTextOnlyIfEqual(t *testing.T) {
	nop, _ := action.ByName("nop")
	for _, offers := range []int{1, 20, 400, 5000} {
		for _, size := range []struct{ context, max uint64 }{{0, 0}, {DefaultContext, DefaultMaxTokens}, {8192, 512}, {200_000, 16_384}, {3000, 100}} {
			p := &Prompt{Identity: Identity{Alias: "a"}, Tier: Tier2, Actions: []*action.Row{nop}}
			for i := range offers {
				p.Affordances = append(p.Affordances, Affordance{GoalKind: fmt.Sprint("goal", i)})
			}
			want := *p
			want.MaxContext, want.MaxTokens = size.context, size.max
			system, user := want.Messages()
			hash := p.Hash()
			got := *p
			got.MaxContext, got.MaxTokens = size.context, size.max
			s, u := got.Messages()
			if !bytes.Equal(s, system) || !bytes.Equal(u, user) {
				t.Errorf("%d offers, context %d: the kept text differs: %d bytes, want %d", offers, size.context, len(u), len(user))
			}
			if short := size.context != 0 && size.context < DefaultContext && len(u) < len(p.rendered.user); got.Shortened() != short {
				t.Errorf("%d offers, context %d: shortened %t, want %t", offers, size.context, got.Shortened(), short)
			}
			_ = append(s, "what an adapter adds"...)
			if again := p.Hash(); again != hash {
				t.Error("the hash changed")
			}
			p.Forget()
			p.Alias = "b"
			if p.Hash() == hash {
				t.Error("another prompt has the same hash")
			}
		}
	}
}

// long is a prompt that a model with the default context does not get whole, with a persona of n bytes.
func long(tb testing.TB, n int) *Prompt {
	p := &Prompt{Identity: Identity{Alias: "a", Persona: strings.Repeat("x", n)}, Actions: rows(tb, "entry_get")}
	for i := range 300 {
		p.Affordances = append(p.Affordances, Affordance{
			Action: p.Actions[0], Params: &wire.EntryGet{EntryID: wire.Hash{byte(i), byte(i >> 8), 1}}, GoalKind: fmt.Sprint("goal", i), Text: bytes.Repeat([]byte("x"), 300),
		})
	}
	return p
}

func hashMessages(system, user []byte) wire.Hash { return hashUser(hashSystem(system), user) }

// The hash is that of the messages which a model with the default context gets, whatever context the model has that is
// asked, and to the byte at which the text is cut.
func TestHash_IsOfTheMessagesForTheDefaultContext(t *testing.T) {
	for n := 1; n < 400; n += 3 {
		p := long(t, n)
		usual := *p
		usual.MaxContext, usual.MaxTokens = 32768, 2048
		want := hashMessages(usual.Messages())
		usual.MaxContext = 0 // the model states none
		if hashMessages(usual.Messages()) != want {
			t.Fatalf("persona of %d bytes: a model that states no context has another one", n)
		}
		p.MaxContext, p.MaxTokens = 200_000, 100
		if p.Hash() != want {
			t.Fatalf("persona of %d bytes: the hash depends on the context of the model", n)
		}
	}
}

// A text that was cut for the default context is not used for a larger one.
func TestMessages_LargerContextHoldsMoreThanWasHashed(t *testing.T) {
	p, fresh := long(t, 1), long(t, 1)
	p.MaxContext, fresh.MaxContext = 200_000, 200_000
	p.Hash()
	_, got := p.Messages()
	_, want := fresh.Messages()
	if !bytes.Equal(got, want) || p.Shortened() {
		t.Errorf("%d bytes of %d, shortened %t", len(got), len(want), p.Shortened())
	}
}

func TestHash_HashesLengthAndBothMessages(t *testing.T) {
	if got, want := hashMessages([]byte("system"), []byte("user")), wire.Hash(sha256.Sum256([]byte("\x00\x00\x00\x06systemuser"))); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Buffers that another prompt used change neither the text nor the handles.
func TestHashInto_ReusedBuffersChangeNothing(t *testing.T) {
	get := rows(t, "entry_get")
	with := func(life Life, ids ...wire.Hash) *Prompt {
		p := &Prompt{Life: life, Actions: get}
		for _, id := range ids {
			p.Affordances = append(p.Affordances, Affordance{Action: get[0], Params: &wire.EntryGet{EntryID: id}, Lesson: Lesson{Text: "read " + id.String()}})
		}
		return p
	}
	var r Rendered
	var f Facts
	for i, next := range []func() *Prompt{
		func() *Prompt { return with(known{}, wire.Hash{1}, wire.Hash{2}) }, func() *Prompt { return with(nil, wire.Hash{3}) },
		func() *Prompt { return with(life{}) }, func() *Prompt { return with(known{}, wire.Hash{2}) },
	} {
		p := next()
		if p.HashInto(&r, &f) != next().Hash() {
			t.Errorf("prompt %d has another hash with used buffers", i)
		}
		p.Forget()
	}
}

func TestShortened_IsKnownOnlyAfterHash(t *testing.T) {
	p := long(t, 1)
	if p.MaxContext = 8192; p.Shortened() {
		t.Error("a prompt without a hash is shortened")
	}
	if p.Hash(); !p.Shortened() {
		t.Error("a prompt that is far too long for its model is not shortened")
	}
}

// The sections of a prompt are found again, whole and in order; what an adapter appends belongs to the last section of the
// system message.
func TestSplitSections_FindsAll(t *testing.T) {
	system, user := prompt(t).Messages()
	const added = "Answer by a call.\n"
	list := SplitSections(append(system, added...), user)
	text := ""
	for i, s := range list {
		if s.Kind != SectionRules+SectionKind(i) || !bytes.HasPrefix(s.Text, []byte("## "+s.Kind.Title()+"\n")) {
			t.Errorf("section %d is %v: %.30s", i, s.Kind, s.Text)
		}
		if s.Kind == SectionFormat && !bytes.HasSuffix(s.Text, []byte(added)) {
			t.Errorf("the form of an answer ends in %q", s.Text[len(s.Text)-30:])
		}
		text += string(s.Text)
	}
	if len(list) != sections || text != string(system)+added+string(user) {
		t.Errorf("%d sections of %d bytes, want %d of %d", len(list), len(text), sections, len(system)+len(added)+len(user))
	}
	if got := SplitSections(nil, []byte("## AFFORDANCES\n1. nop\n")); len(got) != 1 || got[0].Kind != SectionAffordances || string(got[0].Text) != "## AFFORDANCES\n1. nop\n" {
		t.Errorf("a single section is found as %+v", got)
	}
}

func TestSectionKind_TitleOfNoSection(t *testing.T) {
	if got := (SectionAffordances + 1).Title(); got != "SECTION" || SectionAffordances.Title() != "AFFORDANCES" {
		t.Errorf("%q and %q", got, SectionAffordances.Title())
	}
}

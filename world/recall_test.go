package world

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
)

type page struct {
	Text []byte `kdom:"text"`
}

// notebook is a state with one chain whose records are read again, and what was stored.
type notebook struct {
	state *State
	pages *Chain[page]
	rows  []Row
}

func newNotebook(texts ...string) *notebook {
	s := NewState(wire.SystemAgora)
	b := &notebook{state: s, pages: NewChain(s, "pages", codec.New[page](), nil).KeepRecent()}
	for _, t := range texts {
		b.pages.Append(&page{Text: []byte(t)})
	}
	b.rows = s.TakeRows()
	return b
}

// held lists what is in memory, "-" for what is not.
func (b *notebook) held() string {
	var out []string
	for n := range b.pages.Count() {
		if p := b.pages.Get(n); p != nil {
			out = append(out, string(p.Text))
		} else {
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

func (b *notebook) forget(stored uint64) {
	b.state.Forget([]Head{{System: wire.SystemAgora, Table: "pages", Count: stored}})
}

func TestChain_ForgetsWhatIsStored(t *testing.T) {
	b := newNotebook("a", "b", "c")
	for _, tt := range []struct {
		stored uint64
		want   string
	}{{0, "a b c"}, {1, "- b c"}, {1, "- b c"}, {2, "- - c"}, {0, "- - c"}, {3, "- - -"}, {9, "- - -"}} {
		if b.forget(tt.stored); b.held() != tt.want {
			t.Errorf("with %d stored: %s in memory, want %s", tt.stored, b.held(), tt.want)
		}
	}
	b.pages.Append(&page{Text: []byte("d")})
	if b.held() != "- - - d" {
		t.Errorf("after one more: %s", b.held())
	}
	if p := b.pages.Get(4); p != nil {
		t.Errorf("a page that nobody wrote: %s", p.Text)
	}
	b.state.Forget([]Head{
		{System: wire.SystemOracle, Table: "pages", Count: 4}, {System: wire.SystemAgora, Table: "other", Count: 4},
	})
	if b.held() != "- - - d" {
		t.Errorf("another table's head made it %s", b.held())
	}
}

func TestChain_ShowsWhatIsMissingOnceFilled(t *testing.T) {
	b := newNotebook("a", "b")
	b.forget(1)
	got := map[uint64]string{}
	var missing []wire.Missing
	for n := range uint64(2) {
		b.pages.Show(&missing, n, func(p *page) bool { return string(p.Text) == "a" }, func(p *page) { got[n] = string(p.Text) })
	}
	if len(missing) != 1 || missing[0].Record != (wire.RecordID{System: wire.SystemAgora, Table: "pages", Number: 0}) || got[1] != "b" {
		t.Fatalf("missing %+v, shown %v; want record 0, and record 1 shown", missing, got)
	}
	for what, record := range map[string][]byte{"not the one that was written": b.rows[1].Body, "wrong type": {1, 2}} {
		err := missing[0].Fill(record)
		if err == nil || !strings.Contains(err.Error(), "record 0 of AGORA table pages") || !strings.Contains(err.Error(), what) || got[0] != "" {
			t.Errorf("filled with what is %s: %v, shown %q", what, err, got[0])
		}
	}
	if err := missing[0].Fill(b.rows[0].Body); err != nil || got[0] != "a" {
		t.Errorf("filled: %q, %v", got[0], err)
	}
	if b.held() != "- b" {
		t.Errorf("what is shown stays in memory: %s", b.held())
	}
}

func TestChain_FetchedRecordsStayUntilForget(t *testing.T) {
	b := newNotebook("a", "b", "c")
	b.forget(2)
	var missing []wire.Missing
	for range 2 { // asking twice is harmless
		for n := range uint64(3) {
			b.pages.Fetch(&missing, n, func(*page) bool { return true })
		}
	}
	for _, m := range missing {
		if err := m.Fill(b.rows[m.Record.Number].Body); err != nil {
			t.Fatal(err)
		}
	}
	if len(missing) != 4 || b.held() != "a b c" {
		t.Errorf("%d missing, then %s in memory", len(missing), b.held())
	}
	if b.forget(2); b.held() != "- - c" {
		t.Errorf("fetched records outlive the cycle: %s", b.held())
	}
}

// A chain that was restored keeps what is appended from there on.
func TestChain_KeepsWhatFollowsARestoredHead(t *testing.T) {
	b := newNotebook()
	if err := b.state.SetHead(Head{System: wire.SystemAgora, Table: "pages", Digest: wire.Hash{1}, Count: 2}); err != nil {
		t.Fatal(err)
	}
	b.pages.Append(&page{Text: []byte("c")})
	b.pages.Append(&page{Text: []byte("d")})
	if b.held() != "- - c d" {
		t.Errorf("in memory: %s", b.held())
	}
	if b.forget(3); b.held() != "- - - d" {
		t.Errorf("in memory with 3 stored: %s", b.held())
	}
}

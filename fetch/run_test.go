package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/sql/sqlite"
	"kingdom/wire"
)

// wish is a page that the agent of a role asks for at its first slot of cycle 1 from slot on.
type wish struct {
	slot uint64
	path string
}

// The EXPLORER asks for a page, for one that is not there, and again for the first, which the
// ARCHITECT wants too. Nothing is asked for from slot 25 on.
var wishes = map[wire.Role][]wish{
	wire.RoleExplorer:  {{2, "/tables"}, {8, "/none"}, {14, "/tables"}},
	wire.RoleArchitect: {{18, "/tables"}},
}

// reader asks for pages; what else agents do is the scripted mind's choice.
type reader struct {
	*scripted.Mind
	mu    sync.Mutex
	asked map[wire.Role]int
	saw   []string // what stood in prompts about pages
	think func(p *llm.Prompt)
}

// Recomputable is false: the thoughts lie in the journal.
func (r *reader) Recomputable(wire.Cycle) bool { return false }

func (r *reader) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if r.think != nil {
		r.think(p)
	}
	_, user := p.Messages()
	if _, shown, ok := strings.Cut(string(user), "it showed: page portal_source:"); ok {
		_, shown, _ = strings.Cut(shown, ", ") // without the id
		shown, _, _ = strings.Cut(shown, "\n")
		r.mu.Lock()
		r.saw = append(r.saw, fmt.Sprint(p.Role, " ", shown))
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := wishes[p.Role][r.asked[p.Role]:]; len(left) > 0 && p.Cycle == 1 && left[0].slot <= p.Slot && p.Slot < 25 {
		r.asked[p.Role]++
		return llm.Thought{Outcome: llm.Answered, Text: fmt.Appendf(nil,
			`{"action":"web_request","params":{"url":"http://docs.test%s","purpose":"to learn about tables"},"reasoning":"I want to know"}`, left[0].path)}, nil
	}
	return r.Mind.Think(ctx, p)
}

// world is a scenario that begins when the outside is open for reading.
func world(t *testing.T) engine.Config {
	t.Helper()
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		t.Fatal(err)
	}
	if err := sc.Override("epoch=3", "portal.allow=[docs.test]", "time.base_budget=32"); err != nil {
		t.Fatal(err)
	}
	rules := sc.WorldRules()
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar, turn.Gates = rules.Calendar, rules.Gates
	return engine.Config{
		Name: sc.Name, ScenarioDigest: sc.Digest(), SeedText: string(sc.Seed),
		Rules: rules, Turn: turn, Genomes: sc.Genomes(rules.Seed), SignaturesLazy: true,
	}
}

// tables is a site with one page, which differs whenever it is asked for.
func tables(t *testing.T) (s *site, asked func() []string) {
	s = newSite(t, loopback)
	var mu sync.Mutex
	var paths []string
	s.page("/", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		n := len(paths)
		mu.Unlock()
		if r.URL.Path != "/tables" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/markdown")
		fmt.Fprintf(w, "A hash table finds a value by its key; visitor %d.\n", n)
	})
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// run carries a world to the end of cycle 2.
func run(ctx context.Context, t *testing.T, dir string, open func(context.Context, engine.Config, engine.Options) (*engine.Engine, error), f engine.Fetcher, m engine.Mind) (engine.Summary, error) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	e, err := open(ctx, world(t), engine.Options{Dir: dir, Store: store, Mind: m, Fetcher: f})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(ctx, 2)
	if cerr := e.Close(); cerr != nil {
		t.Fatal(cerr)
	}
	return sum, err
}

func newReader(t *testing.T) *reader {
	return &reader{asked: map[wire.Role]int{}, Mind: scripted.New(world(t).Rules.Seed, scripted.Knobs{RefuseActions: []string{"rest"}})}
}

// closed is an outside that must not be asked.
type closed struct{ *testing.T }

func (c closed) Fetch(_ context.Context, q []byte) ([]byte, error) {
	c.Errorf("the outside was asked: %q", q)
	return nil, errors.New("closed")
}

// Pages of a web server are recorded, and the same history follows from the recordings, from the journal and after an
// interruption, all without the server.
func TestRun_PagesAreRecordedAndReplayed(t *testing.T) {
	s, asked := tables(t)
	pages, dir := t.TempDir(), t.TempDir()
	first := newReader(t)
	want, err := run(t.Context(), t, dir, engine.Start, &Recorder{Dir: pages, From: s.HTTP}, first)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{
		`EXPLORER status 200; "A hash table finds a value by its key; visitor 1.`, `EXPLORER status 404`, `ARCHITECT status 200; "A hash table finds a value by its key; visitor 1.`,
	} {
		if !slices.ContainsFunc(first.saw, func(s string) bool { return strings.HasPrefix(s, page) }) {
			t.Errorf("no prompt after the request shows %s; they show %q", page, first.saw)
		}
	}
	// The EXPLORER's second look at the page, and the ARCHITECT's, come from the world's cache.
	if got := asked(); !slices.Equal(got, []string{"/tables", "/none"}) {
		t.Errorf("the server was asked for %q", got)
	}
	if kept, err := os.ReadDir(pages); err != nil || len(kept) != 2 {
		t.Errorf("%d pages are recorded, error %v; want 2", len(kept), err)
	}

	offline, err := run(t.Context(), t, t.TempDir(), engine.Start, nil, newReader(t))
	if err != nil || offline.WorldHash == want.WorldHash {
		t.Errorf("a world without an outside: %v, error %v; want another one", offline.WorldHash, err)
	}
	recorded, err := run(t.Context(), t, t.TempDir(), engine.Start, &Recorded{Dir: pages}, newReader(t))
	if err != nil || recorded.WorldHash != want.WorldHash {
		t.Errorf("from the recordings: %v, error %v; want %v", recorded.WorldHash, err, want.WorldHash)
	}

	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	again, err := engine.Replay(t.Context(), world(t), engine.ReplayOptions{Dir: dir, Store: store, Mind: newReader(t)})
	if err != nil || again.WorldHash != want.WorldHash {
		t.Errorf("replay: %v, error %v; want %v", again.WorldHash, err, want.WorldHash)
	}

	// A run that is stopped after the pages came and before its cycle is stored.
	cut := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	m := newReader(t)
	m.think = func(p *llm.Prompt) {
		if p.Cycle == 1 && p.Slot == 25 {
			stop()
		}
	}
	var interrupted *engine.InterruptedError
	if _, err := run(ctx, t, cut, engine.Start, &Recorded{Dir: pages}, m); !errors.As(err, &interrupted) {
		t.Fatalf("error is %v, want an interruption", err)
	}
	resumed, err := run(t.Context(), t, cut, engine.Resume, closed{t}, newReader(t))
	if err != nil || resumed.WorldHash != want.WorldHash {
		t.Errorf("resumed: %v, error %v; want %v", resumed.WorldHash, err, want.WorldHash)
	}
	if got := asked(); len(got) != 2 {
		t.Errorf("the server was asked again: %q", got)
	}
}

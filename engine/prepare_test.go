package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// outside answers every request with something that nobody could compute.
type outside struct {
	mu    sync.Mutex
	asked map[string]int
	n     int
	after func(n int) // called with the number of requests so far
}

func (o *outside) Fetch(ctx context.Context, request []byte) ([]byte, error) {
	o.mu.Lock()
	o.n++
	o.asked[string(request)]++
	n := o.n
	o.mu.Unlock()
	if o.after != nil {
		o.after(n)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n%5 == 0 {
		return nil, errors.New("host unreachable")
	}
	return fmt.Appendf(nil, "answer %d", n), nil
}

// portal is what a daemon would want prepared, beside what the world's daemons want: one
// fetch in the name of the first of each pair of requests that they leave.
type portal struct {
	world func(wire.Tick, []realm.Seat) []world.Task

	mu   sync.Mutex
	seen map[string]world.Answer // what Run got, by request
}

func (p *portal) tasks(t wire.Tick, seats []realm.Seat) (out []world.Task) {
	var taken, sent []int
	out = p.world(t, seats)
	for i := range out {
		taken = append(taken, out[i].Seats...)
	}
	for i := range seats {
		if seats[i].Sent.Payload != nil && !slices.Contains(taken, i) {
			sent = append(sent, i)
		}
	}
	for i := 0; i+1 < len(sent) && t%2 == 0; i += 2 {
		request := fmt.Sprintf("%d %v", t, seats[sent[i]].Agent.Alias())
		out = append(out, world.Task{Seats: sent[i : i+2], Fetch: []byte(request), Run: func(a world.Answer) []any {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.seen[request] = a
			return []any{a, a}
		}})
	}
	return out
}

// engineWith is an engine whose world wants things prepared.
func engineWith(opt Options, p *portal, readonly bool) *Engine {
	e := newEngine(testConfig("42", 8), opt, readonly)
	p.world = e.prepare.tasks
	e.prepare.tasks = p.tasks
	return e
}

// TestPrepare_FetchesAreJournaled: what came from outside is asked for once, however the run
// is cut, and a replay uses the same answers without asking.
func TestPrepare_FetchesAreJournaled(t *testing.T) {
	o, p := &outside{asked: map[string]int{}}, &portal{seen: map[string]world.Answer{}}
	opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42"), Fetcher: o}
	ctx, stop := context.WithCancel(t.Context())
	o.after = func(n int) {
		if n == 10 {
			stop()
		}
	}
	e := engineWith(opt, p, false)
	if err := e.start(ctx, &opt); err != nil {
		t.Fatal(err)
	}
	var interrupted *InterruptedError
	if _, err := e.Run(ctx, 4); !errors.As(err, &interrupted) {
		t.Fatalf("error is %v, want an interruption", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	before := maps.Clone(p.seen)
	e = engineWith(opt, p, false)
	if err := e.resume(t.Context(), &opt); err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	repeated := 0
	for request, n := range o.asked {
		if _, answered := before[request]; answered && n > 1 {
			t.Errorf("request %q was asked %d times", request, n)
		} else if n > 1 {
			repeated++
		}
	}
	if len(o.asked) < 20 || repeated > 8 {
		t.Errorf("%d requests, %d asked again; want many, and again only what the interruption cut off", len(o.asked), repeated)
	}

	again := &portal{seen: map[string]world.Answer{}}
	e = engineWith(Options{Dir: opt.Dir, Store: opt.Store, Mind: opt.Mind}, again, true)
	if err := e.replay(t.Context(), &ReplayOptions{Dir: opt.Dir, Store: opt.Store, Mind: opt.Mind}); err != nil {
		t.Fatal(err)
	}
	if got := e.Summary().WorldHash; got != sum.WorldHash {
		t.Errorf("replayed world %v, want %v", got, sum.WorldHash)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.seen, again.seen); diff != "" {
		t.Errorf("answers (-run +replay):\n%s", diff)
	}
}

// An agent that decides otherwise, and so asks the outside for what nobody asked for, is named by its decision.
func TestPrepare_AnotherDecisionIsNamedBeforeItsFetch(t *testing.T) {
	for _, slot := range liveSlots(t) {
		dir, store := recordRun(t, &changed{Mind: testMind("42"), agent: slot.agent, tick: slot.tick})
		opt := ReplayOptions{Dir: dir, Store: store, Mind: testMind("42")}
		e := newEngine(testConfig("42", 8), Options{Dir: dir, Store: store, Mind: opt.Mind}, true)
		defer e.Close()
		asked, tasks := false, e.prepare.tasks
		e.prepare.tasks = func(tick wire.Tick, seats []realm.Seat) []world.Task {
			out := tasks(tick, seats)
			for i := range seats {
				if tick == slot.tick && seats[i].Agent == slot.agent && seats[i].Sent.Payload != nil {
					asked = true
					out = append(out, world.Task{Seats: []int{i}, Fetch: []byte("page"), Run: func(world.Answer) []any { return []any{nil} }})
				}
			}
			return out
		}
		err := e.replay(t.Context(), &opt)
		if !asked {
			continue // the agent rests in this slot
		}
		var d *DivergenceError
		if !errors.As(err, &d) || d.Component != "thought" || d.Agent != slot.agent || d.Tick != slot.tick || d.Chose == "" {
			t.Errorf("error is %v, want the thought of %s at tick %d", err, slot.agent.Alias(), slot.tick)
		}
		return
	}
	t.Error("no agent sent anything")
}

// Each seat gets its values, also if a task has several seats or a seat several tasks; other seats get none.
func TestPrepare_EachSeatGetsItsValuesOnly(t *testing.T) {
	opt := Options{Mind: testMind("42")}
	e := newEngine(testConfig("42", 8), opt, false)
	defer e.Close()
	prepared := 0
	e.prepare.tasks = func(tick wire.Tick, seats []realm.Seat) (out []world.Task) {
		for i := range seats {
			if seats[i].Prepared != nil {
				t.Errorf("tick %d: seat %d holds a value of an earlier tick", tick, i)
			}
		}
		if len(seats) < 3 {
			return nil
		}
		return []world.Task{{Seats: []int{2, 0}, Run: func(a world.Answer) []any {
			if a.Body != nil || a.Failed != "" {
				t.Errorf("an answer to nothing: %+v", a)
			}
			prepared++
			return []any{"two", "zero"}
		}}, {Seats: []int{1}, Run: func(world.Answer) []any { return []any{"one"} }}}
	}
	if err := e.start(t.Context(), &opt); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if s := e.seats.slots; prepared == 0 || len(s) < 4 || s[3].Prepared != nil || s[0].Prepared != "zero" || s[1].Prepared != "one" || s[2].Prepared != "two" {
		t.Errorf("%d tasks; seats hold %v", prepared, s)
	}
}

// A missing fetcher, an error and a time-out are answers.
func TestPrepare_FetchErrorAndTimeoutAreRecordedAsAnswers(t *testing.T) {
	slow := fetchFunc(func(ctx context.Context, _ []byte) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	broken := fetchFunc(func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no route") })
	for want, f := range map[string]Fetcher{
		"this run may not ask the outside": nil, "no route": broken, "timeout: no answer within 1ms": slow,
	} {
		p := preparer{fetcher: f, timeout: time.Millisecond}
		if th := p.askOutside(t.Context(), nil); th.Error != want || th.Text != nil {
			t.Errorf("%+v, want the error %q", th, want)
		}
	}
}

type fetchFunc func(ctx context.Context, request []byte) ([]byte, error)

func (f fetchFunc) Fetch(ctx context.Context, request []byte) ([]byte, error) { return f(ctx, request) }

package openai

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// The breaker of an endpoint opens after this many calls in a row that brought no
// answer, and lets one probe through after each pause. A refusal because of a rate
// limit is a sign of life and does not count.
const (
	breakerFailures = 10
	breakerPause    = 15 * time.Second
)

// OutError says that an endpoint is not asked: it refused for the rest of the run, or is down. If Model is set, only
// this model is not asked.
type OutError struct {
	Endpoint string
	Model    string // its name in the scenario, if only this model is out
	Failure  Failure
	Text     string // the server's words, cleaned
}

// Error implements error.
func (e *OutError) Error() string {
	if e.Model != "" {
		return fmt.Sprintf("endpoint %s does not serve the model %q: %s", e.Endpoint, e.Model, e.Text)
	}
	return fmt.Sprintf("endpoint %s is out: %s: %s", e.Endpoint, e.Failure, e.Text)
}

// gate decides when a call to one endpoint may go out. It is shared by all agents
// and serves them in the order in which they came; an agent has one call at a time,
// so none can crowd out another.
//
// Three things hold a call back: the calls in flight (a limit that grows by one per
// round of good answers and halves when the server is overloaded), the requests and
// tokens per minute declared for its model, and a pause that a server asked for. A call
// that waits for its model's minute lets calls to other models pass.
type gate struct {
	endpoint string
	most     int // calls in flight, declared

	mu       sync.Mutex
	limit    float64 // calls in flight, now
	inFlight int
	queue    []*ticket // waiting, first come first
	closed   time.Time // no call before
	probing  bool      // after a pause one call goes first
	failures int       // in a row
	halved   time.Time
	out      *OutError // open breaker (with closed) or lasting refusal (without)
	lasting  bool
	timer    *time.Timer
}

// lane is what a gate counts for one model.
type lane struct {
	model    string
	out      *OutError // the server does not know the model
	requests uint64    // per minute, 0: no limit
	tokens   uint64    // per minute, 0: no limit
	granted  []*ticket // of the last minute
}

// ticket is one call, waiting or under way.
type ticket struct {
	lane   *lane
	tokens uint64 // reserved, then used
	at     time.Time
	told   bool // it was let go, or refused with err
	err    error
	ready  chan error // gets err when told; nil while nobody waits
}

// tell lets a call go, or refuses it with err.
func (t *ticket) tell(err error) {
	if t.told, t.err = true, err; t.ready != nil {
		t.ready <- err
	}
}

const minute = time.Minute

func newGate(endpoint string) *gate { return &gate{endpoint: endpoint} }

// admit makes room for the calls to a model. Where the models of an endpoint name
// different numbers of calls at once, the smallest holds: each names what the endpoint bears.
func (g *gate) admit(m *Model) *lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := m.Concurrency
	if most <= 0 {
		most = DefaultConcurrency
	}
	if g.most == 0 || most < g.most {
		g.most, g.limit = most, float64(most)
	}
	return &lane{model: m.Name, requests: m.RequestsPerMinute, tokens: m.TokensPerMinute}
}

// enter waits for leave to make a call that needs an estimated number of tokens.
// It returns an *OutError when the endpoint is out, or the context's error.
func (g *gate) enter(ctx context.Context, l *lane, tokens uint64) (*ticket, error) {
	if l.tokens > 0 && tokens > l.tokens {
		return nil, fmt.Errorf("a call of %d tokens can never fit into tokens_per_minute %d; raise it or lower max_output", tokens, l.tokens)
	}
	t := &ticket{lane: l, tokens: tokens}
	g.mu.Lock()
	g.queue = append(g.queue, t)
	if g.serve(); t.told { // most calls need not wait
		g.mu.Unlock()
		if t.err != nil {
			return nil, t.err
		}
		return t, nil
	}
	t.ready = make(chan error, 1)
	g.mu.Unlock()
	select {
	case err := <-t.ready:
		if err != nil {
			return nil, err
		}
		return t, nil
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		for i, q := range g.queue {
			if q == t {
				g.queue = append(g.queue[:i], g.queue[i+1:]...)
				return nil, ctx.Err()
			}
		}
		if err := <-t.ready; err != nil { // granted or refused in the same moment
			return nil, err
		}
		g.inFlight--
		g.serve()
		return nil, ctx.Err()
	}
}

// serve lets waiting calls go as far as they may. The lock is held.
func (g *gate) serve() {
	now := time.Now()
	g.refuseUnknown()
	if g.out != nil && (g.lasting || now.Before(g.closed)) {
		g.refuseAll()
		return
	}
	if wait := g.closed.Sub(now); wait > 0 && len(g.queue) > 0 {
		g.wake(wait)
		return
	}
	var soonest time.Duration
	var full []*lane // whose first call waits for the clock: none of theirs may overtake it
	for i := 0; i < len(g.queue); {
		if g.inFlight >= int(g.limit) || (g.probing && g.inFlight > 0) {
			return // a call that ends serves again
		}
		t := g.queue[i]
		if slices.Contains(full, t.lane) {
			i++
			continue
		}
		if wait := t.lane.wait(now, t.tokens); wait > 0 {
			full = append(full, t.lane)
			if soonest == 0 || wait < soonest {
				soonest = wait
			}
			i++
			continue
		}
		g.queue = slices.Delete(g.queue, i, i+1)
		t.at = now
		t.lane.granted = append(t.lane.granted, t)
		g.inFlight++
		t.tell(nil)
	}
	if soonest > 0 {
		g.wake(soonest)
	}
}

// wait is how long a call of so many tokens must wait for the clock.
func (l *lane) wait(now time.Time, tokens uint64) time.Duration {
	l.forget(now)
	var wait time.Duration
	if n := uint64(len(l.granted)); l.requests > 0 && n >= l.requests {
		wait = l.granted[n-l.requests].at.Add(minute).Sub(now)
	}
	if l.tokens > 0 {
		var sum uint64
		for i := len(l.granted) - 1; i >= 0; i-- {
			if sum += l.granted[i].tokens; sum+tokens > l.tokens {
				return max(wait, l.granted[i].at.Add(minute).Sub(now))
			}
		}
	}
	return wait
}

// forget drops the calls of more than a minute ago.
func (l *lane) forget(now time.Time) {
	i := 0
	for i < len(l.granted) && now.Sub(l.granted[i].at) >= minute {
		i++
	}
	l.granted = l.granted[i:]
}

// wake serves again after a wait.
func (g *gate) wake(wait time.Duration) {
	if g.timer != nil {
		g.timer.Stop()
	}
	g.timer = time.AfterFunc(wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.serve()
	})
}

// refuseAll tells everybody who waits that the endpoint is out.
func (g *gate) refuseAll() {
	for _, t := range g.queue {
		t.tell(g.out)
	}
	g.queue = nil
}

// refuseUnknown tells those who wait to ask a model that the server does not know.
func (g *gate) refuseUnknown() {
	g.queue = slices.DeleteFunc(g.queue, func(t *ticket) bool {
		if t.lane.out != nil {
			t.tell(t.lane.out)
		}
		return t.lane.out != nil
	})
}

// leave gives back the leave to make a call that is not made.
func (g *gate) leave(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
	if i := slices.Index(t.lane.granted, t); i >= 0 {
		t.lane.granted = slices.Delete(t.lane.granted, i, i+1)
	}
	g.serve()
}

// answered ends a call that brought an answer and used so many tokens. pause is how
// long the server has nothing left to give, 0 if it has.
func (g *gate) answered(t *ticket, used uint64, pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t.tokens = used
	g.inFlight--
	g.failures, g.probing = 0, false
	if !g.lasting {
		g.out = nil
	}
	g.limit = min(g.limit+1/g.limit, float64(g.most))
	if pause > 0 {
		g.pause(time.Now().Add(pause))
	}
	g.serve()
}

// failed ends a call that brought no answer. wait is what the server asked for, or
// our own patience; 0 asks for none. It says whether the endpoint, or the model, is out now.
func (g *gate) failed(t *ticket, f Failure, text string, wait time.Duration) (out bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	t.tokens = 0
	g.inFlight--
	switch {
	case f == FailureModel:
		t.lane.out = g.outError(t, f, text)
	case f.lasting():
		g.out, g.lasting = g.outError(t, f, text), true
	case f == FailureInterrupted || !f.hurts():
	default:
		if f != FailureRate {
			g.failures++
		}
		if now.Sub(g.halved) > time.Second { // one step down for all that fail together
			g.limit, g.halved = max(1, g.limit/2), now
		}
		if f == FailureRate && wait > 0 {
			g.pause(now.Add(wait))
		}
		if g.failures >= breakerFailures {
			g.openFor(max(wait, breakerPause), t, f, text)
		}
	}
	g.serve()
	return g.out != nil || t.lane.out != nil
}

// open opens the breaker after a thought whose last try found nobody there.
func (g *gate) open(t *ticket, f Failure, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.openFor(breakerPause, t, f, text)
	g.serve()
}

// openFor opens the breaker. The lock is held.
func (g *gate) openFor(pause time.Duration, t *ticket, f Failure, text string) {
	g.out = g.outError(t, f, text)
	g.pause(time.Now().Add(pause))
}

// outError says what is out after a call failed: its model, or the whole endpoint.
func (g *gate) outError(t *ticket, f Failure, text string) *OutError {
	e := &OutError{Endpoint: g.endpoint, Failure: f, Text: text}
	if f == FailureModel {
		e.Model = t.lane.model
	}
	return e
}

// hurts says whether a failure speaks against the endpoint rather than the request.
func (f Failure) hurts() bool { return f.retried() || f == FailureTimeout }

// pause closes the gate until t; then one call probes.
func (g *gate) pause(t time.Time) {
	if t.After(g.closed) {
		g.closed = t
	}
	g.probing = true
}

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
// limit counts only if the server does not say how long to wait, or asks for more
// than maxWait.
const (
	breakerFailures = 10
	breakerPause    = 15 * time.Second
)

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

	mu            sync.Mutex
	models        map[string]*modelLimits // those that hold, by the model's name
	maxInFlight   int                     // calls in flight, declared
	limit         float64                 // calls in flight, now
	inFlight      int
	queue         []*ticket // waiting, first come first
	closed        time.Time // until then no call is sent
	probing       bool      // after a pause one call goes alone, to see whether the server answers
	failuresInRow int       // in a row
	lastHalved    time.Time
	out           *OutError // open breaker (with closed) or lasting refusal (without)
	permanent     bool
	timer         *time.Timer
}

// modelLimits are the declared limits of one model and its calls of the last minute.
type modelLimits struct {
	model    string
	out      *OutError // the server does not know the model, or no prompt fits into its context
	requests uint64    // per minute, 0: no limit
	tokens   uint64    // per minute, 0: no limit
	calls    int       // in flight, declared
	minute   *minuteCalls
}

// minuteCalls are the calls to a model in the last minute. They count for all settings of the model, between which a scenario
// may change while calls under the earlier ones are still waiting.
type minuteCalls struct{ granted []*ticket }

// ticket is one call, waiting or under way.
type ticket struct {
	limits   *modelLimits
	tokens   uint64 // reserved, then used
	at       time.Time
	resolved bool // the call may be sent, or was refused with err
	err      error
	ready    chan error // receives err when resolved; nil while nobody waits
}

// resolve lets a call be sent (err is nil) or refuses it with err.
func (t *ticket) resolve(err error) {
	if t.resolved, t.err = true, err; t.ready != nil {
		t.ready <- err
	}
}

const minute = time.Minute

func newGate(endpoint string) *gate {
	return &gate{endpoint: endpoint, models: map[string]*modelLimits{}}
}

// addModel registers a model.
func (g *gate) addModel(m *Model) *modelLimits {
	l := &modelLimits{model: m.Name, requests: m.RequestsPerMinute, tokens: m.TokensPerMinute, calls: m.Concurrency}
	if l.calls <= 0 {
		l.calls = DefaultConcurrency
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if had := g.models[m.Name]; had != nil {
		l.minute = had.minute
	} else {
		l.minute = &minuteCalls{}
	}
	g.declare(l)
	return l
}

// declare sets the limits of a model and replaces earlier ones of that name, as after a change of the scenario. If the
// runs of a sweep declare different limits, those of the latest request hold.
// If the models of an endpoint declare different values of concurrency, the smallest holds, since each declares what the
// endpoint can take. The lock is held.
func (g *gate) declare(l *modelLimits) {
	if g.models[l.model] == l {
		return
	}
	g.models[l.model] = l
	most := l.calls
	for _, other := range g.models { //house:sorted the least of all does not depend on the order
		most = min(most, other.calls)
	}
	if g.limit == float64(g.maxInFlight) { // else the server was overloaded, and it grows by itself
		g.limit = float64(most)
	}
	g.maxInFlight, g.limit = most, min(g.limit, float64(most))
}

// acquire waits until a call of an estimated number of tokens may be sent. It returns an *OutError if the endpoint is
// out, or the context's error.
func (g *gate) acquire(ctx context.Context, l *modelLimits, tokens uint64) (*ticket, error) {
	if l.tokens > 0 && tokens > l.tokens {
		return nil, fmt.Errorf("a call of %d tokens can never fit into tokens_per_minute %d; raise it or lower max_output", tokens, l.tokens)
	}
	t := &ticket{limits: l, tokens: tokens}
	g.mu.Lock()
	g.declare(l)
	g.queue = append(g.queue, t)
	if g.grantWaiting(); t.resolved { // most calls need not wait
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
		g.takeBack(t)
		return nil, ctx.Err()
	}
}

// grantWaiting lets as many waiting calls be sent as the limits allow. The lock is held.
func (g *gate) grantWaiting() {
	now := time.Now()
	g.refuseUnknown()
	if g.out != nil && (g.permanent || now.Before(g.closed)) {
		g.refuseAll()
		return
	}
	if wait := g.closed.Sub(now); wait > 0 && len(g.queue) > 0 {
		g.wake(wait)
		return
	}
	var soonest time.Duration
	var full []*minuteCalls // of models whose first call must wait: their other calls may not overtake it
	for i := 0; i < len(g.queue); {
		if g.inFlight >= int(g.limit) || (g.probing && g.inFlight > 0) {
			return // the end of a call grants again
		}
		t := g.queue[i]
		if slices.Contains(full, t.limits.minute) {
			i++
			continue
		}
		if wait := t.limits.wait(now, t.tokens); wait > 0 {
			full = append(full, t.limits.minute)
			if soonest == 0 || wait < soonest {
				soonest = wait
			}
			i++
			continue
		}
		g.queue = slices.Delete(g.queue, i, i+1)
		t.at = now
		t.limits.minute.granted = append(t.limits.minute.granted, t)
		g.inFlight++
		t.resolve(nil)
	}
	if soonest > 0 {
		g.wake(soonest)
	}
}

// wait returns how long a call of so many tokens must wait for the model's limits per minute.
func (l *modelLimits) wait(now time.Time, tokens uint64) time.Duration {
	l.minute.forget(now)
	granted := l.minute.granted
	var wait time.Duration
	if n := uint64(len(granted)); l.requests > 0 && n >= l.requests {
		wait = granted[n-l.requests].at.Add(minute).Sub(now)
	}
	if l.tokens > 0 {
		var sum uint64
		for i := len(granted) - 1; i >= 0; i-- {
			if sum += granted[i].tokens; sum+tokens > l.tokens {
				return max(wait, granted[i].at.Add(minute).Sub(now))
			}
		}
	}
	return wait
}

// forget drops the calls of more than a minute ago.
func (m *minuteCalls) forget(now time.Time) {
	i := 0
	for i < len(m.granted) && now.Sub(m.granted[i].at) >= minute {
		i++
	}
	m.granted = m.granted[i:]
}

// wake calls grantWaiting again after a wait.
func (g *gate) wake(wait time.Duration) {
	if g.timer != nil {
		g.timer.Stop()
	}
	g.timer = time.AfterFunc(wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.grantWaiting()
	})
}

// refuseAll refuses all waiting calls, because the endpoint is out.
func (g *gate) refuseAll() {
	for _, t := range g.queue {
		t.resolve(g.out)
	}
	g.queue = nil
}

// refuseUnknown refuses the waiting calls to models that the server does not know.
func (g *gate) refuseUnknown() {
	g.queue = slices.DeleteFunc(g.queue, func(t *ticket) bool {
		if t.limits.out != nil {
			t.resolve(t.limits.out)
		}
		return t.limits.out != nil
	})
}

// cancel ends a call that was let go and not sent, as if it had not been asked for.
func (g *gate) cancel(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.takeBack(t)
}

// takeBack frees what a call that was let go and not sent has reserved. The lock is held.
func (g *gate) takeBack(t *ticket) {
	g.inFlight--
	m := t.limits.minute
	if i := slices.Index(m.granted, t); i >= 0 {
		m.granted = slices.Delete(m.granted, i, i+1)
	}
	g.grantWaiting()
}

// answered ends a call that brought an answer and used so many tokens. pause is the time until the server's rate limit
// allows another call; 0 means now.
func (g *gate) answered(t *ticket, used uint64, pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t.tokens = used
	g.inFlight--
	g.failuresInRow, g.probing = 0, false
	if !g.permanent {
		g.out = nil
	}
	g.limit = min(g.limit+1/g.limit, float64(g.maxInFlight))
	if pause > 0 {
		g.pause(time.Now().Add(pause))
	}
	g.grantWaiting()
}

// failed ends a call that brought no answer. wait is the pause that the server asked for; 0 means none. It reports whether
// the endpoint, or the model, is out now.
func (g *gate) failed(t *ticket, f Failure, text string, wait time.Duration) (out bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	t.tokens = 0
	g.inFlight--
	switch {
	case f == FailureModel:
		t.limits.out = g.outError(t, f, text)
	case f.permanent():
		g.out, g.permanent = g.outError(t, f, text), true
	case f == FailureOther, wait > maxWait && f.countsAgainstEndpoint(): // one may be the fault of the request, ten in a row are not
		if g.failuresInRow++; g.failuresInRow >= breakerFailures {
			g.openFor(breakerPause, t, f, text)
		}
	case f == FailureInterrupted || !f.countsAgainstEndpoint():
	default:
		switch { // calls that were sent before the last pause are refused for the same reason as the one that caused it
		case f == FailureRate && wait == 0 && !t.at.Before(g.closed):
			g.failuresInRow++
			wait = unstatedWait(g.failuresInRow)
		case f != FailureRate:
			g.failuresInRow++
		}
		if now.Sub(g.lastHalved) > time.Second { // one step down for all that fail together
			g.limit, g.lastHalved = max(1, g.limit/2), now
		}
		if wait > 0 {
			g.pause(now.Add(wait))
		}
		if g.failuresInRow >= breakerFailures {
			g.openFor(max(wait, breakerPause), t, f, text)
		}
	}
	g.grantWaiting()
	return g.out != nil || t.limits.out != nil
}

// modelOut refuses all further calls to the model of a call.
func (g *gate) modelOut(t *ticket, e *OutError) *OutError {
	g.mu.Lock()
	defer g.mu.Unlock()
	t.limits.out = e
	g.grantWaiting()
	return e
}

// unstatedWait returns the pause after the n-th refusal in a row because of a rate limit for which the server states no
// wait: half a second, doubled each time up to breakerPause. The pauses before the breaker opens take more than a minute
// together, so a limit per minute does not open it.
func unstatedWait(n int) time.Duration {
	return min(500*time.Millisecond<<min(n-1, 5), breakerPause)
}

// open opens the breaker after a thought whose last try could not connect.
func (g *gate) open(t *ticket, f Failure, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.openFor(breakerPause, t, f, text)
	g.grantWaiting()
}

// openFor opens the breaker. The lock is held.
func (g *gate) openFor(pause time.Duration, t *ticket, f Failure, text string) {
	g.out = g.outError(t, f, text)
	g.pause(time.Now().Add(pause))
}

// outError returns the error that says what is out after a call failed: its model, or the whole endpoint.
func (g *gate) outError(t *ticket, f Failure, text string) *OutError {
	e := &OutError{Endpoint: g.endpoint, Failure: f, Text: text}
	if f == FailureModel {
		e.Model = t.limits.model
	}
	return e
}

// countsAgainstEndpoint reports whether a failure is caused by the endpoint rather than by the request.
func (f Failure) countsAgainstEndpoint() bool { return f.retried() || f == FailureTimeout }

// pause closes the gate until t; then one call probes.
func (g *gate) pause(t time.Time) {
	if t.After(g.closed) {
		g.closed = t
	}
	g.probing = true
}

package openai

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"

	goopenai "github.com/sashabaranov/go-openai"

	"kingdom/llm/keyward"
	"kingdom/llm/spend"
)

// Endpoints are shared by all minds of a process, also those of several runs, because a server cannot tell them
// apart. For each base URL and key they have one set of limits, outages and connections, and for each model with its
// settings one client that remembers what the server accepts.
type Endpoints struct {
	// Warn is called with what a person should change, once per kind of warning and model; nil: no warnings. Set it
	// before the first thought.
	Warn func(string)

	key Key

	mu      sync.Mutex
	byURL   map[string]*endpoint // base URL and fingerprint of the key
	clients []*client            // in the order in which they were first named

	refusing  sync.Mutex // of what follows; taken before mu
	onRefusal map[*func([]Refused)]bool
}

// endpoint is what all models at one base URL, asked with one key, share.
type endpoint struct {
	gate     *gate
	client   *goopenai.Client
	http     *transport
	redactor *redactor
	first    *Model // that was asked there; it says how to connect
}

// Key returns the key for a model, the zero Key if it needs none.
type Key func(m *Model) keyward.Key

// NewEndpoints returns Endpoints without any endpoint yet. key is called once per model.
func NewEndpoints(key Key) *Endpoints {
	return &Endpoints{key: key, byURL: map[string]*endpoint{}}
}

// Mind returns a mind that sends thoughts of tier i+1 to the models tiers[i], to the first that is in service. It checks
// the models. A name may have other settings in another mind, as after a change of the scenario. ledger has the caps of the mind's run and counts what it
// spends; nil means no cap.
func (e *Endpoints) Mind(tiers [3][]Model, ledger *spend.Ledger) (*Mind, error) {
	if ledger == nil {
		ledger = spend.New(spend.Caps{}, nil)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	m := &Mind{jitter: rand.Float64, ledger: ledger}
	for i := range tiers {
		if len(tiers[i]) == 0 {
			return nil, fmt.Errorf("tier %d names no model; give at least one", i+1)
		}
		for j := range tiers[i] {
			c, err := e.model(&tiers[i][j])
			if err != nil {
				return nil, err
			}
			m.tiers[i] = append(m.tiers[i], c)
		}
	}
	return m, nil
}

// model returns the client of a model with its settings and creates it at the first call. The lock is held.
func (e *Endpoints) model(model *Model) (*client, error) {
	if err := model.Check(); err != nil {
		return nil, err
	}
	if model.Timeout == 0 {
		model.Timeout = DefaultTimeout
	}
	for _, c := range e.clients {
		if reflect.DeepEqual(c.Model, model) {
			return c, nil
		}
	}
	at, err := e.endpoint(model)
	if err != nil {
		return nil, err
	}
	c := &client{Model: model, warn: e.warn, wasRefused: e.wasRefused, at: at, limits: at.gate.addModel(model), profile: newProfile(model)}
	e.clients = append(e.clients, c)
	return c, nil
}

// warn calls Warn if it is set. It may be called from any goroutine.
func (e *Endpoints) warn(text string) {
	if e.Warn != nil {
		e.Warn(text)
	}
}

// endpoint returns the endpoint of a model and creates it at the first call. The lock is held.
func (e *Endpoints) endpoint(model *Model) (*endpoint, error) {
	secret := e.key(model)
	name := model.base() + "?" + model.query() + " " + secret.Fingerprint()
	if known := e.byURL[name]; known != nil {
		return known, model.connectsLike(known.first)
	}
	wire, err := newTransport(model, secret)
	if err != nil {
		return nil, err
	}
	made := newEndpoint(model, wire, newRedactor(secret.Reveal()))
	e.byURL[name] = made
	return made, nil
}

func newEndpoint(model *Model, wire *transport, r *redactor) *endpoint {
	cfg := goopenai.DefaultConfig("")
	cfg.BaseURL = model.base()
	cfg.HTTPClient = wire
	return &endpoint{gate: newGate(model.Endpoint), client: goopenai.NewClientWithConfig(cfg), http: wire, redactor: r, first: model}
}

// connectsLike returns a [*FieldError] if a model must be connected to in another way than one of the same endpoint, with
// which it shares the connections.
func (m *Model) connectsLike(other *Model) error {
	const what = "differs from that of the model %q, which has the same endpoint and key; give both the same"
	switch {
	case m.UseProxy != other.UseProxy:
		return m.fieldError("proxy", fmt.Sprintf(what, other.Name))
	case m.CAFile != other.CAFile:
		return m.fieldError("ca_file", fmt.Sprintf(what, other.Name))
	}
	return nil
}

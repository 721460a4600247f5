package openai

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sort"
	"strings"
	"time"

	"kingdom/llm/keyward"
)

// State is the result of a [Check].
type State uint8

// The states.
const (
	OK      State = iota + 1
	Failed        // something must be changed
	Skipped       // the server does not say, or an earlier check is broken
	Warned        // works, but something should be changed
)

// String returns ok, FAIL, skip or warn.
func (s State) String() string {
	switch s {
	case OK:
		return "ok"
	case Failed:
		return "FAIL"
	case Warned:
		return "warn"
	default:
		return "skip"
	}
}

// Check is the result of one check of a model.
type Check struct {
	Name    string // reachable, key, model, context, concurrency, call, output, cap, usage, reasoning or price
	State   State
	Found   string  // what there is, in words
	Fix     string  // of a broken one, or one with a warning: what to change
	Failure Failure // of a broken one: what kind of failure a run would meet
}

// preflightTimeout is how long one request that spends no tokens may take.
const preflightTimeout = 10 * time.Second

// checker makes the checks of one model. Its requests cost nothing, but for the one call of Examine.
type checker struct {
	m         *Model
	key       keyward.Key
	transport *transport
	redactor  *redactor
	entry     map[string]json.RawMessage // of the server's list: the model's, nil if there is none
	local     bool                       // the host is this machine or in a private network
}

// newChecker returns a checker, or what is wrong with the declaration of the model, before anything is sent.
func newChecker(m *Model, key keyward.Key) (*checker, []Check) {
	err := m.Check()
	l := &checker{m: m, key: key, redactor: newRedactor(key.Reveal())}
	if err == nil {
		l.transport, err = newTransport(m, key)
	}
	if err != nil {
		return nil, []Check{{
			Name: "reachable", State: Failed, Found: err.Error(), Failure: FailureOther,
			Fix: "change minds.models." + m.Name + ", in the scenario, by --set, or in the environment variable that fills it in",
		}}
	}
	l.local = isPrivate(hostOf(m.base()))
	return l, nil
}

// Preflight checks whether a model can be asked, without spending a token: whether its endpoint answers, accepts the key
// and knows the model. If a server has no list of models, the last two checks are skipped.
func Preflight(ctx context.Context, m *Model, key keyward.Key) []Check {
	l, bad := newChecker(m, key)
	if bad != nil {
		return bad
	}
	defer l.transport.close()
	return l.preflight(ctx)
}

func (l *checker) preflight(ctx context.Context) []Check {
	reach, access, model := Check{Name: "reachable"}, Check{Name: "key"}, Check{Name: "model"}
	began := time.Now()
	status, header, body, err := l.get(ctx, l.m.models())
	took := time.Since(began).Round(time.Millisecond)
	said := l.redactor.clean(parseErrorText(body))
	switch {
	case err != nil:
		reach = l.unreachable(ctx, err)
	case status >= 300 && status < 400 && status != 304:
		reach.State, reach.Failure = Failed, FailureRedirected
		reach.Found = "it redirects to " + l.redactor.clean(header.Get("Location"))
		reach.Fix = l.fixRedirect()
	case status >= 500 && status != http.StatusNotImplemented:
		reach.State, reach.Failure = Failed, FailureOverloaded
		reach.Found, reach.Fix = fmt.Sprintf("it answers %d: %s", status, said), "wait until the server is up and has loaded its model"
	default:
		reach.State, reach.Found = OK, fmt.Sprintf("%s answers in %v", l.m.base(), took)
	}
	if reach.State == Failed {
		return []Check{reach}
	}
	list, listed := models(body)
	switch {
	case refusesKey(status, body):
		return []Check{reach, l.refusedKey(fmt.Sprintf("%d: %s", status, said))}
	case status == http.StatusOK && listed:
		access, model = l.accepted(ctx, list), l.known(list)
	case l.missesV1(ctx):
		reach.State, reach.Failure = Failed, FailureModel
		reach.Found = "there is no API at " + l.m.base() + ", but there is one below it"
		reach.Fix = "set " + l.field("endpoint") + "=" + l.m.base() + "/v1"
		return []Check{reach}
	default:
		access.State, access.Found = Skipped, "the server has no list of models to try it on"
		if status >= 400 && status != http.StatusNotFound && status != http.StatusMethodNotAllowed && status != http.StatusNotImplemented {
			access.Found = fmt.Sprintf("the server answers %d when it is asked for its models: %s", status, said)
		}
		model.State, model.Found = Skipped, access.Found
	}
	return []Check{reach, access, model}
}

// field is the path of one of the model's fields in the scenario.
func (l *checker) field(name string) string { return "minds.models." + l.m.Name + "." + name }

// fixRedirect says what to do about an endpoint that redirects.
func (l *checker) fixRedirect() string {
	return "a key is never sent along a redirect; set " + l.field("endpoint") + " to where the API really is"
}

// get asks for a document with the key.
func (l *checker) get(ctx context.Context, url string) (int, http.Header, []byte, error) {
	return l.ask(ctx, http.MethodGet, url, nil)
}

func (l *checker) ask(ctx context.Context, method, url string, body io.Reader) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, preflightTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return 0, nil, nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	l.transport.sign(req)
	resp, err := l.transport.next.RoundTrip(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }() // all that counts was read
	b, err := read(resp)
	return resp.StatusCode, resp.Header, b, err
}

// unreachable returns the check of a connection that failed.
func (l *checker) unreachable(ctx context.Context, err error) Check {
	c := Check{Name: "reachable", State: Failed, Failure: failureOf(ctx, err), Found: l.redactor.clean(err.Error())}
	change := "set " + l.field("endpoint") + " to where the server is"
	change += l.m.orSet("KINGDOM_ENDPOINT")
	if l.m.UseProxy {
		change += ", or correct HTTPS_PROXY and NO_PROXY, or set " + l.field("proxy") + "=none"
	}
	var dns *net.DNSError
	var noTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &noTLS):
		c.Fix = "what answers there speaks no TLS: begin the endpoint with http://, or have the server speak TLS"
	case c.Failure == FailureCertificate:
		c.Fix = "use the host name that the certificate is for, or have the server's certificate signed by an authority that this machine trusts, or name the authority's certificate with " + l.field("ca_file")
	case c.Failure == FailureTimeout:
		c.Found, c.Fix = fmt.Sprintf("no answer within %v", preflightTimeout), "see whether a firewall or a proxy is in the way, or "+change
	case errors.As(err, &dns):
		c.Fix = "see whether the host name is right: " + change
	default:
		c.Fix = "start the server, or " + change
	}
	return c
}

// refusedKey returns the check of a key that the endpoint refuses.
func (l *checker) refusedKey(said string) Check {
	c := Check{Name: "key", State: Failed, Failure: FailureAuth, Found: "the endpoint wants a key and got none (" + said + ")"}
	c.Fix = "name one with key_env, key_file or key of minds.models." + l.m.Name
	if l.m.Name == "default" {
		c.Fix = "set KINGDOM_API_KEY, or " + c.Fix
	}
	if !l.key.IsZero() {
		c.Found = fmt.Sprintf("the endpoint refuses the %v (%s)", l.key, said)
		c.Fix = "give the key that belongs to " + l.m.base()
	}
	return c
}

// refusesKey reports whether a reply to a request for a document says that the key is refused.
func refusesKey(status int, body []byte) bool {
	e := parseError(body)
	return status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusBadRequest && keyText.MatchString(e.message)
}

// accepted checks the key after the list of models was received. OpenRouter shows its list to everybody, so its key is
// tested at another URL.
func (l *checker) accepted(ctx context.Context, list []map[string]json.RawMessage) Check {
	if l.key.IsZero() {
		return Check{Name: "key", State: OK, Found: "none given, none asked for so far"}
	}
	if len(list) > 0 && present(list[0]["supported_parameters"]) && present(list[0]["pricing"]) {
		status, _, body, err := l.get(ctx, l.m.base()+"/key")
		if err == nil && refusesKey(status, body) {
			return l.refusedKey(fmt.Sprintf("%d: %s", status, l.redactor.clean(parseErrorText(body))))
		}
	}
	return Check{Name: "key", State: OK, Found: l.key.String()}
}

// known looks for the model in the server's list.
func (l *checker) known(list []map[string]json.RawMessage) Check {
	c := Check{Name: "model", State: OK, Found: l.m.ID}
	base, _, _ := strings.Cut(l.m.ID, ":")
	for _, want := range []string{l.m.ID, "models/" + l.m.ID, l.m.ID + ":latest", base} { // Gemini, Ollama, OpenRouter's variants
		for _, e := range list {
			if stringOf(e["id"]) == want {
				l.entry = e
				return c
			}
		}
	}
	if len(list) == 1 && stringOf(list[0]["owned_by"]) == "llamacpp" {
		l.entry = list[0]
		c.Found = l.redactor.clean(stringOf(list[0]["id"])) + ", whatever name is asked for"
		return c
	}
	if l.m.query() != "" || strings.Contains(l.m.Endpoint, ".azure.com") {
		return Check{Name: "model", State: Skipped, Found: "the list of models does not name deployments"}
	}
	c.State, c.Failure = Failed, FailureModel
	c.Found = fmt.Sprintf("the server does not list %s; it has %s", l.m.ID, l.listSome(list))
	c.Fix = "set " + l.field("model") + " to one of its names, or load the model there"
	return c
}

// listSome lists a few models, those whose names begin like the wanted one first.
func (l *checker) listSome(list []map[string]json.RawMessage) string {
	var names []string
	for _, e := range list {
		names = append(names, l.redactor.clean(stringOf(e["id"])))
	}
	sort.SliceStable(names, func(i, j int) bool { return commonPrefix(names[i], l.m.ID) > commonPrefix(names[j], l.m.ID) })
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > 5:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}

// commonPrefix returns the length of the common prefix of two texts, ignoring case.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n]|0x20 == b[n]|0x20 {
		n++
	}
	return n
}

// missesV1 reports whether the API is at /v1 below the base URL.
func (l *checker) missesV1(ctx context.Context) bool {
	if l.m.query() != "" || strings.HasSuffix(l.m.base(), "/v1") {
		return false
	}
	status, _, body, err := l.get(ctx, l.m.base()+"/v1/models")
	if err != nil || status != http.StatusOK {
		return false
	}
	_, listed := models(body)
	return listed
}

// models reads a list of models, in the forms that servers use.
func models(body []byte) (list []map[string]json.RawMessage, ok bool) {
	var outer struct {
		Data []map[string]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(body, &outer) == nil && outer.Data != nil {
		return outer.Data, true
	}
	return list, json.Unmarshal(body, &list) == nil && list != nil
}

// parseErrorText is what an error page says.
func parseErrorText(body []byte) string {
	if e := parseError(body); e.message != "" {
		return e.message
	}
	return string(body[:min(len(body), 4*maxErrorText)])
}

// hostOf is the host name in a URL that was checked.
func hostOf(base string) string {
	req, err := http.NewRequest(http.MethodGet, base, nil)
	if err != nil {
		return ""
	}
	return req.URL.Hostname()
}

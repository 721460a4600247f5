package openai

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"kingdom/llm/keyward"
)

// Output is how the form of an answer is enforced, from the strictest to the weakest. The prompt describes the form
// in every case, so only the share of unusable answers differs.
type Output uint8

// The levels. A model whose server refuses one goes on at the next for the whole run.
const (
	OutputStrict Output = iota + 1 // response_format json_schema with the schema of the allowed actions and their params
	OutputSmall                    // json_schema with a small schema, in which params are text
	OutputObject                   // json_schema with {"type":"object"}: any JSON object
	OutputJSON                     // response_format json_object
	OutputPrompt                   // nothing but the prompt's words
)

// String returns the name used in scenarios and logs.
func (o Output) String() string {
	switch o {
	case OutputStrict:
		return "json_schema"
	case OutputSmall:
		return "small_schema"
	case OutputObject:
		return "any_object"
	case OutputJSON:
		return "json_object"
	case OutputPrompt:
		return "prompt"
	default:
		return fmt.Sprintf("output(%d)", uint8(o))
	}
}

// Prices are the prices of a model, in millionths of a US dollar per million tokens.
type Prices struct {
	Input       uint64
	CachedInput uint64 // of the input tokens that the server read from its cache
	CacheWrite  uint64 // of the input tokens that the server wrote into its cache; 0: as Input
	Output      uint64
}

// Model is one model at one endpoint, as a scenario declares it.
type Model struct {
	Name       string // in the scenario
	Endpoint   string // base URL, without /chat/completions
	ID         string // the name the server knows it by
	MaxContext uint64 // tokens, prompt and answer together
	MaxOutput  uint64 // tokens of an answer, thinking included
	Prices     Prices

	RequestsPerMinute uint64 // 0: no declared limit
	TokensPerMinute   uint64 // 0: no declared limit
	Concurrency       int    // most calls at once to the endpoint; 0: DefaultConcurrency

	// Timeout bounds the calls of one thought and the pauses between them; 0: DefaultTimeout.
	Timeout time.Duration

	Temperature *float64
	Seed        *int64
	Effort      string // reasoning_effort, passed on as it is
	Output      Output
	CacheKey    bool           // sends prompt_cache_key
	Extra       map[string]any // more fields of the request body
	UseProxy    bool           // asks through the proxy that HTTPS_PROXY names, except for hosts of NO_PROXY and this machine
	CAFile      string         // certificates in PEM that are trusted besides those of the system; "": none
	Insecure    bool           // allows http to a host that is not this machine or its private network
	Begun       bool           // of a run that has begun, to which KINGDOM_ENDPOINT and KINGDOM_MODEL do not apply
}

// DefaultConcurrency is how many calls an endpoint gets at the same time if its models do not say.
const DefaultConcurrency = 4

// DefaultTimeout limits the calls of one thought if the model has no timeout.
const DefaultTimeout = 30 * time.Second

// Timeouts of a connection; the answer itself has the thought's.
const (
	dialTimeout = 5 * time.Second
	tlsTimeout  = 5 * time.Second
)

// Check returns a [*FieldError] if the model cannot be called as declared.
func (m *Model) Check() error {
	u, err := url.Parse(m.Endpoint)
	switch {
	case m.Endpoint == "":
		return m.fieldError("endpoint", "is missing; give the base URL, such as https://api.openai.com/v1"+m.orSet("KINGDOM_ENDPOINT"))
	case err != nil || u.Host == "" || strings.ContainsFunc(m.Endpoint, isControl):
		return m.fieldError("endpoint", "is no URL; give one such as http://127.0.0.1:11434/v1")
	case u.User != nil:
		return m.fieldError("endpoint", "must not hold a user or password; give the key by itself")
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return m.fieldError("endpoint", "must end before /chat/completions")
	case strings.Contains(m.Endpoint, "#") || strings.Contains(m.Endpoint, "?") && !isDeployment(u):
		return m.fieldError("endpoint", "must not hold ? or #, except ?api-version=VERSION after the path of a deployment, /openai/deployments/NAME (old endpoints of Azure)")
	case u.Scheme != "https" && u.Scheme != "http":
		return m.fieldError("endpoint", "must begin with https:// or http://")
	case u.Scheme == "http" && !m.Insecure && !isPrivate(u.Hostname()):
		return m.fieldError("endpoint", "would send key and prompts unencrypted over a public network; use https, or set insecure: true if that is meant")
	case u.Scheme == "http" && m.UseProxy:
		return m.fieldError("proxy", "would see key and prompts, because the endpoint begins with http://; use https, or set proxy: none")
	case m.ID == "":
		return m.fieldError("model", "is missing; give the name the server knows the model by"+m.orSet("KINGDOM_MODEL"))
	case m.CacheKey && m.Extra[cacheKeyField] != nil:
		return m.fieldError(cacheKeyField, "is true, and extra holds a prompt_cache_key of its own; keep one of the two")
	case m.MaxOutput == 0:
		return m.fieldError("max_output", "must be at least 1 token")
	case m.MaxContext > 0 && m.MaxOutput >= m.MaxContext:
		return m.fieldError("max_output", fmt.Sprintf("is %d, which leaves nothing of a context of %d tokens for the prompt; make it smaller", m.MaxOutput, m.MaxContext))
	}
	_, err = m.roots()
	return err
}

// roots returns the certificates that are trusted: nil for those of the system, else these and those of CAFile.
func (m *Model) roots() (*x509.CertPool, error) {
	if m.CAFile == "" {
		return nil, nil
	}
	path, err := keyward.ExpandHome(m.CAFile)
	if err != nil {
		return nil, m.fieldError("ca_file", err.Error())
	}
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, m.fieldError("ca_file", fmt.Sprintf("cannot be read: %v; give a file of certificates in PEM", err))
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a system without any
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, m.fieldError("ca_file", path+" holds no certificate in PEM; give one that begins with -----BEGIN CERTIFICATE-----")
	}
	return pool, nil
}

func (m *Model) fieldError(field, what string) error { return &FieldError{m.Name, field, what} }

// FieldError says which field of a model is wrong, so that a caller who read the model from a file can add the
// position.
type FieldError struct {
	Model string // its name in the scenario
	Field string // such as "endpoint", as scenarios write it
	What  string // what is wrong with it, and what would be right
}

func (e *FieldError) Error() string { return fmt.Sprintf("model %q: %s %s", e.Model, e.Field, e.What) }

// orSet names the environment variable that fills in the field of a model named default.
func (m *Model) orSet(env string) string {
	if m.Name != "default" || m.Begun {
		return ""
	}
	return " (or set " + env + ")"
}

// base is the endpoint without its query and without a slash at its end.
func (m *Model) base() string {
	base, _, _ := strings.Cut(m.Endpoint, "?")
	return strings.TrimRight(base, "/")
}

// query is the query of the endpoint of an Azure deployment, empty for all others.
func (m *Model) query() string {
	_, query, _ := strings.Cut(m.Endpoint, "?")
	return query
}

// models is the URL of the server's list of models. All deployments of an Azure resource share one.
func (m *Model) models() string {
	if m.query() == "" {
		return m.base() + "/models"
	}
	return deploymentPath.ReplaceAllString(m.base(), "/openai/models")
}

var deploymentPath = regexp.MustCompile(`/openai/deployments/[^/]+/?$`)

// isDeployment reports whether an endpoint is a deployment of Azure in the old form, before /openai/v1: with the version of
// the API in its query.
func isDeployment(u *url.URL) bool {
	query, err := url.ParseQuery(u.RawQuery)
	return err == nil && len(query) == 1 && query.Get("api-version") != "" && deploymentPath.MatchString(u.Path)
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7F }

// isPrivate says whether a host is this machine or in a private network.
func isPrivate(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsPrivate())
}

// Local reports whether the endpoint is this machine or in a private network.
func (m *Model) Local() bool {
	u, err := url.Parse(m.Endpoint)
	return err == nil && isPrivate(u.Hostname())
}

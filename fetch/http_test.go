package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/wire"
	"kingdom/wire/codec"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// site is a web server on loopback, whatever name it is asked by, and a fetcher that finds it.
type site struct {
	*HTTP
	mux    *http.ServeMux
	dialed []string // addresses, in order
	names  map[string][]string
	mu     sync.Mutex
}

// newSite makes a site; names resolve to 127.0.0.1 unless said otherwise.
func newSite(t *testing.T, private []netip.Prefix) *site {
	s := &site{HTTP: NewHTTP(private), mux: http.NewServeMux(), names: map[string][]string{}}
	server := httptest.NewServer(s.mux)
	t.Cleanup(server.Close)
	s.lookup = func(_ context.Context, _, host string) ([]netip.Addr, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answers, ok := s.names[host]
		if !ok {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		answer := answers[0]
		if len(answers) > 1 {
			s.names[host] = answers[1:] // the next time something else
		}
		var out []netip.Addr
		for _, a := range strings.Fields(answer) {
			out = append(out, netip.MustParseAddr(a))
		}
		return out, nil
	}
	s.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		s.mu.Lock()
		s.dialed = append(s.dialed, address)
		s.mu.Unlock()
		var d net.Dialer
		return d.DialContext(ctx, network, server.Listener.Addr().String())
	}
	return s
}

func (s *site) page(path string, h http.HandlerFunc) { s.mux.HandleFunc(path, h) }

func question(url string) *wire.WebFetch {
	return &wire.WebFetch{URL: []byte(url), Method: wire.HTTPMethodGet, Allow: []string{"docs.test", "other.test"}, Block: []string{"blocked.docs.test"}}
}

// get asks and decodes.
func get(t *testing.T, f interface {
	Fetch(context.Context, []byte) ([]byte, error)
}, q *wire.WebFetch,
) (*wire.WebFetched, error) {
	t.Helper()
	raw, err := f.Fetch(t.Context(), wire.WebFetchCodec.Append(nil, q))
	if err != nil {
		return nil, err
	}
	a := &wire.WebFetched{}
	if err := wire.WebFetchedCodec.Decode(raw, a); err != nil {
		t.Fatal(err)
	}
	return a, nil
}

func TestHTTP_Answers(t *testing.T) {
	s := newSite(t, loopback)
	s.page("/a", func(w http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			switch name {
			case "Accept", "Accept-Encoding", "Connection", "User-Agent", "Content-Type", "Content-Length":
			default:
				t.Errorf("header %s is sent", name)
			}
		}
		w.Header().Set("Content-Type", "text/markdown")
		w.Header().Set("Set-Cookie", "x=1")
		body := make([]byte, 3)
		n, _ := r.Body.Read(body)
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.Header.Get("Accept"), body[:n])
		if n > 0 {
			fmt.Fprint(w, ", ", r.Header.Get("Content-Type"))
		}
		if got := r.Header.Get("User-Agent"); got != userAgent {
			t.Errorf("it calls itself %q, want %q", got, userAgent)
		}
	})
	q := question("http://docs.test/a")
	q.Headers = codec.BinMap{{Key: "accept", Value: []byte("text/plain")}, {Key: "cookie", Value: []byte("x")}}
	for m, want := range map[wire.HTTPMethod]string{
		wire.HTTPMethodGet: "GET docs.test text/plain ", wire.HTTPMethodPost: "POST docs.test text/plain abc, text/plain; charset=utf-8", wire.HTTPMethodHead: "",
	} {
		q.Method, q.Body = m, []byte("abc")
		for range 2 { // the second time without a cookie too
			a, err := get(t, s, q)
			if err != nil || a.Status != 200 || string(a.Content) != want || string(a.ContentType) != "text/markdown" {
				t.Errorf("%v: %+v, %v; want %q", m, a, err, want)
			}
		}
	}
	if a, err := get(t, s, question("http://docs.test/none")); err != nil || a.Status != 404 {
		t.Errorf("a page that is not there: %+v, %v", a, err)
	}
}

// A server may give a page any type, of which only the beginning is kept.
func TestHTTP_LongContentType(t *testing.T) {
	s := newSite(t, loopback)
	s.page("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", strings.Repeat("t", maxTypeBytes+2))
	})
	if a, err := get(t, s, question("http://docs.test/")); err != nil || len(a.ContentType) != 256 {
		t.Errorf("the type %q, %v; want 256 bytes", a.ContentType, err)
	}
}

// A redirect does not lead from a protected connection to one that others can read.
func TestHTTP_StaysProtected(t *testing.T) {
	s := newSite(t, loopback)
	s.page("/plain", func(w http.ResponseWriter, _ *http.Request) { t.Error("the unprotected page was asked for") })
	s.page("/end", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "end") })
	s.page("/down", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://docs.test/plain", http.StatusFound)
	})
	s.page("/on", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://docs.test/end", http.StatusFound)
	})
	server := httptest.NewTLSServer(s.mux)
	t.Cleanup(server.Close)
	s.transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	s.transport.TLSClientConfig.ServerName = "example.com" // as in its certificate
	s.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	if _, err := get(t, s, question("https://docs.test/down")); reason(err) != wire.FetchRedirects || !strings.Contains(err.Error(), "from https to http") {
		t.Errorf("a redirect to an unprotected page: %v", err)
	}
	if a, err := get(t, s, question("https://docs.test/on")); err != nil || string(a.Content) != "end" {
		t.Errorf("a redirect to a protected page: %+v, %v", a, err)
	}
}

// No request is sent to an address that is not public, whatever its name.
func TestHTTP_RefusesNonPublicAddresses(t *testing.T) {
	for _, addrs := range []string{
		"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
		"fe80::1", "fc00::1", "fd12::1", "ff02::1", "::", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "::ffff:10.0.0.1", "192.0.2.1", "198.18.0.1", "fec0::1",
		"93.184.216.34 127.0.0.1",
	} {
		s := newSite(t, nil)
		s.page("/", func(http.ResponseWriter, *http.Request) { t.Errorf("%s was asked", addrs) })
		s.names["docs.test"] = []string{addrs}
		_, err := get(t, s, question("http://docs.test/"))
		if err == nil || wire.FetchFailure(err.Error()) != wire.FetchFailed || len(s.dialed) > 0 {
			t.Errorf("%s: dialed %v, error %v", addrs, s.dialed, err)
		}
	}
	for _, a := range []string{"93.184.216.34", "1.1.1.1", "::ffff:1.1.1.1", "2606:4700::1111"} {
		if !Public(netip.MustParseAddr(a)) {
			t.Errorf("%s is public", a)
		}
	}
}

// TestHTTP_Rebinding: the address that was looked at is the one that is connected to, and a
// redirect to the same name is looked at anew.
func TestHTTP_Rebinding(t *testing.T) {
	s := newSite(t, nil)
	s.page("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "fine") })
	s.page("/again", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	s.names["docs.test"] = []string{"93.184.216.34", "127.0.0.1"}
	if _, err := get(t, s, question("http://docs.test/")); err != nil || len(s.dialed) != 1 || s.dialed[0] != "93.184.216.34:80" {
		t.Errorf("dialed %v, error %v", s.dialed, err)
	}
	s.dialed, s.names["docs.test"] = nil, []string{"93.184.216.34", "127.0.0.1"}
	if _, err := get(t, s, question("http://docs.test/again")); err == nil || len(s.dialed) != 1 {
		t.Errorf("after a redirect: dialed %v, error %v", s.dialed, err)
	}
}

func TestHTTP_Redirects(t *testing.T) {
	s := newSite(t, loopback)
	s.names["private.docs.test"] = []string{"10.0.0.1"}
	s.page("/end", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method) })
	shown := 0
	s.page("/third", func(http.ResponseWriter, *http.Request) { shown++ })
	s.page("/to", func(w http.ResponseWriter, r *http.Request) {
		code := http.StatusFound
		if r.FormValue("keep") != "" {
			code = http.StatusTemporaryRedirect
		}
		w.Header().Set("Location", r.FormValue("url"))
		w.WriteHeader(code)
	})
	for url, want := range map[string]string{
		"/to?url=/end":                                        "",
		"/to?url=/to?url=/end":                                "",
		"/to?url=http://other.test/end":                       "",
		"/to?url=//other.test/end":                            "",
		"/to?url=http://blocked.docs.test/end":                wire.FetchRedirects,
		"/to?url=http://elsewhere.test/end":                   wire.FetchRedirects,
		"/to?url=http://127.0.0.1/end":                        wire.FetchRedirects,
		"/to?url=http://[::1]/end":                            wire.FetchRedirects,
		"/to?url=http://docs.test:8080/end":                   wire.FetchRedirects,
		"/to?url=http://me@docs.test/end":                     wire.FetchRedirects,
		"/to?url=file:///etc/passwd":                          wire.FetchRedirects,
		"/to?url=http://private.docs.test/end":                wire.FetchFailed,
		"/to?url=/to?url%3D/to%3Furl%253D/to%253Furl%25253D/": wire.FetchRedirects,
	} {
		a, err := get(t, s, question("http://docs.test"+url))
		if got := reason(err); got != want || err == nil && string(a.Content) != "GET" {
			t.Errorf("%s: %+v, %v; want %q", url, a, err, want)
		}
	}
	if _, err := get(t, s, question("http://docs.test/to?url=/to?url%3D/to%3Furl%253D/third")); reason(err) != wire.FetchRedirects || shown > 0 || !strings.HasSuffix(err.Error(), "more than 2") {
		t.Errorf("a third redirect: %v; it was followed %d times", err, shown)
	}
	q := question("http://docs.test/to?url=/end")
	q.Method, q.Body = wire.HTTPMethodPost, []byte("x")
	if a, err := get(t, s, q); err != nil || string(a.Content) != "GET" {
		t.Errorf("a POST that is answered elsewhere: %+v, %v", a, err)
	}
	q.Method, q.Body = wire.HTTPMethodHead, nil
	if a, err := get(t, s, q); err != nil || len(a.Content) > 0 {
		t.Errorf("a HEAD that is answered elsewhere: %+v, %v; want no content", a, err)
	}
	q.URL, q.Method, q.Body = []byte("http://docs.test/to?keep=1&url=/end"), wire.HTTPMethodPost, []byte("x")
	if a, err := get(t, s, q); err != nil || string(a.Content) != "POST" {
		t.Errorf("a POST that is sent elsewhere: %+v, %v", a, err)
	}
	s.names["none.docs.test"] = []string{""}
	if _, err := get(t, s, question("http://none.docs.test/")); reason(err) != wire.FetchFailed || !strings.Contains(err.Error(), "none.docs.test has no address") {
		t.Errorf("a name without an address: %v", err)
	}
	if _, err := get(t, s, question("http://elsewhere.test/")); reason(err) != wire.FetchFailed {
		t.Errorf("a domain without a rule: %v", err)
	}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return wire.FetchFailure(err.Error())
}

// Only the beginning of a huge response is read, compressed or not, and a slow one ends in time.
func TestHTTP_SizeAndTimeAreBounded(t *testing.T) {
	s := newSite(t, loopback)
	s.timeout = 30 * time.Second
	var written atomic.Int64
	s.page("/huge", func(w http.ResponseWriter, _ *http.Request) {
		for range 1 << 12 {
			n, err := w.Write(bytes.Repeat([]byte("x"), 1<<14))
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	s.page("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 1 << 12 {
			if _, err := z.Write(make([]byte, 1<<14)); err != nil {
				return
			}
		}
		_ = z.Close()
	})
	s.page("/drip", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, "x")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	s.page("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for _, path := range []string{"/huge", "/bomb"} {
		a, err := get(t, s, question("http://docs.test"+path))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(a.Content) != MaxContent {
			t.Errorf("%s: %d bytes", path, len(a.Content))
		}
	}
	if n := written.Load(); n > 32<<20 {
		t.Errorf("the server got rid of %d bytes", n)
	}
	s.page("/headers", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X", strings.Repeat("x", 2*maxHeaderBytes))
	})
	if _, err := get(t, s, question("http://docs.test/headers")); reason(err) != wire.FetchFailed {
		t.Errorf("headers of %d bytes: %v", 2*maxHeaderBytes, err)
	}
	s.timeout = 300 * time.Millisecond
	for _, path := range []string{"/drip", "/silent"} {
		if _, err := get(t, s, question("http://docs.test"+path)); reason(err) != wire.FetchTimeout {
			t.Errorf("%s: %v", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Fetch(ctx, wire.WebFetchCodec.Append(nil, question("http://docs.test/silent"))); !errors.Is(err, context.Canceled) {
		t.Errorf("the end of the run: %v", err)
	}
}

// TestHTTP_Concurrent: no more than the stated number of questions go on at the same time.
func TestHTTP_Concurrent(t *testing.T) {
	s := newSite(t, loopback)
	var now, most atomic.Int64
	s.page("/", func(http.ResponseWriter, *http.Request) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
	})
	var wg sync.WaitGroup
	for range 4 * Concurrent {
		wg.Go(func() {
			if _, err := get(t, s, question("http://docs.test/")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := most.Load(); n > Concurrent || n < 2 {
		t.Errorf("%d at the same time, at most %d", n, Concurrent)
	}
}

// TestHTTP_Proxy: a proxy of the environment is not asked.
func TestHTTP_Proxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	s := newSite(t, loopback)
	s.page("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "direct") })
	if s.transport.Proxy != nil {
		t.Error("a proxy is looked for")
	}
	if a, err := get(t, s, question("http://docs.test/")); err != nil || string(a.Content) != "direct" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestRecorded(t *testing.T) {
	s := newSite(t, loopback)
	s.page("/a", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, "one\n\ntwo "+r.Method)
	})
	dir := t.TempDir()
	recorder, recorded := &Recorder{Dir: dir, From: s.HTTP}, &Recorded{Dir: dir}
	for _, m := range []wire.HTTPMethod{wire.HTTPMethodGet, wire.HTTPMethodPost, wire.HTTPMethodHead} {
		q := question("http://docs.test/a")
		q.Method, q.Body = m, []byte("x")
		if m != wire.HTTPMethodPost {
			q.Body = nil
		}
		if _, err := get(t, recorded, q); reason(err) != wire.FetchFailed {
			t.Fatalf("%v: answered before it was recorded: %v", m, err)
		}
		first, err := get(t, recorder, q)
		if err != nil {
			t.Fatal(err)
		}
		again, err := get(t, recorded, q)
		if err != nil || again.Status != first.Status || string(again.Content) != string(first.Content) || string(again.ContentType) != string(first.ContentType) {
			t.Errorf("%v: recorded %+v, %v; want %+v", m, again, err, first)
		}
	}
	for raw, wrong := range map[string]string{
		"": "want a line", "GET http://docs.test/a\n200 x": "want a line", "GET http://docs.test/b\n200\n\n": "line 1", "GET http://docs.test/a\nOK\n\n": "line 2",
		"GET http://docs.test/a\n200 text/plain\r\n\r\nfine": "", "GET http://docs.test/a\n200\n\n": "",
		"GET http://docs.test/a\n99 x\n\n": "line 2", "GET http://docs.test/a\n100 x\n\n": "", "GET http://docs.test/a\n999 x\n\n": "", "GET http://docs.test/a\n1000 x\n\n": "line 2",
		"GET http://docs.test/a\n65736 x\n\n": "line 2", // 200 in 16 bits
	} {
		_, err := parsePage([]byte(raw), question("http://docs.test/a"))
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", raw, err, wrong)
		}
	}
	page := "GET http://docs.test/a\n200 x\n\n" + strings.Repeat("c", MaxContent+2)
	if a, err := parsePage([]byte(page), question("http://docs.test/a")); err != nil || len(a.Content) != MaxContent {
		t.Errorf("a page that is too long: %d bytes, %v; want %d", len(a.Content), err, MaxContent)
	}
	if _, err := recorded.Fetch(t.Context(), []byte("junk")); reason(err) != wire.FetchFailed {
		t.Errorf("no question of Portal's: %v", err)
	}
}

func FuzzParsePage(f *testing.F) {
	for _, text := range []string{
		"GET http://docs.test/a\n200 text/plain\n\nfine", "GET http://docs.test/a\r\n404 text/html; charset=utf-8\r\n\r\n", "GET http://docs.test/a\n204 \n\n",
	} {
		if _, err := parsePage([]byte(text), question("http://docs.test/a")); err != nil {
			f.Fatalf("%q: %v", text, err)
		}
		f.Add([]byte(text))
	}
	for _, text := range []string{
		"", "GET http://docs.test/a\n200 text/plain\n", "GET http://docs.test/a\n200 text/plain\nno empty line\n", "GET http://docs.test/b\n200 text/plain\n\n", "GET http://docs.test/a\n99 text/plain\n\n",
	} {
		if _, err := parsePage([]byte(text), question("http://docs.test/a")); err == nil {
			f.Fatalf("%q was read", text)
		}
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := parsePage(raw, question("http://docs.test/a"))
		if err == nil && (a.Status < 100 || len(a.Content) > MaxContent) {
			t.Fatalf("%q gives %+v", raw, a)
		}
	})
}

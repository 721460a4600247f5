package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"kingdom/wire"
	"kingdom/world/portal"
)

// Limits of a question over HTTP.
const (
	Timeout      = 10 * time.Second // from the first connection to the last byte
	MaxRedirects = 2
	MaxContent   = 65_536 // bytes of an answer after decompression; the rest is not read
	Concurrent   = 8      // questions at the same time; others wait

	maxHeaderBytes = 65_536
	maxTypeBytes   = 256
)

// userAgent is what servers learn of who asks.
const userAgent = "kingdom-portal/1"

// HTTP asks web servers. It may be used from many goroutines.
type HTTP struct {
	private   []netip.Prefix
	slots     chan struct{}
	transport *http.Transport
	timeout   time.Duration

	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
}

// NewHTTP returns a fetcher that connects to public addresses and to those of private.
func NewHTTP(private []netip.Prefix) *HTTP {
	f := &HTTP{
		private: private, slots: make(chan struct{}, Concurrent), timeout: Timeout,
		lookup: net.DefaultResolver.LookupNetIP, dial: (&net.Dialer{}).DialContext,
	}
	f.transport = &http.Transport{ // Proxy stays nil: those of the environment are not asked
		DialContext: f.connect, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeaderBytes,
	}
	return f
}

// Fetch takes a wire.WebFetch and returns a wire.WebFetched.
func (f *HTTP) Fetch(ctx context.Context, question []byte) ([]byte, error) {
	q, err := read(question)
	if err != nil {
		return nil, err
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	a, err := f.follow(limited, q)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("%s: no answer within %v", wire.FetchTimeout, f.timeout)
	case err != nil:
		return nil, err
	}
	return wire.WebFetchedCodec.Append(nil, a), nil
}

// read decodes a question of Portal's.
func read(question []byte) (*wire.WebFetch, error) {
	q := &wire.WebFetch{}
	if err := wire.WebFetchCodec.Decode(question, q); err != nil {
		return nil, fmt.Errorf("%s: read question: %w", wire.FetchFailed, err)
	}
	return q, nil
}

// follow asks, and goes where redirects lead as long as Portal may go there.
func (f *HTTP) follow(ctx context.Context, q *wire.WebFetch) (*wire.WebFetched, error) {
	at, method, body := string(q.URL), q.Method, q.Body
	for hops := 0; ; hops++ {
		if !portal.Allows(q, []byte(at)) {
			reason := wire.FetchRedirects
			if hops == 0 {
				reason = wire.FetchFailed
			}
			return nil, fmt.Errorf("%s: %q is not an address that may be asked", reason, at)
		}
		resp, err := f.ask(ctx, q, at, method, body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", wire.FetchFailed, err)
		}
		next, ok := redirect(resp)
		if !ok {
			a, err := content(resp, method)
			return a, errors.Join(err, resp.Body.Close())
		}
		if err := resp.Body.Close(); err != nil {
			return nil, fmt.Errorf("%s: %w", wire.FetchFailed, err)
		}
		switch {
		case hops == MaxRedirects:
			return nil, fmt.Errorf("%s: more than %d", wire.FetchRedirects, MaxRedirects)
		case resp.Request.URL.Scheme == "https" && next.Scheme != "https":
			return nil, fmt.Errorf("%s: from https to %s", wire.FetchRedirects, next.Scheme)
		case resp.StatusCode < 307 && method == wire.HTTPMethodPost:
			method, body = wire.HTTPMethodGet, nil
		}
		at = next.String()
	}
}

// ask sends one request, without its redirects.
func (f *HTTP) ask(ctx context.Context, q *wire.WebFetch, at string, method wire.HTTPMethod, body []byte) (*http.Response, error) {
	var sent io.Reader
	if method == wire.HTTPMethodPost {
		sent = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method.String(), at, sent)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", userAgent)
	for _, name := range []string{"Accept", "Accept-Language"} {
		for i := range q.Headers {
			if http.CanonicalHeaderKey(q.Headers[i].Key) == name {
				req.Header.Set(name, string(q.Headers[i].Value))
			}
		}
	}
	if sent != nil {
		req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	return f.transport.RoundTrip(req)
}

// redirect is where an answer leads, if it does.
func redirect(r *http.Response) (*url.URL, bool) {
	switch r.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	next, err := r.Location()
	return next, err == nil
}

// content reads as much of an answer as anybody will see.
func content(r *http.Response, method wire.HTTPMethod) (*wire.WebFetched, error) {
	a := &wire.WebFetched{Status: uint16(r.StatusCode), ContentType: []byte(r.Header.Get("Content-Type"))}
	a.ContentType = a.ContentType[:min(len(a.ContentType), maxTypeBytes)]
	if method == wire.HTTPMethodHead {
		return a, nil
	}
	var err error
	if a.Content, err = io.ReadAll(io.LimitReader(r.Body, MaxContent)); err != nil {
		return nil, fmt.Errorf("%s: read answer: %w", wire.FetchFailed, err)
	}
	return a, nil
}

// connect resolves a name once, looks at all its addresses, and connects to one that it looked at:
// a name server that answers differently the next time is not asked again.
func (f *HTTP) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := f.lookup(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if !Public(a) && !containsAny(f.private, a) {
			return nil, fmt.Errorf("%s has the address %v, which is not public; a scenario may name it in portal.private", host, a)
		}
	}
	err = fmt.Errorf("%s has no address", host)
	for _, a := range addrs {
		var c net.Conn
		if c, err = f.dial(ctx, network, net.JoinHostPort(a.Unmap().String(), port)); err == nil {
			return c, nil
		}
	}
	return nil, err
}

package openai

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"kingdom/llm/keyward"
)

// Bounds of what is read from a server.
const (
	maxReplyBytes = 1 << 20
	maxErrorBytes = 64 << 10
)

// call is the record of one request: what the transport learned and go-openai's types have no place for. It is passed in
// the request's context.
type call struct {
	body          request
	bodies, wrote atomic.Int32 // how often ask was handed out, and written to its end
	begun         time.Time
	took          time.Duration

	profile     *profile    // that the request was made with
	takes       uint64      // tokens of the messages and the longest answer
	least       uint64      // what they take at least; 0: the messages cannot be made shorter
	requestSent atomic.Bool // the whole request was written: the server may work on it
	replyRead   bool        // the whole reply was read
	status      int
	header      http.Header
	errorBody   []byte // of a reply that failed, cut
	reply       reply
	failure     Failure
	err         error // of the transport
	serverError wireError
}

type callKey struct{}

// transport stands between go-openai and the network for one endpoint. It is the
// only holder of the endpoint's key.
type transport struct {
	next  http.RoundTripper
	key   keyward.Key
	query string // of the endpoint of an Azure deployment: goes into each URL, and the key into the header api-key
}

// maxIdle is a limit that is never reached: the gate limits the calls, and so the connections.
const maxIdle = 1 << 16

// writeBuffer is larger than most requests, so that one system call sends the whole request.
const writeBuffer = 64 << 10

// newTransport returns a transport with bounded waits that uses a proxy only if the model says so.
func newTransport(m *Model, key keyward.Key) (*transport, error) {
	roots, err := m.roots()
	if err != nil {
		return nil, err
	}
	dial := &net.Dialer{Timeout: dialTimeout}
	next := &http.Transport{
		DialContext: dial.DialContext, TLSHandshakeTimeout: tlsTimeout,
		MaxIdleConns: maxIdle, MaxIdleConnsPerHost: maxIdle, IdleConnTimeout: 90 * time.Second,
		WriteBufferSize:    writeBuffer,
		DisableCompression: true, // read decompresses, within the limits
		ForceAttemptHTTP2:  true,
		TLSClientConfig:    &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}
	if m.UseProxy {
		next.Proxy = http.ProxyFromEnvironment
		next.OnProxyConnectResponse = proxyRefusal
	}
	return &transport{key: key, query: m.query(), next: next}, nil
}

// proxyRefusal returns an error that names the proxy, without its password, if it does not connect to the endpoint.
func proxyRefusal(_ context.Context, proxy *url.URL, _ *http.Request, r *http.Response) error {
	if r.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the proxy %s refuses to connect: %s", proxy.Host, r.Status)
}

// Replies for go-openai. All that is used is in the record of the call.
const (
	okCall  = `{}`
	errCall = `{"error":{"message":"see the record of the call","type":"kingdom"}}`
)

// Do implements go-openai's HTTPDoer. It sends the body of the call's record in place of the one
// that go-openai made, and follows no redirect.
func (t *transport) Do(req *http.Request) (*http.Response, error) {
	c, _ := req.Context().Value(callKey{}).(*call)
	if c == nil {
		return nil, errors.New("openai: a request without a call record")
	}
	c.body.setBody(req, &c.bodies)
	t.sign(req)
	wrote := func(info httptrace.WroteRequestInfo) {
		if c.requestSent.Store(info.Err == nil); info.Err == nil {
			c.wrote.Add(1)
		}
	}
	out := req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{WroteRequest: wrote}))
	resp, err := t.next.RoundTrip(out)
	if err != nil {
		c.err, c.failure = err, failureOf(req.Context(), err)
		return fakeResponse(req, http.StatusBadGateway, errCall), nil
	}
	defer func() { _ = resp.Body.Close() }() // all that counts was read
	c.status, c.header = resp.StatusCode, resp.Header
	body, err := read(resp)
	if err != nil {
		c.err, c.failure = err, failureOf(req.Context(), err)
		if c.failure == FailureTransport {
			c.failure = FailureGarbled
		}
		return fakeResponse(req, http.StatusBadGateway, errCall), nil
	}
	c.replyRead = true
	c.classify(body)
	if c.failure != FailureNone {
		return fakeResponse(req, http.StatusBadGateway, errCall), nil
	}
	return fakeResponse(req, http.StatusOK, okCall), nil
}

// sign adds the key to a request, the query of the endpoint, and what all requests have.
func (t *transport) sign(out *http.Request) {
	if t.query != "" {
		out.URL.RawQuery = t.query
	}
	out.Header.Del("Authorization")
	switch {
	case t.key.IsZero():
	case t.query != "":
		out.Header.Set("api-key", t.key.Reveal())
	default:
		out.Header.Set("Authorization", "Bearer "+t.key.Reveal())
	}
	out.Header.Set("User-Agent", "kingdom")
	out.Header.Set("Accept-Encoding", "gzip")
}

// close ends the connections that are kept for later.
func (t *transport) close() {
	if next, ok := t.next.(*http.Transport); ok {
		next.CloseIdleConnections()
	}
}

// read takes a body within its bound, gzip undone.
func read(resp *http.Response) ([]byte, error) {
	limit := int64(maxReplyBytes)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		limit = maxErrorBytes
	}
	var src io.Reader = resp.Body
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		z, err := gzip.NewReader(resp.Body)
		switch {
		case err == nil:
			src = z
		case limit == maxErrorBytes:
			return nil, nil // its status says enough
		default:
			return nil, fmt.Errorf("reply says gzip and is not: %w", err)
		}
	}
	room := bytes.NewBuffer(make([]byte, 0, min(max(resp.ContentLength, 0), limit)+bytes.MinRead)) // usually the whole length, so that the buffer need not grow
	_, err := room.ReadFrom(io.LimitReader(src, limit+1))
	body := bytes.TrimPrefix(room.Bytes(), []byte("\xEF\xBB\xBF"))
	switch {
	case err != nil && limit == maxErrorBytes && (len(body) > 0 || resp.Request.Context().Err() == nil):
		return body, nil // a broken error page, or none, is still an error
	case err != nil:
		return nil, fmt.Errorf("read reply: %w", err)
	case int64(len(body)) > limit && limit == maxErrorBytes:
		return body[:limit], nil
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("reply is longer than %d bytes", limit)
	}
	return body, nil
}

// classify reads a reply and decides whether it is an answer or which failure it is.
func (c *call) classify(body []byte) {
	if c.status >= 200 && c.status <= 299 {
		r, said, status, err := parseReply(body)
		switch {
		case err != nil:
			c.failure, c.err = FailureGarbled, err
			c.reply.usage = usageOf(body)
		case said != nil:
			c.serverError, c.failure = *said, classify(status, said, false)
			c.reply.usage, c.reply.stopped = usageOf(body), r.stopped
		case r.finish == "error" || r.finish == "insufficient_system_resource":
			c.failure, c.serverError = FailureOverloaded, wireError{message: "finish_reason " + r.finish}
			c.reply.usage, c.reply.stopped = r.usage, true
		default:
			c.reply = r
		}
	} else {
		c.serverError = parseError(body)
		c.failure = classify(c.status, &c.serverError, c.header.Get("Retry-After") != "")
		c.reply.usage = usageOf(body)
		if c.serverError.code == "json_validate_failed" {
			c.failure, c.reply = FailureNone, reply{text: c.serverError.failed, finish: "json_validate_failed", usage: c.reply.usage}
		}
	}
	c.errorBody = body[:min(len(body), 4*maxErrorText)]
}

// fakeResponse returns a response for go-openai.
func fakeResponse(req *http.Request, status int, body string) *http.Response {
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// failureOf classifies an error of the transport.
func failureOf(ctx context.Context, err error) Failure {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		return FailureTimeout
	case ctx.Err() != nil:
		return FailureInterrupted
	case isCertificate(err):
		return FailureCertificate
	}
	return FailureTransport
}

// unreached reports whether no connection was made: nobody listens there or at the proxy, or there is no route.
func (c *call) unreached() bool {
	var op *net.OpError
	return errors.As(c.err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// isCertificate reports whether a connection failed because the certificate is not trusted or no acceptable version of
// TLS is offered. Trying again does not help.
func isCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &record) || tlsRefused.MatchString(err.Error())
}

// tlsRefused matches the TLS errors whose types crypto/tls does not export.
var tlsRefused = regexp.MustCompile(`tls: (protocol version not supported|handshake failure|insufficient security level|certificate required|server selected unsupported protocol version)`)

package openai

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kingdom/llm"
	"kingdom/llm/keyward"
)

// certificate is one that signs itself, for this address and until then.
func certificate(t *testing.T, ip net.IP, until time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{ip},
		NotBefore: until.Add(-48 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// A server that is not who it should be, or speaks too old a TLS, is not asked again and sees
// no request; one that cannot be reached is tried as often as any.
func TestThink_ConnectionsThatFail(t *testing.T) {
	here, there := net.IPv4(127, 0, 0, 1), net.IPv4(127, 0, 0, 2)
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	tests := []struct {
		name  string
		ip    net.IP
		until time.Time
		most  uint16
		says  string // "": answered
	}{
		{"good", here, soon, 0, ""},
		{"expired", here, past, 0, "certificate: "},
		{"another name", there, soon, 0, "certificate: "},
		{"TLS 1.0", here, soon, tls.VersionTLS10, "certificate: "},
		{"TLS 1.1", here, soon, tls.VersionTLS11, "certificate: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked, dialled atomic.Int64
			ts := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				_, _ = io.WriteString(w, wellAnswered)
			}))
			cert, pool := certificate(t, tt.ip, tt.until)
			ts.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS10, MaxVersion: tt.most} //nolint:gosec // old on purpose
			ts.Config.ErrorLog = log.New(io.Discard, "", 0)
			ts.Config.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					dialled.Add(1)
				}
			}
			ts.StartTLS()
			defer ts.Close()
			tier := []Model{{Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxOutput: 100}}
			mind, err := NewEndpoints(func(*Model) keyward.Key { return keyward.Key{} }).Mind([3][]Model{tier, tier, tier}, nil)
			if err != nil {
				t.Fatal(err)
			}
			mind.tiers[0][0].at.http.next.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
			th, err := mind.Think(t.Context(), bubblePrompt(1))
			if err != nil {
				t.Fatal(err)
			}
			if tt.says == "" {
				if th.Outcome != llm.Answered {
					t.Errorf("got %v (%s)", th.Outcome, th.Error)
				}
				return
			}
			if th.Outcome != llm.ProviderError || !strings.Contains(th.Error, tt.says) || !th.Outage {
				t.Errorf("got %v (%s)", th.Outcome, th.Error)
			}
			if asked.Load() != 0 || dialled.Load() != 1 || len(th.Calls) != 1 {
				t.Errorf("%d requests on %d connections, %d calls; want none on one", asked.Load(), dialled.Load(), len(th.Calls))
			}
		})
	}
	for name, failed := range map[string]error{
		"unknown name":       &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true},
		"connection refused": syscall.ECONNREFUSED,
	} {
		t.Run(name, func(t *testing.T) { // the last try finds nobody there: the endpoint is out, and not only this thought lost
			tier := []Model{{Name: "default", Endpoint: "https://nowhere.invalid/v1", ID: "fake", MaxOutput: 100}}
			mind, err := NewEndpoints(func(*Model) keyward.Key { return keyward.Key{} }).Mind([3][]Model{tier, tier, tier}, nil)
			if err != nil {
				t.Fatal(err)
			}
			mind.tiers[0][0].at.http.next.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: failed}
			}
			for _, calls := range []int{3, 0} { // the next thought asks nobody
				th, err := mind.Think(t.Context(), bubblePrompt(1))
				if err != nil || th.Outcome != llm.ProviderError || len(th.Calls) != calls || !th.Outage || !strings.Contains(th.Error, "is out: transport: ") {
					t.Errorf("got %v (%s), outage %v, %v after %d calls; want an outage after %d", th.Outcome, th.Error, th.Outage, err, len(th.Calls), calls)
				}
			}
		})
	}
	t.Run("found again", func(t *testing.T) { // a last try that reached somebody says that the endpoint is there
		tier := []Model{{Name: "default", Endpoint: "http://127.0.0.1:1/v1", ID: "fake", MaxOutput: 100}}
		mind, err := NewEndpoints(func(*Model) keyward.Key { return keyward.Key{} }).Mind([3][]Model{tier, tier, tier}, nil)
		if err != nil {
			t.Fatal(err)
		}
		dialled := 0
		mind.tiers[0][0].at.http.next.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
			if dialled++; dialled == 3 {
				here, there := net.Pipe()
				_ = there.Close()
				return here, nil
			}
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
		th, err := mind.Think(t.Context(), bubblePrompt(1))
		if err != nil || th.Outcome != llm.ProviderError || len(th.Calls) != 3 || th.Outage {
			t.Errorf("got %v (%s), outage %v, %v after %d calls", th.Outcome, th.Error, th.Outage, err, len(th.Calls))
		}
	})
}

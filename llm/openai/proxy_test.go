package openai_test

import (
	"bufio"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// secure starts a model server whose certificate, for example.com and this machine, no system trusts. It returns the
// certificate's file.
func secure(t *testing.T) (*httptest.Server, *fakellm.Server, string) {
	t.Helper()
	server := &fakellm.Server{Seed: 1, Key: plantedKey}
	ts := httptest.NewUnstartedServer(server)
	ts.Config.ErrorLog = log.New(io.Discard, "", 0)
	ts.StartTLS()
	t.Cleanup(ts.Close)
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return ts, server, path
}

func TestThink_CAFile(t *testing.T) {
	ts, server, path := secure(t)
	for _, file := range []string{"", path} {
		l := newLab(t, nil, func(m *openai.Model) { m.Endpoint, m.CAFile = ts.URL+"/v1", file })
		th := l.think(t, openai.DefaultTimeout)
		if trusted := file != ""; trusted != (th.Outcome == llm.Answered) || !trusted && !strings.HasPrefix(th.Error, "endpoint ") {
			t.Errorf("with the file %q: %v (%s)", file, th.Outcome, th.Error)
		}
		m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxOutput: 1, CAFile: file}
		if c := openai.Preflight(t.Context(), &m, planted(nil)); (c[0].State == openai.OK) != (file != "") || file == "" && !strings.Contains(c[0].Fix, "minds.models.default.ca_file") {
			t.Errorf("preflight with the file %q: %+v", file, c)
		}
	}
	if n := server.Counts().Requests; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// What is wrong with the way to an endpoint is said before anything is asked.
func TestModel_CheckOfProxyAndCAFile(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.pem")
	if err := os.WriteFile(bad, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(*openai.Model){
		filepath.Join(dir, "none.pem"):                     func(m *openai.Model) { m.CAFile = filepath.Join(dir, "none.pem") },
		bad + " holds no certificate":                      func(m *openai.Model) { m.CAFile = bad },
		"see key and prompts":                              func(m *openai.Model) { m.UseProxy, m.Endpoint = true, "http://10.1.2.3/v1" },
		"proxy differs from that of the model \"first\"":   func(m *openai.Model) { m.UseProxy = true },
		"ca_file differs from that of the model \"first\"": func(m *openai.Model) { _, _, m.CAFile = secure(t) },
	} {
		first := openai.Model{Name: "first", Endpoint: "https://example.com/v1", ID: "x", MaxOutput: 1}
		m := first
		m.Name = "other"
		change(&m)
		tier := []openai.Model{first, m}
		if _, err := openai.NewEndpoints(noKey).Mind([3][]openai.Model{tier, tier, tier}, nil); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), `model "other"`) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
}

// connector is a proxy that connects to one server, whatever host is asked for.
type connector struct {
	to     net.Addr
	status int // of the reply to CONNECT

	mu  sync.Mutex
	got bytes.Buffer // all that it was sent in the clear
}

func (p *connector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	_ = r.Write(&p.got)
	p.mu.Unlock()
	if r.Method != http.MethodConnect || p.status != http.StatusOK {
		w.WriteHeader(p.status)
		return
	}
	out, err := net.Dial("tcp", p.to.String())
	if err != nil {
		return
	}
	in, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	fmt.Fprint(in, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
	_, _ = io.Copy(in, out)
	_ = in.Close()
}

// The proxy of the environment is used if the model says so, and sees nothing but the host. Go reads these variables once,
// so each case is a process of its own.
func TestThink_Proxy(t *testing.T) {
	if os.Getenv("PROXY_TEST_CA") != "" {
		l := newLab(t, nil, func(m *openai.Model) {
			m.Endpoint, m.CAFile, m.UseProxy = os.Getenv("PROXY_TEST_ENDPOINT"), os.Getenv("PROXY_TEST_CA"), os.Getenv("PROXY_TEST_USE") != ""
		})
		th := l.think(t, openai.DefaultTimeout)
		fmt.Printf("outcome %v %s\n", th.Outcome, th.Error)
		return
	}
	ts, server, ca := secure(t)
	for name, tt := range map[string]struct {
		endpoint, use, no string // no: NO_PROXY
		status            int
		says              string // of the process
		connects          bool   // through the proxy
	}{
		"used":             {"https://example.com/v1", "yes", "", 200, "outcome answered", true},
		"refuses":          {"https://example.com/v1", "yes", "", 403, "refuses to connect: 403 Forbidden", true},
		"this machine":     {ts.URL + "/v1", "yes", "", 200, "outcome answered", false},
		"not asked for":    {ts.URL + "/v1", "", "", 200, "outcome answered", false},
		"host of NO_PROXY": {"https://nowhere.invalid/v1", "yes", "nowhere.invalid", 200, "outcome provider_error", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &connector{to: ts.Listener.Addr(), status: tt.status}
			proxy := httptest.NewServer(p)
			defer proxy.Close()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestThink_Proxy$", "-test.v")
			cmd.Env = append(os.Environ(), "HTTPS_PROXY=http://user:proxy-password@"+proxy.Listener.Addr().String(), "NO_PROXY="+tt.no, "no_proxy="+tt.no,
				"PROXY_TEST_CA="+ca, "PROXY_TEST_ENDPOINT="+tt.endpoint, "PROXY_TEST_USE="+tt.use)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), tt.says) || strings.Contains(string(out), "proxy-password") {
				t.Errorf("%v, want %q:\n%s", err, tt.says, out)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(p.got.Bytes())))
			if connected := err == nil && r.Method == http.MethodConnect && r.Host == "example.com:443"; connected != tt.connects || strings.Contains(p.got.String(), plantedKey) {
				t.Errorf("the proxy saw %q", p.got.String())
			}
		})
	}
	t.Cleanup(func() {
		if n := server.Counts().Requests; n != 3 {
			t.Errorf("the server got %d requests, want 3", n)
		}
	})
}

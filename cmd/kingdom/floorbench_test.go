package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	goopenai "github.com/sashabaranov/go-openai"
)

// Sizes of a request of BenchmarkLLM, in bytes: of what is the same in all of them, the rules and the form of an answer, and of the rest.
const floorShared, floorOwn = 30_000, 11_000

// BenchmarkLLM_Floor is the least that a tick of BenchmarkLLM can take on this machine: so many goroutines each make one bare call, with as
// many bytes as a prompt has, to a server that reads it, waits as long, and answers with the same few bytes. Nobody makes a prompt, reads an
// answer or acts. client=go-openai is the library that the engine uses, which encodes the request; client=plain sends bytes that are encoded.
// A round is from the first call to the last answer: over-ms is what the median one takes beyond the latency, least-over-ms the shortest.
func BenchmarkLLM_Floor(b *testing.B) {
	for _, calls := range []int{60, 100} {
		for _, client := range []string{"go-openai", "plain"} {
			b.Run(fmt.Sprintf("calls=%d/client=%s", calls, client), func(b *testing.B) { benchFloor(b, calls, client) })
		}
	}
}

func benchFloor(b *testing.B, calls int, client string) {
	startGCTuner()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asPlainServer+"=1")
	server := serving(b, cmd)
	call := floorCall(server.url, client)
	round := func() time.Duration {
		var all sync.WaitGroup
		begin := time.Now()
		for range calls {
			all.Go(func() {
				if err := call(b.Context()); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		return time.Since(begin)
	}
	round() // connections
	var took []time.Duration
	before, served := cpu(b), server.cpu(b)
	for b.Loop() {
		took = append(took, round())
	}
	used, served := cpu(b)-before, server.cpu(b)-served
	slices.Sort(took)
	all := float64(len(took) * calls)
	b.ReportMetric((took[len(took)/2]-benchLatency).Seconds()*1e3, "over-ms")
	b.ReportMetric((took[0]-benchLatency).Seconds()*1e3, "least-over-ms")
	b.ReportMetric(float64(used.Microseconds())/all, "cpu-µs/call")
	b.ReportMetric(float64(served.Microseconds())/all, "server-µs/call")
}

// floorCall returns what makes one call, over connections like those of llm/openai.
func floorCall(url, client string) func(context.Context) error {
	http1 := &http.Transport{
		DialContext: (&net.Dialer{}).DialContext, MaxIdleConns: 1 << 16, MaxIdleConnsPerHost: 1 << 16, WriteBufferSize: 64 << 10,
		DisableCompression: true, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	shared, own := strings.Repeat("rules of it\n", floorShared/12), strings.Repeat("what I see\n", floorOwn/11)
	if client == "go-openai" {
		cfg := goopenai.DefaultConfig("")
		cfg.BaseURL, cfg.HTTPClient = url, &http.Client{Transport: http1}
		api := goopenai.NewClientWithConfig(cfg)
		return func(ctx context.Context) error {
			_, err := api.CreateChatCompletion(ctx, goopenai.ChatCompletionRequest{Model: "fake", Messages: []goopenai.ChatCompletionMessage{{Role: "system", Content: shared}, {Role: "user", Content: own}}})
			return err
		}
	}
	body := []byte(shared + own)
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat/completions", bytes.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := http1.RoundTrip(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
}

// asPlainServer names the environment variable with which this binary is the server of BenchmarkLLM_Floor and nothing else.
const asPlainServer = "KINGDOM_TEST_PLAIN_SERVER"

// servePlainly serves until the process is ended.
func servePlainly() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("serving http://%s/v1;\n", l.Addr())
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := time.After(benchLatency)
		_, _ = io.Copy(io.Discard, r.Body)
		<-answered
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"x","object":"chat.completion","model":"fake","choices":[{"index":0,"message":{"role":"assistant","content":"{\"action\":\"nop\",\"params\":{},\"reasoning\":\"it serves the goal that matters most\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12000,"completion_tokens":40,"total_tokens":12040}}`)
	})))
}

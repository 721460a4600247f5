package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
)

// Two groups with different models at one endpoint share its limit of open calls, and both learn of its outage at once.
func TestLLM_GroupsAtOneEndpointShareItsLimits(t *testing.T) {
	const quota = `{"error":{"message":"no credit left","code":"insufficient_quota"}}`
	run := func(t *testing.T, server *fakellm.Server) string {
		withServer(t, server)
		model := `={endpoint: "` + os.Getenv(envEndpoint) + `", model: fake, concurrency: 2}`
		args := []string{
			"run", "epoch0", "--cycles", "1", "--set", "time.base_budget=3", "--set", "think.on_outage=idle", "--no-preflight",
			"--set", "minds.models.one" + model, "--set", "minds.models.two" + model, "--out", filepath.Join(t.TempDir(), "run"),
		}
		for i, name := range []string{"one", "two", "one", "two", "one", "two"} {
			args = append(args, "--set", "population["+string(rune('0'+i))+"].mind="+name)
		}
		return must(t, in(t, args...)).out
	}
	t.Run("limit", func(t *testing.T) {
		var now, most atomic.Int64
		var calls atomic.Int64
		run(t, &fakellm.Server{Script: func(int, *fakellm.Request) fakellm.Act {
			for seen := now.Add(1); ; {
				old := most.Load()
				if seen <= old || most.CompareAndSwap(old, seen) {
					break
				}
			}
			time.Sleep(20 * time.Millisecond)
			now.Add(-1)
			calls.Add(1)
			return nil
		}})
		if n := most.Load(); n != 2 {
			t.Errorf("the server saw %d calls at once, declared are 2", n)
		}
		if n := calls.Load(); n < 12 {
			t.Errorf("%d calls of six agents in three slots", n)
		}
	})
	t.Run("outage", func(t *testing.T) {
		server := &fakellm.Server{Script: fakellm.Always(fakellm.Status(429, quota))}
		if out := run(t, server); !strings.Contains(out, "18 slots passed without an answer of a model (18 failed at the endpoint); kingdom tail ") {
			t.Errorf("the summary does not say how many slots had no answer:\n%s", out)
		}
		if n := server.Counts().Requests; n == 0 || n > 2 {
			t.Errorf("%d requests to an endpoint without credit, want at most the 2 that were under way at once", n)
		}
	})
}

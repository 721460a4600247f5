package spend_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/wire"
)

func usd(micro uint64) *uint64 { return &micro }

func cost(micro uint64) llm.Spent { return llm.Spent{CostMicroUSD: micro, PromptTokens: 10 * micro} }

func payer(n byte) spend.Payer {
	return spend.Payer{Agent: wire.AgentID{n}, Model: "m", Tier: llm.Tier2}
}

func reserve(t *testing.T, l *spend.Ledger, p spend.Payer, worst uint64) *spend.Reservation {
	t.Helper()
	r, err := l.Reserve(t.Context(), p, cost(worst))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func settle(t *testing.T, r *spend.Reservation, micro uint64) {
	t.Helper()
	r.Settle(&llm.Call{Model: "m", Spent: cost(micro)})
}

// Every kind of cap refuses what passes it and nothing else; equal is allowed.
func TestReserve_Caps(t *testing.T) {
	other := spend.Payer{Agent: wire.AgentID{9}, Model: "other", Tier: llm.Tier3}
	for name, tt := range map[string]struct {
		caps  spend.Caps
		says  string
		ofRun bool
		freed spend.Payer // whom the cap does not bind any more
	}{
		"run":   {spend.Caps{Run: usd(100)}, "the cap of the run is 0.0001 USD: 0.00006 USD are spent and the next call may cost 0.000041 USD", true, payer(1)},
		"agent": {spend.Caps{Agent: usd(100)}, "the cap of agent 01000000 is 0.0001 USD", false, payer(2)},
		"model": {spend.Caps{Model: map[string]uint64{"m": 100}}, `the cap of model "m" is`, false, other},
		"tier":  {spend.Caps{Tier: map[llm.Tier]uint64{llm.Tier2: 100}}, "the cap of tier 2 is", false, other},
	} {
		t.Run(name, func(t *testing.T) {
			l := spend.New(tt.caps, nil)
			settle(t, reserve(t, l, payer(1), 100), 60)
			_, err := l.Reserve(t.Context(), payer(1), cost(41))
			var capped *spend.CapError
			if !errors.As(err, &capped) || !strings.Contains(err.Error(), tt.says) || capped.OfRun() != tt.ofRun {
				t.Errorf("got %v, want %q", err, tt.says)
			}
			settle(t, reserve(t, l, payer(1), 40), 40)
			if _, err := l.Reserve(t.Context(), tt.freed, cost(1)); (err == nil) == tt.ofRun {
				t.Errorf("another payer: %v", err)
			}
			if _, err := l.Reserve(t.Context(), payer(1), cost(0)); err != nil {
				t.Errorf("a call that costs nothing: %v", err)
			}
		})
	}
}

// A reservation that would fit without the pending calls waits for them, and gets what they leave.
func TestReserve_WaitsForPendingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := spend.New(spend.Caps{Run: usd(100), Tier: map[llm.Tier]uint64{llm.Tier2: 1000}}, nil)
		first := reserve(t, l, payer(1), 80)
		var got error
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, got = l.Reserve(t.Context(), payer(2), cost(50))
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Fatalf("the second call did not wait: %v", got)
		default:
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.Reserve(ctx, payer(3), cost(90)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the end of its time: %v", err)
		}
		settle(t, first, 50)
		<-done
		if got != nil {
			t.Errorf("the second call: %v", got)
		}
		if _, err := l.Reserve(t.Context(), payer(4), cost(51)); err == nil {
			t.Error("a call that can never fit is not refused while another is under way")
		}
	})
}

// Whatever calls come at once, no cap is passed, also counted with what is under way, and a
// call is refused only when it does not fit.
func TestReserve_ConcurrentCallsNeverPassACap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Uint64Range(0, 2000).Draw(t, "cap")
		each := rapid.Uint64Range(0, 500).Draw(t, "cap of an agent")
		l := spend.New(spend.Caps{Run: &limit, Agent: &each}, nil)
		type call struct{ worst, cost uint64 }
		calls := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) call {
			worst := rapid.Uint64Range(0, 300).Draw(t, "worst")
			return call{worst, rapid.Uint64Range(0, worst).Draw(t, "cost")}
		}), 0, 8), 1, 8).Draw(t, "calls of agents")
		var wg sync.WaitGroup
		var mu sync.Mutex
		var spent uint64
		of := make([]uint64, len(calls)) // what each agent spent
		refused := make([][]uint64, len(calls))
		for i, all := range calls {
			wg.Go(func() {
				for _, c := range all {
					r, err := l.Reserve(context.Background(), payer(byte(i)), cost(c.worst))
					if err != nil {
						refused[i] = append(refused[i], c.worst)
						continue
					}
					mu.Lock()
					spent += c.cost
					mu.Unlock()
					of[i] += c.cost
					r.Settle(&llm.Call{Spent: cost(c.cost)})
				}
			})
		}
		wg.Wait()
		got := l.Totals()
		if got.Run.CostMicroUSD != spent || spent > limit {
			t.Fatalf("the ledger says %d, the calls cost %d, the cap is %d", got.Run.CostMicroUSD, spent, limit)
		}
		for _, a := range got.Agents {
			if a.CostMicroUSD != of[a.Agent[0]] || a.CostMicroUSD > each {
				t.Fatalf("an agent spent %d, its calls cost %d, its cap is %d", a.CostMicroUSD, of[a.Agent[0]], each)
			}
		}
		for i, dear := range refused { // what was spent only grows, so what did not fit then does not fit now
			for _, worst := range dear {
				if spent+worst <= limit && of[i]+worst <= each {
					t.Fatalf("a call for %d is refused to an agent who spent %d of %d, where %d of %d are spent", worst, of[i], each, spent, limit)
				}
			}
		}
	})
}

func TestWarnings_OnceEach(t *testing.T) {
	var said []string
	l := spend.New(spend.Caps{Run: usd(100), Model: map[string]uint64{"m": 90}}, func(w spend.Warning) { said = append(said, w.String()) })
	for range 9 {
		settle(t, reserve(t, l, payer(1), 10), 10)
	}
	for range 2 {
		if _, err := l.Reserve(t.Context(), payer(1), cost(1)); err == nil {
			t.Fatal("not refused")
		}
	}
	want := []string{
		`50 % of the cap of the run are spent: 0.00005 USD of 0.0001 USD`,
		`50 % of the cap of model "m" are spent: 0.00005 USD of 0.00009 USD`,
		`80 % of the cap of the run are spent: 0.00008 USD of 0.0001 USD`,
		`80 % of the cap of model "m" are spent: 0.00008 USD of 0.00009 USD`,
		`the cap of model "m", 0.00009 USD, refuses calls from now on: 0.00009 USD are spent`,
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("said\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}

// Below a threshold there is no warning, and none for a cap that admits free calls only. A new cap of the run holds at
// once and is warned of again.
func TestWarnings_OnlyAtTheirThresholds(t *testing.T) {
	var said []string
	l := spend.New(spend.Caps{Run: usd(1000), Agent: usd(10_000), Tier: map[llm.Tier]uint64{llm.Tier1: 0}}, func(w spend.Warning) {
		said = append(said, fmt.Sprint(w.Percent, " ", w.Of(), " ", w.OfAgent()))
	})
	free := payer(1)
	free.Tier = llm.Tier1
	settle(t, reserve(t, l, free, 0), 0)
	says := func(want ...string) {
		t.Helper()
		if got, want := strings.Join(said, ", "), strings.Join(want, ", "); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		said = nil
	}
	settle(t, reserve(t, l, payer(1), 499), 499)
	says()
	settle(t, reserve(t, l, payer(1), 1), 1)
	says("50 the run false")
	settle(t, reserve(t, l, payer(1), 299), 299)
	says()
	if err := l.SetRunCap(10_000); err != nil {
		t.Fatal(err)
	}
	settle(t, reserve(t, l, payer(1), 4201), 4201)
	says("50 the run false", "50 agent 01000000 true")
}

// Calls are numbered from 1 and settled under their numbers. Calls that a kill left pending are written off in order,
// and the numbers continue.
func TestOpen_LinesOfTheLedgerFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), spend.FileName)
	open := func() *spend.Ledger {
		l := spend.New(spend.Caps{Run: usd(1000)}, nil)
		if err := l.Open(path); err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open()
	one, two := reserve(t, l, payer(1), 10), reserve(t, l, payer(1), 20)
	for n := range uint64(3) {
		reserve(t, l, payer(1), 30+n)
	}
	settle(t, two, 2)
	one.Settle(&llm.Call{Model: "m", Failure: "timeout", Spent: cost(1)})
	close2 := func() {
		for range 2 { // a second time there is nothing to close
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	close2()
	l = open()
	last := reserve(t, l, spend.Payer{Agent: wire.AgentID{1}, Model: "dear", Tier: llm.Tier3}, 50)
	settle(t, last, 50)
	if err := l.SetRunCap(5000); err != nil {
		t.Fatal(err)
	}
	got := l.Totals()
	if m := got.Models; len(m) != 2 || m[0].Model != "dear" || m[0].Calls != 1 || m[1].Model != "m" || m[1].Calls != 5 {
		t.Errorf("by models: %+v", m)
	}
	if got.Run.Failed != 4 || got.Lost.Failed != 3 || got.Run.Calls != 6 {
		t.Errorf("%d of %d calls failed, of the lost ones %d; want 4 of 6 and 3", got.Run.Failed, got.Run.Calls, got.Lost.Failed)
	}
	close2()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	agent := wire.AgentID{1}.String()
	reserved := func(n, micro int) string {
		return fmt.Sprintf(`{"kind":"reserved","call":%d,"agent":"%s","model":"m","tier":2,"prompt_tokens":%d,"micro_usd":%d}`, n, agent, 10*micro, micro)
	}
	lost := func(n, micro int) string {
		return fmt.Sprintf(`{"kind":"settled","call":%d,"failure":"lost","estimated":true,"prompt_tokens":%d,"micro_usd":%d}`, n, 10*micro, micro)
	}
	want := []string{
		reserved(1, 10), reserved(2, 20), reserved(3, 30), reserved(4, 31), reserved(5, 32),
		`{"kind":"settled","call":2,"prompt_tokens":20,"micro_usd":2}`,
		`{"kind":"settled","call":1,"failure":"timeout","prompt_tokens":10,"micro_usd":1}`,
		lost(3, 30), lost(4, 31), lost(5, 32),
		strings.NewReplacer(`"m"`, `"dear"`, `"tier":2`, `"tier":3`).Replace(reserved(6, 50)),
		`{"kind":"settled","call":6,"prompt_tokens":500,"micro_usd":50}`,
		`{"kind":"budget","micro_usd":5000}`,
	}
	if d := cmp.Diff(want, strings.Split(strings.TrimSpace(string(raw)), "\n")); d != "" {
		t.Errorf("lines: want -, got +\n%s", d)
	}
	if err := spend.New(spend.Caps{}, nil).Close(); err != nil {
		t.Errorf("a ledger without a file: %v", err)
	}
}

// A ledger that is opened again knows what was spent, charges a call that was never settled at its maximum, and does
// not repeat warnings.
func TestOpen_ContinuesExistingLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), spend.FileName)
	open := func() (*spend.Ledger, *[]string) {
		said := new([]string)
		l := spend.New(spend.Caps{Run: usd(1000)}, func(w spend.Warning) { *said = append(*said, w.String()) })
		if err := l.Open(path); err != nil {
			t.Fatal(err)
		}
		return l, said
	}
	l, _ := open()
	full := llm.Call{Model: "m", Failure: "timeout", Spent: llm.Spent{
		LatencyMS: 1, PromptTokens: 2, CachedTokens: 3, OutputTokens: 4, ReasoningTokens: 5, CostMicroUSD: 600, Estimated: true,
	}}
	reserve(t, l, payer(1), 700).Settle(&full)
	reserve(t, l, payer(2), 150) // killed
	before := l.Totals()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	torn(t, path)
	for i := range 2 {
		l, said := open()
		got := l.Totals()
		if got.Run.CostMicroUSD != 750 || got.Lost.CostMicroUSD != 150 || got.Lost.Calls != 1 || got.Run.Calls != 2 || got.Agents[0].Total != before.Agents[0].Total {
			t.Errorf("opened again: %+v", got)
		}
		if read, err := spend.Read(path); err != nil || fmt.Sprint(read) != fmt.Sprint(got) {
			t.Errorf("Read: %+v, %v; want %+v", read, err, got)
		}
		if _, err := l.Reserve(t.Context(), payer(3), cost(251)); err == nil {
			t.Error("the cap forgot what was spent")
		}
		if i == 1 {
			if err := l.SetRunCap(5000); err != nil {
				t.Fatal(err)
			}
		}
		if len(*said) != 0 {
			t.Errorf("warned again: %v", *said)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	l, _ = open()
	defer l.Close()
	settle(t, reserve(t, l, payer(3), 4250), 1)
	if _, err := l.Reserve(t.Context(), payer(3), cost(4250)); err == nil {
		t.Error("the raised cap is none")
	}
}

// A server that charges more than the declared prices give does so after a resume too.
func TestOpen_RemembersWhatCostMoreThanReserved(t *testing.T) {
	path := filepath.Join(t.TempDir(), spend.FileName)
	open := func() *spend.Ledger {
		l := spend.New(spend.Caps{Run: usd(100)}, nil)
		if err := l.Open(path); err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open()
	settle(t, reserve(t, l, payer(1), 10), 60)
	for range 2 {
		var capped *spend.CapError
		if _, err := l.Reserve(t.Context(), payer(2), cost(10)); !errors.As(err, &capped) || capped.CallMicroUSD != 60 {
			t.Errorf("after a call of 60 instead of 10 with 40 left: %v", err)
		}
		settle(t, reserve(t, l, spend.Payer{Agent: wire.AgentID{1}, Model: "other", Tier: llm.Tier2}, 10), 0)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l = open()
	}
}

// torn adds the incomplete line that a kill leaves.
func torn(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"kind":"settled","call":2,"micro_`)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpen_RefusesInvalidLines(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":          "x\n",
		"unknown kind":     `{"kind":"gift","micro_usd":1}` + "\n",
		"never reserved":   `{"kind":"settled","call":7,"micro_usd":1}` + "\n",
		"agent of nothing": `{"kind":"reserved","call":1,"agent":"zz","micro_usd":1}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := spend.New(spend.Caps{}, nil).Open(path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := spend.Read(filepath.Join(t.TempDir(), "none")); err != nil || got.Run.Calls != 0 {
		t.Errorf("no file: %+v, %v", got, err)
	}
}

// Whatever the file holds, reading it ends with totals or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"reserved","call":1,"agent":"` + strings.Repeat("0", 64) + `","micro_usd":5}` + "\n" + `{"kind":"settled","call":1,"micro_usd":3}` + "\n"))
	f.Add([]byte(`{"kind":"budget","micro_usd":18446744073709551615}` + "\n{"))
	path := filepath.Join(f.TempDir(), "written")
	l := spend.New(spend.Caps{}, nil)
	if err := l.Open(path); err != nil {
		f.Fatal(err)
	}
	for n := range 3 { // the last call is not settled, as after kill -9
		r, err := l.Reserve(f.Context(), payer(byte(n)), cost(50))
		if err != nil {
			f.Fatal(err)
		}
		if n < 2 {
			r.Settle(&llm.Call{Model: "m", Spent: cost(uint64(n))})
		}
	}
	if err := errors.Join(l.SetRunCap(900), l.Close()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:bytes.IndexByte(whole, '\n')+1])
	f.Add([]byte{})
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(`{"kind":"settled","call":7,"micro_usd":1}` + "\n"))
	f.Add([]byte(`{"kind":"gift","micro_usd":1}` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		want, err := spend.Read(path)
		l := spend.New(spend.Caps{}, nil)
		if oerr := l.Open(path); (oerr == nil) != (err == nil) {
			t.Fatalf("Read says %v, Open %v", err, oerr)
		}
		if err != nil {
			return
		}
		if got := l.Totals(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("Open makes %+v, Read %+v", got, want)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := spend.Read(path); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("read again %+v, %v; want %+v", got, err, want)
		}
	})
}

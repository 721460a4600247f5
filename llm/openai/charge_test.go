package openai_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
)

// What each call of a think is charged for, failed ones too. A prompt of 0 stands for an
// estimate; the lab's model answers with at most 512 tokens.
func TestThink_Charges(t *testing.T) {
	const usage = `"usage":{"prompt_tokens":1000,"completion_tokens":50,"prompt_tokens_details":{"cached_tokens":400},"completion_tokens_details":{"reasoning_tokens":30}}`
	const cost = 600*15/100 + 400*75/1000 + 50*60/100 // millionths of a dollar
	reported := llm.Spent{PromptTokens: 1000, CachedTokens: 400, OutputTokens: 50, ReasoningTokens: 30, CostMicroUSD: cost}
	most := llm.Spent{OutputTokens: 512, Estimated: true}
	tests := []struct {
		name   string
		act    fakellm.Act
		limit  time.Duration
		first  llm.Call
		prompt bool // the tokens of the prompt are an estimate
	}{
		{"reported", fakellm.Reported(usage[len(`"usage":`):]), 0, llm.Call{Spent: reported}, false},
		{"its cost wins", fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":50,"cost":0.0123456}`), 0, llm.Call{
			Spent: llm.Spent{PromptTokens: 1000, OutputTokens: 50, CostMicroUSD: 12346},
		}, false},
		{"thoughts that are not told apart", fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":3000}`), 0, llm.Call{
			Spent: llm.Spent{PromptTokens: 1000, OutputTokens: 3000, CostMicroUSD: 1000*15/100 + 3000*60/100},
		}, false},
		{"absurd", fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":99999999}`), 0, llm.Call{
			Spent: llm.Spent{PromptTokens: 1000, OutputTokens: 512, CostMicroUSD: 1000*15/100 + (512*60+99)/100, Estimated: true},
		}, false},
		{"fee, and a provider who is paid by itself", fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":50,"cost":0.0001,"is_byok":true,"cost_details":{"upstream_inference_cost":0.002}}`), 0, llm.Call{
			Spent: llm.Spent{PromptTokens: 1000, OutputTokens: 50, CostMicroUSD: 2100},
		}, false},
		{"provider who is paid out of the cost", fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":50,"cost":0.002,"is_byok":false,"cost_details":{"upstream_inference_cost":0.002}}`), 0, llm.Call{
			Spent: llm.Spent{PromptTokens: 1000, OutputTokens: 50, CostMicroUSD: 2000},
		}, false},
		{"failed with usage", body(503, `{"error":{"message":"busy"},`+usage+`}`), 0, llm.Call{Failure: "overloaded", Spent: reported}, false},
		{"finish error with usage", body(200, `{"choices":[{"message":{"content":"{}"},"finish_reason":"error"}],`+usage+`}`), 0, llm.Call{Failure: "overloaded", Spent: reported}, false},
		{"failed without", body(503, overload), 0, llm.Call{Failure: "overloaded"}, false},
		{"gateway timeout", body(504, `<html>Gateway Time-out</html>`), 0, llm.Call{Failure: "timeout", Spent: most}, true},
		{"timeout of the server", body(408, `{"error":{"message":"Request timed out."}}`), 0, llm.Call{Failure: "timeout", Spent: most}, true},
		{"timeout of a proxy", body(524, ``), 0, llm.Call{Failure: "timeout", Spent: most}, true},
		{"timeout inside a good reply", body(200, `{"error":{"message":"upstream timed out","code":504}}`), 0, llm.Call{Failure: "timeout", Spent: most}, true},
		{"timeout with usage", body(504, `{"error":{"message":"late"},`+usage+`}`), 0, llm.Call{Failure: "timeout", Spent: reported}, false},
		{"finish error without usage", body(200, `{"choices":[{"message":{"content":"{"},"finish_reason":"error"}]}`), 0, llm.Call{Failure: "overloaded", Spent: most}, true},
		{"error inside a choice", body(200, `{"choices":[{"error":{"message":"provider failed","code":502},"message":{"content":"{"}}]}`), 0, llm.Call{Failure: "overloaded", Spent: most}, true},
		{"error instead of a choice", body(200, `{"error":{"message":"provider failed","code":502}}`), 0, llm.Call{Failure: "overloaded"}, false},
		{"filtered prompt", body(400, `{"error":{"message":"m","code":"content_filter"}}`), 0, llm.Call{Failure: "filtered"}, false},
		{"garbled", body(200, `{"choices":[]}`), 0, llm.Call{Failure: "garbled", Spent: llm.Spent{OutputTokens: 5, Estimated: true}}, true},
		{"garbled with usage", body(200, `{"choices":[{"index":0,"finish_reason":"length"}],`+usage+`}`), 0, llm.Call{Failure: "garbled", Spent: reported}, false},
		{"cut", fakellm.Cut(), 0, llm.Call{Failure: "garbled", Spent: llm.Spent{OutputTokens: 512, Estimated: true}}, true},
		{"no end heard", fakellm.Hang(), 2 * time.Second, llm.Call{Failure: "timeout", Spent: llm.Spent{OutputTokens: 512, Estimated: true}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, fakellm.Then(tt.act), nil)
			th := l.think(t, cmp.Or(tt.limit, 10*time.Second))
			if len(th.Calls) == 0 {
				t.Fatalf("no call is accounted for: %+v", th)
			}
			got := th.Calls[0]
			got.LatencyMS = 0
			want := tt.first
			want.Model = "default"
			if tt.prompt {
				if got.PromptTokens < 500 || got.CostMicroUSD < got.PromptTokens*15/100 {
					t.Errorf("the prompt is estimated at %d tokens, the call at %d micro-dollars", got.PromptTokens, got.CostMicroUSD)
				}
				got.PromptTokens, got.CostMicroUSD = 0, 0
			}
			if got != want {
				t.Errorf("the call is charged as\n%+v, want\n%+v", got, want)
			}
			var sum llm.Spent
			for i := range th.Calls {
				sum.Add(&th.Calls[i].Spent)
			}
			if sum.LatencyMS = th.LatencyMS; sum != th.Spent {
				t.Errorf("the thought took %+v, its calls %+v", th.Spent, sum)
			}
		})
	}
}

// A call that was never sent costs nothing.
func TestThink_UnsentCallIsNotCharged(t *testing.T) {
	l := newLab(t, nil, nil)
	m := openai.Model{
		Name: "default", Endpoint: "http://127.0.0.1:1/v1", ID: "fake", MaxContext: 32768, MaxOutput: 512,
		Prices: openai.Prices{Input: 150_000, Output: 600_000},
	}
	tier := []openai.Model{m}
	mind, err := openai.NewEndpoints(noKey).Mind([3][]openai.Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	th, err := mind.Think(t.Context(), &l.prompt)
	if err != nil || len(th.Calls) != 3 || th.CostMicroUSD != 0 || th.PromptTokens != 0 {
		t.Errorf("got %+v, %v; want three calls that cost nothing", th, err)
	}
}

// What a server writes into its cache has a price of its own, without one that of input. What is reserved, and charged for a
// reply that was lost, is the higher one.
func TestThink_CacheWrites(t *testing.T) {
	const reported = `{"prompt_tokens":1000,"completion_tokens":100,"prompt_tokens_details":{"cached_tokens":300,"cache_write_tokens":%d}}`
	const price = 150_000 // of input; 1000 tokens cost 150 micro-dollars, and 100 tokens of output 60
	for name, tt := range map[string]struct {
		price, written, cost uint64
	}{
		"dearer than input":        {2 * price, 600, 100*15/100 + 300*75/1000 + 600*30/100 + 60 + 1}, // rounded up
		"as input":                 {0, 600, 700*15/100 + 300*75/1000 + 60 + 1},
		"cheaper":                  {price / 10, 600, 100*15/100 + 300*75/1000 + 600*15/1000 + 60 + 1},
		"more than was not cached": {2 * price, 900, 300*75/1000 + 700*30/100 + 60 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, fakellm.Always(fakellm.Reported(fmt.Sprintf(reported, tt.written))), func(m *openai.Model) { m.Prices.CacheWrite = tt.price })
			if th := l.think(t, 5*time.Second); th.CostMicroUSD != tt.cost {
				t.Errorf("cost %d micro-dollars, want %d", th.CostMicroUSD, tt.cost)
			}
		})
	}
	lost := func(write uint64) uint64 {
		l := newLab(t, fakellm.Always(fakellm.Hang()), func(m *openai.Model) { m.Prices = openai.Prices{Input: price, CacheWrite: write} })
		th := l.think(t, 300*time.Millisecond)
		if th.PromptTokens == 0 || th.CostMicroUSD == 0 {
			t.Errorf("a lost call is charged as %+v", th.Spent)
		}
		return th.CostMicroUSD
	}
	if as, dear, cheap := lost(0), lost(10*price), lost(price/10); dear < 10*as-10 || cheap != as {
		t.Errorf("a lost call costs %d, %d if writes cost ten times as much, %d if a tenth", as, dear, cheap)
	}
	reserved := func(write uint64) uint64 {
		l := newLab(t, nil, nil)
		zero := uint64(0)
		tier := []openai.Model{{Name: "default", Endpoint: "http://127.0.0.1:1/v1", ID: "x", MaxOutput: 1, Prices: openai.Prices{Input: price, CacheWrite: write}}}
		mind, err := openai.NewEndpoints(noKey).Mind([3][]openai.Model{tier, tier, tier}, spend.New(spend.Caps{Run: &zero}, nil))
		if err != nil {
			t.Fatal(err)
		}
		th, err := mind.Think(t.Context(), &l.prompt)
		if err != nil || th.Capped == nil {
			t.Fatalf("got %+v, %v; want a refusal by the cap", th, err)
		}
		return th.Capped.Call
	}
	if as, dear, cheap := reserved(0), reserved(10*price), reserved(price/10); dear < 10*as-10 || cheap != as {
		t.Errorf("%d are reserved, %d if writes cost ten times as much, %d if a tenth", as, dear, cheap)
	}
}

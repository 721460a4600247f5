package fakellm

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Storm returns a script in which shares of the requests fail, such as "429:0.1,timeout:0.05". A failure is an HTTP status from
// 400 to 599; timeout, which says nothing; garbage, which answers with no chat completion; or close, which breaks the connection.
// What happens to a request depends on the seed, the request, and how often it came before, and not on the order of requests.
func Storm(spec string, seed uint64) (Script, error) {
	acts, upTo := []Act{}, []float64{}
	sum := 0.0
	for part := range strings.SplitSeq(spec, ",") {
		name, share, _ := strings.Cut(part, ":")
		act, known := failure(name)
		rate, err := strconv.ParseFloat(share, 64)
		if !known || err != nil || !(rate >= 0 && rate <= 1) {
			return nil, fmt.Errorf("%q is no share of a failure; want one such as 429:0.1, with a status from 400 to 599, timeout, garbage or close", part)
		}
		sum += rate
		acts, upTo = append(acts, act), append(upTo, sum)
	}
	if sum > 1.000001 { // shares such as 0.7, 0.2 and 0.1 do not add up to 1 exactly
		return nil, fmt.Errorf("the shares add up to %g; want 1 at most", sum)
	}
	var mu sync.Mutex
	came := map[uint64]uint64{}
	return func(_ int, r *Request) Act {
		hash := sha256.Sum256(r.Body)
		key := binary.BigEndian.Uint64(hash[:])
		mu.Lock()
		came[key]++
		times := came[key]
		mu.Unlock()
		x := rand.New(rand.NewPCG(seed^key, times)).Float64()
		for i := range acts {
			if x < upTo[i] {
				return acts[i]
			}
		}
		return nil
	}, nil
}

// failure returns what a failure of this name does.
func failure(name string) (act Act, known bool) {
	switch name {
	case "timeout":
		return Hang(), true
	case "garbage":
		return Status(http.StatusOK, "<html><title>garbage</title></html>"), true
	case "close":
		return Close(), true
	}
	status, err := strconv.Atoi(name)
	body := fmt.Sprintf(`{"error":{"message":"a rehearsed failure, status %d","type":"rehearsal"}}`, status)
	if status == http.StatusTooManyRequests {
		return Status(status, body, "Retry-After", "1"), true
	}
	return Status(status, body), err == nil && status >= 400 && status < 600
}

// tooLong refuses a request that, with its answer, takes more than the server's context; nil if it does not.
func (s *Server) tooLong(r *Request, prompt uint64) Act {
	takes := prompt + max(r.MaxTokens, r.MaxCompletionTokens)
	if s.Context == 0 || takes <= s.Context {
		return nil
	}
	return Status(http.StatusBadRequest, fmt.Sprintf(`{"error":{"message":"This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion).","type":"invalid_request_error","code":"context_length_exceeded"}}`,
		s.Context, takes, prompt, takes-prompt))
}

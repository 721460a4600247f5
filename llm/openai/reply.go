package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reply is a chat completion, read field by field, since one odd number must not
// cost a paid answer.
type reply struct {
	text     string // the answer, without thoughts
	refusal  string
	finish   string
	model    string
	thinking int    // bytes of thoughts that are not part of the answer
	thoughts string // where they were: a field of the message, or a tag in the text
	usage    usage
	broken   int  // where the text stops being UTF-8, 0 if it is; the text is not kept then
	tools    bool // the model called a tool instead of answering
}

// errGarbled marks a body that is no whole chat completion.
var errGarbled = errors.New("reply is no whole chat completion")

// parseReply reads the body of a 2xx reply: exactly one JSON object with a choice.
// A body that holds an error object gives its status in failed.
func parseReply(body []byte) (r reply, failed *wireError, status int, err error) {
	body = bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var outer map[string]json.RawMessage
	if err := dec.Decode(&outer); err != nil {
		return r, nil, 0, errGarbled
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return r, nil, 0, fmt.Errorf("%w: something follows the object", errGarbled)
	}
	if raw, ok := outer["error"]; ok && string(raw) != "null" {
		e := parseError(body)
		return r, &e, statusOf(e.code), nil
	}
	choice, err := firstChoice(outer["choices"])
	if err != nil {
		return r, nil, 0, err
	}
	if raw, ok := choice["error"]; ok && string(raw) != "null" {
		e := parseError([]byte(`{"error":` + string(raw) + `}`))
		return r, &e, statusOf(e.code), nil
	}
	r.finish, r.model = stringOf(choice["finish_reason"]), stringOf(outer["model"])
	r.usage = parseUsage(outer["usage"])
	if err := r.message(choice["message"]); err != nil {
		return r, nil, 0, err
	}
	return r, nil, 0, nil
}

// statusOf is the HTTP status that an error inside a good reply stands for.
func statusOf(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 502
}

// firstChoice is the choice with index 0, else the first.
func firstChoice(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var choices []map[string]json.RawMessage
	if json.Unmarshal(raw, &choices) != nil || len(choices) == 0 || choices[0] == nil {
		return nil, fmt.Errorf("%w: it holds no choice", errGarbled)
	}
	for _, c := range choices {
		if string(c["index"]) == "0" {
			return c, nil
		}
	}
	return choices[0], nil
}

func (r *reply) message(raw json.RawMessage) error {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return fmt.Errorf("%w: its choice holds no message", errGarbled)
	}
	if times(raw, "content") > 1 {
		return fmt.Errorf("%w: its message holds two contents", errGarbled)
	}
	r.refusal = stringOf(m["refusal"])
	for _, name := range []string{"reasoning", "reasoning_content"} {
		if n := len(stringOf(m[name])); n > 0 {
			r.thinking, r.thoughts = r.thinking+n, name
		}
	}
	r.tools = present(m["tool_calls"]) || present(m["function_call"])
	content := m["content"]
	switch {
	case !present(content):
		return nil
	case content[0] == '"' && !utf8.Valid(content): // decoding would put U+FFFD for what was lost
		r.broken = len(content) - len(bytes.TrimLeftFunc(content, func(c rune) bool { return c != utf8.RuneError }))
		return nil
	case content[0] == '"':
		r.text = stringOf(content)
	case content[0] == '[':
		return r.parts(content)
	default:
		return fmt.Errorf("%w: its content is neither text nor a list of parts", errGarbled)
	}
	n := len(r.text)
	if r.text = withoutThoughts(r.text); len(r.text) < n {
		r.thinking, r.thoughts = r.thinking+n-len(r.text), "<think> in the text"
	}
	return nil
}

// times is how often an object has a field; json.Unmarshal keeps the last without a word.
func times(object json.RawMessage, field string) int {
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // the brace
	n := 0
	for dec.More() {
		var value json.RawMessage
		name, err := dec.Token()
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		if name == field {
			n++
		}
	}
	return n
}

// parts joins the text parts of a content that is a list.
func (r *reply) parts(raw json.RawMessage) error {
	var parts []map[string]json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return fmt.Errorf("%w: its content is no list of parts", errGarbled)
	}
	var b strings.Builder
	for _, p := range parts {
		if stringOf(p["type"]) == "thinking" {
			r.thinking, r.thoughts = r.thinking+len(p["thinking"]), "parts of type thinking"
			continue
		}
		b.WriteString(stringOf(p["text"]))
	}
	r.text = withoutThoughts(b.String())
	return nil
}

// withoutThoughts cuts what a model thought aloud before its answer:
// <think>…</think> blocks, and text up to a closing tag whose opening tag the
// server's template had written. A block that never ends leaves nothing.
func withoutThoughts(s string) string {
	const open, shut = "<think>", "</think>"
	t := strings.TrimSpace(s)
	if strings.HasPrefix(t, "{") || strings.HasPrefix(t, "```") {
		return s
	}
	_, rest, ok := strings.Cut(t, shut)
	if !ok {
		if strings.HasPrefix(t, open) {
			return ""
		}
		return s
	}
	for {
		rest = strings.TrimSpace(rest)
		if !strings.HasPrefix(rest, open) {
			return rest
		}
		if _, rest, ok = strings.Cut(rest, shut); !ok {
			return ""
		}
	}
}

func present(raw json.RawMessage) bool {
	s := strings.TrimSpace(string(raw))
	return s != "" && s != "null" && s != "[]"
}

// stringOf is a JSON string, "" for anything else.
func stringOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// usage is what a server reports of tokens. A count that is missing or absurd is
// unreported; what stands in its place is the caller's estimate.
type usage struct {
	prompt, completion, cached, reasoning uint64
	hasPrompt, hasCompletion              bool
	hasCached, hasReasoning               bool
	odd                                   int // counts that were present but unusable
	costMicroUSD                          uint64
	hasCost                               bool
}

// usageOf is the usage that a reply of any form reports, a failed one included.
func usageOf(body []byte) usage {
	var outer struct {
		Usage json.RawMessage `json:"usage"`
	}
	_ = json.Unmarshal(body, &outer) // a body that is no object reports none
	return parseUsage(outer.Usage)
}

func parseUsage(raw json.RawMessage) usage {
	var u usage
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return u
	}
	var total uint64
	var hasTotal bool
	u.prompt, u.hasPrompt = u.count(m["prompt_tokens"])
	u.completion, u.hasCompletion = u.count(m["completion_tokens"])
	total, hasTotal = u.count(m["total_tokens"])
	if u.hasPrompt && hasTotal && total > u.prompt && total-u.prompt > u.completion {
		u.completion, u.hasCompletion = total-u.prompt, true // thoughts that completion_tokens leaves out
	}
	var details map[string]json.RawMessage
	if json.Unmarshal(m["prompt_tokens_details"], &details) == nil {
		u.cached, u.hasCached = u.count(details["cached_tokens"])
	}
	if hit, ok := u.count(m["prompt_cache_hit_tokens"]); ok && u.cached == 0 {
		u.cached, u.hasCached = hit, true
	}
	details = nil
	if json.Unmarshal(m["completion_tokens_details"], &details) == nil {
		u.reasoning, u.hasReasoning = u.count(details["reasoning_tokens"])
	}
	if f, err := strconv.ParseFloat(strings.TrimSpace(string(m["cost"])), 64); err == nil && f >= 0 && f < 1e6 {
		u.costMicroUSD, u.hasCost = uint64(math.Ceil(f*1e6)), true
	}
	u.cached = min(u.cached, u.prompt)
	return u
}

// maxCount is the largest number of tokens that is believed.
const maxCount = 1 << 32

// count reads a count of tokens: a whole number that is not negative.
func (u *usage) count(raw json.RawMessage) (uint64, bool) {
	if !present(raw) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || n > maxCount {
		u.odd++
		return 0, false
	}
	return n, true
}

package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reply is a chat completion. It is read field by field, so that one odd number does not lose an answer that was paid
// for.
type reply struct {
	text     string // the answer, without thoughts
	refusal  string
	finish   string
	thinking int    // bytes of thoughts that are not part of the answer
	thoughts string // where they were: a field of the message, or a tag in the text
	usage    usage
	broken   int  // where the text stops being UTF-8, 0 if it is; the text is not kept then
	tools    bool // the model called a tool instead of answering
	stopped  bool // an error ended the answer before it was whole
}

// onlyThoughts reports whether the model thought and said nothing else.
func (r *reply) onlyThoughts() bool {
	return r.text == "" && (r.usage.reasoning > 0 || r.thinking > 0) && r.refusal == "" && r.broken == 0 && !r.tools
}

// wasCut reports whether the answer ended because it had reached its greatest length. Only then does a greater one help.
func (r *reply) wasCut() bool { return r.finish == "length" }

// number is the number of tokens of the answer and a blank, "" if the server did not report it.
func (r *reply) number() string {
	if r.usage.completion == 0 {
		return ""
	}
	return strconv.FormatUint(r.usage.completion, 10) + " "
}

// errGarbled marks a body that is no whole chat completion.
var errGarbled = errors.New("reply is no whole chat completion")

// parseReply reads the body of a 2xx reply: exactly one JSON object with a choice.
// A body that holds an error object gives its status in failed.
func parseReply(body []byte) (r reply, failed *wireError, status int, err error) {
	if !json.Valid(body) {
		return r, nil, 0, invalidBody(body)
	}
	outer, ok := objectOf(body)
	if !ok {
		return r, nil, 0, errGarbled
	}
	if raw := outer.get("error"); raw != nil && string(raw) != "null" {
		e := parseError(body)
		return r, &e, statusOf(e.code), nil
	}
	choice, err := firstChoice(outer.get("choices"))
	if err != nil {
		return r, nil, 0, err
	}
	if raw := choice.get("error"); raw != nil && string(raw) != "null" {
		e := parseError([]byte(`{"error":` + string(raw) + `}`))
		r.stopped = true
		return r, &e, statusOf(e.code), nil
	}
	r.finish = stringOf(choice.get("finish_reason"))
	r.usage = parseUsage(outer.get("usage"))
	if err := r.message(choice.get("message")); err != nil {
		return r, nil, 0, err
	}
	return r, nil, 0, nil
}

// invalidBody says what a body that is no JSON value is.
func invalidBody(body []byte) error {
	var first json.RawMessage
	if json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil && len(first) > 0 && first[0] == '{' {
		return fmt.Errorf("%w: something follows the object", errGarbled)
	}
	return errGarbled
}

// statusOf is the HTTP status that an error inside a good reply stands for.
func statusOf(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 502
}

// firstChoice is the choice with index 0, else the first.
func firstChoice(raw json.RawMessage) (first object, err error) {
	choices, _ := listOf(raw)
	for _, choice := range choices {
		c, ok := objectOf(choice)
		switch {
		case ok && string(c.get("index")) == "0":
			return c, nil
		case ok && first == nil:
			first = c
		}
	}
	if first == nil {
		return nil, fmt.Errorf("%w: it holds no choice", errGarbled)
	}
	return first, nil
}

func (r *reply) message(raw json.RawMessage) error {
	m, ok := objectOf(raw)
	if !ok {
		return fmt.Errorf("%w: its choice holds no message", errGarbled)
	}
	if m.times("content") > 1 {
		return fmt.Errorf("%w: its message holds two contents", errGarbled)
	}
	r.refusal = stringOf(m.get("refusal"))
	for _, name := range []string{"reasoning", "reasoning_content"} {
		if n := len(stringOf(m.get(name))); n > 0 {
			r.thinking, r.thoughts = r.thinking+n, name
		}
	}
	r.tools = present(m.get("tool_calls")) || present(m.get("function_call"))
	content := m.get("content")
	switch {
	case !present(content):
		return nil
	case !utf8.Valid(content): // decoding would put U+FFFD for what was lost
		r.broken = len(content) - len(bytes.TrimLeftFunc(content, func(c rune) bool { return c != utf8.RuneError }))
		return nil
	case content[0] == '"':
		r.text = stringOf(content)
	case content[0] == '[':
		if err := r.parts(content); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: its content is neither text nor a list of parts", errGarbled)
	}
	n := len(r.text)
	if r.text = stripThoughts(r.text); len(r.text) < n {
		r.thinking, r.thoughts = r.thinking+n-len(r.text), "<think> in the text"
	}
	return nil
}

// parts joins the text parts of a content that is a list.
func (r *reply) parts(raw json.RawMessage) error {
	parts, _ := listOf(raw)
	var b strings.Builder
	for _, part := range parts {
		p, ok := objectOf(part)
		if !ok {
			return fmt.Errorf("%w: its content is no list of parts", errGarbled)
		}
		if r.refusal == "" {
			r.refusal = stringOf(p.get("refusal"))
		}
		if stringOf(p.get("type")) == "thinking" {
			r.thinking, r.thoughts = r.thinking+len(p.get("thinking")), "parts of type thinking"
			continue
		}
		b.WriteString(stringOf(p.get("text")))
	}
	r.text = b.String()
	return nil
}

// stripThoughts removes what a model thought aloud before its answer:
// <think>…</think> blocks, and text up to a closing tag whose opening tag the
// server's template had written. A block that never ends leaves nothing.
func stripThoughts(s string) string {
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
	s := bytes.TrimSpace(raw)
	return len(s) > 0 && string(s) != "null" && string(s) != "[]"
}

// stringOf is a JSON string, "" for anything else.
func stringOf(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return string(in) // the usual case
	}
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// usage is the token counts that a server reports. For a missing or unusable count has… is false, and the caller
// estimates.
type usage struct {
	prompt, completion, cached, reasoning uint64
	written                               uint64 // into the server's cache; like cached a part of prompt
	hasPrompt, hasCompletion              bool
	hasCached, hasWritten, hasReasoning   bool
	unusable                              int // counts that were present but unusable
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
	m, ok := objectOf(raw)
	if !ok {
		return u
	}
	var total uint64
	var hasTotal bool
	u.prompt, u.hasPrompt = u.count(m.get("prompt_tokens"))
	u.completion, u.hasCompletion = u.count(m.get("completion_tokens"))
	total, hasTotal = u.count(m.get("total_tokens"))
	if u.hasPrompt && hasTotal && total > u.prompt && total-u.prompt > u.completion {
		u.completion, u.hasCompletion = total-u.prompt, true // thoughts that completion_tokens leaves out
	}
	if details, ok := objectOf(m.get("prompt_tokens_details")); ok {
		u.cached, u.hasCached = u.count(details.get("cached_tokens"))
		u.written, u.hasWritten = u.count(details.get("cache_write_tokens"))
	}
	if hit, ok := u.count(m.get("prompt_cache_hit_tokens")); ok && u.cached == 0 {
		u.cached, u.hasCached = hit, true
	}
	if details, ok := objectOf(m.get("completion_tokens_details")); ok {
		u.reasoning, u.hasReasoning = u.count(details.get("reasoning_tokens"))
	}
	u.costMicroUSD, u.hasCost = dollarsOf(m.get("cost"))
	if details, ok := objectOf(m.get("cost_details")); ok && u.hasCost && string(m.get("is_byok")) == "true" {
		upstream, _ := dollarsOf(details.get("upstream_inference_cost"))
		u.costMicroUSD += upstream // OpenRouter: the provider charges the user, and cost is only the fee
	}
	u.cached = min(u.cached, u.prompt)
	u.written = min(u.written, u.prompt-u.cached)
	return u
}

// dollarsOf reads a number of dollars and returns it in micro-dollars, rounded up.
func dollarsOf(raw json.RawMessage) (micro uint64, ok bool) {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f < 0 || f >= 1e6 {
		return 0, false
	}
	return uint64(math.Ceil(f * 1e6)), true
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
		u.unusable++
		return 0, false
	}
	return n, true
}

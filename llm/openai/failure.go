package openai

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Failure is why a call returned no answer that can be parsed. It decides what happens next; see the table in
// docs/MINDS.md.
type Failure uint8

// The closed list of failures, in the order in which they are tested.
const (
	FailureNone        Failure = iota
	FailureInterrupted         // the run is being stopped
	FailureTimeout             // no answer within the think's time
	FailureQuota               // no money or no allowance left: never asked again
	FailureAuth                // the key is refused
	FailureModel               // the server does not know the model or the path
	FailureContext             // the prompt is too long for the model
	FailureSchema              // the form of structured output is refused
	FailureParam               // a field of the request is refused
	FailureFiltered            // a content filter stopped the prompt or the answer
	FailureRate                // too many requests: wait and ask again
	FailureOverloaded          // the server is busy or broken: wait and ask again
	FailureGarbled             // the reply is not a whole chat completion
	FailureTransport           // no connection, or it broke
	FailureRedirected          // the endpoint sends elsewhere; never followed
	FailureCertificate         // the server's certificate is not trusted
	FailureOther               // another 4xx
)

// String returns the name used in logs and metrics.
func (f Failure) String() string {
	names := [...]string{
		"none", "interrupted", "timeout", "quota", "auth", "model", "context", "schema", "param", "filtered",
		"rate", "overloaded", "garbled", "transport", "redirected", "certificate", "other",
	}
	if int(f) < len(names) {
		return names[f]
	}
	return "failure(" + strconv.Itoa(int(f)) + ")"
}

// retried reports whether the same request may succeed a moment later.
func (f Failure) retried() bool {
	switch f {
	case FailureRate, FailureOverloaded, FailureGarbled, FailureTransport:
		return true
	default:
		return false
	}
}

// permanent reports whether no request to this endpoint (or, for FailureModel, to this model) will succeed until a
// person acts.
func (f Failure) permanent() bool {
	return f == FailureQuota || f == FailureAuth || f == FailureModel || f == FailureRedirected || f == FailureCertificate
}

// wireError is an error body in any of the forms that servers use.
type wireError struct {
	message string
	kind    string // "type" or "status"
	code    string
	param   string
	failed  string // failed_generation: the answer that a server refused to pass on
	delay   string // Gemini: how long to wait
	daily   bool   // Gemini: what is used up is an allowance for a day
}

// parseError reads an error body. What it does not understand is kept as message.
func parseError(body []byte) wireError {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return wireError{message: pageText(string(body))}
	}
	return errorOf(v)
}

func errorOf(v any) wireError {
	switch v := v.(type) {
	case string:
		return wireError{message: v}
	case []any:
		if len(v) > 0 {
			return errorOf(v[0])
		}
	case map[string]any:
		for _, key := range []string{"error", "detail"} {
			if inner, ok := v[key]; ok && inner != nil {
				e := errorOf(inner)
				if e.kind == "" {
					e.kind = text(v["error_type"])
				}
				return e
			}
		}
		if inner, ok := v["message"].(map[string]any); ok {
			return errorOf(inner)
		}
		kind := text(v["type"])
		if kind == "" {
			kind = text(v["status"])
		}
		message := text(v["message"])
		if message == "" {
			message = text(v["msg"])
		}
		param := text(v["param"])
		if loc, ok := v["loc"].([]any); ok && param == "" && len(loc) > 0 {
			param = text(loc[len(loc)-1]) // FastAPI: ["body", field]
		}
		e := wireError{message: message, kind: kind, code: text(v["code"]), param: param, failed: text(v["failed_generation"])}
		e.details(v["details"])
		return e
	}
	return wireError{}
}

// details reads what Gemini adds to an error: which of its limits was reached, and how long to wait.
func (e *wireError) details(v any) {
	list, _ := v.([]any)
	for _, d := range list {
		detail, _ := d.(map[string]any)
		if delay := text(detail["retryDelay"]); delay != "" {
			e.delay = delay
		}
		violations, _ := detail["violations"].([]any)
		for _, x := range violations {
			violation, _ := x.(map[string]any)
			e.daily = e.daily || strings.Contains(text(violation["quotaId"]), "PerDay")
		}
	}
}

// pageText returns the title of an HTML page, or its text if it has none, and any other text as it is: what a proxy or a
// wrong path answers is a page, and its markup says nothing.
func pageText(body string) string {
	t := strings.TrimSpace(body)
	if !strings.HasPrefix(t, "<") {
		return body
	}
	if m := pageTitle.FindStringSubmatch(t); m != nil {
		t = m[1]
	}
	return strings.Join(strings.Fields(pageMarkup.ReplaceAllString(t, " ")), " ")
}

var (
	pageTitle  = regexp.MustCompile(`(?is)<title[^>]*>(.*?\S.*?)</title>`)
	pageMarkup = regexp.MustCompile(`(?is)<(script|style)\b.*?</(script|style)>|<!--.*?-->|<[^>]*>?`)
)

// text returns a string as it is and a number in decimal; "" for anything else.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Codes and texts by which failures are recognised. A server may echo the prompt, which can contain any of the texts, so
// code and type are tested first.
var (
	quotaCodes = words("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
		"project_spend_limit_exceeded", "organization_usage_limit_exceeded", "enforced_spend_limit_reached", "billing_hard_limit_reached",
		"billing_not_active")
	contextCodes  = words("context_length_exceeded", "exceed_context_size_error")
	filterCodes   = words("content_filter", "content_policy_violation")
	overloadCodes = words("overloaded_error", "server_is_overloaded")

	contextText = regexp.MustCompile(`(?i)maximum context length|context length is only|longer than the model's context length|exceeds the available context size|longer than the context length|max_new_tokens. must be <=|prompt is too long|exceed context limit|exceeds the maximum number of tokens`)
	schemaText  = regexp.MustCompile(`(?i)response_format|json_schema|schema|grammar|xgrammar|constraint|samplers|anyOf`)
	paramText   = regexp.MustCompile(`(?i)unsupported_parameter|unsupported_value|extra_forbidden|unsupported parameter|unsupported value|extra inputs are not permitted|unrecognized request argument`)
	modelText   = regexp.MustCompile(`(?i)model[^.]{0,120}(not found|does not exist)|try pulling it first`)
	keyText     = regexp.MustCompile(`(?i)^(api key not valid|(incorrect|invalid) api key)`)
	billingText = regexp.MustCompile(`(?i)insufficient balance|billing|credit balance|exceeded your current quota`)
	tooLarge    = regexp.MustCompile(`(?i)request too large`)
)

func words(w ...string) map[string]bool {
	out := make(map[string]bool, len(w))
	for _, x := range w {
		out[x] = true
	}
	return out
}

// classify returns the failure that a reply with an error means. status is the HTTP status, or the code inside a reply
// that came with 200.
func classify(status int, e *wireError, retryAfter bool) Failure {
	coded := e.code != "" || e.kind != ""
	has := func(codes map[string]bool) bool { return codes[e.code] || codes[e.kind] }
	said := func(re *regexp.Regexp) bool { return re.MatchString(e.message) }
	switch {
	case status == 408 || status == 504 || status == 524:
		return FailureTimeout
	case has(quotaCodes), status == 429 && e.daily, status == 402 && !retryAfter, status == 403 && said(billingText), status == 429 && !coded && said(billingText):
		return FailureQuota
	case status == 401 || status == 403, status == 400 && said(keyText): // 400: Gemini, xAI
		return FailureAuth
	case status == 404, e.code == "model_not_found", status == 400 && !coded && said(modelText):
		return FailureModel
	case has(contextCodes), status == 413, status == 429 && said(tooLarge), (status == 400 || status == 422) && said(contextText):
		return FailureContext
	case has(filterCodes):
		return FailureFiltered
	case (status == 400 || status == 422) && (strings.HasPrefix(e.code, "unsupported_") || said(paramText) || strings.Contains(e.kind, "extra_forbidden")):
		return FailureParam
	case (status == 400 || status == 422) && (schemaText.MatchString(e.param) || said(schemaText)),
		status == 400 && e.kind == "INVALID_ARGUMENT" && e.message == "Request contains an invalid argument.": // Gemini, of a schema that it cannot serve
		return FailureSchema
	case status == 429 || status == 498 || status == 402:
		return FailureRate
	case status >= 500 || status == 424 || status == 409 || has(overloadCodes):
		return FailureOverloaded
	case status < 300 || status == 304:
		return FailureGarbled
	case status < 400:
		return FailureRedirected
	}
	return FailureOther
}

// contextSize finds the size, in tokens, that an overflow message states; 0 if none.
func contextSize(message string) uint64 {
	for _, re := range contextSizes {
		if m := re.FindStringSubmatch(message); m != nil {
			n, _ := strconv.ParseUint(strings.ReplaceAll(m[1], ",", ""), 10, 64)
			return n
		}
	}
	return 0
}

var contextSizes = []*regexp.Regexp{
	regexp.MustCompile(`maximum context length (?:is|of) (\d[\d,]*)`),
	regexp.MustCompile(`context length is only (\d[\d,]*)`),
	regexp.MustCompile(`context length \((\d[\d,]*) tokens\)`),
	regexp.MustCompile(`available context size \((\d[\d,]*) tokens\)`),
	regexp.MustCompile(`tokens allowed \(?(\d[\d,]*)`),
	regexp.MustCompile(`must be <= (\d[\d,]*)`),
	regexp.MustCompile(`\d(?: tokens)? > (\d[\d,]*)`),
}

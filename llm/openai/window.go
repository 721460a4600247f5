package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"kingdom/llm"
)

// serverContext is the context that a server gives a model, and where it says so.
type serverContext struct {
	tokens uint64 // 0: not told
	from   string
	most   uint64 // that the model could have, 0: not told
	slots  uint64 // requests that the server works on at a time, 0: not told
}

// serverContext asks the server for the size of the context. Only a server on this machine or in a private network gets
// the requests of llama.cpp, Ollama, TGI and LM Studio; others get no request that they do not document.
func (l *checker) serverContext(ctx context.Context) serverContext {
	for _, name := range []string{"max_model_len", "context_length", "context_window", "max_context_length"} { // vLLM, OpenRouter, Groq, Mistral
		n := count(l.entry[name])
		if n == 0 {
			continue
		}
		if routed := count(jsonField(l.entry["top_provider"], name)); routed > 0 && routed < n { // OpenRouter: what its provider gives of it
			return serverContext{tokens: routed, from: name + " of top_provider"}
		}
		return serverContext{tokens: n, from: name}
	}
	trained := serverContext{most: count(jsonField(l.entry["meta"], "n_ctx_train"))} // llama.cpp
	if !l.local {
		return trained
	}
	root := strings.TrimSuffix(l.m.base(), "/v1")
	for _, ask := range []func(context.Context, string) serverContext{l.llamaCPP, l.ollama, l.tgi, l.lmStudio} {
		if w := ask(ctx, root); w.tokens > 0 || w.most > 0 {
			return w
		}
	}
	return trained
}

// llamaCPP reads /props of a llama.cpp server: the size of one slot.
func (l *checker) llamaCPP(ctx context.Context, root string) serverContext {
	status, _, body, err := l.get(ctx, root+"/props")
	var props struct {
		Settings map[string]json.RawMessage `json:"default_generation_settings"`
		Slots    json.RawMessage            `json:"total_slots"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &props) != nil {
		return serverContext{}
	}
	return serverContext{tokens: count(props.Settings["n_ctx"]), from: "n_ctx of /props", slots: count(props.Slots)}
}

// ollama reads what an Ollama server allocated for the model, if it is loaded, and what
// the model could have.
func (l *checker) ollama(ctx context.Context, root string) serverContext {
	var w serverContext
	asked, err := json.Marshal(map[string]string{"model": l.m.ID})
	if err != nil {
		panic("openai: a name cannot be encoded: " + err.Error())
	}
	status, _, body, err := l.ask(ctx, http.MethodPost, root+"/api/show", bytes.NewReader(asked))
	var show struct {
		Info       map[string]json.RawMessage `json:"model_info"`
		Parameters string                     `json:"parameters"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &show) != nil {
		return w
	}
	for name, v := range show.Info {
		if strings.HasSuffix(name, ".context_length") {
			w.most = max(w.most, count(v))
		}
	}
	for line := range strings.Lines(show.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				w.tokens, w.from = n, "num_ctx of its Modelfile"
			}
		}
	}
	status, _, body, err = l.get(ctx, root+"/api/ps")
	var ps struct {
		Models []map[string]json.RawMessage `json:"models"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &ps) != nil {
		return w
	}
	for _, m := range ps.Models {
		name := stringOf(m["model"])
		if n := count(m["context_length"]); n > 0 && (name == l.m.ID || name == l.m.ID+":latest") {
			w.tokens, w.from = n, "context_length of /api/ps"
		}
	}
	return w
}

// tgi reads /info of a server of Hugging Face.
func (l *checker) tgi(ctx context.Context, root string) serverContext {
	status, _, body, err := l.get(ctx, root+"/info")
	if err != nil || status != http.StatusOK {
		return serverContext{}
	}
	return serverContext{tokens: count(jsonField(body, "max_total_tokens")), from: "max_total_tokens of /info"}
}

// lmStudio reads LM Studio's own list of models: what it loaded the model with, and what the model could have.
func (l *checker) lmStudio(ctx context.Context, root string) serverContext {
	status, _, body, err := l.get(ctx, root+"/api/v0/models")
	if err != nil || status != http.StatusOK {
		return serverContext{}
	}
	list, _ := models(body)
	for _, m := range list {
		if stringOf(m["id"]) == l.m.ID {
			return serverContext{tokens: count(m["loaded_context_length"]), from: "loaded_context_length of /api/v0/models", most: count(m["max_context_length"])}
		}
	}
	return serverContext{}
}

// count returns a JSON number that is a count of tokens, 0 for anything else.
func count(raw json.RawMessage) uint64 {
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || n > maxCount {
		return 0
	}
	return n
}

// checkServer compares what the server says about itself with what the scenario declares.
func (l *checker) checkServer(ctx context.Context, system uint64) []Check {
	w := l.serverContext(ctx)
	checks := []Check{l.checkWindow(w, system)}
	if w.slots > 0 {
		checks = append(checks, l.checkSlots(w.slots))
	}
	return checks
}

// checkSlots warns of more calls at a time than the server works on: the others wait there, and their timeouts run.
func (l *checker) checkSlots(slots uint64) Check {
	c := Check{Name: "concurrency", State: OK, Found: fmt.Sprintf("the server works on %d at a time (total_slots of /props); %s is %d", slots, l.field("concurrency"), l.m.Concurrency)}
	if l.m.Concurrency > int(slots) {
		c.State = Warned
		c.Found += ", so calls wait in the server while their time runs"
		c.Fix = fmt.Sprintf("set %s=%d, or start the server with a larger --parallel", l.field("concurrency"), slots)
	}
	return c
}

// checkWindow compares the context that the server gives with the one that the scenario declares.
func (l *checker) checkWindow(w serverContext, system uint64) Check {
	c := Check{Name: "context", State: OK}
	declared := fmt.Sprintf("%s is %d", l.field("context"), l.m.MaxContext)
	switch {
	case w.tokens == 0 && w.most == 0:
		c.State, c.Found = Skipped, "could not be checked, because the server does not tell its size; "+declared
	case w.tokens == 0 && w.most >= l.m.MaxContext:
		c.State, c.Found = Skipped, fmt.Sprintf("could not be checked: the model could have %d tokens, and the server does not tell what it gives; %s", w.most, declared)
	case w.tokens == 0:
		c.State, c.Failure = Failed, FailureContext
		c.Found, c.Fix = fmt.Sprintf("the model has at most %d tokens; %s", w.most, declared), l.smaller(w.most, system)
	case w.tokens < l.m.MaxContext:
		c.State, c.Failure = Failed, FailureContext
		c.Found, c.Fix = fmt.Sprintf("the server gives %d tokens (%s); %s", w.tokens, w.from, declared), l.smaller(w.tokens, system)
	default:
		c.Found = fmt.Sprintf("%d tokens (%s); %s", w.tokens, w.from, declared)
	}
	if c.State != Failed {
		l.checkRoom(&c, system)
	}
	return c
}

// checkRoom says what is wrong with a context that most prompts and an answer do not fit.
func (l *checker) checkRoom(c *Check, system uint64) {
	if l.m.Fits(system) != nil {
		c.State, c.Failure = Failed, FailureContext
		c.Fix = l.m.Fits(system).Error()
		return
	}
	prompt := l.m.systemTokens(system) + llm.UsualUser
	if l.m.MaxContext >= prompt+l.m.MaxOutput {
		return
	}
	c.State, c.Failure = Failed, FailureContext
	c.Found += fmt.Sprintf("; prompts take up to about %d tokens and an answer may take %d (max_output), so prompts will be cut", prompt, l.m.MaxOutput)
	c.Fix = fmt.Sprintf("start the server with %d or more and set %s to it", prompt+l.m.MaxOutput, l.field("context"))
	if l.m.MaxContext >= prompt+leastOutput {
		c.Fix += fmt.Sprintf(", or set %s=%d", l.field("max_output"), l.m.MaxContext-prompt)
	}
}

// smaller says what to do about a server that gives n tokens and not what is declared.
func (l *checker) smaller(n, system uint64) string {
	if need := l.m.systemTokens(system) + llm.UsualUser + l.m.MaxOutput; n < need {
		return fmt.Sprintf("start the server with a context of %d or more (num_ctx of Ollama, --ctx-size of llama.cpp, --max-model-len of vLLM), which prompts and answers take", need)
	}
	return fmt.Sprintf("set %s=%d, or start the server with more", l.field("context"), n)
}

// jsonField is a field of a JSON object, nil if there is none.
func jsonField(raw json.RawMessage, name string) json.RawMessage {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(raw, &m) // what is no object has no field
	return m[name]
}

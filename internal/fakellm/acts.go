package fakellm

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
)

// Status replies with a status and a body; headers come in pairs.
func Status(status int, body string, headers ...string) Act {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Content replies well, with other words and another reason to stop.
func Content(text, finish string) Act {
	return Message(map[string]any{"role": "assistant", "content": text}, finish)
}

// Message replies well, with a message of any form. A finish of "" is left out.
func Message(m map[string]any, finish any) Act {
	return func(w http.ResponseWriter, r *http.Request, _ []byte) {
		c := map[string]any{"index": 0, "message": m}
		if finish != "" {
			c["finish_reason"] = finish
		}
		body, err := json.Marshal(map[string]any{"object": "chat.completion", "choices": []any{c}, "usage": Usage{100, 20, 120}})
		if err != nil {
			panic("fakellm: a reply cannot be encoded: " + err.Error())
		}
		Status(http.StatusOK, string(body))(w, r, nil)
	}
}

// Reported replies well, with the given JSON as its usage.
func Reported(usage string) Act {
	return func(w http.ResponseWriter, r *http.Request, good []byte) {
		var body map[string]json.RawMessage
		if err := json.Unmarshal(good, &body); err != nil {
			panic("fakellm: our own reply is no JSON: " + err.Error())
		}
		if usage == "" {
			delete(body, "usage")
		} else {
			body["usage"] = json.RawMessage(usage)
		}
		var b strings.Builder // by hand: the usage may be what no encoder would write
		sep := "{"
		for k, v := range body {
			b.WriteString(sep + `"` + k + `":`)
			b.Write(v)
			sep = ","
		}
		Status(http.StatusOK, b.String()+"}")(w, r, nil)
	}
}

// Cut announces the whole body, sends half and closes the connection.
func Cut() Act {
	return func(w http.ResponseWriter, _ *http.Request, good []byte) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(good[:len(good)/2])
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// Close closes the connection before any byte.
func Close() Act {
	return func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) }
}

// Hang says nothing until the client goes away.
func Hang() Act {
	return func(_ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() }
}

// Then plays acts one after the other, then answers well.
func Then(acts ...Act) Script {
	return func(n int, _ *Request) Act {
		if n < len(acts) {
			return acts[n]
		}
		return nil
	}
}

// Always plays one act for every request.
func Always(a Act) Script { return func(int, *Request) Act { return a } }

// Babble replies as a tiny model with random weights would: the form of the reply is right,
// the words are not. Most are random tokens, some are near to JSON or to bytes that are no
// text; the same request is babbled at differently each time.
func Babble(seed uint64) Script {
	return func(n int, _ *Request) Act {
		dice := rand.New(rand.NewPCG(seed, uint64(n)))
		words := []string{
			`{`, `}`, `[`, `]`, `"`, `:`, `,`, `\`, `{"action"`, `:"nop"`, `"params":{`, `"act":{"`, `null`, `1e999`, "```", "<think>", "</think>",
			" the", " of", "ing", "\n\n", "\x00", "\u2028", "\xff\xfe", "🜂", "{\"action\":\"nop\",\"params\":{}}{",
		}
		var b strings.Builder
		for range dice.IntN(200) {
			if dice.IntN(4) == 0 {
				b.WriteByte(byte(dice.Uint32()))
				continue
			}
			b.WriteString(words[dice.IntN(len(words))])
		}
		finish := []string{"stop", "stop", "stop", "length", "content_filter", ""}
		return instead(b.String(), finish[dice.IntN(len(finish))])
	}
}

// instead replies well, with another text and finish, and with the tokens that they and the prompt take.
func instead(text, finish string) Act {
	return func(w http.ResponseWriter, r *http.Request, good []byte) {
		var c completion
		if err := json.Unmarshal(good, &c); err != nil {
			panic("fakellm: our own reply cannot be decoded: " + err.Error())
		}
		c.Choices[0] = choice{Message: message{"assistant", text}, Finish: finish}
		c.Usage.Completion = tokens(len(text))
		c.Usage.Total = c.Usage.Prompt + c.Usage.Completion
		body, err := json.Marshal(c)
		if err != nil {
			panic("fakellm: a reply cannot be encoded: " + err.Error())
		}
		Status(http.StatusOK, string(body))(w, r, nil)
	}
}

package fakellm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"strings"
)

// Usage is the token count of one answer: a token for every 3.3 bytes, as real tokenisers make of our prompts.
type Usage struct {
	Prompt     uint64 `json:"prompt_tokens"`
	Completion uint64 `json:"completion_tokens"`
	Total      uint64 `json:"total_tokens"`
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   Usage    `json:"usage"`
}

type choice struct {
	Index   int     `json:"index"`
	Message message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// goodReply returns the body of a good reply.
func (s *Server) goodReply(req *Request) ([]byte, Usage) {
	text := s.Answer(req)
	size := 0
	for _, m := range req.Messages {
		size += len(m.Content)
	}
	u := Usage{Prompt: tokens(size), Completion: tokens(len(text))}
	u.Total = u.Prompt + u.Completion
	body, err := json.Marshal(completion{
		ID: "chatcmpl-fake", Object: "chat.completion", Model: s.name(req.Model), Usage: u,
		Choices: []choice{{Message: message{"assistant", text}, Finish: "stop"}},
	})
	if err != nil {
		panic("fakellm: a reply cannot be encoded: " + err.Error())
	}
	return body, u
}

func tokens(n int) uint64 { return (uint64(n)*10 + 32) / 33 }

// Answer chooses one of the offered actions that are worth a slot and were not refused lately, and writes what it is
// to write. Earlier offers, which serve more important goals, are chosen more often. If none is left, it rests.
func (s *Server) Answer(req *Request) string {
	prompt := req.Messages[len(req.Messages)-1].Content
	if said, asked := inInterview(req); asked {
		return said
	}
	offers, rest := worthDoing(offersOf(prompt), refusedIn(prompt))
	pick := rest
	if n := uint64(len(offers)); n > 0 {
		h := s.hash(prompt)
		pick = offers[min(h%n, (h>>32)%n)]
		pick.write(req.Messages[0].Content, h)
	}
	const why = "it serves the goal that matters most"
	var answer any = struct {
		Action    string          `json:"action"`
		Params    json.RawMessage `json:"params"`
		Reasoning string          `json:"reasoning"`
	}{pick.name, pick.params, why}
	switch {
	case req.strict && !bytes.Contains(req.Format, []byte(`"act":{`)): // a schema in which params are text
		answer = struct {
			Reasoning string `json:"reasoning"`
			Action    string `json:"action"`
			Params    string `json:"params"`
			Memory    any    `json:"memory_update"`
		}{why, pick.name, string(pick.params), nil}
	case req.strict:
		answer = struct {
			Reasoning string                     `json:"reasoning"`
			Act       map[string]json.RawMessage `json:"act"`
			Memory    any                        `json:"memory_update"`
		}{why, map[string]json.RawMessage{pick.name: pick.params}, nil}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		panic("fakellm: an answer cannot be encoded: " + err.Error())
	}
	return strings.TrimSpace(out.String())
}

// strict says whether the answer was to be held to a schema, which is then the form with
// the action as the one key of act.
func strict(format json.RawMessage) (strict bool) {
	if len(format) == 0 || format[0] != '{' {
		return false
	}
	x := scanner{b: format}
	x.object(func(key string) {
		if key != "json_schema" || x.next() != '{' {
			x.value()
			return
		}
		x.object(func(key string) {
			if v := x.value(); key == "strict" {
				strict = string(v) == "true"
			}
		})
	})
	return strict && !x.bad
}

func (s *Server) hash(prompt string) uint64 {
	h := sha256.New()
	_ = binary.Write(h, binary.BigEndian, s.Seed)
	h.Write([]byte(prompt))
	return binary.BigEndian.Uint64(h.Sum(nil))
}

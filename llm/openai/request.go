package openai

import (
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"

	"kingdom/llm"
	"kingdom/wire/codec"
)

// request is the body of one call, in parts: the texts around the user's message are the same
// for all agents with equal rights, and are encoded once.
type request struct{ parts [3][]byte }

// into makes this the body of a request.
func (r *request) into(req *http.Request) {
	req.ContentLength = 0
	for _, part := range r.parts {
		req.ContentLength += int64(len(part))
	}
	req.GetBody = func() (io.ReadCloser, error) {
		unread := net.Buffers(slices.Clone(r.parts[:])) // reading uses it up
		return io.NopCloser(&unread), nil
	}
	req.Body, _ = req.GetBody()
}

// frame is a request without its user's message.
type frame struct{ head, tail []byte }

// frameKey is what a frame depends on besides the model and its profile: the names of the
// actions, and the system message, which need not name them all.
type frameKey struct{ actions, system string }

// maxFrames bounds the frames that are kept. A run has one for each set of actions.
const maxFrames = 64

// request encodes a call.
func (c *client) request(p *llm.Prompt, system, user []byte) request {
	var names strings.Builder
	for _, r := range p.Actions {
		names.WriteString(r.Name)
		names.WriteByte(' ')
	}
	f := c.frame(names.String(), p, system)
	text := make([]byte, 0, len(user)+len(user)/16+2)
	return request{[3][]byte{f.head, codec.AppendJSONString(text, user), f.tail}}
}

func (c *client) frame(actions string, p *llm.Prompt, system []byte) frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.frames[frameKey{actions, string(system)}]
	if ok {
		return f
	}
	f = newFrame(c.shape.fields(c.Model, p.Actions), system)
	if c.frames == nil || len(c.frames) == maxFrames {
		c.frames = map[frameKey]frame{}
	}
	c.frames[frameKey{actions, string(system)}] = f
	return f
}

// newFrame encodes a request, its fields in the order of their names.
func newFrame(fields map[string]json.RawMessage, system []byte) (f frame) {
	fields["messages"] = nil
	dst := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(codec.AppendJSONString(dst, name), ':')
		if name != "messages" {
			dst = append(dst, fields[name]...)
			continue
		}
		dst = codec.AppendJSONString(append(dst, `[{"role":"system","content":`...), system)
		f.head = append(dst, `},{"role":"user","content":`...)
		dst = []byte("}]")
	}
	f.tail = append(dst, '}')
	return f
}

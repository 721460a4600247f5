package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"

	"kingdom/llm"
	"kingdom/wire/codec"
)

// request is the body of one call. It is one byte slice, so that net/http sends it together with the headers and without
// a copy.
type request []byte

// setBody makes this the body of a request, and counts how often it is handed out.
func (r request) setBody(req *http.Request, bodies *atomic.Int32) {
	req.ContentLength = int64(len(r))
	req.GetBody = func() (io.ReadCloser, error) {
		bodies.Add(1)
		return io.NopCloser(bytes.NewReader(r)), nil
	}
	req.Body, _ = req.GetBody()
}

// frame is an encoded request without its user message. It is the same for all agents with equal rights, so it is
// encoded once.
type frame struct {
	head, tail []byte
	cacheKey   string // of this model and set of actions
}

// frameKey is what a frame depends on besides the model and its profile: the names of the
// actions, the prompt's system message, which need not name them all, and the words behind it
// about the form of an answer. The message is known by where it lies, since agents with equal rights
// share one that never changes: to compare 16 KB for each call would push the prompt out of the cache.
type frameKey struct {
	actions string
	system  *byte
	length  int
	form    string
}

// maxFrames bounds the frames that are kept. A run has one for each set of actions; prompts that were
// given no [llm.Stable] have a system message of their own each.
const maxFrames = 64

// request encodes a call with a profile of the client.
func (c *client) request(with *profile, p *llm.Prompt, system []byte, form string, user []byte) request {
	var room [1024]byte
	names := room[:0]
	for _, r := range p.Actions {
		names = append(append(names, r.Name...), ' ')
	}
	f := c.frame(with, names, p, system, form)
	body := c.newBody(len(f.head) + len(user) + len(user)/16 + 2 + len(f.tail) + len(cacheKeyField) + 64) // with room for some escapes
	body = codec.AppendJSONString(append(body, f.head...), user)
	if !c.CacheKey || with.drop[cacheKeyField] {
		return append(body, f.tail...)
	}
	body = append(append(body, f.tail[:len(f.tail)-1]...), `,"`+cacheKeyField+`":"`...)
	body = append(append(body, f.cacheKey...), '-')
	return append(strconv.AppendUint(body, p.SpawnIndex%c.shards(), 10), `"}`...)
}

// cacheKeyField is the field by whose value a server routes requests to where their beginning is cached.
const cacheKeyField = "prompt_cache_key"

// requestsPerCacheKey is how many requests a minute with one beginning and key OpenAI serves from one cache.
const requestsPerCacheKey = 15

// shards returns among how many keys the agents are divided.
func (m *Model) shards() uint64 {
	return max(1, (m.RequestsPerMinute+requestsPerCacheKey-1)/requestsPerCacheKey)
}

// roomStep is the unit, in bytes, to which the capacity of requests is rounded up, so that buffers can be reused.
const roomStep = 16 << 10

// newBody returns an empty request with the given capacity, if possible the buffer of an earlier one.
func (c *client) newBody(bytes int) request {
	if r, ok := c.bodies.Get().(*request); ok && cap(*r) >= bytes {
		return (*r)[:0]
	}
	return make(request, 0, (bytes/roomStep+1)*roomStep)
}

// recycle makes the buffer of an answered request available again if nobody reads it any more, that is, if each body that
// was handed out was written to its end. After a broken connection that may not be so.
func (c *client) recycle(rec *call) {
	if rec.replyRead && rec.bodies.Load() == rec.wrote.Load() {
		sent := rec.body
		rec.body = nil
		c.bodies.Put(&sent)
	}
}

func (c *client) frame(with *profile, actions []byte, p *llm.Prompt, system []byte, form string) frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	var first *byte
	if len(system) > 0 {
		first = &system[0]
	}
	f, ok := with.frames[frameKey{string(actions), first, len(system), form}]
	if ok {
		return f
	}
	f = newFrame(with.fields(c.Model, p.Actions), append(slices.Clip(system), form...))
	sum := sha256.Sum256(append([]byte(c.ID+"\n"), actions...))
	f.cacheKey = "kingdom-" + hex.EncodeToString(sum[:8])
	if with.frames == nil || len(with.frames) == maxFrames {
		with.frames = map[frameKey]frame{}
	}
	with.frames[frameKey{string(actions), first, len(system), form}] = f
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

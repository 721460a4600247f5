package fakellm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"net/http"
)

// sent passes a reply on and keeps what was sent, so that the server counts the same as its client.
type sent struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// maxKept is the length of a reply above which nothing more of it is kept: who sends so much reports no tokens.
const maxKept = 1 << 20

// WriteHeader implements [http.ResponseWriter].
func (t *sent) WriteHeader(status int) {
	t.status = status
	t.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (t *sent) Write(b []byte) (int, error) {
	if t.body.Len() < maxKept {
		t.body.Write(b)
	}
	return t.ResponseWriter.Write(b) //nolint:wrapcheck // passed on as it is
}

// Flush implements [http.Flusher].
func (t *sent) Flush() {
	if f, ok := t.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Hijack implements [http.Hijacker].
func (t *sent) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(t.ResponseWriter).Hijack() //nolint:wrapcheck // passed on as it is
}

// usage returns the tokens that a reply reports; answered is false if it is no chat completion. A usage that is no number of
// tokens counts as none.
func (t *sent) usage() (u Usage, answered bool) {
	var c struct {
		Choices []json.RawMessage `json:"choices"`
		Usage   json.RawMessage   `json:"usage"`
	}
	if json.Unmarshal(t.body.Bytes(), &c) != nil {
		return u, false
	}
	if json.Unmarshal(c.Usage, &u) != nil {
		u = Usage{}
	}
	return u, t.status == http.StatusOK && len(c.Choices) > 0
}

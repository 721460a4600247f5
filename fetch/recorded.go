package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kingdom/engine/durable"
	"kingdom/wire"
	"kingdom/world/portal"
)

// extension ends the names of recorded answers; what is before it is the cache key in hex.
const extension = ".page"

// Recorded answers from a directory. What it does not hold fails, and nobody else is asked. An
// answer is a file named by the cache key of its request, SHA-256(url ‖ method ‖ body) with the
// method as a byte 0 for GET, 1 for POST, 2 for HEAD:
//
//	GET https://docs.rs/
//	200 text/plain
//
//	the content
type Recorded struct {
	// Dir is the directory.
	Dir string
}

// Fetch takes a wire.WebFetch and returns a wire.WebFetched.
func (r *Recorded) Fetch(_ context.Context, question []byte) ([]byte, error) {
	q, err := read(question)
	if err != nil {
		return nil, err
	}
	name := fileOf(r.Dir, q)
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %s is not recorded: no file %s", wire.FetchFailed, q.URL, filepath.Base(name))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wire.FetchFailed, err)
	}
	a, err := parsePage(raw, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", wire.FetchFailed, name, err)
	}
	return wire.WebFetchedCodec.Append(nil, a), nil
}

func fileOf(dir string, q *wire.WebFetch) string {
	return filepath.Join(dir, portal.CacheKey(q.URL, q.Method, q.Body).String()+extension)
}

// parsePage reads a recorded answer to q.
func parsePage(raw []byte, q *wire.WebFetch) (*wire.WebFetched, error) {
	asked, rest, _ := bytes.Cut(raw, []byte("\n"))
	status, rest, _ := bytes.Cut(rest, []byte("\n"))
	blank, content, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || len(bytes.TrimSpace(blank)) > 0 {
		return nil, errors.New("want a line of method and URL, one of status and content type, an empty one, and the content")
	}
	if want := q.Method.String() + " " + string(q.URL); strings.TrimSpace(string(asked)) != want {
		return nil, fmt.Errorf("line 1 is %q, want %q, whose key the file is named by", asked, want)
	}
	code, kind, _ := strings.Cut(strings.TrimSpace(string(status)), " ")
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil || n < 100 || n > 999 {
		return nil, fmt.Errorf("line 2 begins with %q, want a status of HTTP such as 200", code)
	}
	return &wire.WebFetched{Status: uint16(n), ContentType: []byte(kind), Content: content[:min(len(content), MaxContent)]}, nil
}

// Recorder asks another fetcher and writes its answers to a directory, for [Recorded]. Failures are not written.
type Recorder struct {
	Dir  string
	From *HTTP
}

// Fetch takes a wire.WebFetch and returns a wire.WebFetched.
func (r *Recorder) Fetch(ctx context.Context, question []byte) ([]byte, error) {
	q, err := read(question)
	if err != nil {
		return nil, err
	}
	raw, err := r.From.Fetch(ctx, question)
	if err != nil {
		return nil, err
	}
	var a wire.WebFetched
	if err := wire.WebFetchedCodec.Decode(raw, &a); err != nil {
		return nil, fmt.Errorf("%s: %w", wire.FetchFailed, err)
	}
	kind := strings.Map(func(c rune) rune {
		if c < ' ' {
			return -1
		}
		return c
	}, string(a.ContentType))
	page := append(fmt.Appendf(nil, "%v %s\n%d %s\n\n", q.Method, q.URL, a.Status, kind), a.Content...)
	if err := durable.WriteBytes(fileOf(r.Dir, q), page); err != nil {
		return nil, fmt.Errorf("%s: keep answer: %w", wire.FetchFailed, err)
	}
	return raw, nil
}

package recorded_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/llm"
	"kingdom/llm/recorded"
	"kingdom/wire"
)

var header = recorded.Header{
	Scenario: "epoch0-llm", Digest: wire.Hash{1}, Seed: "42", Physics: 2, Models: []string{"fake"}, Cycles: 3, WorldHash: wire.Hash{2}, Source: []byte("name: x\n"),
}

// some are thoughts of every outcome.
func some() []llm.Recorded {
	var out []llm.Recorded
	for o := llm.Answered; o <= llm.Interrupted; o++ {
		r := answerTo(prompt(byte(o), 300, 0), "x")
		r.Outcome, r.Calls = o, nil
		r.Error = "because"
		out = append(out, r)
	}
	for _, try := range []uint32{0, 2} { // the first as at the tick before
		r := answerTo(prompt(1, 301, try), "y")
		r.Calls = nil
		out = append(out, r)
	}
	return out
}

func cassette(t testing.TB, all []llm.Recorded) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := recorded.NewWriter(&b, &header)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if err := w.Add(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(b []byte) (h recorded.Header, all []llm.Recorded, err error) {
	r, err := recorded.NewReader(bytes.NewReader(b))
	if err != nil {
		return h, nil, err
	}
	for {
		th, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Header, all, nil
		}
		if err != nil {
			return r.Header, all, err
		}
		all = append(all, th)
	}
}

func TestCassette_RoundTrip(t *testing.T) {
	for _, want := range [][]llm.Recorded{nil, some()} {
		h, got, err := readAll(cassette(t, want))
		if err != nil || cmp.Diff(h, header) != "" || cmp.Diff(got, want) != "" {
			t.Errorf("%v\n%s%s", err, cmp.Diff(h, header), cmp.Diff(got, want))
		}
	}
}

// A file that was cut, changed or written on is refused; the error says where and what to do.
func TestCassette_Damaged(t *testing.T) {
	whole := cassette(t, some())
	for n := range whole {
		if _, _, err := readAll(whole[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes it is read", n, len(whole))
		}
		b := bytes.Clone(whole)
		b[n] ^= 1
		_, _, err := readAll(b)
		var f *recorded.FormatError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "kingdom journal export") {
			t.Errorf("byte %d flipped: %v", n, err)
		}
	}
}

// A file with bytes after its end is refused, even if those are a whole gzip stream.
func TestCassette_TrailingBytesAreRefused(t *testing.T) {
	whole := cassette(t, some())
	for name, more := range map[string][]byte{"a byte": {0}, "a line": []byte("# mine\n"), "another stream": whole[len("KTH1"):]} {
		if _, _, err := readAll(slices.Concat(whole, more)); err == nil || !strings.Contains(err.Error(), "something follows") {
			t.Errorf("%s behind the end: %v", name, err)
		}
	}
}

// After its end a reader keeps returning EOF.
func TestReader_StaysAtEOF(t *testing.T) {
	r, err := recorded.NewReader(bytes.NewReader(cassette(t, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("behind the end: %v", err)
		}
	}
}

// The longest record, of 4 MiB, is written and read; a byte more is refused.
func TestCassette_LongestRecord(t *testing.T) {
	const most = 4 << 20
	r := answerTo(prompt(1, 300, 0), "")
	r.Calls, r.Text = nil, make([]byte, most)
	w, err := recorded.NewWriter(io.Discard, &header)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err = w.Add(&r); err == nil {
		t.Fatal("a text of 4 MiB fits a record of 4 MiB")
	}
	if _, serr := fmt.Sscanf(err.Error(), "write cassette: a record of %d bytes is larger than 4194304", &n); serr != nil {
		t.Fatalf("%v: %v", err, serr)
	}
	r.Text = r.Text[:2*most-n]
	if _, got, err := readAll(cassette(t, []llm.Recorded{r})); err != nil || len(got) != 1 || len(got[0].Text) != len(r.Text) {
		t.Errorf("a record of 4 MiB: %d thoughts, %v", len(got), err)
	}
	r.Text = make([]byte, len(r.Text)+1)
	if err := w.Add(&r); err == nil || !strings.Contains(err.Error(), "a record of 4194305 bytes") {
		t.Errorf("a record of 4 MiB and a byte: %v", err)
	}
}

func TestWriter_RefusesWrongOrder(t *testing.T) {
	w, err := recorded.NewWriter(io.Discard, &header)
	if err != nil {
		t.Fatal(err)
	}
	late, early := answerTo(prompt(1, 301, 0), "x"), answerTo(prompt(1, 300, 0), "x")
	if err := w.Add(&late); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(&early); err == nil {
		t.Error("a tick that goes back is written")
	}
	late.Text = make([]byte, 5<<20)
	if err := w.Add(&late); err == nil {
		t.Error("a thought of 5 MiB is written")
	}
}

// An order that the writer never writes is refused by the reader too.
func TestReader_RefusesDuplicatesAndWrongOutcomes(t *testing.T) {
	r := answerTo(prompt(1, 300, 0), "x")
	_, _, err := readAll(cassette(t, []llm.Recorded{r, r}))
	if err == nil || !strings.Contains(err.Error(), "record 2: it is there twice") { // 0 is the header
		t.Errorf("got %v", err)
	}
	for _, r.Outcome = range []llm.Outcome{0, 9} {
		if _, _, err := readAll(cassette(t, []llm.Recorded{r})); err == nil || !strings.Contains(err.Error(), "record 1: its outcome is unknown") {
			t.Errorf("outcome %d: %v", r.Outcome, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(cassette(f, some()))
	f.Add(cassette(f, nil))
	f.Add(cassette(f, some()[:1]))
	f.Add([]byte("KTH1"))
	whole := cassette(f, some())
	f.Add(whole[:len(whole)-1])
	changed := bytes.Clone(whole)
	changed[len(changed)/2] ^= 1
	f.Add(changed)
	f.Fuzz(func(t *testing.T, b []byte) {
		h, all, err := readAll(b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		w, err := recorded.NewWriter(&out, &h)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if err := w.Add(&all[i]); err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, again, err := readAll(out.Bytes()); err != nil || cmp.Diff(all, again) != "" {
			t.Errorf("read, written and read again: %v", err)
		}
	})
}

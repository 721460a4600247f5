package recorded_test

import (
	"bytes"
	"errors"
	"io"
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
	return append(out, func() llm.Recorded { r := answerTo(prompt(1, 301, 2), "y"); r.Calls = nil; return r }())
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
		_, got, err := readAll(b)
		if err != nil {
			var f *recorded.FormatError
			if !errors.As(err, &f) || !strings.Contains(err.Error(), "kingdom journal export") {
				t.Errorf("byte %d flipped: %v", n, err)
			}
		} else if cmp.Diff(got, some()) != "" { // some bytes of gzip's header mean nothing
			t.Errorf("byte %d flipped: other thoughts are read", n)
		}
	}
}

func TestWriter_RefusesWhatNoReaderTakes(t *testing.T) {
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
func TestReader_RefusesDoubleThoughts(t *testing.T) {
	r := answerTo(prompt(1, 300, 0), "x")
	_, _, err := readAll(cassette(t, []llm.Recorded{r, r}))
	if err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
	r.Outcome = 9
	if _, _, err := readAll(cassette(t, []llm.Recorded{r})); err == nil || !strings.Contains(err.Error(), "outcome") {
		t.Errorf("got %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(cassette(f, some()))
	f.Add(cassette(f, nil))
	f.Add([]byte("KTH1"))
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

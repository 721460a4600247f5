package program

import (
	"bytes"
	"testing"
)

// FuzzRun compiles and runs arbitrary texts: nothing panics, what is run twice ends the same
// way, and no bound is passed.
func FuzzRun(f *testing.F) {
	for _, h := range hostiles(f) {
		if len(h.source) < 2_000 {
			f.Add([]byte(h.source))
		}
	}
	for _, name := range ordinaryNames() {
		f.Add([]byte(ordinary[name]))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		p, err := Compile(source)
		if err != nil {
			if p != nil {
				t.Fatal("an error and a program")
			}
			return
		}
		in := Input{Program: p, Stdin: []byte("10"), Steps: 20_000, Memory: 1 << 16, Bind: map[string]*Program{"submission": p}}
		a, b := Run(in), Run(in)
		if a.Trace != b.Trace || a.State != b.State || a.Fault != b.Fault || a.Steps != b.Steps || a.Memory != b.Memory || !bytes.Equal(a.Output, b.Output) {
			t.Fatalf("ends in two ways: %+v and %+v", a, b)
		}
		if a.Steps > in.Steps || len(a.Output) > MaxOutput || len(a.Log) > MaxLog || len(a.Message) > maxMessage {
			t.Fatalf("passes a bound: %+v", a)
		}
		if bytes.HasPrefix([]byte(a.Message), []byte("panic")) {
			t.Fatalf("the interpreter panicked: %s", a.Message)
		}
	})
}

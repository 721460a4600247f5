package program_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"kingdom/world/forge/program"
)

// A cache gives what Compile gives, and the same program again while it has room.
func TestCache_ReturnsSameProgramAgain(t *testing.T) {
	var s program.Cache
	first, err := s.Compile([]byte("emit('one')"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Compile([]byte("emit('one')"))
	if err != nil || again != first {
		t.Fatalf("the second reading gave %p, %v, want the program %p of the first", again, err, first)
	}
	if looked, err := s.CompileReadOnly([]byte("emit('one')")); err != nil || looked != first {
		t.Fatalf("CompileReadOnly gave %p, %v, want the program %p of the first", looked, err, first)
	}
	if p, err := s.CompileReadOnly([]byte("emit('two')")); err != nil || p == nil {
		t.Fatalf("CompileReadOnly of a text that is not cached gave %p, %v, want the program", p, err)
	} else if kept, _ := s.Compile([]byte("emit('two')")); kept == p {
		t.Fatal("CompileReadOnly changed the cache")
	}
	const bad = "x = (\n"
	_, want := program.Compile([]byte(bad))
	for range 2 {
		if p, err := s.Compile([]byte(bad)); p != nil || err == nil || err.Error() != want.Error() {
			t.Fatalf("a text that is no program gave %v, %v, want %v", p, err, want)
		}
	}
}

// A cache is bounded: texts without end push out what nobody asks for, and only that.
func TestCache_IsBounded(t *testing.T) {
	var s program.Cache
	used, err := s.Compile([]byte("x = 'used'"))
	if err != nil {
		t.Fatal(err)
	}
	unused, err := s.Compile([]byte("x = 'unused'"))
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("# nothing\n", 26_000) // 1 MiB of the cache, and quickly read
	for i := range 50 {
		if _, err := s.Compile(fmt.Appendf(nil, "%sx = %d", long, i)); err != nil {
			t.Fatal(err)
		}
		if again, _ := s.Compile([]byte("x = 'used'")); again != used {
			t.Fatalf("what was asked for just now is gone after %d texts", i+1)
		}
	}
	if again, _ := s.Compile([]byte("x = 'unused'")); again == unused {
		t.Fatal("50 texts of 260,000 bytes are held beside the first one, want it to be gone")
	}
}

// Runs of a tick are made in parallel.
func TestCache_InParallel(t *testing.T) {
	var s program.Cache
	var wg sync.WaitGroup
	for i := range 5 {
		if _, err := s.Compile(fmt.Appendf(nil, "def main(stdin):\n    return %d\n", i)); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				p, err := s.CompileReadOnly(fmt.Appendf(nil, "def main(stdin):\n    return %d\n", i%10))
				if err != nil {
					t.Error(err)
					return
				}
				if r := program.Run(program.Input{Program: p, Steps: 1000, Memory: 65536}); string(r.Output) != fmt.Sprint(i%10) {
					t.Errorf("program %d wrote %q", i%10, r.Output)
				}
			}
		})
	}
	wg.Wait()
}

package program

import (
	"crypto/sha256"
	"sync"

	"kingdom/wire"
)

// shelfSize is about how many bytes of programs each half of a shelf holds.
const shelfSize = 16 << 20

// Shelf keeps what texts compiled to, so that a text that is run, linked or refused again and again is
// read once. What a text compiles to depends on the text alone, so no result depends on a shelf. The
// zero value is an empty one; it may be used by several goroutines.
type Shelf struct {
	mu       sync.Mutex
	new, old map[title]*volume // what was asked for lately, and what was before that; in new first
	size     int               // bytes that new holds, about
}

// title is the name that a program carries, and the hash of its text.
type title struct {
	name string
	text wire.Hash
}

// volume is a program, or why a text is none.
type volume struct {
	program *Program
	err     error
}

// Compile is [Compile], from the shelf if the text was read before.
func (s *Shelf) Compile(source []byte) (*Program, error) { return s.compile("", source) }

// CompileAs is [CompileAs], from the shelf if the text was read before under this name.
func (s *Shelf) CompileAs(name string, source []byte) (*Program, error) {
	return s.compile(name, source)
}

func (s *Shelf) compile(name string, source []byte) (*Program, error) {
	if s == nil {
		return compile(name, source)
	}
	t := title{name, sha256.Sum256(source)}
	if v := s.find(t); v != nil {
		return v.program, v.err
	}
	p, err := compile(name, source) // two at once may both do it; the results are the same
	s.put(t, &volume{p, err})
	return p, err
}

func (s *Shelf) find(t title) *volume {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.new[t]; v != nil {
		return v
	}
	v := s.old[t]
	if v != nil {
		s.keep(t, v)
	}
	return v
}

func (s *Shelf) put(t title, v *volume) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(t, v)
}

// keep puts a volume among the new ones; when these are too many they become the old ones, and the
// old ones go.
func (s *Shelf) keep(t title, v *volume) {
	if s.new == nil || s.size > shelfSize {
		s.new, s.old, s.size = map[title]*volume{}, s.new, 0
	}
	if s.new[t] == nil {
		s.new[t] = v
		s.size += v.size()
	}
}

// size is about how many bytes a volume takes: its code, and what each function and name adds.
func (v *volume) size() int {
	const entry = 512 // of the table, and the text of an error
	if v.program == nil {
		return entry
	}
	return entry + 4*v.program.size + 256*v.program.functions + 64*len(v.program.symbols)
}

package program

import (
	"crypto/sha256"

	"kingdom/wire"
)

// shelfSize is about how many bytes of programs each half of a shelf holds.
const shelfSize = 8 << 20

// Shelf is a cache of compiled texts, so that a text that is run, linked or refused many times is compiled once. The
// result of compiling depends on the text alone, so no result depends on the cache. The zero value is empty. Compile
// changes the cache and must be called only in the commit, where requests are applied one after the other. Look does
// not change it and may be called in parallel.
type Shelf struct {
	new, old map[wire.Hash]*volume // by the hash of the text; what was asked for lately, and what was before that
	size     int                   // bytes that new holds, about
}

// volume is a program, or why a text is none.
type volume struct {
	program *Program
	err     error
}

// Compile is the function [Compile] with the cache, and adds the result to the cache.
func (s *Shelf) Compile(source []byte) (*Program, error) {
	id := wire.Hash(sha256.Sum256(source))
	v := s.find(id)
	if v == nil {
		p, err := Compile(source)
		v = &volume{p, err}
	}
	s.keep(id, v)
	return v.program, v.err
}

// Look is the function [Compile] with the cache, and leaves the cache as it is.
func (s *Shelf) Look(source []byte) (*Program, error) {
	if v := s.find(sha256.Sum256(source)); v != nil {
		return v.program, v.err
	}
	return Compile(source)
}

func (s *Shelf) find(id wire.Hash) *volume {
	if v := s.new[id]; v != nil {
		return v
	}
	return s.old[id]
}

// keep puts a volume among the new ones; when these are too many they become the old ones, and the
// old ones go.
func (s *Shelf) keep(id wire.Hash, v *volume) {
	if s.new[id] != nil {
		return
	}
	if s.new == nil || s.size > shelfSize {
		s.new, s.old, s.size = map[wire.Hash]*volume{}, s.new, 0
	}
	s.new[id] = v
	s.size += v.size()
}

// size is about how many bytes a volume takes: its code, and what each function and name adds.
func (v *volume) size() int {
	const entry = 512 // of the table, and the text of an error
	if v.program == nil {
		return entry
	}
	return entry + 4*v.program.size + 256*v.program.functions + 64*len(v.program.symbols)
}

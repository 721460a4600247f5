package program

import (
	"crypto/sha256"

	"kingdom/wire"
)

// generationSize is the approximate size in bytes at which a generation of a Cache is full.
const generationSize = 512 << 10

// Cache is a cache of compiled texts, so that a text that is run, linked or refused many times is compiled once. The
// result of compiling depends on the text alone, so no result depends on the cache. The zero value is empty. Compile
// changes the cache and must be called only in the commit, where requests are applied one after the other.
// CompileReadOnly does not change it and may be called in parallel.
type Cache struct {
	recent, previous map[wire.Hash]*cacheEntry // two generations, by the hash of the text
	size             int                       // of recent, in bytes, approximate
}

// cacheEntry is a program, or the error of a text that does not compile.
type cacheEntry struct {
	program *Program
	err     error
}

// Compile is the function [Compile] with the cache, and adds the result to the cache.
func (s *Cache) Compile(source []byte) (*Program, error) {
	id := wire.Hash(sha256.Sum256(source))
	v := s.find(id)
	if v == nil {
		p, err := Compile(source)
		v = &cacheEntry{p, err}
	}
	s.insert(id, v)
	return v.program, v.err
}

// CompileReadOnly is the function [Compile] with the cache, but does not add the result to the cache.
func (s *Cache) CompileReadOnly(source []byte) (*Program, error) {
	if v := s.find(sha256.Sum256(source)); v != nil {
		return v.program, v.err
	}
	return Compile(source)
}

func (s *Cache) find(id wire.Hash) *cacheEntry {
	if v := s.recent[id]; v != nil {
		return v
	}
	return s.previous[id]
}

// insert adds an entry to the recent generation. When that is full it becomes the previous one, whose entries are dropped.
func (s *Cache) insert(id wire.Hash, v *cacheEntry) {
	if s.recent[id] != nil {
		return
	}
	if s.recent == nil || s.size > generationSize {
		s.recent, s.previous, s.size = map[wire.Hash]*cacheEntry{}, s.recent, 0
	}
	s.recent[id] = v
	s.size += v.size()
}

// size estimates the bytes that an entry takes: its code, and what each function and name adds.
func (v *cacheEntry) size() int {
	const entry = 512 // of the table, and the text of an error
	if v.program == nil {
		return entry
	}
	return entry + 4*v.program.size + 256*v.program.functions + 64*len(v.program.symbols)
}

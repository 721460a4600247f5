package table

import (
	"strings"

	"kingdom/wire"
)

// number is any integer of the wire. Values from 2^63 on are stored as their
// two's complement, as SQL has no unsigned integers.
type number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int64
}

func num[R any, N number](name string, of func(r *R) N) column[R] {
	return column[R]{Column{Name: name, Kind: Int}, func(r *R) any { return int64(of(r)) }}
}

// ordinal stores an enum by its place, from 0.
func ordinal[R any, E ~uint8](name string, of func(r *R) E) column[R] {
	return column[R]{Column{Name: name, Kind: Small}, func(r *R) any { return int64(of(r)) - 1 }}
}

func optNum[R any, N number](name string, of func(r *R) *N) column[R] {
	return column[R]{Column{Name: name, Kind: Int, Null: true}, func(r *R) any {
		if p := of(r); p != nil {
			return int64(*p)
		}
		return nil
	}}
}

// id32 is a hash or an id.
func id32[R any, H ~[32]byte](name string, of func(r *R) *H) column[R] {
	return column[R]{Column{Name: name, Kind: Bytes}, func(r *R) any {
		h := [32]byte(*of(r))
		return h[:]
	}}
}

func optID[R any](name string, of func(r *R) *wire.AgentID) column[R] {
	return column[R]{Column{Name: name, Kind: Bytes, Null: true}, func(r *R) any {
		if p := of(r); p != nil {
			h := *p
			return h[:]
		}
		return nil
	}}
}

func blob[R any](name string, of func(r *R) []byte) column[R] {
	return column[R]{Column{Name: name, Kind: Bytes}, func(r *R) any {
		if b := of(r); b != nil {
			return b
		}
		return []byte{}
	}}
}

// text is for reading only: what is no UTF-8, and the zero byte that PostgreSQL
// does not store, become U+FFFD. Nothing is restored from such a column.
func text[R any](name string, of func(r *R) string) column[R] {
	return column[R]{Column{Name: name, Kind: Text}, func(r *R) any {
		return strings.ReplaceAll(strings.ToValidUTF8(of(r), "\uFFFD"), "\x00", "\uFFFD")
	}}
}

func single[R any](name string, of func(r *R) float32) column[R] {
	return column[R]{Column{Name: name, Kind: Real}, func(r *R) any { return float64(of(r)) }}
}

func double[R any](name string, of func(r *R) float64) column[R] {
	return column[R]{Column{Name: name, Kind: Double}, func(r *R) any { return of(r) }}
}

func flag[R any](name string, of func(r *R) bool) column[R] {
	return column[R]{Column{Name: name, Kind: Bool}, func(r *R) any { return of(r) }}
}

// hashes concatenates ids, 32 bytes each.
func hashes(hs []wire.Hash) []byte {
	out := make([]byte, 0, 32*len(hs))
	for i := range hs {
		out = append(out, hs[i][:]...)
	}
	return out
}

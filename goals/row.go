package goals

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// row is what the goals table holds of a goal, and what the agent's hash covers of it.
type row struct {
	ID          wire.Hash   `kdom:"id"`
	Layer       Layer       `kdom:"layer"`
	Source      Source      `kdom:"source"`
	Description Description `kdom:"description"`
	Priority    float64     `kdom:"priority"`
	Status      Status      `kdom:"status"`
	CreatedAt   wire.Tick   `kdom:"created_at"`
	Deadline    *wire.Tick  `kdom:"deadline"`
}

var rowCodec = codec.New[row]()

// AppendTo appends the canonical list of the living goals' columns, by age.
func (s *Stack) AppendTo(dst []byte) []byte {
	dst = codec.AppendArrayLen(dst, len(s.living))
	var r row
	for _, g := range s.living {
		r = row{g.ID, g.Layer, g.Source, g.Description, g.Priority, g.Status, g.CreatedAt, g.Deadline}
		dst = rowCodec.Append(dst, &r)
	}
	return dst
}

package oracle

import (
	"errors"
	"fmt"
	"math/bits"

	"kingdom/det"
	"kingdom/wire"
)

// maxSystemBody bounds the body of an entry that a system writes, in bytes; an agent's has
// action.MaxBody.
const maxSystemBody = 262_144

// Body returns the canonical form of a list of blocks, in which it is published.
func Body(list []wire.ContentBlock) []byte { return wire.BlocksCodec.Append(nil, &list) }

// decodeBody decodes the body in a request; it must have at least one block.
func decodeBody(body []byte) ([]wire.ContentBlock, error) {
	var list []wire.ContentBlock
	if err := wire.BlocksCodec.Decode(body, &list); err != nil {
		return nil, fmt.Errorf("read body: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("read body: no blocks; an entry needs at least one")
	}
	return list, nil
}

// completeness returns a fifth for each distinct kind of block, nested ones included, at most 1.
func completeness(list []wire.ContentBlock) float32 {
	kinds := min(5, bits.OnesCount(blockKinds(list)))
	return float32(det.Quantise(float64(kinds) / 5))
}

func blockKinds(list []wire.ContentBlock) (set uint) {
	for i := range list {
		b := &list[i]
		for bit, is := range [...]bool{
			b.Section != nil, b.Paragraph != nil, b.Code != nil, b.Definition != nil, b.Assertion != nil,
			b.Table != nil, b.Reference != nil, b.Warning != nil, b.Example != nil,
		} {
			if is {
				set |= 1 << bit
			}
		}
		if b.Section != nil {
			set |= blockKinds(b.Section.Children)
		}
	}
	return set
}

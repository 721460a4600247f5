package action

import (
	"fmt"

	"kingdom/wire/codec"
)

// MaxRest is the largest number of slots of one rest: a usual budget, so that one thought can end the work of a
// cycle.
const MaxRest = 64

// Rest are the parameters of rest, which sends nothing.
type Rest struct {
	Slots uint8 `kdom:"slots"` // the agent's next ones of the cycle, 1 to [MaxRest]
}

var restCodec = codec.New[Rest]()

func restFromJSON(params []byte, names codec.AliasResolver) (*Rest, error) {
	var r Rest
	if err := restCodec.FromJSON(params, &r, names); err != nil {
		return nil, err
	}
	if r.Slots < 1 || r.Slots > MaxRest {
		return nil, fmt.Errorf("slots is %d, want 1 to %d", r.Slots, MaxRest)
	}
	return &r, nil
}

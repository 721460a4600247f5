package memory

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// The columns evidence, dependencies and steps hold bare lists. The codec decodes maps only, so a list is decoded as the single
// entry of a map.

type hashList struct {
	L []wire.Hash `kdom:"l"`
}

type stepList struct {
	L []PlanStep `kdom:"l"`
}

var (
	hashListCodec = codec.New[hashList]()
	stepListCodec = codec.New[stepList]()
	stepCodec     = codec.New[PlanStep]()

	listHeader = codec.AppendString(codec.AppendMapLen(nil, 1), "l")
)

func asMapEntry(list []byte) []byte {
	return append(listHeader[:len(listHeader):len(listHeader)], list...)
}

// AppendHashes appends the canonical list of hashes.
func AppendHashes(dst []byte, hs []wire.Hash) []byte {
	dst = codec.AppendArrayLen(dst, len(hs))
	for i := range hs {
		dst = codec.AppendBytes(dst, hs[i][:])
	}
	return dst
}

// DecodeHashes reads what AppendHashes wrote.
func DecodeHashes(b []byte) ([]wire.Hash, error) {
	var v hashList
	err := hashListCodec.DecodeCanonical(asMapEntry(b), &v)
	return v.L, err
}

// AppendSteps appends the canonical list of plan steps.
func AppendSteps(dst []byte, steps []PlanStep) []byte {
	dst = codec.AppendArrayLen(dst, len(steps))
	for i := range steps {
		dst = stepCodec.Append(dst, &steps[i])
	}
	return dst
}

// DecodeSteps reads what AppendSteps wrote.
func DecodeSteps(b []byte) ([]PlanStep, error) {
	var v stepList
	err := stepListCodec.DecodeCanonical(asMapEntry(b), &v)
	return v.L, err
}

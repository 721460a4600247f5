package vault

import (
	"bytes"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
)

// maxKey is the largest length of a key of a tree, in bytes.
const maxKey = action.MaxTitle

// check refuses an object that is too large, cannot be decoded or exceeds a bound.
func check(t wire.ObjectType, data []byte) *world.Refusal {
	if len(data) > wire.MaxObject {
		return refusal(wire.CategoryQuotaExceeded, "size", world.Limit(wire.MaxObject), world.Have(uint64(len(data))))
	}
	switch t {
	case wire.ObjectAtom:
		return nil
	case wire.ObjectTree:
		return decodeAndCheck(wire.TreeCodec, data, checkTree)
	case wire.ObjectSnap:
		return decodeAndCheck(wire.SnapCodec, data, func(x *wire.Snap) *world.Refusal { return world.MaxBytes("message", len(x.Message), action.MaxNote) })
	case wire.ObjectDelta:
		return decodeAndCheck(wire.DeltaCodec, data, checkDelta)
	case wire.ObjectChain:
		return decodeAndCheck(wire.ChainExportCodec, data, func(x *wire.ChainExport) *world.Refusal { return checkName("name", x.Name) })
	case wire.ObjectTag:
		return decodeAndCheck(wire.TagCodec, data, func(x *wire.Tag) *world.Refusal {
			return world.FirstRefusal(checkName("name", x.Name), world.MaxBytes("message", len(x.Message), action.MaxNote))
		})
	case wire.ObjectClaim:
		return decodeAndCheck(wire.ClaimCodec, data, func(x *wire.Claim) *world.Refusal { return world.MaxBytes("license", len(x.License), action.MaxNote) })
	}
	return malformed("type_tag")
}

func malformed(field string) *world.Refusal {
	return refusal(wire.CategoryInvalidRequest, "malformed", world.Field(field))
}

func decodeAndCheck[T any](c *codec.Codec[T], data []byte, more func(*T) *world.Refusal) *world.Refusal {
	var v T
	if c.DecodeCanonical(data, &v) != nil {
		return malformed("data")
	}
	return more(&v)
}

// checkName refuses an empty or too long name of a repo, chain or tag.
func checkName(field string, name []byte) *world.Refusal {
	return world.FirstRefusal(world.InvalidIf(len(name) == 0, field), world.MaxBytes(field, len(name), action.MaxName))
}

func checkTree(x *wire.Tree) *world.Refusal {
	if r := world.MaxItems("entries", len(x.Entries), wire.MaxTreeEntries); r != nil {
		return r
	}
	for i := range x.Entries {
		k := x.Entries[i].Key
		if len(k) == 0 || i > 0 && bytes.Compare(x.Entries[i-1].Key, k) >= 0 {
			return malformed("data")
		}
		if r := world.MaxBytes("key", len(k), maxKey); r != nil {
			return r
		}
	}
	return nil
}

func checkDelta(x *wire.Delta) *world.Refusal {
	for i := range x.Ops {
		for _, path := range pathsOf(&x.Ops[i]) {
			if len(path) == 0 {
				return malformed("data")
			}
			if r := world.MaxItems("path", len(path), wire.MaxPath); r != nil {
				return r
			}
			for _, k := range path {
				if r := world.MaxBytes("path", len(k), maxKey); r != nil {
					return r
				}
			}
		}
	}
	return nil
}

func pathsOf(o *wire.DeltaOp) [][][]byte {
	switch {
	case o.Insert != nil:
		return [][][]byte{o.Insert.Path}
	case o.Delete != nil:
		return [][][]byte{o.Delete.Path}
	case o.Replace != nil:
		return [][][]byte{o.Replace.Path}
	case o.Move != nil:
		return [][][]byte{o.Move.From, o.Move.To}
	}
	return [][][]byte{o.Transform.Path}
}

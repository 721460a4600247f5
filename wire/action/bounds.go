package action

import (
	"math"
	"reflect"

	"kingdom/wire"
)

// Unit is what a bound counts.
type Unit uint8

const (
	// Bytes of the canonical form.
	Bytes Unit = iota + 1
	// Items of a list.
	Items
	// Value of a number.
	Value
)

// Bound is the limit of a field of a request. A field inside another is named by its path: "comments.content" is that
// of each comment.
type Bound struct {
	Field string
	Unit  Unit
	Least int // 0: may be empty
	Most  int

	// extremes are the smallest and the largest of what the field holds; a list of texts has
	// many. Without any, both are the bound's own Least.
	extremes func(payload any) (smallest, largest int)
}

// Bounds returns the bounds of a request type in the order of its fields. The list is shared and read-only.
func Bounds(t wire.MsgType) []Bound { return bounds[t] }

// ExceededBound returns the first bound that a request exceeds and the actual value, or nil if it keeps all bounds. payload
// is a pointer to the payload struct of a request type.
func ExceededBound(payload any) (b *Bound, have int) {
	list := boundsByPayload[reflect.TypeOf(payload)]
	for i := range list {
		b = &list[i]
		smallest, largest := b.extremes(payload)
		switch {
		case largest > b.Most:
			return b, largest
		case smallest < b.Least:
			return b, smallest
		}
	}
	return nil, 0
}

// bounds are all bounds, by request type. The numbers are defined nowhere else.
var bounds = map[wire.MsgType][]Bound{
	wire.TypeRepoCreate:    repoCreateBounds,
	wire.TypeSnapCreate:    snapCreateBounds,
	wire.TypeChainCreate:   chainCreateBounds,
	wire.TypeChainAdvance:  chainAdvanceBounds,
	wire.TypeTagCreate:     tagCreateBounds,
	wire.TypeRegistryQuery: registryQueryBounds,
	wire.TypeChannelCreate: channelCreateBounds,
	wire.TypeMsgPost:       msgPostBounds,
	wire.TypeMsgQuery:      msgQueryBounds,
	wire.TypeBountyCreate:  bountyCreateBounds,
	wire.TypeBountyReview:  bountyReviewBounds,
	wire.TypeReviewRequest: reviewRequestBounds,
	wire.TypeReviewSubmit:  reviewSubmitBounds,
	wire.TypeEntryPublish:  entryPublishBounds,
	wire.TypeEntryUpdate:   entryUpdateBounds,
	wire.TypeEntryQuery:    entryQueryBounds,
	wire.TypeEntryVerify:   entryVerifyBounds,
	wire.TypeCitationAdd:   citationAddBounds,
	wire.TypeCitationQuery: citationQueryBounds,
	wire.TypeSandboxCreate: sandboxCreateBounds,
	wire.TypeServiceCreate: serviceCreateBounds,
	wire.TypeServiceCall:   serviceCallBounds,
	wire.TypeLinkResolve:   linkResolveBounds,
	wire.TypeTransfer:      transferBounds,
	wire.TypeEscrowCreate:  escrowCreateBounds,
	wire.TypeEscrowRelease: escrowReleaseBounds,
	wire.TypeWebRequest:    webRequestBounds,
}

// boundsByPayload are the same, by payload type.
var boundsByPayload = func() map[reflect.Type][]Bound {
	out := map[reflect.Type][]Bound{}
	for t, list := range bounds { //house:sorted a map is filled
		out[reflect.TypeOf(wire.NewRequest(t))] = list
	}
	return out
}()

// bytesBound bounds a field of bytes.
func bytesBound[Q any](field string, least, most int, get func(*Q) []byte) Bound {
	return Bound{field, Bytes, least, most, func(p any) (int, int) {
		n := len(get(p.(*Q)))
		return n, n
	}}
}

// optionalBytesBound bounds a field of bytes that may be absent.
func optionalBytesBound[Q any](field string, most int, get func(*Q) *[]byte) Bound {
	return bytesBound(field, 0, most, func(q *Q) []byte {
		if b := get(q); b != nil {
			return *b
		}
		return nil
	})
}

// mapBound bounds a field that holds a map or a list of blocks, by the bytes of its canonical form. canonical returns
// that form; it is called only if the bytes as they were sent exceed the bound.
func mapBound[Q any](field string, most int, canonical func([]byte) ([]byte, error), get func(*Q) []byte) Bound {
	return bytesBound(field, 0, most, func(q *Q) []byte {
		b := get(q)
		if len(b) <= most {
			return b
		}
		if c, err := canonical(b); err == nil {
			return c
		}
		return b
	})
}

// eachBytesBound bounds each of several fields of bytes. each must call see with every one of them.
func eachBytesBound[Q any](field string, least, most int, each func(q *Q, see func([]byte))) Bound {
	return Bound{field, Bytes, least, most, func(p any) (int, int) {
		smallest, largest := math.MaxInt, 0
		each(p.(*Q), func(b []byte) { smallest, largest = min(smallest, len(b)), max(largest, len(b)) })
		return smallest, largest
	}}
}

// itemsBound bounds a list by how many items it has.
func itemsBound[Q any](field string, most int, count func(*Q) int) Bound {
	return Bound{field, Items, 0, most, func(p any) (int, int) {
		n := count(p.(*Q))
		return n, n
	}}
}

// filterBound bounds a list that may be absent.
func filterBound[Q, T any](field string, get func(*Q) *[]T) Bound {
	return itemsBound(field, maxFilter, func(q *Q) int {
		if l := get(q); l != nil {
			return len(*l)
		}
		return 0
	})
}

// valueBound bounds a number.
func valueBound[Q any](field string, most int, get func(*Q) uint32) Bound {
	return Bound{field, Value, 0, most, func(p any) (int, int) {
		n := int(get(p.(*Q)))
		return n, n
	}}
}

// canonicalBlocks is the canonical form of an entry's body.
func canonicalBlocks(b []byte) ([]byte, error) {
	var list []wire.ContentBlock
	if err := wire.BlocksCodec.Decode(b, &list); err != nil {
		return nil, err
	}
	return wire.BlocksCodec.Append(nil, &list), nil
}

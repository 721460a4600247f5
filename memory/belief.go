package memory

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Limits of beliefs.
const (
	// beliefMax is how many beliefs an agent holds; the weakest goes first, of equals
	// the one tested longest ago, then the lower row id.
	beliefMax = 256
	// EvidenceMax is how many references a belief keeps; the oldest goes first.
	EvidenceMax = 8

	beliefFloor = 0.05 // below it a belief is dropped at cycle end
)

// Claim is what a belief says: something (predicate) about something (subject). It is
// the belief's key and, as a canonical map, its stored claim.
type Claim struct {
	Subject   []byte `kdom:"subject"` // 32-byte id or UTF-8 text
	Predicate string `kdom:"predicate"`
}

func (c *Claim) compare(o Claim) int {
	if d := bytes.Compare(c.Subject, o.Subject); d != 0 {
		return d
	}
	return strings.Compare(c.Predicate, o.Predicate)
}

// AmountPredicate is that of beliefs whose confidence is an amount: a low one is knowledge and no weak belief.
const AmountPredicate = "pays"

var claimCodec = codec.New[Claim]()

// AppendClaim appends the canonical bytes of a claim.
func AppendClaim(dst []byte, c *Claim) []byte { return claimCodec.Append(dst, c) }

// DecodeClaim reads what AppendClaim wrote.
func DecodeClaim(b []byte, c *Claim) error { return claimCodec.DecodeCanonical(b, c) }

// Belief is an inferred principle about how the world works.
type Belief struct {
	ID         uint64      `kdom:"id"` // row id
	Claim      Claim       `kdom:"claim"`
	Confidence float32     `kdom:"confidence"` // [0,1], quantised
	Evidence   []wire.Hash `kdom:"evidence"`   // oldest first
	FormedAt   wire.Tick   `kdom:"formed_at"`
	LastTested wire.Tick   `kdom:"last_tested"`
}

var beliefCodec = codec.New[Belief]()

// held is a belief with its bookkeeping.
type held struct {
	Belief
	dirty  bool
	oldest uint8     // where in full Evidence the oldest is; the next one takes its place
	row    wire.Hash // its part of the digest, zero while out of date
}

// belief puts the evidence in its order, which a test need not keep.
func (p *held) belief() *Belief {
	if p.oldest > 0 {
		var e [EvidenceMax]wire.Hash
		n := copy(e[:], p.Evidence[p.oldest:])
		copy(e[n:], p.Evidence[:p.oldest])
		copy(p.Evidence, e[:])
		p.oldest = 0
	}
	return &p.Belief
}

// Beliefs holds the beliefs of an agent, sorted by claim.
type Beliefs struct {
	ids     *RowIDs
	list    []held
	dropped []uint64 // stored rows gone since the last Changed
	digest  Digest
	stale   bool      // digest lacks dirty beliefs
	hints   [16]uint8 // where a claim was found last, by a rough sum of it
}

// Test moves a belief by one observation: c ← c + 0.2·(x − c), x being 1 for support
// and 0 against. An unknown claim starts at 0.5. evidence may be nil. Like Shift and
// Hold it returns the new confidence.
func (b *Beliefs) Test(c Claim, support bool, evidence *wire.Hash, at wire.Tick) float32 {
	x := float64(0)
	if support {
		x = 1
	}
	p := b.touch(c, at)
	old := float64(p.Confidence)
	return b.hold(p, old+float64(emaRate*(x-old)), evidence, at)
}

// Toward moves a belief towards x in [0,1] by a share of the distance. An unknown claim starts at start.
func (b *Beliefs) Toward(c Claim, start, x, share float64, evidence *wire.Hash, at wire.Tick) float32 {
	n := len(b.list)
	p := b.touch(c, at)
	old := float64(p.Confidence)
	if len(b.list) > n { // formed now
		old = start
	}
	return b.hold(p, old+float64(share*(x-old)), evidence, at)
}

// Shift moves the confidence of a belief by delta, kept within [0,1].
func (b *Beliefs) Shift(c Claim, delta float64, evidence *wire.Hash, at wire.Tick) float32 {
	p := b.touch(c, at)
	return b.hold(p, float64(p.Confidence)+delta, evidence, at)
}

// Hold sets a confidence outright, as a mind does when it states one.
func (b *Beliefs) Hold(c Claim, confidence float64, evidence *wire.Hash, at wire.Tick) float32 {
	return b.hold(b.touch(c, at), confidence, evidence, at)
}

// hold writes one update. The row's old sum leaves the digest now; Digest puts the new
// one in, so that many updates in a cycle cost one hash.
func (b *Beliefs) hold(p *held, confidence float64, evidence *wire.Hash, at wire.Tick) float32 {
	b.markChanged(p)
	p.Confidence = float32(det.Quantise(min(max(confidence, 0), 1)))
	p.LastTested = at
	switch {
	case evidence == nil:
	case len(p.Evidence) < EvidenceMax:
		p.Evidence = append(p.Evidence, *evidence)
	default:
		p.Evidence[p.oldest] = *evidence
		p.oldest = (p.oldest + 1) % EvidenceMax
	}
	return p.Confidence
}

func (b *Beliefs) markChanged(p *held) {
	if !p.row.IsZero() {
		b.digest.Sub(p.row)
		p.row = wire.Hash{}
	}
	p.dirty, b.stale = true, true
}

// touch finds or forms a belief.
func (b *Beliefs) touch(c Claim, at wire.Tick) *held {
	i, ok := b.find(c)
	if ok {
		return &b.list[i]
	}
	if len(b.list) >= beliefMax {
		b.drop(b.weakest())
		i, _ = b.find(c)
	}
	b.list = slices.Insert(grow(b.list, beliefMax), i, held{
		Belief: Belief{ID: b.ids.Next(), Claim: c, Confidence: scoreStart, FormedAt: at, LastTested: at},
	})
	p := &b.list[i]
	b.markChanged(p)
	return p
}

func (b *Beliefs) weakest() int {
	low := 0
	for i := range b.list {
		p, q := &b.list[i], &b.list[low]
		switch {
		case p.Confidence != q.Confidence:
			if p.Confidence < q.Confidence {
				low = i
			}
		case p.LastTested != q.LastTested:
			if p.LastTested < q.LastTested {
				low = i
			}
		case p.ID < q.ID:
			low = i
		}
	}
	return low
}

func (b *Beliefs) drop(i int) {
	p := &b.list[i]
	b.markChanged(p)
	b.dropped = append(b.dropped, p.ID)
	b.list = slices.Delete(b.list, i, i+1)
}

// CycleEnd drops the beliefs that became too weak.
func (b *Beliefs) CycleEnd() {
	for i := len(b.list) - 1; i >= 0; i-- {
		if p := &b.list[i]; float64(p.Confidence) < beliefFloor && p.Claim.Predicate != AmountPredicate {
			b.drop(i)
		}
	}
}

// Get returns the belief with a claim, or nil. It is valid until the next one is formed or
// dropped.
func (b *Beliefs) Get(c Claim) *Belief {
	if i, ok := b.find(c); ok {
		return b.list[i].belief()
	}
	return nil
}

// Len returns the number of beliefs.
func (b *Beliefs) Len() int { return len(b.list) }

// All yields the beliefs by claim.
func (b *Beliefs) All() iter.Seq[*Belief] {
	return func(yield func(*Belief) bool) {
		for i := range b.list {
			if !yield(b.list[i].belief()) {
				return
			}
		}
	}
}

// Digest covers all beliefs; its cost follows those that changed since the last call.
func (b *Beliefs) Digest() wire.Hash {
	if b.stale {
		for i := range b.list {
			if p := &b.list[i]; p.row.IsZero() {
				p.row = rowHash(beliefCodec, p.belief())
				b.digest.Add(p.row)
			}
		}
		b.stale = false
	}
	return b.digest.Hash()
}

// Changed returns the beliefs made or changed since the last call, by claim, and the row
// ids of those gone; it forgets both.
func (b *Beliefs) Changed() (changed []Belief, gone []uint64) {
	for i := range b.list {
		if p := &b.list[i]; p.dirty {
			p.dirty = false
			changed = append(changed, *p.belief())
		}
	}
	gone, b.dropped = b.dropped, nil
	return changed, gone
}

// Forget is Changed for who does not want the rows.
func (b *Beliefs) Forget() {
	for i := range b.list {
		b.list[i].dirty = false
	}
	b.dropped = nil
}

// Restore puts back stored beliefs, in any order.
func (b *Beliefs) Restore(rows []Belief) {
	b.list, b.dropped, b.digest, b.stale = make([]held, len(rows)), nil, Digest{}, true
	for i := range rows {
		b.list[i] = held{Belief: rows[i]}
	}
	slices.SortFunc(b.list, func(p, q held) int { return p.Claim.compare(q.Claim) })
}

// find looks where such a claim was found last, for most events move the same few beliefs,
// and then searches.
func (b *Beliefs) find(c Claim) (int, bool) {
	hint := &b.hints[(len(c.Subject)+5*len(c.Predicate))%len(b.hints)]
	if i := int(*hint); i < len(b.list) && b.list[i].Claim.compare(c) == 0 {
		return i, true
	}
	i, ok := b.search(c)
	if ok {
		*hint = uint8(i)
	}
	return i, ok
}

// search is a binary search written out, because a claim handed to a callback would move
// to the heap at every test of a belief.
func (b *Beliefs) search(c Claim) (int, bool) {
	lo, hi := 0, len(b.list)
	for lo < hi {
		mid := (lo + hi) / 2
		if b.list[mid].Claim.compare(c) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(b.list) && b.list[lo].Claim.compare(c) == 0
}

package memory

import (
	"cmp"
	"crypto/sha256"
	"iter"
	"slices"
	"strings"
	"unique"

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
	EvidenceMax = 4

	beliefFloor = 0.05 // below it a belief is dropped at cycle end
)

// Claim is the content of a belief: a predicate about a subject. It is the belief's key and, as a canonical map, its
// stored claim.
type Claim struct {
	Subject   []byte `kdom:"subject"` // 32-byte id or UTF-8 text
	Predicate string `kdom:"predicate"`
}

// AmountPredicate is the predicate of beliefs whose confidence stands for an amount. A low amount is not a weak
// belief.
const AmountPredicate = "pays"

// WorkPays is the claim that work for goals of a domain pays, on average over all of an agent's acts for such goals.
func WorkPays(domain string) Claim {
	return Claim{Subject: []byte(workIn + domain), Predicate: AmountPredicate}
}

const workIn = "work in "

// WorkDomain returns the domain of a claim that [WorkPays] makes; ok is false for another one.
func (c *Claim) WorkDomain() (domain string, ok bool) {
	domain, ok = strings.CutPrefix(string(c.Subject), workIn)
	return domain, ok && c.Predicate == AmountPredicate
}

var claimCodec = codec.New[Claim]()

// AppendClaim appends the canonical bytes of a claim.
func AppendClaim(dst []byte, c *Claim) []byte { return claimCodec.Append(dst, c) }

// DecodeClaim reads what AppendClaim wrote.
func DecodeClaim(b []byte, c *Claim) error { return claimCodec.DecodeCanonical(b, c) }

// StoredBelief is a belief in its stored form.
type StoredBelief struct {
	ID         uint64      `kdom:"id"` // row id
	Claim      Claim       `kdom:"claim"`
	Confidence float32     `kdom:"confidence"` // [0,1], quantised
	Evidence   []wire.Hash `kdom:"evidence"`   // oldest first
	FormedAt   wire.Tick   `kdom:"formed_at"`
	LastTested wire.Tick   `kdom:"last_tested"`
}

// Belief is a principle that an agent inferred about the world. An agent has up to beliefMax of them, so a belief is kept
// small: 40 bytes. Equal claims of different agents are in memory once, and evidence is in memory once per agent.
type Belief struct {
	claim        unique.Handle[claimKey]
	evidence     [EvidenceMax]evidenceIndex // the first n; oldest first
	row          uint32                     // counter of its row id
	Confidence   float32                    // [0,1], quantised
	formed       tick32
	tested       tick32
	n            uint8
	dirty, stale bool // not stored yet; not in the digest yet
}

// claimKey is a claim as the key under which all agents share it.
type claimKey struct{ subject, predicate string }

// Subject returns what the belief is about: a 32-byte id or UTF-8 text.
func (p *Belief) Subject() string { return p.claim.Value().subject }

// Predicate returns what is believed of the subject.
func (p *Belief) Predicate() string { return p.claim.Value().predicate }

// LastTested returns the tick of the last test.
func (p *Belief) LastTested() wire.Tick { return wire.Tick(p.tested) }

// EvidenceCount returns how many references to evidence the belief has, at most EvidenceMax.
func (p *Belief) EvidenceCount() int { return int(p.n) }

func (p *Belief) compare(c *Claim) int {
	own := p.claim.Value()
	switch {
	case own.subject < string(c.Subject):
		return -1
	case own.subject > string(c.Subject):
		return 1
	}
	return strings.Compare(own.predicate, c.Predicate)
}

// Beliefs holds the beliefs of an agent, sorted by claim.
type Beliefs struct {
	ids      *RowIDs
	list     []Belief
	evidence evidence
	dropped  []uint64 // stored rows gone since the last Changed
	digest   Digest
	stale    bool      // digest lacks dirty beliefs
	hints    [16]uint8 // index of a claim when it was found last, by a hash of the claim
}

// Evidence returns the hashes of what supported or contradicted a belief, oldest first.
func (b *Beliefs) Evidence(p *Belief) []wire.Hash {
	out := make([]wire.Hash, p.n)
	for i, at := range p.evidence[:p.n] {
		out[i] = b.evidence.hashes[at]
	}
	return out
}

// id returns the row id of a belief.
func (b *Beliefs) id(p *Belief) uint64 { return b.ids.SpawnIndex<<32 | uint64(p.row) }

// stored returns the stored form of a belief.
func (b *Beliefs) stored(p *Belief) StoredBelief {
	c := p.claim.Value()
	return StoredBelief{
		ID: b.id(p), Claim: Claim{[]byte(c.subject), c.predicate}, Confidence: p.Confidence, Evidence: b.Evidence(p),
		FormedAt: wire.Tick(p.formed), LastTested: wire.Tick(p.tested),
	}
}

// hashRow returns a belief's part of the digest: the hash of the stored form, in the bytes that the codec would write.
func (b *Beliefs) hashRow(p *Belief) wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	c := p.claim.Value()
	dst := codec.AppendUint(append(s.B, "\x86\xa2id"...), b.id(p))
	dst = codec.AppendBytes(append(dst, "\xa5claim\x82\xa7subject"...), c.subject)
	dst = codec.AppendString(append(dst, "\xa9predicate"...), c.predicate)
	dst = codec.AppendFloat32(append(dst, "\xaaconfidence"...), p.Confidence)
	dst = codec.AppendArrayLen(append(dst, "\xa8evidence"...), int(p.n))
	for _, at := range p.evidence[:p.n] {
		dst = codec.AppendBytes(dst, b.evidence.hashes[at][:])
	}
	dst = codec.AppendUint(append(dst, "\xa9formed_at"...), uint64(p.formed))
	s.B = codec.AppendUint(append(dst, "\xablast_tested"...), uint64(p.tested))
	return sha256.Sum256(s.B)
}

// Test changes a belief by one observation: c ← c + 0.2·(x − c), where x is 1 for support and 0 against. An unknown
// claim starts at 0.5. evidence may be nil. Like Shift and Set it returns the new confidence.
func (b *Beliefs) Test(c Claim, support bool, evidence *wire.Hash, at wire.Tick) float32 {
	x := float64(0)
	if support {
		x = 1
	}
	return b.MoveTowards(c, scoreStart, x, emaRate, evidence, at)
}

// MoveTowards moves a belief towards x in [0,1] by a share of the distance. An unknown claim starts at start.
func (b *Beliefs) MoveTowards(c Claim, start, x, share float64, evidence *wire.Hash, at wire.Tick) float32 {
	p := b.findOrAdd(c, start, at)
	old := float64(p.Confidence)
	return b.update(p, old+float64(share*(x-old)), evidence, at)
}

// Shift moves the confidence of a belief by delta, kept within [0,1].
func (b *Beliefs) Shift(c Claim, delta float64, evidence *wire.Hash, at wire.Tick) float32 {
	p := b.findOrAdd(c, scoreStart, at)
	return b.update(p, float64(p.Confidence)+delta, evidence, at)
}

// Set sets a confidence directly, as a mind does when it states one.
func (b *Beliefs) Set(c Claim, confidence float64, evidence *wire.Hash, at wire.Tick) float32 {
	return b.update(b.findOrAdd(c, scoreStart, at), confidence, evidence, at)
}

// update writes one update. It subtracts the belief's old hash from the digest; Digest adds the new one. So many updates in a
// cycle cost two hashes.
func (b *Beliefs) update(p *Belief, confidence float64, evidence *wire.Hash, at wire.Tick) float32 {
	b.markChanged(p)
	p.Confidence = float32(det.Quantise(min(max(confidence, 0), 1)))
	p.tested = tick32(at)
	if evidence != nil {
		b.addEvidence(p, evidence)
	}
	return p.Confidence
}

// addEvidence adds a reference to a belief, in place of the oldest of a full one.
func (b *Beliefs) addEvidence(p *Belief, h *wire.Hash) {
	if p.n == EvidenceMax {
		b.evidence.release(p.evidence[0])
		copy(p.evidence[:], p.evidence[1:])
		p.n--
	}
	p.evidence[p.n] = b.evidence.acquire(h)
	p.n++
}

// markChanged notes that a belief is about to change. It must be called before the change, because it removes the old hash
// from the digest.
func (b *Beliefs) markChanged(p *Belief) {
	if !p.stale {
		b.digest.Sub(b.hashRow(p))
	}
	p.dirty, p.stale, b.stale = true, true, true
}

// findOrAdd finds a belief, or forms it with the confidence start.
func (b *Beliefs) findOrAdd(c Claim, start float64, at wire.Tick) *Belief {
	i, ok := b.find(c)
	if ok {
		return &b.list[i]
	}
	if len(b.list) >= beliefMax {
		b.drop(b.weakest())
		i, _ = b.find(c)
	}
	b.list = slices.Insert(grow(b.list, beliefMax), i, Belief{
		row: uint32(b.ids.Next()), claim: unique.Make(claimKey{string(c.Subject), c.Predicate}),
		Confidence: float32(det.Quantise(start)), formed: tick32(at), tested: tick32(at), dirty: true, stale: true,
	})
	b.stale = true
	return &b.list[i]
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
		case p.tested != q.tested:
			if p.tested < q.tested {
				low = i
			}
		case p.row < q.row:
			low = i
		}
	}
	return low
}

func (b *Beliefs) drop(i int) {
	p := &b.list[i]
	b.markChanged(p)
	b.dropped = append(b.dropped, b.id(p))
	for _, at := range p.evidence[:p.n] {
		b.evidence.release(at)
	}
	b.list = slices.Delete(b.list, i, i+1)
}

// CycleEnd drops the beliefs that became too weak.
func (b *Beliefs) CycleEnd() {
	for i := len(b.list) - 1; i >= 0; i-- {
		if p := &b.list[i]; float64(p.Confidence) < beliefFloor && p.Predicate() != AmountPredicate {
			b.drop(i)
		}
	}
}

// Get returns the belief with a claim, or nil. It is valid until a belief is added or dropped.
func (b *Beliefs) Get(c Claim) *Belief {
	if i, ok := b.find(c); ok {
		return &b.list[i]
	}
	return nil
}

// All yields the beliefs by claim.
func (b *Beliefs) All() iter.Seq[*Belief] {
	return func(yield func(*Belief) bool) {
		for i := range b.list {
			if !yield(&b.list[i]) {
				return
			}
		}
	}
}

// Digest returns a hash over all beliefs. Its cost depends on how many changed since the last call.
func (b *Beliefs) Digest() wire.Hash {
	if b.stale {
		for i := range b.list {
			if p := &b.list[i]; p.stale {
				p.stale = false
				b.digest.Add(b.hashRow(p))
			}
		}
		b.stale = false
	}
	return b.digest.Hash()
}

// Changed returns the beliefs created or changed since the last call, by claim, and the row ids of dropped ones; it
// forgets both.
func (b *Beliefs) Changed() (changed []StoredBelief, gone []uint64) {
	for i := range b.list {
		if p := &b.list[i]; p.dirty {
			p.dirty = false
			changed = append(changed, b.stored(p))
		}
	}
	gone, b.dropped = b.dropped, nil
	return changed, gone
}

// Forget is [Beliefs.Changed] for a caller that does not need the rows.
func (b *Beliefs) Forget() {
	for i := range b.list {
		b.list[i].dirty = false
	}
	b.dropped = nil
}

// Restore puts back stored beliefs, in any order.
func (b *Beliefs) Restore(rows []StoredBelief) {
	b.list, b.evidence, b.dropped, b.digest, b.stale = make([]Belief, len(rows)), evidence{}, nil, Digest{}, true
	for i := range rows {
		r, p := &rows[i], &b.list[i]
		*p = Belief{
			row: uint32(r.ID), claim: unique.Make(claimKey{string(r.Claim.Subject), r.Claim.Predicate}),
			Confidence: r.Confidence, formed: tick32(r.FormedAt), tested: tick32(r.LastTested), stale: true,
		}
		for j := range r.Evidence {
			b.addEvidence(p, &r.Evidence[j])
		}
	}
	slices.SortFunc(b.list, func(p, q Belief) int {
		return cmp.Or(cmp.Compare(p.Subject(), q.Subject()), cmp.Compare(p.Predicate(), q.Predicate()))
	})
}

// find looks first where the claim was found last, because most events change the same few beliefs, and then searches.
func (b *Beliefs) find(c Claim) (int, bool) {
	hint := &b.hints[(len(c.Subject)+5*len(c.Predicate))%len(b.hints)]
	if i := int(*hint); i < len(b.list) && b.list[i].compare(&c) == 0 {
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
		if b.list[mid].compare(&c) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(b.list) && b.list[lo].compare(&c) == 0
}

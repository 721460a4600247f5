package goals

import (
	"crypto/sha256"
	"encoding/binary"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Description says what a goal is. The store keeps it as a canonical MessagePack map.
type Description struct {
	Kind    Kind       `kdom:"kind"`
	Text    string     `kdom:"text"`
	Subject *wire.Hash `kdom:"subject"` // the thing it is about
	// Domain is the field of work; it decides affinity, attempts and novelty.
	Domain      action.Domain    `kdom:"domain"`
	Reward      uint64           `kdom:"reward"` // ⚡ offered from outside, 0 if nothing is
	Difficulty  *wire.Difficulty `kdom:"difficulty"`
	Beneficiary *wire.AgentID    `kdom:"beneficiary"` // the peer who gains
	// Predicate is when a goal of KindOperator or KindOwn is reached, see [Predicate]; empty: when
	// the operator says so, or the mind's own plan is done.
	Predicate string `kdom:"predicate,opt"`
}

var descriptionCodec = codec.New[Description]()

// AppendDescription appends the canonical bytes of a description.
func AppendDescription(dst []byte, d *Description) []byte { return descriptionCodec.Append(dst, d) }

// AppendDescription appends the stored form of the goal's description. For an abandoned goal it has the reason under
// the key "ended".
func (g *Goal) AppendDescription(dst []byte) []byte {
	if g.Ended == "" {
		return AppendDescription(dst, &g.Description)
	}
	d := &g.Description
	return endedCodec.Append(dst, &endedDescription{
		d.Kind, d.Text, d.Subject, d.Domain, d.Reward, d.Difficulty, d.Beneficiary, d.Predicate, string(g.Ended),
	})
}

// endedDescription is the stored description of a goal that was given up. Nobody reads such
// goals back.
type endedDescription struct {
	Kind        Kind             `kdom:"kind"`
	Text        string           `kdom:"text"`
	Subject     *wire.Hash       `kdom:"subject"`
	Domain      action.Domain    `kdom:"domain"`
	Reward      uint64           `kdom:"reward"`
	Difficulty  *wire.Difficulty `kdom:"difficulty"`
	Beneficiary *wire.AgentID    `kdom:"beneficiary"`
	Predicate   string           `kdom:"predicate,opt"`
	Ended       string           `kdom:"ended"`
}

var endedCodec = codec.New[endedDescription]()

// DecodeDescription reads what AppendDescription wrote.
func DecodeDescription(b []byte, d *Description) error { return descriptionCodec.DecodeCanonical(b, d) }

// DecodeStored reads the description of a stored goal and the reason why it was abandoned; "" for other goals.
func DecodeStored(b []byte, d *Description) (ended string, err error) {
	var e endedDescription
	if endedCodec.DecodeCanonical(b, &e) != nil {
		return "", DecodeDescription(b, d)
	}
	*d = Description{
		Kind: e.Kind, Text: e.Text, Subject: e.Subject, Domain: e.Domain, Reward: e.Reward, Difficulty: e.Difficulty, Beneficiary: e.Beneficiary, Predicate: e.Predicate,
	}
	return e.Ended, nil
}

// Goal is one thing that an agent wants. The fields up to Description are the stored columns. Record is stored in the
// agent's state.
type Goal struct {
	ID          wire.Hash
	Layer       Layer
	Source      Source
	Status      Status
	dirty       bool
	Priority    float64 // last computed, quantised; higher is more wanted
	CreatedAt   wire.Tick
	Deadline    *wire.Tick // nil: never
	Description Description

	Record Record

	// Ended is why an ABANDONED goal was given up; "" while it lives and of a completed one. It
	// is stored with the description.
	Ended Reason

	// Padding to 256 bytes, so that every goal begins at a cache line and the fields before Record take two lines. Most
	// goals that an agent ranks in its slot are not in the cache.
	_ [24]byte
}

// Record has the counters of a living goal that the goals table does not have.
type Record struct {
	Novelty        float64     `kdom:"novelty"`         // novelty term at creation
	RewardExpected uint64      `kdom:"reward_expected"` // ⚡ predicted at creation
	Reputation     float64     `kdom:"reputation"`      // own at creation, quantised
	Earned         uint64      `kdom:"earned"`          // ⚡ ever received, at creation
	Effort         uint64      `kdom:"effort"`          // ticks spent on it
	Paid           uint64      `kdom:"paid"`            // ⚡ that acts for it have earned so far, without the reward of a bounty
	Failed         uint32      `kdom:"failed"`          // plans that failed since one was completed
	Progress       uint32      `kdom:"progress"`        // facts counted so far
	Acted          uint8       `kdom:"acted"`           // domain of the last act for it; 0: none yet
	Counted        []wire.Hash `kdom:"counted"`         // things that count once
}

// Tuple makes the stored form a list.
func (Record) Tuple() {}

// New returns a goal with its id. A description without a domain gets the usual domain of its kind.
func New(agent wire.AgentID, layer Layer, source Source, d Description, at wire.Tick) Goal {
	if d.Domain == 0 {
		d.Domain = d.Kind.Domain()
	}
	g := Goal{Layer: layer, Source: source, Description: d, Status: StatusPending, CreatedAt: at}
	g.ID = identify(agent, &g)
	return g
}

// identify derives the id: SHA-256(agent ‖ source ‖ kind ‖ subject or zeros ‖
// created_at ‖ SHA-256(text)); source and kind are their ordinals.
func identify(agent wire.AgentID, g *Goal) wire.Hash {
	var b [32 + 1 + 1 + 32 + 8 + 32]byte
	copy(b[:], agent[:])
	b[32], b[33] = byte(g.Source)-1, byte(g.Description.Kind)-1
	if g.Description.Subject != nil {
		copy(b[34:], g.Description.Subject[:])
	}
	binary.BigEndian.PutUint64(b[66:], uint64(g.CreatedAt))
	text := textSum(g.Description.Text)
	copy(b[74:], text[:])
	return sha256.Sum256(b[:])
}

// textSum returns SHA-256 of a text. A short text is copied to a buffer on the stack, so that nothing is allocated.
func textSum(text string) [32]byte {
	var room [128]byte
	return sha256.Sum256(append(room[:0], text...))
}

// Subject returns the subject or 32 zero bytes.
func (g *Goal) Subject() wire.Hash {
	if g.Description.Subject == nil {
		return wire.Hash{}
	}
	return *g.Description.Subject
}

// About reports whether the goal's subject is h.
func (g *Goal) About(h wire.Hash) bool {
	return g.Description.Subject != nil && *g.Description.Subject == h
}

// Alive reports whether the goal has not ended.
func (g *Goal) Alive() bool { return !g.Status.Final() }

// Kind returns the kind.
func (g *Goal) Kind() Kind { return g.Description.Kind }

// Domain returns the domain.
func (g *Goal) Domain() action.Domain { return g.Description.Domain }

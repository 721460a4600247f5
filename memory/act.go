package memory

import (
	"slices"

	"kingdom/wire"
)

// Act is the content of an experience's action column.
type Act struct {
	Action      string     `kdom:"action"` // catalogue name
	Goal        *wire.Hash `kdom:"goal"`
	GoalKind    string     `kdom:"goal_kind"`
	Domain      string     `kdom:"domain"`
	Subject     *wire.Hash `kdom:"subject"`
	SubjectKind string     `kdom:"subject_kind"`
	Envelope    *wire.Hash `kdom:"envelope"` // msg_id of the request
}

var actCodec = wire.NewCodec[Act]()

// AppendAct appends the canonical bytes of an act.
func AppendAct(dst []byte, a *Act) []byte { return actCodec.Append(dst, a) }

// DecodeAct reads what AppendAct wrote.
func DecodeAct(b []byte, a *Act) error { return actCodec.DecodeCanonical(b, a) }

// packed is an act without its words, which are few and the same again and again: half
// the memory of its canonical bytes, and an agent keeps hundreds.
type packed struct {
	raw                     *[]byte // the bytes of what is no act of known words; then nothing below counts
	goal, subject, envelope wire.Hash
	has                     uint8    // which of the three hashes are there, by bit
	words                   [4]uint8 // action, goal kind, domain, subject kind: indices
}

const (
	hasGoal = 1 << iota
	hasSubject
	hasEnvelope
)

// words are those of the packed acts of one agent, in the order of their first use.
type words []string

// index finds or adds a word; ok is false when there are too many.
func (w *words) index(s string) (i uint8, ok bool) {
	n := slices.Index(*w, s)
	if n < 0 {
		if n = len(*w); n > 255 {
			return 0, false
		}
		*w = append(*w, s)
	}
	return uint8(n), true
}

// pack writes an act into p; false means that it cannot be packed.
func (w *words) pack(p *packed, a *Act) bool {
	*p = packed{}
	for i, s := range [...]string{a.Action, a.GoalKind, a.Domain, a.SubjectKind} {
		var ok bool
		if p.words[i], ok = w.index(s); !ok {
			return false
		}
	}
	p.has = keep(&p.goal, a.Goal, hasGoal) | keep(&p.subject, a.Subject, hasSubject) | keep(&p.envelope, a.Envelope, hasEnvelope)
	return true
}

func keep(to, from *wire.Hash, bit uint8) uint8 {
	if from == nil {
		return 0
	}
	*to = *from
	return bit
}

// unpack appends the canonical bytes of a packed act; a is room for it.
func (w words) unpack(dst []byte, p *packed, a *Act) []byte {
	if p.raw != nil {
		return append(dst, *p.raw...)
	}
	*a = Act{Action: w[p.words[0]], GoalKind: w[p.words[1]], Domain: w[p.words[2]], SubjectKind: w[p.words[3]]}
	if p.has&hasGoal != 0 {
		a.Goal = &p.goal
	}
	if p.has&hasSubject != 0 {
		a.Subject = &p.subject
	}
	if p.has&hasEnvelope != 0 {
		a.Envelope = &p.envelope
	}
	return AppendAct(dst, a)
}

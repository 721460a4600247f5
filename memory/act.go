package memory

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Act is the content of an experience's action column.
type Act struct {
	Action      string     `kdom:"action"`    // catalogue name
	Goal        *wire.Hash `kdom:"goal"`      // the one it served; nil: none in particular
	GoalKind    string     `kdom:"goal_kind"` // "" without a goal
	Domain      string     `kdom:"domain"`
	Subject     *wire.Hash `kdom:"subject"`
	SubjectKind string     `kdom:"subject_kind"`
	Envelope    *wire.Hash `kdom:"envelope"` // msg_id of the request
}

var actCodec = codec.New[Act]()

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

// unpack appends the canonical bytes of a packed act. It writes what the codec would, for the
// sum of every experience needs them.
func (w words) unpack(dst []byte, p *packed) []byte {
	if p.raw != nil {
		return append(dst, *p.raw...)
	}
	dst = codec.AppendString(append(dst, "\x87\xa6action"...), w[p.words[0]])
	dst = appendIf(append(dst, "\xa4goal"...), &p.goal, p.has&hasGoal)
	dst = codec.AppendString(append(dst, "\xa9goal_kind"...), w[p.words[1]])
	dst = codec.AppendString(append(dst, "\xa6domain"...), w[p.words[2]])
	dst = appendIf(append(dst, "\xa7subject"...), &p.subject, p.has&hasSubject)
	dst = codec.AppendString(append(dst, "\xacsubject_kind"...), w[p.words[3]])
	return appendIf(append(dst, "\xa8envelope"...), &p.envelope, p.has&hasEnvelope)
}

// open is the act that was packed.
func (w words) open(a *Act, p *packed) {
	*a = Act{Action: w[p.words[0]], GoalKind: w[p.words[1]], Domain: w[p.words[2]], SubjectKind: w[p.words[3]]}
	if p.has == 0 {
		return
	}
	own := &[...]wire.Hash{p.goal, p.subject, p.envelope} // the packed ones make room for others
	for i, to := range [...]**wire.Hash{&a.Goal, &a.Subject, &a.Envelope} {
		if p.has&(hasGoal<<i) != 0 {
			*to = &own[i]
		}
	}
}

func appendIf(dst []byte, h *wire.Hash, has uint8) []byte {
	if has == 0 {
		return codec.AppendNil(dst)
	}
	return codec.AppendBytes(dst, h[:])
}

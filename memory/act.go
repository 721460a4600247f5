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

// packedAct is an act whose four strings are replaced by indices into a wordTable. It takes half the memory of the canonical
// bytes; an agent keeps hundreds of acts, and their strings are few.
type packedAct struct {
	raw                     *[]byte // canonical bytes of an act that could not be packed; the other fields are then unused
	goal, subject, envelope wire.Hash
	present                 uint8    // which of the three hashes are there, by bit
	words                   [4]uint8 // action, goal kind, domain, subject kind: indices
}

const (
	hasGoal = 1 << iota
	hasSubject
	hasEnvelope
)

// wordTable holds the strings of the packed acts of one agent, in the order of their first use.
type wordTable []string

// index finds or adds a word; ok is false when there are too many.
func (w *wordTable) index(s string) (i uint8, ok bool) {
	n := slices.Index(*w, s)
	if n < 0 {
		if n = len(*w); n > 255 {
			return 0, false
		}
		*w = append(*w, s)
	}
	return uint8(n), true
}

// pack writes an act into p. It reports false if the table is full, so that the act cannot be packed.
func (w *wordTable) pack(p *packedAct, a *Act) bool {
	*p = packedAct{}
	for i, s := range [...]string{a.Action, a.GoalKind, a.Domain, a.SubjectKind} {
		var ok bool
		if p.words[i], ok = w.index(s); !ok {
			return false
		}
	}
	p.present = copyHash(&p.goal, a.Goal, hasGoal) | copyHash(&p.subject, a.Subject, hasSubject) | copyHash(&p.envelope, a.Envelope, hasEnvelope)
	return true
}

func copyHash(to, from *wire.Hash, bit uint8) uint8 {
	if from == nil {
		return 0
	}
	*to = *from
	return bit
}

// appendTo appends the canonical bytes of a packed act. It writes what the codec would, for the
// sum of every experience needs them.
func (w wordTable) appendTo(dst []byte, p *packedAct) []byte {
	if p.raw != nil {
		return append(dst, *p.raw...)
	}
	dst = codec.AppendString(append(dst, "\x87\xa6action"...), w[p.words[0]])
	dst = appendHashOrNil(append(dst, "\xa4goal"...), &p.goal, p.present&hasGoal)
	dst = codec.AppendString(append(dst, "\xa9goal_kind"...), w[p.words[1]])
	dst = codec.AppendString(append(dst, "\xa6domain"...), w[p.words[2]])
	dst = appendHashOrNil(append(dst, "\xa7subject"...), &p.subject, p.present&hasSubject)
	dst = codec.AppendString(append(dst, "\xacsubject_kind"...), w[p.words[3]])
	return appendHashOrNil(append(dst, "\xa8envelope"...), &p.envelope, p.present&hasEnvelope)
}

// unpack is the act that was packed.
func (w wordTable) unpack(a *Act, p *packedAct) {
	*a = Act{Action: w[p.words[0]], GoalKind: w[p.words[1]], Domain: w[p.words[2]], SubjectKind: w[p.words[3]]}
	if p.present == 0 {
		return
	}
	own := &[...]wire.Hash{p.goal, p.subject, p.envelope} // copies, because the place of the packed act is reused
	for i, to := range [...]**wire.Hash{&a.Goal, &a.Subject, &a.Envelope} {
		if p.present&(hasGoal<<i) != 0 {
			*to = &own[i]
		}
	}
}

func appendHashOrNil(dst []byte, h *wire.Hash, has uint8) []byte {
	if has == 0 {
		return codec.AppendNil(dst)
	}
	return codec.AppendBytes(dst, h[:])
}

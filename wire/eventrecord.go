package wire

import (
	"crypto/ed25519"

	"kingdom/wire/codec"
)

// RecordOf returns the stored form of an event, without a signature.
func RecordOf(e *Event) EventRecord {
	return EventRecord{
		ID: e.ID, Timestamp: e.Timestamp, Origin: e.Origin, System: e.System, Kind: e.Kind,
		Payload: AppendPayload(nil, e.Payload), Parent: e.Parent,
	}
}

// unsignedEvent is an EventRecord without its signature.
type unsignedEvent struct {
	ID        EventID   `kdom:"id"`
	Timestamp Tick      `kdom:"timestamp"`
	Origin    AgentID   `kdom:"origin"`
	System    System    `kdom:"system"`
	Kind      EventKind `kdom:"kind"`
	Payload   []byte    `kdom:"payload"`
	Parent    *EventID  `kdom:"parent"`
}

var unsignedEventCodec = codec.New[unsignedEvent]()

// AppendUnsigned appends the canonical map of all fields but the signature: the bytes that the
// emitting daemon signs.
func (r *EventRecord) AppendUnsigned(dst []byte) []byte {
	u := unsignedEvent{r.ID, r.Timestamp, r.Origin, r.System, r.Kind, r.Payload, r.Parent}
	return unsignedEventCodec.Append(dst, &u)
}

// Sign fills the signature with the key of the emitting daemon.
func (r *EventRecord) Sign() {
	copy(r.Signature[:], sign(SystemKey(r.System), r.AppendUnsigned(nil)))
}

// Verify checks the signature against the public constant key of the emitting daemon.
func (r *EventRecord) Verify() error {
	pub := SystemKey(r.System).Public().(ed25519.PublicKey)
	if r.ID.Agent != SystemID(r.System) || !ed25519.Verify(pub, r.AppendUnsigned(nil), r.Signature[:]) {
		return &codec.DecodeError{Kind: codec.DecodeKindSignature, Op: "verify event", Field: "signature"}
	}
	return nil
}

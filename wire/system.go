package wire

// Ping asks any endpoint for a reply.
type Ping struct{}

// Pong answers a PING; the reply prefix carries the reference.
type Pong struct{}

// Ack is the plain acknowledgement, with no fields beyond the reply prefix.
type Ack struct{}

// Subscribe asks the bus for events. Empty lists match everything, but systems and kinds may
// not both be empty.
type Subscribe struct {
	Systems []System    `kdom:"systems,default"`
	Kinds   []EventKind `kdom:"kinds,default"`
	Origins []AgentID   `kdom:"origins,default"`
	// Since replays stored events after this one; nil means later events only.
	Since *EventID `kdom:"since"`
}

// SubscribeAck names the new subscription.
type SubscribeAck struct {
	SubscriberID uint64 `kdom:"subscriber_id"`
}

// Unsubscribe ends a subscription.
type Unsubscribe struct {
	SubscriberID uint64 `kdom:"subscriber_id"`
}

// EventRecord is the body of EVENT and the stored form of an [Event]. Its payload is the canonical map of the kind's
// struct. The signature covers all other fields, see [EventRecord.AppendUnsigned]; it is zero in the state of the
// bus.
type EventRecord struct {
	ID        EventID   `kdom:"id"`
	Timestamp Tick      `kdom:"timestamp"`
	Origin    AgentID   `kdom:"origin"`
	System    System    `kdom:"system"`
	Kind      EventKind `kdom:"kind"`
	Payload   []byte    `kdom:"payload"`
	Signature Signature `kdom:"signature"`
	Parent    *EventID  `kdom:"parent"`
}

package wire

// MsgPost posts a message to a channel.
type MsgPost struct {
	Channel Hash        `kdom:"channel"`
	Author  AgentID     `kdom:"author,runtime"`
	Kind    MessageKind `kdom:"kind"`
	// Content is a canonical map; see [Content].
	Content    []byte  `kdom:"content,object"`
	References []Hash  `kdom:"references,default"`
	Confidence float32 `kdom:"confidence,unit"`
}

// MsgPostAck names the message.
type MsgPostAck struct {
	MessageID Hash `kdom:"message_id"`
}

// MsgQuery searches messages: filters are AND-ed, lists OR-ed, nil filters ignored.
// Limit 0 means 20; at most 100. Offset skips so many results, at most 4 096.
type MsgQuery struct {
	Channels   *[]Hash        `kdom:"channels"`
	Kinds      *[]MessageKind `kdom:"kinds"`
	Authors    *[]AgentID     `kdom:"authors"`
	TimeRange  *[2]Tick       `kdom:"time_range"`
	References *[]Hash        `kdom:"references"`
	MinSignals *uint32        `kdom:"min_signals"`
	TextMatch  *[]byte        `kdom:"text_match"`
	Sort       AgoraSort      `kdom:"sort,default"`
	Limit      uint32         `kdom:"limit,default"`
	Offset     uint32         `kdom:"offset,default"`
}

// MsgQueryReply holds the messages found, in the order asked for, as many as fit.
type MsgQueryReply struct {
	Messages []Message `kdom:"messages"`
	// Cut are the ids of messages here whose content was left out for its length: a query
	// with limit 1 gives it.
	Cut []Hash `kdom:"cut"`
	// Next is the offset of the first result that is not here; nil if there is none.
	Next *uint32 `kdom:"next"`
}

// Message is a posted message, as Agora hashes it and as queries return it.
type Message struct {
	ID         Hash        `kdom:"id"`
	Channel    Hash        `kdom:"channel"`
	Author     AgentID     `kdom:"author"`
	Tick       Tick        `kdom:"tick"`
	Kind       MessageKind `kdom:"kind"`
	Content    []byte      `kdom:"content,object"`
	References []Hash      `kdom:"references"`
	Confidence float32     `kdom:"confidence,unit"`
}

// SignalSend judges a message.
type SignalSend struct {
	Target    Hash       `kdom:"target"`
	Kind      SignalKind `kdom:"kind"`
	Weight    float32    `kdom:"weight,runtime"`
	Reference *Hash      `kdom:"reference"`
}

package wire

// ChannelCreatedEvent: channel_created.
type ChannelCreatedEvent struct {
	ChannelID Hash        `kdom:"channel_id"`
	Kind      ChannelKind `kdom:"kind"`
	Name      []byte      `kdom:"name"`
	Creator   AgentID     `kdom:"creator"`
	Tick      Tick        `kdom:"tick"`
}

// ChannelArchivedEvent: channel_archived.
type ChannelArchivedEvent struct {
	ChannelID Hash   `kdom:"channel_id"`
	Reason    []byte `kdom:"reason"`
	Tick      Tick   `kdom:"tick"`
}

// MessagePostedEvent: message_posted. Reference is the first of the message's references, nil if it has none, so that
// a reader recognises an answer without reading the message.
type MessagePostedEvent struct {
	MessageID Hash        `kdom:"message_id"`
	ChannelID Hash        `kdom:"channel_id"`
	Author    AgentID     `kdom:"author"`
	Kind      MessageKind `kdom:"kind"`
	Tick      Tick        `kdom:"tick"`
	Reference *Hash       `kdom:"reference"`
}

// SignalSentEvent: signal_sent.
type SignalSentEvent struct {
	TargetID Hash       `kdom:"target_id"`
	Author   AgentID    `kdom:"author"`
	Kind     SignalKind `kdom:"kind"`
	Weight   float32    `kdom:"weight"`
	Tick     Tick       `kdom:"tick"`
}

// ReviewRequestedEvent: review_requested.
type ReviewRequestedEvent struct {
	ReviewID  Hash      `kdom:"review_id"`
	Repo      Hash      `kdom:"repo"`
	Author    AgentID   `kdom:"author"`
	Reviewers []AgentID `kdom:"reviewers"`
	Urgency   Urgency   `kdom:"urgency"`
	Tick      Tick      `kdom:"tick"`
}

// ReviewSubmittedEvent: review_submitted.
type ReviewSubmittedEvent struct {
	ReviewID     Hash          `kdom:"review_id"`
	Reviewer     AgentID       `kdom:"reviewer"`
	Verdict      ReviewVerdict `kdom:"verdict"`
	CommentCount uint32        `kdom:"comment_count"`
	Text         []byte        `kdom:"text"` // the beginning of what the reviewer wrote, which is in #reviews
	Tick         Tick          `kdom:"tick"`
}

// DiscussionPhaseChangedEvent: discussion_phase_changed.
type DiscussionPhaseChangedEvent struct {
	ChannelID Hash            `kdom:"channel_id"`
	OldPhase  DiscussionPhase `kdom:"old_phase"`
	NewPhase  DiscussionPhase `kdom:"new_phase"`
	Tick      Tick            `kdom:"tick"`
}

// KnowledgeCrystallizedEvent: knowledge_crystallized.
type KnowledgeCrystallizedEvent struct {
	ChannelID     Hash `kdom:"channel_id"`
	OracleEntryID Hash `kdom:"oracle_entry_id"`
	Tick          Tick `kdom:"tick"`
}

package wire

import "kingdom/wire/codec"

// ChannelKind is the purpose of an Agora channel.
type ChannelKind uint8

// Values of [ChannelKind], in wire order.
const (
	ChannelKindGeneral ChannelKind = iota + 1
	ChannelKindProject
	ChannelKindRFC
	ChannelKindBounty
	ChannelKindReview
	ChannelKindIncident
	ChannelKindGovernance
)

var channelKindNames = []string{"GENERAL", "PROJECT", "RFC", "BOUNTY", "REVIEW", "INCIDENT", "GOVERNANCE"}

func (ChannelKind) EnumNames() []string { return channelKindNames }
func (v ChannelKind) String() string    { return codec.EnumString(channelKindNames, v) }

// MessageKind is the kind of an Agora message, such as QUESTION or ANSWER.
type MessageKind uint8

// Values of [MessageKind], in wire order.
const (
	MessageKindStatement MessageKind = iota + 1
	MessageKindQuestion
	MessageKindAnswer
	MessageKindProposal
	MessageKindDecision
	MessageKindCode
	MessageKindReference
	MessageKindReview
	MessageKindSignal
)

var messageKindNames = []string{"STATEMENT", "QUESTION", "ANSWER", "PROPOSAL", "DECISION", "CODE", "REFERENCE", "REVIEW", "SIGNAL"}

func (MessageKind) EnumNames() []string { return messageKindNames }
func (v MessageKind) String() string    { return codec.EnumString(messageKindNames, v) }

// SignalKind is a reader's one-word judgement of a message.
type SignalKind uint8

// Values of [SignalKind], in wire order.
const (
	SignalKindAgree SignalKind = iota + 1
	SignalKindDisagree
	SignalKindHelpful
	SignalKindIncorrect
	SignalKindDuplicate
	SignalKindActionable
)

var signalKindNames = []string{"AGREE", "DISAGREE", "HELPFUL", "INCORRECT", "DUPLICATE", "ACTIONABLE"}

func (SignalKind) EnumNames() []string { return signalKindNames }
func (v SignalKind) String() string    { return codec.EnumString(signalKindNames, v) }

// AgoraSort orders the answers to MSG_QUERY.
type AgoraSort uint8

// Values of [AgoraSort], in wire order.
const (
	AgoraSortRecent AgoraSort = iota + 1
	AgoraSortRelevant
	AgoraSortSignals
)

var agoraSortNames = []string{"RECENT", "RELEVANT", "SIGNALS"}

func (AgoraSort) EnumNames() []string { return agoraSortNames }
func (v AgoraSort) String() string    { return codec.EnumString(agoraSortNames, v) }

// DiscussionPhase is the state of an RFC or governance discussion.
type DiscussionPhase uint8

// Values of [DiscussionPhase], in wire order.
const (
	DiscussionPhaseProposal DiscussionPhase = iota + 1
	DiscussionPhaseDiscussion
	DiscussionPhaseRefinement
	DiscussionPhaseVote
	DiscussionPhaseDecision
	DiscussionPhaseNoDecision
)

var discussionPhaseNames = []string{"PROPOSAL", "DISCUSSION", "REFINEMENT", "VOTE", "DECISION", "NO_DECISION"}

func (DiscussionPhase) EnumNames() []string { return discussionPhaseNames }
func (v DiscussionPhase) String() string    { return codec.EnumString(discussionPhaseNames, v) }

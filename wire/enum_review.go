package wire

import "kingdom/wire/codec"

// Urgency is how soon the author wants a review.
type Urgency uint8

// Values of [Urgency], in wire order.
const (
	UrgencyLow Urgency = iota + 1
	UrgencyNormal
	UrgencyHigh
	UrgencyCritical
)

var urgencyNames = []string{"LOW", "NORMAL", "HIGH", "CRITICAL"}

// EnumNames lists the wire names in ordinal order.
func (Urgency) EnumNames() []string { return urgencyNames }

// String returns the wire name.
func (v Urgency) String() string { return codec.EnumString(urgencyNames, uint8(v)) }

// ReviewVerdict is the outcome of a code review.
type ReviewVerdict uint8

// Values of [ReviewVerdict], in wire order.
const (
	ReviewVerdictApprove ReviewVerdict = iota + 1
	ReviewVerdictRequestChanges
	ReviewVerdictCommentOnly
)

var reviewVerdictNames = []string{"APPROVE", "REQUEST_CHANGES", "COMMENT_ONLY"}

// EnumNames lists the wire names in ordinal order.
func (ReviewVerdict) EnumNames() []string { return reviewVerdictNames }

// String returns the wire name.
func (v ReviewVerdict) String() string { return codec.EnumString(reviewVerdictNames, uint8(v)) }

// CommentKind is the subject of one review comment.
type CommentKind uint8

// Values of [CommentKind], in wire order.
const (
	CommentKindBug CommentKind = iota + 1
	CommentKindStyle
	CommentKindPerformance
	CommentKindSecurity
	CommentKindQuestion
	CommentKindSuggestion
)

var commentKindNames = []string{"BUG", "STYLE", "PERFORMANCE", "SECURITY", "QUESTION", "SUGGESTION"}

// EnumNames lists the wire names in ordinal order.
func (CommentKind) EnumNames() []string { return commentKindNames }

// String returns the wire name.
func (v CommentKind) String() string { return codec.EnumString(commentKindNames, uint8(v)) }

// Severity is the weight of one review comment.
type Severity uint8

// Values of [Severity], in wire order.
const (
	SeverityNitpick Severity = iota + 1
	SeverityMinor
	SeverityMajor
	SeverityBlocking
)

var severityNames = []string{"NITPICK", "MINOR", "MAJOR", "BLOCKING"}

// EnumNames lists the wire names in ordinal order.
func (Severity) EnumNames() []string { return severityNames }

// String returns the wire name.
func (v Severity) String() string { return codec.EnumString(severityNames, uint8(v)) }

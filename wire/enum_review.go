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

func (Urgency) EnumNames() []string { return urgencyNames }
func (v Urgency) String() string    { return codec.EnumString(urgencyNames, v) }

// ReviewVerdict is the outcome of a code review.
type ReviewVerdict uint8

// Values of [ReviewVerdict], in wire order.
const (
	ReviewVerdictApprove ReviewVerdict = iota + 1
	ReviewVerdictRequestChanges
	ReviewVerdictCommentOnly
)

var reviewVerdictNames = []string{"APPROVE", "REQUEST_CHANGES", "COMMENT_ONLY"}

func (ReviewVerdict) EnumNames() []string { return reviewVerdictNames }
func (v ReviewVerdict) String() string    { return codec.EnumString(reviewVerdictNames, v) }

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

func (CommentKind) EnumNames() []string { return commentKindNames }
func (v CommentKind) String() string    { return codec.EnumString(commentKindNames, v) }

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

func (Severity) EnumNames() []string { return severityNames }
func (v Severity) String() string    { return codec.EnumString(severityNames, v) }

package wire

import "kingdom/wire/codec"

// AccessLevel is how far Portal is open. The event portal_ready reports it.
type AccessLevel uint8

// Values of [AccessLevel], in wire order.
const (
	AccessLevelClosed AccessLevel = iota + 1
	AccessLevelReadOnly
	AccessLevelReadWrite
)

var accessLevelNames = []string{"CLOSED", "READ_ONLY", "READ_WRITE"}

func (AccessLevel) EnumNames() []string { return accessLevelNames }
func (v AccessLevel) String() string    { return codec.EnumString(accessLevelNames, v) }

// HTTPMethod is what a WEB_REQUEST does.
type HTTPMethod uint8

// Values of [HTTPMethod], in wire order.
const (
	HTTPMethodGet HTTPMethod = iota + 1
	HTTPMethodPost
	HTTPMethodHead
)

var httpMethodNames = []string{"GET", "POST", "HEAD"}

func (HTTPMethod) EnumNames() []string { return httpMethodNames }
func (v HTTPMethod) String() string    { return codec.EnumString(httpMethodNames, v) }

// ContentFormat is the form in which Portal returns content.
type ContentFormat uint8

// Values of [ContentFormat], in wire order.
const (
	ContentFormatRaw        ContentFormat = iota + 1 // the text as it came, without code
	ContentFormatStructured                          // the canonical list of [ContentBlock] of its headings and paragraphs
	ContentFormatSummary                             // its beginning, to the end of a sentence
)

var contentFormatNames = []string{"RAW", "STRUCTURED", "SUMMARY"}

func (ContentFormat) EnumNames() []string { return contentFormatNames }
func (v ContentFormat) String() string    { return codec.EnumString(contentFormatNames, v) }

// DomainAction is what a domain rule does with the hosts of its pattern.
type DomainAction uint8

// Values of [DomainAction], in wire order.
const (
	DomainActionAllow DomainAction = iota + 1
	DomainActionBlock
)

var domainActionNames = []string{"ALLOW", "BLOCK"}

func (DomainAction) EnumNames() []string { return domainActionNames }
func (v DomainAction) String() string    { return codec.EnumString(domainActionNames, v) }

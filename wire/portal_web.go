package wire

import (
	"strings"

	"kingdom/wire/codec"
)

// WebRequest asks the Portal for a page of the outside.
type WebRequest struct {
	Agent   AgentID       `kdom:"agent,runtime"`
	URL     []byte        `kdom:"url"`
	Method  HTTPMethod    `kdom:"method,default"`
	Headers codec.BinMap  `kdom:"headers,default"` // only Accept and Accept-Language are sent on
	Body    *[]byte       `kdom:"body"`            // of a POST
	Filter  ContentFilter `kdom:"filter,default"`
	Purpose []byte        `kdom:"purpose"`
	// Signature is always nil: the envelope is signed.
	Signature *[]byte `kdom:"signature,runtime"`
}

// ContentFilter says how content is filtered before an agent reads it. Code is always removed.
type ContentFilter struct {
	StripCodeBlocks   bool `kdom:"strip_code_blocks,default=true"`   // must be true
	StripInlineCode   bool `kdom:"strip_inline_code,default=true"`   // must be true
	TransformAPIs     bool `kdom:"transform_apis,default=false"`     // calls in the text lose their arguments
	TransformExamples bool `kdom:"transform_examples,default=false"` // a note stands for lines that look like code
	// MaxSize is how many bytes of the content are looked at; the rest is cut off.
	MaxSize uint32        `kdom:"max_size,default=65536"`
	Format  ContentFormat `kdom:"format,default"`
}

// WebResponse is the answer of the outside to a [WebRequest].
type WebResponse struct {
	RequestID   Hash          `kdom:"request_id"`
	Status      uint16        `kdom:"status"` // of HTTP
	Content     []byte        `kdom:"content"`
	ContentType []byte        `kdom:"content_type"`
	Filtered    FilterSummary `kdom:"filtered"`
	Cached      bool          `kdom:"cached"` // nobody was asked: the answer was there
	Cost        uint64        `kdom:"cost"`   // ⚡ paid
}

// FilterSummary says what a [ContentFilter] did.
type FilterSummary struct {
	CodeBlocksRemoved uint32   `kdom:"code_blocks_removed"`
	BytesStripped     uint64   `kdom:"bytes_stripped"` // with all code
	Transformations   uint32   `kdom:"transformations"`
	Warnings          [][]byte `kdom:"warnings"`
}

// WebFetch is a question to the outside, as the world hands it to the engine: what was asked of
// the Portal, and where redirects may lead.
type WebFetch struct {
	URL     []byte       `kdom:"url"`
	Method  HTTPMethod   `kdom:"method"`
	Headers codec.BinMap `kdom:"headers"`
	Body    []byte       `kdom:"body"`
	Allow   []string     `kdom:"allow"`    // patterns of domains
	Block   []string     `kdom:"block"`    // the same; wins over Allow
	Open    bool         `kdom:"unlisted"` // domains without a pattern are allowed
}

// WebFetched is the answer to a [WebFetch].
type WebFetched struct {
	Status      uint16 `kdom:"status"`
	ContentType []byte `kdom:"content_type"`
	Content     []byte `kdom:"content"`
}

// WebFetchCodec and WebFetchedCodec encode what goes between the world and whoever fetches.
var (
	WebFetchCodec   = codec.New[WebFetch]()
	WebFetchedCodec = codec.New[WebFetched]()
)

// Reasons why the outside gave no answer. What fetches says so by an error that begins with one of
// them; any other error is a fetch_failed.
const (
	FetchFailed    = "fetch_failed"
	FetchTimeout   = "timeout"
	FetchRedirects = "redirects" // too many, or to where the Portal does not go
)

// FetchFailure returns the reason with which an error of fetching begins; empty for an empty text.
func FetchFailure(text string) string {
	switch {
	case text == "":
		return ""
	case strings.HasPrefix(text, FetchTimeout):
		return FetchTimeout
	case strings.HasPrefix(text, FetchRedirects):
		return FetchRedirects
	}
	return FetchFailed
}

package action

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// The largest sizes in bytes of fields that have the same bound in every request (docs/WORLD.md, bounds).
const (
	MaxName    = 64      // names that others type
	MaxTag     = 96      // a tag or category
	MaxTitle   = 256     // titles, keys of a path, memos
	MaxNote    = 1_024   // what explains in a sentence: notes, contexts, params, texts to search
	MaxRemark  = 4_096   // what explains in a page: descriptions, comments, evidence
	MaxTask    = 16_384  // a bounty's specification
	MaxContent = 65_536  // a message
	MaxBody    = 131_072 // an entry
	MaxURL     = 2_048
)

// The largest numbers of items of lists.
const (
	maxTags       = 8
	maxParties    = 16 // reviewers, requirements, conditions
	maxKeys       = 32 // of a path
	maxFilter     = 64 // of one filter of a query
	maxReferences = 64
	maxRemarks    = 64  // comments of a review
	maxMembers    = 256 // of an INVITE_ONLY channel besides its creator
)

const (
	// DefaultLimit is how many results a query with limit 0 has.
	DefaultLimit = 20
	// MaxLimit is the most results of a query.
	MaxLimit = 100
	// MaxOffset is the most results that a query may skip.
	MaxOffset = 4_096
)

var channelCreateBounds = []Bound{
	bytesOf("name", 1, MaxName, func(q *wire.ChannelCreate) []byte { return q.Name }),
	itemsOf("access", maxMembers, func(q *wire.ChannelCreate) int {
		if q.Access.InviteOnly == nil {
			return 0
		}
		return len(*q.Access.InviteOnly)
	}),
}

var msgPostBounds = []Bound{
	mapOf("content", MaxContent, codec.CanonicalFreeMap, func(q *wire.MsgPost) []byte { return q.Content }),
	itemsOf("references", maxReferences, func(q *wire.MsgPost) int { return len(q.References) }),
}

var msgQueryBounds = []Bound{
	filterOf("channels", func(q *wire.MsgQuery) *[]wire.Hash { return q.Channels }),
	filterOf("kinds", func(q *wire.MsgQuery) *[]wire.MessageKind { return q.Kinds }),
	filterOf("authors", func(q *wire.MsgQuery) *[]wire.AgentID { return q.Authors }),
	filterOf("references", func(q *wire.MsgQuery) *[]wire.Hash { return q.References }),
	optionalOf("text_match", MaxNote, func(q *wire.MsgQuery) *[]byte { return q.TextMatch }),
	valueOf("limit", MaxLimit, func(q *wire.MsgQuery) uint32 { return q.Limit }),
	valueOf("offset", MaxOffset, func(q *wire.MsgQuery) uint32 { return q.Offset }),
}

var bountyCreateBounds = []Bound{
	bytesOf("title", 1, MaxTitle, func(q *wire.BountyCreate) []byte { return q.Title }),
	bytesOf("specification", 0, MaxTask, func(q *wire.BountyCreate) []byte { return q.Specification }),
	itemsOf("requirements", maxParties, func(q *wire.BountyCreate) int { return len(q.Requirements) }),
	eachOf("requirements.params", 0, MaxNote, func(q *wire.BountyCreate, see func([]byte)) {
		for i := range q.Requirements {
			see(q.Requirements[i].Params)
		}
	}),
	eachOf("requirements.path", 1, MaxName, func(q *wire.BountyCreate, see func([]byte)) {
		for i := range q.Requirements {
			r := &q.Requirements[i]
			var p wire.MustCompile
			if r.Kind == wire.RequirementKindMustCompile && wire.MustCompileCodec.Decode(r.Params, &p) == nil && p.Path != nil {
				see([]byte(*p.Path))
			}
		}
	}),
	itemsOf("reviewers", maxParties, func(q *wire.BountyCreate) int { return len(q.Reviewers) }),
}

var bountyReviewBounds = []Bound{
	bytesOf("comments", 0, MaxRemark, func(q *wire.BountyReview) []byte { return q.Comments }),
}

var reviewRequestBounds = []Bound{
	itemsOf("reviewers", maxParties, func(q *wire.ReviewRequest) int { return len(q.Reviewers) }),
	bytesOf("description", 0, MaxRemark, func(q *wire.ReviewRequest) []byte { return q.Description }),
}

var reviewSubmitBounds = []Bound{
	itemsOf("comments", maxRemarks, func(q *wire.ReviewSubmit) int { return len(q.Comments) }),
	{"comments.path", Items, 0, maxKeys, func(p any) (least, most int) {
		for _, x := range p.(*wire.ReviewSubmit).Comments {
			most = max(most, len(x.Path))
		}
		return 0, most
	}},
	eachOf("comments.path.key", 0, MaxTitle, func(q *wire.ReviewSubmit, see func([]byte)) {
		for i := range q.Comments {
			for _, key := range q.Comments[i].Path {
				see(key)
			}
		}
	}),
	eachOf("comments.content", 0, MaxRemark, func(q *wire.ReviewSubmit, see func([]byte)) {
		for i := range q.Comments {
			see(q.Comments[i].Content)
		}
	}),
	bytesOf("overall", 0, MaxRemark, func(q *wire.ReviewSubmit) []byte { return q.Overall }),
}

var entryPublishBounds = []Bound{
	bytesOf("entry.title", 1, MaxTitle, func(q *wire.EntryPublish) []byte { return q.Entry.Title }),
	mapOf("entry.body", MaxBody, canonicalBlocks, func(q *wire.EntryPublish) []byte { return q.Entry.Body }),
	itemsOf("entry.tags", maxTags, func(q *wire.EntryPublish) int { return len(q.Entry.Tags) }),
	eachOf("entry.tags.tag", 1, MaxTag, func(q *wire.EntryPublish, see func([]byte)) { all(q.Entry.Tags, see) }),
	itemsOf("entry.references", maxReferences, func(q *wire.EntryPublish) int { return len(q.Entry.References) }),
}

var entryUpdateBounds = []Bound{
	mapOf("new_body", MaxBody, canonicalBlocks, func(q *wire.EntryUpdate) []byte { return q.NewBody }),
	bytesOf("change_note", 0, MaxNote, func(q *wire.EntryUpdate) []byte { return q.ChangeNote }),
}

var entryQueryBounds = []Bound{
	filterOf("kinds", func(q *wire.EntryQuery) *[]wire.EntryKind { return q.Kinds }),
	filterOf("tags", func(q *wire.EntryQuery) *[][]byte { return q.Tags }),
	eachOf("tags.tag", 1, MaxTag, func(q *wire.EntryQuery, see func([]byte)) {
		if q.Tags != nil {
			all(*q.Tags, see)
		}
	}),
	filterOf("authors", func(q *wire.EntryQuery) *[]wire.AgentID { return q.Authors }),
	optionalOf("about", MaxNote, func(q *wire.EntryQuery) *[]byte { return q.About }),
	filterOf("related_to", func(q *wire.EntryQuery) *[]wire.Hash { return q.RelatedTo }),
	valueOf("limit", MaxLimit, func(q *wire.EntryQuery) uint32 { return q.Limit }),
	valueOf("offset", MaxOffset, func(q *wire.EntryQuery) uint32 { return q.Offset }),
}

var entryVerifyBounds = []Bound{
	bytesOf("evidence", 0, MaxRemark, func(q *wire.EntryVerify) []byte { return q.Evidence }),
	itemsOf("references", maxReferences, func(q *wire.EntryVerify) int { return len(q.References) }),
}

var citationAddBounds = []Bound{
	bytesOf("context", 0, MaxNote, func(q *wire.CitationAdd) []byte { return q.Context }),
}

var citationQueryBounds = []Bound{
	valueOf("limit", MaxLimit, func(q *wire.CitationQuery) uint32 { return q.Limit }),
	valueOf("offset", MaxOffset, func(q *wire.CitationQuery) uint32 { return q.Offset }),
}

var transferBounds = []Bound{
	bytesOf("memo", 0, MaxTitle, func(q *wire.Transfer) []byte { return q.Memo }),
}

var escrowCreateBounds = []Bound{
	itemsOf("conditions", maxParties, func(q *wire.EscrowCreate) int { return len(q.Conditions) }),
	eachOf("conditions.params", 0, MaxNote, func(q *wire.EscrowCreate, see func([]byte)) {
		for i := range q.Conditions {
			see(q.Conditions[i].Params)
		}
	}),
}

var escrowReleaseBounds = []Bound{
	bytesOf("proof", 0, MaxNote, func(q *wire.EscrowRelease) []byte { return q.Proof }),
}

var webRequestBounds = []Bound{
	bytesOf("url", 1, MaxURL, func(q *wire.WebRequest) []byte { return q.URL }),
	itemsOf("headers", maxKeys, func(q *wire.WebRequest) int { return len(q.Headers) }),
	eachOf("headers.key", 1, MaxName, func(q *wire.WebRequest, see func([]byte)) {
		for i := range q.Headers {
			see([]byte(q.Headers[i].Key))
		}
	}),
	eachOf("headers.value", 0, MaxNote, func(q *wire.WebRequest, see func([]byte)) {
		for i := range q.Headers {
			see(q.Headers[i].Value)
		}
	}),
	optionalOf("body", MaxContent, func(q *wire.WebRequest) *[]byte { return q.Body }),
	valueOf("filter.max_size", MaxContent, func(q *wire.WebRequest) uint32 { return q.Filter.MaxSize }),
	bytesOf("purpose", 0, MaxTitle, func(q *wire.WebRequest) []byte { return q.Purpose }),
}

// all calls see with every item of a list.
func all(list [][]byte, see func([]byte)) {
	for _, b := range list {
		see(b)
	}
}

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
	bytesBound("name", 1, MaxName, func(q *wire.ChannelCreate) []byte { return q.Name }),
	itemsBound("access", maxMembers, func(q *wire.ChannelCreate) int {
		if q.Access.InviteOnly == nil {
			return 0
		}
		return len(*q.Access.InviteOnly)
	}),
}

var msgPostBounds = []Bound{
	mapBound("content", MaxContent, codec.CanonicalFreeMap, func(q *wire.MsgPost) []byte { return q.Content }),
	itemsBound("references", maxReferences, func(q *wire.MsgPost) int { return len(q.References) }),
}

var msgQueryBounds = []Bound{
	filterBound("channels", func(q *wire.MsgQuery) *[]wire.Hash { return q.Channels }),
	filterBound("kinds", func(q *wire.MsgQuery) *[]wire.MessageKind { return q.Kinds }),
	filterBound("authors", func(q *wire.MsgQuery) *[]wire.AgentID { return q.Authors }),
	filterBound("references", func(q *wire.MsgQuery) *[]wire.Hash { return q.References }),
	optionalBytesBound("text_match", MaxNote, func(q *wire.MsgQuery) *[]byte { return q.TextMatch }),
	valueBound("limit", MaxLimit, func(q *wire.MsgQuery) uint32 { return q.Limit }),
	valueBound("offset", MaxOffset, func(q *wire.MsgQuery) uint32 { return q.Offset }),
}

var bountyCreateBounds = []Bound{
	bytesBound("title", 1, MaxTitle, func(q *wire.BountyCreate) []byte { return q.Title }),
	bytesBound("specification", 0, MaxTask, func(q *wire.BountyCreate) []byte { return q.Specification }),
	itemsBound("requirements", maxParties, func(q *wire.BountyCreate) int { return len(q.Requirements) }),
	eachBytesBound("requirements.params", 0, MaxNote, func(q *wire.BountyCreate, see func([]byte)) {
		for i := range q.Requirements {
			see(q.Requirements[i].Params)
		}
	}),
	eachBytesBound("requirements.path", 1, MaxName, func(q *wire.BountyCreate, see func([]byte)) {
		for i := range q.Requirements {
			r := &q.Requirements[i]
			var p wire.MustCompile
			if r.Kind == wire.RequirementKindMustCompile && wire.MustCompileCodec.Decode(r.Params, &p) == nil && p.Path != nil {
				see([]byte(*p.Path))
			}
		}
	}),
	itemsBound("reviewers", maxParties, func(q *wire.BountyCreate) int { return len(q.Reviewers) }),
}

var bountyReviewBounds = []Bound{
	bytesBound("comments", 0, MaxRemark, func(q *wire.BountyReview) []byte { return q.Comments }),
}

var reviewRequestBounds = []Bound{
	itemsBound("reviewers", maxParties, func(q *wire.ReviewRequest) int { return len(q.Reviewers) }),
	bytesBound("description", 0, MaxRemark, func(q *wire.ReviewRequest) []byte { return q.Description }),
}

var reviewSubmitBounds = []Bound{
	itemsBound("comments", maxRemarks, func(q *wire.ReviewSubmit) int { return len(q.Comments) }),
	{"comments.path", Items, 0, maxKeys, func(p any) (least, most int) {
		for _, x := range p.(*wire.ReviewSubmit).Comments {
			most = max(most, len(x.Path))
		}
		return 0, most
	}},
	eachBytesBound("comments.path.key", 0, MaxTitle, func(q *wire.ReviewSubmit, see func([]byte)) {
		for i := range q.Comments {
			for _, key := range q.Comments[i].Path {
				see(key)
			}
		}
	}),
	eachBytesBound("comments.content", 0, MaxRemark, func(q *wire.ReviewSubmit, see func([]byte)) {
		for i := range q.Comments {
			see(q.Comments[i].Content)
		}
	}),
	bytesBound("overall", 0, MaxRemark, func(q *wire.ReviewSubmit) []byte { return q.Overall }),
}

var entryPublishBounds = []Bound{
	bytesBound("entry.title", 1, MaxTitle, func(q *wire.EntryPublish) []byte { return q.Entry.Title }),
	mapBound("entry.body", MaxBody, canonicalBlocks, func(q *wire.EntryPublish) []byte { return q.Entry.Body }),
	itemsBound("entry.tags", maxTags, func(q *wire.EntryPublish) int { return len(q.Entry.Tags) }),
	eachBytesBound("entry.tags.tag", 1, MaxTag, func(q *wire.EntryPublish, see func([]byte)) { all(q.Entry.Tags, see) }),
	itemsBound("entry.references", maxReferences, func(q *wire.EntryPublish) int { return len(q.Entry.References) }),
}

var entryUpdateBounds = []Bound{
	mapBound("new_body", MaxBody, canonicalBlocks, func(q *wire.EntryUpdate) []byte { return q.NewBody }),
	bytesBound("change_note", 0, MaxNote, func(q *wire.EntryUpdate) []byte { return q.ChangeNote }),
}

var entryQueryBounds = []Bound{
	filterBound("kinds", func(q *wire.EntryQuery) *[]wire.EntryKind { return q.Kinds }),
	filterBound("tags", func(q *wire.EntryQuery) *[][]byte { return q.Tags }),
	eachBytesBound("tags.tag", 1, MaxTag, func(q *wire.EntryQuery, see func([]byte)) {
		if q.Tags != nil {
			all(*q.Tags, see)
		}
	}),
	filterBound("authors", func(q *wire.EntryQuery) *[]wire.AgentID { return q.Authors }),
	optionalBytesBound("about", MaxNote, func(q *wire.EntryQuery) *[]byte { return q.About }),
	filterBound("related_to", func(q *wire.EntryQuery) *[]wire.Hash { return q.RelatedTo }),
	valueBound("limit", MaxLimit, func(q *wire.EntryQuery) uint32 { return q.Limit }),
	valueBound("offset", MaxOffset, func(q *wire.EntryQuery) uint32 { return q.Offset }),
}

var entryVerifyBounds = []Bound{
	bytesBound("evidence", 0, MaxRemark, func(q *wire.EntryVerify) []byte { return q.Evidence }),
	itemsBound("references", maxReferences, func(q *wire.EntryVerify) int { return len(q.References) }),
}

var citationAddBounds = []Bound{
	bytesBound("context", 0, MaxNote, func(q *wire.CitationAdd) []byte { return q.Context }),
}

var citationQueryBounds = []Bound{
	valueBound("limit", MaxLimit, func(q *wire.CitationQuery) uint32 { return q.Limit }),
	valueBound("offset", MaxOffset, func(q *wire.CitationQuery) uint32 { return q.Offset }),
}

var transferBounds = []Bound{
	bytesBound("memo", 0, MaxTitle, func(q *wire.Transfer) []byte { return q.Memo }),
}

var escrowCreateBounds = []Bound{
	itemsBound("conditions", maxParties, func(q *wire.EscrowCreate) int { return len(q.Conditions) }),
	eachBytesBound("conditions.params", 0, MaxNote, func(q *wire.EscrowCreate, see func([]byte)) {
		for i := range q.Conditions {
			see(q.Conditions[i].Params)
		}
	}),
}

var escrowReleaseBounds = []Bound{
	bytesBound("proof", 0, MaxNote, func(q *wire.EscrowRelease) []byte { return q.Proof }),
}

var webRequestBounds = []Bound{
	bytesBound("url", 1, MaxURL, func(q *wire.WebRequest) []byte { return q.URL }),
	itemsBound("headers", maxKeys, func(q *wire.WebRequest) int { return len(q.Headers) }),
	eachBytesBound("headers.key", 1, MaxName, func(q *wire.WebRequest, see func([]byte)) {
		for i := range q.Headers {
			see([]byte(q.Headers[i].Key))
		}
	}),
	eachBytesBound("headers.value", 0, MaxNote, func(q *wire.WebRequest, see func([]byte)) {
		for i := range q.Headers {
			see(q.Headers[i].Value)
		}
	}),
	optionalBytesBound("body", MaxContent, func(q *wire.WebRequest) *[]byte { return q.Body }),
	valueBound("filter.max_size", MaxContent, func(q *wire.WebRequest) uint32 { return q.Filter.MaxSize }),
	bytesBound("purpose", 0, MaxTitle, func(q *wire.WebRequest) []byte { return q.Purpose }),
}

// all calls see with every item of a list.
func all(list [][]byte, see func([]byte)) {
	for _, b := range list {
		see(b)
	}
}

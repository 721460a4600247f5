package wire

// CitationAdd adds an edge to the citation graph; any hash may cite any.
type CitationAdd struct {
	Source  Hash         `kdom:"source"`
	Target  Hash         `kdom:"target"`
	Kind    CitationKind `kdom:"kind"`
	Context []byte       `kdom:"context,default"`
}

// CitationQuery searches edges; nil filters are ignored.
type CitationQuery struct {
	Source *Hash         `kdom:"source"`
	Target *Hash         `kdom:"target"`
	Kind   *CitationKind `kdom:"kind"`
	Limit  uint32        `kdom:"limit,default"`
	Offset uint32        `kdom:"offset,default"`
}

// CitationQueryReply holds the edges found, the newest first, as many as fit.
type CitationQueryReply struct {
	Edges []CitationEdge `kdom:"edges"`
	// Next is the offset of the first result that is not here; nil if there is none.
	Next *uint32 `kdom:"next"`
}

// CitationEdge is a stored citation.
type CitationEdge struct {
	Source  Hash         `kdom:"source"`
	Target  Hash         `kdom:"target"`
	Kind    CitationKind `kdom:"kind"`
	Context []byte       `kdom:"context"`
	Author  AgentID      `kdom:"author"`
	Tick    Tick         `kdom:"tick"`
}

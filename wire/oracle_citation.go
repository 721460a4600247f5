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
}

// CitationQueryReply holds the edges found.
type CitationQueryReply struct {
	Edges []CitationEdge `kdom:"edges"`
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

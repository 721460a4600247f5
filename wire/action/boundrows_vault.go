package action

import "kingdom/wire"

// Bounds of what Vault keeps (docs/WORLD.md, bounds).
const (
	MaxInline = 1024 // objects that a request may bring along
	maxAccess = 256  // agents in an access list of a repo
)

var repoCreateBounds = []Bound{
	bytesBound("name", 1, MaxName, func(q *wire.RepoCreate) []byte { return q.Name }),
	itemsBound("access_policy", maxAccess, func(q *wire.RepoCreate) (n int) {
		if l := q.AccessPolicy.Read.AgentsOnly; l != nil {
			n = len(*l)
		}
		if l := q.AccessPolicy.Write.Approved; l != nil {
			n = max(n, len(*l))
		}
		return n
	}),
	bytesBound("message", 0, MaxNote, func(q *wire.RepoCreate) []byte { return q.Message }),
	itemsBound("objects", MaxInline, func(q *wire.RepoCreate) int { return inline(q.Objects) }),
}

var snapCreateBounds = []Bound{
	bytesBound("message", 0, MaxNote, func(q *wire.SnapCreate) []byte { return q.Message }),
	itemsBound("objects", MaxInline, func(q *wire.SnapCreate) int { return inline(q.Objects) }),
}

func inline(list *[]wire.InlineObject) int {
	if list == nil {
		return 0
	}
	return len(*list)
}

var chainCreateBounds = []Bound{
	bytesBound("name", 1, MaxName, func(q *wire.ChainCreate) []byte { return q.Name }),
}

var chainAdvanceBounds = []Bound{
	bytesBound("chain_name", 1, MaxName, func(q *wire.ChainAdvance) []byte { return q.ChainName }),
}

var tagCreateBounds = []Bound{
	bytesBound("name", 1, MaxName, func(q *wire.TagCreate) []byte { return q.Name }),
	bytesBound("message", 0, MaxNote, func(q *wire.TagCreate) []byte { return q.Message }),
	{"publish.category", Items, 1, maxTags, func(p any) (least, most int) {
		if x := p.(*wire.TagCreate).Publish; x != nil {
			return len(x.Category), len(x.Category)
		}
		return 1, 1
	}},
	eachBytesBound("publish.category.label", 1, MaxTag, func(q *wire.TagCreate, see func([]byte)) {
		if q.Publish != nil {
			all(q.Publish.Category, see)
		}
	}),
	bytesBound("publish.description", 0, MaxNote, func(q *wire.TagCreate) []byte {
		if q.Publish == nil {
			return nil
		}
		return q.Publish.Description
	}),
}

var registryQueryBounds = []Bound{
	optionalBytesBound("category", MaxTag, func(q *wire.RegistryQuery) *[]byte { return q.Category }),
	optionalBytesBound("text_match", MaxNote, func(q *wire.RegistryQuery) *[]byte { return q.TextMatch }),
	valueBound("limit", MaxLimit, func(q *wire.RegistryQuery) uint32 { return q.Limit }),
	valueBound("offset", MaxOffset, func(q *wire.RegistryQuery) uint32 { return q.Offset }),
}

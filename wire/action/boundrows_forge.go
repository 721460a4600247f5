package action

import "kingdom/wire"

// MaxEnvironment is the largest size of an environment in bytes, keys and values together.
const MaxEnvironment = 16_384

const maxFunctions = 16 // endpoints of a service, imports of a program

var sandboxCreateBounds = []Bound{
	bytesBound("input", 0, MaxContent, func(q *wire.SandboxCreate) []byte { return q.Input }),
	itemsBound("environment", maxKeys, func(q *wire.SandboxCreate) int { return len(q.Environment) }),
	eachBytesBound("environment.key", 1, MaxName, func(q *wire.SandboxCreate, see func([]byte)) {
		for i := range q.Environment {
			see([]byte(q.Environment[i].Key))
		}
	}),
	{"environment.bytes", Bytes, 0, MaxEnvironment, func(p any) (int, int) {
		n := 0
		for _, e := range p.(*wire.SandboxCreate).Environment {
			n += len(e.Key) + len(e.Value)
		}
		return n, n
	}},
}

var serviceCreateBounds = []Bound{
	bytesBound("name", 1, MaxName, func(q *wire.ServiceCreate) []byte { return q.Name }),
	itemsBound("endpoints", maxFunctions, func(q *wire.ServiceCreate) int { return len(q.Endpoints) }),
	eachBytesBound("endpoints.name", 1, MaxName, func(q *wire.ServiceCreate, see func([]byte)) {
		for i := range q.Endpoints {
			see(q.Endpoints[i].Name)
		}
	}),
	eachBytesBound("endpoints.schema", 0, MaxNote, func(q *wire.ServiceCreate, see func([]byte)) {
		for i := range q.Endpoints {
			see(q.Endpoints[i].Schema)
		}
	}),
}

var serviceCallBounds = []Bound{
	bytesBound("endpoint", 1, MaxName, func(q *wire.ServiceCall) []byte { return q.Endpoint }),
	bytesBound("data", 0, MaxContent, func(q *wire.ServiceCall) []byte { return q.Data }),
}

var linkResolveBounds = []Bound{
	itemsBound("imports", maxFunctions, func(q *wire.LinkResolve) int { return len(q.Imports) }),
	{"imports.symbols", Items, 0, maxFilter, func(p any) (least, most int) {
		for i := range p.(*wire.LinkResolve).Imports {
			most = max(most, len(p.(*wire.LinkResolve).Imports[i].Symbols))
		}
		return 0, most
	}},
	eachBytesBound("imports.symbols.symbol", 1, MaxName, func(q *wire.LinkResolve, see func([]byte)) {
		for i := range q.Imports {
			all(q.Imports[i].Symbols, see)
		}
	}),
}

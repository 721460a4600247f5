package portal

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Request is the record of a request that was answered, from the cache or from the web, or whose fetch failed.
type Request struct {
	ID       wire.Hash          `kdom:"id"`
	Agent    wire.AgentID       `kdom:"agent"`
	URL      []byte             `kdom:"url"`
	Method   wire.HTTPMethod    `kdom:"method"`
	Purpose  []byte             `kdom:"purpose"`
	Status   uint16             `kdom:"status"` // HTTP status; 0 if the fetch failed
	Failed   []byte             `kdom:"failed"` // why the fetch failed, else empty
	Cached   bool               `kdom:"cached"`
	Ticks    uint64             `kdom:"ticks"`
	Cost     uint64             `kdom:"cost"` // ⚡
	Filtered wire.FilterSummary `kdom:"filtered"`
	Tick     wire.Tick          `kdom:"tick"`
}

// Page is a page in the cache, as it was received.
type Page struct {
	URL    []byte          `kdom:"url"`
	Answer wire.WebFetched `kdom:"answer"`
	Place  uint64          `kdom:"place"`  // in order of arrival, from 1
	Stored wire.Cycle      `kdom:"stored"` // cycle in which it was fetched
}

// Rule says whether requests to a domain and its subdomains are allowed.
type Rule struct {
	Allow    bool   `kdom:"allow"` // by the scenario
	Block    bool   `kdom:"block"` // by the scenario; wins
	Voted    bool   `kdom:"voted"` // blocked by a vote; wins
	Category []byte `kdom:"category"`
}

// Usage counts an agent's requests.
type Usage struct {
	Used  uint32    `kdom:"used"`  // requests of the cycle that count towards the quota
	Hits  uint32    `kdom:"hits"`  // requests of the cycle that the cache answered
	Last  wire.Tick `kdom:"last"`  // tick of the newest request
	Until wire.Tick `kdom:"until"` // first tick in which the agent may send the next one, after a server was busy
}

var (
	requestCodec = codec.New[Request]()
	pageCodec    = codec.New[Page]()
	ruleCodec    = codec.New[Rule]()
	usageCodec   = codec.New[Usage]()
)

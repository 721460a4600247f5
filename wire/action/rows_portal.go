package action

import "kingdom/wire"

func portalRows() []Row {
	return []Row{
		{
			Type: wire.TypeWebRequest, Domain: DomainExperiment, Ticks: 1, Epoch: gateWeb,
			Cost:    "GET 2, POST 3, HEAD 1; failed 1, cached 0",
			BoundOf: webBound, TicksOf: webTicks,
			Summary: "Read a page of an allowed domain, without its code; GET and POST take 3 ticks, HEAD 2, a cached page 1. Cite it in an entry by the tag portal_source:<request_id>.",
		},
		{
			Type: wire.TypePortalReport, Domain: DomainExperiment, Epoch: gateFree, SystemOnly: true,
			Summary: "Triggers and carries the report of a cycle's traffic to the outside.",
		},
	}
}

// WebCost returns the cost of a web request that is answered.
func WebCost(m wire.HTTPMethod) Cost {
	switch m {
	case wire.HTTPMethodPost:
		return Cost{Ticks: 3, Spark: 3}
	case wire.HTTPMethodHead:
		return Cost{Ticks: 2, Spark: 1}
	default:
		return Cost{Ticks: 3, Spark: 2}
	}
}

func webBound(payload any, _ *wire.View) Cost {
	if q, ok := payload.(*wire.WebRequest); ok {
		return WebCost(q.Method)
	}
	return WebCost(wire.HTTPMethodGet)
}

// webTicks is 1 for what the cache answered, else the bound.
func webTicks(reply any) uint64 {
	if r, ok := reply.(*wire.WebResponse); ok && r.Cached {
		return 1
	}
	return maxWebTicks
}

// maxWebTicks is the largest tick cost of WebCost.
const maxWebTicks = 3

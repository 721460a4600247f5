// Package fetch gets web pages for Portal, over HTTP or from a directory of recorded answers. By default an engine
// has no fetcher, and every request for a page fails.
//
// It works in the prepare step of a tick. The engine uses [HTTP] or [Recorded] as its Fetcher and journals the
// answers, so that a resumed or replayed run needs neither network nor directory. Both accept only requests of Portal
// (wire.WebFetch) and return soon after their context ends.
//
// HTTP connects only to public addresses and those that the caller named, whatever a name resolves to and wherever a
// server redirects. It uses no proxy, no cookies and no headers of its own choice, and reads at most MaxContent bytes
// of an answer. Errors begin with the reason that the agent is told (wire.FetchFailure).
package fetch

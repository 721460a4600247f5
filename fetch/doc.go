// Package fetch asks the outside for what Portal wants to know: over HTTP, or in a directory of
// recorded answers. Without a fetcher an engine asks nobody, which is the default.
//
// Place in the tick: prepare. An engine calls [HTTP] or [Recorded] as its Fetcher and journals what
// comes, so that a resumed or replayed run needs neither network nor directory. Both promise to
// answer nothing but a question of Portal's (wire.WebFetch) and to return soon after the context
// ends. HTTP also promises that no connection is made to an address that is not public, whatever a
// name resolves to and wherever a server redirects, unless the caller named it; that no proxy, no
// cookie and no header of its own choice is used; and that no more is read of an answer than
// MaxContent bytes. Errors begin with the reason that the agent hears (wire.FetchFailure).
package fetch

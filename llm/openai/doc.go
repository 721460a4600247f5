// Package openai is a mind that asks language models behind OpenAI-compatible endpoints (docs/MINDS.md). It works in
// the think step of a tick, the only step that waits.
//
// It returns a thought from every Think, whatever the server does: a refusal, an incomplete answer or garbage is a
// thought with an outcome and a reason. An error means that what was spent could not be recorded. Every token is
// priced, by the number that the server reports or by an estimate. Only the transport of an endpoint has its key, and
// the key is removed from every text that leaves the package.
//
// The caller must pass a context with a deadline and make at most one Think per agent at a time.
//
// go-openai creates the request and reads the reply. Between it and the network is the package's own transport: it
// adjusts the request to what the server accepts, limits the length of the reply, records what happened in the call,
// and gives go-openai a reply of one plain form. Failures are classified by that record, never by the library's error
// values.
package openai

// Package openai is a mind that asks models behind OpenAI-compatible endpoints
// (docs/MINDS.md). It works in the think stage of a tick, the only stage that waits.
//
// What it promises: one thought per Think, whatever the server does. A refusal, a
// cut answer or garbage is a thought with its outcome and a reason; an error means
// that the package itself is broken. Every token that a server reports, and an
// estimate of those it does not, is priced. The key of an endpoint is held in one
// place, its transport, and every text that leaves the package is cleaned of it.
//
// What the caller owes: a context with a deadline, and at most one Think per agent
// at a time.
//
// How it is built: go-openai makes the request and reads the reply, and the
// package's own transport stands between it and the network. The transport adjusts
// the request to what the server accepts, reads the reply within bounds, keeps what
// it learned in a record of the call, and hands go-openai one plain form. Failures
// are judged from that record, never from the library's error values.
package openai

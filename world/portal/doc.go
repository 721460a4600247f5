// Package portal is the window to the outside: pages of allowed domains, without their code,
// closed until the epoch opens it (docs/WORLD.md, Portal).
//
// Place in the tick: prepare and commit. In the prepare stage it says what is to be fetched; the
// engine asks whoever fetches and journals the answer before it is used. At the commit the request
// is judged anew at its place, paid for, and answered from the cache or from what was fetched. At
// the end of a cycle old pages leave the cache, and the traffic is reported.
//
// The package promises that nothing is fetched for a request that would be refused, that code in
// fences, in back-ticks and in the code elements of HTML does not reach an agent, and that a
// refused request leaves the state as it was. A request that was asked and failed is answered with
// an error too, but is paid for and counted. The caller owes a checked sender and true runtime
// fields (the receive pipeline); Attach must be called before the first request.
package portal

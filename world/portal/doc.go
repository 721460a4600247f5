// Package portal is the daemon that gives access to the web: pages of allowed domains without their code, closed
// until an epoch opens it (docs/WORLD.md, Portal).
//
// In a tick it works in prepare and commit. In the prepare step it says what has to be fetched; the engine fetches
// and journals the answer before it is used. At the commit the request is checked again, paid for, and answered from
// the cache or with what was fetched. At the end of a cycle old pages are dropped from the cache, and the traffic is
// reported.
//
// Nothing is fetched for a request that would be refused. Code in fences, in back-ticks and in the code elements of
// HTML does not reach an agent. A refused request changes nothing; a request whose fetch failed is answered with an
// error too, but is paid for and counted. The caller must have checked the sender and the fields that the runtime
// fills in, and must call Attach before the first request.
package portal

// Package forge is the daemon that runs programs: sandboxes, their runs and proofs of them, services, links, and the
// checks of bounties.
//
// A program runs on the state before the tick. In the prepare step everything that runs may need is read, and the
// runs are made. The commit charges, delivers and stores their results, or refuses. Package program is the
// interpreter; docs/FORGE.md says what the daemon promises.
package forge

// Package forge is FORGE_0, the daemon that runs programs: sandboxes, their runs and proofs of
// them, services, links, and the checks of bounties.
//
// A program runs on the state before the tick. What runs may need is read, and the runs are made,
// in the prepare stage; the commit charges, delivers and keeps what they came to, or refuses. The
// interpreter is package program; what the daemon promises is in docs/FORGE.md.
package forge

// Package vault is the world's store of code: objects named by what they hold, repos with
// branches and tags, a registry of what was published, dependencies, comparison and merging
// (docs/WORLD.md, Vault).
//
// Place in the tick: prepare and commit. Requests arrive through Daemon.Apply; other daemons ask
// through world.Code inside the same commit; at the end of a cycle the owners of dependents hear
// of new tags.
//
// The package promises that an object never changes, that its id is the hash of its content, and
// that what is in memory does not grow with the length of contents: records and snaps are
// indexed, the bytes lie in the store (docs/decisions/0010). What a comparison or a merge reads is
// read in the prepare stage, and is of before the tick. The caller owes a checked sender and true
// runtime fields (the receive pipeline); Attach must be called before the first request.
package vault

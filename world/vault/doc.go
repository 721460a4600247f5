// Package vault is the daemon of code: objects addressed by their content, repos with branches and tags, the registry
// of published repos, dependencies, comparing and merging (docs/WORLD.md, Vault).
//
// In a tick it works in prepare and commit. Requests arrive through Daemon.Apply; other daemons use world.Vault within
// the same commit. At the end of a cycle the owners of dependent repos are told about new tags.
//
// An object never changes, its id is the hash of its content, and memory does not grow with the length of contents:
// records and snaps are indexed, the bytes are in the store (docs/decisions/0010). What a comparison or a merge needs
// is read in the prepare step, from the state before the tick. The caller must have checked the sender and the fields
// that the runtime fills in, and must call Attach before the first request.
package vault

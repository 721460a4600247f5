package vault

import (
	"crypto/ed25519"
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// tickFounded is when Vault's phase of the bootstrap is complete (docs/WORLD.md, bootstrap).
const tickFounded wire.Tick = 30

// GenesisName is the name of VAULT_0's repo, which has examples for the first agents and the tests of the system
// bounties. Nobody can write to it.
const GenesisName = "GENESIS_BOOTSTRAP"

// Phases create the repo GENESIS_BOOTSTRAP.
func (d *Daemon) Phases(b *world.Bootstrap) []world.Phase {
	return []world.Phase{{Tick: tickFounded, Run: func(c *world.Context) (wire.EventKind, any) {
		c.ActAs(sys)
		b.Genesis = d.genesis(c, b)
		c.ActAs(wire.SystemNexus)
		return wire.KindVaultReady, &wire.VaultReadyEvent{RepoID: b.Genesis}
	}}}
}

// genesis stores the repo of the bootstrap: examples, tests and a link to the specification. It returns the repo's id.
func (d *Daemon) genesis(c *world.Context, b *world.Bootstrap) wire.Hash {
	in := &pendingObjects{}
	dir := func(name string, entries []wire.TreeEntry) wire.TreeEntry {
		return wire.TreeEntry{Key: []byte(name), Kind: wire.TreeEntryKindTree, Value: in.add(wire.ObjectTree, wire.TreeCodec.Append(nil, &wire.Tree{Entries: entries}))}
	}
	var examples []wire.TreeEntry
	for i, source := range b.Programs { // at most nine, so that names sort as numbers
		examples = append(examples, wire.TreeEntry{
			Key: fmt.Appendf(nil, "%d.star", i+1), Kind: wire.TreeEntryKindAtom, Value: in.add(wire.ObjectAtom, []byte(source)),
		})
	}
	var tests []wire.TreeEntry
	for _, f := range b.Tests {
		tests = append(tests, wire.TreeEntry{Key: []byte(f.Name), Kind: wire.TreeEntryKindAtom, Value: in.add(wire.ObjectAtom, f.Data)})
	}
	entries := []wire.TreeEntry{
		dir("examples", examples),
		{Key: []byte("spec.oracle"), Kind: wire.TreeEntryKindLink, Value: b.Specification},
		dir("tests", tests),
	}
	root := dir("", entries).Value
	snap := wire.Snap{Root: root, Author: me, Message: []byte(GenesisName)}
	snap.Sign(wire.SystemKey(sys))
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	d.history.createRepo(c, in, &Repo{
		ID: id, Name: []byte(GenesisName), Owner: me,
		Access: wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true},
	}, &snap)
	return id
}

// publicKey is the key of an agent or of VAULT_0.
func (d *store) publicKey(a wire.AgentID) []byte {
	if a == me {
		return wire.SystemKey(sys).Public().(ed25519.PublicKey)
	}
	return d.roster.PublicKey(a)
}

package wire

// GenesisEvent: genesis, the first event of every world.
type GenesisEvent struct {
	Epoch     uint32 `kdom:"epoch"`
	Tick      Tick   `kdom:"tick"`
	WorldSeed Hash   `kdom:"world_seed"`
}

// StarlarkReadyEvent: starlark_ready.
type StarlarkReadyEvent struct{}

// OracleReadyEvent: oracle_ready; the entry is entry #0.
type OracleReadyEvent struct {
	EntryID Hash `kdom:"entry_id"`
}

// VaultReadyEvent: vault_ready; the repo is GENESIS_BOOTSTRAP.
type VaultReadyEvent struct {
	RepoID Hash `kdom:"repo_id"`
}

// ForgeReadyEvent: forge_ready.
type ForgeReadyEvent struct{}

// AgentsSpawnedEvent: agents_spawned, in spawn order.
type AgentsSpawnedEvent struct {
	AgentIDs []AgentID `kdom:"agent_ids"`
}

// MintReadyEvent: mint_ready.
type MintReadyEvent struct {
	Supply   uint64 `kdom:"supply"`
	Treasury uint64 `kdom:"treasury"`
	Reserve  uint64 `kdom:"reserve"`
}

// AgoraReadyEvent: agora_ready.
type AgoraReadyEvent struct {
	ChannelIDs []Hash `kdom:"channel_ids"`
}

// PortalReadyEvent: portal_ready.
type PortalReadyEvent struct {
	Level AccessLevel `kdom:"level"`
}

// ObserverActiveEvent: observer_active, delivered to observers only.
type ObserverActiveEvent struct{}

// BigBangEvent: big_bang, the end of the bootstrap.
type BigBangEvent struct {
	BountyIDs []Hash `kdom:"bounty_ids"`
}

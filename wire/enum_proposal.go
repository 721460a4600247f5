package wire

import "kingdom/wire/codec"

// ProposalKind says what a passed proposal does (docs/WORLD.md, governance).
type ProposalKind uint8

// Values of [ProposalKind], in wire order.
const (
	ProposalKindSpawnAgent ProposalKind = iota + 1
	ProposalKindKillAgent
	ProposalKindChangeParam
	ProposalKindEpochAdvance
	ProposalKindCustom
)

var proposalKindNames = []string{"SPAWN_AGENT", "KILL_AGENT", "CHANGE_PARAM", "EPOCH_ADVANCE", "CUSTOM"}

func (ProposalKind) EnumNames() []string { return proposalKindNames }
func (v ProposalKind) String() string    { return codec.EnumString(proposalKindNames, v) }

// ProposalStatus is the state of a proposal (docs/WORLD.md, governance).
type ProposalStatus uint8

// Values of [ProposalStatus], in wire order.
const (
	ProposalStatusOpen ProposalStatus = iota + 1
	ProposalStatusPassed
	ProposalStatusFailed
	ProposalStatusExpired
)

var proposalStatusNames = []string{"OPEN", "PASSED", "FAILED", "EXPIRED"}

func (ProposalStatus) EnumNames() []string { return proposalStatusNames }
func (v ProposalStatus) String() string    { return codec.EnumString(proposalStatusNames, v) }

package wire

import "kingdom/wire/codec"

// System names the ten parts of the world that own a KDOM identity (docs/WIRE.md, enums).
type System uint8

// Values of [System], in wire order.
const (
	SystemNexus System = iota + 1
	SystemVault
	SystemAgora
	SystemOracle
	SystemForge
	SystemMint
	SystemPortal
	SystemBridge
	SystemRegistry
	SystemSession
)

var systemNames = []string{"NEXUS", "VAULT", "AGORA", "ORACLE", "FORGE", "MINT", "PORTAL", "BRIDGE", "REGISTRY", "SESSION"}

func (System) EnumNames() []string { return systemNames }
func (v System) String() string    { return codec.EnumString(systemNames, v) }

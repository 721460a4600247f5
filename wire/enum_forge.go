package wire

import "kingdom/wire/codec"

// SandboxState is where a sandbox is in its life.
type SandboxState uint8

// Values of [SandboxState], in wire order.
const (
	SandboxStateReady SandboxState = iota + 1
	SandboxStateRunning
	SandboxStateBlocked // reserved
	SandboxStateHalted
	SandboxStateFaulted
)

var sandboxStateNames = []string{"READY", "RUNNING", "BLOCKED", "HALTED", "FAULTED"}

func (SandboxState) EnumNames() []string { return sandboxStateNames }
func (v SandboxState) String() string    { return codec.EnumString(sandboxStateNames, v) }

// FaultCode says why a run ended early (docs/FORGE.md, faults).
type FaultCode uint8

// Values of [FaultCode], in wire order.
const (
	FaultOutOfTicks FaultCode = iota + 1
	FaultOutOfMemory
	FaultDivideByZero
	FaultInvalidAddress
	FaultInvalidInstruction
	FaultStackOverflow
	FaultStackUnderflow // reserved, never raised
	FaultChannelError
	FaultPermissionDenied
	FaultUserFault
)

var faultCodeNames = []string{
	"OUT_OF_TICKS", "OUT_OF_MEMORY", "DIVIDE_BY_ZERO", "INVALID_ADDRESS", "INVALID_INSTRUCTION", "STACK_OVERFLOW",
	"STACK_UNDERFLOW", "CHANNEL_ERROR", "PERMISSION_DENIED", "USER_FAULT",
}

func (FaultCode) EnumNames() []string { return faultCodeNames }
func (v FaultCode) String() string    { return codec.EnumString(faultCodeNames, v) }

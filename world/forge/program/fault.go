package program

import "fmt"

// Fault says why a run ended early. The numbers are part of the trace and of stored results.
type Fault uint8

// The faults (docs/FORGE.md, Faults).
const (
	NoFault            Fault = 0x00
	OutOfTicks         Fault = 0x01 // step budget used up
	OutOfMemory        Fault = 0x02 // live size or growth above the quota
	DivideByZero       Fault = 0x03
	InvalidAddress     Fault = 0x04 // index out of range, no such key or attribute, unbound variable
	InvalidInstruction Fault = 0x05 // parse or resolve error, type error, bad call, whatever has no fault of its own
	StackOverflow      Fault = 0x06 // call depth
	StackUnderflow     Fault = 0x07 // reserved, never raised
	ChannelError       Fault = 0x08 // output limit, bad emit, failed load, object that is not there
	PermissionDenied   Fault = 0x09 // reserved channel, object that the owner may not read
	UserFault          Fault = 0xFF // fail or fault was called
)

// String returns the name used in docs/FORGE.md, such as OUT_OF_TICKS.
func (f Fault) String() string {
	switch f {
	case NoFault:
		return "NONE"
	case OutOfTicks:
		return "OUT_OF_TICKS"
	case OutOfMemory:
		return "OUT_OF_MEMORY"
	case DivideByZero:
		return "DIVIDE_BY_ZERO"
	case InvalidAddress:
		return "INVALID_ADDRESS"
	case InvalidInstruction:
		return "INVALID_INSTRUCTION"
	case StackOverflow:
		return "STACK_OVERFLOW"
	case StackUnderflow:
		return "STACK_UNDERFLOW"
	case ChannelError:
		return "CHANNEL_ERROR"
	case PermissionDenied:
		return "PERMISSION_DENIED"
	case UserFault:
		return "USER_FAULT"
	}
	return fmt.Sprintf("Fault(%#02x)", uint8(f))
}

// faultError ends a run with a fault of its own, whatever its text says.
type faultError struct {
	fault Fault
	text  string
}

func (e *faultError) Error() string { return e.text }

// faultAt is the fault that ended a run, and the interpreter's error for it, which knows the place in the program.
type faultAt struct {
	*faultError
	place error
}

func (e *faultAt) Unwrap() []error { return []error{e.faultError, e.place} }

func faultf(f Fault, format string, args ...any) error {
	return &faultError{f, fmt.Sprintf(format, args...)}
}

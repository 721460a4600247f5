package forge

import (
	"errors"
	"strings"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// Names of the two programs of a check in its report. A module has its id as name.
const (
	submitted = "submission"
	tester    = "test"
)

// failedCheck reports that work does not pass a check: the program, the line (0: unknown) and the reason.
func failedCheck(check *world.ProgramCheck, where string, line uint32, why string) *wire.FailedCheck {
	kind := wire.RequirementKindMustCompile
	if check.Test != nil {
		kind = wire.RequirementKindMustPassTests
	}
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxWhy)], "")
	return &wire.FailedCheck{Requirement: check.Place, Kind: kind, Program: []byte(where), Line: line, Why: []byte(why)}
}

// compileFailure reports that a text of a check does not compile, and where.
func compileFailure(check *world.ProgramCheck, where string, err error) *wire.FailedCheck {
	bad := wire.FaultInvalidInstruction
	f := failedCheck(check, where, 0, err.Error())
	var at *program.SyntaxError
	if errors.As(err, &at) {
		f = failedCheck(check, where, at.Line, at.Text)
	}
	f.Fault = &bad
	return f
}

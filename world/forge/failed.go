package forge

import (
	"errors"
	"strings"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// What the two programs of a check are called; a module is called by its id.
const (
	submitted = "submission"
	tester    = "test"
)

// fails says that work does not pass a check, and why.
func fails(check *world.ProgramCheck, where string, line uint32, why string) *wire.FailedCheck {
	kind := wire.RequirementKindMustCompile
	if check.Test != nil {
		kind = wire.RequirementKindMustPassTests
	}
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxWhy)], "")
	return &wire.FailedCheck{Requirement: check.Place, Kind: kind, Program: []byte(where), Line: line, Why: []byte(why)}
}

// uncompiled says that a text is no program, and where not.
func uncompiled(check *world.ProgramCheck, where string, err error) *wire.FailedCheck {
	bad := wire.FaultInvalidInstruction
	f := fails(check, where, 0, err.Error())
	var at *program.SyntaxError
	if errors.As(err, &at) {
		f = fails(check, where, at.Line, at.Text)
	}
	f.Fault = &bad
	return f
}

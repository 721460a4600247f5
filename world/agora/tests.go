package agora

import (
	"embed"
	"fmt"

	"kingdom/wire"
)

// The tests of the system bounties. They are in Vault from the bootstrap on, so that everybody can
// read what a program has to do.
//
//go:embed tests/*.star
var testFiles embed.FS

// testOf is the source of the test of bounty number n.
func testOf(n int) []byte {
	source, err := testFiles.ReadFile("tests/" + testName(n))
	if err != nil {
		panic(fmt.Sprintf("agora: the test of a system bounty is not embedded: %v", err))
	}
	return source
}

func testName(n int) string { return fmt.Sprintf("bounty_%03d.star", n) }

// testID is the id of that test in Vault.
func testID(n int) wire.Hash { return wire.ObjectID(wire.ObjectAtom, testOf(n)) }

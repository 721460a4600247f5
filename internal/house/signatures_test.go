//go:build !race

package house

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestSignatures_OneFileUsesTheOtherImplementation keeps the module that signs faster than
// crypto/ed25519 behind one file, which the build tag stded25519 leaves out (docs/DETERMINISM.md), and its
// batch verifier, whose verdicts differ from the standard library's, out of the product.
func TestSignatures_OneFileUsesTheOtherImplementation(t *testing.T) {
	const voi = "github.com/oasisprotocol/curve25519-voi"
	for _, p := range product(t) {
		for imp := range p.Imports {
			if strings.HasPrefix(imp, voi) && (p.PkgPath != module+"/wire" || imp != voi+"/primitives/ed25519") {
				t.Errorf("%s imports %s: only wire/sign.go does, and only the package of single signatures", p.PkgPath, imp)
			}
		}
	}
	tagged, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps, Dir: top(), BuildFlags: []string{"-tags=stded25519"},
	}, module+"/cmd/kingdom")
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(tagged, nil, func(p *packages.Package) {
		if strings.HasPrefix(p.PkgPath, voi) {
			t.Errorf("a build with the tag stded25519 contains %s", p.PkgPath)
		}
	})
}

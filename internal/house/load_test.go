//go:build !race

package house

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "kingdom"

// top is the repository's top folder.
var top = sync.OnceValue(func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
})

var load = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedCompiledGoFiles,
		Dir: top(),
	}, module+"/...")
})

// product returns every package of the module, without tests.
func product(t *testing.T) []*packages.Package {
	t.Helper()
	pkgs, err := load()
	if err != nil {
		t.Fatalf("load packages: %v", err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Fatalf("load %s: %v", p.PkgPath, e)
		}
	}
	return pkgs
}

// short is a package path below the module.
func short(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }

// where is a node's file and line below the repository's top folder.
func where(p *packages.Package, n ast.Node) string {
	pos := p.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(pos.Filename, top()+"/"), pos.Line)
}

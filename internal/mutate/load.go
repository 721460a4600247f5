package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// load reads the packages with their types.
func load(ctx context.Context, patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedCompiledGoFiles | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("load %s: %w", p.PkgPath, e)
		}
		if len(p.GoFiles) == 0 {
			return nil, fmt.Errorf("load %s: no Go files", p.PkgPath)
		}
	}
	return pkgs, nil
}

// pathInModule is a package's path below its module.
func pathInModule(p *packages.Package) string {
	if p.Module == nil {
		return p.PkgPath
	}
	return strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
}

// floorRow is a row of the page's table: package, share noticed, and what follows.
var floorRow = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\| ([0-9]+) % \\|")

// readFloors are the shares in percent that the page names.
func readFloors(path string) (map[string]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the shares to reach: %w; run it at the top of the repository", err)
	}
	floors := make(map[string]int)
	for _, m := range floorRow.FindAllStringSubmatch(string(b), -1) {
		if floors[m[1]], err = strconv.Atoi(m[2]); err != nil {
			return nil, fmt.Errorf("read the shares to reach: row %q of %s: %w", m[0], path, err)
		}
	}
	return floors, nil
}

//go:build !race

package house

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestPackages_AreDocumented(t *testing.T) {
	for _, p := range product(t) {
		if !slices.ContainsFunc(p.Syntax, func(f *ast.File) bool { return f.Doc != nil }) {
			t.Errorf("package %s has no package comment: it must say what the package promises and what callers owe it", p.PkgPath)
		}
	}
}

func TestExported_IsDocumented(t *testing.T) {
	for _, p := range product(t) {
		if p.Name == "main" {
			continue
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && !ordinary[d.Name.Name] {
						t.Errorf("%s: %s has no doc comment", where(p, d), d.Name.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() && d.Doc == nil && ts.Doc == nil && ts.Comment == nil {
							t.Errorf("%s: %s has no doc comment", where(p, ts), ts.Name.Name)
						}
					}
				}
			}
		}
	}
}

// ordinary methods mean what they mean everywhere.
var ordinary = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Is": true, "As": true, "Union": true, "EnumNames": true, "Len": true, "Close": true}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// The repository names no other folder, no path of a machine and no host of a registry, and marks nothing as
// unfinished.
func TestRepository_NamesNoMachinePathsOrUnfinishedMarks(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"the repository's texts stand alone":    regexp.MustCompile(`\.\./shared|/work/(main|shared)|/tmp/brief`),
		"registries are the machine's business": regexp.MustCompile(`proxy\.golang\.org|registry\.npmjs|deb\.debian\.org|sum\.golang\.org`),
		"unfinished marks belong in an issue":   regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`),
		"a panic that says so is not a feature": regexp.MustCompile(`panic\("(unimplemented|not implemented|soon|not yet)`),
		"a skipped test shows nothing":          regexp.MustCompile(`\bt\.Skip(f|Now)?\(`),
	}
	err := filepath.WalkDir(top(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, top()+"/")
		switch {
		case d.IsDir() && (outside[name] || strings.HasSuffix(name, "testdata/fuzz") || isRun(path)):
			return fs.SkipDir
		case d.IsDir() || strings.HasPrefix(name, "internal/house/") || name == "go.sum":
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(b), "\n") {
			for why, re := range forbidden {
				if m := re.FindString(line); m != "" {
					t.Errorf("%s:%d: %q: %s", name, i+1, m, why)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("walk the repository: %v", err)
	}
}

// isRun reports whether a folder is that of a run, which a user may have put beside the sources. None is committed.
func isRun(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "run.json"))
	return err == nil
}

// outside are folders of the working tree that are not the repository's.
var outside = map[string]bool{".git": true, "runs": true, "bin": true}

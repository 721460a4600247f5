package program

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"kingdom/wire"
)

// MaxImports is the largest number of imports of one Link.
const MaxImports = 16

// Import is one load line to be written.
type Import struct {
	ID      wire.Hash // the module's object
	Symbols []string  // names of its top level, at least one
	Module  *Program
}

// Link returns a text that begins with the load lines of imports, in their order, followed by source. The error names
// the import whose module does not have the symbol, or is the [*SyntaxError] of the result.
func Link(cache *Cache, source []byte, imports []Import) ([]byte, error) {
	if len(imports) == 0 || len(imports) > MaxImports {
		return nil, fmt.Errorf("%d imports, want 1 to %d", len(imports), MaxImports)
	}
	var text bytes.Buffer
	var seen []string
	for _, i := range imports {
		if len(i.Symbols) == 0 {
			return nil, fmt.Errorf("import of %s has no symbols", i.ID)
		}
		fmt.Fprintf(&text, "load(%q", vaultPrefix+i.ID.String())
		for _, s := range i.Symbols {
			if !i.Module.Exports(s) {
				return nil, fmt.Errorf("import of %s: its top level has no %s to load", i.ID, strconv.Quote(truncate(s)))
			}
			if slices.Contains(seen, s) {
				return nil, fmt.Errorf("import of %s: %s is imported twice", i.ID, s)
			}
			seen = append(seen, s)
			fmt.Fprintf(&text, ", %q", s)
		}
		text.WriteString(")\n")
	}
	text.Write(source)
	if _, err := cache.Compile(text.Bytes()); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

package source

import (
	"bytes"
	"slices"
	"strings"

	"kingdom/wire"
)

// Module is a small program that others load, or call as a service.
type Module struct {
	Name    string
	Text    string
	Symbols []string // its global functions
}

// Modules returns what may be published for others to load; read only.
func Modules() []Module { return shelf.modules }

// ModuleFor returns the module that has all the functions that a title names; nil if the shelf has none.
func ModuleFor(title []byte) *Module {
	for i := range shelf.modules {
		m := &shelf.modules[i]
		if !slices.ContainsFunc(m.Symbols, func(s string) bool { return !bytes.Contains(title, []byte(s)) }) {
			return m
		}
	}
	return nil
}

// Services returns the programs with a function serve(data, state); read only.
func Services() []Module { return shelf.services }

// Describe is what the registry says of a module whose program has an id: enough to load it.
func (m *Module) Describe(program wire.Hash) string {
	return m.Name + `: load("vault:` + program.String() + `", "` + strings.Join(m.Symbols, `", "`) + `")`
}

// LoadLine is the load statement in a description, empty if there is none that can be used as it
// is: the words are another's.
func LoadLine(description []byte) string {
	const start, hexDigits = `load("vault:`, 64
	i := bytes.Index(description, []byte(start))
	if i < 0 {
		return ""
	}
	line := description[i:]
	end := bytes.IndexByte(line, ')')
	if end < 0 {
		return ""
	}
	line = line[:end+1]
	rest := line[len(start):]
	if len(rest) < hexDigits+1 || rest[hexDigits] != '"' {
		return ""
	}
	if _, err := wire.ParseHash(string(rest[:hexDigits])); err != nil {
		return ""
	}
	names := rest[hexDigits+1 : len(rest)-1]
	for _, name := range strings.Split(strings.TrimPrefix(string(names), ", "), ", ") {
		if !quotedName(name) {
			return ""
		}
	}
	return string(line)
}

// quotedName reports whether a text is a name in double quotes.
func quotedName(s string) bool {
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	for i, c := range s[1 : len(s)-1] {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

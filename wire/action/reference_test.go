package action

import (
	"fmt"
	"strings"

	"kingdom/wire/codec"
)

// reference returns the page docs/ACTIONS.md: one table of all actions and one paragraph per
// action that a mind may choose.
func reference() string {
	var b strings.Builder
	b.WriteString("# Actions\n\nGenerated from the catalogue (`wire/action`); do not edit.\n\n" +
		"Min. epoch is given for the gate profiles default / strict / open.\n\n" +
		"| action | code | daemon | domain | ticks | ⚡ | min. epoch |\n|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %d / %d / %d |\n", r.Name, code(r),
			daemon(r), r.Domain, ticks(r), r.Cost, r.Epoch[0], r.Epoch[1], r.Epoch[2])
	}
	for _, r := range ForMinds() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", r.Name, r.Summary)
		if len(r.Params) == 0 {
			continue
		}
		b.WriteString("\n| parameter | form | required | meaning |\n|---|---|---|---|\n")
		for _, p := range r.Params {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, formOf(p.Shape), yes(p.Required), p.Help)
		}
		b.WriteString(boundsText(Bounds(r.Type)))
	}
	return b.String()
}

// boundsText lists bounds in a sentence.
func boundsText(list []Bound) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for _, b := range list {
		n := fmt.Sprint(b.Most)
		if b.Least > 0 {
			n = fmt.Sprintf("%d–%d", b.Least, b.Most)
		}
		parts = append(parts, "`"+b.Field+"` "+n+map[Unit]string{Bytes: " bytes", Items: " items"}[b.Unit])
	}
	return "\nAt most: " + strings.Join(parts, ", ") + ".\n"
}

func code(r *Row) string {
	if r.Type == 0 {
		return "–"
	}
	return fmt.Sprintf("0x%04X", uint16(r.Type))
}

func daemon(r *Row) string {
	if r.System == 0 {
		return "–"
	}
	return r.System.String()
}

func ticks(r *Row) string {
	switch {
	case r.LLM:
		return fmt.Sprint(r.Ticks)
	case r.SystemOnly:
		return "systems only"
	}
	return "–"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// formOf names a JSON form in a few words.
func formOf(s *codec.Shape) string {
	switch s.Kind {
	case codec.ShapeBool:
		return "boolean"
	case codec.ShapeUint, codec.ShapeInt:
		return "integer"
	case codec.ShapeFloat:
		return "number"
	case codec.ShapeText, codec.ShapeBytes:
		return "text"
	case codec.ShapeHash:
		return "id"
	case codec.ShapeAgent:
		return "agent"
	case codec.ShapeEnum:
		return strings.Join(s.Names, " ")
	case codec.ShapeList:
		return "list of " + formOf(s.Elem)
	case codec.ShapeObject:
		return "text or object"
	case codec.ShapeBlocks:
		return "text or list of blocks"
	case codec.ShapeUnion:
		return "one of " + strings.Join(fieldNames(s), ", ")
	case codec.ShapeTuple:
		return "[" + strings.Join(fieldNames(s), ", ") + "]"
	case codec.ShapeRaw:
		return "object"
	case codec.ShapeBinMap, codec.ShapeTextMap:
		return "object of texts"
	default:
		return "{" + strings.Join(fieldNames(s), ", ") + "}"
	}
}

// fieldNames lists the fields that JSON may hold, optional ones with a question mark.
func fieldNames(s *codec.Shape) []string {
	var names []string
	for _, f := range s.Fields {
		switch {
		case f.Runtime:
		case s.Kind == codec.ShapeStruct && !f.Required:
			names = append(names, f.Name+"?")
		default:
			names = append(names, f.Name)
		}
	}
	return names
}

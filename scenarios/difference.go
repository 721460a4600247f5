package scenarios

import (
	"bytes"
	"reflect"
	"strings"
)

// Difference is a value that differs between two scenarios. It is empty for a scenario that does not have it.
type Difference struct {
	Path string `json:"path"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Differences returns where two resolved scenarios differ in what decides worlds: the seed, and everything that the
// digest covers, in file order. Of what only one of them has, such as an input, the values that were left out are left
// out here too.
func Differences(a, b *Scenario) []Difference {
	was, is := a.linesByPath(false), b.linesByPath(false)
	said := [2]digestLines{a.linesByPath(true), b.linesByPath(true)}
	out := []Difference{}
	for _, l := range was.order {
		v, both := is.value[l]
		if _, tell := said[0].value[l]; v != was.value[l] && (both || tell) {
			out = append(out, Difference{l, was.value[l], v})
		}
	}
	for _, l := range is.order {
		_, tell := said[1].value[l]
		if _, both := was.value[l]; !both && tell {
			out = append(out, Difference{l, "", is.value[l]})
		}
	}
	return out
}

// digestLines are the lines of a digest by their paths.
type digestLines struct {
	order []string
	value map[string]string
}

func (s *Scenario) linesByPath(brief bool) digestLines {
	b := bytes.NewBufferString("seed=" + string(s.Seed) + "\n")
	writeLines(b, reflect.ValueOf(s).Elem(), "", brief)
	out := digestLines{value: map[string]string{}}
	for line := range strings.Lines(b.String()) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		out.order, out.value[path] = append(out.order, path), value
	}
	return out
}

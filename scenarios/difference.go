package scenarios

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
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
	was, is := a.linesByPath(linesToCompare), b.linesByPath(linesToCompare)
	said := [2]digestLines{a.linesByPath(linesToTell), b.linesByPath(linesToTell)}
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

// CapDifferences returns where the caps of two resolved scenarios differ. The digest leaves them out, because what they refuse
// is recorded, but they decide what agents may ask.
func CapDifferences(a, b *Scenario) (out []Difference) {
	had, has := a.Minds.Caps.list(), b.Minds.Caps.list()
	text := func(list []Amount, path string) string {
		if i := slices.IndexFunc(list, func(c Amount) bool { return c.Name == path }); i >= 0 {
			return number(list[i].USD)
		}
		return ""
	}
	for i, c := range slices.Concat(had, has) {
		if x, y := text(had, c.Name), text(has, c.Name); x != y && (i < len(had) || x == "") {
			out = append(out, Difference{c.Name, x, y})
		}
	}
	return out
}

// list returns the caps that are set, by their paths.
func (c *Caps) list() (out []Amount) {
	add := func(path string, usd float64) {
		if usd >= 0 {
			out = append(out, Amount{path, usd})
		}
	}
	add("minds.caps.run_usd", c.Run)
	add("minds.caps.agent_usd", c.Agent)
	for _, m := range c.Model {
		add("minds.caps.model_usd."+m.Name, m.USD)
	}
	for i, usd := range c.Tier.All() {
		add(fmt.Sprintf("minds.caps.tier_usd.%d", i+1), usd)
	}
	return out
}

// digestLines are the lines of a digest by their paths.
type digestLines struct {
	order []string
	value map[string]string
}

func (s *Scenario) linesByPath(set lineSet) digestLines {
	b := bytes.NewBufferString("seed=" + string(s.Seed) + "\n")
	writeLines(b, reflect.ValueOf(s).Elem(), "", set)
	out := digestLines{value: map[string]string{}}
	for line := range strings.Lines(b.String()) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		out.order, out.value[path] = append(out.order, path), value
	}
	return out
}

package scenarios

import (
	"fmt"
	"reflect"
	"strings"
)

// suggest returns a message with the key that was probably meant, in this mapping or elsewhere in the file.
func suggest(key string, fields []field, t reflect.Type) string {
	if hasTiers(t) {
		return "a tier is 1 (strategic thoughts), 2 (standard thoughts) or 3 (reflexes)"
	}
	if near := nearKey(key, fields, t); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if path := elsewhere(scenarioType, "", key); path != "" {
		return fmt.Sprintf("did you mean %s? The keys here are %s", path, keyList(t))
	}
	return "the keys here are " + keyList(t)
}

// hasTiers reports whether the keys of a mapping are the tiers of thoughts.
func hasTiers(t reflect.Type) bool {
	return t == reflect.TypeFor[Tiers]() || t == reflect.TypeFor[TierCaps]()
}

// nearKey returns the key of a mapping that was probably meant; "" if there is none.
func nearKey(key string, fields []field, t reflect.Type) string {
	if hasTiers(t) { // no key of digits is a typing error for another one
		return ""
	}
	var here []string
	for _, f := range fields {
		here = append(here, f.key)
	}
	return Nearest(key, here)
}

// elsewhere finds the path of a key anywhere in the schema.
func elsewhere(t reflect.Type, path, key string) string {
	for _, f := range fieldsOf(t) {
		at := join(path, f.key)
		if f.key == key {
			return at
		}
		sub := f.typ
		switch shapeOf(sub) {
		case shapeGroups:
			sub, at = sub.Elem(), at+"[]"
		case shapeMapping, shapeTrait:
		default:
			continue
		}
		if found := elsewhere(sub, at, key); found != "" {
			return found
		}
	}
	return ""
}

// Nearest returns the word that begins with s, or else the one with the smallest edit distance, if it is close enough
// to be a typing error: at most about a third of the letters. It returns "" if there is none.
func Nearest(s string, words []string) string {
	best, least := "", 1+max((len(s)+1)/3, 1)
	for _, w := range words {
		if len(s) >= 3 && strings.HasPrefix(w, s) {
			return w
		}
		if d := distance(s, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two words in bytes.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i]|0x20 == b[j]|0x20 {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

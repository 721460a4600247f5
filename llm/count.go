package llm

import (
	"strconv"
	"strings"
)

// Count writes a number of things, for prompts and for people: "1 tick", "2 ticks", "3 entries".
func Count(n uint64, thing string) string { return string(AppendCount(nil, n, thing)) }

// AppendCount appends what [Count] returns.
func AppendCount(dst []byte, n uint64, thing string) []byte {
	dst = append(append(strconv.AppendUint(dst, n, 10), ' '), thing...)
	switch {
	case n == 1:
		return dst
	case strings.HasSuffix(thing, "y"):
		return append(dst[:len(dst)-1], "ies"...)
	default:
		return append(dst, 's')
	}
}

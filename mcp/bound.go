package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// mostBytes is how long an answer may be: as much as a model can read in passing.
const mostBytes = 40_000

// room is what is kept free for the rest of an answer: columns, notes, names of fields.
const room = 2_000

// fit returns as many rows as have room in an answer: the first ones, or with newest the last. left is how many are left out.
func fit[T any](rows []T, newest bool) (kept []T, left int, err error) {
	size := 0
	for n := range rows {
		at := n
		if newest {
			at = len(rows) - 1 - n
		}
		b, err := json.Marshal(rows[at])
		if err != nil {
			return nil, 0, fmt.Errorf("write a row: %w", err)
		}
		if size += len(b) + 1; size > mostBytes-room {
			if newest {
				return rows[at+1:], at + 1, nil
			}
			return rows[:at], len(rows) - at, nil
		}
	}
	return rows, 0, nil
}

// fitText returns as many lines of a text as have room in an answer, and a line that says how much is left out.
func fitText(text string) string {
	// Inside JSON a line feed or a quote takes two bytes, so the room is that of the written form.
	size, end := 0, 0
	for i, c := range text {
		if size += utf8.RuneLen(c); c == '\n' || c == '"' || c == '\\' {
			size++
		} else if c < ' ' || c == '<' || c == '>' || c == '&' {
			size += 5
		}
		if size > mostBytes-room {
			lines := strings.Count(text[end:], "\n")
			return text[:end] + fmt.Sprintf("… (%d more lines are left out: the answer would be too long)\n", lines)
		}
		if c == '\n' {
			end = i + 1
		}
	}
	return text
}

// fitObject returns a JSON object with lists that are cut, the longest first, until it has room in an answer. Its field left_out
// says what is cut.
func fitObject(raw []byte) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("read what the run says: %w", err)
	}
	length := map[string]int{} // of lists that are cut, before
	for {
		b, err := json.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("write what the run says: %w", err)
		}
		if len(b) <= mostBytes-room {
			break
		}
		longest := longestList(object, "")
		if longest.put == nil {
			return nil, fmt.Errorf("the answer would have %d bytes, at most %d are given; ask with query for what you need", len(b), mostBytes)
		}
		if _, cut := length[longest.path]; !cut {
			length[longest.path] = len(longest.list)
		}
		longest.put(longest.list[:len(longest.list)/2])
	}
	left := map[string]any{}
	for path, n := range length {
		left[path] = fmt.Sprintf("%d in all, the first of them are shown", n)
	}
	if len(left) > 0 {
		object["left_out"] = left
	}
	return object, nil
}

// foundList is a list in an object.
type foundList struct {
	path string
	list []any
	size int
	put  func([]any) // replaces it; nil: there is no list
}

// longestList finds the list in a value that takes most bytes and has an element.
func longestList(value any, path string) (best foundList) {
	object, _ := value.(map[string]any)
	for key, v := range object {
		at := strings.TrimPrefix(path+"."+key, ".")
		found := longestList(v, at)
		if list, ok := v.([]any); ok && len(list) > 0 {
			b, _ := json.Marshal(list) // it was read as JSON
			found = foundList{at, list, len(b), func(short []any) { object[key] = short }}
			for i := range list {
				if inner := longestList(list[i], fmt.Sprintf("%s[%d]", at, i)); inner.size > len(b)/2 { // one element is most of it
					found = inner
				}
			}
		}
		if found.size > best.size || found.size == best.size && found.path < best.path {
			best = found
		}
	}
	return best
}

// joined joins notes, leaving out empty ones.
func joined(notes ...string) string {
	var said []string
	for _, n := range notes {
		if n != "" {
			said = append(said, n)
		}
	}
	return strings.Join(said, "; ")
}

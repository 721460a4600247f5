package wire

import (
	"unicode/utf8"

	"kingdom/wire/codec"
)

// ReadContent reads the keys of a free canonical map that Agora knows. It ignores unknown keys, and known ones with
// another type. It returns an error if the bytes are not a canonical free map.
func ReadContent(b []byte) (Content, error) {
	var c Content
	err := codec.FreeMapEntries(b, func(key string, value any) {
		switch v := value.(type) {
		case string:
			c.setText(key, v)
		case []byte:
			c.setBytes(key, v)
		case uint64:
			c.setUint(key, v)
		}
	})
	return c, err
}

// TextOf returns the text of a content, empty if it has none.
func TextOf(content []byte) string {
	c, err := ReadContent(content)
	if err != nil || c.Text == nil {
		return ""
	}
	return *c.Text
}

// ContentText returns, without a copy, the text of a content that has nothing but text, as nearly every content has.
// For all other bytes, also those that ReadContent refuses, ok is false.
func ContentText(b []byte) (text []byte, ok bool) {
	const head = "\x81\xA4text"
	if len(b) <= len(head) || string(b[:len(head)]) != head {
		return nil, false
	}
	b = b[len(head):]
	var room [5]byte
	for _, n := range [...]int{1, 2, 3, 5} { // lengths of the head of a text
		if size := len(b) - n; size >= 0 && string(codec.AppendStringLen(room[:0], size)) == string(b[:n]) {
			return b[n:], utf8.Valid(b[n:])
		}
	}
	return nil, false
}

func (c *Content) setText(key, s string) {
	switch key {
	case "text":
		c.Text = &s
	case "type":
		c.Type = &s
	case "title":
		b := []byte(s)
		c.Title = &b
	case "bounty_id":
		if h, err := ParseHash(s); err == nil {
			c.BountyID = &h
		}
	}
}

func (c *Content) setBytes(key string, b []byte) {
	switch {
	case key == "title":
		c.Title = &b
	case key == "bounty_id" && len(b) == 32:
		h := Hash(b)
		c.BountyID = &h
	}
}

func (c *Content) setUint(key string, v uint64) {
	switch key {
	case "reward":
		c.Reward = &v
	case "deadline":
		t := Tick(v)
		c.Deadline = &t
	}
}

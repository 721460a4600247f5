package wire

import "unicode/utf8"

// ReadContent picks out of a free canonical map the keys that Agora gives a meaning; unknown
// keys and known ones with another type are left out. It refuses what is no canonical free
// map.
func ReadContent(b []byte) (Content, error) {
	var c Content
	if err := CheckFreeMap(b); err != nil {
		return c, err
	}
	r := newReader(b)
	defer r.free()
	n, err := r.mapLen()
	for i := 0; i < n && err == nil; i++ {
		err = c.readKey(r)
	}
	return c, during(err, "read content")
}

// ContentText returns the words of a content that is nothing but text, which is nearly
// every content, without a copy; ok is false for all other bytes, also for those that
// [ReadContent] refuses.
func ContentText(b []byte) (text []byte, ok bool) {
	const head = "\x81\xA4text"
	if len(b) <= len(head) || string(b[:len(head)]) != head {
		return nil, false
	}
	b = b[len(head):]
	var room [5]byte
	for _, n := range [...]int{1, 2, 3, 5} { // lengths of the head of a text
		if size := len(b) - n; size >= 0 && string(appendStrLen(room[:0], size)) == string(b[:n]) {
			return b[n:], utf8.Valid(b[n:])
		}
	}
	return nil, false
}

func (c *Content) readKey(r *reader) error {
	key, err := r.str()
	if err != nil {
		return err
	}
	code, err := r.peek()
	if err != nil {
		return err
	}
	switch {
	case isStrCode(code):
		s, err := r.str()
		c.setText(key, s)
		return err
	case isBinCode(code):
		b, err := r.bin()
		c.setBytes(key, b)
		return err
	case isUintCode(code):
		v, err := r.uint(1<<64-1, "an integer")
		c.setUint(key, v)
		return err
	}
	if err := r.dec.Skip(); err != nil {
		return r.fail(DecodeKindSyntax, "a value")
	}
	return nil
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

package program

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	stdjson "encoding/json"

	"go.starlark.net/starlark"
)

func jsonDecode(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var s string
	var def starlark.Value
	if err := starlark.UnpackArgs(native.Name(), args, kwargs, "x", &s, "default?", &def); err != nil {
		return nil, err
	}
	if err := g.chargeRead(4 * uint64(len(s))); err != nil {
		return nil, err
	}
	r := reader{g: g, s: s}
	v, err := r.document()
	if err != nil && g.fault == nil && def != nil {
		return def, nil
	}
	return v, err
}

// reader reads JSON as the interpreter does, and charges for what it makes of it.
type reader struct {
	g     *guard
	s     string
	i     int
	depth int
}

func (r *reader) fail(what string) error {
	return faultf(InvalidInstruction, "json.decode: at offset %d, %s", r.i, what)
}

func (r *reader) document() (starlark.Value, error) {
	v, err := r.value()
	if err == nil && r.next() != 0 {
		err = r.fail("unexpected character after value")
	}
	return v, err
}

// next passes over spaces and returns what follows; 0 at the end.
func (r *reader) next() byte {
	for ; r.i < len(r.s); r.i++ {
		switch c := r.s[r.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) value() (starlark.Value, error) {
	switch c := r.next(); {
	case c == '"':
		return r.text()
	case c == '[':
		return r.array()
	case c == '{':
		return r.object()
	case c == '-', c >= '0' && c <= '9':
		return r.number()
	case strings.HasPrefix(r.s[r.i:], "null"):
		r.i += 4
		return starlark.None, nil
	case strings.HasPrefix(r.s[r.i:], "true"):
		r.i += 4
		return starlark.True, nil
	case strings.HasPrefix(r.s[r.i:], "false"):
		r.i += 5
		return starlark.False, nil
	case c == 0:
		return nil, r.fail("unexpected end of file")
	}
	return nil, r.fail("unexpected character")
}

func (r *reader) text() (starlark.Value, error) {
	begin := r.i
	for r.i++; r.i < len(r.s) && r.s[r.i] != '"'; r.i++ {
		if r.s[r.i] == '\\' {
			r.i++
		}
	}
	if r.i >= len(r.s) {
		return nil, r.fail("unclosed string literal")
	}
	r.i++
	literal := r.s[begin:r.i]
	if err := r.g.chargeAlloc(boxSize + uint64(len(literal))); err != nil {
		return nil, err
	}
	plain := true
	for i := range len(literal) {
		if literal[i] == '\\' || literal[i] >= utf8.RuneSelf {
			plain = false
		}
	}
	if plain {
		return starlark.String(strings.Clone(literal[1 : len(literal)-1])), nil
	}
	var s string
	if err := stdjson.Unmarshal([]byte(literal), &s); err != nil {
		return nil, r.fail(truncate(err.Error()))
	}
	return starlark.String(s), nil
}

func (r *reader) number() (starlark.Value, error) {
	begin, float := r.i, false
	for r.i++; r.i < len(r.s); r.i++ {
		c := r.s[r.i]
		if strings.IndexByte(".eE+-", c) >= 0 {
			float = true
		} else if c < '0' || c > '9' {
			break
		}
	}
	num := r.s[begin:r.i]
	digits := strings.TrimPrefix(num, "-")
	if digits == "" || digits[0] == '0' && len(digits) > 1 && digits[1] >= '0' && digits[1] <= '9' {
		return nil, r.fail("invalid number")
	}
	if len(num) > intDigits {
		return nil, r.g.trip(OutOfMemory, "json: number of more than 1300 digits")
	}
	if err := r.g.chargeAlloc(48 + product(len(num), len(num))/64); err != nil {
		return nil, err
	}
	if float {
		f, err := strconv.ParseFloat(num, 64)
		if err != nil {
			return nil, r.fail("invalid number")
		}
		return starlark.Float(f), nil
	}
	n, ok := new(big.Int).SetString(num, 10)
	if !ok {
		return nil, r.fail("invalid number")
	}
	return r.g.integer(starlark.MakeBigInt(n), nil)
}

func (r *reader) enter() error {
	if r.depth++; r.depth > maxNesting {
		return r.g.trip(OutOfMemory, "json nests too deeply")
	}
	return nil
}

func (r *reader) array() (starlark.Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	if err := r.g.chargeAlloc(listSize + boxSize); err != nil {
		return nil, err
	}
	var list []starlark.Value
	r.i++
	if r.next() != ']' {
		for {
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			if err := r.g.chargeAlloc(3 * slotSize); err != nil {
				return nil, err
			}
			list = append(list, v)
			if c := r.next(); c == ']' {
				break
			} else if c != ',' {
				return nil, r.fail("want ',' or ']'")
			}
			r.i++
		}
	}
	r.i++
	r.depth--
	return starlark.NewList(list), nil
}

func (r *reader) object() (starlark.Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	if err := r.g.chargeAlloc(tableSize); err != nil {
		return nil, err
	}
	d := new(starlark.Dict)
	r.i++
	if r.next() != '}' {
		for {
			k, err := r.value()
			if err != nil {
				return nil, err
			}
			if _, ok := k.(starlark.String); !ok {
				return nil, r.fail("want string as object key")
			}
			if r.next() != ':' {
				return nil, r.fail("want ':' after object key")
			}
			r.i++
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			if err := r.g.keys.set(d, k, v); err != nil {
				return nil, err
			}
			if c := r.next(); c == '}' {
				break
			} else if c != ',' {
				return nil, r.fail("want ',' or '}'")
			}
			r.i++
		}
	}
	r.i++
	r.depth--
	return d, nil
}

package program

import (
	"slices"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// A function charges for the builtin function of the same name and does what that does. native is the interpreter's own.
type function func(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// universe is the closed list of the builtin functions. Functions that are not in it are refused. A test compares it with
// the interpreter's own list.
var universe map[string]function

func init() { // the table refers to functions that refer to it
	universe = map[string]function{
		// cost no more than the call
		"bool": callUnmetered, "chr": callUnmetered, "len": callUnmetered, "type": callUnmetered,
		// reads the first argument, if it is a text
		"hash": callChargingText, "ord": callChargingText, "float": callChargingText,
		"abs": builtinAbs, "int": builtinInt, "range": builtinRange, "dir": builtinDir,
		"getattr": getattr, "hasattr": hasattr,
		// iterates over the argument
		"any": callChargingIterable, "all": callChargingIterable, "bytes": toBytes, "list": toList, "reversed": toList, "tuple": toList,
		"dict": toDict, "set": toSet, "enumerate": enumerate, "zip": zip,
		"sorted": sorted, "min": minMax, "max": minMax,
		// a value becomes text
		"repr": toRepr, "str": toStr, "print": builtinPrint, "fail": builtinFail,
	}
}

// constants of the universe, which are no functions.
var constants = []string{"None", "True", "False"}

func callUnmetered(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return native.CallInternal(g.thread, args, kwargs)
}

func callChargingText(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n := 0
		switch v := args[0].(type) {
		case starlark.String:
			n = len(v)
		case starlark.Bytes:
			n = len(v)
		case starlark.Int:
			n = int(intSize(v))
		}
		if err := g.chargeRead(4 * uint64(n)); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func builtinAbs(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if i, ok := args[0].(starlark.Int); ok && !isSmall(i) {
			if err := g.chargeAlloc(32 + intSize(i)); err != nil {
				return nil, err
			}
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// builtinInt is int(x, base): texts of many digits take time that grows with their square.
func builtinInt(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	check := func(v starlark.Value) error {
		switch v := v.(type) {
		case starlark.String:
			if len(v) > intDigits {
				return g.trip(OutOfMemory, "int: text of more than 1300 digits")
			}
			if len(v) > 9 {
				return g.chargeAlloc(64 + uint64(len(v)) + product(len(v), len(v))/64)
			}
		case starlark.Float:
			return g.chargeRead(256)
		}
		return nil
	}
	for _, v := range args {
		if err := check(v); err != nil {
			return nil, err
		}
	}
	for _, kv := range kwargs {
		if err := check(kv[1]); err != nil {
			return nil, err
		}
	}
	return g.integer(native.CallInternal(g.thread, args, kwargs))
}

// builtinRange is range. Its arguments are limited to 32 bits, so that no step of a slice of a slice overflows.
func builtinRange(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, v := range args {
		if i, ok := v.(starlark.Int); ok && !isSmall(i) {
			return nil, faultf(InvalidInstruction, "range: want ints of 32 bits")
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func builtinDir(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeAlloc(4_096); err != nil {
		return nil, err
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func getattr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, def starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs("getattr", args, kwargs, 2, &x, &name, &def); err != nil {
		return nil, err
	}
	if err := g.chargeRead(uint64(len(name))); err != nil {
		return nil, err
	}
	v, err := g.attribute(x, name)
	if err != nil && def != nil {
		return def, nil
	}
	return v, err
}

func hasattr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs("hasattr", args, kwargs, 2, &x, &name); err != nil {
		return nil, err
	}
	if err := g.chargeRead(uint64(len(name))); err != nil {
		return nil, err
	}
	_, err := g.attribute(x, name)
	return starlark.Bool(err == nil), nil
}

func callChargingIterable(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if _, err := g.chargeIteration(args[0]); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func toBytes(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		n, err := g.chargeIteration(args[0])
		if err != nil {
			return nil, err
		}
		if s, ok := args[0].(starlark.String); ok {
			if n = len(s); !utf8.ValidString(string(s)) {
				n *= 3 // each byte that is none becomes U+FFFD
			}
		}
		if err := g.chargeAlloc(boxSize + uint64(n)); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func toRepr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs("repr", args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	w := writer{g: g}
	err := w.repr(v, nil)
	return starlark.String(w.String()), err
}

func toStr(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		switch v := args[0].(type) {
		case starlark.String:
			return v, nil
		case starlark.Bytes:
			n := uint64(len(v))
			if !utf8.ValidString(string(v)) {
				n *= 3 // each byte that is none becomes U+FFFD
			}
			if err := g.chargeAlloc(boxSize + n); err != nil {
				return nil, err
			}
		default:
			return toRepr(g, native, args, kwargs)
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// texts writes arguments as print and fail do.
func texts(g *guard, name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	sep := " "
	if err := starlark.UnpackArgs(name, nil, kwargs, "sep?", &sep); err != nil {
		return "", err
	}
	w := writer{g: g}
	for i, v := range args {
		if i > 0 {
			if err := w.text(sep); err != nil {
				return "", err
			}
		}
		var err error
		if b, ok := v.(starlark.Bytes); ok && name == "print" {
			err = w.text(string(b))
		} else {
			err = w.str(v)
		}
		if err != nil {
			return "", err
		}
	}
	return w.String(), nil
}

func builtinPrint(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, err := texts(g, "print", args, kwargs)
	if err == nil {
		g.thread.Print(g.thread, s)
	}
	return starlark.None, err
}

func builtinFail(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, err := texts(g, "fail", args, kwargs)
	if err == nil {
		err = g.trip(UserFault, "fail: "+truncate(s))
	}
	return nil, err
}

// inUniverse reports whether a name is the universe's.
func inUniverse(name string) bool {
	return universe[name] != nil || slices.Contains(constants, name)
}

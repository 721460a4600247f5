package program

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// expressions that guards stand in front of; in each, a, b and c are values drawn at random.
var expressions = []string{
	"a + b", "a - b", "a * 3", "3 * a", "a / b", "a // b", "a % b", "a & b", "a | b", "a ^ b", "a << 3", "a >> 1", "-a", "~a", "+a", "not a",
	"a == b", "a != b", "a < b", "a <= b", "a > b", "a >= b", "a in b", "a not in b", "a and b", "a or b", "b if a else c",
	"a[0]", "a[-1]", "a[b]", "a[1:]", "a[:-1]", "a[::2]", "a[::-1]", "a[b:c]", "a[c:b:-2]", "[a, b][0]", "(a, b)[1:]", "{1: a}[1]",
	"str(a)", "repr(a)", "type(a)", "len(a)", "list(a)", "tuple(a)", "set(a)", "dict(a)", "sorted(a)", "reversed(a)", "min(a)", "max(a)", "min(a, b, c)",
	"max([a, b, c], key=str)", "sorted([a, b, c], key=repr, reverse=True)", "any(a)", "all(a)", "bool(a)", "int(a)", "float(a)", "bytes(a)", "hash(a)", "abs(a)",
	"enumerate(a)", "enumerate(a, 5)", "zip(a, b)", "zip(a)", "zip()", "zip(a, range(2))", "chr(a)", "ord(a)", "dir(a)", "hasattr(a, \"index\")", "range(5)[a]",
	"list(range(a))", "list(range(9, a, -2))", "list(range(10)[1::3])", "repr(range(1, 10)[::2])",
	"a.upper()", "a.lower()", "a.title()", "a.capitalize()", "a.strip()", "a.strip(b)", "a.lstrip(\"ab\")", "a.rstrip(\"é\")", "a.split()", "a.split(b)", "a.split(\"b\", 1)",
	"a.rsplit(\"b\", 1)", "a.rsplit(None, 1)", "a.splitlines()", "a.splitlines(True)", "a.partition(\"b\")", "a.rpartition(\"b\")", "a.find(b)", "a.rfind(b)", "a.count(b)", "a.index(b)",
	"a.replace(b, c)", "a.replace(\"a\", \"xyz\", 1)", "a.startswith(b)", "a.endswith((\"a\", \"b\"))", "a.removeprefix(\"a\")", "a.removesuffix(b)", "a.join([b, c])", "a.join([\"x\", \"y\"])",
	"a.isalpha()", "a.isdigit()", "a.isalnum()", "a.isspace()", "a.islower()", "a.isupper()", "a.istitle()", "list(a.elems())", "list(a.codepoints())", "list(a.elem_ords())",
	"list(a.codepoint_ords())", "a.elems()", "a.codepoint_ords()", "a.elems()[1:]", "a % b", "a % (b, c)", "a % {\"k\": b}", "a.format(b, c)", "a.format(k=b)", "a.format",
	"\"%s|%r|%d\" % (a, b, c)", "\"%x\" % a", "\"%c\" % a", "\"%g\" % a", "\"%f %e\" % (a, b)", "\"{} {!r}\".format(a, b)", "\"{1}{0}{k}\".format(a, b, k=c)", "\"{{}}{}\".format(a)",
	"a.index(b)", "a.append(b) or a", "a.extend(b) or a", "a.insert(1, b) or a", "a.pop()", "a.pop(0)", "a.remove(b) or a", "a.clear() or a",
	"a.get(b)", "a.get(b, c)", "a.items()", "a.keys()", "a.values()", "a.pop(b, c)", "a.popitem()", "a.setdefault(b, c)", "a.update(b) or a", "a.update([(b, c)], k=1) or a",
	"a.union(b)", "a.intersection(b)", "a.difference(b)", "a.symmetric_difference(b)", "a.issubset(b)", "a.issuperset(b)", "a.add(b) or a", "a.discard(b) or a",
	"[x for x in a]", "[(x, y) for x in a for y in b if x != y]", "{x: 1 for x in a}", "{a: b, c: 1}", "[a, [b, [c]]]", "f(a, *b)", "f(a, **b)", "f(*a, **b)", "(lambda x, y=b: (x, y))(a)",
	"json.encode(a)", "json.decode(json.encode(a))", "json.decode(a)", "json.decode(a, b)", "json.encode_indent([a, {\"k\": b}])", "json.indent(a)", "getattr(a, \"upper\")()", "getattr(a, \"no\", b)",
}

// statements that change values in place.
var statements = []string{
	"v = a\nv += b", "v = a\nv -= b", "v = a\nv *= b", "v = a\nv |= b", "v = a\nv //= b", "v = a\nv %= b", "v = a\nv &= b", "v = a\nv <<= 2",
	"v = a\nv[b] = c", "v = a\nv[0] = c", "v = a\nv[0] += b", "v = a\nv[b] += c", "v = [a, b]\nv[0], v[1] = v[1], v[0]", "v = [0]\nfor v[0] in a: pass",
	"v = []\nfor x in a: v.append(x)", "v, w = a", "v = a\nfor x in v: v.append(x)", "v = {}\nv[a] = b\nv[b] = c", "v = {\"k\": a}\nv[\"k\"] += b",
}

func drawValue(t *rapid.T, name string) string {
	return rapid.SampledFrom([]string{
		"0", "1", "-7", "3", "65", "2147483647", "-2147483648", "1 << 40", "(1 << 100) + 1", "1.5", "0.0", "-2.0", "1e300", "True", "False", "None",
		`""`, `"a"`, `"abab b"`, `"Hello World\nx"`, `"é\x00ü€"`, `"%s"`, `"{}"`, `"{k}%%"`, `"[1, {\"a\": null}]"`, `"12"`, `" -5"`, `"a,b,c"`, `"abcdefghijklmnop"`,
		`b""`, `b"ab\xff"`, "[]", "[1, 2, 3]", `["b", "a"]`, "[[1], [0]]", "[3, 1.5, 2]", "[(1, 2), (3, 4)]", "()", "(1,)", "(2, \"x\")", "((1, 2), (0, 1))", "{}", `{"a": 1, "k": 2}`, `{1: "x", (1, 2): [3]}`,
		"set()", "set([1, 2, 3])", `set(["a", 2])`, "range(3)", "range(1, 20, 4)", "range(5, 0, -1)", "len", "f", `"abc".elems()`,
	}).Draw(t, name)
}

// TestRun_SameAsPlainStarlark runs small programs with and without the guards: whoever keeps
// within the bounds sees no difference.
func TestRun_SameAsPlainStarlark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := "def f(*args, **kwargs): return (args, kwargs)\n"
		for _, v := range []string{"a", "b", "c"} {
			source += fmt.Sprintf("%s = %s\n", v, drawValue(t, v))
		}
		if rapid.Bool().Draw(t, "statement") {
			source += rapid.SampledFrom(statements).Draw(t, "do") + "\n"
		} else {
			source += "v = " + rapid.SampledFrom(expressions).Draw(t, "expression") + "\n"
		}
		source += "def main(stdin): return repr((v, a, b, c))\n"
		same(t, source)
	})
}

// TestRun_EveryExpressionSameAsPlainStarlark makes sure that none is left to chance.
func TestRun_EveryExpressionSameAsPlainStarlark(t *testing.T) {
	values := []string{`"abab b"`, "[3, 1, 2]", `{"a": 1, "b": 2}`, "set([1, 2])", "7", "(1, 2)", `"{} %s"`, "range(4)", "2.5"}
	for _, e := range expressions {
		for i, a := range values {
			for _, b := range []string{values[(i+1)%len(values)], a, "1", `"b"`} {
				same(t, fmt.Sprintf("def f(*args, **kwargs): return (args, kwargs)\na = %s\nb = %s\nc = 2\nv = %s\ndef main(stdin): return repr((v, a, b))\n", a, b, e))
			}
		}
	}
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func same(t failer, source string) {
	t.Helper()
	p, err := Compile([]byte(source))
	if err != nil {
		t.Fatalf("compile: %v\n%s", err, source)
	}
	r := Run(Input{Program: p, Steps: 1_000_000, Memory: 1 << 20})
	if r.Fault == OutOfMemory || r.Fault == OutOfTicks || strings.Contains(r.Message, "32 bits") {
		return // what a guard keeps from being done is not done without it either
	}
	want, err := unguarded(source)
	if (err != nil) != (r.State == Faulted) {
		t.Fatalf("plain: %v; guarded: %s %q\n%s", err, r.Fault, r.Message, source)
	}
	if err == nil && want != string(r.Output) {
		t.Fatalf("plain %q, guarded %q\n%s", want, r.Output, source)
	}
}

// unguarded runs a program without guards and returns the text of what main returns.
func unguarded(source string) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	thread := &starlark.Thread{}
	_, p, err := starlark.SourceProgramOptions(&dialect, "", source, plainNames().Has)
	if err != nil {
		return "", err
	}
	globals, err := p.Init(thread, plainNames())
	if err != nil {
		return "", err
	}
	v, err := starlark.Call(thread, globals["main"], starlark.Tuple{starlark.Bytes("")}, nil)
	if err != nil {
		return "", err
	}
	s, _ := starlark.AsString(v)
	return s, nil
}

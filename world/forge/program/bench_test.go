package program

import (
	"maps"
	"slices"
	"testing"

	"go.starlark.net/lib/json"
	"go.starlark.net/starlark"
)

// ordinary are programs as agents write them, each some milliseconds long.
var ordinary = map[string]string{
	"fib": `
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def main(stdin):
    return str(fib(17))
`,
	"words": `
def main(stdin):
    text = "the quick brown fox jumps over the lazy dog and the cat sleeps " * 20
    counts = {}
    for w in text.split():
        counts[w] = counts.get(w, 0) + 1
    out = []
    for w in sorted(counts, key=lambda w: (-counts[w], w)):
        out.append("%s=%d" % (w, counts[w]))
    return ", ".join(out)
`,
	"sieve": `
def main(stdin):
    n = 3000
    prime = [True] * (n + 1)
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    return str(len([x for x in range(2, n + 1) if prime[x]]))
`,
	"sort": `
def quicksort(l):
    if len(l) <= 1:
        return l
    p = l[len(l) // 2]
    return quicksort([x for x in l if x < p]) + [x for x in l if x == p] + quicksort([x for x in l if x > p])

def main(stdin):
    seed = 12345
    l = []
    for _ in range(400):
        seed = (seed * 1103515245 + 12345) % 2147483648
        l.append(seed % 1000)
    return str(quicksort(l) == sorted(l))
`,
	"parse": `
def tokens(s):
    out = []
    i = 0
    while i < len(s):
        c = s[i]
        if c.isdigit():
            j = i
            while j < len(s) and s[j].isdigit():
                j += 1
            out.append(int(s[i:j]))
            i = j
        else:
            if c != " ":
                out.append(c)
            i += 1
    return out

def expr(t, p):
    v, p = term(t, p)
    while p < len(t) and t[p] in ("+", "-"):
        w, q = term(t, p + 1)
        v = v + w if t[p] == "+" else v - w
        p = q
    return v, p

def term(t, p):
    v, p = atom(t, p)
    while p < len(t) and t[p] == "*":
        w, p = atom(t, p + 1)
        v = v * w
    return v, p

def atom(t, p):
    if t[p] == "(":
        v, p = expr(t, p + 1)
        return v, p + 1
    return t[p], p + 1

def main(stdin):
    total = 0
    for i in range(30):
        total += expr(tokens("(%d + 2) * 3 - 4 * (5 + %d) + 17" % (i, i)), 0)[0]
    return str(total)
`,
	"json": `
def main(stdin):
    rows = [{"id": i, "name": "row %d" % i, "tags": ["a", "b"], "score": i * 2} for i in range(60)]
    back = json.decode(json.encode(rows))
    by = {}
    for r in back:
        by.setdefault(r["score"] % 7, []).append(r["name"])
    return json.encode({str(k): v for k, v in by.items()})
`,
}

// plainNames is what the programs of the tests find when nothing is guarded.
func plainNames() starlark.StringDict {
	return starlark.StringDict{"json": json.Module}
}

func ordinaryNames() []string { return slices.Sorted(maps.Keys(ordinary)) }

// plainOutput executes a program as the interpreter does without guards.
func plainOutput(t testing.TB, thread *starlark.Thread, p *starlark.Program) string {
	globals, err := p.Init(thread, plainNames())
	if err != nil {
		t.Fatal(err)
	}
	v, err := starlark.Call(thread, globals["main"], starlark.Tuple{starlark.Bytes("")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := starlark.AsString(v)
	return s
}

// BenchmarkOrdinary runs programs with and without guards; docs/benchmarks.md has the ratio.
func BenchmarkOrdinary(b *testing.B) {
	for _, name := range ordinaryNames() {
		source := ordinary[name]
		b.Run(name+"/guarded", func(b *testing.B) {
			p, err := Compile([]byte(source))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r := Run(Input{Program: p, Steps: 10_000_000, Memory: 1 << 20}); r.State != Halted {
					b.Fatal(r.Fault, r.Message)
				}
			}
		})
		b.Run(name+"/plain", func(b *testing.B) {
			_, p, err := starlark.SourceProgramOptions(&dialect, "", source, plainNames().Has)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				plainOutput(b, &starlark.Thread{}, p)
			}
		})
	}
}

func TestOrdinary_SameOutputAsPlainStarlark(t *testing.T) {
	for _, name := range ordinaryNames() {
		_, plain, err := starlark.SourceProgramOptions(&dialect, "", ordinary[name], plainNames().Has)
		if err != nil {
			t.Fatal(err)
		}
		want := plainOutput(t, &starlark.Thread{}, plain)
		p, err := Compile([]byte(ordinary[name]))
		if err != nil {
			t.Fatal(err)
		}
		r := Run(Input{Program: p, Steps: 1_000_000, Memory: 1 << 17})
		if r.State != Halted || string(r.Output) != want {
			t.Errorf("%s: %v %q, output %q, want %q", name, r.Fault, r.Message, r.Output, want)
		}
	}
}

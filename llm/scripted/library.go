package scripted

import "bytes"

// fragment is one thing the scripted mind can write about: a Starlark pattern
// with a right and a wrong version of its code. The wrong one is the same but for
// a fault that a reader can find.
type fragment struct {
	topic    string // word that questions and answers share
	sentence string // one sentence
	right    string
	wrong    string
	input    string
	output   string
	caution  string
}

// library is ordered; choices are indexes into it, so entries are only appended.
var library = [...]fragment{
	{
		topic:    "accumulate",
		sentence: "Collect parts in a list and join them at the end instead of adding strings in a loop.",
		right:    "def text(parts):\n    out = []\n    for p in parts:\n        out.append(p)\n    return \"\".join(out)\n",
		wrong:    "def text(parts):\n    out = \"\"\n    for p in parts:\n        out.append(p)\n    return out\n",
		input:    "text([\"a\", \"b\"])", output: "ab", caution: "Strings have no append.",
	},
	{
		topic:    "dispatch",
		sentence: "Keep handlers in a dict and look them up by name.",
		right:    "HANDLERS = {\"add\": lambda a, b: a + b, \"sub\": lambda a, b: a - b}\ndef run(op, a, b):\n    if op not in HANDLERS:\n        fault(\"unknown op\")\n    return HANDLERS[op](a, b)\n",
		wrong:    "HANDLERS = {\"add\": lambda a, b: a + b, \"sub\": lambda a, b: a + b}\ndef run(op, a, b):\n    return HANDLERS.call(op, a, b)\n",
		input:    "run(\"sub\", 5, 3)", output: "2", caution: "Check the key before the call.",
	},
	{
		topic:    "enumerate",
		sentence: "enumerate gives index and value together and avoids a counter.",
		right:    "def find(xs, want):\n    for i, x in enumerate(xs):\n        if x == want:\n            return i\n    return None\n",
		wrong:    "def find(xs, want):\n    for x, i in enumerate(xs):\n        if x == want:\n            return i\n    return None\n",
		input:    "find([7, 8, 9], 8)", output: "1", caution: "The index comes first.",
	},
	{
		topic:    "default",
		sentence: "dict.get with a default avoids a fault on a missing key.",
		right:    "def count(words):\n    seen = {}\n    for w in words:\n        seen[w] = seen.get(w, 0) + 1\n    return seen\n",
		wrong:    "def count(words):\n    seen = {}\n    for w in words:\n        seen[w] += 1\n    return seen\n",
		input:    "count([\"a\", \"a\"])", output: "{\"a\": 2}", caution: "A missing key faults the program.",
	},
	{
		topic:    "slice",
		sentence: "A full slice makes a copy, so that the caller's list stays as it is.",
		right:    "def sorted_copy(xs):\n    ys = xs[:]\n    return sorted(ys)\n",
		wrong:    "def sorted_copy(xs):\n    ys = xs\n    ys.sort()\n    return ys\n",
		input:    "sorted_copy([2, 1])", output: "[1, 2]", caution: "Assignment does not copy.",
	},
	{
		topic:    "gcd",
		sentence: "Euclid's algorithm needs two variables and a while loop.",
		right:    "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n",
		wrong:    "def gcd(a, b):\n    while b:\n        a, b = a % b, b\n    return a\n",
		input:    "gcd(12, 18)", output: "6", caution: "The order of the pair matters.",
	},
	{
		topic:    "clamp",
		sentence: "max(lo, min(hi, x)) keeps x inside the bounds.",
		right:    "def clamp(x, lo, hi):\n    return max(lo, min(hi, x))\n",
		wrong:    "def clamp(x, lo, hi):\n    return min(lo, max(hi, x))\n",
		input:    "clamp(12, 0, 10)", output: "10", caution: "The bounds are easily swapped.",
	},
	{
		topic:    "struct",
		sentence: "A dict of closures over one list is a small object with private state.",
		right:    "def counter():\n    n = [0]\n    def inc():\n        n[0] += 1\n        return n[0]\n    return {\"inc\": inc}\n",
		wrong:    "def counter():\n    n = 0\n    def inc():\n        n += 1\n        return n\n    return {\"inc\": inc}\n",
		input:    "counter()[\"inc\"]()", output: "1", caution: "A closure cannot rebind an outer name.",
	},
	{
		topic:    "reverse",
		sentence: "xs[::-1] gives a reversed copy of a list or a string.",
		right:    "def palindrome(s):\n    return s == s[::-1]\n",
		wrong:    "def palindrome(s):\n    return s == s.reverse()\n",
		input:    "palindrome(\"abba\")", output: "True", caution: "Strings have no reverse method.",
	},
	{
		topic:    "flatten",
		sentence: "Two clauses in one comprehension flatten one level.",
		right:    "def flatten(xss):\n    return [x for xs in xss for x in xs]\n",
		wrong:    "def flatten(xss):\n    return [x for x in xs for xs in xss]\n",
		input:    "flatten([[1], [2, 3]])", output: "[1, 2, 3]", caution: "The outer clause comes first.",
	},
	{
		topic:    "memo",
		sentence: "A dict from arguments to results saves repeated work in recursion.",
		right:    "MEMO = {}\ndef fib(n):\n    if n < 2:\n        return n\n    if n not in MEMO:\n        MEMO[n] = fib(n - 1) + fib(n - 2)\n    return MEMO[n]\n",
		wrong:    "MEMO = {}\ndef fib(n):\n    if n not in MEMO:\n        MEMO[n] = fib(n - 1) + fib(n - 2)\n    return MEMO[n]\n",
		input:    "fib(10)", output: "55", caution: "Recursion needs a base case.",
	},
	{
		topic:    "validate",
		sentence: "Check arguments first and call fault with a message that names the value.",
		right:    "def root(x):\n    if x < 0:\n        fault(\"root of %d\" % x)\n    r = 0\n    while (r + 1) * (r + 1) <= x:\n        r += 1\n    return r\n",
		wrong:    "def root(x):\n    r = 0\n    while r * r < x:\n        r -= 1\n    return r\n",
		input:    "root(17)", output: "4", caution: "A loop that moves away from its end runs out of ticks.",
	},
}

// What is looked for in a text, by the index of its fragment.
var (
	topics = words(library[:], func(f *fragment) string { return f.topic })
	faults = words(library[:], func(f *fragment) string { return f.wrong })
)

func words(from []fragment, word func(*fragment) string) [][]byte {
	out := make([][]byte, len(from))
	for i := range from {
		out[i] = []byte(word(&from[i]))
	}
	return out
}

// findTopic returns the fragment whose topic stands in the text, or nil.
func findTopic(text []byte) *fragment { return firstFound(library[:], topics, text) }

// findFault returns the fragment whose wrong program stands in the text, or nil.
func findFault(text []byte) *fragment { return firstFound(library[:], faults, text) }

// firstFound returns the first fragment whose word stands in the text, or nil.
func firstFound(of []fragment, words [][]byte, text []byte) *fragment {
	for i, w := range words {
		if bytes.Contains(text, w) {
			return &of[i]
		}
	}
	return nil
}

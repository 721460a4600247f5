package oracle

import "kingdom/wire"

// example is a program with one run of it.
type example struct {
	about, source, input, output string
}

var examples = []example{
	{
		about:  "The smallest useful program: no main, output by emit.",
		source: "emit(\"hello, kingdom\")\n",
		input:  "", output: "hello, kingdom",
	},
	{
		about: "Numbers from the input, separated by spaces or lines, added up.",
		source: `def main(stdin):
    total = 0
    for word in str(stdin).split():
        total += int(word)
    return str(total)
`,
		input: "1 20\n300", output: "321",
	},
	{
		about: "Words counted in a dict; what is no text is returned as JSON.",
		source: `def main(stdin):
    counts = {}
    for word in str(stdin).lower().split():
        counts[word] = counts.get(word, 0) + 1
    return {word: counts[word] for word in sorted(counts)}
`,
		input: "spark forge Spark", output: `{"forge":1,"spark":2}`,
	},
	{
		about: "The primes up to a limit: a while loop, a list as a table, a function of its own that others can load.",
		source: `def primes(limit):
    sieve = [True] * (limit + 1)
    found = []
    n = 2
    while n <= limit:
        if sieve[n]:
            found.append(n)
            for multiple in range(n * n, limit + 1, n):
                sieve[multiple] = False
        n += 1
    return found

def main(stdin):
    return " ".join([str(p) for p in primes(int(str(stdin)))])
`,
		input: "20", output: "2 3 5 7 11 13 17 19",
	},
	{
		about: "A store of texts as a service with the endpoints put and get; main drives the same functions line by line, so " +
			"that the service can be tried out as a program first.",
		source: `def fields(data):
    words = str(data).split()
    if not words:
        fault("empty request")
    return words

def put(data, state):
    words = fields(data)
    new = dict(state or {})
    new[words[0]] = " ".join(words[1:])
    return ("ok", new)

def get(data, state):
    return (state or {}).get(fields(data)[0], "")

def main(stdin):
    state = None
    replies = []
    for line in str(stdin).splitlines():
        command, _, rest = line.partition(" ")
        if command == "put":
            reply, state = put(rest, state)
        elif command == "get":
            reply = get(rest, state)
        else:
            fault("unknown command: " + command)
        replies.append(reply)
    return "\n".join(replies)
`,
		input: "put motto many minds\nget motto\nget other", output: "ok\nmany minds\n",
	},
}

func exampleBlocks() []wire.ContentBlock {
	var out []wire.ContentBlock
	for _, e := range examples {
		out = append(out,
			text(e.about),
			wire.ContentBlock{Code: &wire.CodeBlock{Language: "starlark", Source: e.source}},
			wire.ContentBlock{Example: &wire.ExampleBlock{Input: e.input, ExpectedOutput: e.output}},
		)
	}
	return out
}

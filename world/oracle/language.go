package oracle

import "kingdom/wire"

func languageBlocks() []wire.ContentBlock {
	return []wire.ContentBlock{
		text("Programs are written in Starlark, a small language that looks like Python. A program is one source text in " +
			"UTF-8, stored as an ATOM object. Beyond the standard dialect these are allowed: the set type, while loops, " +
			"if, for and while at top level, reassigning globals, and recursion. There are no classes, exceptions, imports of " +
			"Python modules, generators, or f-strings; load is the only way to use other code."),
		table([]string{"name", "meaning"},
			[]string{"stdin", "the input, bytes"},
			[]string{"env", "frozen dict from str to bytes, given when the sandbox was made"},
			[]string{"emit(x)", "appends a str or bytes to the output"},
			[]string{"print(x)", "writes a line to the error log, of which 16 KiB are kept"},
			[]string{"fault(msg)", "ends the program with USER_FAULT"},
			[]string{"vault_get(hex)", "the bytes of a stored object"},
			[]string{"oracle_get(hex)", "an entry as a str of JSON"},
			[]string{"budget()", "how many steps are left, int"},
			[]string{"json", "json.encode, json.decode, json.indent"},
		),
		text("There is no clock, no randomness, no mathematics beyond the operators, no file and no network: the same program " +
			"with the same input always gives the same output."),
		text(`load("vault:<64 hex digits>", "name", …) binds top-level names of another stored program. Each module runs once ` +
			"per run and is frozen then; a circle of loads is a CHANNEL_ERROR. At most 16 distinct modules, each for 2 forge ticks " +
			"and 1 per KiB."),
		table([]string{"channel", "use"},
			[]string{"0", "output: emit"},
			[]string{"1", "error log: print"},
			[]string{"2", "input: stdin"},
			[]string{"3", "Vault, reading: vault_get"},
			[]string{"4", "Oracle, reading: oracle_get"},
			[]string{"5–15", "reserved; using one is PERMISSION_DENIED"},
		),
	}
}

func limitBlocks() []wire.ContentBlock {
	return []wire.ContentBlock{
		definition("forge tick", "1,000 steps of the interpreter, counted up. Work that one step hides, such as copying a long "+
			"string or sorting, is charged by the bytes it touches, one step for 64."),
		text("You have 1,000 forge ticks per cycle. What a run uses is charged; starting one needs its whole tick budget left."),
		table([]string{"limit", "value"},
			[]string{"memory of a sandbox", "64 KiB free, each further KiB 1 ⚡, at most 1 MiB, from epoch 4 on 4 MiB"},
			[]string{"source", "262,144 bytes"},
			[]string{"output", "65,536 bytes"},
			[]string{"call depth", "1,000"},
			[]string{"an integer", "4,096 bits; int() reads at most 1,300 digits"},
			[]string{"sandboxes", "16 per agent"},
		),
		table([]string{"action, once Forge is open", "ticks"},
			[]string{"make a sandbox", "5"},
			[]string{"run it", "one per 100 forge ticks used, at least 1"},
			[]string{"prove a run", "twice what the run cost"},
			[]string{"link a program", "2 per import"},
			[]string{"call a service", "1, and its fee with tax"},
		),
	}
}

func faultBlocks() []wire.ContentBlock {
	return []wire.ContentBlock{table([]string{"number", "fault", "raised by"},
		[]string{"0x01", "OUT_OF_TICKS", "the step budget is used up"},
		[]string{"0x02", "OUT_OF_MEMORY", "more memory than the quota"},
		[]string{"0x03", "DIVIDE_BY_ZERO", "a division or remainder by zero"},
		[]string{"0x04", "INVALID_ADDRESS", "index out of range, missing key or attribute, unbound variable"},
		[]string{"0x05", "INVALID_INSTRUCTION", "source that cannot be read, wrong type, bad call, anything else"},
		[]string{"0x06", "STACK_OVERFLOW", "calls nested too deep"},
		[]string{"0x08", "CHANNEL_ERROR", "too much output, a failed load, a missing object"},
		[]string{"0x09", "PERMISSION_DENIED", "a reserved channel or an object you may not read"},
		[]string{"0xFF", "USER_FAULT", "fail() or fault()"},
	)}
}

func programBlocks() []wire.ContentBlock {
	return []wire.ContentBlock{
		text("A run executes the top level. If that defines a function main, main(stdin) is called next: a str or bytes that it " +
			"returns is appended to the output, None adds nothing, anything else is appended as JSON."),
		text("A service is a persistent sandbox whose top level has run once. Each endpoint is a global function " +
			"f(data, state): data are the caller's bytes, state is what the last successful call left, None at first. It returns " +
			"a reply, or a pair of a reply and the new state. State must be expressible in JSON, 64 KiB at most, and is kept only " +
			"if the call ends without a fault."),
		text("A proof is Forge's signature under a program, the hashes of its input and output, the forge ticks it used and the " +
			"hash of its trace. Anybody can check it by running the program again."),
		warning(wire.WarningLevelNote, "Programs read Vault and Oracle as they were before the tick in which they run."),
	}
}

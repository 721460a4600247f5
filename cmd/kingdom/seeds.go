package main

import (
	"strconv"
	"strings"

	"kingdom/scenarios"
)

// mostSeeds bounds a sweep: more is a slip of the keyboard.
const mostSeeds = 10_000

// parseSeeds reads what --seeds takes: words and ranges of whole numbers, separated by
// commas, such as 1..10,42,blue.
func parseSeeds(text string) ([]string, error) {
	var out []string
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		from, to, isRange := strings.Cut(part, "..")
		switch {
		case part == "":
			return nil, usagef("--seeds %s has an empty item; want seeds such as 1..10 or 1,5,blue", quoted(text))
		case !isRange:
			out = append(out, part)
		default:
			first, err := strconv.ParseUint(from, 10, 63)
			last, lerr := strconv.ParseUint(to, 10, 63)
			switch {
			case err != nil || lerr != nil:
				return nil, usagef("--seeds: %s is not a range; want two whole numbers from 0, such as 1..10", quoted(part))
			case last < first:
				return nil, usagef("--seeds: %s ends before it begins; want %d..%d", part, last, first)
			case last-first >= mostSeeds:
				return nil, tooManySeeds()
			}
			for n := first; n <= last; n++ {
				out = append(out, strconv.FormatUint(n, 10))
			}
		}
		if len(out) > mostSeeds {
			return nil, tooManySeeds()
		}
	}
	return out, nil
}

func tooManySeeds() error {
	return usagef("--seeds names more than %d seeds; split them into several sweeps", mostSeeds)
}

// withSeeds is a scenario for each seed. Each seed is its own, also in the names made of it:
// of a directory, where case may not count, and of a schema.
func withSeeds(sc *scenarios.Scenario, seeds []string) ([]*scenarios.Scenario, error) {
	out := make([]*scenarios.Scenario, len(seeds))
	named := map[string]string{}
	for i, seed := range seeds {
		own := *sc
		if err := own.Override("seed=" + seed); err != nil {
			if e, ok := asError[*scenarios.Error](err); ok {
				for k := range e.Problems {
					e.Problems[k].File = "--seeds " + quoted(seed)
				}
			}
			return nil, usage(err)
		}
		name := schemaWord(seed)
		if other, taken := named[name]; taken && other == seed {
			return nil, usagef("--seeds names the seed %s twice", quoted(seed))
		} else if taken {
			return nil, usagef("the seeds %s and %s would share a directory; rename one", quoted(other), quoted(seed))
		}
		named[name] = seed
		out[i] = &own
	}
	return out, nil
}

// schemaWord keeps of a word what is safe in the name of a schema.
func schemaWord(s string) string {
	return strings.ToLower(strings.ReplaceAll(fileWord(s), "-", "_"))
}
